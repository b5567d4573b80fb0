#include "support/lua_suite.h"

#include <glob.h>
#include <lualib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A test; Check keeps pointers into it. */
typedef struct entry {
  TTest test;
  char file[200], name[200];
  int index; /* in its file, from 1; 0: the file does not load */
  char error[1000];
  void (*open)(lua_State *L);
} entry;

enum { ENTRIES_MOST = 1000, FILES_MOST = 200 };
static entry *entries[ENTRIES_MOST];
static int entry_count;
static char case_names[FILES_MOST][100]; /* a TCase keeps the pointer */
static int file_count;

void lua_suite_module(lua_State *L, const char *name, const luaL_Reg *functions)
{
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_newtable(L);
  luaL_setfuncs(L, functions, 0);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

/* Leaves the module `spec` on the stack. Lua files beside the one that is tested can be required. */
static lua_State *open_state(const char *file, void (*open)(lua_State *L))
{
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  lua_getglobal(L, "package");
  lua_pushliteral(L, "tests/demo/?.lua;tests/docs/?.lua;tests/slow/?.lua;tests/script/?.lua;tests/lua/?.lua;"
                     "tests/support/?.lua");
  lua_setfield(L, -2, "path");
  if (luaL_dofile(L, "tests/support/specs.lua") != LUA_OK) {
    fprintf(stderr, "%s: %s\n", file, lua_tostring(L, -1));
    abort();
  }
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, "spec");
  lua_pop(L, 1);
  if (open)
    open(L);
  return L;
}

/* Calls spec.NAME(file, index?) with `results`; false with the message on the stack. */
static bool call(lua_State *L, const char *name, const entry *e, int results)
{
  lua_getfield(L, -1, name);
  lua_pushstring(L, e->file);
  lua_pushinteger(L, e->index);
  return lua_pcall(L, 2, results, 0) == LUA_OK;
}

static void run_entry(int number)
{
  const entry *e = entries[number];
  if (e->index == 0)
    _ck_assert_failed(e->file, 1, "the file does not load", "%s", e->error);
  lua_State *L = open_state(e->file, e->open);
  if (!call(L, "load", e, 0))
    _ck_assert_failed(e->file, 1, e->name, "%s", lua_tostring(L, -1));
  if (!call(L, "run", e, 2) || !lua_isnil(L, -2))
    _ck_assert_failed(e->file, (int)lua_tointeger(L, -1), e->name, "%s", lua_tostring(L, -2));
  lua_close(L);
  mark_point();
}

static entry *add_entry(TCase *tcase, const char *file, void (*open)(lua_State *L))
{
  entry *e = entry_count < ENTRIES_MOST ? calloc(1, sizeof *e) : NULL;
  if (!e)
    abort(); /* no test may be left out in silence */
  snprintf(e->file, sizeof e->file, "%s", file);
  e->open = open;
  e->test = (TTest){.name = e->name, .fn = run_entry, .file = e->file, .line = 1};
  entries[entry_count] = e;
  _tcase_add_test(tcase, &e->test, 0, 0, entry_count, entry_count + 1);
  entry_count++;
  return e;
}

static void add_tests(lua_State *L, TCase *tcase, const char *file, void (*open)(lua_State *L))
{
  for (int i = 1; lua_geti(L, -1, i) == LUA_TTABLE; i++, lua_pop(L, 1)) {
    entry *e = add_entry(tcase, file, open);
    lua_getfield(L, -1, "name");
    lua_getfield(L, -2, "line");
    snprintf(e->name, sizeof e->name, "%s", lua_tostring(L, -2));
    e->test.line = (int)lua_tointeger(L, -1);
    e->index = i;
    lua_pop(L, 2);
  }
}

/* The name of a file without its end. */
static const char *case_name(const char *path)
{
  if (file_count == FILES_MOST)
    abort();
  char *name = case_names[file_count++];
  snprintf(name, sizeof case_names[0], "%s", strrchr(path, '/') + 1);
  name[strcspn(name, ".")] = '\0';
  return name;
}

static void add_file(Suite *suite, const char *path, void (*open)(lua_State *L))
{
  TCase *tcase = tcase_create(case_name(path));
  tcase_set_timeout(tcase, LUA_SUITE_TIMEOUT);
  suite_add_tcase(suite, tcase);
  entry listed = {.index = 0};
  snprintf(listed.file, sizeof listed.file, "%s", path);
  lua_State *L = open_state(path, open);
  if (call(L, "load", &listed, 1) && luaL_len(L, -1) > 0)
    add_tests(L, tcase, path, open);
  else
    snprintf(add_entry(tcase, path, open)->error, sizeof listed.error, "%s",
             lua_isstring(L, -1) ? lua_tostring(L, -1) : "it has no tests");
  lua_close(L);
}

Suite *lua_suite(const char *name, const char *pattern, void (*open)(lua_State *L))
{
  Suite *suite = suite_create(name);
  glob_t files;
  if (glob(pattern, 0, NULL, &files) != 0)
    abort();
  for (size_t i = 0; i < files.gl_pathc; i++)
    add_file(suite, files.gl_pathv[i], open);
  globfree(&files);
  return suite;
}
