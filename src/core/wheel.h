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
  uint32_t key;   /* the owner's: a slot, or a timer */
  uint32_t stamp; /* the owner's: the generation of the slot, or of the timer */
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

/* Where the owner keeps the tick at which a timer is due (0: not armed); NULL when the timer is dead. */
typedef uint64_t *(*sp_wheel_due_fn)(void *owner, sp_wheel_entry timer);
typedef void (*sp_wheel_fire_fn)(void *owner, sp_wheel_entry timer);

void sp_wheel_free(sp_wheel *wheel, sp_memory *memory);

/* Makes sure that the next sp_wheel_arm cannot fail. False when memory is refused. */
bool sp_wheel_reserve(sp_wheel *wheel, sp_memory *memory);
void sp_wheel_append_block(sp_wheel *wheel, uint32_t bucket, sp_wheel_entry timer);

static inline void sp_wheel_append(sp_wheel *wheel, uint32_t bucket, sp_wheel_entry timer)
{
  uint32_t link = wheel->tail[bucket];
  sp_wheel_block *block = link ? &wheel->blocks[link - 1] : NULL;
  if (block && block->count < SP_WHEEL_BLOCK)
    block->entries[block->count++] = timer;
  else
    sp_wheel_append_block(wheel, bucket, timer);
}

static inline void sp_wheel_arm(sp_wheel *wheel, uint64_t tick, sp_wheel_entry timer)
{
  sp_wheel_append(wheel, (uint32_t)(tick % SP_WHEEL_BUCKETS), timer);
  wheel->entries++;
  wheel->armed++;
}

/* One timer less; its entry is found dead later. */
static inline void sp_wheel_disarm(sp_wheel *wheel) { wheel->armed--; }

/* True when dead entries outnumber the armed ones by far; then sp_wheel_sweep drops those of one bucket that has any
   entries. Called once per new timer it keeps the wheel within three times what is armed. */
static inline bool sp_wheel_is_littered(const sp_wheel *wheel)
{
  return wheel->entries > 3 * wheel->armed + SP_WHEEL_SLACK;
}
void sp_wheel_sweep(sp_wheel *wheel, sp_wheel_due_fn due, void *owner);

/* Fires what is due at `tick`, in the order of arming. The callback may arm and disarm anything. */
void sp_wheel_tick(sp_wheel *wheel, uint64_t tick, sp_wheel_due_fn due, sp_wheel_fire_fn fire, void *owner);

/* The earliest due tick of all timers, UINT64_MAX when none: looks at every entry. */
uint64_t sp_wheel_next(const sp_wheel *wheel, sp_wheel_due_fn due, void *owner);

#endif
