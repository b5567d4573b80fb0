/*
** The lines about long runs.
*/
#include "demo/support/report.h"
#include "support/test.h"

#include <string.h>

static test_group lines = {"progress"};

TEST(lines, a_terminal_hears_soon_and_a_log_late)
{
  progress p;
  char line[PROGRESS_MOST];
  progress_start(&p, true, 100);
  ck_assert(!progress_line(&p, 104.9, 1000, 4000, 16, line));
  ck_assert(progress_line(&p, 105, 1000, 4000, 16.6, line));
  ck_assert_str_eq(line, "frame 1000 of 4000 (25%), 200 a second, 17 s of game time, about 15 s to go");
  ck_assert(!progress_line(&p, 109, 1400, 4000, 23, line));
  ck_assert(progress_line(&p, 110, 3500, UINT64_MAX, 58, line));
  ck_assert_str_eq(line, "frame 3500, 500 a second, 58 s of game time");
  progress_start(&p, false, 100);
  ck_assert(!progress_line(&p, 159, 1000, 4000, 16, line));
  ck_assert(progress_line(&p, 160, 1000, 4000, 16, line));
}

TEST(lines, progress_that_never_began_is_silent)
{
  progress p = {.every = 0};
  char line[PROGRESS_MOST];
  ck_assert(!progress_line(&p, 1e9, 1000, 4000, 16, line));
}

TEST(lines, a_run_that_stands_still_promises_nothing)
{
  progress p;
  char line[PROGRESS_MOST];
  progress_start(&p, true, 0);
  ck_assert(progress_line(&p, 10, 0, UINT64_MAX - 1, 1e300, line));
  ck_assert_ptr_null(strstr(line, "to go"));
}

SUITE(progress, &lines)
