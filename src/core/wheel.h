/*
** The timing wheel, for the ends of lives and for timers: one list of items per tick of this turn and the next, and
** beyond them one per turn. Lists are made of blocks, so that a tick reads memory in order. An item stays in its list
** when it is cancelled or gets another tick: when the tick of the list comes, the item's current `due` counts. So
** cancelling costs nothing, and an item that is reused again and again does not fill the lists.
*/
#ifndef SP_CORE_WHEEL_H
#define SP_CORE_WHEEL_H

#include <string.h>

#include "core/config.h"
#include "core/memory.h"

#define SP_WHEEL_NONE UINT32_MAX
#define SP_WHEEL_NEAR (2 * SP_WHEEL_TURN) /* lists of ticks; those of turns follow */
#define SP_WHEEL_LISTS (SP_WHEEL_NEAR + SP_WHEEL_TURN)
#define SP_WHEEL_SEGMENT SP_CHUNK_SLOTS
#define SP_WHEEL_PAGE 16u  /* blocks that are allocated at a time */
#define SP_WHEEL_BLOCK 62u /* items: a block is 256 bytes */
/* Free blocks kept in reserve, so that entries can move to other lists when memory is refused: those of a turn that is
   spread in part, and those of the list being emptied, which may begin a block in the list of the next tick and fill a
   second one. */
#define SP_WHEEL_SPARE 3u
#define SP_WHEEL_STRIDE (1u << 30) /* ticks: `due` has 32 bits, so a later tick is looked at again once per stride */

#define SP_WHEEL_OVER UINT32_MAX

/* The data about an item, except for what its owner keeps in sp_life. */
typedef struct sp_term {
  double lifetime;  /* seconds, as asked for; holds while sp_life.due is not 0. Of a timer: 0 */
  uint32_t listed;  /* low bits of the tick of the earliest list that holds the item; 0: no list does */
  uint32_t strides; /* strides that are left when that tick has come; SP_WHEEL_OVER: its tick has come */
} sp_term;

typedef struct sp_wheel_block {
  uint32_t next; /* in a ring; of a free block: the next free one, or 0 */
  uint32_t count;
  uint32_t items[SP_WHEEL_BLOCK];
} sp_wheel_block;

/* Where the items lie, by SP_WHEEL_SEGMENT: the life of the first, and their terms, NULL until one of them is due. */
typedef struct sp_segment {
  sp_life *life;
  sp_term *terms;
} sp_segment;

/* An item with its place in an order. */
typedef struct sp_ordered {
  uint64_t key;
  uint32_t item;
} sp_ordered;

typedef struct sp_wheel {
  /* Of the owner: a list of entries that begin with an sp_segment, so many bytes apart, and how far apart lives are.
     Only an odd generation can be due. */
  unsigned char *segments;
  uint16_t segment_size, stride;
  uint32_t end;           /* no item from here on has a term */
  uint64_t now;           /* the tick that came last */
  uint32_t *lists;        /* the last block of each list; 0: the list is empty */
  uint32_t *counts;       /* entries in the list of each turn */
  sp_wheel_block **pages; /* of blocks. The first is always full and in no list: an empty list looks like that */
  uint32_t page_capacity, block_capacity, free, free_count;
  uint32_t tidy;                          /* block_capacity when there were few useless entries; 0: look again */
  uint64_t unordered[SP_WHEEL_NEAR / 64]; /* a bit per list of a tick: it must be sorted */
  sp_ordered *sorted;                     /* for sorting a list; NULL until one must be sorted */
  uint32_t sorted_capacity;
  uint32_t firing, fired;    /* the list that is due now: its last block, and how many entries of its first are done */
  uint32_t turning, waiting; /* the list of the next turn: its last block, and its entries that are not yet spread */
} sp_wheel;

/* Makes room for an item to be due; false when memory is refused. */
bool sp_wheel_reserve(sp_wheel *w, sp_memory *memory, uint32_t item);
/* Frees everything but the terms, which belong to the segments. */
void sp_wheel_free(sp_wheel *w, sp_memory *memory);

/* Copies all lists to `out`, unless it is NULL. Returns how many blocks that takes. */
uint32_t sp_wheel_copy(const sp_wheel *w, sp_wheel_block *out);
/* Makes room for so many; false when memory is refused. */
bool sp_wheel_reserve_copy(sp_wheel *w, sp_memory *memory, uint32_t count);
/* What a wheel has beside its lists and terms. */
typedef struct sp_wheel_rest {
  uint64_t now, unordered[SP_WHEEL_NEAR / 64];
  uint32_t waiting;
} sp_wheel_rest;
sp_wheel_rest sp_wheel_rest_of(const sp_wheel *w);
/* Restores a wheel, whose lists were copied to `blocks`; the terms are those of then already. */
void sp_wheel_restore(sp_wheel *w, const sp_wheel_rest *then, const sp_wheel_block *blocks, uint32_t count);

/* Return where the address of an item's terms is; its term, which must exist; and its life. */
static inline unsigned char *sp_wheel_segment(const sp_wheel *w, uint32_t item)
{
  return w->segments + (size_t)(item / SP_WHEEL_SEGMENT) * w->segment_size;
}
static inline sp_term **sp_wheel_terms(const sp_wheel *w, uint32_t item)
{
  return (sp_term **)(void *)(sp_wheel_segment(w, item) + offsetof(sp_segment, terms));
}
static inline sp_term *sp_wheel_term(const sp_wheel *w, uint32_t item)
{
  return *sp_wheel_terms(w, item) + item % SP_WHEEL_SEGMENT;
}
static inline sp_life *sp_wheel_life(const sp_wheel *w, uint32_t item)
{
  unsigned char *lives;
  memcpy(&lives, sp_wheel_segment(w, item) + offsetof(sp_segment, life), sizeof lives);
  return (sp_life *)(void *)(lives + (size_t)(item % SP_WHEEL_SEGMENT) * w->stride);
}

static inline sp_wheel_block *sp_wheel_block_at(const sp_wheel *w, uint32_t block)
{
  return &w->pages[block / SP_WHEEL_PAGE][block % SP_WHEEL_PAGE];
}

/* Returns whether there is room for the item to be due. */
static inline bool sp_wheel_is_ready(const sp_wheel *w, uint32_t item)
{
  return w->free_count > SP_WHEEL_SPARE && *sp_wheel_terms(w, item) != NULL;
}

/* Makes an item due at `tick`, which must be in the future. Needs sp_wheel_is_ready. */
void sp_wheel_set(sp_wheel *w, uint32_t item, double lifetime, uint64_t tick);
/* Makes an item due again that sp_wheel_pop has just returned. Cannot fail. */
void sp_wheel_set_again(sp_wheel *w, sp_memory *memory, uint32_t item, uint64_t tick);

/* Returns whether a tick is of this turn or the next, and so has a list of its own. */
static inline bool sp_wheel_is_near(const sp_wheel *w, uint32_t due)
{
  uint32_t now = (uint32_t)w->now;
  return due - (now - now % SP_WHEEL_TURN) < SP_WHEEL_NEAR;
}

/* Marks the list of a near tick as possibly unsorted. */
static inline void sp_wheel_mark_unordered(sp_wheel *w, uint32_t due)
{
  w->unordered[due % SP_WHEEL_NEAR / 64] |= (uint64_t)1 << due % 64;
}

/* sp_wheel_set for a tick less than a turn ahead whose low bits are not 0. Returns false and does nothing when the
   last block of its list is full. The caller sets sp_life.due. */
static inline bool sp_wheel_set_near(sp_wheel *w, sp_term *term, uint32_t item, double lifetime, uint32_t ahead)
{
  uint32_t now = (uint32_t)w->now, due = now + ahead, listed = term->listed;
  if (listed == 0 || listed - now > ahead) {
    sp_wheel_block *last = sp_wheel_block_at(w, w->lists[due % SP_WHEEL_NEAR]);
    if (!SP_LIKELY(last->count < SP_WHEEL_BLOCK))
      return false;
    last->items[last->count++] = item;
    if (listed != 0 && sp_wheel_is_near(w, listed))
      sp_wheel_mark_unordered(w, listed); /* the entry stays there, and would count should the item be listed there */
    listed = due;
  } else if (listed == due) {
    sp_wheel_mark_unordered(w, due); /* an older entry of the item is there */
  }
  *term = (sp_term){lifetime, listed, 0};
  return true;
}

/* Notes that the life has had its end and an override kept it. Needs sp_wheel_is_ready. */
void sp_wheel_set_over(sp_wheel *w, uint32_t item, double lifetime);
/* Returns the ticks until an item is due; 0 when that has passed and an override kept the life. */
uint64_t sp_wheel_left(const sp_wheel *w, uint32_t item);

/* Must be called after sp_wheel_set for an item whose serial is below that of others that are set already. */
void sp_wheel_note_late(sp_wheel *w, uint32_t item);

/* Moves to `tick`: the next one, or a later one that sp_wheel_next has returned. Both need a wheel with lists. */
void sp_wheel_begin(sp_wheel *w, sp_memory *memory, uint64_t tick);
/* Returns the next item that is due at that tick, lowest serial first; SP_WHEEL_NONE when there are no more. Any item
   may be set between two calls. */
uint32_t sp_wheel_pop(sp_wheel *w, sp_memory *memory);
/* Returns the first tick after `now` at which an item may be due, at most `target`. */
uint64_t sp_wheel_next(const sp_wheel *w, uint64_t target);

#endif
