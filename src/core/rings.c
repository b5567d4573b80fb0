#include "core/rings.h"

#include <string.h>

#include "core/state.h"

/* {== Idle slots ========================================================= */

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

static void begin_first(sp_idle *idle)
{
  idle->take = block_of(idle, idle->first);
  idle->take_end = idle->take + SP_IDLE_BLOCK;
}

/* The last block is full, and may be written to again. */
static void end_last(sp_idle *idle)
{
  idle->put = idle->put_end = block_of(idle, idle->last) + SP_IDLE_BLOCK;
  set_run(idle, idle->last, SP_IDLE_MIXED);
}

/* Adds a position at the end, and returns it. */
static uint32_t add_position(sp_idle *idle) { return idle->take ? ++idle->last : (idle->last = idle->first); }

SP_COLD sp_result sp_idle_push_first(sp_idle *idle, uint32_t slot)
{
  if (idle->count >= SP_IDLE_BLOCK)
    note_run(idle, idle->last);
  const uint32_t position = add_position(idle);
  idle->put = idle->blocks[position & idle->mask] = take_spare(idle);
  idle->put_end = idle->put + SP_IDLE_BLOCK;
  set_run(idle, position, SP_IDLE_MIXED);
  if (!idle->take)
    begin_first(idle);
  return sp_idle_push(idle, slot);
}

/* Goes on to the next block from the first one, or back from the last one, of which no slot is left. */
static void leave_block(sp_idle *idle, bool back)
{
  const bool was_only = idle->first == idle->last;
  spare_block(idle, back ? idle->last-- : idle->first++);
  if (was_only)
    idle->take = idle->take_end = idle->put = idle->put_end = NULL;
  else if (back)
    end_last(idle);
  else
    begin_first(idle);
}

SP_COLD uint64_t sp_idle_leave(sp_idle *idle, uint64_t value)
{
  leave_block(idle, idle->lifo);
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
  idle->take = idle->take_end = idle->put = idle->put_end = NULL;
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

/* Adds the blocks after that at `position` that go on with a run, to `most` slots. Long stretches are noted, and then
   skipped. */
static void extend_piece(const sp_idle *idle, sp_piece *it, uint32_t position, uint32_t most)
{
  const uint32_t by = it->step * SP_IDLE_BLOCK, skipped = SP_IDLE_LONG - 1;
  uint32_t next = idle->runs[position & idle->mask] + by, at = position + 1, whole = 0;
  for (; it->count + SP_IDLE_BLOCK <= most && idle->runs[at & idle->mask] == next; at++, next += by) {
    uint8_t *is_long = &idle->is_long[(at & idle->mask) / SP_IDLE_LONG];
    it->count += SP_IDLE_BLOCK;
    whole = at % SP_IDLE_LONG == 0 ? 1 : whole + (whole > 0);
    if (whole == 1 && *is_long && it->count + skipped * SP_IDLE_BLOCK <= most) {
      it->count += skipped * SP_IDLE_BLOCK;
      at += skipped;
      next += skipped * by;
    } else if (whole == SP_IDLE_LONG && idle->mask >= SP_IDLE_LONG) {
      *is_long = 1;
    }
  }
}

/* Returns the slots from `index` on that lie in one piece, to `most`. */
static sp_piece piece_at(const sp_idle *idle, uint32_t index, uint32_t most)
{
  const uint32_t place = (uint32_t)(idle->take - idle->blocks[idle->first & idle->mask]) + index;
  const uint32_t position = idle->first + place / SP_IDLE_BLOCK, in = place % SP_IDLE_BLOCK;
  const uint32_t run = idle->runs[position & idle->mask], *block = idle->blocks[position & idle->mask];
  sp_piece it = {.slots = block ? block + in : NULL, .count = SP_IDLE_BLOCK - in};
  if (it.count > most)
    it.count = most;
  if (run == SP_IDLE_MIXED)
    return it;
  it.first = run & SP_IDLE_DOWN ? (run & ~SP_IDLE_DOWN) - in : run + in;
  it.step = run & SP_IDLE_DOWN ? UINT32_MAX : 1;
  extend_piece(idle, &it, position, most);
  return it;
}

static uint32_t slot_of(const sp_piece *it, uint32_t index)
{
  return it->step ? it->first + index * it->step : it->slots[index];
}

static uint32_t length_of(sp_run run) { return (uint32_t)(run.count < 0 ? -run.count : run.count); }

uint32_t sp_idle_get(const sp_idle *idle, uint32_t index)
{
  const sp_piece it = piece_at(idle, index, 1);
  return slot_of(&it, 0);
}

/* Closes the gap: all later slots move. */
void sp_idle_remove(sp_idle *idle, uint32_t index)
{
  const uint32_t first = (uint32_t)(idle->take - idle->blocks[idle->first & idle->mask]);
  for (uint32_t at = first + index; index + 1 < idle->count; index++, at++) {
    const uint32_t position = idle->first + at / SP_IDLE_BLOCK;
    block_of(idle, position)[at % SP_IDLE_BLOCK] = sp_idle_get(idle, index + 1);
    set_run(idle, position, SP_IDLE_MIXED);
  }
  idle->count--;
  if (--idle->put == idle->put_end - SP_IDLE_BLOCK)
    leave_block(idle, true);
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

/* Whole blocks of the run get no memory yet, but for the first one and the last one. */
void sp_idle_add_run(sp_idle *idle, sp_run run)
{
  const uint32_t step = run.count < 0 ? UINT32_MAX : 1;
  for (uint32_t left = length_of(run), slot = run.first; left > 0;) {
    if (idle->put != idle->put_end || left < SP_IDLE_BLOCK) {
      sp_idle_push(idle, slot);
      slot += step;
      left--;
      continue;
    }
    set_run(idle, add_position(idle), step == 1 ? slot : slot | SP_IDLE_DOWN);
    if (!idle->take)
      begin_first(idle);
    idle->put = idle->put_end = idle->take_end; /* the block counts as full; end_last mends the last one */
    idle->count += SP_IDLE_BLOCK;
    slot += step * SP_IDLE_BLOCK;
    left -= SP_IDLE_BLOCK;
  }
  if (idle->take && idle->put == idle->put_end)
    end_last(idle);
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
