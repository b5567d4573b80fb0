/*
** The tests of the pages use the host of the player's tests.
*/
#include "docs/docs.h"

#include "demo/host.h"
#include "demo/lua_suite.h"

Suite *docs_suite(const char *name, const char *file) { return lua_suite(name, file, host_open); }

/* Plays the examples of the pages, except programs to be compiled: those are in tests/slow/check_docs_programs.c. */
Suite *sp_suite_docs(void) { return docs_suite("docs", "tests/docs/run/pages.lua"); }
