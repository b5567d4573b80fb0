#include "script/reload/reload.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "script/bind/pool.h"
#include "script/bind/timer.h"
#include "script/guard/coroutines.h"
#include "script/guard/door.h"
#include "script/guard/sandbox.h"
#include "script/guard/watchdog.h"
#include "script/reload/capture.h"
#include "script/reload/heap_walk.h"
#include "script/reload/running.h"
#include "script/state/arguments.h"
#include "script/state/context.h"
#include "script/state/disk.h"
#include "script/state/platform.h"
#include "script/state/report.h"
#include "script/watch/watch.h"

/* {== Redirecting ======================================================== */

/* The replaced things are the first in the list, and are not entered. */
typedef struct redirecting {
  sp_heap_walk walk;
  const sp_heap_walk *whole;
  uint32_t mapped; /* how many are replaced */
  int map, sources, stacks;
  lua_Integer count; /* functions that were found on the stack of the coroutine */
} redirecting;

static bool is_reference(lua_State *L, int index)
{
  int type = lua_type(L, index);
  return type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TUSERDATA || type == LUA_TTHREAD;
}

/* Replaces the value on top by its successor, and returns whether it had one. Meets the result if it is new. */
static bool replace(redirecting *r)
{
  lua_State *L = r->walk.L;
  if (!is_reference(L, -1))
    return false;
  const int top = lua_gettop(L);
  const uint32_t number = sp_heap_number(&r->walk, top);
  const bool is_mapped = number > 0 && number <= r->mapped;
  if (is_mapped)
    lua_rawget(L, r->map);
  if (is_reference(L, top) && !sp_heap_number(r->whole, top))
    sp_heap_meet(&r->walk, top);
  return is_mapped;
}

/* }== */

/* {== Tables ============================================================= */

/* Keys cannot be replaced while their table is walked: those with a successor are in the list `moved`. An entry is
   dropped if its new key is taken. */
static void move_keys(redirecting *r, int t, int moved, lua_Integer count)
{
  lua_State *L = r->walk.L;
  const int key = lua_gettop(L) + 1;
  for (lua_Integer i = 1; i <= count; i++, lua_settop(L, key - 1)) {
    lua_rawgeti(L, moved, i);
    lua_pushvalue(L, key);
    lua_rawget(L, t);
    lua_pushvalue(L, key);
    lua_pushnil(L);
    lua_rawset(L, t);
    lua_pushvalue(L, key);
    lua_rawget(L, r->map);
    lua_pushvalue(L, key + 2);
    if (lua_rawget(L, t) != LUA_TNIL)
      continue;
    lua_pop(L, 1);
    lua_pushvalue(L, key + 1);
    lua_rawset(L, t);
  }
}

/* Replaces the value on top, and leaves the key. Returns whether the key must be replaced too. */
static bool rewrite_pair(redirecting *r, int t, int key)
{
  lua_State *L = r->walk.L;
  if (replace(r)) {
    lua_pushvalue(L, key);
    lua_insert(L, -2);
    lua_rawset(L, t);
  }
  lua_settop(L, key);
  lua_pushvalue(L, key);
  bool moves = replace(r);
  lua_settop(L, key);
  return moves;
}

static void rewrite_table(redirecting *r, int t)
{
  lua_State *L = r->walk.L;
  const int moved = t + 1, key = t + 2;
  lua_Integer count = 0;
  lua_pushnil(L);
  for (lua_pushnil(L); lua_next(L, t);) {
    if (!rewrite_pair(r, t, key))
      continue;
    if (count == 0) {
      lua_newtable(L);
      lua_replace(L, moved);
    }
    lua_pushvalue(L, key);
    lua_rawseti(L, moved, ++count);
  }
  if (count > 0)
    move_keys(r, t, moved, count);
  if (lua_getmetatable(L, t) && replace(r))
    lua_setmetatable(L, t);
}

/* }== */

/* {== The rest =========================================================== */

static void rewrite_function(redirecting *r, int f)
{
  lua_State *L = r->walk.L;
  if (sp_is_library(L, f))
    return;
  for (int i = 1; lua_getupvalue(L, f, i); i++, lua_settop(L, f))
    if (replace(r))
      lua_setupvalue(L, f, i);
}

static void rewrite_userdata(redirecting *r, int u)
{
  lua_State *L = r->walk.L;
  for (int i = 1; lua_getiuservalue(L, u, i) != LUA_TNONE; i++, lua_settop(L, u))
    if (replace(r))
      lua_setiuservalue(L, u, i);
  lua_settop(L, u);
  if (lua_getmetatable(L, u))
    replace(r);
}

/* Appends the function at `index` to the list of the coroutine, the last in `stacks`. */
static void append_function(redirecting *r, int index)
{
  lua_State *L = r->walk.L;
  lua_Integer count = (lua_Integer)lua_rawlen(L, r->stacks);
  if (r->count == 0) {
    lua_newtable(L);
    lua_rawseti(L, r->stacks, ++count);
  }
  lua_rawgeti(L, r->stacks, count);
  lua_pushvalue(L, index);
  lua_rawseti(L, -2, ++r->count);
}

static void rewrite_variable(void *ud, lua_State *co, lua_Debug *ar, int n)
{
  redirecting *r = ud;
  lua_State *L = r->walk.L;
  const int top = lua_gettop(L);
  if (ar && n == 0) {
    lua_pushstring(L, ar->source);
    if (lua_rawget(L, r->sources) != LUA_TNIL && lua_status(co) == LUA_YIELD)
      append_function(r, top);
    lua_settop(L, top);
    replace(r);
    return;
  }
  if (!replace(r))
    return;
  lua_pushvalue(L, top);
  if (co != L)
    lua_xmove(L, co, 1);
  if (ar)
    lua_setlocal(co, ar, n);
  else
    lua_replace(co, n);
}

static void rewrite_stack(redirecting *r, lua_State *co)
{
  r->count = 0;
  sp_heap_each_variable(&r->walk, co, rewrite_variable, r);
}

static void rewrite_thing(redirecting *r, int thing)
{
  lua_State *L = r->walk.L;
  switch (lua_type(L, thing)) {
  case LUA_TTABLE:
    rewrite_table(r, thing);
    break;
  case LUA_TFUNCTION:
    rewrite_function(r, thing);
    break;
  case LUA_TUSERDATA:
    rewrite_userdata(r, thing);
    break;
  case LUA_TTHREAD:
    rewrite_stack(r, lua_tothread(L, thing));
    break;
  default:
    break;
  }
  lua_settop(L, thing);
}

/* Rewrites the thing with this number in the list of the capture. */
static void rewrite_holder(void *ud, uint32_t thing)
{
  redirecting *r = ud;
  lua_State *L = r->walk.L;
  lua_rawgeti(L, r->whole->list, thing);
  rewrite_thing(r, lua_gettop(L));
  lua_pop(L, 1);
}

static void rewrite_list(redirecting *r, int list)
{
  lua_State *L = r->walk.L;
  const int thing = lua_gettop(L) + 1;
  for (lua_Integer i = 1; lua_rawgeti(L, list, i) != LUA_TNIL; i++, lua_settop(L, thing - 1))
    rewrite_thing(r, thing);
  lua_settop(L, thing - 1);
}

/* Rewrites values that existed before: of tables and variables the entries that the capture lists, of values without a
   copy all. */
static void rewrite_known(redirecting *r, int whole)
{
  lua_State *L = r->walk.L;
  const int top = lua_gettop(L);
  bool *marks = lua_newuserdatauv(L, r->whole->count + (size_t)1, 0);
  memset(marks, 0, r->whole->count + (size_t)1);
  for (lua_pushnil(L); lua_next(L, r->map); lua_pop(L, 1))
    marks[sp_heap_number(r->whole, lua_gettop(L) - 1)] = true;
  marks[0] = false;
  sp_capture_each_holder(lua_touserdata(L, whole), marks, rewrite_holder, r);
  sp_capture_push_passed(L, whole);
  rewrite_list(r, lua_gettop(L));
  lua_settop(L, top);
}

/* redirect(whole, map, sources, roots) -> a list with a list for each suspended coroutine that is in code of a source
   which is a key of `sources`: its functions of them. `map`: thing -> its successor, which has none itself. `whole`: a
   capture of all that there was before the successors came; what has been changed since is in the list `roots`, or is
   new and reachable from there. `map` is not entered. */
static int native_redirect(lua_State *L)
{
  enum { WHOLE = 1, MAP, SOURCES, ROOTS };
  lua_settop(L, ROOTS);
  luaL_checkstack(L, 40, NULL);
  sp_capture_open(L, WHOLE);
  redirecting *r = sp_heap_walk_new(L, sizeof *r, SP_HEAP_PLACES, 0);
  r->whole = lua_touserdata(L, WHOLE);
  r->map = MAP;
  r->sources = SOURCES;
  lua_newtable(L);
  r->stacks = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, MAP); lua_pop(L, 1))
    sp_heap_meet(&r->walk, lua_gettop(L) - 1);
  r->mapped = r->walk.count;
  sp_heap_meet(&r->walk, MAP);
  sp_heap_meet(&r->walk, r->walk.self);
  sp_heap_meet(&r->walk, r->walk.list);
  r->walk.done = r->walk.count;
  rewrite_known(r, WHOLE);
  rewrite_stack(r, L);
  rewrite_list(r, ROOTS);
  const int thing = lua_gettop(L) + 1;
  while (r->walk.done < r->walk.count) {
    lua_rawgeti(L, r->walk.list, (lua_Integer)++r->walk.done);
    rewrite_thing(r, thing);
    lua_settop(L, thing - 1);
  }
  lua_settop(L, r->stacks);
  return 1;
}

/* }== */

/* {== Sources ============================================================ */

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
  sp_context *c = sp_context_here(L);
  c->strike_count = 0; /* what was wrong may be fixed: it is called, and told, again */
  memset(c->told, 0, sizeof c->told);
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

/* Upvalues of an asked function: its own first one, which C functions of Lua's libraries have at most, comes first. */
enum { ASKED_OWN = 1, ASKED_ORIGINAL, ASKED_ASK, ASKED_NOTE, ASKED_CONTEXT };

static int call_original(lua_State *L)
{
  lua_pushvalue(L, lua_upvalueindex(ASKED_ORIGINAL));
  if (!lua_getupvalue(L, -1, 2)) { /* in this frame, so that its errors blame the caller */
    lua_CFunction original = lua_tocfunction(L, -1);
    lua_pop(L, 1);
    return original(L);
  }
  lua_pop(L, 1);
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  return lua_gettop(L);
}

/* While files run, answers as in their last runs, or notes the answer. */
static int asked_function(lua_State *L)
{
  const sp_context *c = lua_touserdata(L, lua_upvalueindex(ASKED_CONTEXT));
  const int count = lua_gettop(L);
  if (!c->staging)
    return call_original(L);
  luaL_checkstack(L, count + 8, NULL);
  lua_pushvalue(L, lua_upvalueindex(ASKED_ASK));
  for (int i = 1; i <= count; i++)
    lua_pushvalue(L, i);
  lua_call(L, count, LUA_MULTRET);
  if (lua_toboolean(L, count + 1))
    return lua_gettop(L) - count - 1;
  lua_settop(L, count);
  const int results = call_original(L), first = lua_gettop(L) - results + 1;
  luaL_checkstack(L, results + 1, NULL);
  lua_pushvalue(L, lua_upvalueindex(ASKED_NOTE));
  for (int i = first; i < first + results; i++)
    lua_pushvalue(L, i);
  lua_call(L, results, 0);
  return results;
}

/* native.answering(function, ask, note) -> a function in its place. While files run, ask(...) returns true and what it
   answers, or false; then the function itself does, and note(results) is called. */
static int native_answering(lua_State *L)
{
  lua_settop(L, 3);
  if (!lua_getupvalue(L, 1, 1))
    lua_pushnil(L);
  lua_insert(L, 1);
  lua_pushlightuserdata(L, sp_context_here(L));
  lua_pushcclosure(L, asked_function, ASKED_CONTEXT);
  return 1;
}

/* native.realpath(path) -> the canonical path, or nil when there is no such file or folder. A game in memory may have a
   folder that does not exist. */
static int native_realpath(lua_State *L)
{
  char real[SP_PATH_MOST];
  const sp_context *c = sp_context_here(L);
  const char *path = luaL_checkstring(L, 1), *text = NULL;
  size_t size;
  const bool is_root = c->files && strcmp(path, c->root) == 0;
  if (sp_real_path(path, real))
    lua_pushstring(L, real);
  else if (is_root || (sp_given_file(c, path, &text, &size) && text))
    lua_pushfstring(L, "%s%s", sp_real_path(c->root, real) ? real : c->root, path + strlen(c->root));
  else
    return 0;
  return 1;
}

/* native.holds(file) -> whether the game may load it. */
static int native_holds(lua_State *L)
{
  const sp_context *c = sp_context_here(L);
  const char *path = luaL_checkstring(L, 1), *text;
  size_t size;
  lua_pushboolean(L, !c->folder || sp_given_file(c, path, &text, &size) || sp_folder_holds(c->folder, path));
  return 1;
}

/* }== */

/* {== Looking ============================================================ */

/* native.probation(files): sets the number of files whose code may still be taken back. */
static int native_probation(lua_State *L)
{
  sp_context_here(L)->probation = (uint32_t)luaL_checkinteger(L, 1);
  return 0;
}

/* native.track(ranges): records from now on which of these lines run. `ranges` lists the chunk of a file, the first and
   the last line, and the bit that stands for them. */
static int native_track(lua_State *L)
{
  sp_tracked tracked[SP_TRACKED_MOST];
  lua_Debug ar;
  int count = 0;
  for (lua_settop(L, 1); count < SP_TRACKED_MOST && lua_rawgeti(L, 1, 4 * count + 1) == LUA_TFUNCTION; count++) {
    lua_getinfo(L, ">S", &ar);
    for (int i = 2; i <= 4; i++)
      lua_rawgeti(L, 1, 4 * count + i);
    tracked[count] = (sp_tracked){.source = ar.source,
                                  .from = (int)lua_tointeger(L, 2),
                                  .to = (int)lua_tointeger(L, 3),
                                  .bits = UINT64_C(1) << (lua_tointeger(L, 4) & 63)};
    lua_settop(L, 1);
  }
  sp_watchdog_track(sp_context_here(L)->watchdog, L, tracked, count);
  return 0;
}

/* native.tracked() -> the bits of those that have run since the last call. */
static int native_tracked(lua_State *L)
{
  lua_pushinteger(L, (lua_Integer)sp_watchdog_tracked(sp_context_here(L)->watchdog, L));
  return 1;
}

/* native.time_of_day() -> "12:04:31" */
static int native_time_of_day(lua_State *L)
{
  char text[16];
  const struct tm now = sp_local_time(time(NULL));
  strftime(text, sizeof text, "%H:%M:%S", &now);
  lua_pushstring(L, text);
  return 1;
}

/* native.live_objects() -> the number of live objects in all managers. */
static int native_live_objects(lua_State *L)
{
  const sp_context *c = sp_context_here(L);
  lua_Integer count = 0;
  for (int id = 0; id < 256; id++)
    for (const sp_pool *p = NULL; c->cores[id] && (p = sp_manager_next_pool(c->cores[id], p)) != NULL;)
      count += sp_pool_live(p);
  lua_pushinteger(L, count);
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
    spl_manager *m = sp_held_manager(c->managers[id]);
    const spl_pool *p = m && m->core ? sp_manager_find(L, m, 1) : NULL;
    if (!p || !p->core || sp_pool_is_closing(p->core) || sp_is_dropped(L, c, m))
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

static bool revert(lua_State *L, sp_context *c)
{
  if (!lua_checkstack(L, 20))
    return false;
  int top = lua_gettop(L);
  sp_push_reload(L, c, "revert");
  sp_push_kept(L, c, SP_KEPT_CULPRITS);
  /* The next error may be one without a record, of memory: it must not be blamed on these. */
  lua_pushboolean(L, 0);
  lua_rawseti(L, LUA_REGISTRYINDEX, c->kept[SP_KEPT_CULPRITS]);
  bool noted = lua_istable(L, -1);
  bool reverted = noted && lua_pcall(L, 1, 1, 0) == LUA_OK && lua_toboolean(L, -1);
  lua_settop(L, top);
  return reverted;
}

static bool revert_hook(lua_State *L, const spl_pool *p, int hook)
{
  sp_context *c = p->manager->context;
  lua_Debug ar;
  int top = lua_gettop(L);
  lua_createtable(L, 3, 1);
  sp_push_anchor(L, c, p);
  lua_getiuservalue(L, -1, SP_POOL_HOOKS + hook);
  lua_getinfo(L, ">S", &ar);
  lua_pushstring(L, ar.source);
  lua_rawseti(L, top + 1, 1);
  lua_pushinteger(L, ar.linedefined);
  lua_rawseti(L, top + 1, 2);
  lua_pushinteger(L, ar.lastlinedefined);
  lua_rawseti(L, top + 1, 3);
  lua_pushvalue(L, top);
  lua_setfield(L, top + 1, "text");
  lua_pushvalue(L, top + 1);
  lua_rawseti(L, LUA_REGISTRYINDEX, c->kept[SP_KEPT_CULPRITS]);
  lua_settop(L, top);
  return revert(L, c);
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

typedef struct code {
  luaL_Buffer buffer;
  bool is_open; /* opened with the first bytes: lua_dump needs the function on top */
} code;

static int append_code(lua_State *L, const void *bytes, size_t size, void *ud)
{
  code *c = ud;
  if (!c->is_open)
    luaL_buffinit(L, &c->buffer);
  c->is_open = true;
  luaL_addlstring(&c->buffer, bytes, size);
  return 0;
}

/* native.code_of(function) -> its bytecode as a string; nil for a C function. */
static int native_code_of(lua_State *L)
{
  code c = {.is_open = false};
  lua_settop(L, 1);
  if (lua_dump(L, append_code, &c, 1) != 0)
    return 0;
  luaL_pushresult(&c.buffer);
  return 1;
}

/* native.collect(on, rest) -> whether the collector was running before. `rest`: once on again, it waits until that many
   KiB were allocated, for a step that it took at once might go over a whole capture. */
static int native_collect(lua_State *L)
{
  const int rest = (int)lua_tointeger(L, 2);
  lua_pushboolean(L, lua_gc(L, LUA_GCISRUNNING));
  lua_gc(L, lua_toboolean(L, 1) ? LUA_GCRESTART : LUA_GCSTOP);
  if (rest > 0)
    lua_gc(L, LUA_GCSTEP, -rest);
  return 1;
}

/* {== Opening ============================================================ */

#define RELOAD_PATIENCE 2.0 /* seconds that a file may compute in a program without a watchdog */

void sp_reload_open(lua_State *L, sp_context *c)
{
  if (!c->reloads) {
    if (!c->watchdog) {
      sp_watchdog_open(L, c, RELOAD_PATIENCE);
      sp_follow_coroutines(L, c->watchdog);
    }
    sp_push_source(L, c, "spawnpool.reloading");
    lua_pushvalue(L, -1);
    lua_rawseti(L, LUA_REGISTRYINDEX, c->kept[SP_KEPT_RELOAD]);
    c->calls.load = load_followed;
    c->calls.revert = revert;
    c->calls.revert_hook = revert_hook;
    c->calls.note_alloc = sp_note_staged;
    c->reloads = true;
  } else {
    sp_push_kept(L, c, SP_KEPT_RELOAD);
  }
}

/* }== */

const luaL_Reg sp_reload_natives[] = {
    {"call", spl_native_call},
    {"follow_require", native_follow_require},
    {"answering", native_answering},
    {"read", native_read},
    {"texts", native_texts},
    {"compile", native_compile},
    {"realpath", native_realpath},
    {"debug", native_debug},
    {"holds", native_holds},
    {"loaded", native_loaded},
    {"clock", spl_native_clock},
    {"watch", spl_native_watch},
    {"protect", spl_native_protect},
    {"stage", spl_native_stage},
    {"watch_calls", spl_native_watch_calls},
    {"recycle_object", spl_native_recycle_object},
    {"probation", native_probation},
    {"pools_of", native_pools_of},
    {"track", native_track},
    {"tracked", native_tracked},
    {"live_objects", native_live_objects},
    {"set_patience", native_set_patience},
    {"use_no_signal", native_use_no_signal},
    {"report", native_report},
    {"capture", spl_native_capture},
    {"capture_things", spl_native_capture_things},
    {"capture_new", spl_native_capture_new},
    {"knows", spl_native_knows},
    {"things", spl_native_things},
    {"functions_of", spl_native_functions_of},
    {"contents", spl_native_contents},
    {"changes", spl_native_changes},
    {"undo", spl_native_undo},
    {"remade", spl_native_remade},
    {"same", spl_native_same},
    {"places", spl_native_places},
    {"redirect", native_redirect},
    {"time_of_day", native_time_of_day},
    {"code_of", native_code_of},
    {"collect", native_collect},
    {"timer", spl_native_timer},
    {NULL, NULL},
};
