/*
** C functions that lua/spawnpool/class.lua uses.
*/
#include "script/bind/class_natives.h"

#include "script/bind/alloc.h"
#include "script/bind/class_adopt.h"
#include "script/bind/reachable.h"
#include "script/bind/recycle.h"
#include "script/guard/sandbox.h"
#include "script/guard/source_file.h"
#include "script/state/arguments.h"
#include "script/state/edit_distance.h"
#include "script/state/folder_file.h"
#include "script/state/lua_sources.h"
#include "script/state/report.h"

#include "script/state/careful.h"

/* native.load(file, class) -> function, or nil when there is no such file; raises when it does not compile. */
static int native_load(lua_State *L)
{
  const char *file = sp_check_text(L, 1);
  const sp_context *c = sp_context_here(L);
  if (c->folder && !sp_folder_holds(c->folder, file))
    return luaL_error(L, SP_SANDBOX_OUTSIDE, file);
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

const luaL_Reg sp_class_natives[] = {
    {"load", native_load},   {"changed", sp_native_changed},  {"warn", native_warn},         {"path", native_path},
    {"paths", native_paths}, {"alloc", sp_base_alloc},        {"recycle", sp_base_recycle},  {"use", native_use},
    {"show", sp_lua_show},   {"has_sound", native_has_sound}, {"distance", native_distance}, {NULL, NULL},
};
