#include "core/state.h"

static sp_wheel_block *block_at(const sp_wheel *wheel, uint32_t link) { return &wheel->blocks[link - 1]; }

void sp_wheel_free(sp_wheel *wheel, sp_memory *memory)
{
  sp_memory_free(memory, wheel->blocks, wheel->block_count * sizeof *wheel->blocks);
  *wheel = (sp_wheel){0};
}

bool sp_wheel_reserve(sp_wheel *wheel, sp_memory *memory)
{
  if (wheel->free_block)
    return true;
  uint32_t have = wheel->block_count, want = have ? have + have / 2 : 16;
  sp_wheel_block *blocks = sp_memory_extend(memory, wheel->blocks, have, want, sizeof *blocks);
  if (!blocks)
    return false;
  wheel->blocks = blocks;
  for (uint32_t i = want; i > have; i--) {
    wheel->blocks[i - 1].next = wheel->free_block;
    wheel->free_block = i;
  }
  wheel->block_count = want;
  return true;
}

void sp_wheel_append_block(sp_wheel *wheel, uint32_t bucket, sp_wheel_entry entry)
{
  uint32_t link = wheel->free_block;
  sp_wheel_block *block = block_at(wheel, link);
  wheel->free_block = block->next;
  block->next = 0;
  block->count = 1;
  block->entries[0] = entry;
  if (wheel->tail[bucket])
    block_at(wheel, wheel->tail[bucket])->next = link;
  else
    wheel->head[bucket] = link;
  wheel->tail[bucket] = link;
}

static uint32_t release(sp_wheel *wheel, uint32_t link)
{
  sp_wheel_block *block = block_at(wheel, link);
  uint32_t next = block->next;
  block->next = wheel->free_block;
  wheel->free_block = link;
  return next;
}

static uint32_t detach(sp_wheel *wheel, uint32_t bucket)
{
  uint32_t link = wheel->head[bucket];
  wheel->head[bucket] = wheel->tail[bucket] = 0;
  return link;
}

/* The tick at which an entry is due, or 0 when it is dead. */
static inline uint64_t due_of(const sp_manager *m, sp_wheel_entry entry)
{
  if (entry.key & SP_TIMER_KEY)
    return sp_timer_due(m, entry);
  uint32_t slot = entry.key & (SP_MAX_SLOTS - 1);
  /* The generation first: a slot of another life may have no chunk any more. */
  if (m->generation[slot] != entry.stamp)
    return 0;
  const sp_span *span = sp_slot_span(m, slot);
  return sp_span_key(span, slot) == entry.key ? span->due & SP_TICK_MASK : 0;
}

static void fire(sp_manager *m, sp_wheel_entry entry)
{
  if (entry.key & SP_TIMER_KEY) {
    sp_timer_fire(m, entry);
    return;
  }
  uint32_t slot = entry.key & (SP_MAX_SLOTS - 1);
  sp_span_disarm(m, sp_slot_span(m, slot));
  sp_end(m, slot, SP_WHY_EXPIRED, true, false);
}

/* What can be told without looking at the life: that no earlier arm of the same life is meant, for there was none. */
static inline bool is_dead(const sp_manager *m, sp_wheel_entry entry)
{
  if (!m->rearmed && !(entry.key & SP_TIMER_KEY))
    return m->generation[entry.key & (SP_MAX_SLOTS - 1)] != entry.stamp;
  return due_of(m, entry) == 0;
}

/* Moves the living entries of a bucket together; what they no longer need of the chain is freed. */
static void compact(sp_manager *m, uint32_t bucket)
{
  sp_wheel *wheel = &m->wheel;
  uint32_t to = wheel->head[bucket], fill = 0, dropped = 0;
  for (uint32_t from = to; from; from = block_at(wheel, from)->next) {
    const sp_wheel_block *block = block_at(wheel, from);
    uint32_t count = block->count;
    for (uint32_t i = 0; i < count; i++) {
      if (is_dead(m, block->entries[i])) {
        dropped++;
        continue;
      }
      if (fill == SP_WHEEL_BLOCK) {
        block_at(wheel, to)->count = fill;
        to = block_at(wheel, to)->next;
        fill = 0;
      }
      block_at(wheel, to)->entries[fill++] = block->entries[i];
    }
  }
  wheel->entries -= dropped;
  uint32_t rest = block_at(wheel, to)->next;
  block_at(wheel, to)->count = fill;
  block_at(wheel, to)->next = 0;
  wheel->tail[bucket] = to;
  while (rest)
    rest = release(wheel, rest);
  if (fill == 0)
    release(wheel, detach(wheel, bucket));
}

void sp_wheel_sweep(sp_manager *m)
{
  sp_wheel *wheel = &m->wheel;
  for (uint32_t i = 0; i < SP_WHEEL_BUCKETS; i++) {
    uint32_t bucket = wheel->sweep++ % SP_WHEEL_BUCKETS;
    if (wheel->head[bucket]) {
      compact(m, bucket);
      return;
    }
  }
}

/* An entry is kept by appending it to the bucket again. That never lacks a block: the block it came from is released
   before, and all that are kept of it fit into one. */
void sp_wheel_tick(sp_manager *m)
{
  sp_wheel *wheel = &m->wheel;
  uint64_t tick = m->tick;
  uint32_t bucket = (uint32_t)(tick % SP_WHEEL_BUCKETS);
  uint32_t link = detach(wheel, bucket);
  while (link) {
    /* Copied out: a hook may arm timers, which can move the blocks. */
    sp_wheel_block block = *block_at(wheel, link);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < block.count; i++) {
      uint64_t at = due_of(m, block.entries[i]);
      if (at > tick) {
        block.entries[kept++] = block.entries[i];
        continue;
      }
      wheel->entries--;
      if (at == tick)
        fire(m, block.entries[i]);
    }
    link = release(wheel, link);
    for (uint32_t i = 0; i < kept; i++)
      sp_wheel_append(wheel, bucket, block.entries[i]);
  }
}

uint64_t sp_wheel_next(const sp_manager *m)
{
  const sp_wheel *wheel = &m->wheel;
  uint64_t next = UINT64_MAX;
  for (uint32_t bucket = 0; bucket < SP_WHEEL_BUCKETS; bucket++)
    for (uint32_t link = wheel->head[bucket]; link; link = block_at(wheel, link)->next) {
      const sp_wheel_block *block = block_at(wheel, link);
      for (uint32_t i = 0; i < block->count; i++) {
        uint64_t at = due_of(m, block->entries[i]);
        if (at != 0 && at < next)
          next = at;
      }
    }
  return next;
}
