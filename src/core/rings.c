#include "core/rings.h"

#include <string.h>

#include "core/state.h"

/* {== Idle slots ========================================================= */

static uint32_t block_of(const sp_idle *idle, uint32_t at) { return at / SP_IDLE_BLOCK & idle->mask; }

static uint32_t *seat_at(const sp_idle *idle, uint32_t at)
{
  return &idle->blocks[block_of(idle, at)][at % SP_IDLE_BLOCK];
}

/* The position of the entry at `index`, longest idle first. */
static uint32_t position(const sp_idle *idle, uint32_t index)
{
  return idle->lifo ? idle->tail - 1 - index : idle->head + index;
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

/* A full block of a pool that grows, or is emptied in order, is a run: then nothing has to look at its slots. */
static void note_run(sp_idle *idle, uint32_t at)
{
  const uint32_t *slots = idle->blocks[block_of(idle, at)], first = slots[0];
  uint32_t up = 0, down = 0;
  for (uint32_t i = 0; i < SP_IDLE_BLOCK; i++) {
    up |= slots[i] ^ (first + i);
    down |= slots[i] ^ (first - i);
  }
  idle->runs[block_of(idle, at)] = up == 0 ? first : down == 0 ? first | SP_IDLE_DOWN : SP_IDLE_MIXED;
}

static void enter(sp_idle *idle, uint32_t at)
{
  const uint32_t block = block_of(idle, at), begin = at / SP_IDLE_BLOCK * SP_IDLE_BLOCK;
  if (!idle->blocks[block])
    idle->blocks[block] = take_spare(idle);
  idle->runs[block] = SP_IDLE_MIXED;
  if (idle->lifo) {
    idle->front = idle->blocks[block];
    if (idle->tail - begin >= 2 * SP_IDLE_BLOCK)
      note_run(idle, begin + SP_IDLE_BLOCK);
  } else {
    idle->back = idle->blocks[block];
    if (idle->head == at)
      idle->front = idle->back;
    else if (begin - idle->head >= SP_IDLE_BLOCK || idle->head % SP_IDLE_BLOCK == 0)
      note_run(idle, begin - SP_IDLE_BLOCK);
  }
}

SP_COLD sp_result sp_idle_push_first(sp_idle *idle, uint32_t slot)
{
  if (idle->lifo) {
    enter(idle, --idle->head);
    idle->front[SP_IDLE_BLOCK - 1] = slot;
  } else {
    enter(idle, idle->tail);
    idle->back[0] = slot;
    idle->tail++;
  }
  return SP_OK;
}

SP_COLD uint64_t sp_idle_leave(sp_idle *idle, uint64_t value)
{
  const uint32_t left = block_of(idle, idle->head - 1);
  add_spare(idle, idle->blocks[left]);
  idle->blocks[left] = NULL;
  idle->front = idle->blocks[block_of(idle, idle->head)];
  return value;
}

/* One block more than the slots fill, for those that are filled in part. */
static uint32_t blocks_for(uint32_t capacity) { return capacity / SP_IDLE_BLOCK + 2; }

/* Doubles the directory: the blocks in use get their new places. */
static bool extend_directory(sp_idle *idle, sp_memory *memory)
{
  uint32_t have = idle->blocks ? idle->mask + 1 : 0, want = have ? have * 2 : 4;
  uint32_t **blocks = sp_memory_extend(memory, NULL, 0, want, sizeof *blocks + sizeof *idle->runs);
  if (!blocks)
    return false;
  uint32_t *runs = (uint32_t *)(void *)(blocks + want);
  for (uint32_t i = 0, first = idle->head / SP_IDLE_BLOCK; i < have; i++) {
    blocks[(first + i) & (want - 1)] = idle->blocks[(first + i) & idle->mask];
    runs[(first + i) & (want - 1)] = idle->runs[(first + i) & idle->mask];
  }
  sp_memory_free(memory, idle->blocks, have * (sizeof *blocks + sizeof *runs));
  idle->blocks = blocks;
  idle->runs = runs;
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
    if (idle->blocks[i]) {
      add_spare(idle, idle->blocks[i]);
      idle->blocks[i] = NULL;
    }
  idle->front = idle->back = NULL;
  idle->head = idle->tail = 0;
}

void sp_idle_free(sp_idle *idle, sp_memory *memory)
{
  sp_idle_clear(idle);
  while (idle->spare)
    sp_memory_free(memory, take_spare(idle), SP_IDLE_BLOCK * sizeof *idle->spare);
  sp_memory_free(memory, idle->blocks, (idle->mask + 1) * (sizeof *idle->blocks + sizeof *idle->runs));
  *idle = (sp_idle){.lifo = idle->lifo};
}

/* Must be called after slots have changed places: there may be no runs any more, and the ends may be in other blocks.
   */
static void settle(sp_idle *idle)
{
  for (uint32_t i = 0; idle->blocks && i <= idle->mask; i++)
    idle->runs[i] = SP_IDLE_MIXED;
  if (idle->blocks) {
    idle->front = idle->blocks[block_of(idle, idle->head)];
    idle->back = idle->blocks[block_of(idle, idle->tail)];
  }
}

void sp_idle_set_order(sp_idle *idle, bool lifo)
{
  if (lifo == idle->lifo)
    return;
  idle->lifo = lifo;
  for (uint32_t i = 0, count = sp_idle_count(idle); i < count / 2; i++) {
    uint32_t *one = seat_at(idle, idle->head + i), *other = seat_at(idle, idle->tail - 1 - i);
    uint32_t slot = *one;
    *one = *other;
    *other = slot;
  }
  settle(idle);
}

uint32_t sp_idle_get(const sp_idle *idle, uint32_t index) { return *seat_at(idle, position(idle, index)); }

/* Closes the gap by moving the entries on the side at which slots are added. */
void sp_idle_remove(sp_idle *idle, uint32_t index)
{
  for (uint32_t i = index, last = sp_idle_count(idle) - 1; i < last; i++)
    *seat_at(idle, position(idle, i)) = *seat_at(idle, position(idle, i + 1));
  if (idle->lifo)
    sp_idle_drop(idle, 0);
  else
    idle->tail--;
  settle(idle);
}

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

uint32_t sp_idle_runs(const sp_idle *idle, sp_run *runs)
{
  uint32_t count = 0, all = sp_idle_count(idle);
  sp_run last = {0};
  for (uint32_t i = 0, part, k; i < all; i += part) {
    const uint32_t at = position(idle, i), in = at % SP_IDLE_BLOCK;
    bool is_run = idle->runs[block_of(idle, at)] != SP_IDLE_MIXED;
    part = idle->lifo ? in + 1 : SP_IDLE_BLOCK - in;
    part = part < all - i ? part : all - i;
    for (k = 0; k < part && (k < 3 || !is_run); k++)
      count = add_slot(runs, count, &last, sp_idle_get(idle, i + k));
    if (k == part)
      continue;
    last.count += last.count > 0 ? (int32_t)(part - k) : -(int32_t)(part - k); /* three of a run tell its direction */
    if (runs)
      runs[count - 1] = last;
  }
  return count;
}

void sp_idle_add_run(sp_idle *idle, sp_run run)
{
  uint32_t slot = run.first, step = run.count < 0 ? UINT32_MAX : 1;
  for (int32_t left = run.count < 0 ? -run.count : run.count; left > 0; left--, slot += step)
    sp_idle_push(idle, slot);
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
