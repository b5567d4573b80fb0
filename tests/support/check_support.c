/*
** The test tools themselves: a tool that never fails is worth nothing.
*/
#include "support/memory.h"
#include "support/process.h"
#include "support/test.h"

#include <signal.h>
#include <string.h>

static test_group memory_tests = {"memory"};
static test_group process = {"process"};

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

TEST(process, a_process_tells_its_output_and_status)
{
  test_process p = test_run(10, "echo out; echo err >&2; exit %d", 3);
  ck_assert_str_eq(p.out, "out\n");
  ck_assert_str_eq(p.err, "err\n");
  ck_assert_int_eq(p.status, 3);
  ck_assert(!p.timed_out);
  test_process_free(&p);
}

/* In a shell, a trap for a signal that was ignored from the start does nothing. */
TEST(process, a_process_gets_signals_whatever_was_done_to_them_here)
{
  sigset_t all, before;
  sigfillset(&all);
  signal(SIGUSR1, SIG_IGN);
  sigprocmask(SIG_SETMASK, &all, &before);
  test_process p = test_run(10, "trap 'echo heard' USR1; kill -USR1 $$; echo done");
  signal(SIGUSR1, SIG_DFL);
  sigprocmask(SIG_SETMASK, &before, NULL);
  ck_assert_str_eq(p.out, "heard\ndone\n");
  test_process_free(&p);
}

TEST(process, a_process_that_hangs_is_ended_with_its_children)
{
  static const char *const commands[] = {"echo a; sleep 9 & sleep 9", "echo a; exec >&- 2>&-; sleep 9"};
  for (int i = 0; i < 2; i++) {
    test_process p = test_run(0.2, "%s", commands[i]);
    ck_assert(p.timed_out);
    ck_assert_int_eq(p.status, 128 + 9);
    ck_assert_str_eq(p.out, "a\n");
    ck_assert_double_lt(p.seconds, 5);
    test_process_free(&p);
  }
}

SUITE(support, &memory_tests, &process)
