/* Recordings find what is planted in the games: see regressions.lua. */
#include "demo/host.h"
#include "support/lua_suite.h"

Suite *sp_suite_regressions(void) { return lua_suite("regressions", "tests/slow/regressions.lua", host_open); }
