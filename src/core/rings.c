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
  if (idle->blocks[position & idle->mask])
    add_spare(idle, idle->blocks[position & idle->mask]);
  idle->blocks[position & idle->mask] = NULL;
}

static void set_run(sp_idle *idle, uint32_t position, uint32_t run)
{
  if (run == SP_IDLE_MIXED || idle->runs[position & idle->mask] != run)
    idle->is_long[(position & idle->mask) / SP_IDLE_LONG] = 0;
  idle->runs[position & idle->mask] = run;
}

/* Returns the block at `position`. One that was restored gets memory only now. */
static uint32_t *block_of(sp_idle *idle, uint32_t position)
{
  uint32_t **block = &idle->blocks[position & idle->mask], run = idle->runs[position & idle->mask];
  if (!*block) {
    *block = take_spare(idle);
    for (uint32_t i = 0; i < SP_IDLE_BLOCK; i++)
      (*block)[i] = run & SP_IDLE_DOWN ? (run & ~SP_IDLE_DOWN) - i : run + i;
  }
  return *block;
}

/* A full block of a pool that grows, or is emptied in order, is a run: then nothing has to look at its slots. */
static void note_run(sp_idle *idle, uint32_t position)
{
  const uint32_t *slots = idle->blocks[position & idle->mask], last = SP_IDLE_BLOCK - 1;
  if (!slots)
    return;
  const uint32_t first = slots[0];
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
  idle->take = empty ? NULL : block_of(idle, idle->first);
  idle->take_end = empty ? NULL : idle->take + SP_IDLE_BLOCK;
  if (empty || idle->lifo)
    idle->put_end = idle->take;
  if (empty)
    idle->put = NULL;
}

/* Adds a position to the end at which slots are added, and returns it. */
static uint32_t add_position(sp_idle *idle, bool is_empty)
{
  const uint32_t position = is_empty ? idle->first : idle->lifo ? idle->first - 1 : idle->last + 1;
  if (is_empty || idle->lifo)
    idle->first = position;
  if (is_empty || !idle->lifo)
    idle->last = position;
  return position;
}

SP_COLD sp_result sp_idle_push_first(sp_idle *idle, uint32_t slot)
{
  const bool is_empty = !idle->take;
  if (idle->count >= SP_IDLE_BLOCK)
    note_run(idle, idle->lifo ? idle->first : idle->last);
  uint32_t *block = take_spare(idle), position = add_position(idle, is_empty);
  idle->blocks[position & idle->mask] = block;
  set_run(idle, position, SP_IDLE_MIXED);
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

/* Must be called before slots change places: all blocks get memory. */
static void unfold(sp_idle *idle)
{
  for (uint32_t at = idle->first; idle->take && at != idle->last + 1; at++)
    block_of(idle, at);
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
  unfold(idle);
  for (uint32_t i = 0, count = sp_idle_count(idle); i < count / 2; i++) {
    uint32_t *one = seat_at(idle, i), *other = seat_at(idle, count - 1 - i);
    uint32_t slot = *one;
    *one = *other;
    *other = slot;
  }
  idle->lifo = lifo;
  settle(idle);
}

/* Closes the gap by moving the entries on the side at which slots are added. */
void sp_idle_remove(sp_idle *idle, uint32_t index)
{
  unfold(idle);
  for (uint32_t i = index, last = sp_idle_count(idle) - 1; i < last; i++)
    *seat_at(idle, i) = *seat_at(idle, i + 1);
  if (idle->lifo)
    sp_idle_drop(idle, 0);
  else
    idle->count--;
  settle(idle);
}

/* Adds the blocks after that at `position` that go on with a run, to `most` slots. Long stretches are noted, and then
   skipped. */
static void extend_piece(const sp_idle *idle, sp_piece *it, uint32_t position, uint32_t most)
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
static sp_piece piece_at(const sp_idle *idle, uint32_t index, uint32_t most)
{
  const uint32_t place = place_of(idle, index), in = place % SP_IDLE_BLOCK;
  const uint32_t position = idle->first + place / SP_IDLE_BLOCK, run = idle->runs[position & idle->mask];
  const uint32_t *block = idle->blocks[position & idle->mask];
  sp_piece it = {.slots = block ? block + in : NULL, .way = idle->lifo ? -1 : 1};
  it.count = idle->lifo ? in + 1 : SP_IDLE_BLOCK - in;
  if (it.count > most)
    it.count = most;
  if (run == SP_IDLE_MIXED)
    return it;
  it.first = run & SP_IDLE_DOWN ? (run & ~SP_IDLE_DOWN) - in : run + in;
  it.step = ((run & SP_IDLE_DOWN) != 0) == idle->lifo ? 1 : UINT32_MAX;
  extend_piece(idle, &it, position, most);
  return it;
}

static uint32_t slot_of(const sp_piece *it, uint32_t index)
{
  return it->step ? it->first + index * it->step : it->slots[(int32_t)index * it->way];
}

static uint32_t length_of(sp_run run) { return (uint32_t)(run.count < 0 ? -run.count : run.count); }

uint32_t sp_idle_get(const sp_idle *idle, uint32_t index)
{
  const sp_piece it = piece_at(idle, index, 1);
  return slot_of(&it, 0);
}

/* Adds a slot to a run; false when it does not go on from there. */
static bool extend_run(sp_run *run, uint32_t slot)
{
  if (run->count == 0)
    *run = (sp_run){slot, 1};
  else if (run->count > 0 && slot == run->first + (uint32_t)run->count)
    run->count++;
  else if (run->count == 1 && slot == run->first - 1)
    run->count = -2;
  else if (run->count < 0 && slot == run->first + (uint32_t)run->count)
    run->count--;
  else
    return false;
  return true;
}

bool sp_idle_next_run(const sp_idle *idle, sp_idle_walk *w)
{
  sp_piece *it = &w->piece;
  w->run.count = 0;
  for (;; w->at++) {
    if (it->step && w->at >= 2 && length_of(w->run) >= 2) { /* two of a piece that is a run tell its direction */
      w->run.count += (int32_t)(it->count - w->at) * (int32_t)it->step;
      w->at = it->count;
    }
    if (w->at == it->count) {
      w->index += it->count;
      it->count = w->at = 0;
      if (w->index == idle->count)
        break;
      *it = piece_at(idle, w->index, idle->count - w->index);
    }
    if (!extend_run(&w->run, slot_of(it, w->at)))
      break;
  }
  return w->run.count != 0;
}

uint64_t sp_idle_hash(const sp_idle *idle, uint64_t hash)
{
  for (sp_idle_walk w = {0}; sp_idle_next_run(idle, &w);) {
    const uint32_t step = w.run.count < 0 ? UINT32_MAX : 1;
    for (uint32_t left = length_of(w.run), slot = w.run.first; left > 0; left--, slot += step)
      hash = sp_hash_mix(hash, slot);
  }
  return hash;
}

/* Whole blocks of the run get no memory yet, but for the one that is used next. */
void sp_idle_add_run(sp_idle *idle, sp_run run)
{
  const uint32_t step = run.count < 0 ? UINT32_MAX : 1, last = SP_IDLE_BLOCK - 1;
  for (uint32_t left = length_of(run), slot = run.first; left > 0;) {
    const bool is_full = (idle->lifo ? idle->take : idle->put) == idle->put_end;
    if (!is_full || left < SP_IDLE_BLOCK) {
      sp_idle_push(idle, slot);
      slot += step;
      left--;
      continue;
    }
    const uint32_t begin = idle->lifo ? slot + last * step : slot; /* of the block, as it would lie in memory */
    const bool is_empty = !idle->take, is_down = (step == 1) == idle->lifo;
    set_run(idle, add_position(idle, is_empty), is_down ? begin | SP_IDLE_DOWN : begin);
    if (is_empty)
      begin_block(idle, false);
    if (!idle->lifo)
      idle->put = idle->put_end = idle->take_end;
    idle->count += SP_IDLE_BLOCK;
    slot += step * SP_IDLE_BLOCK;
    left -= SP_IDLE_BLOCK;
  }
  if (idle->take && !idle->blocks[idle->first & idle->mask])
    begin_block(idle, false);
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
