/*
** Limits of the file watcher: bytes and times that a script cannot write, thousands of files, and memory that is
** refused.
*/
#include "script/state/disk.h"
#include "script/state/platform.h"
#include "script/watching.h"
#include "support/test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
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
  watching_expect(1, "~ a.lua [two]");
  memcpy(text, "six", 3);
  watching_expect(3, "~ a.lua [six]");
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

/* The watch asks for memory after it has stamped a file, and before it reads it: a save comes at that moment. */
static const char *meddle;

static void *alloc_and_meddle(void *ud, void *ptr, size_t osize, size_t nsize)
{
  const char *text = ptr ? NULL : meddle;
  if (text) {
    meddle = NULL;
    watching_save("a.lua", text);
  }
  return test_memory_fn(ud, ptr, osize, nsize);
}

TEST(tcase, a_file_that_changes_while_it_is_read_is_told_once_with_its_last_text)
{
  static const char *const texts[] = {"two", "", "longer than it was"};
  char told[64];
  watching_now.alloc = alloc_and_meddle;
  watching_play("put a.lua one\nstart");
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    watching_save("a.lua", "half");
    meddle = texts[i];
    snprintf(told, sizeof told, "~ a.lua [%s]", texts[i]);
    watching_expect(3, told);
    ck_assert_ptr_null(meddle);
  }
}

static int by_value(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Of texts of zeros of all sizes, and of one text with each bit set. */
TEST(tcase, a_change_anywhere_changes_the_hash)
{
  enum { SIZE = 61, COUNT = SIZE * 8 + SIZE + 1 };
  static uint64_t hashes[COUNT];
  char text[SIZE] = {0};
  size_t count = 0;
  for (size_t size = 0; size <= SIZE; size++)
    hashes[count++] = sp_disk_hash(text, size);
  for (size_t bit = 0; bit < SIZE * 8; bit++) {
    text[bit / 8] = (char)(1 << (bit % 8));
    hashes[count++] = sp_disk_hash(text, SIZE);
    text[bit / 8] = 0;
  }
  qsort(hashes, count, sizeof *hashes, by_value);
  for (size_t i = 1; i < count; i++)
    ck_assert(hashes[i - 1] != hashes[i]);
}

/* }== */

/* {== Time =============================================================== */

TEST(tcase, a_file_that_is_never_still_is_told_after_a_second)
{
  watching_play("put noise.lua\nput quiet.lua one\nstart\nsave quiet.lua other");
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

static const char *name_of(size_t i)
{
  static char name[64];
  snprintf(name, sizeof name, "f%02zu/file%04zu.lua", i * 7 % 3, i);
  return name;
}

/* Writes the text into each second file, "one" into the others. */
static void put_many(size_t count, const char *text)
{
  for (size_t i = 0; i < count; i++)
    watching_put(name_of(i), i % 2 ? text : "one");
}

/* Settled is what has been still for 40 ms: of few files an edit is told within a frame of that. */
static const struct {
  size_t files;
  double frame, most; /* seconds */
} rows[] = {
    {200, 1.0 / 60, 0.040 + 1.0 / 60}, {1000, 1.0 / 1000, 0.005 + 16.0 / 60}, {1000, 1.0 / 30, 0.005 + 16.0 / 30}};

TESTS(tcase, an_edit_among_many_is_told_soon_at_any_frame_rate, sizeof rows / sizeof *rows)
{
  const double frame = rows[_i].frame;
  put_many(rows[_i].files, "one");
  watching_start();
  for (size_t i = 0; i < 10; i++) {
    char text[40];
    snprintf(text, sizeof text, "%zu at %g", i, frame);
    watching_now.told[0] = '\0';
    for (size_t wait = 0; wait < i; wait++)
      ck_assert_uint_eq(watching_poll(frame, false), 0);
    watching_put(name_of(i * 83 % rows[_i].files), text);
    watching_now.date = sp_date_nanoseconds() + (uint64_t)1e9; /* it was still since, as far as can be known */
    double begin = watching_now.now;
    while (watching_now.now < begin + 2 && watching_poll(frame, false) == 0)
      ;
    ck_assert_double_le(watching_now.now - begin, rows[_i].most);
    ck_assert_ptr_nonnull(strstr(watching_now.told, text));
  }
}

/* }== */

/* {== Many files ========================================================= */

TEST(tcase, an_idle_poll_allocates_nothing)
{
  put_many(300, "one");
  watching_start();
  size_t calls = watching_now.memory.calls, bytes = watching_now.memory.bytes;
  watching_expect(10, "");
  ck_assert_uint_eq(watching_now.memory.bytes, bytes);
  ck_assert_uint_le(watching_now.memory.calls, calls + 300); /* each was young, and read once more */
  calls = watching_now.memory.calls;
  watching_expect(10, "");
  ck_assert_uint_eq(watching_now.memory.calls, calls);
}

/* They were still for long when the first poll saw some of them. */
TEST(tcase, thousands_of_changed_files_are_told_in_one_batch)
{
  sp_watch_change change;
  char last[64] = "";
  size_t count = 0, batches = 0;
  put_many(1500, "one");
  watching_start();
  watching_expect(1, "");
  put_many(1500, "other");
  watching_now.date = sp_date_nanoseconds() + (uint64_t)1e9;
  for (int i = 0; i < 60; i++) {
    size_t before = count;
    sp_watch_poll(watching_now.watch, watching_now.now += 1.0 / 60, false);
    for (; sp_watch_next(watching_now.watch, &change); count++) {
      const char *name = change.path + strlen(watching_now.folder);
      ck_assert_int_lt(strcmp(last, name), 0);
      snprintf(last, sizeof last, "%s", name);
    }
    batches += count > before;
  }
  ck_assert_uint_eq(count, 750);
  ck_assert_uint_eq(batches, 1);
}

TEST(tcase, files_saved_one_after_the_other_among_a_thousand_are_one_batch)
{
  put_many(1000, "one");
  watching_start();
  watching_put(name_of(0), "a");
  for (int i = 0; i < 60 && !sp_watch_is_pending(watching_now.watch); i++)
    watching_poll(1.0 / 60, false);
  watching_play(
      "put f00/file0999.lua b\n0.03 = \nput f02/file0509.lua c\n0.03 = \nput f01/file0514.lua d\n"
      "1 = ~ f00/file0000.lua [a] | ~ f00/file0999.lua [b] | ~ f01/file0514.lua [d] | ~ f02/file0509.lua [c]");
}

TEST(tcase, a_folder_without_end_is_watched_up_to_a_limit)
{
  char name[32];
  watching_put("a/main.lua", "one");
  for (int i = 0; i < SP_WATCH_MOST; i++) {
    snprintf(name, sizeof name, "b/%05d.lua", i);
    if (i == 0)
      watching_put(name, "");
    else
      ck_assert_int_eq(link(watching_path("b/00000.lua"), watching_path(name)), 0);
  }
  watching_start();
  watching_expect(1, "+ . [there are more than 20000 files and folders here, and the rest is not watched; give the "
                     "game a folder of its own]");
  watching_put("a/main.lua", "other");
  watching_expect(10, "~ a/main.lua [other]");
}

/* }== */

/* {== Memory ============================================================= */

TEST(tcase, opening_with_too_little_memory_gives_nothing)
{
  put_many(60, "one");
  size_t calls = 0;
  do {
    watching_now.memory = (test_memory){.fail_at = ++calls};
    watching_now.watch = watching_open();
    if (!watching_now.watch)
      ck_assert(test_memory_is_clean(&watching_now.memory));
  } while (!watching_now.watch);
  ck_assert_uint_gt(calls, 100);
}

/* Edits of each kind, with any one call refused: nothing is lost. */
TEST(refusals, refused_memory_in_a_poll_loses_nothing)
{
  static const char *const expected[] = {"~ a.lua [other]", "- b.lua", "+ new/c.lua [new]",
                                         "+ loop.lua [it is a link that leads to itself; fix or remove it]"};
  bool refused = true;
  for (size_t fail_at = 1; refused; fail_at++) {
    watching_setup();
    watching_play("put a.lua one\nput b.lua one\nstart");
    watching_now.memory =
        (test_memory){.bytes = watching_now.memory.bytes, .blocks = watching_now.memory.blocks, .fail_at = fail_at};
    watching_play("put a.lua other\nrm b.lua\nput new/c.lua new\nln loop.lua loop.lua");
    for (int i = 0; i < 300; i++)
      watching_poll(1.0 / 60, false);
    refused = watching_now.memory.refused > 0;
    for (size_t i = 0; i < 4; i++) {
      char *line = strstr(watching_now.told, expected[i]);
      ck_assert_msg(line && !strstr(line + 1, expected[i]), "call %zu: %s", fail_at, watching_now.told);
    }
    watching_teardown();
  }
}

TEST(tcase, memory_refused_for_long_only_delays)
{
  watching_play("put a.lua one\nstart");
  watching_now.memory.fail_at = 1;
  watching_now.memory.keep_failing = true;
  watching_play("save a.lua other\nput new/b.lua new\n5 = ");
  ck_assert_uint_eq(watching_poll(0.01, true), 0);
  watching_now.memory.fail_at = 0;
  watching_expect(5, "~ a.lua [other] | + new/b.lua [new]");
}

/* }== */

SUITE(watch_limits, &tcase, &refusals)
