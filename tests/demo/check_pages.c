/*
** Holds README.md, CHANGELOG.md and the pages of docs/ together: every link leads somewhere, every page and picture is
** reached from README.md, and every block of code is run by a test: who does is in the table `runs`.
**
** A new page needs a row in docs/README.md, the last line that leads to its neighbours, and a row in the table for each
** language of its blocks.
*/
#include "demo/game_run.h"
#include "support/markdown.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LUA "$(command -v lua5.4 || command -v lua)"
#define EACH (-1) /* the test runs every block of this language, however many there are */

typedef struct run {
  const char *page, *language;
  int blocks;       /* so many, by name; or EACH */
  const char *test; /* the file that runs them, which names the page */
} run;

/* Blocks of `text` are output and need no row; those of `sh` are for tests/demo/page_commands.lua. */
static const run runs[] = {
    {"README.md", "c", 1, "tests/demo/check_documents.c"},
    {"README.md", "lua", 1, "tests/demo/check_documents.c"},
    {"docs/c-script.md", "c", EACH, "tests/demo/check_c_page.c"},
    {"docs/c-script.md", "lua", EACH, "tests/demo/check_c_page.c"},
    {"docs/c.md", "c", EACH, "tests/demo/check_c_page.c"},
    {"docs/cookbook.md", "lua", EACH, "tests/demo/check_cookbook.c"},
    {"docs/editors.md", "json", 1, "tests/demo/check_editors.c"},
    {"docs/editors.md", "lua", 2, "tests/demo/check_editors.c"},
    {"docs/embedding.md", "cpp", 1, "tests/demo/check_embed.c"},
    {"docs/faq.md", "lua", EACH, "tests/demo/check_faq.c"},
    {"docs/from-love.md", "lua", EACH, "tests/demo/check_newcomers.c"},
    {"docs/from-love.md", "lua love", EACH, "tests/demo/check_newcomers.c"},
    {"docs/from-other-pools.md", "lua", 1, "tests/demo/check_newcomers.c"},
    {"docs/from-unity.md", "csharp", EACH, "tests/demo/check_newcomers.c"},
    {"docs/from-unity.md", "lua", EACH, "tests/demo/check_newcomers.c"},
    {"docs/guide.md", "diff", EACH, "tests/demo/check_guide.c"},
    {"docs/guide.md", "lua", EACH, "tests/demo/check_guide.c"},
    {"docs/hot-reload.md", "c", 1, "tests/demo/check_reload_page.c"},
    {"docs/hot-reload.md", "lua", 3, "tests/demo/check_reload_page.c"},
    {"docs/live-editing.md", "diff", EACH, "tests/demo/live_editing.lua"},
    {"docs/lua-classes.md", "lua", EACH, "tests/demo/check_lua_page.c"},
    {"docs/lua-player.md", "lua", EACH, "tests/demo/check_lua_page.c"},
    {"docs/lua.md", "lua", EACH, "tests/demo/check_lua_page.c"},
    {"docs/player.md", "lua", EACH, "tests/demo/check_documents.c"},
};

/* Nobody asks the network in a test: these were looked at by hand. */
static const char *const outside[] = {"http://dkolf.de/src/dkjson-lua.fsl/home",
                                      "https://github.com/Olivine-Labs/mediator_lua",
                                      "https://github.com/Tieske/binaryheap.lua",
                                      "https://github.com/Yonaba/Moses",
                                      "https://github.com/kikito/inspect.lua",
                                      "https://github.com/lunarmodules/luacheck",
                                      "https://keepachangelog.com",
                                      "https://luals.github.io",
                                      "https://lunarmodules.github.io/Penlight",
                                      "https://semver.org"};

enum { MOST_PAGES = 64, MOST_KILOBYTES = 200 };

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* {== All pages and files ================================================ */

typedef struct leaf {
  char path[256];
  bool reached; /* a page that is reached links to it */
} leaf;

typedef struct site {
  leaf leaves[MOST_PAGES * 4]; /* README.md, CHANGELOG.md, LICENSE, and every file in docs/ */
  int count;
} site;

static site all;

/* Data and manual pages are not for readers of pages. */
static bool is_for_readers(const char *path)
{
  static const char *const kinds[] = {".md", ".png", ".svg", ".gif", ".jpg"};
  for (int i = 0; i < COUNT(kinds); i++)
    if (strlen(path) > 4 && strcmp(path + strlen(path) - strlen(kinds[i]), kinds[i]) == 0)
      return true;
  return false;
}

static bool is_page(const char *path) { return strlen(path) > 3 && strcmp(path + strlen(path) - 3, ".md") == 0; }

static void setup(void)
{
  test_process p = test_run(PATIENCE, "find README.md CHANGELOG.md LICENSE docs -type f | LC_ALL=C sort");
  ck_assert_msg(p.status == 0, "%s", p.err);
  all.count = 0;
  for (char *path = strtok(p.out, "\n"); path; path = strtok(NULL, "\n")) {
    ck_assert_int_lt(all.count, COUNT(all.leaves));
    leaf *it = &all.leaves[all.count++];
    snprintf(it->path, sizeof it->path, "%s", path);
    it->reached = strcmp(path, "README.md") == 0;
  }
  ck_assert_int_gt(all.count, 20);
  test_process_free(&p);
}

/* The next page from leaf *i on, opened. False when there is none. */
static bool next_page(int *i, markdown_page *page)
{
  for (; *i < all.count; ++*i)
    if (is_page(all.leaves[*i].path)) {
      *page = markdown_open(all.leaves[(*i)++].path);
      return true;
    }
  return false;
}

/* The file that a link on a page is about, from the root of the tree, "a/../b" made short; the page itself for
   "#anchor". */
static void link_file(const char *page, const char *target, char *path, size_t size)
{
  const char *slash = strrchr(page, '/');
  int file = (int)strcspn(target, "#"), folder = slash ? (int)(slash - page) + 1 : 0;
  if (file == 0)
    snprintf(path, size, "%s", page);
  else
    snprintf(path, size, "%.*s%.*s", folder, page, file, target);
  for (char *up; (up = strstr(path, "/../")) != NULL;) {
    char *from = up;
    while (from > path && from[-1] != '/')
      from--;
    memmove(from, up + 4, strlen(up + 4) + 1);
  }
}

static bool is_outside(const char *target) { return strstr(target, "://") || strncmp(target, "mailto:", 7) == 0; }

/* }== */

/* {== Links ============================================================== */

/* "L10" or "L10-L20" of a file that is no page. */
static bool has_lines(const char *path, const char *anchor)
{
  size_t size;
  int first = 0, last = 0, lines = 0;
  char *text = gamerun_read(path, &size);
  for (const char *at = text; *at; at++)
    lines += *at == '\n';
  int found = sscanf(anchor, "L%d-L%d", &first, &last);
  free(text);
  return found >= 1 && first >= 1 && first <= lines && (found == 1 || (last >= first && last <= lines));
}

static bool has_anchor(const char *path, const char *anchor)
{
  if (!is_page(path))
    return has_lines(path, anchor);
  markdown_page page = markdown_open(path);
  bool found = markdown_has_anchor(&page, anchor);
  markdown_close(&page);
  return found;
}

static bool is_known_outside(const char *target)
{
  for (int i = 0; i < COUNT(outside); i++)
    if (strcmp(outside[i], target) == 0)
      return true;
  return false;
}

static void expect_link(const markdown_page *page, const markdown_link *link)
{
  char path[PATH_MOST];
  struct stat info;
  const char *anchor = strchr(link->target, '#');
  if (is_outside(link->target)) {
    ck_assert_msg(is_known_outside(link->target), "%s:%d: %s is not in the list of this test", page->path, link->line,
                  link->target);
    return;
  }
  link_file(page->path, link->target, path, sizeof path);
  ck_assert_msg(stat(path, &info) == 0, "%s:%d: there is no %s", page->path, link->line, path);
  ck_assert_msg(!anchor || has_anchor(path, anchor + 1), "%s:%d: %s has no %s", page->path, link->line, path, anchor);
}

START_TEST(every_link_leads_somewhere)
{
  int i = 0, links = 0;
  for (markdown_page page; next_page(&i, &page); markdown_close(&page))
    for (markdown_link link; markdown_next_link(&page, &link); links++)
      expect_link(&page, &link);
  ck_assert_int_gt(links, 80);
}
END_TEST

static leaf *find_leaf(const char *path)
{
  for (int i = 0; i < all.count; i++)
    if (strcmp(all.leaves[i].path, path) == 0)
      return &all.leaves[i];
  return NULL;
}

/* Marks what a page links to; how many marks are new. */
static int reach_from(const char *path)
{
  int news = 0;
  markdown_page page = markdown_open(path);
  for (markdown_link link; markdown_next_link(&page, &link);) {
    char file[PATH_MOST];
    link_file(path, link.target, file, sizeof file);
    leaf *it = is_outside(link.target) ? NULL : find_leaf(file);
    if (it && !it->reached)
      it->reached = ++news > 0;
  }
  markdown_close(&page);
  return news;
}

START_TEST(every_page_and_picture_is_reached_from_the_readme)
{
  for (int news = 1; news > 0;) {
    news = 0;
    for (int i = 0; i < all.count; i++)
      if (all.leaves[i].reached && is_page(all.leaves[i].path))
        news += reach_from(all.leaves[i].path);
  }
  for (int i = 0; i < all.count; i++)
    ck_assert_msg(all.leaves[i].reached || !is_for_readers(all.leaves[i].path), "no page leads to %s",
                  all.leaves[i].path);
}
END_TEST

START_TEST(every_file_of_the_documents_is_small)
{
  for (int i = 0; i < all.count; i++) {
    struct stat info;
    ck_assert_int_eq(stat(all.leaves[i].path, &info), 0);
    ck_assert_msg(info.st_size < MOST_KILOBYTES * 1024, "%s has %ld KB", all.leaves[i].path, (long)info.st_size / 1024);
  }
}
END_TEST

/* }== */

/* {== Index and navigation ================================================ */

typedef struct entry {
  char file[64], title[96];
} entry;

/* The pages that the index lists, in its order, with their titles. Returns how many. */
static int read_index(entry *entries, int most)
{
  int count = 0;
  markdown_page index = markdown_open("docs/README.md");
  for (const char *row = index.text; row && (row = strstr(row, "\n| [")) != NULL; row++) {
    ck_assert_int_lt(count, most);
    entry *it = &entries[count++];
    char path[PATH_MOST];
    ck_assert_msg(sscanf(row, "\n| [%*[^]]](%63[a-z-].md)", it->file) == 1, "docs/README.md: %.60s", row + 1);
    snprintf(path, sizeof path, "docs/%.63s.md", it->file);
    markdown_page page = markdown_open(path);
    ck_assert_msg(sscanf(page.text, "# %95[^\n]", it->title) == 1, "%s begins without a title", path);
    markdown_close(&page);
  }
  markdown_close(&index);
  return count;
}

/* The last line of page `i`: previous, index, next, home. */
static void write_footer(const entry *entries, int count, int i, char *line, size_t size)
{
  char before[256] = "", after[256] = "";
  if (i > 0)
    snprintf(before, sizeof before, "Previous: [%.95s](%.63s.md) · ", entries[i - 1].title, entries[i - 1].file);
  if (i + 1 < count)
    snprintf(after, sizeof after, " · Next: [%.95s](%.63s.md)", entries[i + 1].title, entries[i + 1].file);
  snprintf(line, size, "\n\n---\n\n%s[Index](README.md)%s · [Home](../README.md)\n", before, after);
}

START_TEST(the_index_lists_every_page_and_every_page_leads_to_its_neighbours)
{
  entry entries[MOST_PAGES];
  int count = read_index(entries, MOST_PAGES), pages = 0, at = 0;
  for (int i = 0; i < count; i++) {
    char path[PATH_MOST], footer[1024];
    snprintf(path, sizeof path, "docs/%.63s.md", entries[i].file);
    write_footer(entries, count, i, footer, sizeof footer);
    markdown_page page = markdown_open(path);
    size_t length = strlen(page.text), tail = strlen(footer);
    ck_assert_msg(length > tail && strcmp(page.text + length - tail, footer) == 0, "%s does not end with:%s", path,
                  footer);
    markdown_close(&page);
    for (int k = 0; k < i; k++)
      ck_assert_msg(strcmp(entries[k].file, entries[i].file) != 0, "docs/README.md lists %s twice", path);
  }
  for (markdown_page page; next_page(&at, &page); markdown_close(&page))
    pages += strncmp(page.path, "docs/", 5) == 0;
  ck_assert_msg(pages == count + 1, "docs/README.md lists %d of the %d other pages of docs/", count, pages - 1);
}
END_TEST

/* }== */

/* {== Blocks ============================================================= */

/* A block that is indented, or fenced by ~~~, would be seen by a reader and not by the tests. */
START_TEST(every_block_begins_a_line_and_has_a_language)
{
  int i = 0;
  markdown_block block;
  for (markdown_page page; next_page(&i, &page); markdown_close(&page)) {
    ck_assert_msg(!strstr(page.text, " ```") && !strstr(page.text, "~~~"), "%s has an indented block", page.path);
    while (markdown_next(&page, NULL, &block))
      ck_assert_msg(block.language[0], "%s:%d: a block without a language", page.path, block.line - 1);
  }
}
END_TEST

static int count_blocks(const markdown_page *page, const char *info)
{
  markdown_page from_top = {.path = page->path, .text = page->text, .at = page->text, .line = 1};
  markdown_block block;
  int count = 0;
  while (markdown_next(&from_top, NULL, &block))
    count += strcmp(block.info, info) == 0;
  return count;
}

/* How many blocks of a language on a page are run, by all rows together; EACH when one runs each. */
static int count_run(const char *page, const char *info)
{
  int count = 0;
  for (int i = 0; i < COUNT(runs); i++)
    if (strcmp(runs[i].page, page) == 0 && strcmp(runs[i].language, info) == 0) {
      if (runs[i].blocks == EACH)
        return EACH;
      count += runs[i].blocks;
    }
  return count;
}

START_TEST(every_block_of_code_is_run_by_a_test)
{
  int i = 0;
  markdown_block block;
  for (markdown_page page; next_page(&i, &page); markdown_close(&page))
    while (markdown_next(&page, NULL, &block)) {
      int ran = count_run(page.path, block.info), there = count_blocks(&page, block.info);
      if (strcmp(block.info, "text") != 0 && strcmp(block.info, "sh") != 0)
        ck_assert_msg(ran == EACH || ran == there, "%s:%d: %d blocks of '%s', and tests run %d: see the table",
                      page.path, block.line, there, block.info, ran);
    }
}
END_TEST

START_TEST(the_tests_of_the_table_name_their_pages)
{
  for (int i = 0; i < COUNT(runs); i++) {
    size_t size;
    markdown_page page = markdown_open(runs[i].page);
    char *test = gamerun_read(runs[i].test, &size);
    ck_assert_msg(strstr(test, runs[i].page) != NULL, "%s does not name %s", runs[i].test, runs[i].page);
    ck_assert_msg(count_blocks(&page, runs[i].language) > 0, "%s has no block of %s", runs[i].page, runs[i].language);
    free(test);
    markdown_close(&page);
  }
}
END_TEST

/* What it cannot find it prints. A page with one mistake of each kind shows that it can find them. */
static test_process check_commands(const char *pages)
{
  char folder[256];
  ck_assert(test_folder_make(folder, sizeof folder));
  test_process p = test_run(PATIENCE, "ln -s \"$PWD/scripts\" '%s' && " LUA " tests/demo/page_commands.lua %s '%s' %s",
                            folder, SP_BUILD_DIR, folder, pages);
  test_folder_remove(folder);
  return p;
}

START_TEST(every_command_line_can_be_typed)
{
  test_process p = check_commands("README.md CHANGELOG.md docs/*.md");
  ck_assert_msg(p.status == 0 && p.out[0] == '\0', "%s%s", p.out, p.err);
  ck_assert_int_ge(atoi(p.err), 20); /* lines */
  test_process_free(&p);
}
END_TEST

START_TEST(a_wrong_command_line_is_found)
{
  static const char page[] = "```sh\nmake tset\nmake bench QUIKC=1\nbuild/spawnpool --headles scripts/cubes\n"
                             "spawnpool nowhere\nbuild/spawnpol x\nfrobnicate\ncc src/core/none.c\n"
                             "spawnpool --size huge scripts/cubes\n```\n";
  char path[PATH_MOST], folder[256];
  ck_assert(test_folder_make(folder, sizeof folder));
  snprintf(path, sizeof path, "%s/page.md", folder);
  gamerun_write(path, page, strlen(page));
  test_process p = check_commands(path);
  int found = 0;
  for (const char *at = p.out; (at = strstr(at, ": in: ")) != NULL; at++)
    found++;
  ck_assert_msg(found == 8, "%s%s", p.out, p.err);
  test_process_free(&p);
  test_folder_remove(folder);
}
END_TEST

/* }== */

Suite *sp_suite_pages(void)
{
  Suite *suite = suite_create("pages");
  TCase *core = tcase_create("core");
  tcase_add_unchecked_fixture(core, setup, NULL);
  tcase_set_timeout(core, PATIENCE);
  tcase_add_test(core, every_link_leads_somewhere);
  tcase_add_test(core, every_page_and_picture_is_reached_from_the_readme);
  tcase_add_test(core, every_file_of_the_documents_is_small);
  tcase_add_test(core, the_index_lists_every_page_and_every_page_leads_to_its_neighbours);
  tcase_add_test(core, every_block_begins_a_line_and_has_a_language);
  tcase_add_test(core, every_block_of_code_is_run_by_a_test);
  tcase_add_test(core, the_tests_of_the_table_name_their_pages);
  tcase_add_test(core, every_command_line_can_be_typed);
  tcase_add_test(core, a_wrong_command_line_is_found);
  suite_add_tcase(suite, core);
  return suite;
}
