/*
** The timing wheel: items (small numbers that the owner gives meaning to) hang in rings, one ring per tick of the
** coming turn, and beyond it one per turn. Arming and disarming link and unlink, whatever the number of timers; a tick
** without timers costs nothing. Rings begin in nodes of the same array, so that linking needs no branch.
*/
#ifndef SP_CORE_WHEEL_H
#define SP_CORE_WHEEL_H

#include "core/config.h"
#include "core/memory.h"

#define SP_WHEEL_RINGS (2 * SP_WHEEL_TURN + 1) /* ticks, turns, and what is being fired */
#define SP_WHEEL_NONE UINT32_MAX

typedef struct sp_link {
  uint32_t next, previous;
  uint32_t due; /* low bits of the tick; 0: in no ring */
} sp_link;

typedef struct sp_wheel {
  sp_link *links;    /* SP_WHEEL_RINGS rings, then one per item; NULL until the first is armed */
  uint32_t capacity; /* items */
  bool cut;          /* something was ever armed beyond SP_WHEEL_HORIZON */
  uint64_t now;      /* the tick that was fired last */
} sp_wheel;

/* Makes room for items 0 .. `items` - 1. Returns false when memory is refused. Must come before all other calls. */
bool sp_wheel_reserve(sp_wheel *wheel, sp_memory *memory, uint32_t items);
void sp_wheel_free(sp_wheel *wheel, sp_memory *memory);
/* Restores the wheel to `then`. There must be room for its items. */
void sp_wheel_restore(sp_wheel *wheel, const sp_wheel *then);

/* Take a node out of its ring; put it at the end of one. */
static inline void sp_wheel_unlink(sp_wheel *wheel, uint32_t node)
{
  uint32_t next = wheel->links[node].next, previous = wheel->links[node].previous;
  wheel->links[previous].next = next;
  wheel->links[next].previous = previous;
}

static inline void sp_wheel_link(sp_wheel *wheel, uint32_t node, uint32_t ring)
{
  uint32_t last = wheel->links[ring].previous;
  wheel->links[node].previous = last;
  wheel->links[node].next = ring;
  wheel->links[last].next = node;
  wheel->links[ring].previous = node;
}

static inline uint32_t sp_wheel_ring(const sp_wheel *wheel, uint32_t due)
{
  bool near = due - (uint32_t)wheel->now < SP_WHEEL_TURN;
  return near ? due % SP_WHEEL_TURN : SP_WHEEL_TURN + due / SP_WHEEL_TURN % SP_WHEEL_TURN;
}

static inline bool sp_wheel_is_armed(const sp_wheel *wheel, uint32_t item)
{
  return wheel->links[SP_WHEEL_RINGS + item].due != 0;
}

/* Arms an item that is not armed. Items further ahead than SP_WHEEL_HORIZON fire when half of that has passed: the
   owner arms them again. So an item either fires on its tick or is far from it, and the owner can tell which. */
static inline void sp_wheel_arm(sp_wheel *wheel, uint32_t item, uint64_t tick)
{
  uint32_t node = SP_WHEEL_RINGS + item;
  if (tick - wheel->now > SP_WHEEL_HORIZON) {
    tick = wheel->now + SP_WHEEL_HORIZON / 2;
    wheel->cut = true;
  }
  uint32_t due = (uint32_t)tick ? (uint32_t)tick : 1; /* 0 means no ring: once in 2^32 ticks an item is one tick late */
  wheel->links[node].due = due;
  sp_wheel_link(wheel, node, sp_wheel_ring(wheel, due));
}

static inline void sp_wheel_disarm(sp_wheel *wheel, uint32_t item)
{
  uint32_t node = SP_WHEEL_RINGS + item;
  sp_wheel_unlink(wheel, node);
  wheel->links[node].due = 0;
}

/* Goes along all armed items, ring by ring: returns the one after `item`, both plus one and 0 at either end, where
   `ring`, 0 at first, is the ring in which it hangs. */
uint32_t sp_wheel_after(const sp_wheel *wheel, uint32_t item, uint32_t *ring);
/* Hangs an item at the end of a ring, as it was found there. Returns false when it is armed or cannot be there. */
bool sp_wheel_hang(sp_wheel *wheel, uint32_t item, uint32_t ring, uint32_t due);

/* Moves the wheel to `tick`: the next one, or a later one that sp_wheel_next has returned. */
void sp_wheel_begin(sp_wheel *wheel, uint64_t tick);
/* Disarms and returns the next item that is due at that tick; SP_WHEEL_NONE when there are no more. Between two calls
   any item may be armed or disarmed. */
uint32_t sp_wheel_pop(sp_wheel *wheel);

/* Returns the first tick after `now` at which an item may be due, at most `target`. */
uint64_t sp_wheel_next(const sp_wheel *wheel, uint64_t target);

#endif
