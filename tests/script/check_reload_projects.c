/*
** Random projects of Lua modules, edited at random while they run: after each edit the running program is what a fresh
** load of the new texts is, with the game's own changes, and nothing else has changed. tests/lua/reload_oracle.lua has
** the rules; `make soak-edits` goes on for longer.
*/
#include "support/process.h"
#include "support/test.h"

#include <string.h>

enum { EDITS = 400, PATIENCE = 240 };

#define LUA "$(command -v lua5.4 || command -v lua)"

static test_group tcase = {"projects", .timeout = PATIENCE};

/* Two processes, one for each half of the edits. */
TEST(tcase, random_edits_of_random_projects_leave_what_a_fresh_load_has)
{
  if (strcmp(test_tool(), "") != 0) {
    test_skip("random_edits_of_random_projects_leave_what_a_fresh_load_has", "only on a plain build");
    return;
  }
  test_process p = test_run(PATIENCE,
                            "export LUA_CPATH='%s/?.so'; play() { " LUA " tests/fuzz/reload_projects.lua %d $1; }; "
                            "play 1 & first=$!; play 100001 >&2; second=$?; wait $first && [ $second = 0 ]",
                            SP_BUILD_DIR, EDITS);
  ck_assert_msg(p.status == 0, "%s%s", p.out, p.err);
  test_process_free(&p);
}

SUITE(reload_projects, &tcase)
