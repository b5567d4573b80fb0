/* Every game goes back after every frame: see synctest.lua. */
#include "demo/host.h"
#include "support/lua_suite.h"

Suite *sp_suite_synctest(void) { return lua_suite("synctest", "tests/slow/synctest.lua", host_open); }
