#include "core/wheel.h"

#include <string.h>

static inline sp_life *life_of(const sp_wheel *w, uint32_t item)
{
  return (sp_life *)(void *)(w->lives + (size_t)item * w->stride);
}

/* {== Memory ============================================================= */

static bool reserve_terms(sp_wheel *w, sp_memory *memory, uint32_t items)
{
  if (items <= w->capacity)
    return true;
  sp_term *terms = sp_memory_extend(memory, w->terms, w->capacity, items, sizeof *terms);
  if (!terms)
    return false;
  w->terms = terms;
  w->capacity = items;
  return true;
}

static bool reserve_lists(sp_wheel *w, sp_memory *memory)
{
  if (!w->lists)
    w->lists = sp_memory_extend(memory, NULL, 0, SP_WHEEL_LISTS + SP_WHEEL_TURN, sizeof *w->lists);
  w->counts = w->lists ? w->lists + SP_WHEEL_LISTS : NULL;
  return w->lists != NULL;
}

/* Adds the blocks from `first` on to the free ones. */
static void free_blocks(sp_wheel *w, uint32_t first)
{
  for (uint32_t i = w->block_capacity; i-- > (first ? first : 1);) {
    w->blocks[i].next = w->free;
    w->free = i;
    w->free_count++;
  }
}

static bool extend_blocks(sp_wheel *w, sp_memory *memory, uint32_t want)
{
  uint32_t have = w->block_capacity;
  sp_wheel_block *blocks = sp_memory_resize(memory, w->blocks, have * sizeof *blocks, want * sizeof *blocks);
  if (!blocks)
    return false;
  w->blocks = blocks;
  w->block_capacity = want;
  blocks[0].count = SP_WHEEL_BLOCK;
  free_blocks(w, have);
  return true;
}

static bool add_blocks(sp_wheel *w, sp_memory *memory)
{
  return extend_blocks(w, memory, w->block_capacity ? w->block_capacity * 2 : 8);
}

bool sp_wheel_reserve(sp_wheel *w, sp_memory *memory, uint32_t items)
{
  /* Terms are allocated last: where they exist, the lists do. */
  return reserve_lists(w, memory) && (w->free_count > SP_WHEEL_SPARE || add_blocks(w, memory)) &&
         reserve_terms(w, memory, items);
}

bool sp_wheel_reserve_as(sp_wheel *w, sp_memory *memory, const sp_wheel *then)
{
  if (!then->lists)
    return true;
  bool has_blocks = w->block_capacity >= then->block_capacity;
  return reserve_lists(w, memory) && (has_blocks || extend_blocks(w, memory, then->block_capacity)) &&
         reserve_terms(w, memory, then->capacity);
}

void sp_wheel_restore(sp_wheel *w, const sp_wheel *then)
{
  sp_wheel now = *w;
  *w = *then;
  w->lives = now.lives;
  w->terms = now.terms;
  w->capacity = now.capacity;
  w->lists = now.lists;
  w->counts = now.counts;
  w->blocks = now.blocks;
  w->block_capacity = now.block_capacity;
  w->sorted = now.sorted;
  w->sorted_capacity = now.sorted_capacity;
  w->tidy = 0;
  if (then->capacity)
    memcpy(w->terms, then->terms, then->capacity * sizeof *w->terms);
  for (uint32_t item = then->capacity; item < w->capacity; item++)
    w->terms[item] = (sp_term){0};
  if (then->block_capacity)
    memcpy(w->blocks, then->blocks, then->block_capacity * sizeof *w->blocks);
  if (w->lists && then->lists)
    memcpy(w->lists, then->lists, (SP_WHEEL_LISTS + SP_WHEEL_TURN) * sizeof *w->lists);
  else if (w->lists)
    memset(w->lists, 0, (SP_WHEEL_LISTS + SP_WHEEL_TURN) * sizeof *w->lists);
  free_blocks(w, then->block_capacity);
}

void sp_wheel_free(sp_wheel *w, sp_memory *memory)
{
  sp_memory_free(memory, w->terms, w->capacity * sizeof *w->terms);
  if (w->lists)
    sp_memory_free(memory, w->lists, (SP_WHEEL_LISTS + SP_WHEEL_TURN) * sizeof *w->lists);
  sp_memory_free(memory, w->blocks, w->block_capacity * sizeof *w->blocks);
  sp_memory_free(memory, w->sorted, w->sorted_capacity * sizeof *w->sorted);
}

/* }== */

/* {== Lists ============================================================== */

/* Returns the tick at which an item is due; 0 when it is not, or that tick has come. */
static inline uint32_t due_of(const sp_wheel *w, uint32_t item)
{
  return life_of(w, item)->generation & 1 && w->terms[item].strides != SP_WHEEL_OVER ? life_of(w, item)->due : 0;
}

/* Returns the list of a future tick. */
static uint32_t list_of(const sp_wheel *w, uint32_t due)
{
  return sp_wheel_is_near(w, due) ? due % SP_WHEEL_NEAR : SP_WHEEL_NEAR + due / SP_WHEEL_TURN % SP_WHEEL_TURN;
}

/* Adds a free block to a list. */
static void add_block(sp_wheel *w, uint32_t list)
{
  uint32_t at = w->free, last = w->lists[list];
  sp_wheel_block *block = &w->blocks[at];
  w->free = block->next;
  w->free_count--;
  if (last) {
    block->next = w->blocks[last].next;
    w->blocks[last].next = at;
  } else {
    block->next = at;
  }
  block->count = 0;
  w->lists[list] = at;
}

static void push(sp_wheel *w, uint32_t list, uint32_t item)
{
  if (w->blocks[w->lists[list]].count == SP_WHEEL_BLOCK)
    add_block(w, list);
  sp_wheel_block *last = &w->blocks[w->lists[list]];
  last->items[last->count++] = item;
  if (list >= SP_WHEEL_NEAR)
    w->counts[list - SP_WHEEL_NEAR]++;
}

/* Frees the first block of the ring that ends in `last`. Returns the new last one, or 0. */
static uint32_t drop_first(sp_wheel *w, uint32_t last)
{
  uint32_t first = w->blocks[last].next;
  w->blocks[last].next = w->blocks[first].next;
  w->blocks[first].next = w->free;
  w->free = first;
  w->free_count++;
  return first == last ? 0 : last;
}

/* Marks the list for `due` unsorted. Lists of turns are always unsorted. */
static void mark_unordered(sp_wheel *w, uint32_t due)
{
  if (sp_wheel_is_near(w, due))
    sp_wheel_mark_unordered(w, due);
}

/* Lists an item whose entry has been taken out of another list. Without memory for a block it goes to the next tick,
   and on from there: the spare blocks, and those that become empty meanwhile, are enough for that. */
static void list_again(sp_wheel *w, sp_memory *memory, uint32_t item)
{
  sp_term *term = &w->terms[item];
  uint32_t due = life_of(w, item)->due, list = list_of(w, due);
  bool room =
      w->blocks[w->lists[list]].count < SP_WHEEL_BLOCK || w->free_count > SP_WHEEL_SPARE || add_blocks(w, memory);
  term->listed = room ? due : (uint32_t)w->now + 1;
  if (!room)
    list = term->listed % SP_WHEEL_NEAR;
  mark_unordered(w, term->listed);
  push(w, list, item);
}

/* Lists the item again if it is still due. */
static void move_on(sp_wheel *w, sp_memory *memory, uint32_t item)
{
  w->terms[item].listed = 0;
  if (due_of(w, item))
    list_again(w, memory, item);
}

/* }== */

/* {== Setting ============================================================ */

/* Sets the tick of an item, which is in the future. */
static void set_due(sp_wheel *w, uint32_t item, uint64_t tick)
{
  uint64_t strides = (tick - w->now - 1) / SP_WHEEL_STRIDE;
  uint32_t due = (uint32_t)(tick - strides * SP_WHEEL_STRIDE);
  if (due == 0 && strides > 0) {
    due = SP_WHEEL_STRIDE;
    strides--;
  }
  life_of(w, item)->due = due ? due : 1; /* once in 2^32 ticks one tick late */
  w->terms[item].strides = (uint32_t)strides;
}

void sp_wheel_note_late(sp_wheel *w, uint32_t item) { mark_unordered(w, life_of(w, item)->due); }

/* Returns whether the item is in a list that comes in time, so that it need not be listed again. */
static bool is_listed(sp_wheel *w, uint32_t item)
{
  sp_term *term = &w->terms[item];
  uint32_t now = (uint32_t)w->now, due = life_of(w, item)->due;
  if (term->listed - now <= due - now) {
    if (term->listed == due)
      mark_unordered(w, due); /* an older entry of it is there */
    return true;
  }
  uint32_t list = list_of(w, due);
  if (list < SP_WHEEL_NEAR || list != list_of(w, term->listed)) {
    mark_unordered(w, term->listed); /* the entry stays there, and counts should the item be listed there again */
    return false;
  }
  term->listed = due; /* of the same turn: its list does not tell ticks apart */
  return true;
}

/* Adds an item to the list of its tick; there must be room. */
static void list_item(sp_wheel *w, uint32_t item)
{
  uint32_t due = life_of(w, item)->due;
  w->terms[item].listed = due;
  push(w, list_of(w, due), item);
}

void sp_wheel_set(sp_wheel *w, uint32_t item, double lifetime, uint64_t tick)
{
  w->terms[item].lifetime = lifetime;
  set_due(w, item, tick);
  if (!w->terms[item].listed || !is_listed(w, item))
    list_item(w, item);
}

void sp_wheel_set_again(sp_wheel *w, sp_memory *memory, uint32_t item, uint64_t tick)
{
  set_due(w, item, tick);
  if (w->free_count > SP_WHEEL_SPARE || add_blocks(w, memory))
    list_item(w, item);
  else
    list_again(w, memory, item);
}

void sp_wheel_set_over(sp_wheel *w, uint32_t item, double lifetime)
{
  life_of(w, item)->due = 1;
  w->terms[item].lifetime = lifetime;
  w->terms[item].strides = SP_WHEEL_OVER;
}

uint64_t sp_wheel_left(const sp_wheel *w, uint32_t item)
{
  uint32_t strides = w->terms[item].strides, left = life_of(w, item)->due - (uint32_t)w->now;
  return strides == SP_WHEEL_OVER ? 0 : (uint64_t)strides * SP_WHEEL_STRIDE + left;
}

/* }== */

/* {== Order ============================================================== */

/* Shell sort. */
void sp_sort(sp_ordered *list, uint32_t count)
{
  for (uint32_t gap = count / 2; gap > 0; gap /= 2)
    for (uint32_t i = gap; i < count; i++) {
      sp_ordered it = list[i];
      uint32_t k = i;
      for (; k >= gap && list[k - gap].key > it.key; k -= gap)
        list[k] = list[k - gap];
      list[k] = it;
    }
}

static bool reserve_sorted(sp_wheel *w, sp_memory *memory, uint32_t count)
{
  uint32_t want = w->sorted_capacity ? w->sorted_capacity : 64;
  while (want < count)
    want *= 2;
  if (want == w->sorted_capacity)
    return true;
  sp_ordered *sorted = sp_memory_extend(memory, w->sorted, w->sorted_capacity, want, sizeof *sorted);
  if (!sorted)
    return false;
  w->sorted = sorted;
  w->sorted_capacity = want;
  return true;
}

/* Items that are due at the same tick come by serial. Most lists are in that order as they are; the others are sorted.
   Without memory for it they stay as they are. */
static void order_firing(sp_wheel *w, sp_memory *memory, uint32_t list)
{
  uint64_t bit = (uint64_t)1 << list % 64;
  bool ordered = !(w->unordered[list / 64] & bit);
  w->unordered[list / 64] &= ~bit;
  if (ordered || !w->firing)
    return;
  uint32_t first = w->blocks[w->firing].next, count = 0;
  for (uint32_t at = first, last = 0; last != w->firing; last = at, at = w->blocks[at].next)
    count += w->blocks[at].count;
  if (!reserve_sorted(w, memory, count))
    return;
  count = 0;
  for (uint32_t at = first, last = 0; last != w->firing; last = at, at = w->blocks[at].next)
    for (uint32_t i = 0; i < w->blocks[at].count; i++) {
      uint32_t item = w->blocks[at].items[i];
      w->sorted[count++] = (sp_ordered){life_of(w, item)->serial, item};
    }
  sp_sort(w->sorted, count);
  count = 0;
  for (uint32_t at = first, last = 0; last != w->firing; last = at, at = w->blocks[at].next)
    for (uint32_t i = 0; i < w->blocks[at].count; i++)
      w->blocks[at].items[i] = w->sorted[count++].item;
}

/* }== */

/* {== Turns ============================================================== */

/* Moves an entry of the next turn to the list of its tick. */
static void spread(sp_wheel *w, sp_memory *memory, uint32_t item)
{
  sp_term *term = &w->terms[item];
  uint32_t next = (uint32_t)(w->now / SP_WHEEL_TURN) + 1;
  if ((term->listed / SP_WHEEL_TURN - next) % SP_WHEEL_TURN != 0)
    return; /* an earlier list has the item as well, and that one counts */
  move_on(w, memory, item);
}

static void spread_some(sp_wheel *w, sp_memory *memory, uint32_t count)
{
  w->waiting -= count;
  while (count > 0) {
    uint32_t first = w->blocks[w->turning].next;
    for (; count > 0 && w->blocks[first].count > 0; count--)
      spread(w, memory, w->blocks[first].items[--w->blocks[first].count]);
    if (w->blocks[first].count == 0)
      w->turning = drop_first(w, w->turning);
  }
}

static void begin_turn(sp_wheel *w)
{
  uint32_t next = (uint32_t)(w->now / SP_WHEEL_TURN + 1) % SP_WHEEL_TURN;
  w->turning = w->lists[SP_WHEEL_NEAR + next];
  w->waiting = w->counts[next];
  w->lists[SP_WHEEL_NEAR + next] = w->counts[next] = 0;
}

/* Items that are set to ever other ticks leave useless entries behind. These are removed when they fill most of the
   blocks: rarely, because that looks at every item. */
static bool has_many_useless_entries(sp_wheel *w)
{
  if (w->block_capacity < 1024 || w->block_capacity < w->capacity / 16 || w->tidy == w->block_capacity)
    return false;
  uint32_t due = 0;
  for (uint32_t item = 0; item < w->capacity; item++)
    due += due_of(w, item) != 0;
  uint32_t lists = due < SP_WHEEL_LISTS ? due : SP_WHEEL_LISTS;
  bool useless = 2 * (due / SP_WHEEL_BLOCK + lists) < w->block_capacity;
  w->tidy = useless ? 0 : w->block_capacity;
  return useless;
}

/* Rebuilds all lists. There are enough blocks even if every item needs one of its own. */
static void rebuild_lists(sp_wheel *w, sp_memory *memory)
{
  for (; w->turning; w->turning = drop_first(w, w->turning)) {
  }
  for (uint32_t list = 0; list < SP_WHEEL_LISTS; list++)
    while (w->lists[list])
      w->lists[list] = drop_first(w, w->lists[list]);
  memset(w->counts, 0, SP_WHEEL_TURN * sizeof *w->counts);
  w->waiting = 0;
  for (uint32_t item = 0; item < w->capacity; item++)
    if (w->terms[item].listed)
      move_on(w, memory, item);
}

/* }== */

/* {== Ticks ============================================================== */

void sp_wheel_begin(sp_wheel *w, sp_memory *memory, uint64_t tick)
{
  uint64_t turns = tick / SP_WHEEL_TURN - w->now / SP_WHEEL_TURN;
  if (turns == 1 && w->waiting) {
    w->now = tick - 1; /* it is the first of its turn */
    spread_some(w, memory, w->waiting);
  }
  w->now = tick;
  if (turns > 0)
    begin_turn(w);
  if (w->free_count < w->block_capacity / 4 && has_many_useless_entries(w))
    rebuild_lists(w, memory);
  /* Every tick moves a share of the next turn, so that no tick has to move all of it. */
  uint32_t left = SP_WHEEL_TURN - (uint32_t)(tick % SP_WHEEL_TURN);
  if (w->waiting)
    spread_some(w, memory, (w->waiting + left - 1) / left);
  uint32_t list = tick % SP_WHEEL_NEAR;
  w->firing = w->lists[list];
  w->lists[list] = 0;
  w->fired = 0;
  order_firing(w, memory, list);
}

/* Handles an entry of an item that is not due now, or still has strides. */
static __attribute__((noinline)) void pass_entry_on(sp_wheel *w, sp_memory *memory, uint32_t item)
{
  if (due_of(w, item) == (uint32_t)w->now)
    set_due(w, item, w->now + (uint64_t)w->terms[item].strides * SP_WHEEL_STRIDE);
  move_on(w, memory, item);
}

static inline void prefetch(const sp_wheel *w, uint32_t item)
{
  __builtin_prefetch(&w->terms[item], 1);
  __builtin_prefetch(life_of(w, item), 1);
}

static __attribute__((noinline)) uint32_t drop_fired(sp_wheel *w)
{
  w->fired = 0;
  return w->firing = drop_first(w, w->firing);
}

uint32_t sp_wheel_pop(sp_wheel *w, sp_memory *memory)
{
  const uint32_t now = (uint32_t)w->now;
  for (uint32_t firing = w->firing; firing;) {
    const sp_wheel_block *first = &w->blocks[w->blocks[firing].next];
    if (w->fired == first->count) {
      firing = drop_fired(w);
      continue;
    }
    const uint32_t at = w->fired++, item = first->items[at];
    if (at + SP_AHEAD < first->count)
      prefetch(w, first->items[at + SP_AHEAD]);
    const sp_life *life = life_of(w, item);
    sp_term *term = &w->terms[item];
    if (!SP_LIKELY(term->listed == now))
      continue;
    if (SP_LIKELY(life->due == now && term->strides == 0 && life->generation & 1)) {
      term->listed = 0;
      term->strides = SP_WHEEL_OVER; /* an override may keep the life */
      return item;
    }
    pass_entry_on(w, memory, item);
  }
  return SP_WHEEL_NONE;
}

/* Returns whether the list of a turn holds an item of that very turn, not only of turns some rounds later. */
static bool has_turn(const sp_wheel *w, uint32_t turn)
{
  uint32_t last = w->lists[SP_WHEEL_NEAR + turn % SP_WHEEL_TURN];
  for (uint32_t at = last ? w->blocks[last].next : 0; at; at = at == last ? 0 : w->blocks[at].next)
    for (uint32_t i = 0; i < w->blocks[at].count; i++)
      if (w->terms[w->blocks[at].items[i]].listed - turn * SP_WHEEL_TURN < SP_WHEEL_TURN)
        return true;
  return false;
}

/* Returns the first turn after the next one that has a listed item. Beyond a round every item is looked at. */
static uint64_t first_turn(const sp_wheel *w)
{
  uint64_t turn = w->now / SP_WHEEL_TURN;
  for (uint64_t i = turn + 2; i <= turn + 1 + SP_WHEEL_TURN; i++)
    if (has_turn(w, (uint32_t)i))
      return i;
  uint32_t least = UINT32_MAX;
  for (uint32_t item = 0; item < w->capacity; item++) {
    uint32_t listed = w->terms[item].listed, ahead = listed - (uint32_t)w->now;
    if (listed && ahead < least)
      least = ahead;
  }
  return (w->now + least) / SP_WHEEL_TURN;
}

uint64_t sp_wheel_next(const sp_wheel *w, uint64_t target)
{
  uint64_t turn = (w->now / SP_WHEEL_TURN + 1) * SP_WHEEL_TURN;
  for (uint64_t tick = w->now + 1; tick < turn + SP_WHEEL_TURN; tick++)
    if (tick >= target || w->lists[tick % SP_WHEEL_NEAR] || (tick == turn && w->turning))
      return tick;
  /* One turn earlier, so that its items are spread over its ticks first. */
  uint64_t before = (first_turn(w) - 1) * SP_WHEEL_TURN;
  return before < target ? before : target;
}

/* }== */
