/* What installs, packages, opens windows or takes long: each file tests/slow/NAME.lua. */
#include "demo/host.h"
#include "support/lua_suite.h"

Suite *sp_suite_slow(void) { return lua_suite("slow", "tests/slow/*.lua", host_open); }
