/*
** Limits of the file watcher: bytes and times that a script cannot write, thousands of files, wakes, and memory that is
** refused.
*/
#include "script/watching.h"
#include "support/test.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* {== Files ============================================================== */

static test_group tcase = {"watched", watching_setup, watching_teardown, WATCHING_TIMEOUT};
static test_group refusals = {"refusals", .timeout = WATCHING_TIMEOUT};

/* A mapped page is written without a new time, as on a disk whose times are coarse. */
TEST(tcase, a_second_save_that_the_times_do_not_show_is_told)
{
  watching_play("put a.lua one\ntime a.lua 1000000000\nstart");
  int file = open(watching_path("a.lua"), O_RDWR);
  char *text = mmap(NULL, 3, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ck_assert(text != MAP_FAILED);
  memcpy(text, "two", 3);
  watching_expect(1, "~ a.lua [two]\n--\n");
  memcpy(text, "six", 3);
  watching_expect(3, "~ a.lua [six]\n--\n");
  munmap(text, 3);
  close(file);
}

TEST(tcase, any_bytes_are_told)
{
  static const char bytes[] = "\x1bLua\0\xff\r\n\0";
  sp_watch_change change;
  watching_start();
  FILE *f = fopen(watching_path("a.lua"), "w");
  fwrite(bytes, 1, sizeof bytes, f);
  fclose(f);
  ck_assert(sp_watch_poll(watching_now.watch, 1, true) && sp_watch_next(watching_now.watch, &change));
  ck_assert_uint_eq(change.size, sizeof bytes);
  ck_assert_mem_eq(change.text, bytes, sizeof bytes);
  ck_assert(!sp_watch_next(watching_now.watch, &change));
}

TEST(tcase, a_root_that_becomes_a_link_out_of_the_folder_is_not_listed)
{
  static const char *const endings[] = {".lua", NULL};
  watching_play("put game/sprites/a.lua one\nput other/b.lua one");
  snprintf(watching_now.root, sizeof watching_now.root, "%s/game", watching_now.folder);
  const char *root = watching_path("game/sprites");
  watching_now.watch =
      sp_watch_open(&(sp_watch_options){.root = root, .folder = watching_now.root, .endings = endings});
  watching_play("1 = \nmv game/sprites game/before\nln ../other game/sprites\n"
                "3 = + sprites [it is a link that leads out of the game's folder, and is not followed] | "
                "- sprites/a.lua\nrm game/sprites\nln before game/sprites\n3 = + sprites/a.lua [one]");
}

/* }== */

/* {== Time =============================================================== */

TEST(tcase, a_file_that_is_never_still_is_told_after_a_second)
{
  watching_put("noise.lua", "");
  watching_put("quiet.lua", "one");
  watching_start();
  watching_save("quiet.lua", "other");
  FILE *f = fopen(watching_path("noise.lua"), "w");
  while (watching_now.now < 3 && !watching_now.told[0]) {
    fputc('x', f);
    fflush(f);
    watching_poll(0.03, false);
  }
  fclose(f);
  ck_assert_double_ge(watching_now.now, 1);
  ck_assert_double_le(watching_now.now, 1.2);
  ck_assert_ptr_nonnull(strstr(watching_now.told, "~ noise.lua [xxx"));
  ck_assert_ptr_nonnull(strstr(watching_now.told, "~ quiet.lua [other]"));
}

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

TEST(tcase, an_idle_poll_allocates_nothing)
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

TEST(tcase, an_edit_among_a_thousand_is_told_soon_at_any_frame_rate)
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

TEST(tcase, a_thousand_changed_files_are_told_in_one_batch)
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

TEST(tcase, a_folder_without_end_is_watched_up_to_a_limit)
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

/* }== */

/* {== Waking ============================================================= */

TEST(tcase, a_wake_for_a_thousand_files_spreads)
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

/* }== */

/* {== Memory ============================================================= */

TEST(tcase, opening_with_too_little_memory_gives_nothing)
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

/* Edits of each kind, with call number `fail_at` refused: nothing is lost. */
static void play_with_refusal(size_t fail_at)
{
  watching_put("a.lua", "one");
  watching_put("b.lua", "one");
  watching_start();
  watching_now.memory.calls = 0;
  watching_now.memory.refused = 0;
  watching_now.memory.fail_at = fail_at;
  watching_play("put a.lua other\nrm b.lua\nput new/c.lua new\nln loop.lua loop.lua");
}

static const char *const expected_lines[] = {"~ a.lua [other]\n", "- b.lua\n", "+ new/c.lua [new]\n",
                                             "+ loop.lua [it is a link that leads to itself; fix or remove it]\n"};

TEST(refusals, refused_memory_in_a_poll_loses_nothing)
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

TEST(tcase, memory_refused_for_long_only_delays)
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

/* }== */

SUITE(watch_limits, &tcase, &refusals)
