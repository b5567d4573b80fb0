/*
** Runs a command line and keeps what it said, for tests of the programs and tools from outside.
**
**   test_process p = test_run(10, "%s/embed/hello %d", SP_BUILD_DIR, 3);
**   ck_assert_msg(p.status == 0, "%s", p.err);
**   test_process_free(&p);
*/
#ifndef SP_TESTS_PROCESS_H
#define SP_TESTS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

#include "support/files.h"

typedef struct test_process {
  int status;     /* exit status; 128 + signal when killed by one; -1 when it could not start */
  bool timed_out; /* it and its children were killed */
  double seconds;
  char *out; /* stdout and stderr, never NULL, with a final NUL */
  char *err;
  size_t out_size, err_size;
} test_process;

/* Test processes for each processor. */
enum { JOBS_FOR_EACH = 2 };

/* How many times longer than on a quiet machine anything may take: CK_TIMEOUT_MULTIPLIER, which Check reads too, or
   more when more processes wait for a processor now. */
double test_patience(void);

/* Runs a /bin/sh command line with empty input, for `seconds` times test_patience() at most, without the variables of a
 * calling make. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
test_process
test_run(double seconds, const char *format, ...);
void test_process_free(test_process *process);

/* A new empty folder outside the tree. */
bool test_folder_make(char *path, size_t size);

/* For the runner: what a failed test leaves behind goes at the end of the run. */
void test_folders_begin(void);
void test_folders_end(void);

/* "asan", "tsan", "valgrind", "coverage", or "" when the suites run on a plain build. */
const char *test_tool(void);

/* Says on stdout that a test was skipped, and why. The test then returns. */
void test_skip(const char *test, const char *why);

#endif
