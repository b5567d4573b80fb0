/*
** The timing wheel: one bucket per tick modulo SP_WHEEL_BUCKETS, each a chain of fixed blocks of {key, stamp} entries.
** Cancelling is not the wheel's business: the owner forgets its own due tick and tells the wheel one timer less; the
** dead entry is dropped when its bucket comes round, or swept earlier when too many have gathered. Entries more than a
** turn ahead stay in place and are looked at once per turn.
*/
#ifndef SP_CORE_WHEEL_H
#define SP_CORE_WHEEL_H

#include "core/config.h"
#include "core/memory.h"

typedef struct sp_wheel_entry {
  uint32_t key;   /* a slot and how often it was armed in this life (7 bits), or SP_TIMER_KEY and a timer record */
  uint32_t stamp; /* the generation of the slot, or the stamp of the record */
} sp_wheel_entry;

typedef struct sp_wheel_block {
  uint32_t next; /* block index + 1, 0 at the end */
  uint32_t count;
  sp_wheel_entry entries[SP_WHEEL_BLOCK];
} sp_wheel_block;

typedef struct sp_wheel {
  sp_wheel_block *blocks;
  uint32_t block_count; /* allocated */
  uint32_t free_block;  /* block index + 1 of the first free one */
  uint32_t head[SP_WHEEL_BUCKETS], tail[SP_WHEEL_BUCKETS];
  uint64_t entries; /* in the chains, dead ones too */
  uint64_t armed;   /* timers that still mean something */
  uint32_t sweep;   /* next bucket to sweep */
} sp_wheel;

void sp_wheel_free(sp_wheel *wheel, sp_memory *memory);

/* Makes sure that the next sp_wheel_arm cannot fail. False when memory is refused. */
bool sp_wheel_reserve(sp_wheel *wheel, sp_memory *memory);
void sp_wheel_append_block(sp_wheel *wheel, uint32_t bucket, sp_wheel_entry entry);

static inline void sp_wheel_append(sp_wheel *wheel, uint32_t bucket, sp_wheel_entry entry)
{
  uint32_t link = wheel->tail[bucket];
  sp_wheel_block *block = link ? &wheel->blocks[link - 1] : NULL;
  if (block && block->count < SP_WHEEL_BLOCK)
    block->entries[block->count++] = entry;
  else
    sp_wheel_append_block(wheel, bucket, entry);
}

static inline void sp_wheel_arm(sp_wheel *wheel, uint64_t tick, sp_wheel_entry entry)
{
  sp_wheel_append(wheel, (uint32_t)(tick % SP_WHEEL_BUCKETS), entry);
  wheel->entries++;
  wheel->armed++;
}

/* One timer less; its entry is found dead later. */
static inline void sp_wheel_disarm(sp_wheel *wheel) { wheel->armed--; }

/* True when dead entries outnumber the armed ones; then sp_wheel_sweep drops those of one bucket that has any entries.
   Called once per new timer it keeps the wheel within about twice what is armed. */
static inline bool sp_wheel_is_littered(const sp_wheel *wheel)
{
  return wheel->entries > 2 * wheel->armed + SP_WHEEL_SLACK;
}
void sp_wheel_sweep(sp_manager *manager);

/* Fires what is due at the manager's tick, in the order of arming. What it fires may arm and disarm anything. */
void sp_wheel_tick(sp_manager *manager);

/* The earliest due tick of all timers, UINT64_MAX when none: looks at every entry. */
uint64_t sp_wheel_next(const sp_manager *manager);

#endif
