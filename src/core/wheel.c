#include "core/wheel.h"

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

void sp_wheel_append_block(sp_wheel *wheel, uint32_t bucket, sp_wheel_entry timer)
{
  uint32_t link = wheel->free_block;
  sp_wheel_block *block = block_at(wheel, link);
  wheel->free_block = block->next;
  block->next = 0;
  block->count = 1;
  block->entries[0] = timer;
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

/* Marks a tick as seen, while a bucket is swept: timers that were armed twice for it have two entries. */
#define SEEN ((uint64_t)1 << 63)

static bool claim(uint64_t *due, uint32_t bucket)
{
  if (!due || *due == 0 || *due & SEEN || *due % SP_WHEEL_BUCKETS != bucket)
    return false;
  *due |= SEEN;
  return true;
}

static void forget_seen(const sp_wheel *wheel, uint32_t bucket, sp_wheel_due_fn due, void *owner)
{
  for (uint32_t link = wheel->head[bucket]; link; link = block_at(wheel, link)->next)
    for (uint32_t i = 0; i < block_at(wheel, link)->count; i++)
      *due(owner, block_at(wheel, link)->entries[i]) &= ~SEEN;
}

/* An entry is kept by appending it to the bucket again. That never lacks a block: the block it came from is released
   only after its last entry was moved, and at most one more is in use than before, which the caller has put aside. */
void sp_wheel_sweep(sp_wheel *wheel, sp_wheel_due_fn due, void *owner)
{
  uint32_t bucket = wheel->sweep++ % SP_WHEEL_BUCKETS;
  for (uint32_t i = 0; i < SP_WHEEL_BUCKETS && !wheel->head[bucket]; i++)
    bucket = wheel->sweep++ % SP_WHEEL_BUCKETS;
  uint32_t link = detach(wheel, bucket);
  while (link) {
    sp_wheel_block block = *block_at(wheel, link);
    link = release(wheel, link);
    for (uint32_t i = 0; i < block.count; i++) {
      if (claim(due(owner, block.entries[i]), bucket))
        sp_wheel_append(wheel, bucket, block.entries[i]);
      else
        wheel->entries--;
    }
  }
  forget_seen(wheel, bucket, due, owner);
}

static uint64_t tick_of(sp_wheel_due_fn due, void *owner, sp_wheel_entry timer)
{
  const uint64_t *at = due(owner, timer);
  return at ? *at : 0;
}

void sp_wheel_tick(sp_wheel *wheel, uint64_t tick, sp_wheel_due_fn due, sp_wheel_fire_fn fire, void *owner)
{
  uint32_t bucket = (uint32_t)(tick % SP_WHEEL_BUCKETS);
  uint32_t link = detach(wheel, bucket);
  while (link) {
    /* Copied out: a callback may arm timers, which can move the blocks. */
    sp_wheel_block block = *block_at(wheel, link);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < block.count; i++) {
      uint64_t at = tick_of(due, owner, block.entries[i]);
      if (at > tick && at % SP_WHEEL_BUCKETS == bucket) {
        block.entries[kept++] = block.entries[i];
        continue;
      }
      wheel->entries--;
      if (at == tick)
        fire(owner, block.entries[i]);
    }
    link = release(wheel, link);
    for (uint32_t i = 0; i < kept; i++)
      sp_wheel_append(wheel, bucket, block.entries[i]);
  }
}

uint64_t sp_wheel_next(const sp_wheel *wheel, sp_wheel_due_fn due, void *owner)
{
  uint64_t next = UINT64_MAX;
  for (uint32_t bucket = 0; bucket < SP_WHEEL_BUCKETS; bucket++)
    for (uint32_t link = wheel->head[bucket]; link; link = block_at(wheel, link)->next) {
      const sp_wheel_block *block = block_at(wheel, link);
      for (uint32_t i = 0; i < block->count; i++) {
        uint64_t at = tick_of(due, owner, block->entries[i]);
        if (at != 0 && at < next)
          next = at;
      }
    }
  return next;
}
