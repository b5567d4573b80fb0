#include "script/state/context.h"

#include <string.h>

#include "core/spawnpool_tools.h"

#define NAMES_SEATS 128

static const char registry_key = 0;

/* {== The context ======================================================== */

sp_context *sp_context_of(lua_State *L)
{
  lua_rawgetp(L, LUA_REGISTRYINDEX, &registry_key);
  sp_context *c = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return c;
}

/* Every function of the library has the context as its first upvalue. */
bool sp_is_host_call(lua_State *L, const sp_context *c)
{
  lua_Debug ar;
  const int top = lua_gettop(L);
  bool is_ours = lua_getstack(L, 0, &ar) && lua_getinfo(L, "f", &ar) && lua_iscfunction(L, -1) &&
                 lua_getupvalue(L, -1, 1) && lua_touserdata(L, -1) == c;
  lua_settop(L, top);
  return !is_ours;
}

static void keep_table(lua_State *L, sp_context *c, sp_kept what, const char *mode)
{
  lua_newtable(L);
  if (mode) {
    lua_createtable(L, 0, 1);
    lua_pushstring(L, mode);
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
  }
  c->kept[what] = luaL_ref(L, LUA_REGISTRYINDEX);
}

static lua_State *main_state(lua_State *L)
{
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD);
  lua_State *main = lua_tothread(L, -1);
  lua_pop(L, 1);
  return main;
}

/* The state closes, and this is among the last finalisers: the context was there before any manager. Managers that are
   opened by finalisers have none of their own called any more. */
static int close_context(lua_State *L)
{
  sp_context *c = lua_touserdata(L, 1);
  c->is_closing = true;
  if (c->calls.close)
    c->calls.close(L, c);
  return 0;
}

static void finalise(lua_State *L)
{
  lua_createtable(L, 0, 2);
  lua_pushcfunction(L, close_context);
  lua_setfield(L, -2, "__gc");
  lua_pushliteral(L, "spawnpool.context");
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
}

void sp_name_metatable(lua_State *L, const char *name)
{
  lua_pushstring(L, name);
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "__name");
  lua_setfield(L, -2, "__metatable");
}

sp_context *sp_context_open(lua_State *L, const sp_reach *rows, void (*complete)(lua_State *L, sp_context *c))
{
  sp_context *c = sp_context_of(L);
  if (c)
    return c;
  lua_pushboolean(L, 0); /* takes the seat, so that the last step cannot fail */
  lua_rawsetp(L, LUA_REGISTRYINDEX, &registry_key);
  c = lua_newuserdatauv(L, sizeof *c + sp_keymap_size(NAMES_SEATS), 0);
  memset(c, 0, sizeof *c);
  c->names = (sp_keymap *)(c + 1);
  sp_keymap_init(c->names, NAMES_SEATS);
  c->rows = rows;
  finalise(L);
  c->main = main_state(L);
  c->L = c->main;
  for (int what = 0; what < SP_KEPT_COUNT; what++)
    keep_table(L, c, (sp_kept)what,
               what == SP_KEPT_ANCHORS                               ? "v"
               : what == SP_KEPT_OWNERS || what == SP_KEPT_SNAPSHOTS ? "k"
                                                                     : NULL);
  sp_push_kept(L, c, SP_KEPT_ERROR);
  lua_pushboolean(L, 0);
  lua_rawseti(L, -2, 1);
  lua_pushboolean(L, 0);
  lua_rawseti(L, -2, 2);
  sp_push_kept(L, c, SP_KEPT_DROPPED);
  lua_pushboolean(L, 0);
  lua_rawseti(L, -2, 1);
  lua_pop(L, 2);
  for (int why = 0; why < SP_WHY_COUNT; why++) {
    lua_pushstring(L, sp_why_name((sp_why)why));
    c->whys[why] = luaL_ref(L, LUA_REGISTRYINDEX);
  }
  complete(L, c);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &registry_key); /* complete: half a context is none */
  return c;
}

void sp_push_function(lua_State *L, sp_context *c, lua_CFunction function)
{
  lua_pushlightuserdata(L, c);
  lua_pushcclosure(L, function, 1);
}

void sp_add_functions(lua_State *L, sp_context *c, const char *owner, bool meta)
{
  sp_reach_set(L, c->rows, owner, meta, c, false);
}

void sp_set_functions(lua_State *L, sp_context *c, const luaL_Reg *functions)
{
  for (; functions->name; functions++) {
    sp_push_function(L, c, functions->func);
    lua_setfield(L, -2, functions->name);
  }
}

/* In a table that does not grow a key keeps the place that it took, and the first ones take the best: where a look-
   up ends at once. */
void sp_copy_methods(lua_State *L, const sp_context *c, sp_kept what)
{
  static const char *const first[] = {"alloc", "recycle"};
  lua_createtable(L, 0, 32);
  sp_push_kept(L, c, what);
  for (int i = 0; i < 2; i++) {
    sp_raw_field(L, -1, first[i]);
    lua_setfield(L, -3, first[i]);
  }
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, -6);
  }
  lua_pop(L, 1);
}

/* Weak values are gone before the finalisers of a cycle run, weak keys only after them: until a dropped manager is
   finalised itself, others may still use its objects. */
void sp_push_dropped(lua_State *L, const sp_context *c, const void *owner)
{
  sp_push_kept(L, c, SP_KEPT_OWNERS);
  for (lua_pushnil(L); lua_next(L, -2);) {
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_rawget(L, -3);
    const bool is_it = lua_tointeger(L, -1) == sp_anchor_of(owner);
    lua_pop(L, 1);
    if (is_it) {
      lua_replace(L, -2);
      return;
    }
  }
  lua_pushnil(L);
  lua_replace(L, -2);
}

bool sp_is_dropped(lua_State *L, const sp_context *c, const spl_manager *m)
{
  sp_push_kept(L, c, SP_KEPT_ANCHORS);
  bool dropped = !m || lua_rawgeti(L, -1, sp_anchor_of(m)) == LUA_TNIL;
  lua_pop(L, m ? 2 : 1);
  return dropped;
}

void sp_push_anchor(lua_State *L, const sp_context *c, const void *owner)
{
  int top = lua_gettop(L);
  sp_find_anchor(L, c, owner);
  lua_copy(L, -1, top + 1);
  lua_settop(L, top + 1);
}

void sp_set_anchor(lua_State *L, sp_context *c, int record, int handle)
{
  const lua_Integer anchor = ++c->anchors;
  record = lua_absindex(L, record);
  handle = lua_absindex(L, handle);
  ((sp_owner_head *)lua_touserdata(L, record))->anchor = anchor;
  sp_push_kept(L, c, SP_KEPT_ANCHORS);
  lua_pushvalue(L, handle);
  lua_rawseti(L, -2, anchor);
  sp_push_kept(L, c, SP_KEPT_OWNERS);
  lua_pushvalue(L, handle);
  lua_pushinteger(L, anchor);
  lua_rawset(L, -3);
  sp_push_kept(L, c, SP_KEPT_RECORDS);
  lua_pushvalue(L, record);
  lua_rawseti(L, -2, anchor); /* last: this one is not weak */
  lua_pop(L, 3);
}

void sp_push_record(lua_State *L, const sp_context *c, const void *owner)
{
  sp_push_kept(L, c, SP_KEPT_RECORDS);
  lua_rawgeti(L, -1, sp_anchor_of(owner));
  lua_replace(L, -2);
}

void sp_drop_record(lua_State *L, const sp_context *c, lua_Integer anchor)
{
  sp_push_kept(L, c, SP_KEPT_RECORDS);
  if (lua_rawgeti(L, -1, anchor) != LUA_TNIL) {
    lua_pushnil(L);
    lua_rawseti(L, -3, anchor);
  }
  lua_pop(L, 2);
}

/* }== */

/* {== The Lua side ======================================================= */

/* Runs the embedded file `name` with the table of natives; leaves the one value that it returns. */
static void run_source(lua_State *L, sp_context *c, const char *name)
{
  const sp_library_source *source = sp_library_sources;
  while (source->name && strcmp(source->name, name) != 0)
    source++;
  if (!source->name)
    luaL_error(L, "spawnpool was built without its file '%s'", name);
  const char *chunk_name = lua_pushfstring(L, "=%s", name);
  if (luaL_loadbufferx(L, (const char *)source->data, source->size, chunk_name, "t") != LUA_OK)
    lua_error(L);
  lua_remove(L, -2);
  sp_push_kept(L, c, SP_KEPT_GLOBALS);
  lua_setupvalue(L, -2, 1); /* _ENV, of a main function */
  sp_push_kept(L, c, SP_KEPT_NATIVES);
  lua_call(L, 1, 1);
}

void sp_push_source(lua_State *L, sp_context *c, const char *name)
{
  sp_push_kept(L, c, SP_KEPT_SOURCES);
  if (sp_raw_field(L, -1, name) == LUA_TNIL) {
    lua_pop(L, 1);
    run_source(L, c, name);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, name);
  }
  lua_replace(L, -2);
}

void sp_push_helper(lua_State *L, sp_context *c, const char *source, const char *name)
{
  sp_push_source(L, c, source);
  sp_raw_field(L, -1, name);
  lua_replace(L, -2);
}

/* }== */
