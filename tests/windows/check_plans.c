/*
** Of the tests in Lua those that start no process. Going back in time takes an area at a fixed address.
*/
#include "demo/host.h"
#include "script/scripted.h"
#include "support/lua_suite.h"

Suite *sp_suite_drawing(void) { return lua_suite("drawing", "tests/demo/player/drawing.lua", plan_open); }
Suite *sp_suite_rewind(void) { return lua_suite("rewind", "tests/demo/player/rewind.lua", plan_open); }
Suite *sp_suite_checkup(void) { return lua_suite("checkup", "tests/script/checkup.lua", games_open); }
Suite *sp_suite_console(void) { return lua_suite("console", "tests/script/console.lua", games_open); }
Suite *sp_suite_escapes(void) { return lua_suite("escapes", "tests/script/escapes.lua", games_open); }
Suite *sp_suite_inspect(void) { return lua_suite("inspect", "tests/script/inspect.lua", games_open); }
Suite *sp_suite_library(void) { return lua_suite("library", "tests/script/library.lua", games_open); }
Suite *sp_suite_live(void) { return lua_suite("live", "tests/script/live.lua", games_open); }
Suite *sp_suite_paths(void) { return lua_suite("paths", "tests/script/paths.lua", games_open); }
Suite *sp_suite_repeatable(void) { return lua_suite("repeatable", "tests/script/repeatable.lua", games_open); }
Suite *sp_suite_watch(void) { return lua_suite("watch", "tests/script/watch.lua", games_open); }
