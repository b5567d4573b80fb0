/*
** What editors and luacheck are told of the player's sandbox, against the sandbox: both ways. And docs/editors.md.
*/
#include "demo/game_run.h"
#include "demo/play.h"
#include "support/markdown.h"

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

START_TEST(both_know_the_sandbox_and_nothing_else)
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
END_TEST

/* Each line of a game asks for something that the sandbox has not: every one is marked, in a new game's own
   settings. */
START_TEST(luacheck_marks_what_the_sandbox_would_refuse)
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
END_TEST

#define INSTALLED "/usr/local/share/lua/5.4/spawnpool"

/* Writes a block into a file of the game, with the installed folder as `folder`. */
static void play_block(const char *name, const markdown_block *block, const char *folder)
{
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  const char *end = block->code + block->length, *at = strstr(block->code, INSTALLED);
  bool has_folder = at && at < end;
  if (has_folder)
    fprintf(out, "%.*s%s", (int)(at - block->code), block->code, folder);
  at = has_folder ? at + strlen(INSTALLED) : block->code;
  fwrite(at, 1, (size_t)(end - at), out);
  fclose(out);
  play_write(name, text);
  free(text);
}

/* But for the place of the annotations, which are the same ones. */
START_TEST(the_settings_of_the_page_are_those_of_a_new_game)
{
  markdown_page page = markdown_open("docs/editors.md");
  markdown_block block = markdown_find(&page, "json", "{");
  play_block("settings.json", &block, "");
  RUN("sed '/library/,/]/d' '%s/settings.json' >'%s/page' && grep -v library demo/newgame/dot.luarc.json | cmp - "
      "'%s/page'",
      play_folder, play_folder, play_folder);
  EXPECT_STATUS(0);
  RUN(PLAYER "init '%s/new'", play_folder);
  RUN("sed -n 's,.*/\\([a-z.]*\\.lua\\)\".*,\\1,p' '%s/settings.json' >'%s/named' && ls '%s/new/.spawnpool' | cmp - "
      "'%s/named'",
      play_folder, play_folder, play_folder, play_folder);
  EXPECT_STATUS(0);
  markdown_close(&page);
}
END_TEST

START_TEST(the_class_of_the_page_runs)
{
  markdown_page page = markdown_open("docs/editors.md");
  markdown_block block = markdown_find(&page, "lua", "-- pools/Bullet.lua");
  RUN("mkdir '%s/pools'", play_folder);
  play_block("pools/Bullet.lua", &block, "");
  play_write("main.lua", "local b = require('spawnpool').pools:alloc('Bullet', 1, 2, 3, 5)\n"
                         "print(b.vx, b:split(), b.damage) return {}");
  RUN(PLAYER "--headless --frames 1 '%s'", play_folder);
  EXPECT_STATUS(0);
  ck_assert_str_eq(play_run.out, "300.0\ttrue\t2\n");
  ck_assert_str_eq(play_run.err, "");
  markdown_close(&page);
}
END_TEST

START_TEST(the_luacheckrc_of_the_page_marks_what_it_shows)
{
  markdown_page page = markdown_open("docs/editors.md");
  markdown_block rc = markdown_find(&page, "lua", "-- .luacheckrc"), shown = markdown_find(&page, "text", "main.lua:3");
  RUN("command -v luacheck");
  if (play_run.status != 0) {
    test_skip("the_luacheckrc_of_the_page_marks_what_it_shows", "no luacheck here");
    return;
  }
  play_block(".luacheckrc", &rc, "library");
  RUN("cd '%s' && mkdir .spawnpool library", play_folder);
  RUN("cp lua/spawnpool/luacheck.lua '%s/library' && cp lua/spawnpool/meta.lua '%s/.spawnpool'", play_folder,
      play_folder);
  play_write("main.lua", "score = 5\n\nlocal f = io.open \"a\"\nprint(os.execute, f)\n");
  RUN("cd '%s' && luacheck . --no-color | grep '^ ' | sed 's/^ *//'", play_folder);
  ck_assert_int_eq(strncmp(play_run.out, shown.code, shown.length), 0);
  ck_assert_uint_eq(strlen(play_run.out), shown.length);
  markdown_close(&page);
}
END_TEST

Suite *sp_suite_editors(void)
{
  Suite *suite = suite_create("editors");
  TCase *sandbox = play_case(suite, "sandbox"), *page = play_case(suite, "page");
  tcase_add_test(sandbox, both_know_the_sandbox_and_nothing_else);
  tcase_add_test(sandbox, luacheck_marks_what_the_sandbox_would_refuse);
  tcase_add_test(page, the_settings_of_the_page_are_those_of_a_new_game);
  tcase_add_test(page, the_class_of_the_page_runs);
  tcase_add_test(page, the_luacheckrc_of_the_page_marks_what_it_shows);
  return suite;
}
