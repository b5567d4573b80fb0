/*
** tests/lua/border.lua checks the sources against the rules at the head of src/script/state/border.h: they are kept,
** and a function that breaks one is found. The functions below are read by that script; no compiler sees them.
*/

#include "support/test.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>
#include <string.h>

/* A state with the module on its stack. */
static lua_State *open_checker(void)
{
  lua_State *L = luaL_newstate();
  ck_assert_ptr_nonnull(L);
  luaL_openlibs(L);
  int status = luaL_dostring(L, "package.path = 'tests/lua/?.lua' return (require 'border')");
  ck_assert_msg(status == LUA_OK, "%s", lua_tostring(L, -1));
  return L;
}

static test_group rules = {"rules", .timeout = 60};

TEST(rules, every_function_of_the_binding_keeps_the_rules)
{
  lua_State *L = open_checker();
  lua_getfield(L, -1, "complaints");
  ck_assert_msg(lua_pcall(L, 0, 1, 0) == LUA_OK, "%s", lua_tostring(L, -1));
  size_t count = lua_rawlen(L, -1);
  for (size_t i = 1; i <= count; i++) {
    lua_rawgeti(L, -1, (lua_Integer)i);
    printf("%s\n", lua_tostring(L, -1));
    lua_pop(L, 1);
  }
  ck_assert_uint_eq(count, 0);
  lua_close(L);
}

typedef struct planted {
  const char *name, *code, *found;
} planted;

static const planted functions[] = {
    {"a pool after a call", "static int f(lua_State *L, sp_lua_pool *p) { lua_call(L, 0, 0); return p->index; }",
     "f: stale: p after lua_call"},
    {"a pool after a hook of the core",
     "static int f(lua_State *L, sp_lua_pool *p) { sp_pool_clear(p->core); return p->index; }",
     "f: stale: p after sp_pool_clear"},
    {"a manager after an allocation",
     "static int f(lua_State *L, sp_lua_manager *m) { lua_newtable(L); return m->trace; }",
     "f: stale: m after lua_newtable"},
    {"after an allocation of another function",
     "static void g(lua_State *L) { lua_pushstring(L, \"x\"); }\n"
     "static int f(lua_State *L, sp_lua_manager *m) { g(L); return m->trace; }",
     "f: stale: m after g"},
    {"in the second round of a loop",
     "static int f(lua_State *L, sp_lua_pool *p) { for (int i = 0; i < p->index; i++) lua_newtable(L); return 0; }",
     "f: stale: p after lua_newtable"},
    {"in one of two branches",
     "static int f(lua_State *L, sp_lua_pool *p) { if (L) lua_newtable(L); else L = 0; return p->index; }",
     "f: stale: p after lua_newtable"},
    {"a pool that is fetched again",
     "static int f(lua_State *L, sp_context *c, sp_lua_pool *p) { uint64_t id = p->id; lua_newtable(L);\n"
     "p = sp_pool_again(c, id); return p ? (int)p->index : 0; }",
     ""},
    {"what never comes back",
     "static int f(lua_State *L, sp_lua_pool *p) { if (!L) luaL_error(L, \"x\"); return p->index; }", ""},
    {"a branch that returns",
     "static int f(lua_State *L, sp_lua_pool *p) { if (L) { lua_newtable(L); return 1; } return p->index; }", ""},
    {"after a core call that called nobody",
     "static int f(lua_State *L, sp_context *c, sp_lua_pool *p) { uint64_t n = c->crossings; sp_pool_alloc(p->core, 0, "
     "0);\n"
     "if (!sp_is_untouched(c, n)) return 0; return p->index; }",
     ""},
    {"a struct that holds one",
     "typedef struct held { sp_lua_pool *pool; } held;\n"
     "static int f(lua_State *L, held *h) { lua_newtable(L); return h->pool->index; }",
     "f: stale: h after lua_newtable"},
    {"the name of a type",
     "static void f(lua_State *L, sp_lua_pool *p) { const char *type = sp_pool_type(p->core); lua_newtable(L);\n"
     "lua_pushstring(L, type); }",
     "f: stale: type after lua_newtable"},
    {"two arguments",
     "static const char *g(lua_State *L) { return lua_pushfstring(L, \"x\"); }\n"
     "static void f(lua_State *L, sp_lua_pool *p) { lua_pushfstring(L, \"%s%s\", sp_pool_type(p->core), g(L)); }",
     "f: order: p beside g"},
    {"a message that allocates before it is put together",
     "static int f(lua_State *L, sp_lua_pool *p) { return luaL_error(L, \"%s\", sp_pool_type(p->core)); }",
     "f: message: p, f: message: sp_pool_type"},
    {"a metamethod", "static int f(lua_State *L) { lua_gettable(L, 1); return luaL_tolstring(L, 1, 0) != 0; }",
     "f: metamethod: luaL_tolstring, f: metamethod: lua_gettable"},
    {"a number that becomes a string", "static int f(lua_State *L) { return *luaL_checkstring(L, 1); }",
     "f: metamethod: luaL_checkstring"},
    {"what is quiet and calls",
     "static int g(lua_State *L) { lua_call(L, 0, 0); return 0; }\n"
     "static int f(lua_State *L) { lua_pushcfunction(L, g); sp_quietly(L, 0, 0); return 0; }",
     "g: quiet: lua_call, through lua_call"},
    {"what is quiet and allocates",
     "static int g(lua_State *L) { const sp_lua_pool *p = lua_touserdata(L, 1); lua_newtable(L); return p->index; }\n"
     "static int f(lua_State *L) { lua_pushcfunction(L, g); sp_quietly(L, 0, 0); return 0; }",
     ""},
    {"what must not even allocate",
     "static int g(lua_State *L) { lua_newtable(L); return 0; }\n"
     "static int f(lua_State *L) { lua_pushcfunction(L, g); sp_raw_pcall(L, 0, 0); return 0; }",
     "g: quiet: lua_newtable, through lua_newtable"},
    {"an error that jumps over the core",
     "static void g(void *ud, sp_ref object) { luaL_checkstack(ud, 1, 0); }\n"
     "static void f(sp_pool *p) { sp_pool_within(p, 0, 0, 0, g, 0, 0); }",
     "g: crossing: luaL_checkstack, called by the core:"},
};

TEST(rules, a_function_that_breaks_a_rule_is_found)
{
  lua_State *L = open_checker();
  lua_getfield(L, -1, "try");
  lua_newtable(L);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    lua_pushstring(L, functions[i].code);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  ck_assert_msg(lua_pcall(L, 1, 1, 0) == LUA_OK, "%s", lua_tostring(L, -1));
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    lua_rawgeti(L, -1, (lua_Integer)i + 1);
    ck_assert_msg(strcmp(lua_tostring(L, -1), functions[i].found) == 0, "%s: found '%s', not '%s'", functions[i].name,
                  lua_tostring(L, -1), functions[i].found);
    lua_pop(L, 1);
  }
  lua_close(L);
}

SUITE(border, &rules)
