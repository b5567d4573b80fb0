#include "core/idle.h"

#include <string.h>

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
