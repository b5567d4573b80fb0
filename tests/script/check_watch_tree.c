/*
** What the watcher looks at: folders that come, go and are links, names it leaves alone, how early a wake makes it
** look, what a thousand files cost, and what becomes of it when memory is refused.
*/
#include "script/watching.h"
#include "support/process.h"

#include <check.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void link_to(const char *target, const char *name) { ck_assert_int_eq(symlink(target, watching_path(name)), 0); }

static void move(const char *from, const char *to)
{
  ck_assert_int_eq(rename(watching_path(from), watching_path(to)), 0);
}

static void remove_folder(const char *name) { test_folder_remove(watching_path(name)); }

static void count_folder(void *ud, const char *folder)
{
  size_t *count = ud;
  ck_assert_ptr_nonnull(folder);
  *count += 1;
}

static size_t folder_count(void)
{
  size_t count = 0;
  sp_watch_folders(watching_now.watch, count_folder, &count);
  return count;
}

static void find_folder(void *ud, const char *folder)
{
  const char **wanted = ud;
  if (*wanted && strcmp(folder, *wanted) == 0)
    *wanted = NULL;
}

static bool has_folder(const char *path)
{
  sp_watch_folders(watching_now.watch, find_folder, &path);
  return path == NULL;
}

static unsigned serial(void) { return sp_watch_folders(watching_now.watch, NULL, NULL); }

/* Like watching_start, on a folder in the folder. */
static void start_at(const char *name)
{
  snprintf(watching_now.folder + strlen(watching_now.folder), 64, "/%s", name);
  watching_start();
}

/* Back to the folder of the test, for its removal. */
static void leave(void) { *strrchr(watching_now.folder, '/') = '\0'; }

/* {== Folders ============================================================ */

START_TEST(a_new_folder_with_a_file_in_it_at_once_is_told)
{
  watching_start();
  ck_assert_uint_eq(folder_count(), 1);
  unsigned before = serial();
  watching_put("pools/more/A.lua", "new");
  watching_put("pools/B.lua", "new");
  watching_expect(1, "+ pools/B.lua [new]\n+ pools/more/A.lua [new]\n--\n");
  ck_assert_uint_eq(folder_count(), 3);
  ck_assert(has_folder(watching_path("pools/more")));
  ck_assert_uint_ne(serial(), before);
}
END_TEST

START_TEST(a_deleted_folder_is_the_end_of_each_file)
{
  watching_put("pools/A.lua", "one");
  watching_put("pools/more/B.lua", "one");
  watching_put("main.lua", "one");
  watching_start();
  unsigned before = serial();
  remove_folder("pools");
  watching_expect(2, "- pools/A.lua\n- pools/more/B.lua\n--\n");
  ck_assert_uint_eq(folder_count(), 1);
  ck_assert_uint_ne(serial(), before);
  watching_put("pools/A.lua", "one");
  watching_expect(2, "+ pools/A.lua [one]\n--\n");
}
END_TEST

START_TEST(a_renamed_folder_is_gone_and_new)
{
  watching_put("a/x.lua", "one");
  watching_start();
  move("a", "b");
  watching_expect(2, "- a/x.lua\n+ b/x.lua [one]\n--\n");
}
END_TEST

START_TEST(a_folder_in_the_place_of_another_is_a_new_one_of_the_same_name)
{
  watching_put("pools/A.lua", "one");
  watching_put("pools/B.lua", "one");
  watching_put("other/A.lua", "one");
  watching_put("other/B.lua", "other");
  watching_put("other/C.lua", "other");
  watching_start();
  unsigned before = serial();
  move("pools", ".old");
  move("other", "pools");
  watching_expect(1, "- other/A.lua\n- other/B.lua\n- other/C.lua\n~ pools/B.lua [other]\n+ pools/C.lua [other]\n--\n");
  ck_assert_uint_ne(serial(), before);
}
END_TEST

START_TEST(the_root_may_be_missing_go_and_come_back)
{
  start_at("game");
  ck_assert_uint_eq(folder_count(), 1);
  watching_expect(1, "");
  unsigned before = serial();
  mkdir(watching_now.folder, 0700);
  watching_put("main.lua", "one");
  watching_expect(1, "+ main.lua [one]\n--\n");
  ck_assert_uint_ne(serial(), before);
  test_folder_remove(watching_now.folder);
  watching_expect(1, "- main.lua\n--\n");
  mkdir(watching_now.folder, 0700);
  watching_put("main.lua", "one");
  watching_expect(1, "+ main.lua [one]\n--\n");
  leave();
}
END_TEST

START_TEST(a_linked_root_is_followed_also_to_another_place)
{
  watching_put("one/a.lua", "one");
  watching_put("two/a.lua", "two");
  watching_put("two/b.lua", "two");
  link_to("one", "game");
  link_to("two", "next");
  start_at("game");
  watching_save("a.lua", "another");
  watching_expect(1, "~ a.lua [another]\n--\n");
  leave();
  move("next", "game");
  strcat(watching_now.folder, "/game");
  watching_expect(1, "~ a.lua [two]\n+ b.lua [two]\n--\n");
  leave();
}
END_TEST

START_TEST(slashes_at_the_end_of_the_root_do_not_matter)
{
  watching_put("game/a.lua", "one");
  char folder[300];
  snprintf(folder, sizeof folder, "%s//", watching_path("game"));
  static const char *const endings[] = {".lua", NULL};
  watching_now.watch = sp_watch_open(&(sp_watch_options){.root = folder, .endings = endings});
  watching_poll(0, false);
  ck_assert(has_folder(watching_path("game")));
  watching_save("game/a.lua", "other");
  watching_expect(1, "~ game/a.lua [other]\n--\n");
}
END_TEST

/* }== */

/* {== Names ============================================================== */

START_TEST(what_editors_leave_lying_about_is_not_told)
{
  static const char *const names[] = {"a.lua~", ".a.lua.swp", ".#a.lua",    "#a.lua#",  "x.swp/a.lua", "a.lua.swp",
                                      "a.txt",  ".lua",       ".git/a.lua", "b~/a.lua", "4913/a.lua",  "a.luac"};
  watching_start();
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    watching_put(names[i], "litter");
  watching_expect(5, "");
  ck_assert_uint_eq(folder_count(), 1);
}
END_TEST

/* }== */

/* {== Many files ========================================================= */

static void put_many(size_t count)
{
  char name[64];
  for (size_t i = 0; i < count; i++) {
    snprintf(name, sizeof name, "f%02zu/file%04zu.lua", i % 20, i);
    watching_put(name, "one");
  }
}

START_TEST(an_idle_poll_allocates_nothing)
{
  put_many(1000);
  watching_start();
  size_t calls = watching_now.memory.calls, bytes = watching_now.memory.bytes;
  watching_expect(1, "");
  watching_now.memory.peak = bytes;
  watching_expect(10, "");
  ck_assert_uint_eq(watching_now.memory.bytes, bytes);
  ck_assert_uint_le(watching_now.memory.calls, calls + 1000); /* each was young, and read once more */
  calls = watching_now.memory.calls;
  watching_expect(10, "");
  ck_assert_uint_eq(watching_now.memory.calls, calls);
}
END_TEST

START_TEST(an_edit_among_a_thousand_is_told_soon_at_any_frame_rate)
{
  static const double frames[] = {1.0 / 1000, 1.0 / 144, 1.0 / 60, 1.0 / 30};
  put_many(1000);
  watching_start();
  for (size_t i = 0; i < 4; i++) {
    char text[32];
    snprintf(text, sizeof text, "%.*s", (int)i + 4, "a longer text");
    watching_save("f07/file0507.lua", text);
    double begin = watching_now.now;
    while (watching_now.now < begin + 2 && watching_poll(frames[i], false) == 0)
      ;
    ck_assert_double_le(watching_now.now - begin, 0.6);
    ck_assert_ptr_nonnull(strstr(watching_now.told, "~ f07/file0507.lua"));
    watching_now.told[0] = '\0';
  }
}
END_TEST

START_TEST(a_thousand_changed_files_are_told_in_one_batch)
{
  sp_watch_change change;
  char last[64] = "";
  size_t count = 0, batches = 0;
  put_many(1000);
  watching_start();
  for (size_t i = 0; i < 1000; i++) {
    char name[64];
    snprintf(name, sizeof name, "f%02zu/file%04zu.lua", i % 20, i);
    watching_put(name, i % 2 ? "other" : "one");
  }
  for (double now = 0; now < 3; now += 1.0 / 60) {
    size_t before = count;
    for (sp_watch_poll(watching_now.watch, now, false); sp_watch_next(watching_now.watch, &change); count++) {
      const char *name = change.path + strlen(watching_now.folder);
      ck_assert_int_lt(strcmp(last, name), 0);
      snprintf(last, sizeof last, "%s", name);
    }
    batches += count > before;
  }
  ck_assert_uint_eq(count, 500);
  ck_assert_uint_eq(batches, 1);
}
END_TEST

/* }== */

/* {== Waking ============================================================= */

/* Polls with no time between them look at nothing unless woken: 40 ms later the edit can only be told if it was
   seen. */
static void expect_seen(const char *edited, bool woken, const char *folder)
{
  watching_save(edited, woken ? "seen" : "not seen");
  if (woken)
    sp_watch_wake(watching_now.watch, folder);
  watching_poll(0, false);
  for (int i = 0; i < 2; i++)
    watching_poll(0.0201, false);
  ck_assert_int_eq(watching_now.told[0] != '\0', woken);
  watching_pass(1);
  watching_now.told[0] = '\0';
}

START_TEST(a_woken_folder_is_looked_at_at_once)
{
  watching_put("a/x.lua", "one");
  watching_put("a/deep/y.lua", "one");
  watching_put("a-b.lua", "one");
  watching_start();
  watching_pass(3);
  expect_seen("a/x.lua", false, NULL);
  expect_seen("a/x.lua", true, watching_path("a"));
  expect_seen("a/deep/y.lua", true, watching_path("a/deep"));
  expect_seen("a-b.lua", true, watching_now.folder);
}
END_TEST

START_TEST(to_wake_anything_wakes_everything)
{
  watching_put("a/x.lua", "one");
  watching_put("a/y.lua", "one");
  watching_start();
  watching_pass(3);
  expect_seen("a/x.lua", true, NULL);
  expect_seen("a/y.lua", true, "/nowhere");
}
END_TEST

START_TEST(a_wake_finds_new_files)
{
  watching_start();
  watching_pass(5);
  expect_seen("new.lua", true, watching_now.folder);
}
END_TEST

START_TEST(a_wake_for_a_thousand_files_spreads)
{
  char name[64];
  for (size_t i = 0; i < 1000; i++) {
    snprintf(name, sizeof name, "file%04zu.lua", i);
    watching_put(name, "one");
  }
  watching_start();
  watching_pass(30);
  watching_save("file0999.lua", "other");
  sp_watch_wake(watching_now.watch, watching_now.folder);
  for (int i = 0; i < 8; i++)
    watching_poll(0.0001, false);
  for (int i = 0; i < 20; i++)
    watching_poll(0.0025, false);
  watching_expect(0, "~ file0999.lua [other]\n--\n");
}
END_TEST

/* }== */

/* {== Memory ============================================================= */

START_TEST(opening_with_too_little_memory_gives_nothing)
{
  put_many(40);
  size_t calls = 0;
  do {
    watching_now.memory = (test_memory){.fail_at = ++calls};
    watching_now.watch = watching_open();
    if (!watching_now.watch)
      ck_assert(test_memory_is_clean(&watching_now.memory));
  } while (!watching_now.watch);
  ck_assert_uint_gt(calls, 100);
}
END_TEST

/* Edits of each kind, with call number `fail_at` refused: nothing is lost. */
static void play_with_refusal(size_t fail_at)
{
  watching_put("a.lua", "one");
  watching_put("b.lua", "one");
  watching_start();
  watching_now.memory.calls = 0;
  watching_now.memory.refused = 0;
  watching_now.memory.fail_at = fail_at;
  watching_put("a.lua", "other");
  unlink(watching_path("b.lua"));
  watching_put("new/c.lua", "new");
  link_to("loop.lua", "loop.lua");
}

static const char *const expected_lines[] = {"~ a.lua [other]\n", "- b.lua\n", "+ new/c.lua [new]\n",
                                             "+ loop.lua [it is a link that leads to itself; fix or remove it]\n"};

START_TEST(refused_memory_in_a_poll_loses_nothing)
{
  bool refused = true;
  for (size_t fail_at = 1; refused; fail_at++) {
    watching_setup();
    play_with_refusal(fail_at);
    watching_pass(5);
    refused = watching_now.memory.refused > 0;
    for (size_t i = 0; i < 4; i++) {
      char *line = strstr(watching_now.told, expected_lines[i]);
      ck_assert_msg(line && !strstr(line + 1, expected_lines[i]), "call %zu: %s", fail_at, watching_now.told);
    }
    watching_teardown();
  }
}
END_TEST

START_TEST(memory_refused_for_long_only_delays)
{
  watching_put("a.lua", "one");
  watching_start();
  watching_now.memory.fail_at = 1;
  watching_now.memory.keep_failing = true;
  watching_save("a.lua", "other");
  watching_put("new/b.lua", "new");
  watching_expect(5, "");
  ck_assert_uint_eq(watching_poll(0.01, true), 0);
  watching_now.memory.fail_at = 0;
  watching_expect(5, "~ a.lua [other]\n+ new/b.lua [new]\n--\n");
}
END_TEST

START_TEST(nothing_may_be_closed) { sp_watch_close(NULL); }
END_TEST

/* }== */

Suite *sp_suite_watch_tree(void)
{
  Suite *suite = suite_create("watch_tree");
  TCase *folders = tcase_create("folders"), *names = tcase_create("names"), *many = tcase_create("many");
  TCase *wakes = tcase_create("waking"), *memory = tcase_create("memory"), *refusals = tcase_create("refusals");
  TCase *cases[] = {folders, names, many, wakes, memory};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tcase_add_checked_fixture(cases[i], watching_setup, watching_teardown);
    tcase_set_timeout(cases[i], WATCHING_TIMEOUT);
    suite_add_tcase(suite, cases[i]);
  }
  tcase_set_timeout(refusals, WATCHING_TIMEOUT);
  suite_add_tcase(suite, refusals);
  tcase_add_test(folders, a_new_folder_with_a_file_in_it_at_once_is_told);
  tcase_add_test(folders, a_deleted_folder_is_the_end_of_each_file);
  tcase_add_test(folders, a_renamed_folder_is_gone_and_new);
  tcase_add_test(folders, a_folder_in_the_place_of_another_is_a_new_one_of_the_same_name);
  tcase_add_test(folders, the_root_may_be_missing_go_and_come_back);
  tcase_add_test(folders, a_linked_root_is_followed_also_to_another_place);
  tcase_add_test(folders, slashes_at_the_end_of_the_root_do_not_matter);
  tcase_add_test(names, what_editors_leave_lying_about_is_not_told);
  tcase_add_test(many, an_idle_poll_allocates_nothing);
  tcase_add_test(many, an_edit_among_a_thousand_is_told_soon_at_any_frame_rate);
  tcase_add_test(many, a_thousand_changed_files_are_told_in_one_batch);
  tcase_add_test(wakes, a_woken_folder_is_looked_at_at_once);
  tcase_add_test(wakes, to_wake_anything_wakes_everything);
  tcase_add_test(wakes, a_wake_finds_new_files);
  tcase_add_test(wakes, a_wake_for_a_thousand_files_spreads);
  tcase_add_test(memory, opening_with_too_little_memory_gives_nothing);
  tcase_add_test(memory, memory_refused_for_long_only_delays);
  tcase_add_test(memory, nothing_may_be_closed);
  tcase_add_test(refusals, refused_memory_in_a_poll_loses_nothing);
  return suite;
}
