/* What a version hands out: see release.lua. */
#include "demo/host.h"
#include "demo/lua_suite.h"

Suite *sp_suite_release(void) { return lua_suite("release", "tests/slow/release.lua", host_open); }
