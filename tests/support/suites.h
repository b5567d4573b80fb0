/*
** The suites of the runner. The Makefile generates this list from the files check_NAME.c in the test folders, so that
** none can be forgotten; each defines `Suite *sp_suite_NAME(void)`. Those of tests/slow are slow. An entry without a
** name ends the list.
*/
#ifndef SP_TESTS_SUITES_H
#define SP_TESTS_SUITES_H

#include <check.h>
#include <stdbool.h>

typedef struct sp_test_suite {
  const char *name;
  Suite *(*create)(void);
  bool slow;
} sp_test_suite;

extern const sp_test_suite sp_suites[];

#endif
