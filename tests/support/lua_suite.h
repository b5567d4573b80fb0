/*
** Suites whose tests are written in Lua: each file NAME.lua is a test case NAME and adds its tests by spec.test
** (tests/support/specs.lua). A test runs in a Lua state and a process of its own.
*/
#ifndef SP_TESTS_LUA_SUITE_H
#define SP_TESTS_LUA_SUITE_H

#include <check.h>
#include <lauxlib.h>
#include <lua.h>

enum { LUA_SUITE_TIMEOUT = 300 }; /* seconds, for a test */

/* The files are those that match the pattern. `open` adds modules to the state of a test, before its file runs.
   CK_RUN_CASE=NAME runs one file. */
Suite *lua_suite(const char *name, const char *pattern, void (*open)(lua_State *L));

/* Sets package.loaded[name] to a table with these functions. */
void lua_suite_module(lua_State *L, const char *name, const luaL_Reg *functions);

#endif
