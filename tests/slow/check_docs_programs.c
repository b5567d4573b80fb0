/* The programs in C and C++ that the pages show, their commands for building, and the pictures of the gallery. */
#include "demo/host.h"
#include "support/lua_suite.h"

Suite *sp_suite_docs_programs(void) { return lua_suite("docs_programs", "tests/docs/run/programs.lua", host_open); }
