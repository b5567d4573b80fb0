/*
** docs/cookbook.md: every block is a main.lua. It is played in the sandbox, beside the libraries that the page names,
** as the system has them, and prints what stands behind "-->"; a line that prints several times shows that parted by ";
** ".
*/
#include "demo/play.h"
#include "support/markdown.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

/* Copies the libraries into the game. The files are the same for all versions of Lua, and Debian has some of them in
   the folders of others only. */
#define COPY                                                                                                           \
  "cd '%s' && for name in pl moses.lua binaryheap.lua mediator.lua inspect.lua dkjson.lua; do"                         \
  "  for place in /usr/local/share /usr/share /opt/homebrew/share; do for version in 5.4 5.3 5.2 5.1; do"              \
  "    from=$place/lua/$version/$name; [ -e $name ] || ! [ -e $from ] || cp -rL $from $name; done; done;"              \
  "  [ -e $name ] || echo $name; done"

/* Appends what the block shows to have been printed, a line each. */
static void write_shown(const markdown_block *block, FILE *out)
{
  static const char mark[] = "--> ", between[] = "; ";
  const char *end = block->code + block->length;
  for (const char *at = block->code, *next; at < end; at = next + 1) {
    next = memchr(at, '\n', (size_t)(end - at));
    next = next ? next : end;
    const char *shown = strstr(at, mark);
    for (shown = shown && shown < next ? shown + strlen(mark) : next; shown < next;) {
      const char *part = strstr(shown, between), *stop = part && part < next ? part : next;
      fprintf(out, "%.*s\n", (int)(stop - shown), shown);
      shown = stop == next ? next : stop + strlen(between);
    }
  }
}

/* A tab of print is shown as a blank. */
static void blank_tabs(char *text)
{
  for (; *text; text++)
    *text = *text == '\t' ? ' ' : *text;
}

static void play_block(const markdown_page *page, const markdown_block *block)
{
  char *code = NULL, *shown = NULL;
  size_t size;
  FILE *out = open_memstream(&code, &size);
  fprintf(out, "%.*s", (int)block->length, block->code);
  fclose(out);
  play_write("main.lua", code);
  out = open_memstream(&shown, &size);
  write_shown(block, out);
  fclose(out);
  RUN(HEADLESS "'%s'", play_folder);
  blank_tabs(play_run.out);
  ck_assert_msg(play_run.status == 0 && play_run.err[0] == '\0', "%s:%d: %s", page->path, block->line, play_run.err);
  ck_assert_msg(strcmp(play_run.out, shown) == 0, "%s:%d: prints\n%sshows\n%s", page->path, block->line, play_run.out,
                shown);
  ck_assert_msg(shown[0] != '\0', "%s:%d: shows nothing", page->path, block->line);
  free(code);
  free(shown);
}

START_TEST(every_library_does_what_the_page_shows)
{
  int count = 0;
  RUN(COPY, play_folder);
  EXPECT_STATUS(0);
  if (play_run.out[0] != '\0') {
    test_skip("every_library_does_what_the_page_shows", "libraries are not here, `make deps` names them");
    return;
  }
  markdown_page page = markdown_open("docs/cookbook.md");
  for (markdown_block block; markdown_next(&page, "lua", &block); count++)
    play_block(&page, &block);
  ck_assert_int_ge(count, 6);
  markdown_close(&page);
}
END_TEST

Suite *sp_suite_cookbook(void)
{
  Suite *suite = suite_create("cookbook");
  tcase_add_test(play_case(suite, "libraries"), every_library_does_what_the_page_shows);
  return suite;
}
