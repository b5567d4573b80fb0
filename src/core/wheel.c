#include "core/wheel.h"

#include <string.h>

/* {== Memory ============================================================= */

static bool reserve_terms(sp_wheel *w, sp_memory *memory, uint32_t item)
{
  sp_term **terms = sp_wheel_terms(w, item);
  if (*terms)
    return true;
  *terms = sp_memory_extend(memory, NULL, 0, SP_WHEEL_SEGMENT, sizeof **terms);
  if (!*terms)
    return false;
  uint32_t end = item / SP_WHEEL_SEGMENT * SP_WHEEL_SEGMENT + SP_WHEEL_SEGMENT;
  w->end = end > w->end ? end : w->end;
  return true;
}

static bool reserve_lists(sp_wheel *w, sp_memory *memory)
{
  if (!w->lists)
    w->lists = sp_memory_extend(memory, NULL, 0, SP_WHEEL_LISTS + SP_WHEEL_TURN, sizeof *w->lists);
  w->counts = w->lists ? w->lists + SP_WHEEL_LISTS : NULL;
  return w->lists != NULL;
}

static inline sp_wheel_block *block_at(const sp_wheel *w, uint32_t block) { return sp_wheel_block_at(w, block); }

static void free_block(sp_wheel *w, uint32_t block)
{
  block_at(w, block)->next = w->free;
  w->free = block;
  w->free_count++;
}

/* Adds a page of free blocks. Pages never move. */
static bool add_blocks(sp_wheel *w, sp_memory *memory)
{
  uint32_t have = w->block_capacity / SP_WHEEL_PAGE;
  sp_wheel_block **pages = w->pages;
  if (have == w->page_capacity) {
    uint32_t want = have ? have * 2 : 4;
    pages = sp_memory_extend(memory, pages, have, want, sizeof *pages);
    if (!pages)
      return false;
    w->pages = pages;
    w->page_capacity = want;
  }
  pages[have] = sp_memory_extend(memory, NULL, 0, SP_WHEEL_PAGE, sizeof **pages);
  if (!pages[have])
    return false;
  w->block_capacity += SP_WHEEL_PAGE;
  pages[0][0].count = SP_WHEEL_BLOCK;
  for (uint32_t i = SP_WHEEL_PAGE; i-- > (have ? 0 : 1);)
    free_block(w, have * SP_WHEEL_PAGE + i);
  return true;
}

bool sp_wheel_reserve(sp_wheel *w, sp_memory *memory, uint32_t item)
{
  /* Terms are allocated last: where they exist, the lists do. */
  return reserve_lists(w, memory) && (w->free_count > SP_WHEEL_SPARE || add_blocks(w, memory)) &&
         reserve_terms(w, memory, item);
}

void sp_wheel_free(sp_wheel *w, sp_memory *memory)
{
  if (w->lists)
    sp_memory_free(memory, w->lists, (SP_WHEEL_LISTS + SP_WHEEL_TURN) * sizeof *w->lists);
  for (uint32_t i = 0; i < w->block_capacity / SP_WHEEL_PAGE; i++)
    sp_memory_free(memory, w->pages[i], SP_WHEEL_PAGE * sizeof **w->pages);
  sp_memory_free(memory, w->pages, w->page_capacity * sizeof *w->pages);
  sp_memory_free(memory, w->sorted, w->sorted_capacity * sizeof *w->sorted);
}

/* }== */

/* {== Lists ============================================================== */

/* Returns the tick at which an item is due; 0 when it is not, or that tick has come. */
static inline uint32_t due_of(const sp_wheel *w, uint32_t item)
{
  return sp_wheel_life(w, item)->generation & 1 && sp_wheel_term(w, item)->strides != SP_WHEEL_OVER
             ? sp_wheel_life(w, item)->due
             : 0;
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
  sp_wheel_block *block = block_at(w, at);
  w->free = block->next;
  w->free_count--;
  if (last) {
    block->next = block_at(w, last)->next;
    block_at(w, last)->next = at;
  } else {
    block->next = at;
  }
  block->count = 0;
  w->lists[list] = at;
}

static void push(sp_wheel *w, uint32_t list, uint32_t item)
{
  if (block_at(w, w->lists[list])->count == SP_WHEEL_BLOCK)
    add_block(w, list);
  sp_wheel_block *last = block_at(w, w->lists[list]);
  last->items[last->count++] = item;
  if (list >= SP_WHEEL_NEAR)
    w->counts[list - SP_WHEEL_NEAR]++;
}

/* Frees the first block of the ring that ends in `last`. Returns the new last one, or 0. */
static uint32_t drop_first(sp_wheel *w, uint32_t last)
{
  uint32_t first = block_at(w, last)->next;
  block_at(w, last)->next = block_at(w, first)->next;
  free_block(w, first);
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
  sp_term *term = sp_wheel_term(w, item);
  uint32_t due = sp_wheel_life(w, item)->due, list = list_of(w, due);
  bool room =
      block_at(w, w->lists[list])->count < SP_WHEEL_BLOCK || w->free_count > SP_WHEEL_SPARE || add_blocks(w, memory);
  term->listed = room ? due : (uint32_t)w->now + 1;
  if (!room)
    list = term->listed % SP_WHEEL_NEAR;
  mark_unordered(w, term->listed);
  push(w, list, item);
}

/* Lists the item again if it is still due. */
static void move_on(sp_wheel *w, sp_memory *memory, uint32_t item)
{
  sp_wheel_term(w, item)->listed = 0;
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
  sp_wheel_life(w, item)->due = due ? due : 1; /* once in 2^32 ticks one tick late */
  sp_wheel_term(w, item)->strides = (uint32_t)strides;
}

void sp_wheel_note_late(sp_wheel *w, uint32_t item) { mark_unordered(w, sp_wheel_life(w, item)->due); }

/* Returns whether the item is in a list that comes in time, so that it need not be listed again. */
static bool is_listed(sp_wheel *w, uint32_t item)
{
  sp_term *term = sp_wheel_term(w, item);
  uint32_t now = (uint32_t)w->now, due = sp_wheel_life(w, item)->due;
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
  uint32_t due = sp_wheel_life(w, item)->due;
  sp_wheel_term(w, item)->listed = due;
  push(w, list_of(w, due), item);
}

void sp_wheel_set(sp_wheel *w, uint32_t item, double lifetime, uint64_t tick)
{
  sp_wheel_term(w, item)->lifetime = lifetime;
  set_due(w, item, tick);
  if (!sp_wheel_term(w, item)->listed || !is_listed(w, item))
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
  sp_wheel_life(w, item)->due = 1;
  sp_wheel_term(w, item)->lifetime = lifetime;
  sp_wheel_term(w, item)->strides = SP_WHEEL_OVER;
}

uint64_t sp_wheel_left(const sp_wheel *w, uint32_t item)
{
  uint32_t strides = sp_wheel_term(w, item)->strides, left = sp_wheel_life(w, item)->due - (uint32_t)w->now;
  return strides == SP_WHEEL_OVER ? 0 : (uint64_t)strides * SP_WHEEL_STRIDE + left;
}

/* }== */

/* {== Order ============================================================== */

/* Sorts by key: Shell sort, in place. */
static void sort(sp_ordered *list, uint32_t count)
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
  uint32_t first = block_at(w, w->firing)->next, count = 0;
  for (uint32_t at = first, last = 0; last != w->firing; last = at, at = block_at(w, at)->next)
    count += block_at(w, at)->count;
  if (!reserve_sorted(w, memory, count))
    return;
  count = 0;
  for (uint32_t at = first, last = 0; last != w->firing; last = at, at = block_at(w, at)->next)
    for (uint32_t i = 0; i < block_at(w, at)->count; i++) {
      uint32_t item = block_at(w, at)->items[i];
      w->sorted[count++] = (sp_ordered){sp_wheel_life(w, item)->serial, item};
    }
  sort(w->sorted, count);
  count = 0;
  for (uint32_t at = first, last = 0; last != w->firing; last = at, at = block_at(w, at)->next)
    for (uint32_t i = 0; i < block_at(w, at)->count; i++)
      block_at(w, at)->items[i] = w->sorted[count++].item;
}

/* }== */

/* {== Turns ============================================================== */

/* Moves an entry of the next turn to the list of its tick. */
static void spread(sp_wheel *w, sp_memory *memory, uint32_t item)
{
  sp_term *term = sp_wheel_term(w, item);
  uint32_t next = (uint32_t)(w->now / SP_WHEEL_TURN) + 1;
  if ((term->listed / SP_WHEEL_TURN - next) % SP_WHEEL_TURN != 0)
    return; /* an earlier list has the item as well, and that one counts */
  move_on(w, memory, item);
}

static void spread_some(sp_wheel *w, sp_memory *memory, uint32_t count)
{
  w->waiting -= count;
  while (count > 0) {
    uint32_t first = block_at(w, w->turning)->next;
    for (; count > 0 && block_at(w, first)->count > 0; count--)
      spread(w, memory, block_at(w, first)->items[--block_at(w, first)->count]);
    if (block_at(w, first)->count == 0)
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
  if (w->block_capacity < 1024 || w->block_capacity < w->end / 16 || w->tidy == w->block_capacity)
    return false;
  uint32_t due = 0;
  for (uint32_t item = 0; item < w->end; item++)
    due += *sp_wheel_terms(w, item) && due_of(w, item) != 0;
  uint32_t lists = due < SP_WHEEL_LISTS ? due : SP_WHEEL_LISTS;
  bool useless = 2 * (due / SP_WHEEL_BLOCK + lists) < w->block_capacity;
  w->tidy = useless ? 0 : w->block_capacity;
  return useless;
}

static void empty_lists(sp_wheel *w)
{
  for (; w->turning; w->turning = drop_first(w, w->turning)) {
  }
  for (uint32_t list = 0; list < SP_WHEEL_LISTS; list++)
    while (w->lists[list])
      w->lists[list] = drop_first(w, w->lists[list]);
  memset(w->counts, 0, SP_WHEEL_TURN * sizeof *w->counts);
  w->waiting = 0;
}

/* Rebuilds all lists. There are enough blocks even if every item needs one of its own. */
static void rebuild_lists(sp_wheel *w, sp_memory *memory)
{
  empty_lists(w);
  for (uint32_t item = 0; item < w->end; item++)
    if (*sp_wheel_terms(w, item) && sp_wheel_term(w, item)->listed)
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
    set_due(w, item, w->now + (uint64_t)sp_wheel_term(w, item)->strides * SP_WHEEL_STRIDE);
  move_on(w, memory, item);
}

static inline void prefetch(const sp_wheel *w, uint32_t item)
{
  __builtin_prefetch(sp_wheel_term(w, item), 1);
  __builtin_prefetch(sp_wheel_life(w, item), 1);
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
    const sp_wheel_block *first = block_at(w, block_at(w, firing)->next);
    if (w->fired == first->count) {
      firing = drop_fired(w);
      continue;
    }
    const uint32_t at = w->fired++, item = first->items[at];
    if (at + SP_AHEAD < first->count)
      prefetch(w, first->items[at + SP_AHEAD]);
    const sp_life *life = sp_wheel_life(w, item);
    sp_term *term = sp_wheel_term(w, item);
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
  for (uint32_t at = last ? block_at(w, last)->next : 0; at; at = at == last ? 0 : block_at(w, at)->next)
    for (uint32_t i = 0; i < block_at(w, at)->count; i++)
      if (sp_wheel_term(w, block_at(w, at)->items[i])->listed - turn * SP_WHEEL_TURN < SP_WHEEL_TURN)
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
  for (uint32_t item = 0; item < w->end; item++) {
    if (!*sp_wheel_terms(w, item))
      continue;
    uint32_t listed = sp_wheel_term(w, item)->listed, ahead = listed - (uint32_t)w->now;
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

/* {== Copies ============================================================= */

/* Copies the blocks of a ring; their `next` is the number of the list. */
static uint32_t copy_ring(const sp_wheel *w, uint32_t last, uint32_t list, sp_wheel_block *out)
{
  uint32_t count = 0;
  for (uint32_t at = last ? block_at(w, last)->next : 0; at; at = at == last ? 0 : block_at(w, at)->next, count++)
    if (out) {
      out[count] = *block_at(w, at);
      out[count].next = list;
    }
  return count;
}

uint32_t sp_wheel_copy(const sp_wheel *w, sp_wheel_block *out)
{
  uint32_t count = w->block_capacity > 0 ? w->block_capacity - 1 - w->free_count : 0;
  if (!out || count == 0)
    return count;
  count = copy_ring(w, w->turning, SP_WHEEL_LISTS, out);
  for (uint32_t list = 0; list < SP_WHEEL_LISTS; list++)
    if (w->lists[list])
      count += copy_ring(w, w->lists[list], list, out + count);
  return count;
}

bool sp_wheel_reserve_copy(sp_wheel *w, sp_memory *memory, uint32_t count)
{
  bool reserved = count == 0 || reserve_lists(w, memory);
  while (reserved && count > 0 && w->block_capacity < count + 1)
    reserved = add_blocks(w, memory);
  return reserved;
}

sp_wheel_rest sp_wheel_rest_of(const sp_wheel *w)
{
  sp_wheel_rest rest = {.now = w->now, .waiting = w->waiting};
  memcpy(rest.unordered, w->unordered, sizeof rest.unordered);
  return rest;
}

void sp_wheel_restore(sp_wheel *w, const sp_wheel_rest *then, const sp_wheel_block *blocks, uint32_t count)
{
  w->now = then->now;
  w->tidy = 0;
  memcpy(w->unordered, then->unordered, sizeof w->unordered);
  if (!w->lists)
    return;
  empty_lists(w);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t list = blocks[i].next % SP_WHEEL_LISTS; /* the ring of the next turn is put together in list 0 */
    add_block(w, list);
    sp_wheel_block *block = block_at(w, w->lists[list]);
    block->count = blocks[i].count;
    memcpy(block->items, blocks[i].items, sizeof block->items);
    if (list >= SP_WHEEL_NEAR)
      w->counts[list - SP_WHEEL_NEAR] += block->count;
    if (blocks[i].next == SP_WHEEL_LISTS && (i + 1 == count || blocks[i + 1].next != SP_WHEEL_LISTS)) {
      w->turning = w->lists[0];
      w->lists[0] = 0;
    }
  }
  w->waiting = then->waiting;
}

/* }== */
