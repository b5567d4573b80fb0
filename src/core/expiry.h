/*
** The ends of lives: a timing wheel of slot numbers, one list per tick of this turn and the next, and beyond them one
** per turn. Lists are made of blocks, so that a tick reads memory in order. A listed slot stays in its list when its
** life ends early or gets another end: when the tick comes, the slot's current `due` counts. So ending a life early
** costs nothing, and a slot that is reused again and again does not fill the lists.
*/
#ifndef SP_CORE_EXPIRY_H
#define SP_CORE_EXPIRY_H

#include "core/config.h"
#include "core/memory.h"

#define SP_EXPIRY_NONE UINT32_MAX
#define SP_EXPIRY_NEAR (2 * SP_WHEEL_TURN) /* lists of ticks; those of turns follow */
#define SP_EXPIRY_LISTS (SP_EXPIRY_NEAR + SP_WHEEL_TURN)
#define SP_EXPIRY_BLOCK 62u /* slots: a block is 256 bytes */
/* Free blocks that are kept for what has to move when memory is refused: for entries of a turn that is half spread, and
   of a list of which the first block is in hand, which may begin a block of the next tick and fill another. */
#define SP_EXPIRY_SPARE 3u
#define SP_EXPIRY_STRIDE (1u << 30) /* ticks: what is further ahead is looked at once in each, for `due` has 32 bits */

#define SP_EXPIRY_OVER UINT32_MAX

/* Data about the end of a life, beside its tick, which is in sp_life. */
typedef struct sp_term {
  double lifetime;  /* seconds, as asked for; holds while sp_life.due is not 0 */
  uint32_t listed;  /* low bits of the tick of the earliest list that the slot is to be looked for in; 0: in none */
  uint32_t strides; /* how often to go on by SP_EXPIRY_STRIDE when that tick has come; SP_EXPIRY_OVER: the end came */
} sp_term;

typedef struct sp_expiry_block {
  uint32_t next; /* in a ring; of a free block: the next free one, or 0 */
  uint32_t count;
  uint32_t slots[SP_EXPIRY_BLOCK];
} sp_expiry_block;

/* The lives that end at a tick, while they are sorted. */
typedef struct sp_ending {
  uint64_t serial;
  uint32_t slot;
} sp_ending;

typedef struct sp_expiry {
  sp_life *life;     /* the manager's slots: sp_slots.life */
  sp_term *terms;    /* per slot, once a life had an end */
  uint32_t capacity; /* slots; not more than there are in `life` */
  uint64_t now;      /* the tick that came last */
  uint32_t *lists;   /* the last block of each; 0: empty */
  uint32_t *counts;  /* entries in the list of each turn */
  sp_expiry_block
      *blocks; /* the first is always full and belongs to no list: an empty list looks like one without room */
  uint32_t block_capacity, free, free_count;
  uint32_t tidy;                           /* the blocks there were when they were found to be all of use; 0: never */
  uint64_t unordered[SP_EXPIRY_NEAR / 64]; /* a bit per list of a tick: not all were listed when their lives began */
  sp_ending *endings;                      /* of this tick, when they had to be put in order */
  uint32_t ending_capacity, ending_count, ended;
  uint32_t firing, fired;    /* what is due now: the last block, and how many of the first are done */
  uint32_t turning, waiting; /* the turn after this one: its last block, and how many are to be spread over its ticks */
} sp_expiry;

/* Makes room for slots 0 .. `slots` - 1, which `life` has, and for one more life with an end; false when memory is
   refused. */
bool sp_expiry_reserve(sp_expiry *e, sp_memory *memory, uint32_t slots);
void sp_expiry_free(sp_expiry *e, sp_memory *memory);

/* Makes room for what `then` had; false when memory is refused. */
bool sp_expiry_reserve_as(sp_expiry *e, sp_memory *memory, const sp_expiry *then);
/* Puts back what `then` had, whose arrays are given. There is room. */
void sp_expiry_restore(sp_expiry *e, const sp_expiry *then, const sp_term *terms, const uint32_t *lists,
                       const sp_expiry_block *blocks);

/* Whether there is room for one more life with an end. */
static inline bool sp_expiry_is_ready(const sp_expiry *e, uint32_t slots)
{
  return slots <= e->capacity && e->free_count > SP_EXPIRY_SPARE;
}

/* Lets the life in `slot` end at `tick`, which is to come. Needs sp_expiry_is_ready. */
void sp_expiry_set(sp_expiry *e, uint32_t slot, double lifetime, uint64_t tick);

/* True for a tick of this turn or the next, which has a list of its own. */
static inline bool sp_expiry_is_near(const sp_expiry *e, uint32_t due)
{
  uint32_t now = (uint32_t)e->now;
  return due - (now - now % SP_WHEEL_TURN) < SP_EXPIRY_NEAR;
}

/* Marks the list of a near tick: what it has may no longer lie in order. */
static inline void sp_expiry_mark_unordered(sp_expiry *e, uint32_t due)
{
  e->unordered[due % SP_EXPIRY_NEAR / 64] |= (uint64_t)1 << due % 64;
}

/* The same of a tick less than a turn ahead, of which the low bits are not 0, where the list of the tick has room:
   false, and nothing done, when it has none. The caller sets sp_life.due. */
static inline bool sp_expiry_set_near(sp_expiry *e, uint32_t slot, double lifetime, uint32_t ahead)
{
  sp_term *term = &e->terms[slot];
  uint32_t now = (uint32_t)e->now, due = now + ahead, listed = term->listed;
  if (listed == 0 || listed - now > ahead) {
    sp_expiry_block *last = &e->blocks[e->lists[due % SP_EXPIRY_NEAR]];
    if (!SP_LIKELY(last->count < SP_EXPIRY_BLOCK))
      return false;
    last->slots[last->count++] = slot;
    if (listed != 0 && sp_expiry_is_near(e, listed))
      sp_expiry_mark_unordered(e, listed); /* the entry stays there, and counts should a later life be listed there */
    listed = due;
  } else if (listed == due) {
    sp_expiry_mark_unordered(e, due); /* an older life was to end there */
  }
  *term = (sp_term){lifetime, listed, 0};
  return true;
}

/* The end of that life has come, and an override kept it. Needs sp_expiry_is_ready. */
void sp_expiry_set_over(sp_expiry *e, uint32_t slot, double lifetime);
/* Ticks until the end of a life that has one; 0: it has come, and an override kept the life. */
uint64_t sp_expiry_left(const sp_expiry *e, uint32_t slot);

/* To be called after an end was set for a life that began before others that may have been set since. */
void sp_expiry_note_late(sp_expiry *e, uint32_t slot);

/* Goes to `tick`, the next one or, when sp_expiry_next allows, a later one. */
void sp_expiry_begin(sp_expiry *e, sp_memory *memory, uint64_t tick);
/* The next slot whose life ends at that tick, oldest lives first; SP_EXPIRY_NONE when all have been. In between
   anything may be set. */
uint32_t sp_expiry_pop(sp_expiry *e, sp_memory *memory);
/* A slot that sp_expiry_pop will return soon, if it can be told: for memory that is far away. */
static inline uint32_t sp_expiry_ahead(const sp_expiry *e)
{
  uint32_t at = e->blocks[e->firing].next, ahead = e->fired + SP_AHEAD;
  if (ahead >= e->blocks[at].count && at != e->firing) {
    ahead -= e->blocks[at].count;
    at = e->blocks[at].next;
  }
  return ahead < e->blocks[at].count ? e->blocks[at].slots[ahead] : SP_EXPIRY_NONE;
}
/* The first tick after `now` at which something may happen, at most `target`. */
uint64_t sp_expiry_next(const sp_expiry *e, uint64_t target);

#endif
