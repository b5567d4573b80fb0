/*
** demo/support/debian_sources.sh without a network: it keeps what is there and in the range, and names in one line what
** it cannot get.
*/
#include "support/shell.h"

#define FETCH "http_proxy=http://127.0.0.1:9 https_proxy=http://127.0.0.1:9 sh demo/support/debian_sources.sh "

static char folder[256];

static void setup(void)
{
  ck_assert(test_folder_make(folder, sizeof folder));
  EXPECT_STATUS(0,
                "cd '%s' && mkdir -p tiny-1.7.15/debian && ln -s tiny-1.7.15 tiny && "
                "echo 'tiny (1:1.7.15-1+deb12u4) stable; urgency=low' >tiny/debian/changelog",
                folder);
}

static void teardown(void) { test_folder_remove(folder); }

START_TEST(what_is_there_and_in_the_range_needs_no_network)
{
  static const char *const fine[] = {"tiny", "tiny>=1.7", "tiny>=1.7.15<2", "tiny<1.7.16"};
  if (!is_here("what_is_there_and_in_the_range_needs_no_network", "dpkg is missing", "command -v dpkg"))
    return;
  for (size_t i = 0; i < sizeof fine / sizeof *fine; i++)
    EXPECT_STATUS(0, "test -z \"$(" FETCH "'%s' '%s' 2>&1)\" && ! test -e '%s/apt'", folder, fine[i], folder);
}
END_TEST

START_TEST(what_cannot_be_fetched_is_one_line)
{
  static const char *const others[] = {"tiny>=1.8", "tiny<1.7.15", "tiny>=1.7<1.7", "absent"};
  if (!is_here("what_cannot_be_fetched_is_one_line", "apt-get or dpkg-source is missing",
               "command -v apt-get && command -v dpkg-source"))
    return;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    test_process fetch = test_run(60, FETCH "'%s' '%s'", folder, others[i]);
    ck_assert_int_eq(fetch.status, 2);
    ck_assert_msg(strstr(fetch.err, others[i]) && strchr(fetch.err, '\n') == strrchr(fetch.err, '\n'), "%s", fetch.err);
    test_process_free(&fetch);
    EXPECT_STATUS(0, "grep -q 1.7.15 '%s/tiny/debian/changelog'", folder); /* what was there stays */
  }
}
END_TEST

START_TEST(a_wrong_call_is_told) { EXPECT_STATUS(2, FETCH "'%s'", folder); }
END_TEST

Suite *sp_suite_debian_sources(void)
{
  Suite *suite = suite_create("debian_sources");
  TCase *all = tcase_create("sources");
  tcase_add_checked_fixture(all, setup, teardown);
  tcase_set_timeout(all, 300);
  tcase_add_test(all, what_is_there_and_in_the_range_needs_no_network);
  tcase_add_test(all, what_cannot_be_fetched_is_one_line);
  tcase_add_test(all, a_wrong_call_is_told);
  suite_add_tcase(suite, all);
  return suite;
}
