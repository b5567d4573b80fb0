-- Functions that break the rules at the head of src/script/state/border.h, and some that keep them: what is found, the
-- code, and what border.lua must say of it. No compiler sees them. For tests/script/check_border.c.
local border <const> = require "border"

local rows <const> = {
  { "a pool after a call",
    [[static int f(lua_State *L, sp_lua_pool *p) { lua_call(L, 0, 0); return p->index; }]],
    "f: stale: p after lua_call" },
  { "a pool after a hook of the core",
    [[static int f(lua_State *L, sp_lua_pool *p) { sp_pool_clear(p->core); return p->index; }]],
    "f: stale: p after sp_pool_clear" },
  { "a manager after an allocation",
    [[static int f(lua_State *L, sp_lua_manager *m) { lua_newtable(L); return m->trace; }]],
    "f: stale: m after lua_newtable" },
  { "after an allocation of another function",
    [[static void g(lua_State *L) { lua_pushstring(L, "x"); }
      static int f(lua_State *L, sp_lua_manager *m) { g(L); return m->trace; }]], "f: stale: m after g" },
  { "in the second round of a loop",
    [[static int f(lua_State *L, sp_lua_pool *p) { for (int i = 0; i < p->index; i++) lua_newtable(L); return 0; }]],
    "f: stale: p after lua_newtable" },
  { "in one of two branches",
    [[static int f(lua_State *L, sp_lua_pool *p) { if (L) lua_newtable(L); else L = 0; return p->index; }]],
    "f: stale: p after lua_newtable" },
  { "a pool that is fetched again",
    [[static int f(lua_State *L, sp_context *c, sp_lua_pool *p) { uint64_t id = p->id; lua_newtable(L);
      p = sp_pool_again(c, id); return p ? (int)p->index : 0; }]], "" },
  { "what never comes back",
    [[static int f(lua_State *L, sp_lua_pool *p) { if (!L) luaL_error(L, "x"); return p->index; }]], "" },
  { "a branch that returns",
    [[static int f(lua_State *L, sp_lua_pool *p) { if (L) { lua_newtable(L); return 1; } return p->index; }]], "" },
  { "after a core call that called nobody",
    [[static int f(lua_State *L, sp_context *c, sp_lua_pool *p) { uint64_t n = c->crossings;
      sp_pool_alloc(p->core, 0, 0);
      if (!sp_is_untouched(c, n)) return 0; return p->index; }]], "" },
  { "a struct that holds one",
    [[typedef struct held { sp_lua_pool *pool; } held;
      static int f(lua_State *L, held *h) { lua_newtable(L); return h->pool->index; }]],
    "f: stale: h after lua_newtable" },
  { "the name of a type",
    [[static void f(lua_State *L, sp_lua_pool *p) { const char *type = sp_pool_type(p->core); lua_newtable(L);
      lua_pushstring(L, type); }]], "f: stale: type after lua_newtable" },
  { "two arguments",
    [[static const char *g(lua_State *L) { return lua_pushfstring(L, "x"); }
      static void f(lua_State *L, sp_lua_pool *p) { lua_pushfstring(L, "%s%s", sp_pool_type(p->core), g(L)); }]],
    "f: order: p beside g" },
  { "a message that allocates before it is put together",
    [[static int f(lua_State *L, sp_lua_pool *p) { return luaL_error(L, "%s", sp_pool_type(p->core)); }]],
    "f: message: p, f: message: sp_pool_type" },
  { "a metamethod",
    [[static int f(lua_State *L) { lua_gettable(L, 1); return luaL_tolstring(L, 1, 0) != 0; }]],
    "f: metamethod: luaL_tolstring, f: metamethod: lua_gettable" },
  { "a number that becomes a string",
    [[static int f(lua_State *L) { return *luaL_checkstring(L, 1); }]], "f: metamethod: luaL_checkstring" },
  { "what is quiet and calls",
    [[static int g(lua_State *L) { lua_call(L, 0, 0); return 0; }
      static int f(lua_State *L) { lua_pushcfunction(L, g); sp_quietly(L, 0, 0); return 0; }]],
    "g: quiet: lua_call, through lua_call" },
  { "what is quiet and allocates",
    [[static int g(lua_State *L) { const sp_lua_pool *p = lua_touserdata(L, 1); lua_newtable(L); return p->index; }
      static int f(lua_State *L) { lua_pushcfunction(L, g); sp_quietly(L, 0, 0); return 0; }]], "" },
  { "what must not even allocate",
    [[static int g(lua_State *L) { lua_newtable(L); return 0; }
      static int f(lua_State *L) { lua_pushcfunction(L, g); sp_raw_pcall(L, 0, 0); return 0; }]],
    "g: quiet: lua_newtable, through lua_newtable" },
  { "an error that jumps over the core",
    [[static void g(void *ud, sp_ref object) { luaL_checkstack(ud, 1, 0); }
      static void f(sp_pool *p) { sp_pool_within(p, 0, 0, 0, g, 0, 0); }]],
    "g: crossing: luaL_checkstack, called by the core:" },
}

-- One line for each of which something else is said.
return function()
  local codes <const>, out <const> = {}, {}
  for i, row in ipairs(rows) do codes[i] = row[2] end
  for i, found in ipairs(border.try(codes)) do
    local name <const>, want <const> = rows[i][1], rows[i][3]
    if found ~= want then out[#out + 1] = ("%s: found '%s', not '%s'"):format(name, found, want) end
  end
  return out
end
