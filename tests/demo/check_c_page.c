/*
** Every block of C in docs/c.md and docs/c-script.md is run, with its asserts. The first block of a page is the head of
** one program, each other block the inside of a function of it, behind the functions that it begins with. Files that a
** page shows, named in their first lines, lie where the program runs.
*/
#include "demo/game_run.h"
#include "support/markdown.h"
#include "support/shell.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLAGS " -std=c11 -O0 -g -Wall -Wextra -Werror -Wno-unused-variable -I" SP_BUILD_DIR "/include "

/* What a page says that its examples are the inside of. */
typedef struct frame {
  const char *page, *begin, *end, *libraries;
} frame;

static const frame core_frame = {"docs/c.md",
                                 "  sp_manager *game = sp_open(NULL, NULL);\n  sp_pool *bullets = open_pool(game, "
                                 "\"Bullet\");\n  assert(bullets);\n",
                                 "  assert(sp_close(game) == SP_OK);\n", SP_BUILD_DIR "/libspawnpool.a -lm"};

static const frame script_frame = {
    "docs/c-script.md",
    "  sp_script *script = start_game();\n  sp_manager *pools = sp_script_pools(script);\n  assert(pools);\n",
    "  sp_script_close(script);\n",
    SP_BUILD_DIR "/libspawnpool_script.a "
                 "$(pkg-config --cflags --libs lua5.4 2>/dev/null || pkg-config --cflags --libs lua) -lm -lpthread"};

static char folder[256];

static void setup(void) { ck_assert(test_folder_make(folder, sizeof folder)); }

static void teardown(void) { test_folder_remove(folder); }

/* How much of a block's code is functions: what begins with `static` ends with a brace at the begin of a line. */
static size_t functions_length(const markdown_block *block)
{
  const char *at = block->code;
  while (strncmp(at, "static ", 7) == 0) {
    const char *end = strstr(at, "\n}\n");
    ck_assert_msg(end && end < block->code + block->length, "line %d: a function without end", block->line);
    for (at = end + 3; *at == '\n';)
      at++;
  }
  return (size_t)(at - block->code);
}

static int lines_in(const char *text, size_t length)
{
  int lines = 0;
  for (size_t i = 0; i < length; i++)
    lines += text[i] == '\n';
  return lines;
}

/* Errors of the compiler and of asserts then name the line of the page. */
static void write_code(FILE *f, const frame *it, int line, const char *code, size_t length)
{
  fprintf(f, "#line %d \"%s\"\n%.*s\n", line, it->page, (int)length, code);
}

static void write_example(FILE *f, const frame *it, const markdown_block *block)
{
  size_t functions = functions_length(block);
  write_code(f, it, block->line, block->code, functions);
  fprintf(f, "static void example_%d(void)\n{\n%s  {\n", block->line, it->begin);
  write_code(f, it, block->line + lines_in(block->code, functions), block->code + functions, block->length - functions);
  fprintf(f, "  }\n%s}\n", it->end);
}

/* Returns how many examples there are. */
static int write_program(FILE *f, const frame *it)
{
  markdown_page page = markdown_open(it->page);
  markdown_block block;
  char *calls = NULL;
  size_t size;
  int examples = 0;
  FILE *g = open_memstream(&calls, &size);
  ck_assert(markdown_next(&page, "c", &block));
  write_code(f, it, block.line, block.code, block.length);
  for (; markdown_next(&page, "c", &block); examples++) {
    write_example(f, it, &block);
    fprintf(g, "  example_%d();\n", block.line);
  }
  fclose(g);
  fprintf(f, "int main(void)\n{\n%s  return 0;\n}\n", calls);
  free(calls);
  markdown_close(&page);
  return examples;
}

/* `-- game/main.lua` in its first line: that is the name of the file. */
static void write_files(const frame *it)
{
  markdown_page page = markdown_open(it->page);
  for (markdown_block block; markdown_next(&page, "lua", &block);) {
    char path[PATH_MOST];
    ck_assert_msg(strncmp(block.code, "-- game/", 8) == 0, "line %d is not the name of a file", block.line);
    snprintf(path, sizeof path, "%s/%.*s", folder, (int)strcspn(block.code + 3, "\n"), block.code + 3);
    test_process p = test_run(PATIENCE, "mkdir -p \"$(dirname '%s')\"", path);
    test_process_free(&p);
    markdown_save(&block, path);
  }
  markdown_close(&page);
}

static void run_page(const frame *it, int least)
{
  char path[PATH_MOST];
  snprintf(path, sizeof path, "%s/page.c", folder);
  FILE *f = fopen(path, "w");
  ck_assert_ptr_nonnull(f);
  int examples = write_program(f, it);
  ck_assert_int_eq(fclose(f), 0);
  ck_assert_int_ge(examples, least);
  write_files(it);
  test_process p = test_run(PATIENCE, "%s" FLAGS "-o '%s/page' '%s' %s && cd '%s' && ./page", SP_CC, folder, path,
                            it->libraries, folder);
  ck_assert_msg(p.status == 0, "%s%s", p.out, p.err);
  ck_assert_str_eq(p.err, "");
  test_process_free(&p);
}

START_TEST(the_examples_of_the_c_reference_run)
{
  if (is_plain_build("the_examples_of_the_c_reference_run"))
    run_page(&core_frame, 30);
}
END_TEST

START_TEST(the_examples_of_the_script_host_run)
{
  if (is_plain_build("the_examples_of_the_script_host_run"))
    run_page(&script_frame, 8);
}
END_TEST

Suite *sp_suite_c_page(void)
{
  Suite *suite = suite_create("c_page");
  TCase *pages = tcase_create("pages");
  tcase_add_checked_fixture(pages, setup, teardown);
  tcase_add_test(pages, the_examples_of_the_c_reference_run);
  tcase_add_test(pages, the_examples_of_the_script_host_run);
  tcase_set_timeout(pages, 60);
  suite_add_tcase(suite, pages);
  return suite;
}
