/*
** Tests that stand in one place: TEST adds itself to a group of tests with the same fixture, SUITE names the groups of
** a file check_NAME.c. In a TESTS the variable `_i` counts from 0.
**
**   static test_group files = {"files", open_folder, remove_folder, 300};
**
**   TEST(files, a_file_is_a_game_too)
**   {
**     ...
**   }
**
**   SUITE(player, &files)
*/
#ifndef SP_TESTS_TEST_H
#define SP_TESTS_TEST_H

#include <check.h>

typedef struct test_entry {
  TTest test;
  int count;
  struct test_entry *next;
} test_entry;

typedef struct test_group {
  const char *name;
  void (*setup)(void), (*teardown)(void); /* of each test; or NULL */
  double timeout;                         /* seconds; 0: a minute */
  test_entry *first, *last;               /* in the order of the file */
} test_group;

void test_group_add(test_group *group, test_entry *entry);
Suite *test_suite(const char *name, test_group *const *groups);

#define TEST(group, name) TESTS(group, name, 1)
#define TESTS(group, name, count)                                                                                      \
  static void name##_test(int _i);                                                                                     \
  __attribute__((constructor)) static void name##_add(void)                                                            \
  {                                                                                                                    \
    static test_entry entry = {{#name, name##_test, __FILE__, __LINE__}, count, NULL};                                 \
    test_group_add(&(group), &entry);                                                                                  \
  }                                                                                                                    \
  static void name##_test(__attribute__((unused)) int _i)

#define SUITE(name, ...)                                                                                               \
  Suite *sp_suite_##name(void) { return test_suite(#name, (test_group *const[]){__VA_ARGS__, NULL}); }

#endif
