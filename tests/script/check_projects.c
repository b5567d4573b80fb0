/*
** Random projects of Lua modules and classes, each in a process of its own, that are edited at random and played
** meanwhile: the game has what a model of it has, which knows the purpose of each edit (tests/lua/played_game.lua).
** SP_PROJECTS=8 plays eight times as many, as `make check-slow` does; `make soak-edits` goes on for longer.
*/
#include "support/process.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

/* GAMES: of each of two processes. SHOWN: a script is long, and its end says how to see all. */
enum { PATIENCE = 1200, GAMES = 30, SHOWN = 1500 };

#define LUA "$(command -v lua5.4 || command -v lua)"

static const char *end_of(const char *text, size_t size) { return size > SHOWN ? text + size - SHOWN : text; }

static test_group tcase = {"projects", .timeout = PATIENCE};

TEST(tcase, random_projects_keep_what_they_have_through_edits)
{
  if (strcmp(test_tool(), "") != 0) {
    test_skip("random_projects_keep_what_they_have_through_edits", "only on a plain build");
    return;
  }
  const char *times = getenv("SP_PROJECTS");
  int count = GAMES * (times ? atoi(times) : 1);
  test_process p = test_run(PATIENCE,
                            "export LUA_CPATH='%s/?.so'; play() { " LUA " tests/fuzz/played_projects.lua %d $1; }; "
                            "play 1 & first=$!; play 100001 >&2; second=$?; wait $first && [ $second = 0 ]",
                            SP_BUILD_DIR, count);
  ck_assert_msg(p.status == 0, "%s%s", end_of(p.out, p.out_size), end_of(p.err, p.err_size));
  test_process_free(&p);
}

SUITE(projects, &tcase)
