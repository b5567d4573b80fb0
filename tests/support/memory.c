/*
** A block is: head (size, mark), the caller's bytes, tail guard. New bytes are filled, so that a read before the first
** write shows; freed ones too.
*/
#include "support/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 16, FRESH = 0xCD, FREED = 0xDD, EDGE = 0xFD };
#define MARK ((uint64_t)0x5350424c4f434b21)

typedef struct head {
  _Alignas(max_align_t) size_t size;
  uint64_t mark;
} head;

static unsigned char *body_of(head *h) { return (unsigned char *)(h + 1); }

static bool is_intact(head *h)
{
  if (h->mark != MARK)
    return false;
  for (size_t i = 0; i < GUARD; i++)
    if (body_of(h)[h->size + i] != EDGE)
      return false;
  return true;
}

static void *block_new(test_memory *memory, size_t size)
{
  head *h = size < SIZE_MAX - sizeof *h - GUARD ? malloc(sizeof *h + size + GUARD) : NULL;
  if (!h)
    return NULL;
  *h = (head){.size = size, .mark = MARK};
  memset(body_of(h), FRESH, size);
  memset(body_of(h) + size, EDGE, GUARD);
  memory->blocks++;
  memory->bytes += size;
  if (memory->bytes > memory->peak)
    memory->peak = memory->bytes;
  return body_of(h);
}

static void block_free(test_memory *memory, head *h)
{
  memory->blocks--;
  memory->bytes -= h->size;
  h->mark = 0;
  memset(body_of(h), FREED, h->size);
  free(h);
}

static bool is_refused(test_memory *memory)
{
  memory->calls++;
  bool refused = memory->fail_at &&
                 (memory->calls == memory->fail_at || (memory->keep_failing && memory->calls > memory->fail_at));
  memory->refused += refused;
  return refused;
}

void *test_memory_fn(void *ud, void *ptr, size_t old_size, size_t new_size)
{
  test_memory *memory = ud;
  if (!ptr) /* old_size says nothing then: Lua passes the kind of object */
    return new_size == 0 || is_refused(memory) ? NULL : block_new(memory, new_size);
  head *h = (head *)ptr - 1;
  if (!is_intact(h)) {
    memory->broken_guards++;
    return NULL;
  }
  if (h->size != old_size)
    memory->wrong_sizes++;
  if (new_size == 0) {
    block_free(memory, h);
    return NULL;
  }
  if (new_size > h->size && is_refused(memory))
    return NULL;
  void *moved = block_new(memory, new_size);
  if (!moved)
    return new_size <= h->size ? ptr : NULL; /* Lua relies on shrinking */
  memcpy(moved, ptr, new_size < h->size ? new_size : h->size);
  block_free(memory, h);
  return moved;
}

bool test_memory_is_clean(const test_memory *memory)
{
  return memory->bytes == 0 && memory->blocks == 0 && memory->wrong_sizes == 0 && memory->broken_guards == 0;
}
