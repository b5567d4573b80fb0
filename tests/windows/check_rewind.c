/*
** Of the player's tests, those that need no process: going back in time, which takes an area at a fixed address.
*/
#include "demo/host.h"
#include "demo/lua_suite.h"

Suite *sp_suite_rewind(void) { return lua_suite("rewind", "tests/demo/player/rewind.lua", host_open); }
