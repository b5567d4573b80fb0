/*
** The suites of the pages: README.md, CHANGELOG.md and docs/. See tests/docs/run.lua.
*/
#ifndef SP_TESTS_DOCS_H
#define SP_TESTS_DOCS_H

#include <check.h>

/* A suite of the tests that this file of tests/docs/run adds. */
Suite *docs_suite(const char *name, const char *file);

#endif
