/*
** For tests of the house from outside: command lines that must end as the test says, on a build as people have it.
*/
#ifndef SP_TESTS_SHELL_H
#define SP_TESTS_SHELL_H

#include <check.h>
#include <string.h>

#include "support/process.h"
#include "support/test.h"

/* Runs a command line that must exit with `expected`; what it printed is shown otherwise. */
#define EXPECT_STATUS(expected, ...)                                                                                   \
  do {                                                                                                                 \
    test_process process = test_run(300, __VA_ARGS__);                                                                 \
    ck_assert_msg(process.status == (expected), "exit status %d\n%s%s", process.status, process.out, process.err);     \
    test_process_free(&process);                                                                                       \
  } while (0)

/* The command must find nothing: it prints what breaks a rule. */
#define EXPECT_NOTHING(...)                                                                                            \
  do {                                                                                                                 \
    test_process process = test_run(30, __VA_ARGS__);                                                                  \
    ck_assert_msg(process.out_size == 0 && process.err_size == 0, "%s%s", process.out, process.err);                   \
    test_process_free(&process);                                                                                       \
  } while (0)

/* A test that runs on a plain build only. */
#define PLAIN_TEST(group, name)                                                                                        \
  static void name##_plain(void);                                                                                      \
  TEST(group, name)                                                                                                    \
  {                                                                                                                    \
    if (is_plain_build(#name))                                                                                         \
      name##_plain();                                                                                                  \
  }                                                                                                                    \
  static void name##_plain(void)

/* A plain build is what gets installed; and these tests run whole compilers, which a tool would only slow down. */
static inline bool is_plain_build(const char *test)
{
  bool plain = strcmp(test_tool(), "") == 0;
  if (!plain)
    test_skip(test, "only on a plain build");
  return plain;
}

/* Returns whether a command line succeeds: a missing program is reported, and its test is skipped. */
static inline bool is_here(const char *test, const char *what, const char *command)
{
  test_process probe = test_run(20, "%s", command);
  bool here = probe.status == 0;
  if (!here)
    test_skip(test, what);
  test_process_free(&probe);
  return here;
}

#endif
