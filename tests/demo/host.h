/*
** The module `host` gives tests in Lua what they need of C: command lines, events and pictures (host.c), and the player
** in this process (driver.c). tests/demo/player.lua is built on it.
*/
#ifndef SP_TESTS_HOST_H
#define SP_TESTS_HOST_H

#include <SDL_events.h>
#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>

/* Adds the module to the state of a test. */
void host_open(lua_State *L);

/* Does the same, and makes the words of tests/demo/player.lua globals: for a plan. */
void plan_open(lua_State *L);

/* The part of it in driver.c. An event that is pushed comes with the next frame; false: there are too many. */
bool driver_push(const SDL_Event *event);
extern const luaL_Reg host_driver[];

#endif
