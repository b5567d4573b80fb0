/*
** Random projects of Lua modules and classes, each in a process of its own. `reload_projects` edits them at random:
** after each edit the program is what a fresh load of the new texts is, with the changes of the game, and nothing else
** has changed (tests/lua/reload_oracle.lua). `played_projects` plays them between edits: the game has what a model of
** it has, which knows the purpose of each edit (tests/lua/played_game.lua). SP_PROJECTS=8 plays eight times as many, as
** `make check-slow` does; `make soak-edits` goes on for longer.
*/
#include "support/process.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

enum { PATIENCE = 1200, SHOWN = 1500 }; /* SHOWN: a script is long, and its end says how to see all */

#define LUA "$(command -v lua5.4 || command -v lua)"

static const struct {
  const char *script;
  int count; /* edits, or games, for each of two processes */
} rows[] = {{"reload_projects", 60}, {"played_projects", 25}};

static const char *end_of(const char *text)
{
  size_t length = strlen(text);
  return length > SHOWN ? text + length - SHOWN : text;
}

static test_group tcase = {"projects", .timeout = PATIENCE};

TESTS(tcase, random_projects_keep_what_they_have_through_edits, sizeof rows / sizeof *rows)
{
  if (strcmp(test_tool(), "") != 0) {
    test_skip("random_projects_keep_what_they_have_through_edits", "only on a plain build");
    return;
  }
  const char *times = getenv("SP_PROJECTS");
  int count = rows[_i].count * (times ? atoi(times) : 1);
  test_process p = test_run(PATIENCE,
                            "export LUA_CPATH='%s/?.so'; play() { " LUA " tests/fuzz/%s.lua %d $1; }; "
                            "play 1 & first=$!; play 100001 >&2; second=$?; wait $first && [ $second = 0 ]",
                            SP_BUILD_DIR, rows[_i].script, count);
  ck_assert_msg(p.status == 0, "%s%s", end_of(p.out), end_of(p.err));
  test_process_free(&p);
}

SUITE(projects, &tcase)
