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
  lua_test it;
  char *error; /* of a file that does not load, or NULL */
} entry;

enum { ENTRIES_MOST = 4000, FILES_MOST = 400 };
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
static lua_State *open_state(const lua_way *way)
{
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  lua_getglobal(L, "package");
  lua_pushliteral(L, "tests/demo/?.lua;tests/docs/?.lua;tests/slow/?.lua;tests/script/?.lua;tests/lua/?.lua;"
                     "tests/support/?.lua");
  lua_setfield(L, -2, "path");
  if (luaL_dofile(L, "tests/support/specs.lua") != LUA_OK) {
    fprintf(stderr, "%s\n", lua_tostring(L, -1));
    abort();
  }
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, "spec");
  lua_pop(L, 1);
  if (way->prepare)
    way->prepare(L);
  return L;
}

/* Calls spec.NAME(file, index) with `results`; false with the message on the stack. */
static bool call(lua_State *L, const char *name, const char *file, int index, int results)
{
  lua_getfield(L, -1, name);
  lua_pushstring(L, file);
  lua_pushinteger(L, index);
  return lua_pcall(L, 2, results, 0) == LUA_OK;
}

static void run_test(const lua_test *it)
{
  lua_State *L = it->way->open(it->way);
  if (!call(L, "load", it->file, 0, 0))
    _ck_assert_failed(it->file, 1, it->name, "%s", lua_tostring(L, -1));
  if (!call(L, "run", it->file, it->index, 2) || !lua_isnil(L, -2))
    _ck_assert_failed(it->file, (int)lua_tointeger(L, -1), it->name, "%s", lua_tostring(L, -2));
  lua_close(L);
  mark_point();
}

static void run_entry(int number)
{
  const entry *e = entries[number];
  if (e->error)
    _ck_assert_failed(e->it.file, 1, "the file does not load", "%s", e->error);
  e->it.way->run(&e->it);
}

static entry *add_entry(TCase *tcase, const lua_way *way, const char *file)
{
  entry *e = entry_count < ENTRIES_MOST ? calloc(1, sizeof *e) : NULL;
  if (!e)
    abort(); /* no test may be left out in silence */
  e->it = (lua_test){.way = way, .line = 1};
  snprintf(e->it.file, sizeof e->it.file, "%s", file);
  snprintf(e->it.name, sizeof e->it.name, "loads");
  e->test = (TTest){.name = e->it.name, .fn = run_entry, .file = e->it.file, .line = 1};
  entries[entry_count] = e;
  _tcase_add_test(tcase, &e->test, 0, 0, entry_count, entry_count + 1);
  entry_count++;
  return e;
}

/* Behind the results of spec.load. */
static void add_tests(lua_State *L, TCase *tcase, const lua_way *way, const char *file)
{
  const int tests = lua_gettop(L) - 2, count = (int)luaL_len(L, tests);
  for (int i = way->takes ? 0 : 1; i <= count; i++) {
    if (way->takes && !way->takes(L, way, i))
      continue;
    entry *e = add_entry(tcase, way, file);
    e->it.index = i;
    if (lua_geti(L, tests, i) == LUA_TTABLE) {
      lua_getfield(L, -1, "name");
      lua_getfield(L, -2, "line");
      snprintf(e->it.name, sizeof e->it.name, "%s", lua_tostring(L, -2));
      e->test.line = e->it.line = (int)lua_tointeger(L, -1);
    }
    lua_settop(L, tests + 2);
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

static void add_file(Suite *suite, const char *path, const lua_way *way)
{
  TCase *tcase = tcase_create(case_name(path));
  tcase_set_timeout(tcase, way->timeout);
  suite_add_tcase(suite, tcase);
  lua_State *L = way->open(way);
  if (call(L, "load", path, 0, 3) && luaL_len(L, -3) > 0)
    add_tests(L, tcase, way, path);
  else
    add_entry(tcase, way, path)->error = strdup(lua_isstring(L, -1) ? lua_tostring(L, -1) : "it has no tests");
  lua_close(L);
}

Suite *lua_suite_in(const char *name, const char *pattern, const lua_way *way)
{
  Suite *suite = suite_create(name);
  glob_t files;
  if (glob(pattern, 0, NULL, &files) != 0)
    abort();
  for (size_t i = 0; i < files.gl_pathc; i++)
    add_file(suite, files.gl_pathv[i], way);
  globfree(&files);
  return suite;
}

Suite *lua_suite(const char *name, const char *pattern, void (*open)(lua_State *L))
{
  lua_way *way = malloc(sizeof *way);
  if (!way)
    abort();
  *way = (lua_way){.timeout = LUA_SUITE_TIMEOUT, .prepare = open, .open = open_state, .run = run_test};
  return lua_suite_in(name, pattern, way);
}
