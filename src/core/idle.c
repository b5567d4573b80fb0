#include "core/idle.h"

#include <string.h>

/* The oldest of the resting slots sits `resting` seats behind the next free one. */
static sp_ref rested_at(const sp_idle *idle, uint32_t index)
{
  return idle->rest[(idle->rest_head - idle->resting + index) % SP_QUARANTINE];
}

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
  uint32_t count = idle->tail - idle->head;
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

void sp_idle_rest_last(sp_idle *idle, uint32_t count)
{
  idle->resting = idle->rest_head = count;
  idle->tail -= count;
  for (uint32_t i = 0; i < count; i++)
    idle->rest[i] = idle->ring[(idle->tail + i) & idle->mask];
}

void sp_idle_restore(sp_idle *idle, const sp_ref *nexts, uint32_t count, uint32_t resting)
{
  idle->head = 0;
  idle->tail = count;
  if (count > 0)
    memcpy(idle->ring, nexts, count * sizeof *nexts);
  sp_idle_rest_last(idle, resting);
}

void sp_idle_set_order(sp_idle *idle, bool lifo)
{
  if (lifo == idle->lifo)
    return;
  while (idle->resting > 0)
    idle->ring[idle->tail++ & idle->mask] = sp_idle_pop_rested(idle);
  idle->lifo = lifo;
}

sp_ref sp_idle_pop_rested(sp_idle *idle)
{
  sp_ref next = rested_at(idle, 0);
  idle->resting--;
  return next;
}

sp_ref sp_idle_get(const sp_idle *idle, uint32_t index)
{
  uint32_t count = idle->tail - idle->head;
  return index < count ? idle->ring[(idle->head + index) & idle->mask] : rested_at(idle, index - count);
}

void sp_idle_remove(sp_idle *idle, uint32_t index)
{
  uint32_t count = idle->tail - idle->head;
  if (index < count) {
    for (uint32_t i = index; i + 1 < count; i++)
      idle->ring[(idle->head + i) & idle->mask] = idle->ring[(idle->head + i + 1) & idle->mask];
    idle->tail--;
    return;
  }
  /* A gap in the quarantine closes towards its oldest end. */
  for (uint32_t i = index - count; i > 0; i--)
    idle->rest[(idle->rest_head - idle->resting + i) % SP_QUARANTINE] = rested_at(idle, i - 1);
  idle->resting--;
}
