/*
** Random projects of Lua modules and pools that are played between edits: after each edit the game has what a model of
** it has, which knows what the edit was made for. tests/lua/played_game.lua has the rules; `make soak-edits` goes on
** for longer.
*/
#include "support/process.h"
#include "support/test.h"

#include <string.h>

enum { GAMES = 250, PATIENCE = 240, SHOWN = 1500 }; /* SHOWN: a script is long, and its end says how to see all */

#define LUA "$(command -v lua5.4 || command -v lua)"

static test_group tcase = {"games", .timeout = PATIENCE};

static const char *end_of(const char *text)
{
  size_t length = strlen(text);
  return length > SHOWN ? text + length - SHOWN : text;
}

/* Two processes, one for each half of the games. */
TEST(tcase, a_game_keeps_what_it_has_through_edits)
{
  if (strcmp(test_tool(), "") != 0) {
    test_skip("a_game_keeps_what_it_has_through_edits", "only on a plain build");
    return;
  }
  test_process p = test_run(PATIENCE,
                            "export LUA_CPATH='%s/?.so'; play() { " LUA " tests/fuzz/played_projects.lua %d $1; }; "
                            "play 1 & first=$!; play 100001 >&2; second=$?; wait $first && [ $second = 0 ]",
                            SP_BUILD_DIR, GAMES);
  ck_assert_msg(p.status == 0, "%s%s", end_of(p.out), end_of(p.err));
  test_process_free(&p);
}

SUITE(played_projects, &tcase)
