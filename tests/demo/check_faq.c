/*
** What docs/faq.md answers with a program is tried: its blocks of Lua run, all in one game, and print what is shown
** below them.
*/
#include "demo/game_run.h"
#include "support/markdown.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE "docs/faq.md"
#define MARK "=== line "

static char folder[256];
static markdown_page page;

static void setup(void)
{
  ck_assert(test_folder_make(folder, sizeof folder));
  page = markdown_open(PAGE);
}

static void teardown(void)
{
  markdown_close(&page);
  test_folder_remove(folder);
}

/* Each block is a function of its own, behind the first one of the page, and named as if it were all of main.lua. */
static int write_game(const char *path)
{
  char *game = NULL;
  size_t size;
  int blocks = 0;
  markdown_block head, block;
  FILE *out = open_memstream(&game, &size);
  ck_assert(markdown_next(&page, "lua", &head));
  fputs("local function run(line, text)\n"
        "  print('" MARK "' .. line)\n"
        "  assert(load('local spawnpool, pools = ... ' .. text, '@main.lua'))(require 'spawnpool',\n"
        "    require('spawnpool').new())\n"
        "end\n"
        "local game = {}\n"
        "function game.load()\n",
        out);
  ck_assert(strncmp(head.code,
                    "local spawnpool <const> = require \"spawnpool\"\n"
                    "local pools <const> = spawnpool.new()\n",
                    head.length) == 0);
  for (; markdown_next(&page, "lua", &block); blocks++)
    fprintf(out, "run(%d, [====[%.*s]====])\n", block.line, (int)block.length, block.code);
  fputs("end\nreturn game\n", out);
  fclose(out);
  gamerun_write(path, game, size);
  free(game);
  return blocks;
}

/* The block of text that follows; it must come before the next heading. */
static markdown_block output_of(const markdown_block *block)
{
  markdown_page after = page;
  markdown_block shown;
  after.at = block->code + block->length + strlen("```\n");
  const char *heading = strstr(after.at, "\n## ");
  ck_assert_msg(markdown_next(&after, "text", &shown) && (!heading || shown.code < heading),
                PAGE ":%d: nothing shows what it prints", block->line);
  return shown;
}

static void expect_output(const char *said, const markdown_block *block)
{
  char mark[64];
  markdown_block shown = output_of(block);
  snprintf(mark, sizeof mark, MARK "%d\n", block->line);
  const char *at = strstr(said, mark);
  ck_assert_msg(at != NULL, PAGE ":%d did not run: %s", block->line, said);
  at += strlen(mark);
  const char *end = strstr(at, MARK);
  size_t length = end ? (size_t)(end - at) : strlen(at);
  ck_assert_msg(length == shown.length && memcmp(at, shown.code, length) == 0, PAGE ":%d prints\n%.*s", block->line,
                (int)length, at);
}

START_TEST(every_block_prints_what_is_shown_below_it)
{
  char path[PATH_MOST];
  markdown_block block;
  snprintf(path, sizeof path, "%s/main.lua", folder);
  int blocks = write_game(path);
  test_process p = test_run(PATIENCE, PLAY "--frames 1 '%s'", folder);
  ck_assert_msg(p.status == 0, "%s%s", p.out, p.err);
  ck_assert_int_ge(blocks, 10);
  page.at = page.text;
  page.line = 1;
  markdown_next(&page, "lua", &block); /* the first lines */
  while (markdown_next(&page, "lua", &block))
    expect_output(p.out, &block);
  test_process_free(&p);
}
END_TEST

/* Every question of the list has an answer, and the other way round. */
START_TEST(the_list_has_every_question)
{
  char line[256];
  int questions = 0;
  for (const char *at = page.text; (at = strstr(at, "\n## ")) != NULL; questions++) {
    at += strlen("\n## ");
    snprintf(line, sizeof line, "\n- [%.*s](#", (int)strcspn(at, "\n"), at);
    ck_assert_msg(strstr(page.text, line) != NULL, "the list has no%s", line);
  }
  ck_assert_int_ge(questions, 20);
}
END_TEST

Suite *sp_suite_faq(void)
{
  Suite *suite = suite_create("faq");
  TCase *core = tcase_create("core");
  tcase_add_checked_fixture(core, setup, teardown);
  tcase_set_timeout(core, PATIENCE);
  tcase_add_test(core, every_block_prints_what_is_shown_below_it);
  tcase_add_test(core, the_list_has_every_question);
  suite_add_tcase(suite, core);
  return suite;
}
