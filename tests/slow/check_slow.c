/* What installs, packages, opens windows or takes long: each file tests/slow/NAME.lua. */
#include "demo/host.h"
#include "script/scripted.h"
#include "support/lua_suite.h"

static void open_both(lua_State *L)
{
  games_open(L);
  host_open(L);
}

Suite *sp_suite_slow(void) { return lua_suite("slow", "tests/slow/*.lua", open_both); }
