/*
** An allocator that counts, checks and fails on demand. test_memory_fn has the shape of sp_memory_fn and of lua_Alloc:
** pass it with a test_memory as its user data. Blocks always move when they change size, and carry guards, so that a
** stale pointer or a write past the end shows.
**
**   test_memory memory = {.fail_at = 3};         -- the third growing call is refused
**   ... use it ...
**   ck_assert(test_memory_is_clean(&memory));    -- all given back, all sizes told right, no guard touched
*/
#ifndef SP_TESTS_MEMORY_H
#define SP_TESTS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct test_memory {
  size_t bytes;         /* in use now */
  size_t peak;          /* most bytes in use at once */
  size_t blocks;        /* in use now */
  size_t calls;         /* calls that asked for more: a new block, or a larger one */
  size_t fail_at;       /* refuse that call, counted from 1; 0: never */
  bool keep_failing;    /* and every growing call after it */
  size_t refused;       /* calls refused */
  size_t wrong_sizes;   /* calls whose old_size was not the size of the block */
  size_t broken_guards; /* blocks written past their end, freed twice, or not ours */
} test_memory;

void *test_memory_fn(void *ud, void *ptr, size_t old_size, size_t new_size);

/* Returns whether no byte is in use, and no call was wrong. */
bool test_memory_is_clean(const test_memory *memory);

#endif
