/*
** docs/performance.md has the aims of tests/bench and the verdicts of its figures, and the hot paths take no more
** instructions than before. No test depends on times.
*/
#include "support/process.h"
#include "support/suites.h"
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#define LUA "$(command -v lua5.4 || command -v lua) "
#define COMPARE "awk -f tests/bench/count/compare.awk "

static char folder[256];

static void setup(void) { ck_assert(test_folder_make(folder, sizeof folder)); }

static void teardown(void) { test_folder_remove(folder); }

/* {== The page =========================================================== */

static test_group page = {"page", setup, teardown};
static test_group counts = {"counts", setup, teardown, 90};
static test_group peers = {"peers", setup, teardown};

#define CHECK LUA "tests/bench/page.lua --check "

TEST(page, the_page_has_every_aim_and_its_verdict)
{
  test_process p = test_run(30, CHECK "docs/performance.md");
  ck_assert_msg(p.status == 0, "%s", p.err);
  test_process_free(&p);
}

/* Each is an edit after which verdicts, figures and aims no longer agree. */
static const char *const forgeries[] = {
    "/| A life makes no garbage/ s/| 0.00 bytes/| 0.01 bytes/",
    "/| A life makes no garbage/d",
    "/| A life makes no garbage/ s/at most 0.00/at most 1.00/",
    "s/meets [0-9]* of/meets 99 of/",
};

TESTS(page, a_row_that_does_not_fit_is_found, sizeof forgeries / sizeof *forgeries)
{
  test_process p = test_run(30, "sed '%s' docs/performance.md >'%s/page.md' && " CHECK "'%s/page.md'", forgeries[_i],
                            folder, folder);
  ck_assert_msg(p.status == 1 && strncmp(p.err, "bench: ", 7) == 0, "%d: %s", p.status, p.err);
  test_process_free(&p);
}

/* }== */

/* {== Instructions ======================================================= */

TEST(counts, no_hot_path_takes_more_instructions_than_before)
{
  if (strcmp(test_tool(), "") != 0) {
    test_skip("no_hot_path_takes_more_instructions_than_before", "only on a plain build");
    return;
  }
  test_process p = test_run(60, "BUILD='" SP_BUILD_DIR "' CC='" SP_CC "' sh tests/bench/count/count.sh --check");
  ck_assert_msg(p.status == 0, "%s%s", p.out, p.err);
  if (!strstr(p.out, "none dearer"))
    test_skip("no_hot_path_takes_more_instructions_than_before", p.out);
  test_process_free(&p);
}

/* Compares the counts `now` with the kept ones. */
static test_process compared(const char *kept, const char *now)
{
  return test_run(10, "printf '%s' >'%s/kept' && printf '%s' >'%s/now' && " COMPARE "'%s/kept' '%s/now'", kept, folder,
                  now, folder, folder, folder);
}

#define KEPT "# words\\n\\nenvironment: old\\na 50\\nenvironment: this\\na 100.0\\nb 10\\n"

static const struct comparison {
  const char *now, *said;
  int status;
} comparisons[] = {
    {"environment: this\\na 103.9\\nb 10\\n", "2 paths, none dearer", 0},
    {"environment: this\\na 110.0\\nb 10\\n", "a takes 110.0 instructions, 100.0 before: +10.0 %", 1},
    {"environment: this\\na 80.0\\nb 10\\n", "RENEW=1 keeps the gain", 0},
    {"environment: this\\na 100.0\\nc 10\\n", "c: nothing is kept", 1},
    {"environment: new\\na 999.0\\n", "nothing is kept for this environment: new", 0},
};

TESTS(counts, counts_are_held_against_those_of_the_same_environment, sizeof comparisons / sizeof *comparisons)
{
  const struct comparison *it = &comparisons[_i];
  test_process p = compared(KEPT, it->now);
  ck_assert_msg(p.status == it->status && strstr(p.out, it->said) != NULL, "%d: %s%s", p.status, p.out, p.err);
  test_process_free(&p);
}

/* }== */

/* {== Peers ============================================================== */

/* A PATH with everything but LuaJIT, and nothing that could install it. A C++ compiler need not be here. */
TEST(peers, a_peer_that_is_missing_is_left_out)
{
  test_process p = test_run(30,
                            "mkdir '%s/bin' && ln -s /bin/* /usr/bin/* /usr/local/bin/* '%s/bin/' 2>/dev/null; "
                            "rm -f '%s'/bin/luajit* '%s'/bin/apt-get '%s'/bin/sudo && "
                            "PATH='%s/bin' BUILD='%s' CXX=true sh tests/support/deps.sh bench",
                            folder, folder, folder, folder, folder, folder, folder);
  ck_assert_msg(p.status == 0 && strstr(p.out, "luajit") != NULL, "%d: %s%s", p.status, p.out, p.err);
  test_process_free(&p);
}

/* }== */

SUITE(performance, &page, &counts, &peers)
