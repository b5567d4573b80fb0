/*
** The reader of pages that the tests of docs/ stand on: blocks, links and anchors of a page made for it.
*/
#include "support/cases.h"
#include "support/markdown.h"
#include "support/process.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static const char text[] = "# A page: *one* `two()`, [three](x.md#y)\n"
                           "See [a](b.md#c) and `[no](code.md)`, ``[no](`code.md)``, ![p](p.png\n"
                           "\"title\").\n"
                           "```lua love\n"
                           "# no heading\n"
                           "local t = a[1](2)\n"
                           "```\n"
                           "<a href=\"e.md\">e</a> ` [d](d.md)\n"
                           "\n"
                           "## Limits\n## Limits\n### L\xc3\x96VE's way\n";

static char folder[256];
static markdown_page page;

static void setup(void)
{
  char path[320];
  ck_assert(test_folder_make(folder, sizeof folder));
  snprintf(path, sizeof path, "%s/page.md", folder);
  FILE *f = fopen(path, "wb");
  ck_assert_ptr_nonnull(f);
  fputs(text, f);
  fclose(f);
  page = markdown_open(path);
}

static void teardown(void)
{
  markdown_close(&page);
  test_folder_remove(folder);
}

START_TEST(a_block_has_its_language_its_words_and_its_lines)
{
  markdown_block block;
  ck_assert(markdown_next(&page, "lua", &block));
  ck_assert_str_eq(block.language, "lua");
  ck_assert_str_eq(block.info, "lua love");
  ck_assert_int_eq(block.line, 5);
  ck_assert_int_eq(block.lines, 2);
  ck_assert(!markdown_next(&page, NULL, &block));
}
END_TEST

START_TEST(links_are_found_outside_of_code)
{
  static const struct {
    const char *target;
    int line;
  } expected[] = {{"x.md#y", 1}, {"b.md#c", 2}, {"p.png", 2}, {"e.md", 8}, {"d.md", 8}};
  markdown_link link;
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    ck_assert(markdown_next_link(&page, &link));
    ck_assert_str_eq(link.target, expected[i].target);
    ck_assert_int_eq(link.line, expected[i].line);
  }
  ck_assert(!markdown_next_link(&page, &link));
}
END_TEST

START_TEST(headings_have_the_anchors_that_sites_give_them)
{
  ck_assert(markdown_has_anchor(&page, "a-page-one-two-three"));
  ck_assert(markdown_has_anchor(&page, "limits"));
  ck_assert(markdown_has_anchor(&page, "limits-1"));
  ck_assert(markdown_has_anchor(&page, "l\xc3\xb6ves-way"));
  ck_assert(!markdown_has_anchor(&page, "limits-2"));
  ck_assert(!markdown_has_anchor(&page, "Limits"));
  ck_assert(!markdown_has_anchor(&page, "no-heading"));
  ck_assert(!markdown_has_anchor(&page, "limit"));
}
END_TEST

Suite *sp_suite_markdown(void)
{
  Suite *suite = suite_create("markdown");
  TCase *core = tcase_create("core");
  tcase_add_checked_fixture(core, setup, teardown);
  add_tests(core, a_block_has_its_language_its_words_and_its_lines, links_are_found_outside_of_code,
            headings_have_the_anchors_that_sites_give_them);
  suite_add_tcase(suite, core);
  return suite;
}
