/*
** The allocator of the tests: if it missed a wrong size or an overrun, every suite would still be green.
*/
#include "support/memory.h"
#include "support/test.h"

static test_group memory_tests = {"memory"};

TEST(memory_tests, memory_counts_and_fails_on_demand)
{
  test_memory memory = {.fail_at = 2};
  char *block = test_memory_fn(&memory, NULL, 0, 100);
  ck_assert_ptr_nonnull(block);
  ck_assert_ptr_null(test_memory_fn(&memory, NULL, 0, 10));
  block[99] = 'x';
  block = test_memory_fn(&memory, block, 100, 300);
  ck_assert_int_eq(block[99], 'x');
  ck_assert_uint_eq(memory.bytes, 300);
  ck_assert_uint_eq(memory.blocks, 1);
  ck_assert_uint_eq(memory.refused, 1);
  ck_assert(!test_memory_is_clean(&memory));
  ck_assert_ptr_null(test_memory_fn(&memory, block, 300, 0));
  ck_assert(test_memory_is_clean(&memory));
  ck_assert_uint_eq(memory.peak, 400); /* a block that moves is there twice */
}

TEST(memory_tests, memory_sees_wrong_sizes_and_overruns)
{
  test_memory memory = {0};
  char *block = test_memory_fn(&memory, NULL, 0, 8);
  block = test_memory_fn(&memory, block, 7, 16);
  ck_assert_uint_eq(memory.wrong_sizes, 1);
  char kept = block[16];
  block[16] = 0;
  ck_assert_ptr_null(test_memory_fn(&memory, block, 16, 32));
  ck_assert_uint_eq(memory.broken_guards, 1);
  block[16] = kept;
  test_memory_fn(&memory, block, 16, 0);
  ck_assert_uint_eq(memory.blocks, 0);
}

SUITE(support, &memory_tests)
