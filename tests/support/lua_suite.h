/*
** Suites whose tests are written in Lua: each file NAME.lua is a test case NAME and adds its tests by spec.test
** (tests/support/specs.lua). A test runs in a Lua state and a process of its own.
*/
#ifndef SP_TESTS_LUA_SUITE_H
#define SP_TESTS_LUA_SUITE_H

#include <check.h>
#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>

enum { LUA_SUITE_TIMEOUT = 300 }; /* seconds, for a test */

/* The files are those that match the pattern. `open` adds modules to the state of a test, before its file runs.
   CK_RUN_CASE=NAME runs one file. */
Suite *lua_suite(const char *name, const char *pattern, void (*open)(lua_State *L));

typedef struct lua_way lua_way;

/* A test of a file. */
typedef struct lua_test {
  const lua_way *way;
  char file[200], name[200];
  int index, line; /* in the file; index 0: the file itself is what is tested */
} lua_test;

/* How the tests of a suite are run. */
struct lua_way {
  int kind;                               /* for the functions below */
  int timeout;                            /* seconds, for a test */
  void (*prepare)(lua_State *L);          /* adds modules, or NULL */
  lua_State *(*open)(const lua_way *way); /* a state with the module `spec` on the stack */
  /* Whether there is a test of this index, behind the results of spec.load; NULL: each from 1 on. */
  bool (*takes)(lua_State *L, const lua_way *way, int index);
  void (*run)(const lua_test *test);
};

/* Like lua_suite, in a way of its own, which must stay. */
Suite *lua_suite_in(const char *name, const char *pattern, const lua_way *way);

/* Sets package.loaded[name] to a table with these functions. */
void lua_suite_module(lua_State *L, const char *name, const luaL_Reg *functions);

#endif
