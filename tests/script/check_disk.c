/*
** Stamps, texts and hashes: a text counts only when the file did not change while it was read.
*/
#include "script/state/disk.h"
#include "script/watching.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Memory is asked for between the first stamp of a reading and the reading: the moment to meddle. */
static void *alloc_and_meddle(void *ud, void *ptr, size_t osize, size_t nsize)
{
  if (!ptr && *(const char **)ud)
    watching_save("a.lua", *(const char **)ud);
  return test_memory_fn(&watching_now.memory, ptr, osize, nsize);
}

static sp_disk_result read_meddled(const char *meddle, bool anyway, sp_stamp *stamp, char *bytes)
{
  char problem[SP_FILE_PROBLEM_MOST];
  sp_disk_text text = {0};
  sp_disk_reader reader = {watching_now.folder, {alloc_and_meddle, &meddle}};
  sp_disk_result result = sp_disk_read(&reader, watching_path("a.lua"), stamp, anyway, &text, problem);
  if (result == SP_DISK_READ) {
    strcpy(bytes, text.bytes);
    sp_disk_free(&reader, &text);
  }
  return result;
}

static test_group reading = {"reading", watching_setup, watching_teardown, WATCHING_TIMEOUT};

TEST(reading, a_still_file_is_read)
{
  char bytes[32];
  watching_put("a.lua", "one");
  sp_stamp stamp = sp_disk_stamp(watching_path("a.lua"));
  ck_assert_int_eq(read_meddled(NULL, false, &stamp, bytes), SP_DISK_READ);
  ck_assert_str_eq(bytes, "one");
}

TEST(reading, a_file_that_changed_since_its_stamp_is_not_read_but_stamped)
{
  char bytes[32];
  watching_put("a.lua", "one");
  sp_stamp stamp = sp_disk_stamp(watching_path("a.lua"));
  watching_save("a.lua", "two");
  ck_assert_int_eq(read_meddled(NULL, false, &stamp, bytes), SP_DISK_MOVED);
  ck_assert_int_eq(read_meddled(NULL, false, &stamp, bytes), SP_DISK_READ);
  ck_assert_str_eq(bytes, "two");
}

TEST(reading, a_file_that_changes_while_it_is_read_does_not_count)
{
  static const char *const texts[] = {"two", "", "longer than it was"};
  for (size_t i = 0; i < 3; i++) {
    char bytes[32];
    watching_save("a.lua", "one");
    sp_stamp stamp = sp_disk_stamp(watching_path("a.lua"));
    ck_assert_int_eq(read_meddled(texts[i], false, &stamp, bytes), SP_DISK_MOVED);
  }
}

TEST(reading, read_anyway_is_what_there_is_under_the_stamp_before_it)
{
  char bytes[32];
  watching_put("a.lua", "one");
  sp_stamp stamp = {.kind = SP_DISK_UNFIT}, before = sp_disk_stamp(watching_path("a.lua"));
  ck_assert_int_eq(read_meddled("longer", true, &stamp, bytes), SP_DISK_READ);
  ck_assert_str_eq(bytes, "lon");
  ck_assert(sp_stamp_is_same(&stamp, &before));
  ck_assert_int_eq(read_meddled("", true, &stamp, bytes), SP_DISK_READ);
  ck_assert_str_eq(bytes, "");
}

TEST(reading, a_file_that_is_gone_is_stamped_as_nothing_and_a_folder_fails)
{
  char bytes[32];
  watching_put("a.lua", "one");
  sp_stamp stamp = sp_disk_stamp(watching_path("a.lua"));
  unlink(watching_path("a.lua"));
  ck_assert_int_eq(read_meddled(NULL, true, &stamp, bytes), SP_DISK_MOVED);
  ck_assert_int_eq(stamp.kind, SP_DISK_NOTHING);
  mkdir(watching_path("a.lua"), 0700);
  ck_assert_int_eq(sp_disk_stamp(watching_path("a.lua")).kind, SP_DISK_FOLDER);
  ck_assert_int_eq(read_meddled(NULL, true, &stamp, bytes), SP_DISK_FAILED);
}

static int by_value(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

TEST(reading, a_change_anywhere_changes_the_hash)
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
  ck_assert_uint_eq(count, COUNT);
  qsort(hashes, count, sizeof *hashes, by_value);
  for (size_t i = 1; i < count; i++)
    ck_assert(hashes[i - 1] != hashes[i]);
  char moved[SIZE + 1] = {0};
  ck_assert(sp_disk_hash(moved + 1, SIZE) == sp_disk_hash(text, SIZE)); /* wherever it lies */
}

SUITE(disk, &reading)
