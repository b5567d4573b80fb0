#include "core/idle.h"

#include <string.h>

/* The oldest of the resting slots sits `resting` seats behind the next free one. */
static sp_ref rested_at(const sp_idle *idle, uint32_t index)
{
  return idle->rest[(idle->rest_head - idle->resting + index) % SP_QUARANTINE];
}

bool sp_idle_reserve(sp_idle *idle, sp_memory *memory, uint32_t capacity)
{
  uint32_t have = idle->ring ? idle->mask + 1 : 0, want = have ? have : 64;
  while (want < capacity)
    want *= 2;
  if (want == have)
    return true;
  sp_ref *ring = sp_memory_resize(memory, NULL, 0, want * sizeof *ring);
  if (!ring)
    return false;
  uint32_t count = idle->tail - idle->head;
  for (uint32_t i = 0; i < count; i++)
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): without a ring the count is 0 */
    ring[i] = idle->ring[(idle->head + i) & idle->mask];
  sp_memory_free(memory, idle->ring, have * sizeof *ring);
  idle->ring = ring;
  idle->mask = want - 1;
  idle->head = 0;
  idle->tail = count;
  return true;
}

void sp_idle_free(sp_idle *idle, sp_memory *memory)
{
  if (idle->ring)
    sp_memory_free(memory, idle->ring, (idle->mask + 1) * sizeof *idle->ring);
  *idle = (sp_idle){.lifo = idle->lifo};
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
