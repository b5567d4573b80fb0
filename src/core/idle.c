#include "core/idle.h"

#include <string.h>

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

static uint32_t **idle_block(const sp_idle *idle, uint32_t position) { return &idle->blocks[position & idle->mask]; }

static void spare_block(sp_idle *idle, uint32_t position)
{
  add_spare(idle, *idle_block(idle, position));
  *idle_block(idle, position) = NULL;
}

static void begin_first(sp_idle *idle)
{
  idle->take = *idle_block(idle, idle->first);
  idle->take_end = idle->take + SP_IDLE_BLOCK;
}

/* The last block is full, and may be written to again. */
static void end_last(sp_idle *idle) { idle->put = idle->put_end = *idle_block(idle, idle->last) + SP_IDLE_BLOCK; }

SP_COLD void sp_idle_push_first(sp_idle *idle, uint32_t slot)
{
  idle->last = idle->take ? idle->last + 1 : idle->first;
  idle->put = *idle_block(idle, idle->last) = take_spare(idle);
  idle->put_end = idle->put + SP_IDLE_BLOCK;
  if (!idle->take)
    begin_first(idle);
  sp_idle_push(idle, slot);
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

SP_COLD void sp_idle_leave(sp_idle *idle) { leave_block(idle, idle->lifo); }

/* Doubles the directory: the blocks in use get their new places. */
static bool extend_directory(sp_idle *idle, sp_memory *memory)
{
  uint32_t have = idle->blocks ? idle->mask + 1 : 0, want = have ? have * 2 : 4;
  uint32_t **blocks = sp_memory_extend(memory, NULL, 0, want, sizeof *blocks);
  if (!blocks)
    return false;
  for (uint32_t i = 0; i < have; i++)
    blocks[(idle->first + i) & (want - 1)] = *idle_block(idle, idle->first + i);
  sp_memory_free(memory, idle->blocks, have * sizeof *blocks);
  idle->blocks = blocks;
  idle->mask = want - 1;
  return true;
}

/* One block more than the slots fill, for those that are filled in part. */
bool sp_idle_reserve(sp_idle *idle, sp_memory *memory, uint32_t capacity)
{
  while (idle->block_count < capacity / SP_IDLE_BLOCK + 2) {
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
  idle->take = idle->take_end = idle->put = idle->put_end = NULL;
}

void sp_idle_free(sp_idle *idle, sp_memory *memory)
{
  sp_idle_clear(idle);
  while (idle->spare)
    sp_memory_free(memory, take_spare(idle), SP_IDLE_BLOCK * sizeof *idle->spare);
  if (idle->blocks)
    sp_memory_free(memory, idle->blocks, (idle->mask + 1) * sizeof *idle->blocks);
  *idle = (sp_idle){.lifo = idle->lifo};
}

size_t sp_idle_bytes(const sp_idle *idle)
{
  size_t directory = idle->blocks ? (idle->mask + 1) * sizeof *idle->blocks : 0;
  return directory + idle->block_count * SP_IDLE_BLOCK * sizeof *idle->spare;
}

const uint32_t *sp_idle_piece(const sp_idle *idle, uint32_t index, uint32_t *count)
{
  const uint32_t place = (uint32_t)(idle->take - *idle_block(idle, idle->first)) + index, in = place % SP_IDLE_BLOCK;
  const uint32_t left = idle->count - index, room = SP_IDLE_BLOCK - in;
  *count = left < room ? left : room;
  return *idle_block(idle, idle->first + place / SP_IDLE_BLOCK) + in;
}

uint32_t sp_idle_get(const sp_idle *idle, uint32_t index)
{
  uint32_t count;
  return *sp_idle_piece(idle, index, &count);
}

/* Closes the gap: all later slots move. */
void sp_idle_remove(sp_idle *idle, uint32_t index)
{
  const uint32_t first = (uint32_t)(idle->take - *idle_block(idle, idle->first));
  for (uint32_t at = first + index; index + 1 < idle->count; index++, at++)
    (*idle_block(idle, idle->first + at / SP_IDLE_BLOCK))[at % SP_IDLE_BLOCK] = sp_idle_get(idle, index + 1);
  idle->count--;
  if (--idle->put == idle->put_end - SP_IDLE_BLOCK)
    leave_block(idle, true);
}
