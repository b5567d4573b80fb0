/*
** What a host hears of a game, in Lua: each file of this folder is a case. games.c has the calls.
*/
#include "script/scripted.h"
#include "support/lua_suite.h"

Suite *sp_suite_script(void) { return lua_suite("script", "tests/script/*.lua", games_open); }
