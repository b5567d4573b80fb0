#include "core/expiry.h"

#include <string.h>

#include "core/clock.h"

/* {== Memory ============================================================= */

static bool reserve_terms(sp_expiry *e, sp_memory *memory, uint32_t slots)
{
  if (slots <= e->capacity)
    return true;
  sp_term *terms = sp_memory_extend(memory, e->terms, e->capacity, slots, sizeof *terms);
  if (!terms)
    return false;
  e->terms = terms;
  e->capacity = slots;
  return true;
}

static bool reserve_lists(sp_expiry *e, sp_memory *memory)
{
  if (!e->lists)
    e->lists = sp_memory_extend(memory, NULL, 0, SP_EXPIRY_LISTS + SP_WHEEL_TURN, sizeof *e->lists);
  e->counts = e->lists ? e->lists + SP_EXPIRY_LISTS : NULL;
  return e->lists != NULL;
}

/* Adds the blocks from `first` on to the free ones. */
static void free_blocks(sp_expiry *e, uint32_t first)
{
  for (uint32_t i = e->block_capacity; i-- > (first ? first : 1);) {
    e->blocks[i].next = e->free;
    e->free = i;
    e->free_count++;
  }
}

static bool extend_blocks(sp_expiry *e, sp_memory *memory, uint32_t want)
{
  uint32_t have = e->block_capacity;
  sp_expiry_block *blocks = sp_memory_resize(memory, e->blocks, have * sizeof *blocks, want * sizeof *blocks);
  if (!blocks)
    return false;
  e->blocks = blocks;
  e->block_capacity = want;
  blocks[0].count = SP_EXPIRY_BLOCK;
  free_blocks(e, have);
  return true;
}

static bool add_blocks(sp_expiry *e, sp_memory *memory)
{
  return extend_blocks(e, memory, e->block_capacity ? e->block_capacity * 2 : 8);
}

bool sp_expiry_reserve(sp_expiry *e, sp_memory *memory, uint32_t slots)
{
  /* Terms are allocated last: where they exist, the lists do. */
  return reserve_lists(e, memory) && (e->free_count > SP_EXPIRY_SPARE || add_blocks(e, memory)) &&
         reserve_terms(e, memory, slots);
}

bool sp_expiry_reserve_as(sp_expiry *e, sp_memory *memory, const sp_expiry *then)
{
  if (!then->lists)
    return true;
  bool has_blocks = e->block_capacity >= then->block_capacity;
  return reserve_lists(e, memory) && (has_blocks || extend_blocks(e, memory, then->block_capacity)) &&
         reserve_terms(e, memory, then->capacity);
}

void sp_expiry_restore(sp_expiry *e, const sp_expiry *then)
{
  sp_expiry now = *e;
  *e = *then;
  e->life = now.life;
  e->terms = now.terms;
  e->capacity = now.capacity;
  e->lists = now.lists;
  e->counts = now.counts;
  e->blocks = now.blocks;
  e->block_capacity = now.block_capacity;
  e->endings = now.endings;
  e->ending_capacity = now.ending_capacity;
  e->tidy = 0;
  if (then->capacity)
    memcpy(e->terms, then->terms, then->capacity * sizeof *e->terms);
  for (uint32_t slot = then->capacity; slot < e->capacity; slot++)
    e->terms[slot] = (sp_term){0};
  if (then->block_capacity)
    memcpy(e->blocks, then->blocks, then->block_capacity * sizeof *e->blocks);
  if (e->lists && then->lists)
    memcpy(e->lists, then->lists, (SP_EXPIRY_LISTS + SP_WHEEL_TURN) * sizeof *e->lists);
  else if (e->lists)
    memset(e->lists, 0, (SP_EXPIRY_LISTS + SP_WHEEL_TURN) * sizeof *e->lists);
  free_blocks(e, then->block_capacity);
}

void sp_expiry_free(sp_expiry *e, sp_memory *memory)
{
  sp_memory_free(memory, e->terms, e->capacity * sizeof *e->terms);
  if (e->lists)
    sp_memory_free(memory, e->lists, (SP_EXPIRY_LISTS + SP_WHEEL_TURN) * sizeof *e->lists);
  sp_memory_free(memory, e->blocks, e->block_capacity * sizeof *e->blocks);
  sp_memory_free(memory, e->endings, e->ending_capacity * sizeof *e->endings);
  *e = (sp_expiry){0};
}

/* }== */

/* {== Lists ============================================================== */

/* Returns the tick at which the life in the slot ends; 0 when it has no end, or has had it. */
static inline uint32_t end_of(const sp_expiry *e, uint32_t slot)
{
  return e->life[slot].generation & 1 && e->terms[slot].strides != SP_EXPIRY_OVER ? e->life[slot].due : 0;
}

/* Returns the list of a future tick. */
static uint32_t list_of(const sp_expiry *e, uint32_t due)
{
  return sp_expiry_is_near(e, due) ? due % SP_EXPIRY_NEAR : SP_EXPIRY_NEAR + due / SP_WHEEL_TURN % SP_WHEEL_TURN;
}

/* Adds a free block to a list. */
static void add_block(sp_expiry *e, uint32_t list)
{
  uint32_t at = e->free, last = e->lists[list];
  sp_expiry_block *block = &e->blocks[at];
  e->free = block->next;
  e->free_count--;
  if (last) {
    block->next = e->blocks[last].next;
    e->blocks[last].next = at;
  } else {
    block->next = at;
  }
  block->count = 0;
  e->lists[list] = at;
}

static void push(sp_expiry *e, uint32_t list, uint32_t slot)
{
  if (e->blocks[e->lists[list]].count == SP_EXPIRY_BLOCK)
    add_block(e, list);
  sp_expiry_block *last = &e->blocks[e->lists[list]];
  last->slots[last->count++] = slot;
  if (list >= SP_EXPIRY_NEAR)
    e->counts[list - SP_EXPIRY_NEAR]++;
}

/* Frees the first block of the ring that ends in `last`. Returns the new last one, or 0. */
static uint32_t drop_first(sp_expiry *e, uint32_t last)
{
  uint32_t first = e->blocks[last].next;
  e->blocks[last].next = e->blocks[first].next;
  e->blocks[first].next = e->free;
  e->free = first;
  e->free_count++;
  return first == last ? 0 : last;
}

/* Marks the list for `due` unsorted. Lists of turns are always unsorted. */
static void mix(sp_expiry *e, uint32_t due)
{
  if (sp_expiry_is_near(e, due))
    sp_expiry_mark_unordered(e, due);
}

/* Lists a slot whose entry has been taken out of another list. Without memory for a block it goes to the next tick, and
   on from there: the spare blocks, and those that become empty meanwhile, are enough for that. */
static void list_again(sp_expiry *e, sp_memory *memory, uint32_t slot)
{
  sp_term *term = &e->terms[slot];
  uint32_t due = e->life[slot].due, list = list_of(e, due);
  bool room =
      e->blocks[e->lists[list]].count < SP_EXPIRY_BLOCK || e->free_count > SP_EXPIRY_SPARE || add_blocks(e, memory);
  term->listed = room ? due : (uint32_t)e->now + 1;
  if (!room)
    list = term->listed % SP_EXPIRY_NEAR;
  mix(e, term->listed);
  push(e, list, slot);
}

/* Lists the slot again unless its life has no end any more. */
static void move_on(sp_expiry *e, sp_memory *memory, uint32_t slot)
{
  e->terms[slot].listed = 0;
  if (end_of(e, slot))
    list_again(e, memory, slot);
}

/* }== */

/* {== Ends =============================================================== */

/* Sets the end of a life to `strides` strides after the tick whose low bits are `due`. */
static void aim(sp_expiry *e, uint32_t slot, uint32_t due, uint32_t strides)
{
  if (due == 0 && strides > 0) {
    due = SP_EXPIRY_STRIDE;
    strides--;
  }
  e->life[slot].due = due ? due : 1; /* once in 2^32 ticks one tick late */
  e->terms[slot].strides = strides;
}

void sp_expiry_note_late(sp_expiry *e, uint32_t slot) { mix(e, e->life[slot].due); }

/* Returns whether the slot is in a list that comes in time, so that it need not be listed again. */
static bool is_listed(sp_expiry *e, uint32_t slot)
{
  sp_term *term = &e->terms[slot];
  uint32_t now = (uint32_t)e->now, due = e->life[slot].due;
  if (term->listed - now <= due - now) {
    if (term->listed == due)
      mix(e, due); /* where an older life was to end */
    return true;
  }
  uint32_t list = list_of(e, due);
  if (list < SP_EXPIRY_NEAR || list != list_of(e, term->listed)) {
    mix(e, term->listed); /* the entry stays there, and counts should a later life be listed there too */
    return false;
  }
  term->listed = due; /* of the same turn: its list does not tell ticks apart */
  return true;
}

void sp_expiry_set(sp_expiry *e, uint32_t slot, double lifetime, uint64_t tick)
{
  sp_term *term = &e->terms[slot];
  uint64_t strides = (tick - e->now - 1) / SP_EXPIRY_STRIDE;
  term->lifetime = lifetime;
  aim(e, slot, (uint32_t)(tick - strides * SP_EXPIRY_STRIDE), (uint32_t)strides);
  if (term->listed && is_listed(e, slot))
    return;
  term->listed = e->life[slot].due;
  push(e, list_of(e, term->listed), slot);
}

void sp_expiry_set_over(sp_expiry *e, uint32_t slot, double lifetime)
{
  e->life[slot].due = 1;
  e->terms[slot].lifetime = lifetime;
  e->terms[slot].strides = SP_EXPIRY_OVER;
}

uint64_t sp_expiry_left(const sp_expiry *e, uint32_t slot)
{
  uint32_t strides = e->terms[slot].strides, left = e->life[slot].due - (uint32_t)e->now;
  return strides == SP_EXPIRY_OVER ? 0 : (uint64_t)strides * SP_EXPIRY_STRIDE + left;
}

/* }== */

/* {== Order ============================================================== */

static bool is_ending(const sp_expiry *e, uint32_t slot)
{
  return e->terms[slot].listed == (uint32_t)e->now && end_of(e, slot) == (uint32_t)e->now;
}

static bool reserve_endings(sp_expiry *e, sp_memory *memory)
{
  uint32_t count = 0, want = e->ending_capacity ? e->ending_capacity : 64;
  for (uint32_t at = e->blocks[e->firing].next;; at = e->blocks[at].next) {
    count += e->blocks[at].count;
    if (at == e->firing)
      break;
  }
  while (want < count)
    want *= 2;
  if (want == e->ending_capacity)
    return true;
  sp_ending *endings = sp_memory_extend(memory, e->endings, e->ending_capacity, want, sizeof *endings);
  if (!endings)
    return false;
  e->endings = endings;
  e->ending_capacity = want;
  return true;
}

/* Takes the slots that are due out of the list; those that end later are listed again. */
static void gather_endings(sp_expiry *e, sp_memory *memory)
{
  for (; e->firing; e->firing = drop_first(e, e->firing)) {
    uint32_t first = e->blocks[e->firing].next;
    for (uint32_t i = 0; i < e->blocks[first].count; i++) {
      uint32_t slot = e->blocks[first].slots[i];
      if (is_ending(e, slot))
        e->endings[e->ending_count++] = (sp_ending){e->life[slot].serial, slot};
      else if (e->terms[slot].listed == (uint32_t)e->now)
        move_on(e, memory, slot);
    }
  }
}

/* Shell sort: in place, no recursion. */
static void sort_endings(sp_ending *endings, uint32_t count)
{
  for (uint32_t gap = count / 2; gap > 0; gap /= 2)
    for (uint32_t i = gap; i < count; i++) {
      sp_ending ending = endings[i];
      uint32_t k = i;
      for (; k >= gap && endings[k - gap].serial > ending.serial; k -= gap)
        endings[k] = endings[k - gap];
      endings[k] = ending;
    }
}

/* Lives that end at the same tick do so in the order in which they began. Most lists are in that order as they are; the
   others go through an array. Without memory for it they stay as they are. */
static void order_endings(sp_expiry *e, sp_memory *memory, uint32_t list)
{
  uint64_t bit = (uint64_t)1 << list % 64;
  bool ordered = !(e->unordered[list / 64] & bit);
  e->unordered[list / 64] &= ~bit;
  if (ordered || !e->firing || !reserve_endings(e, memory))
    return;
  gather_endings(e, memory);
  sort_endings(e->endings, e->ending_count);
}

/* }== */

/* {== Turns ============================================================== */

/* Moves an entry of the next turn to the list of its tick. */
static void spread(sp_expiry *e, sp_memory *memory, uint32_t slot)
{
  sp_term *term = &e->terms[slot];
  uint32_t next = (uint32_t)(e->now / SP_WHEEL_TURN) + 1;
  if ((term->listed / SP_WHEEL_TURN - next) % SP_WHEEL_TURN != 0)
    return; /* an earlier list has the slot as well, and that one counts */
  move_on(e, memory, slot);
}

static void spread_some(sp_expiry *e, sp_memory *memory, uint32_t count)
{
  e->waiting -= count;
  while (count > 0) {
    uint32_t first = e->blocks[e->turning].next;
    for (; count > 0 && e->blocks[first].count > 0; count--)
      spread(e, memory, e->blocks[first].slots[--e->blocks[first].count]);
    if (e->blocks[first].count == 0)
      e->turning = drop_first(e, e->turning);
  }
}

static void begin_turn(sp_expiry *e)
{
  uint32_t next = (uint32_t)(e->now / SP_WHEEL_TURN + 1) % SP_WHEEL_TURN;
  e->turning = e->lists[SP_EXPIRY_NEAR + next];
  e->waiting = e->counts[next];
  e->lists[SP_EXPIRY_NEAR + next] = e->counts[next] = 0;
}

/* Slots that are reused with ever other ends leave useless entries behind. These are removed when they fill most of the
   blocks: rarely, because that looks at every slot. */
static bool is_littered(sp_expiry *e)
{
  if (e->block_capacity < 1024 || e->block_capacity < e->capacity / 16 || e->tidy == e->block_capacity)
    return false;
  uint32_t due = 0;
  for (uint32_t slot = 0; slot < e->capacity; slot++)
    due += end_of(e, slot) != 0;
  uint32_t lists = due < SP_EXPIRY_LISTS ? due : SP_EXPIRY_LISTS;
  bool littered = 2 * (due / SP_EXPIRY_BLOCK + lists) < e->block_capacity;
  e->tidy = littered ? 0 : e->block_capacity;
  return littered;
}

/* Rebuilds all lists. There are enough blocks even if every slot needs one of its own. */
static void begin_anew(sp_expiry *e, sp_memory *memory)
{
  for (; e->turning; e->turning = drop_first(e, e->turning)) {
  }
  for (uint32_t list = 0; list < SP_EXPIRY_LISTS; list++)
    while (e->lists[list])
      e->lists[list] = drop_first(e, e->lists[list]);
  memset(e->counts, 0, SP_WHEEL_TURN * sizeof *e->counts);
  e->waiting = 0;
  for (uint32_t slot = 0; slot < e->capacity; slot++)
    if (e->terms[slot].listed)
      move_on(e, memory, slot);
}

/* }== */

/* {== Ticks ============================================================== */

void sp_expiry_begin(sp_expiry *e, sp_memory *memory, uint64_t tick)
{
  uint64_t turns = tick / SP_WHEEL_TURN - e->now / SP_WHEEL_TURN;
  if (turns == 1 && e->waiting) {
    e->now = tick - 1; /* it is the first of its turn */
    spread_some(e, memory, e->waiting);
  }
  e->now = tick;
  if (!e->lists)
    return;
  if (turns > 0)
    begin_turn(e);
  if (e->free_count < e->block_capacity / 4 && is_littered(e))
    begin_anew(e, memory);
  /* Every tick moves a share of the next turn, so that no tick has to move all of it. */
  uint32_t left = SP_WHEEL_TURN - (uint32_t)(tick % SP_WHEEL_TURN);
  if (e->waiting)
    spread_some(e, memory, (e->waiting + left - 1) / left);
  uint32_t list = tick % SP_EXPIRY_NEAR;
  e->firing = e->lists[list];
  e->lists[list] = 0;
  e->fired = e->ended = e->ending_count = 0;
  order_endings(e, memory, list);
}

/* Returns whether the life in the slot, whose entry was just taken, ends now. */
static inline bool comes_due(sp_expiry *e, sp_memory *memory, uint32_t slot)
{
  sp_term *term = &e->terms[slot];
  uint32_t now = (uint32_t)e->now, due = end_of(e, slot);
  if (term->listed != now)
    return false;
  if (due == now && term->strides == 0) {
    term->listed = 0;
    term->strides = SP_EXPIRY_OVER; /* an override may keep the life */
    return true;
  }
  if (due == now)
    aim(e, slot, due + SP_EXPIRY_STRIDE, term->strides - 1);
  move_on(e, memory, slot);
  return false;
}

uint32_t sp_expiry_pop(sp_expiry *e, sp_memory *memory)
{
  while (e->ended < e->ending_count) {
    uint32_t slot = e->endings[e->ended++].slot;
    if (comes_due(e, memory, slot))
      return slot;
  }
  while (e->firing) {
    const sp_expiry_block *first = &e->blocks[e->blocks[e->firing].next];
    if (e->fired == first->count) {
      e->firing = drop_first(e, e->firing);
      e->fired = 0;
      continue;
    }
    uint32_t slot = first->slots[e->fired++];
    if (comes_due(e, memory, slot))
      return slot;
  }
  return SP_EXPIRY_NONE;
}

/* Returns whether the list of a turn holds a slot of that very turn, not only of turns some rounds later. */
static bool has_turn(const sp_expiry *e, uint32_t turn)
{
  uint32_t last = e->lists[SP_EXPIRY_NEAR + turn % SP_WHEEL_TURN];
  for (uint32_t at = last ? e->blocks[last].next : 0; at; at = at == last ? 0 : e->blocks[at].next)
    for (uint32_t i = 0; i < e->blocks[at].count; i++)
      if (e->terms[e->blocks[at].slots[i]].listed - turn * SP_WHEEL_TURN < SP_WHEEL_TURN)
        return true;
  return false;
}

/* Returns the first turn after the next one that has a listed slot. Beyond a round every slot is looked at. */
static uint64_t first_turn(const sp_expiry *e)
{
  uint64_t turn = e->now / SP_WHEEL_TURN;
  for (uint64_t i = turn + 2; i <= turn + 1 + SP_WHEEL_TURN; i++)
    if (has_turn(e, (uint32_t)i))
      return i;
  uint32_t least = UINT32_MAX;
  for (uint32_t slot = 0; slot < e->capacity; slot++) {
    uint32_t listed = e->terms[slot].listed, ahead = listed - (uint32_t)e->now;
    if (listed && ahead < least)
      least = ahead;
  }
  return (e->now + least) / SP_WHEEL_TURN;
}

uint64_t sp_expiry_next(const sp_expiry *e, uint64_t target)
{
  uint64_t turn = (e->now / SP_WHEEL_TURN + 1) * SP_WHEEL_TURN;
  if (!e->lists)
    return target;
  for (uint64_t tick = e->now + 1; tick < turn + SP_WHEEL_TURN; tick++)
    if (tick >= target || e->lists[tick % SP_EXPIRY_NEAR] || (tick == turn && e->turning))
      return tick;
  /* One turn earlier, so that its slots are spread over its ticks first. */
  uint64_t before = (first_turn(e) - 1) * SP_WHEEL_TURN;
  return before < target ? before : target;
}

/* }== */
