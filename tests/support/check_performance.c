/*
** docs/performance.md has the aims of tests/bench and the verdicts of its figures, and the hot paths take no more
** instructions than before. No test depends on times.
*/
#include "support/shell.h"

#include <string.h>

static test_group performance = {"performance", .timeout = 90};

TEST(performance, the_page_has_every_aim_and_its_verdict)
{
  EXPECT_STATUS(0, "$(command -v lua5.4 || command -v lua) tests/bench/bench.lua --check");
}

PLAIN_TEST(performance, no_hot_path_takes_more_instructions_than_before)
{
  test_process p = test_run(60, "BUILD='" SP_BUILD_DIR "' CC='" SP_CC "' sh tests/bench/count/count.sh --check");
  ck_assert_msg(p.status == 0, "%s%s", p.out, p.err);
  if (!strstr(p.out, "none dearer"))
    test_skip("no_hot_path_takes_more_instructions_than_before", p.out);
  test_process_free(&p);
}

PLAIN_TEST(performance, work_over_eight_times_as_many_things_takes_at_most_ten_times_the_instructions)
{
  test_process p = test_run(60, "BUILD='" SP_BUILD_DIR "' CC='" SP_CC "' sh tests/bench/count/count.sh --curves");
  ck_assert_msg(p.status == 0, "%s%s", p.out, p.err);
  if (!strstr(p.out, "0 bent"))
    test_skip("work_over_eight_times_as_many_things_takes_at_most_ten_times_the_instructions", p.out);
  test_process_free(&p);
}

SUITE(performance, &performance)
