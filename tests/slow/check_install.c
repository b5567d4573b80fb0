/* Files that `make install` installs: see install.lua. */
#include "demo/host.h"
#include "support/lua_suite.h"

Suite *sp_suite_install(void) { return lua_suite("install", "tests/slow/install.lua", host_open); }
