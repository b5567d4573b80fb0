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
/* Free blocks kept in reserve, so that entries can move to other lists when memory is refused: those of a turn that is
   spread in part, and those of the list being emptied, which may begin a block in the list of the next tick and fill a
   second one. */
#define SP_EXPIRY_SPARE 3u
#define SP_EXPIRY_STRIDE (1u << 30) /* ticks: `due` has 32 bits, so a later end is looked at again once per stride */

#define SP_EXPIRY_OVER UINT32_MAX

/* The data about the end of a life, except for its tick, which is in sp_life. */
typedef struct sp_term {
  double lifetime;  /* seconds, as asked for; holds while sp_life.due is not 0 */
  uint32_t listed;  /* low bits of the tick of the earliest list that holds the slot; 0: no list does */
  uint32_t strides; /* strides that are left when that tick has come; SP_EXPIRY_OVER: the life has had its end */
} sp_term;

typedef struct sp_expiry_block {
  uint32_t next; /* in a ring; of a free block: the next free one, or 0 */
  uint32_t count;
  uint32_t slots[SP_EXPIRY_BLOCK];
} sp_expiry_block;

/* A life that ends at the present tick, while such lives are sorted. */
typedef struct sp_ending {
  uint64_t serial;
  uint32_t slot;
} sp_ending;

typedef struct sp_expiry {
  sp_life *life;     /* the manager's slots: sp_slots.life */
  sp_term *terms;    /* per slot; NULL until the first life with an end */
  uint32_t capacity; /* in slots; at most that of `life` */
  uint64_t now;      /* the tick that came last */
  uint32_t *lists;   /* the last block of each list; 0: the list is empty */
  uint32_t *counts;  /* entries in the list of each turn */
  sp_expiry_block
      *blocks; /* the first is always full and belongs to no list: an empty list looks like one without room */
  uint32_t block_capacity, free, free_count;
  uint32_t tidy;                           /* block_capacity when a look found few useless entries; 0: look again */
  uint64_t unordered[SP_EXPIRY_NEAR / 64]; /* a bit per list of a tick: its slots must be sorted */
  sp_ending *endings;                      /* of this tick, if they had to be sorted; else NULL */
  uint32_t ending_capacity, ending_count, ended;
  uint32_t firing, fired;    /* the list that is due now: its last block, and how many entries of its first are done */
  uint32_t turning, waiting; /* the list of the next turn: its last block, and its entries that are not yet spread */
} sp_expiry;

/* Makes room for slots 0 .. `slots` - 1, which `life` has, and for one more life with an end; false when memory is
   refused. */
bool sp_expiry_reserve(sp_expiry *e, sp_memory *memory, uint32_t slots);
void sp_expiry_free(sp_expiry *e, sp_memory *memory);

/* Makes room for the contents of `then`. Returns false when memory is refused. */
bool sp_expiry_reserve_as(sp_expiry *e, sp_memory *memory, const sp_expiry *then);
/* Restores the contents of `then`. There must be room for them. */
void sp_expiry_restore(sp_expiry *e, const sp_expiry *then);

/* Returns whether there is room for one more life with an end. */
static inline bool sp_expiry_is_ready(const sp_expiry *e, uint32_t slots)
{
  return slots <= e->capacity && e->free_count > SP_EXPIRY_SPARE;
}

/* Sets the end of the life in `slot` to `tick`, which must be in the future. Needs sp_expiry_is_ready. */
void sp_expiry_set(sp_expiry *e, uint32_t slot, double lifetime, uint64_t tick);

/* Returns whether a tick is of this turn or the next, and so has a list of its own. */
static inline bool sp_expiry_is_near(const sp_expiry *e, uint32_t due)
{
  uint32_t now = (uint32_t)e->now;
  return due - (now - now % SP_WHEEL_TURN) < SP_EXPIRY_NEAR;
}

/* Marks the list of a near tick as possibly unsorted. */
static inline void sp_expiry_mark_unordered(sp_expiry *e, uint32_t due)
{
  e->unordered[due % SP_EXPIRY_NEAR / 64] |= (uint64_t)1 << due % 64;
}

/* sp_expiry_set for a tick less than a turn ahead whose low bits are not 0. Returns false and does nothing when the
   last block of its list is full. The caller sets sp_life.due. */
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
      sp_expiry_mark_unordered(e, listed); /* the entry stays there, and would count for a later life listed there */
    listed = due;
  } else if (listed == due) {
    sp_expiry_mark_unordered(e, due); /* the entry of an older life is there */
  }
  *term = (sp_term){lifetime, listed, 0};
  return true;
}

/* Notes that the life has had its end and an override kept it. Needs sp_expiry_is_ready. */
void sp_expiry_set_over(sp_expiry *e, uint32_t slot, double lifetime);
/* Returns the ticks until the end of a life that has one; 0 when it has passed and an override kept the life. */
uint64_t sp_expiry_left(const sp_expiry *e, uint32_t slot);

/* Must be called after an end is set for a life that began before others whose ends are set already. */
void sp_expiry_note_late(sp_expiry *e, uint32_t slot);

/* Moves to `tick`: the next one, or a later one that sp_expiry_next has returned. */
void sp_expiry_begin(sp_expiry *e, sp_memory *memory, uint64_t tick);
/* Returns the next slot whose life ends at that tick, oldest lives first; SP_EXPIRY_NONE when there are no more. Ends
   may be set between two calls. */
uint32_t sp_expiry_pop(sp_expiry *e, sp_memory *memory);
/* Returns a slot that sp_expiry_pop will probably return soon, so that its memory can be prefetched. */
static inline uint32_t sp_expiry_ahead(const sp_expiry *e)
{
  uint32_t at = e->blocks[e->firing].next, ahead = e->fired + SP_AHEAD;
  if (ahead >= e->blocks[at].count && at != e->firing) {
    ahead -= e->blocks[at].count;
    at = e->blocks[at].next;
  }
  return ahead < e->blocks[at].count ? e->blocks[at].slots[ahead] : SP_EXPIRY_NONE;
}
/* Returns the first tick after `now` at which a life may end, at most `target`. */
uint64_t sp_expiry_next(const sp_expiry *e, uint64_t target);

#endif
