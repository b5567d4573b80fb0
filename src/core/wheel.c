#include "core/wheel.h"

#include <string.h>

#define FIRING (2 * SP_WHEEL_TURN) /* the ring of what is being fired */

static bool is_empty(const sp_wheel *wheel, uint32_t ring) { return wheel->links[ring].next == ring; }

static void empty_rings(sp_link *links)
{
  for (uint32_t ring = 0; ring < SP_WHEEL_RINGS; ring++)
    links[ring].next = links[ring].previous = ring;
}

bool sp_wheel_reserve(sp_wheel *wheel, sp_memory *memory, uint32_t items)
{
  if (items <= wheel->capacity)
    return true;
  uint32_t want = items < 256 ? 256 : items; /* the owner asks for twice as many each time */
  size_t have = wheel->links ? SP_WHEEL_RINGS + (size_t)wheel->capacity : 0;
  sp_link *links = sp_memory_extend(memory, wheel->links, have, SP_WHEEL_RINGS + (size_t)want, sizeof *links);
  if (!links)
    return false;
  if (have == 0)
    empty_rings(links);
  wheel->links = links;
  wheel->capacity = want;
  return true;
}

void sp_wheel_free(sp_wheel *wheel, sp_memory *memory)
{
  if (wheel->links)
    sp_memory_free(memory, wheel->links, (SP_WHEEL_RINGS + (size_t)wheel->capacity) * sizeof *wheel->links);
  *wheel = (sp_wheel){0};
}

void sp_wheel_restore(sp_wheel *wheel, const sp_wheel *then)
{
  size_t count = then->links ? SP_WHEEL_RINGS + (size_t)then->capacity : 0;
  wheel->cut = then->cut;
  wheel->now = then->now;
  if (!wheel->links)
    return;
  if (count > 0)
    memcpy(wheel->links, then->links, count * sizeof *wheel->links);
  else
    empty_rings(wheel->links);
  for (size_t i = count ? count : SP_WHEEL_RINGS; i < SP_WHEEL_RINGS + (size_t)wheel->capacity; i++)
    wheel->links[i] = (sp_link){0};
}

uint32_t sp_wheel_after(const sp_wheel *wheel, uint32_t item, uint32_t *ring)
{
  const sp_link *links = wheel->links;
  if (!links)
    return 0;
  uint32_t node = links[item ? item - 1 + SP_WHEEL_RINGS : *ring].next;
  while (node == *ring && ++*ring < SP_WHEEL_RINGS)
    node = links[*ring].next;
  return *ring < SP_WHEEL_RINGS ? node - SP_WHEEL_RINGS + 1 : 0;
}

/* Returns whether an item that is due at `due` may hang in this ring. */
static bool fits_ring(const sp_wheel *wheel, uint32_t ring, uint32_t due)
{
  if (ring < SP_WHEEL_TURN)
    return due % SP_WHEEL_TURN == ring && due - (uint32_t)wheel->now < SP_WHEEL_TURN;
  return ring < 2 * SP_WHEEL_TURN && due / SP_WHEEL_TURN % SP_WHEEL_TURN == ring - SP_WHEEL_TURN;
}

bool sp_wheel_hang(sp_wheel *wheel, uint32_t item, uint32_t ring, uint32_t due)
{
  bool fits = due != 0 && fits_ring(wheel, ring, due) && !sp_wheel_is_armed(wheel, item);
  if (fits) {
    wheel->links[SP_WHEEL_RINGS + item].due = due;
    sp_wheel_link(wheel, SP_WHEEL_RINGS + item, ring);
  }
  return fits;
}

/* Moves a whole ring to the end of another. */
static void splice(sp_wheel *wheel, uint32_t from, uint32_t to)
{
  if (is_empty(wheel, from))
    return;
  uint32_t first = wheel->links[from].next, last = wheel->links[from].previous, end = wheel->links[to].previous;
  wheel->links[end].next = first;
  wheel->links[first].previous = end;
  wheel->links[last].next = to;
  wheel->links[to].previous = last;
  wheel->links[from].next = wheel->links[from].previous = from;
}

/* Begins a turn: the items in its ring go to the rings of their ticks; those of a later round stay. */
static void fill_turn(sp_wheel *wheel, uint32_t ring)
{
  splice(wheel, ring, FIRING);
  while (!is_empty(wheel, FIRING)) {
    uint32_t node = wheel->links[FIRING].next;
    sp_wheel_unlink(wheel, node);
    sp_wheel_link(wheel, node, sp_wheel_ring(wheel, wheel->links[node].due));
  }
}

void sp_wheel_begin(sp_wheel *wheel, uint64_t tick)
{
  uint64_t turn = tick / SP_WHEEL_TURN, before = wheel->now / SP_WHEEL_TURN;
  wheel->now = tick;
  if (!wheel->links)
    return;
  for (uint64_t i = before + 1; i <= turn && i - before <= SP_WHEEL_TURN; i++)
    fill_turn(wheel, SP_WHEEL_TURN + (uint32_t)(i % SP_WHEEL_TURN));
  splice(wheel, (uint32_t)(tick % SP_WHEEL_TURN), FIRING);
}

uint32_t sp_wheel_pop(sp_wheel *wheel)
{
  if (!wheel->links || is_empty(wheel, FIRING))
    return SP_WHEEL_NONE;
  uint32_t item = wheel->links[FIRING].next - SP_WHEEL_RINGS;
  sp_wheel_disarm(wheel, item);
  return item;
}

static bool is_quiet(const sp_wheel *wheel, uint64_t tick) { return is_empty(wheel, (uint32_t)(tick % SP_WHEEL_TURN)); }

/* Returns the earliest tick of all items by looking at each. Only a jump of hours needs that. */
static uint64_t earliest(const sp_wheel *wheel, uint64_t target)
{
  uint64_t least = target - wheel->now;
  for (uint32_t item = 0; item < wheel->capacity; item++) {
    uint32_t due = wheel->links[SP_WHEEL_RINGS + item].due, ahead = due - (uint32_t)wheel->now;
    if (due && ahead < least)
      least = ahead;
  }
  return wheel->now + least;
}

uint64_t sp_wheel_next(const sp_wheel *wheel, uint64_t target)
{
  if (!wheel->links)
    return target;
  /* Ticks less than a turn away have rings of their own; beyond, a turn must begin first. */
  uint64_t tick = wheel->now + 1, turn = wheel->now / SP_WHEEL_TURN + 1;
  uint64_t begins = turn * SP_WHEEL_TURN;
  while (tick < begins && tick < target && is_quiet(wheel, tick))
    tick++;
  if (tick < begins)
    return tick;
  if (target - wheel->now > SP_WHEEL_TURN * SP_WHEEL_TURN)
    return earliest(wheel, target);
  for (; tick < wheel->now + SP_WHEEL_TURN && tick < target; tick++)
    if (!is_quiet(wheel, tick))
      return begins;
  while (turn * SP_WHEEL_TURN < target && is_empty(wheel, SP_WHEEL_TURN + (uint32_t)(turn % SP_WHEEL_TURN)))
    turn++;
  return turn * SP_WHEEL_TURN < target ? turn * SP_WHEEL_TURN : target;
}
