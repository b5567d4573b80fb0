/*
** The player from outside: the tests are the files tests/demo/player/NAME.lua, with the words of tests/demo/player.lua.
** CK_RUN_CASE=NAME build/tests player runs one file.
*/
#include "demo/host.h"
#include "support/lua_suite.h"

Suite *sp_suite_player(void) { return lua_suite("player", "tests/demo/player/*.lua", plan_open); }
