#include "script/reload/reload.h"

#include <lualib.h>
#include <stdlib.h>
#include <string.h>

#include "script/bind/types.h"
#include "script/guard/traceback.h"
#include "script/guard/watchdog.h"
#include "script/reload/heap.h"
#include "script/reload/heap_change.h"
#include "script/reload/heap_follow.h"
#include "script/reload/heap_remade.h"
#include "script/state/births.h"
#include "script/state/folder_file.h"
#include "script/state/lua_sources.h"
#include "script/state/platform.h"
#include "script/state/report.h"
#include "script/state/source_file.h"
#include "script/watch/watcher.h"

/* {== Sources ============================================================= */

bool sp_push_reload(lua_State *L, const sp_context *c, const char *name)
{
  if (!c || !c->reloads)
    return false;
  sp_push_kept(L, c, SP_KEPT_RELOAD);
  lua_getfield(L, -1, name);
  lua_replace(L, -2);
  return true;
}

/* The hook `load` of the context: see sp_load_source. */
static bool load_followed(lua_State *L, const char *file, const char *kind, const char *name)
{
  if (!sp_push_reload(L, sp_context_of(L), "load"))
    return false;
  lua_pushstring(L, file);
  lua_pushstring(L, kind);
  lua_pushstring(L, name);
  lua_call(L, 3, 1);
  return true;
}

/* native.read(file) -> text, or nil and the reason. */
static int native_read(lua_State *L)
{
  return sp_push_file(L, sp_context_here(L)->folder, luaL_checkstring(L, 1)) ? 1 : 2;
}

/* native.texts() -> a table, path -> running text, which error messages quote. */
static int native_texts(lua_State *L)
{
  sp_push_kept(L, sp_context_here(L), SP_KEPT_TEXTS);
  return 1;
}

/* native.compile(text, file) -> function, or nil and the error. */
static int native_compile(lua_State *L)
{
  size_t size;
  const char *text = luaL_checklstring(L, 1, &size);
  if (sp_compile_text(L, text, size, luaL_checkstring(L, 2)))
    return 1;
  lua_pushnil(L);
  lua_insert(L, -2);
  return 2;
}

/* Upvalues of a followed `require`; the first is that of the standard one, `package`. */
enum { REQUIRE_PACKAGE = 1, REQUIRE_NOTE, REQUIRE_ORIGINAL, REQUIRE_NOTED };

/* Returns whether the calling function has required this module before and it is loaded: pushes the module. */
static bool is_noted(lua_State *L)
{
  lua_Debug ar;
  if (lua_type(L, 1) != LUA_TSTRING || !lua_getstack(L, 1, &ar))
    return false;
  lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_pushvalue(L, 1);
  if (!lua_rawget(L, -2))
    return false;
  lua_getinfo(L, "f", &ar);
  if (lua_rawget(L, lua_upvalueindex(REQUIRE_NOTED)) != LUA_TTABLE)
    return false;
  lua_pushvalue(L, 1);
  return lua_rawget(L, -2) != LUA_TNIL;
}

/* A `require` that first records who requires what, then calls the standard one in the same frame, so that its
   messages blame the same line. */
static int followed_require(lua_State *L)
{
  lua_CFunction require = lua_tocfunction(L, lua_upvalueindex(REQUIRE_ORIGINAL));
  int top = lua_gettop(L);
  luaL_checkstack(L, 8, NULL);
  if (!is_noted(L)) {
    lua_pushvalue(L, lua_upvalueindex(REQUIRE_NOTE));
    lua_pushvalue(L, 1);
    lua_call(L, 1, 0);
  }
  lua_settop(L, top);
  return require(L);
}

/* native.follow_require(require, fn, noted) -> a `require` that calls fn(name) first, and is otherwise the same.
   `noted`: function -> { name = true }, for modules that are loaded and recorded already. */
static int native_follow_require(lua_State *L)
{
  if (!lua_iscfunction(L, 1))
    return luaL_error(L, "the program has replaced `require`: open spawnpool.reload before that");
  lua_settop(L, 3);
  if (!lua_getupvalue(L, 1, 1))
    lua_pushnil(L);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 3);
  lua_pushcclosure(L, followed_require, REQUIRE_NOTED);
  return 1;
}

/* native.realpath(file) -> the canonical path, or nil when there is no such file. */
static int native_realpath(lua_State *L)
{
  char real[SP_PATH_MOST];
  if (!sp_real_path(luaL_checkstring(L, 1), real))
    return 0;
  lua_pushstring(L, real);
  return 1;
}

/* native.holds(file) -> whether the game may load it. */
static int native_holds(lua_State *L)
{
  const sp_context *c = sp_context_here(L);
  lua_pushboolean(L, !c->folder || sp_folder_holds(c->folder, luaL_checkstring(L, 1)));
  return 1;
}

/* }== */

/* {== Running ============================================================= */

/* native.protect(fn, ...) -> true and its results, or false and the text of the error. */
static int native_protect(lua_State *L)
{
  sp_context *c = sp_context_here(L);
  lua_pushcfunction(L, sp_traceback);
  lua_insert(L, 1);
  lua_State *outer = sp_watchdog_enter(c->watchdog, L);
  int status = lua_pcall(L, lua_gettop(L) - 2, LUA_MULTRET, 1);
  sp_watchdog_leave(c->watchdog, outer);
  lua_pushboolean(L, status == LUA_OK);
  lua_replace(L, 1);
  return lua_gettop(L);
}

/* native.call(fn, ...) -> its results. Errors that blame the caller of a file's chunk then name no place in the
   library: a file ending in `return class(...)` makes a tail call. */
static int native_call(lua_State *L)
{
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  return lua_gettop(L);
}

/* native.stage(list or nil): objects allocated from now on are appended to `list`, until nil ends that. */
static int native_stage(lua_State *L)
{
  sp_context *c = sp_context_here(L);
  lua_settop(L, 1);
  c->staging = lua_istable(L, 1);
  if (!c->staging) { /* not nil: luaL_ref would reuse the reference */
    lua_pushboolean(L, 0);
    lua_replace(L, 1);
  }
  lua_rawseti(L, LUA_REGISTRYINDEX, c->kept[SP_KEPT_STAGED]);
  for (int id = 0; id < 256; id++)
    if (c->managers[id])
      c->managers[id]->noted = c->staging || c->managers[id]->trace;
  return 0;
}

/* append(list, object) */
static int append(lua_State *L)
{
  lua_rawseti(L, 1, (lua_Integer)lua_rawlen(L, 1) + 1);
  return 0;
}

/* Appends an object that was allocated while files ran; when that fails, undoes the allocation and raises. */
static void note_alloc(lua_State *L, sp_lua_manager *m, sp_ref object)
{
  lua_pushcfunction(L, append);
  sp_push_kept(L, m->context, SP_KEPT_STAGED);
  sp_push_object(L, object);
  if (lua_pcall(L, 2, 0, 0) == LUA_OK)
    return;
  sp_alloc_undo(m->core, object); /* otherwise it would leak */
  lua_error(L);
}

/* native.recycle_object(object): without calling hooks. */
static int native_recycle_object(lua_State *L)
{
  sp_context *c = sp_context_here(L);
  sp_ref object = sp_check_object(L, 1);
  const sp_lua_manager *m = sp_manager_of(c, object);
  if (!m || !m->core)
    return 0;
  lua_State *outer = sp_begin(c, L);
  sp_alloc_undo(m->core, object);
  sp_finish(c, outer);
  return 0;
}

/* native.probation(files): sets the number of files whose code may still be taken back. */
static int native_probation(lua_State *L)
{
  sp_context_here(L)->probation = (uint32_t)luaL_checkinteger(L, 1);
  return 0;
}

/* native.track(chunks): records from now on which of these functions' files run. */
static int native_track(lua_State *L)
{
  const char *sources[SP_TRACKED_MOST];
  lua_Debug ar;
  int count = 0;
  for (lua_settop(L, 1); count < SP_TRACKED_MOST && lua_rawgeti(L, 1, count + 1) == LUA_TFUNCTION; lua_settop(L, 1)) {
    lua_pushvalue(L, 2);
    lua_getinfo(L, ">S", &ar);
    sources[count++] = ar.source;
  }
  sp_watchdog_track(sp_context_here(L)->watchdog, L, sources, count);
  return 0;
}

/* native.tracked() -> a list: for each, whether it has run since the last call. */
static int native_tracked(lua_State *L)
{
  uint64_t ran = sp_watchdog_tracked(sp_context_here(L)->watchdog, L);
  lua_createtable(L, SP_TRACKED_MOST, 0);
  for (int i = 0; i < SP_TRACKED_MOST; i++) {
    lua_pushboolean(L, (int)(ran >> i & 1));
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* native.live_objects() -> the number of live objects in all managers. */
static int native_live_objects(lua_State *L)
{
  const sp_context *c = sp_context_here(L);
  lua_Integer count = 0;
  for (int id = 0; id < 256; id++)
    for (uint32_t i = 0; c->cores[id] && i < sp_count_pools(c->cores[id]); i++)
      count += sp_pool_live(sp_get_pool(c->cores[id], i));
  lua_pushinteger(L, count);
  return 1;
}

/* native.culprits() -> sources on the stack of the last error, innermost first; false when they were not recorded. */
static int native_culprits(lua_State *L)
{
  sp_push_kept(L, sp_context_here(L), SP_KEPT_CULPRITS);
  return 1;
}

/* native.pools_of(name) -> a list of the open pools of that type in all managers. */
static int native_pools_of(lua_State *L)
{
  sp_context *c = sp_context_here(L);
  luaL_checkstring(L, 1);
  lua_newtable(L);
  lua_Integer count = 0;
  for (int id = 0; id < 256; id++) {
    sp_lua_manager *m = c->managers[id];
    const sp_lua_pool *p = m && m->core ? sp_manager_find(L, m, 1) : NULL;
    if (!p || !p->core || sp_pool_is_closing(p->core))
      continue;
    sp_push_anchor(L, c, p);
    lua_rawseti(L, -2, ++count);
  }
  return 1;
}

/* native.report(kind, text): "print", "warning" or "error". */
static int native_report(lua_State *L)
{
  static const char *const kinds[] = {"print", "warning", "error", NULL};
  sp_report_text(L, sp_context_here(L), (sp_report)luaL_checkoption(L, 1, NULL, kinds), luaL_checkstring(L, 2));
  return 0;
}

static bool heal(lua_State *L, sp_context *c)
{
  if (!lua_checkstack(L, 20))
    return false;
  int top = lua_gettop(L);
  sp_push_reload(L, c, "heal");
  sp_push_kept(L, c, SP_KEPT_CULPRITS);
  /* The next error may be one without a record, of memory: it must not be blamed on these. */
  lua_pushboolean(L, 0);
  lua_rawseti(L, LUA_REGISTRYINDEX, c->kept[SP_KEPT_CULPRITS]);
  bool noted = lua_istable(L, -1);
  bool healed = noted && lua_pcall(L, 1, 1, 0) == LUA_OK && lua_toboolean(L, -1);
  lua_settop(L, top);
  return healed;
}

static bool heal_hook(lua_State *L, const sp_lua_pool *p, int hook)
{
  sp_context *c = p->manager->context;
  lua_Debug ar;
  int top = lua_gettop(L);
  lua_createtable(L, 1, 1);
  sp_push_anchor(L, c, p);
  lua_getiuservalue(L, -1, SP_POOL_HOOKS + hook);
  lua_getinfo(L, ">S", &ar);
  lua_pushstring(L, ar.source);
  lua_rawseti(L, top + 1, 1);
  lua_pushvalue(L, top);
  lua_setfield(L, top + 1, "text");
  lua_pushvalue(L, top + 1);
  lua_rawseti(L, LUA_REGISTRYINDEX, c->kept[SP_KEPT_CULPRITS]);
  lua_settop(L, top);
  return heal(L, c);
}

/* native.set_patience(seconds): the budget of a call into the game; 0: unlimited. */
static int native_set_patience(lua_State *L)
{
  sp_watchdog_set_budget(sp_context_here(L)->watchdog, luaL_checknumber(L, 1));
  return 0;
}

/* native.use_no_signal(): the watchdog counts instructions instead of using SIGURG. */
static int native_use_no_signal(lua_State *L)
{
  sp_watchdog_use_no_signal(sp_context_here(L)->watchdog);
  return 0;
}

/* }== */

/* native.debug() -> the debug library, which a sandboxed game must not find. */
static int native_debug(lua_State *L)
{
  lua_pushcfunction(L, luaopen_debug);
  lua_call(L, 0, 1);
  return 1;
}

static int native_loaded(lua_State *L)
{
  lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  return 1;
}

/* Compares the text and the pattern of an iterator in C, and the like, but not its state. */
static bool are_upvalues_alike(lua_State *L)
{
  bool alike = true;
  for (int i = 1; alike && lua_getupvalue(L, 1, i); i++, lua_settop(L, 2)) {
    int type = lua_type(L, 3);
    alike = lua_getupvalue(L, 2, i) && type == lua_type(L, 4) &&
            (type == LUA_TUSERDATA || type == LUA_TTHREAD || lua_rawequal(L, 3, 4));
  }
  lua_settop(L, 2);
  return alike;
}

static bool are_functions_alike(lua_State *L)
{
  lua_Debug a, b;
  if (lua_iscfunction(L, 1) || lua_iscfunction(L, 2))
    return lua_tocfunction(L, 1) == lua_tocfunction(L, 2) && are_upvalues_alike(L);
  lua_pushvalue(L, 1);
  lua_getinfo(L, ">S", &a);
  lua_pushvalue(L, 2);
  lua_getinfo(L, ">S", &b);
  return a.linedefined == b.linedefined && a.lastlinedefined == b.lastlinedefined && a.srclen == b.srclen &&
         memcmp(a.source, b.source, a.srclen) == 0;
}

/* native.is_alike(a, b) -> whether two values may result from the same call made twice: coroutines, functions of the
   same code, userdata of the same kind. Pools are unique per type. */
static int native_is_alike(lua_State *L)
{
  lua_settop(L, 2);
  int type = lua_type(L, 1);
  bool alike = type == lua_type(L, 2) && type == LUA_TTHREAD;
  if (type == LUA_TFUNCTION && lua_isfunction(L, 2))
    alike = are_functions_alike(L);
  else if (type == LUA_TUSERDATA && lua_type(L, 2) == LUA_TUSERDATA && !sp_to_pool(L, 1) && lua_getmetatable(L, 1))
    alike = lua_getmetatable(L, 2) && lua_rawequal(L, -1, -2);
  lua_pushboolean(L, alike);
  return 1;
}

/* native.collect(on) -> whether the collector was running before. */
static int native_collect(lua_State *L)
{
  lua_pushboolean(L, lua_gc(L, LUA_GCISRUNNING));
  lua_gc(L, lua_toboolean(L, 1) ? LUA_GCRESTART : LUA_GCSTOP);
  return 1;
}

/* {== Opening ============================================================= */

#define RELOAD_PATIENCE 2.0 /* seconds that a file may compute in a program without a watchdog */

void sp_reload_open(lua_State *L, sp_context *c)
{
  if (!c->reloads) {
    if (!c->watchdog)
      sp_watchdog_open(L, c, RELOAD_PATIENCE);
    sp_push_source(L, c, "spawnpool.reloading");
    lua_pushvalue(L, -1);
    lua_rawseti(L, LUA_REGISTRYINDEX, c->kept[SP_KEPT_RELOAD]);
    c->calls.load = load_followed;
    c->calls.heal = heal;
    c->calls.heal_hook = heal_hook;
    c->calls.note_alloc = note_alloc;
    c->reloads = true;
  } else {
    sp_push_kept(L, c, SP_KEPT_RELOAD);
  }
}

/* }== */

const luaL_Reg sp_reload_natives[] = {
    {"call", native_call},
    {"follow_require", native_follow_require},
    {"read", native_read},
    {"texts", native_texts},
    {"compile", native_compile},
    {"realpath", native_realpath},
    {"debug", native_debug},
    {"holds", native_holds},
    {"loaded", native_loaded},
    {"clock", sp_native_clock},
    {"watch", sp_native_watch},
    {"protect", native_protect},
    {"stage", native_stage},
    {"recycle_object", native_recycle_object},
    {"probation", native_probation},
    {"pools_of", native_pools_of},
    {"culprits", native_culprits},
    {"track", native_track},
    {"tracked", native_tracked},
    {"live_objects", native_live_objects},
    {"set_patience", native_set_patience},
    {"use_no_signal", native_use_no_signal},
    {"report", native_report},
    {"shot", sp_heap_shot},
    {"stop", sp_heap_stop},
    {"look", sp_heap_look},
    {"is_alike", native_is_alike},
    {"apply", sp_heap_apply},
    {"undo", sp_heap_undo},
    {"entries", sp_heap_entries},
    {"is_same", sp_heap_is_same},
    {"is_remade", sp_heap_is_remade},
    {"metatable", sp_heap_metatable},
    {"following", sp_heap_following},
    {"follow", sp_heap_follow},
    {"begin_births", sp_births_begin},
    {"finish_births", sp_births_finish},
    {"maker", sp_births_maker},
    {"made_by", sp_births_made_by},
    {"collect", native_collect},
    {NULL, NULL},
};
