/*
** What editors and luacheck are told of the player's sandbox, against the sandbox: both ways.
*/
#include "demo/game_run.h"
#include "demo/play.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>

static char *text_of(const char *path)
{
  size_t size;
  return gamerun_read(path, &size);
}

static void play_copy(const char *name, const char *path, const char *before, const char *after)
{
  char *text = text_of(path), *whole = NULL;
  size_t size;
  FILE *out = open_memstream(&whole, &size);
  fprintf(out, "%s%s%s", before, text, after);
  fclose(out);
  play_write(name, whole);
  free(whole);
  free(text);
}

static test_group sandbox = {"sandbox", play_open, play_close, 120};

TEST(sandbox, both_know_the_sandbox_and_nothing_else)
{
  play_copy("main.lua", "tests/lua/sandbox_names.lua", "", "");
  play_copy("luacheck.lua", "lua/spawnpool/luacheck.lua", "", "");
  play_copy("annotations.lua", "lua/spawnpool/sandbox.d.lua", "return [==[", "]==]");
  RUN(PLAYER "--headless --frames 1 %s", play_folder);
  EXPECT_STATUS(0);
  ck_assert_str_eq(play_run.err, "");
  ck_assert_str_eq(play_run.out, "luacheck knows and there is not: \nthere is and is not known to luacheck: \n"
                                 "an editor knows and there is not: \nthere is and is not known to an editor: \n");
}

/* Each line of a game asks for something that the sandbox has not: every one is marked, in a new game's own
   settings. */
TEST(sandbox, luacheck_marks_what_the_sandbox_would_refuse)
{
  static const char *const refused = "local a = io.open\nlocal b = os.execute\nlocal c = debug.getinfo\n"
                                     "local d = package.loadlib\nlocal e = dofile\nlocal f = loadfile\n"
                                     "local g = string.dump\nlocal h = package.path\n";
  RUN("command -v luacheck");
  if (play_run.status != 0) {
    test_skip("luacheck_marks_what_the_sandbox_would_refuse", "no luacheck here");
    return;
  }
  RUN(PLAYER "init %s/new", play_folder);
  play_write("new/slips.lua", refused);
  play_write("new/fine.lua", "return os.time() + math.pi + #package.loaded + utf8.len \"\"\n");
  RUN("cd %s/new && luacheck . --no-color --codes --only 1 | grep -c ' (W1[0-9]*) '", play_folder);
  ck_assert_str_eq(play_run.out, "8\n");
  RUN("cd %s/new/pools && luacheck ../slips.lua --no-color --codes --only 1 | grep -c ' (W1[0-9]*) '", play_folder);
  ck_assert_str_eq(play_run.out, "8\n");
}

SUITE(editors, &sandbox)
