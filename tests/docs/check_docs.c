/*
** Runs the examples of the pages, except programs to be compiled: those are in tests/slow/docs_programs.lua. See
** tests/docs/run.lua.
*/
#include "demo/host.h"
#include "support/lua_suite.h"

Suite *sp_suite_docs(void) { return lua_suite("docs", "tests/docs/run/pages.lua", host_open); }
