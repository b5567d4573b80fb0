/*
** The functions of the library that a game can reach, and the C functions that the library's own Lua files use: for
** classes (load, changed, warn, ...), and to list members of managers, pools and objects.
*/
#include "script/bind/members.h"

#include <string.h>

#include "script/bind/class.h"
#include "script/bind/rows.h"
#include "script/guard/sandbox.h"
#include "script/state/arguments.h"
#include "script/state/context.h"
#include "script/state/disk.h"
#include "script/state/report.h"

#include "script/state/careful.h"

const sp_reach sp_reachable[] = {SP_REACHABLE(SP_REACH_ENTRY){NULL, NULL, NULL, NULL}};

/* {== For classes ======================================================== */

/* native.load(file, class) -> function, or nil when there is no such file; raises when it does not compile. */
static int native_load(lua_State *L)
{
  const char *file = sp_check_text(L, 1);
  const sp_context *c = sp_context_here(L);
  if (!sp_file_is_there(L, c->folder, file))
    return 0;
  sp_load_source(L, file, "class", sp_to_text(L, 2));
  return 1;
}

static int native_warn(lua_State *L)
{
  sp_report_text(L, sp_context_here(L), SP_REPORT_WARNING, sp_check_text(L, 1));
  return 0;
}

/* native.paths() -> a list: where managers look for classes. */
static int native_paths(lua_State *L)
{
  const sp_context *c = sp_context_here(L);
  lua_newtable(L);
  lua_Integer count = 0;
  for (int id = 0; id < 256; id++) {
    if (sp_is_dropped(L, c, c->managers[id]))
      continue;
    sp_push_anchor(L, c, c->managers[id]);
    lua_getiuservalue(L, -1, SP_MANAGER_PATH);
    lua_remove(L, -2);
    if (lua_isnil(L, -1))
      lua_pop(L, 1);
    else
      sp_raw_seti(L, -2, ++count);
  }
  return 1;
}

/* The path of the default manager, where class() looks for a missing parent. */
static int native_path(lua_State *L)
{
  const sp_context *c = sp_context_here(L);
  if (!c->default_manager)
    return 0;
  sp_push_anchor(L, c, c->default_manager);
  lua_getiuservalue(L, -1, SP_MANAGER_PATH);
  return 1;
}

/* native.has_sound() -> whether the host plays sounds. */
static int native_has_sound(lua_State *L)
{
  lua_pushboolean(L, sp_context_here(L)->on_sound != NULL);
  return 1;
}

/* native.distance(a, b) -> the edits that turn one name into the other. */
static int native_distance(lua_State *L)
{
  const char *a = sp_check_text(L, 1), *b = sp_check_text(L, 2);
  lua_pushinteger(L, (lua_Integer)sp_edit_distance(a, sp_raw_length(L, 1), b, sp_raw_length(L, 2)));
  return 1;
}

/* native.use(name): another file of the library's Lua side, run once. */
static int native_use(lua_State *L)
{
  sp_push_source(L, sp_context_here(L), sp_check_text(L, 1));
  return 1;
}

/* native.running_file() -> the file whose main function runs, innermost; nil: none does. */
static int native_running_file(lua_State *L)
{
  lua_Debug ar;
  for (int level = 1; lua_getstack(L, level, &ar); level++)
    if (lua_getinfo(L, "S", &ar) && strcmp(ar.what, "main") == 0 && ar.source[0] == '@') {
      lua_pushstring(L, ar.source + 1);
      return 1;
    }
  return 0;
}

/* native.default_pools() -> the default manager, the list of its types, the table of `package`; the
   game of a host has none of them. */
static int native_default_pools(lua_State *L)
{
  const sp_context *c = sp_context_here(L);
  const spl_manager *m = c->default_manager;
  lua_settop(L, 0);
  if (!m || !m->core || c->root)
    return 0;
  sp_push_anchor(L, c, m);
  lua_newtable(L);
  for (const sp_pool *p = NULL; (p = sp_manager_next_pool(m->core, p)) != NULL;) {
    lua_pushstring(L, sp_pool_desc_of(p)->type);
    sp_raw_seti(L, 2, (lua_Integer)sp_raw_length(L, 2) + 1);
  }
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  sp_raw_field(L, -1, "package");
  lua_remove(L, -2);
  return 3;
}

const luaL_Reg sp_class_natives[] = {
    {"running_file", native_running_file},
    {"default_pools", native_default_pools},
    {"new_pools", spl_module_new},
    {"load", native_load},
    {"changed", spl_native_changed},
    {"warn", native_warn},
    {"path", native_path},
    {"paths", native_paths},
    {"alloc", spl_base_alloc},
    {"recycle", spl_base_recycle},
    {"use", native_use},
    {"show", spl_show},
    {"has_sound", native_has_sound},
    {"distance", native_distance},
    {"rows", spl_native_rows},
    {NULL, NULL},
};

/* }== */

/* {== Lists of names ===================================================== */

static void add_name(lua_State *L, int list, const char *name)
{
  lua_pushstring(L, name);
  sp_raw_seti(L, list, (lua_Integer)sp_raw_length(L, list) + 1);
}

static bool is_method(uint32_t packed)
{
  sp_name_kind kind = SP_NAME_KIND(packed);
  return kind == SP_NAME_METHOD || kind == SP_NAME_OWN_METHOD;
}

/* list_names(map) -> names of fields, names of methods. Quiet: the map is its pool's. */
static int list_names(lua_State *L)
{
  const sp_keymap *map = sp_raw_block(L, 1);
  lua_newtable(L);
  lua_newtable(L);
  for (uint32_t i = 0; i <= map->mask; i++)
    if (map->seats[i].key)
      add_name(L, is_method(map->seats[i].value) ? 3 : 2, sp_key_text(&map->seats[i]));
  return 2;
}

/* Pushes an empty list of fields, and the names in a table of methods. */
static void push_methods(lua_State *L, const sp_context *c, sp_kept methods)
{
  lua_newtable(L);
  lua_newtable(L);
  int list = lua_gettop(L);
  sp_push_kept(L, c, methods);
  for (lua_pushnil(L); sp_raw_next(L, list + 1); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    sp_raw_seti(L, list, (lua_Integer)sp_raw_length(L, list) + 1);
  }
  lua_settop(L, list);
}

static bool is_live(const sp_context *c, sp_ref object)
{
  const spl_manager *m = sp_manager_of(c, object);
  return m && m->core && sp_object_is_live(m->core, object);
}

/* native.kind(value) -> "manager", "pool" or, of a live one, "object"; nil for other values. */
static int native_kind(lua_State *L)
{
  if (lua_type(L, 1) == LUA_TLIGHTUSERDATA && is_live(sp_context_here(L), sp_to_object(L, 1)))
    lua_pushliteral(L, "object");
  else if (sp_to_pool(L, 1))
    lua_pushliteral(L, "pool");
  else if (sp_to_manager(L, 1))
    lua_pushliteral(L, "manager");
  else
    lua_pushnil(L);
  return 1;
}

/* native.members(kind, pool or nil) -> the names of its fields, as far as they are entries of a table, and those of its
   methods. An object of a pool has those of its class too. */
static int native_members(lua_State *L)
{
  const sp_context *c = sp_context_here(L);
  const char *kind = sp_to_text(L, 1);
  const spl_pool *p = sp_to_pool(L, 2);
  if (strcmp(kind, "pool") == 0) {
    push_methods(L, c, SP_KEPT_POOL_METHODS);
  } else if (strcmp(kind, "manager") == 0) {
    push_methods(L, c, SP_KEPT_MANAGER_METHODS);
  } else {
    lua_pushcfunction(L, list_names);
    lua_pushlightuserdata(L, p ? p->names : c->names);
    sp_call_without_gc(L, 1, 2);
  }
  return 2;
}

/* list_types(context) -> a list. Quiet: the names are the pools'. */
static int list_types(lua_State *L)
{
  const sp_context *c = sp_raw_block(L, 1);
  lua_newtable(L);
  int list = lua_gettop(L);
  for (int id = 0; id < 256; id++) {
    const sp_manager *core = sp_is_dropped(L, c, c->managers[id]) ? NULL : c->cores[id];
    for (const sp_pool *p = NULL; core && (p = sp_manager_next_pool(core, p)) != NULL;)
      add_name(L, list, sp_pool_desc_of(p)->type);
  }
  return 1;
}

/* native.types() -> a list: the types that have a pool, in any manager. */
static int native_types(lua_State *L)
{
  lua_pushcfunction(L, list_types);
  lua_pushlightuserdata(L, sp_context_here(L));
  sp_call_without_gc(L, 1, 1);
  return 1;
}

const luaL_Reg sp_member_natives[] = {
    {"kind", native_kind},
    {"members", native_members},
    {"types", native_types},
    {NULL, NULL},
};

/* }== */
