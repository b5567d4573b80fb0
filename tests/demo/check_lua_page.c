/*
** The pages of the Lua reference: every block does what it shows, see tests/lua/page_block.lua. Those of the library
** run in a state of their own, those of the player in the player.
*/
#include "demo/play.h"
#include "script/script.h"
#include "script/state/context.h"
#include "support/markdown.h"

#include <check.h>
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct listener {
  char text[8192]; /* warnings, each with its zero byte */
  size_t used;
} listener;

static void on_report(void *ud, sp_report kind, const char *text)
{
  listener *to = ud;
  size_t size = strlen(text) + 1;
  if (kind == SP_REPORT_PRINT || size > sizeof to->text - to->used)
    return;
  memcpy(to->text + to->used, text, size);
  to->used += size;
}

static int heard(lua_State *L)
{
  const listener *from = lua_touserdata(L, lua_upvalueindex(1));
  lua_pushlstring(L, from->text, from->used);
  return 1;
}

static lua_State *open_state(void)
{
  lua_State *L = luaL_newstate();
  ck_assert_ptr_nonnull(L);
  luaL_openlibs(L);
  luaL_requiref(L, "spawnpool", luaopen_spawnpool, 0);
  return L;
}

/* Adds what is wrong with the block to `out`; returns whether there was anything. */
static bool run_block(const markdown_page *page, const markdown_block *head, const markdown_block *block, FILE *out)
{
  static listener ear;
  lua_State *L = open_state();
  sp_context *c = sp_context_of(L);
  bool wrong;
  ear.used = 0;
  c->report = on_report;
  c->report_ud = &ear;
  ck_assert_msg(luaL_dofile(L, "tests/lua/page_block.lua") == LUA_OK, "%s", lua_tostring(L, -1));
  lua_getfield(L, -1, "run");
  lua_pushlstring(L, head->code, head->length);
  lua_pushlstring(L, block->code, block->length);
  lua_pushlightuserdata(L, &ear);
  lua_pushcclosure(L, heard, 1);
  wrong = lua_pcall(L, 3, 1, 0) != LUA_OK || !lua_isnil(L, -1);
  if (wrong)
    fprintf(out, "%s:%d:\n%s\n", page->path, block->line, lua_tostring(L, -1));
  lua_close(L);
  return wrong;
}

/* The first block of a page is what stands before all others. */
static void run_page(const char *path, int least)
{
  markdown_page page = markdown_open(path);
  markdown_block head;
  char *text = NULL;
  size_t size;
  int count = 0;
  bool wrong = false;
  FILE *out = open_memstream(&text, &size);
  ck_assert(markdown_next(&page, "lua", &head));
  for (markdown_block block; markdown_next(&page, "lua", &block); count++)
    wrong |= run_block(&page, &head, &block, out);
  fclose(out);
  if (wrong)
    fputs(text, stderr);
  ck_assert_msg(!wrong, "%.2000s", text);
  ck_assert_int_ge(count, least);
  free(text);
  markdown_close(&page);
}

START_TEST(every_block_of_the_library_does_what_it_shows) { run_page("docs/lua.md", 25); }
END_TEST

START_TEST(every_block_of_classes_does_what_it_shows) { run_page("docs/lua-classes.md", 12); }
END_TEST

/* Each line "warns: TEXT" of the output tells what is on stderr; there is no other line. */
static void expect_told(const markdown_page *page, const markdown_block *block)
{
  static const char mark[] = "warns: ";
  if (play_run.out[0] == '\0')
    ck_assert_msg(play_run.err[0] == '\0', "%s:%d: %s", page->path, block->line, play_run.err);
  for (char *line = strtok(play_run.out, "\n"); line; line = strtok(NULL, "\n")) {
    ck_assert_msg(strncmp(line, mark, strlen(mark)) == 0, "%s:%d: %s", page->path, block->line, line);
    EXPECT_IN(play_run.err, line + strlen(mark));
  }
}

START_TEST(every_block_of_the_player_does_what_it_shows)
{
  markdown_page page = markdown_open("docs/lua-player.md");
  int count = 0;
  RUN("cp tests/lua/page_block.lua '%s' && cp tests/lua/page_player.lua '%s/main.lua'", play_folder, play_folder);
  EXPECT_STATUS(0);
  for (markdown_block block; markdown_next(&page, "lua", &block); count++) {
    char *code = NULL;
    size_t size;
    FILE *out = open_memstream(&code, &size);
    fprintf(out, "return [==[\n%.*s]==]", (int)block.length, block.code);
    fclose(out);
    play_write("block.lua", code);
    free(code);
    RUN(PLAYER "--headless --frames 3 --seed 1 --trust '%s'", play_folder);
    EXPECT_STATUS(0);
    expect_told(&page, &block);
  }
  ck_assert_int_ge(count, 4);
  markdown_close(&page);
}
END_TEST

Suite *sp_suite_lua_page(void)
{
  Suite *suite = suite_create("lua_page");
  TCase *blocks = tcase_create("blocks"), *player = play_case(suite, "player");
  tcase_set_timeout(blocks, 60);
  tcase_add_test(blocks, every_block_of_the_library_does_what_it_shows);
  tcase_add_test(blocks, every_block_of_classes_does_what_it_shows);
  tcase_add_test(player, every_block_of_the_player_does_what_it_shows);
  suite_add_tcase(suite, blocks);
  return suite;
}
