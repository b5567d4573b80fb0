/*
** Adds tests to a test case without a line for each: add_tests(tcase, test_a, test_b).
*/
#ifndef SP_TESTS_CASES_H
#define SP_TESTS_CASES_H

#include <check.h>

#define add_tests(tcase, ...) add_test_list((tcase), (const TTest *const[]){__VA_ARGS__, NULL})

static inline void add_test_list(TCase *tcase, const TTest *const *tests)
{
  for (; *tests; tests++)
    tcase_add_test(tcase, *tests);
}

#endif
