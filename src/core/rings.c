#include "core/rings.h"

#include <string.h>

#include "core/state.h"

/* {== Idle slots ========================================================= */

/* The place of the slot at `index`, longest idle first, counted from where the first block begins. */
static uint32_t place_of(const sp_idle *idle, uint32_t index)
{
  uint32_t before = (uint32_t)(idle->take - idle->blocks[idle->first & idle->mask]);
  return before + (idle->lifo ? idle->count - 1 - index : index);
}

static uint32_t *seat_at(const sp_idle *idle, uint32_t index)
{
  uint32_t place = place_of(idle, index);
  return &idle->blocks[(idle->first + place / SP_IDLE_BLOCK) & idle->mask][place % SP_IDLE_BLOCK];
}

static void add_spare(sp_idle *idle, uint32_t *block)
{
  memcpy(block, &idle->spare, sizeof idle->spare);
  idle->spare = block;
}

static uint32_t *take_spare(sp_idle *idle)
{
  uint32_t *block = idle->spare;
  memcpy(&idle->spare, block, sizeof idle->spare);
  return block;
}

static void spare_block(sp_idle *idle, uint32_t position)
{
  add_spare(idle, idle->blocks[position & idle->mask]);
  idle->blocks[position & idle->mask] = NULL;
}

static void set_run(sp_idle *idle, uint32_t position, uint32_t run)
{
  idle->runs[position & idle->mask] = run;
  idle->is_long[(position & idle->mask) / SP_IDLE_LONG] = 0;
}

/* A full block of a pool that grows, or is emptied in order, is a run: then nothing has to look at its slots. */
static void note_run(sp_idle *idle, uint32_t position)
{
  const uint32_t *slots = idle->blocks[position & idle->mask], first = slots[0], last = SP_IDLE_BLOCK - 1;
  const uint32_t step = slots[last] == first + last ? 1 : UINT32_MAX;
  uint32_t differs = slots[last] ^ (first + last * step);
  for (uint32_t i = 0; differs == 0 && i < SP_IDLE_BLOCK; i++)
    differs = slots[i] ^ (first + i * step);
  if (differs == 0)
    set_run(idle, position, step == 1 ? first : first | SP_IDLE_DOWN);
}

/* Begins at the first slot of the block at `first`, or is empty. */
static void begin_block(sp_idle *idle, bool empty)
{
  idle->take = empty ? NULL : idle->blocks[idle->first & idle->mask];
  idle->take_end = empty ? NULL : idle->take + SP_IDLE_BLOCK;
  if (empty || idle->lifo)
    idle->put_end = idle->take;
  if (empty)
    idle->put = NULL;
}

SP_COLD sp_result sp_idle_push_first(sp_idle *idle, uint32_t slot)
{
  uint32_t *block = take_spare(idle);
  const bool is_empty = !idle->take;
  if (idle->count >= SP_IDLE_BLOCK)
    note_run(idle, idle->lifo ? idle->first : idle->last);
  const uint32_t position = is_empty ? idle->first : idle->lifo ? idle->first - 1 : idle->last + 1;
  idle->blocks[position & idle->mask] = block;
  set_run(idle, position, SP_IDLE_MIXED);
  if (is_empty || idle->lifo)
    idle->first = position;
  if (is_empty || !idle->lifo)
    idle->last = position;
  if (is_empty || idle->lifo)
    begin_block(idle, false);
  if (idle->lifo) {
    idle->take = idle->take_end;
  } else {
    idle->put = block;
    idle->put_end = block + SP_IDLE_BLOCK;
  }
  return sp_idle_push(idle, slot);
}

SP_COLD uint64_t sp_idle_leave(sp_idle *idle, uint64_t value)
{
  const bool was_last = idle->first == idle->last;
  spare_block(idle, idle->first);
  if (!was_last)
    idle->first++;
  begin_block(idle, was_last);
  if (!was_last && idle->lifo)
    set_run(idle, idle->first, SP_IDLE_MIXED); /* it will be written to again */
  return value;
}

/* One block more than the slots fill, for those that are filled in part. */
static uint32_t blocks_for(uint32_t capacity) { return capacity / SP_IDLE_BLOCK + 2; }

/* Doubles the directory: the blocks in use get their new places. */
static bool extend_directory(sp_idle *idle, sp_memory *memory)
{
  uint32_t have = idle->blocks ? idle->mask + 1 : 0, want = have ? have * 2 : 4;
  uint32_t **blocks = sp_memory_resize(memory, NULL, 0, sp_idle_directory_size(want));
  if (!blocks)
    return false;
  uint32_t *runs = (uint32_t *)(void *)(blocks + want);
  memset(blocks, 0, want * sizeof *blocks);
  memset(runs + want, 0, want / SP_IDLE_LONG + 1);
  for (uint32_t i = 0; i < have; i++) {
    blocks[(idle->first + i) & (want - 1)] = idle->blocks[(idle->first + i) & idle->mask];
    runs[(idle->first + i) & (want - 1)] = idle->runs[(idle->first + i) & idle->mask];
  }
  if (have > 0)
    sp_memory_free(memory, idle->blocks, sp_idle_directory_size(have));
  idle->blocks = blocks;
  idle->runs = runs;
  idle->is_long = (uint8_t *)(runs + want);
  idle->mask = want - 1;
  return true;
}

bool sp_idle_reserve(sp_idle *idle, sp_memory *memory, uint32_t capacity)
{
  uint32_t want = blocks_for(capacity);
  while (idle->block_count < want) {
    if ((!idle->blocks || idle->block_count > idle->mask) && !extend_directory(idle, memory))
      return false;
    uint32_t *block = sp_memory_resize(memory, NULL, 0, SP_IDLE_BLOCK * sizeof *block);
    if (!block)
      return false;
    add_spare(idle, block);
    idle->block_count++;
  }
  return true;
}

void sp_idle_clear(sp_idle *idle)
{
  for (uint32_t i = 0; idle->blocks && i <= idle->mask; i++)
    if (idle->blocks[i])
      spare_block(idle, i);
  idle->count = idle->first = idle->last = 0;
  begin_block(idle, true);
}

void sp_idle_free(sp_idle *idle, sp_memory *memory)
{
  sp_idle_clear(idle);
  while (idle->spare)
    sp_memory_free(memory, take_spare(idle), SP_IDLE_BLOCK * sizeof *idle->spare);
  if (idle->blocks)
    sp_memory_free(memory, idle->blocks, sp_idle_directory_size(idle->mask + 1));
  *idle = (sp_idle){.lifo = idle->lifo};
}

/* Must be called after slots have changed places: there may be no runs any more, and the other end may be in another
   block. */
static void settle(sp_idle *idle)
{
  if (!idle->take)
    return;
  uint32_t *begin = idle->blocks[idle->first & idle->mask];
  uint32_t end = (uint32_t)(idle->take - begin) + idle->count, filled = end > 0 ? (end - 1) / SP_IDLE_BLOCK : 0;
  for (; idle->last - idle->first > filled; idle->last--)
    spare_block(idle, idle->last);
  for (uint32_t i = 0; i <= idle->mask; i++)
    set_run(idle, i, SP_IDLE_MIXED);
  idle->put = idle->blocks[idle->last & idle->mask] + (end - filled * SP_IDLE_BLOCK);
  idle->put_end = idle->lifo ? begin : idle->blocks[idle->last & idle->mask] + SP_IDLE_BLOCK;
}

void sp_idle_set_order(sp_idle *idle, bool lifo)
{
  if (lifo == idle->lifo)
    return;
  for (uint32_t i = 0, count = sp_idle_count(idle); i < count / 2; i++) {
    uint32_t *one = seat_at(idle, i), *other = seat_at(idle, count - 1 - i);
    uint32_t slot = *one;
    *one = *other;
    *other = slot;
  }
  idle->lifo = lifo;
  settle(idle);
}

uint32_t sp_idle_get(const sp_idle *idle, uint32_t index) { return *seat_at(idle, index); }

/* Closes the gap by moving the entries on the side at which slots are added. */
void sp_idle_remove(sp_idle *idle, uint32_t index)
{
  for (uint32_t i = index, last = sp_idle_count(idle) - 1; i < last; i++)
    *seat_at(idle, i) = *seat_at(idle, i + 1);
  if (idle->lifo)
    sp_idle_drop(idle, 0);
  else
    idle->count--;
  settle(idle);
}

/* Slots that follow each other, longest idle first. */
typedef struct piece {
  const uint32_t *slots;
  int32_t way; /* from one to the next, in memory */
  uint32_t count;
  uint32_t step; /* from one slot to the next, when it is known to be a run; else 0 */
} piece;

/* Adds the blocks after that at `position` that go on with a run, to `most` slots. Long stretches are noted, and then
   skipped. */
static void extend_piece(const sp_idle *idle, piece *it, uint32_t position, uint32_t most)
{
  const uint32_t way = (uint32_t)it->way, by = it->step * SP_IDLE_BLOCK;
  const uint32_t begin = idle->lifo ? SP_IDLE_LONG - 1 : 0, end = SP_IDLE_LONG - 1 - begin;
  uint32_t next = idle->runs[position & idle->mask] + by, at = position + way, whole = 0;
  for (; it->count + SP_IDLE_BLOCK <= most && idle->runs[at & idle->mask] == next; at += way, next += by) {
    uint8_t *is_long = &idle->is_long[(at & idle->mask) / SP_IDLE_LONG];
    it->count += SP_IDLE_BLOCK;
    whole = at % SP_IDLE_LONG == begin ? 1 : whole + (whole > 0);
    if (whole == 1 && *is_long && it->count + (SP_IDLE_LONG - 1) * SP_IDLE_BLOCK <= most) {
      it->count += (SP_IDLE_LONG - 1) * SP_IDLE_BLOCK;
      at += (SP_IDLE_LONG - 1) * way;
      next += (SP_IDLE_LONG - 1) * by;
    } else if (whole == SP_IDLE_LONG && at % SP_IDLE_LONG == end && idle->mask >= SP_IDLE_LONG) {
      *is_long = 1;
    }
  }
}

/* Returns the slots from `index` on that lie in one piece, to `most`. */
static piece piece_at(const sp_idle *idle, uint32_t index, uint32_t most)
{
  const uint32_t place = place_of(idle, index), in = place % SP_IDLE_BLOCK;
  const uint32_t position = idle->first + place / SP_IDLE_BLOCK, run = idle->runs[position & idle->mask];
  piece it = {.slots = &idle->blocks[position & idle->mask][in], .way = idle->lifo ? -1 : 1};
  it.count = idle->lifo ? in + 1 : SP_IDLE_BLOCK - in;
  if (it.count > most)
    it.count = most;
  if (run == SP_IDLE_MIXED)
    return it;
  it.step = ((run & SP_IDLE_DOWN) != 0) == idle->lifo ? 1 : UINT32_MAX;
  extend_piece(idle, &it, position, most);
  return it;
}

static uint32_t slot_of(const piece *it, uint32_t index)
{
  return it->step ? *it->slots + index * it->step : it->slots[(int32_t)index * it->way];
}

static uint32_t length_of(sp_run run) { return (uint32_t)(run.count < 0 ? -run.count : run.count); }

/* Adds a slot to a list of runs, as a part of the last one if it goes on from there. Returns the new length of the
   list. */
static uint32_t add_slot(sp_run *runs, uint32_t count, sp_run *last, uint32_t slot)
{
  if (count > 0 && last->count > 0 && slot == last->first + (uint32_t)last->count)
    last->count++;
  else if (count > 0 && last->count == 1 && slot == last->first - 1)
    last->count = -2;
  else if (count > 0 && last->count < 0 && slot == last->first + (uint32_t)last->count)
    last->count--;
  else {
    *last = (sp_run){slot, 1};
    count++;
  }
  if (runs)
    runs[count - 1] = *last;
  return count;
}

uint64_t sp_idle_hash(const sp_idle *idle, uint64_t hash)
{
  const uint32_t all = sp_idle_count(idle);
  for (uint32_t i = 0; i < all;) {
    const piece it = piece_at(idle, i, all - i);
    for (uint32_t k = 0; k < it.count; k++)
      hash = sp_hash_mix(hash, slot_of(&it, k));
    i += it.count;
  }
  return hash;
}

uint32_t sp_idle_runs(const sp_idle *idle, sp_run *runs)
{
  uint32_t count = 0, all = sp_idle_count(idle);
  sp_run last = {0};
  for (uint32_t i = 0, k; i < all;) {
    const piece it = piece_at(idle, i, all - i);
    const int32_t step = (int32_t)it.step;
    bool goes_on = step != 0 && length_of(last) > 1 && (step < 0) == (last.count < 0) &&
                   *it.slots == last.first + (uint32_t)last.count;
    for (k = 0; k < it.count && !goes_on; k++) {
      count = add_slot(runs, count, &last, slot_of(&it, k));
      goes_on = step != 0 && k >= 2; /* three of a run tell its direction */
    }
    last.count += (int32_t)(it.count - k) * step;
    if (runs)
      runs[count - 1] = last;
    i += it.count;
  }
  return count;
}

void sp_idle_add_run(sp_idle *idle, sp_run run)
{
  const uint32_t step = run.count < 0 ? UINT32_MAX : 1;
  const int32_t way = idle->lifo ? -1 : 1;
  for (uint32_t left = length_of(run), slot = run.first; left > 0;) {
    sp_idle_push(idle, slot); /* begins a block, if need be, which is then filled at once */
    slot += step;
    left--;
    uint32_t room = (uint32_t)(idle->lifo ? idle->take - idle->put_end : idle->put_end - idle->put);
    uint32_t part = left < room ? left : room;
    uint32_t **end = idle->lifo ? &idle->take : &idle->put, *at = idle->lifo ? *end - 1 : *end;
    for (uint32_t k = 0; k < part; k++, slot += step)
      at[(int32_t)k * way] = slot;
    *end += (int32_t)part * way;
    idle->count += part;
    left -= part;
  }
}

/* }== */

/* {== Ages =============================================================== */

static void compact(sp_ages *ages, const sp_manager *manager)
{
  uint32_t kept = ages->head;
  for (uint32_t i = ages->head; i != ages->tail; i++) {
    sp_ref object = ages->ring[i & ages->mask];
    if (sp_ref_resolves(manager, object))
      ages->ring[kept++ & ages->mask] = object;
  }
  ages->tail = kept;
}

static bool move_ring(sp_ages *ages, sp_manager *manager, uint32_t want)
{
  uint32_t have = ages->ring ? ages->mask + 1 : 0, count = sp_ages_count(ages);
  sp_ref *ring = sp_memory_resize(&manager->memory, NULL, 0, want * sizeof *ring);
  if (!ring)
    return false;
  for (uint32_t i = 0; i < count; i++)
    ring[i] = sp_ages_get(ages, i);
  sp_memory_free(&manager->memory, ages->ring, have * sizeof *ring);
  *ages = (sp_ages){.ring = ring, .mask = want - 1, .tail = count};
  return true;
}

bool sp_ages_reserve(sp_ages *ages, sp_manager *manager, uint32_t live)
{
  uint32_t have = ages->ring ? ages->mask + 1 : 0;
  if (sp_ages_count(ages) < have)
    return true;
  if (have && live < have / 2) {
    compact(ages, manager);
    return true;
  }
  return move_ring(ages, manager, have ? have * 2 : 64);
}

bool sp_ages_reserve_count(sp_ages *ages, sp_manager *manager, uint32_t count)
{
  uint32_t have = ages->ring ? ages->mask + 1 : 0, want = have ? have : 64;
  while (want < count)
    want *= 2;
  return want == have || move_ring(ages, manager, want);
}

void sp_ages_restore(sp_ages *ages, const sp_ages *then)
{
  ages->head = 0;
  ages->tail = sp_ages_count(then);
  memcpy(ages->ring, then->ring, ages->tail * sizeof *ages->ring);
}

void sp_ages_push(sp_ages *ages, sp_ref object) { ages->ring[ages->tail++ & ages->mask] = object; }

void sp_ages_settle(sp_ages *ages, const sp_manager *manager)
{
  while (ages->head != ages->tail && !sp_ref_resolves(manager, sp_ages_get(ages, 0)))
    ages->head++;
}

void sp_ages_free(sp_ages *ages, sp_memory *memory)
{
  if (ages->ring)
    sp_memory_free(memory, ages->ring, (ages->mask + 1) * sizeof *ages->ring);
  *ages = (sp_ages){0};
}

/* }== */
