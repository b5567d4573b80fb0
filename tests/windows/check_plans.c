/*
** Of the player's plans in Lua those that start no process. Going back in time takes an area at a fixed address.
*/
#include "demo/host.h"
#include "support/lua_suite.h"

Suite *sp_suite_drawing(void) { return lua_suite("drawing", "tests/demo/player/drawing.lua", plan_open); }
Suite *sp_suite_rewind(void) { return lua_suite("rewind", "tests/demo/player/rewind.lua", plan_open); }
