/*
** What tests in Lua need of C. Module `host`: command lines, programs that run meanwhile, plays of the whole player in
** this process, pictures and sounds; tests/demo/player.lua says what to do with it. Module `game`: a game that is
** played here step by step, without a window; tests/demo/game_host.c says how.
*/
#ifndef SP_TESTS_HOST_H
#define SP_TESTS_HOST_H

#include <lua.h>

/* Adds both modules. */
void host_open(lua_State *L);

/* The part of it in game_host.c. */
void host_open_game(lua_State *L);

#endif
