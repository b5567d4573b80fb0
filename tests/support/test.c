/*
** See test.h.
*/
#include "support/test.h"

enum { TEST_TIMEOUT = 60 }; /* seconds: long enough for a busy machine; only a test that hangs reaches it */

void test_group_add(test_group *group, test_entry *entry)
{
  if (group->last)
    group->last->next = entry;
  else
    group->first = entry;
  group->last = entry;
}

Suite *test_suite(const char *name, test_group *const *groups)
{
  Suite *suite = suite_create(name);
  for (; *groups; groups++) {
    const test_group *group = *groups;
    TCase *tcase = tcase_create(group->name);
    tcase_add_checked_fixture(tcase, group->setup, group->teardown);
    tcase_set_timeout(tcase, group->timeout > 0 ? group->timeout : TEST_TIMEOUT);
    for (const test_entry *it = group->first; it; it = it->next)
      _tcase_add_test(tcase, &it->test, 0, 0, 0, it->count);
    suite_add_tcase(suite, tcase);
  }
  return suite;
}
