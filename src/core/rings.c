#include "core/rings.h"

#include <string.h>

#include "core/state.h"

/* {== Idle slots ========================================================= */

bool sp_idle_make_ring(const sp_idle *idle, sp_memory *memory, uint32_t capacity, sp_idle_ring *ring)
{
  uint32_t have = idle->ring ? idle->mask + 1 : 0, want = have ? have : 64;
  while (want < capacity)
    want *= 2;
  *ring = (sp_idle_ring){NULL, want};
  if (want == have)
    return true;
  ring->seats = sp_memory_resize(memory, NULL, 0, want * sizeof *ring->seats);
  return ring->seats != NULL;
}

void sp_idle_take_ring(sp_idle *idle, sp_memory *memory, const sp_idle_ring *ring)
{
  if (!ring->seats)
    return;
  uint32_t count = sp_idle_count(idle);
  for (uint32_t i = 0; i < count; i++)
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): without a ring the count is 0 */
    ring->seats[i] = idle->ring[(idle->head + i) & idle->mask];
  if (idle->ring)
    sp_memory_free(memory, idle->ring, (idle->mask + 1) * sizeof *idle->ring);
  idle->ring = ring->seats;
  idle->mask = ring->size - 1;
  idle->head = 0;
  idle->tail = count;
}

bool sp_idle_reserve(sp_idle *idle, sp_memory *memory, uint32_t capacity)
{
  sp_idle_ring ring;
  bool made = sp_idle_make_ring(idle, memory, capacity, &ring);
  if (made)
    sp_idle_take_ring(idle, memory, &ring);
  return made;
}

void sp_idle_free(sp_idle *idle, sp_memory *memory)
{
  if (idle->ring)
    sp_memory_free(memory, idle->ring, (idle->mask + 1) * sizeof *idle->ring);
  *idle = (sp_idle){.lifo = idle->lifo};
}

/* Returns the position in the ring of the entry at `index`, longest idle first. */
static uint32_t position(const sp_idle *idle, uint32_t index)
{
  return (idle->lifo ? idle->tail - 1 - index : idle->head + index) & idle->mask;
}

void sp_idle_set_order(sp_idle *idle, bool lifo)
{
  if (lifo == idle->lifo)
    return;
  idle->lifo = lifo;
  for (uint32_t i = 0, count = sp_idle_count(idle); i < count / 2; i++) {
    uint32_t *one = &idle->ring[(idle->head + i) & idle->mask], *other = &idle->ring[(idle->tail - 1 - i) & idle->mask];
    uint32_t slot = *one;
    *one = *other;
    *other = slot;
  }
}

void sp_idle_restore(sp_idle *idle, const sp_idle *then)
{
  bool lifo = idle->lifo;
  idle->lifo = then->lifo;
  idle->head = 0;
  idle->tail = sp_idle_count(then);
  if (idle->tail > 0)
    memcpy(idle->ring, then->ring, idle->tail * sizeof *idle->ring);
  sp_idle_set_order(idle, lifo);
}

uint32_t sp_idle_get(const sp_idle *idle, uint32_t index) { return idle->ring[position(idle, index)]; }

/* Closes the gap by moving the entries on the side at which slots are added. */
void sp_idle_remove(sp_idle *idle, uint32_t index)
{
  for (uint32_t i = index, last = sp_idle_count(idle) - 1; i < last; i++)
    idle->ring[position(idle, i)] = idle->ring[position(idle, i + 1)];
  if (idle->lifo)
    idle->head++;
  else
    idle->tail--;
}

/* }== */

/* {== Ages =============================================================== */

static void compact(sp_ages *ages, const sp_manager *manager)
{
  uint32_t kept = ages->head;
  for (uint32_t i = ages->head; i != ages->tail; i++) {
    sp_ref object = ages->ring[i & ages->mask];
    if (sp_ref_resolves(manager, object))
      ages->ring[kept++ & ages->mask] = object;
  }
  ages->tail = kept;
}

static bool move_ring(sp_ages *ages, sp_manager *manager, uint32_t want)
{
  uint32_t have = ages->ring ? ages->mask + 1 : 0, count = sp_ages_count(ages);
  sp_ref *ring = sp_memory_resize(&manager->memory, NULL, 0, want * sizeof *ring);
  if (!ring)
    return false;
  for (uint32_t i = 0; i < count; i++)
    ring[i] = sp_ages_get(ages, i);
  sp_memory_free(&manager->memory, ages->ring, have * sizeof *ring);
  *ages = (sp_ages){.ring = ring, .mask = want - 1, .tail = count};
  return true;
}

bool sp_ages_reserve(sp_ages *ages, sp_manager *manager, uint32_t live)
{
  uint32_t have = ages->ring ? ages->mask + 1 : 0;
  if (sp_ages_count(ages) < have)
    return true;
  if (have && live < have / 2) {
    compact(ages, manager);
    return true;
  }
  return move_ring(ages, manager, have ? have * 2 : 64);
}

bool sp_ages_reserve_count(sp_ages *ages, sp_manager *manager, uint32_t count)
{
  uint32_t have = ages->ring ? ages->mask + 1 : 0, want = have ? have : 64;
  while (want < count)
    want *= 2;
  return want == have || move_ring(ages, manager, want);
}

void sp_ages_restore(sp_ages *ages, const sp_ages *then)
{
  ages->head = 0;
  ages->tail = sp_ages_count(then);
  memcpy(ages->ring, then->ring, ages->tail * sizeof *ages->ring);
}

void sp_ages_push(sp_ages *ages, sp_ref object) { ages->ring[ages->tail++ & ages->mask] = object; }

void sp_ages_settle(sp_ages *ages, const sp_manager *manager)
{
  while (ages->head != ages->tail && !sp_ref_resolves(manager, sp_ages_get(ages, 0)))
    ages->head++;
}

void sp_ages_free(sp_ages *ages, sp_memory *memory)
{
  if (ages->ring)
    sp_memory_free(memory, ages->ring, (ages->mask + 1) * sizeof *ages->ring);
  *ages = (sp_ages){0};
}

/* }== */
