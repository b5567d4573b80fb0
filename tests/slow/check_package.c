/* Packages for others: see package.lua. */
#include "demo/host.h"
#include "support/lua_suite.h"

Suite *sp_suite_package(void) { return lua_suite("package", "tests/slow/package.lua", host_open); }
