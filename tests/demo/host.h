/*
** The module `host` gives tests in Lua what they need of C: command lines, events and pictures (host.c), and the player
** in this process (driver.c). tests/demo/player.lua is built on it.
*/
#ifndef SP_TESTS_HOST_H
#define SP_TESTS_HOST_H

#include <lauxlib.h>
#include <lua.h>

/* Adds the module to the state of a test. */
void host_open(lua_State *L);

/* Does the same, and makes the words of tests/demo/player.lua globals: for a plan. */
void plan_open(lua_State *L);

/* The part of it in driver.c. */
extern const luaL_Reg host_driver[];

#endif
