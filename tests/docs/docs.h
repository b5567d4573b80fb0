/*
** The suites of the pages: README.md, CHANGELOG.md and docs/. The tests are in tests/docs/run.lua, which lists them; C
** gives them what Lua alone lacks: a game that is played in this process, command lines, pictures.
*/
#ifndef SP_TESTS_DOCS_H
#define SP_TESTS_DOCS_H

#include <check.h>
#include <stdbool.h>

/* A suite with the tests of run.lua that compile programs, or with the others. */
Suite *docs_suite(const char *name, bool compiling);

#endif
