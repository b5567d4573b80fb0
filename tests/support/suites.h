/*
** The suites of the runner. The Makefile generates this list from the files check_NAME.c in the test folders, so that
** none can be forgotten; each defines `Suite *sp_suite_NAME(void)`. A NULL ends it.
*/
#ifndef SP_TESTS_SUITES_H
#define SP_TESTS_SUITES_H

#include <check.h>

extern Suite *(*const sp_suites[])(void);

#endif
