/*
** What the watcher looks at: folders that come, go and are links, names it leaves alone, how early a wake makes it
** look, what a thousand files cost, and what becomes of it when memory is refused.
*/
#include "script/watching.h"
#include "support/process.h"

#include <check.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
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

#define NOT_FOLLOWED "it is a link that leads out of the game's folder, and is not followed"

/* Those that lead inside lead to what is watched under its own name; the others are told once. */
START_TEST(links_to_folders_are_not_followed)
{
  watching_put("game/a.lua", "one");
  watching_put("game/real/b.lua", "one");
  watching_put("lib/c.lua", "one");
  link_to("../lib", "game/lib");
  link_to("real", "game/inner");
  link_to(".", "game/self");
  link_to("..", "game/real/up");
  link_to("/", "game/real/root");
  start_at("game");
  watching_expect(5, "+ lib [" NOT_FOLLOWED "]\n+ real/root [" NOT_FOLLOWED "]\n--\n");
  ck_assert_uint_eq(folder_count(), 2);
  ck_assert_uint_eq(sp_watch_file_count(watching_now.watch), 2);
  leave();
  watching_save("lib/c.lua", "other");
  watching_save("game/inner/b.lua", "other");
  strcat(watching_now.folder, "/game");
  watching_expect(5, "~ real/b.lua [other]\n--\n");
  unlink(watching_path("lib"));
  watching_put("lib/d.lua", "new");
  watching_expect(5, "+ lib/d.lua [new]\n--\n");
  leave();
}
END_TEST

/* Four links to the folder itself make 4^16 paths of 16 links. */
START_TEST(a_folder_of_links_to_itself_is_one_folder)
{
  static const char *const names[] = {"a", "b", "c", "d"};
  watching_put("x.lua", "one");
  for (size_t i = 0; i < 4; i++)
    link_to(".", names[i]);
  watching_start();
  ck_assert_uint_eq(folder_count(), 1);
  watching_expect(1, "");
}
END_TEST

START_TEST(a_root_that_leads_out_is_not_listed)
{
  watching_put("game/sprites/a.lua", "one");
  watching_put("other/b.lua", "one");
  static const char *const endings[] = {".lua", NULL};
  char game[300], root[320];
  snprintf(game, sizeof game, "%s", watching_path("game"));
  snprintf(root, sizeof root, "%s/sprites", game);
  watching_now.watch = sp_watch_open(&(sp_watch_options){.root = root, .folder = game, .endings = endings});
  strcat(watching_now.folder, "/game/sprites");
  watching_expect(1, "");
  leave();
  leave();
  move("game/sprites", "game/before");
  link_to("../other", "game/sprites");
  strcat(watching_now.folder, "/game");
  watching_pass(3);
  ck_assert_str_eq(watching_now.told, "+ sprites [" NOT_FOLLOWED "]\n- sprites/a.lua\n--\n");
  unlink(watching_path("sprites"));
  link_to("before", "sprites");
  watching_now.told[0] = '\0';
  watching_expect(3, "+ sprites/a.lua [one]\n--\n");
  leave();
}
END_TEST

START_TEST(folders_are_watched_sixteen_deep)
{
  char name[128] = "";
  for (int depth = 0; depth < 17; depth++) {
    strcat(name, "d/");
    char file[160];
    snprintf(file, sizeof file, "%sx.lua", name);
    watching_put(file, "one");
  }
  watching_start();
  ck_assert_uint_eq(folder_count(), 17);
  ck_assert_uint_eq(sp_watch_file_count(watching_now.watch), 16);
  watching_expect(5,
                  "+ d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d [it lies more than 16 folders deep, and is not watched]\n--\n");
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

START_TEST(what_is_no_file_says_what_it_is)
{
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  int server = socket(AF_UNIX, SOCK_STREAM, 0);
  watching_put("x.lua/y.lua", "one");
  watching_put("z.lua", "one");
  watching_start();
  ck_assert_int_eq(mkfifo(watching_path("pipe.lua"), 0600), 0);
  link_to("/dev/zero", "device.lua");
  link_to("nowhere.lua", "dangling.lua");
  link_to("/etc/passwd", "out.lua");
  snprintf(name.sun_path, sizeof name.sun_path, "%s", watching_path("socket.lua"));
  ck_assert_int_eq(bind(server, (struct sockaddr *)&name, sizeof name), 0);
  watching_expect(1, "+ dangling.lua [it is a link to 'nowhere.lua', which does not exist; fix or remove it]\n"
                     "+ device.lua [it is outside the game's folder; move it in, or start with --trust]\n"
                     "+ out.lua [it is outside the game's folder; move it in, or start with --trust]\n"
                     "+ pipe.lua [it is a pipe, not a file; replace or remove it]\n"
                     "+ socket.lua [it is a socket, not a file; replace or remove it]\n--\n");
  watching_expect(5, "");
  watching_put("nowhere.lua", "now");
  watching_expect(5, "~ dangling.lua [now]\n+ nowhere.lua [now]\n--\n");
  close(server);
}
END_TEST

START_TEST(outside_a_sandbox_links_lead_anywhere_but_not_to_devices)
{
  watching_put("game/a.lua", "one");
  watching_put("b", "two");
  start_at("game");
  sp_watch_close(watching_now.watch);
  watching_now.holds_all = true;
  watching_start();
  link_to("../b", "out.lua");
  link_to("/dev/zero", "device.lua");
  watching_expect(5, "+ device.lua [it is a device, not a file; replace or remove it]\n+ out.lua [two]\n--\n");
  leave();
}
END_TEST

START_TEST(a_file_may_become_anything_and_a_file_again)
{
  watching_put("a.lua", "one");
  watching_start();
  unlink(watching_path("a.lua"));
  watching_put("a.lua/new.lua", "new");
  watching_expect(5, "- a.lua\n--\n+ a.lua/new.lua [new]\n--\n");
  remove_folder("a.lua");
  ck_assert_int_eq(mkfifo(watching_path("a.lua"), 0600), 0);
  watching_expect(5, "+ a.lua [it is a pipe, not a file; replace or remove it]\n- a.lua/new.lua\n--\n");
  unlink(watching_path("a.lua"));
  link_to("a.lua", "a.lua");
  watching_expect(5, "~ a.lua [it is a link that leads to itself; fix or remove it]\n--\n");
  unlink(watching_path("a.lua"));
  watching_put("a.lua", "one");
  watching_expect(5, "~ a.lua [one]\n--\n");
}
END_TEST

/* The text is there in full, or not at all. */
START_TEST(a_file_that_grows_while_it_is_read_is_told_whole)
{
  watching_put("a.lua", "");
  watching_start();
  FILE *f = fopen(watching_path("a.lua"), "w");
  for (int i = 0; i < 30; i++) {
    fputs("0123456789", f);
    fflush(f);
    watching_pass(0.03);
  }
  fclose(f);
  watching_pass(1);
  const char *last = strrchr(watching_now.told, '[');
  ck_assert_ptr_nonnull(last);
  ck_assert_uint_eq(strcspn(last + 1, "]"), 300);
}
END_TEST

START_TEST(a_linked_file_is_told_when_its_target_is_edited_or_another)
{
  watching_put("lib/a.txt", "one");
  watching_put("lib/b.txt", "two");
  link_to("lib/a.txt", "x.lua");
  link_to("lib/b.txt", "next");
  watching_start();
  watching_save("lib/a.txt", "other");
  watching_expect(1, "~ x.lua [other]\n--\n");
  move("next", "x.lua");
  watching_expect(1, "~ x.lua [two]\n--\n");
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

START_TEST(a_folder_without_end_is_watched_up_to_a_limit)
{
  char name[32];
  watching_put("a/main.lua", "one");
  for (int i = 0; i < SP_WATCH_MOST; i++) {
    snprintf(name, sizeof name, "b/%05d.lua", i);
    watching_put(name, "");
  }
  watching_start();
  ck_assert_uint_eq(sp_watch_file_count(watching_now.watch), SP_WATCH_MOST - 3);
  watching_pass(1);
  ck_assert_ptr_nonnull(strstr(watching_now.told, ". [there are more than 20000 files and folders here, and the rest "
                                                  "is not watched; give the game a folder of its own]\n"));
  watching_now.told[0] = '\0';
  watching_save("a/main.lua", "other");
  watching_expect(10, "~ a/main.lua [other]\n--\n");
}
END_TEST

/* }== */

/* {== Waking ============================================================= */

/* Polls with no time between them look at nothing unless woken: 40 ms later the edit can only be told if it was seen.
   */
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
  tcase_add_test(folders, links_to_folders_are_not_followed);
  tcase_add_test(folders, a_folder_of_links_to_itself_is_one_folder);
  tcase_add_test(folders, a_root_that_leads_out_is_not_listed);
  tcase_add_test(folders, folders_are_watched_sixteen_deep);
  tcase_add_test(names, what_editors_leave_lying_about_is_not_told);
  tcase_add_test(names, what_is_no_file_says_what_it_is);
  tcase_add_test(names, outside_a_sandbox_links_lead_anywhere_but_not_to_devices);
  tcase_add_test(names, a_file_may_become_anything_and_a_file_again);
  tcase_add_test(names, a_file_that_grows_while_it_is_read_is_told_whole);
  tcase_add_test(names, a_linked_file_is_told_when_its_target_is_edited_or_another);
  tcase_add_test(many, an_idle_poll_allocates_nothing);
  tcase_add_test(many, an_edit_among_a_thousand_is_told_soon_at_any_frame_rate);
  tcase_add_test(many, a_thousand_changed_files_are_told_in_one_batch);
  tcase_add_test(many, a_folder_without_end_is_watched_up_to_a_limit);
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
