/*
** What the watcher tells of the ways in which editors and tools save, on real files. Only the clock is not real.
*/
#include "script/watching.h"
#include "support/process.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static void rename_file(const char *from, const char *to)
{
  ck_assert_int_eq(rename(watching_path(from), watching_path(to)), 0);
}

static void remove_file(const char *name) { ck_assert_int_eq(unlink(watching_path(name)), 0); }

/* Both times of the file, in seconds since 1970. */
static void set_times(const char *name, time_t seconds)
{
  struct timespec times[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
  ck_assert_int_eq(utimensat(AT_FDCWD, watching_path(name), times, 0), 0);
}

static FILE *open_file(const char *name)
{
  FILE *f = fopen(watching_path(name), "w");
  ck_assert_ptr_nonnull(f);
  return f;
}

/* {== Styles of saving =================================================== */

START_TEST(what_is_there_at_first_is_not_told)
{
  watching_put("main.lua", "return {}");
  watching_put("pools/Bullet.lua", "one");
  watching_start();
  watching_expect(5, "");
  ck_assert_uint_eq(sp_watch_file_count(watching_now.watch), 2);
}
END_TEST

START_TEST(a_write_in_place_is_told_with_the_text)
{
  watching_put("pools/Bullet.lua", "one");
  watching_start();
  watching_save("pools/Bullet.lua", "another");
  watching_expect(5, "~ pools/Bullet.lua [another]\n--\n");
  watching_save("pools/Bullet.lua", "longer than before");
  watching_expect(5, "~ pools/Bullet.lua [longer than before]\n--\n");
}
END_TEST

START_TEST(an_edit_of_the_same_size_is_told)
{
  watching_put("a.lua", "one");
  watching_start();
  watching_save("a.lua", "two");
  watching_expect(1, "~ a.lua [two]\n--\n");
}
END_TEST

START_TEST(half_a_save_is_not_told)
{
  watching_put("a.lua", "one");
  watching_start();
  FILE *f = open_file("a.lua");
  watching_expect(0.15, "");
  fputs("first half, ", f);
  fflush(f);
  watching_expect(0.03, "");
  fputs("second half", f);
  fclose(f);
  watching_expect(1, "~ a.lua [first half, second half]\n--\n");
}
END_TEST

START_TEST(a_file_renamed_onto_another_is_told)
{
  watching_put("a.lua", "one");
  watching_start();
  watching_save("a.lua.tmp", "two");
  watching_expect(0.3, "");
  rename_file("a.lua.tmp", "a.lua");
  watching_expect(1, "~ a.lua [two]\n--\n");
  /* As vim does it: the old file becomes the copy, for an instant there is none. */
  rename_file("a.lua", "a.lua~");
  watching_expect(0.02, "");
  watching_save("a.lua", "three");
  remove_file("a.lua~");
  watching_expect(1, "~ a.lua [three]\n--\n");
}
END_TEST

START_TEST(an_older_copy_is_told)
{
  watching_put("a.lua", "new");
  watching_put("b.lua", "new");
  watching_start();
  watching_save("copy", "old");
  set_times("copy", 1000000000);
  rename_file("copy", "a.lua");
  watching_save("b.lua", "old");
  set_times("b.lua", 1000000000);
  watching_expect(1, "~ a.lua [old]\n~ b.lua [old]\n--\n");
}
END_TEST

START_TEST(an_edit_with_its_time_put_back_is_told)
{
  watching_put("a.lua", "one");
  set_times("a.lua", 1000000000);
  watching_start();
  watching_save("a.lua", "two");
  set_times("a.lua", 1000000000);
  watching_expect(1, "~ a.lua [two]\n--\n");
}
END_TEST

START_TEST(a_file_back_at_once_with_the_same_text_is_nothing)
{
  watching_put("a.lua", "one");
  watching_start();
  remove_file("a.lua");
  watching_expect(0.03, "");
  watching_save("a.lua", "one");
  watching_expect(5, "");
}
END_TEST

START_TEST(a_file_back_at_once_with_another_text_has_changed)
{
  watching_put("a.lua", "one");
  watching_start();
  remove_file("a.lua");
  watching_expect(0.03, "");
  watching_save("a.lua", "other");
  watching_expect(1, "~ a.lua [other]\n--\n");
}
END_TEST

START_TEST(a_file_deleted_for_good_is_told_once_and_new_when_it_comes_back)
{
  watching_put("a.lua", "one");
  watching_start();
  remove_file("a.lua");
  watching_expect(5, "- a.lua\n--\n");
  ck_assert_uint_eq(sp_watch_file_count(watching_now.watch), 0);
  watching_save("a.lua", "one");
  watching_expect(1, "+ a.lua [one]\n--\n");
}
END_TEST

START_TEST(a_checkout_is_told_at_once)
{
  static const char *const names[] = {"a.lua", "b/c.lua", "b/d.lua", "e.lua"};
  for (int i = 0; i < 4; i++)
    watching_put(names[i], "master");
  watching_start();
  for (int i = 0; i < 4; i++) {
    remove_file(names[i]);
    watching_pass(0.02);
    FILE *f = open_file(names[i]);
    watching_pass(0.02);
    fputs(i == 2 ? "master" : "branch", f);
    fclose(f);
  }
  watching_expect(1, "~ a.lua [branch]\n~ b/c.lua [branch]\n~ e.lua [branch]\n--\n");
}
END_TEST

START_TEST(a_touch_is_nothing)
{
  watching_put("a.lua", "one");
  watching_start();
  set_times("a.lua", 1000000000);
  watching_expect(2, "");
  set_times("a.lua", 2000000000);
  watching_expect(2, "");
  watching_save("a.lua", "one");
  watching_expect(2, "");
}
END_TEST

START_TEST(two_saves_back_to_back_give_the_last)
{
  watching_put("a.lua", "one");
  watching_start();
  watching_save("a.lua", "two");
  watching_pass(0.12);
  watching_save("a.lua", "six");
  watching_pass(0.5);
  ck_assert_ptr_nonnull(strstr(watching_now.told, "~ a.lua [six]\n--\n"));
  ck_assert_ptr_null(strstr(watching_now.told, "[one]"));
}
END_TEST

/* A mapped page is written without a new time, as on a disk whose times are coarse. */
START_TEST(a_second_save_that_the_times_do_not_show_is_told)
{
  watching_put("a.lua", "one");
  set_times("a.lua", 1000000000);
  watching_start();
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
END_TEST

/* }== */

/* {== Contents =========================================================== */

START_TEST(an_empty_file_is_told_when_it_stays_empty)
{
  watching_put("a.lua", "one");
  watching_start();
  watching_save("a.lua", "");
  watching_save("b.lua", "");
  watching_expect(1, "~ a.lua []\n+ b.lua []\n--\n");
  watching_save("a.lua", "one");
  watching_expect(1, "~ a.lua [one]\n--\n");
}
END_TEST

START_TEST(any_bytes_are_told)
{
  static const char bytes[] = "\x1bLua\0\xff\r\n\0";
  sp_watch_change change;
  watching_start();
  FILE *f = open_file("a.lua");
  fwrite(bytes, 1, sizeof bytes, f);
  fclose(f);
  ck_assert(sp_watch_poll(watching_now.watch, 1, true) && sp_watch_next(watching_now.watch, &change));
  ck_assert_uint_eq(change.size, sizeof bytes);
  ck_assert_mem_eq(change.text, bytes, sizeof bytes);
  ck_assert(!sp_watch_next(watching_now.watch, &change));
}
END_TEST

START_TEST(a_file_that_cannot_be_read_says_why_once)
{
  watching_put("a.lua", "one");
  watching_start();
  remove_file("a.lua");
  ck_assert_int_eq(symlink("a.lua", watching_path("a.lua")), 0);
  ck_assert_int_eq(symlink("b.lua", watching_path("b.lua")), 0);
  watching_expect(10, "~ a.lua [it is a link that leads to itself; fix or remove it]\n"
                      "+ b.lua [it is a link that leads to itself; fix or remove it]\n--\n");
  remove_file("a.lua");
  watching_put("a.lua", "one");
  watching_expect(1, "~ a.lua [one]\n--\n");
  remove_file("b.lua");
  watching_expect(1, "- b.lua\n--\n");
}
END_TEST

START_TEST(a_file_without_permission_is_a_problem_until_it_has_it)
{
  if (geteuid() == 0) {
    test_skip("a_file_without_permission_is_a_problem_until_it_has_it", "root may read everything");
    return;
  }
  watching_put("a.lua", "one");
  watching_start();
  chmod(watching_path("a.lua"), 0);
  watching_expect(5, "~ a.lua [Permission denied]\n--\n");
  chmod(watching_path("a.lua"), 0600);
  watching_expect(5, "~ a.lua [one]\n--\n");
}
END_TEST

START_TEST(a_file_too_large_is_a_problem)
{
  watching_put("a.lua", "one");
  watching_start();
  ck_assert_int_eq(truncate(watching_path("a.lua"), ((off_t)64 << 20) + 1), 0);
  watching_expect(1, "~ a.lua [it is larger than 64 MiB, and not read for that]\n--\n");
  ck_assert_int_eq(truncate(watching_path("a.lua"), 3), 0);
  watching_expect(1, "~ a.lua [one]\n--\n");
}
END_TEST

/* }== */

/* {== Time =============================================================== */

START_TEST(a_save_waits_until_it_is_still)
{
  watching_put("a.lua", "one");
  watching_start();
  watching_save("a.lua", "longer");
  while (watching_now.now < 1 && watching_poll(0.01, false) == 0)
    ;
  ck_assert_double_ge_tol(watching_now.now, 0.04, 1e-9);
  ck_assert_double_le_tol(watching_now.now, 0.2, 1e-9);
}
END_TEST

START_TEST(a_file_that_is_never_still_is_told_after_a_second)
{
  watching_put("noise.lua", "");
  watching_put("quiet.lua", "one");
  watching_start();
  watching_save("quiet.lua", "other");
  FILE *f = open_file("noise.lua");
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
END_TEST

START_TEST(files_saved_one_after_the_other_are_told_together_by_path)
{
  char name[32], expected[1024] = "";
  watching_start();
  for (int i = 20; i-- > 0;) {
    snprintf(name, sizeof name, "pools/P%02d.lua", i);
    watching_put(name, "new");
    watching_pass(0.02);
  }
  for (int i = 0; i < 20; i++)
    snprintf(expected + strlen(expected), sizeof expected - strlen(expected), "+ pools/P%02d.lua [new]\n", i);
  strcat(expected, "--\n");
  watching_expect(1, expected);
}
END_TEST

START_TEST(a_pause_in_polling_settles_nothing)
{
  watching_put("a.lua", "one");
  watching_start();
  FILE *f = open_file("a.lua");
  watching_poll(0.1, false);
  fputs("half", f);
  fflush(f);
  ck_assert_uint_eq(watching_poll(60, false), 0);
  fputs(" and half", f);
  fclose(f);
  watching_expect(1, "~ a.lua [half and half]\n--\n");
}
END_TEST

START_TEST(hurry_tells_at_once)
{
  watching_put("a.lua", "one");
  watching_put("b.lua", "one");
  watching_start();
  watching_save("a.lua", "other");
  watching_put("new/deep/c.lua", "");
  remove_file("b.lua");
  ck_assert_uint_eq(watching_poll(0, true), 3);
  watching_expect(5, "~ a.lua [other]\n- b.lua\n+ new/deep/c.lua []\n--\n");
  ck_assert_uint_eq(watching_poll(0, true), 0);
}
END_TEST

/* }== */

Suite *sp_suite_watch(void)
{
  Suite *suite = suite_create("watch");
  TCase *styles = tcase_create("styles"), *contents = tcase_create("contents"), *times = tcase_create("times");
  TCase *cases[] = {styles, contents, times};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tcase_add_checked_fixture(cases[i], watching_setup, watching_teardown);
    tcase_set_timeout(cases[i], WATCHING_TIMEOUT);
    suite_add_tcase(suite, cases[i]);
  }
  tcase_add_test(styles, what_is_there_at_first_is_not_told);
  tcase_add_test(styles, a_write_in_place_is_told_with_the_text);
  tcase_add_test(styles, an_edit_of_the_same_size_is_told);
  tcase_add_test(styles, half_a_save_is_not_told);
  tcase_add_test(styles, a_file_renamed_onto_another_is_told);
  tcase_add_test(styles, an_older_copy_is_told);
  tcase_add_test(styles, an_edit_with_its_time_put_back_is_told);
  tcase_add_test(styles, a_file_back_at_once_with_the_same_text_is_nothing);
  tcase_add_test(styles, a_file_back_at_once_with_another_text_has_changed);
  tcase_add_test(styles, a_file_deleted_for_good_is_told_once_and_new_when_it_comes_back);
  tcase_add_test(styles, a_checkout_is_told_at_once);
  tcase_add_test(styles, a_touch_is_nothing);
  tcase_add_test(styles, two_saves_back_to_back_give_the_last);
  tcase_add_test(styles, a_second_save_that_the_times_do_not_show_is_told);
  tcase_add_test(contents, an_empty_file_is_told_when_it_stays_empty);
  tcase_add_test(contents, any_bytes_are_told);
  tcase_add_test(contents, a_file_that_cannot_be_read_says_why_once);
  tcase_add_test(contents, a_file_without_permission_is_a_problem_until_it_has_it);
  tcase_add_test(contents, a_file_too_large_is_a_problem);
  tcase_add_test(times, a_save_waits_until_it_is_still);
  tcase_add_test(times, a_file_that_is_never_still_is_told_after_a_second);
  tcase_add_test(times, files_saved_one_after_the_other_are_told_together_by_path);
  tcase_add_test(times, a_pause_in_polling_settles_nothing);
  tcase_add_test(times, hurry_tells_at_once);
  return suite;
}
