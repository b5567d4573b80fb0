#include "script/context.h"

#include <stdio.h>
#include <string.h>

#include "script/border.h"
#include "script/object.h"
#include "script/trouble.h"
#include "script/watchdog.h"

static const char registry_key = 0;

/* {== The context ======================================================== */

sp_context *sp_context_of(lua_State *L)
{
  lua_rawgetp(L, LUA_REGISTRYINDEX, &registry_key);
  sp_context *c = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return c;
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
  sp_manager_free_all(L, c);
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

sp_context *sp_context_open(lua_State *L)
{
  sp_context *c = sp_context_of(L);
  if (c)
    return c;
  sp_object_check_free(L);
  lua_pushboolean(L, 0); /* takes the seat, so that the last step cannot fail */
  lua_rawsetp(L, LUA_REGISTRYINDEX, &registry_key);
  c = lua_newuserdatauv(L, sizeof *c + sp_keymap_size(SP_CONTEXT_SEATS), 0);
  memset(c, 0, sizeof *c);
  c->names = sp_context_names(c);
  sp_keymap_init(c->names, SP_CONTEXT_SEATS);
  finalise(L);
  c->main = main_state(L);
  c->L = c->main;
  for (int what = 0; what < SP_KEPT_COUNT; what++)
    keep_table(L, c, (sp_kept)what, what == SP_KEPT_ANCHORS ? "v" : what == SP_KEPT_OWNERS ? "k" : NULL);
  sp_push_kept(L, c, SP_KEPT_ERROR);
  lua_pushboolean(L, 0);
  lua_rawseti(L, -2, 1);
  lua_pushliteral(L, "stopped: one function in C ran for too long (a table that is its own __call?)");
  lua_rawseti(L, -2, 2);
  sp_push_kept(L, c, SP_KEPT_DROPPED);
  lua_pushboolean(L, 0);
  lua_rawseti(L, -2, 1);
  sp_push_kept(L, c, SP_KEPT_WHYS);
  for (int why = 0; why < SP_WHY_COUNT; why++) {
    lua_pushstring(L, sp_why_name((sp_why)why));
    lua_rawseti(L, -2, why);
  }
  lua_pop(L, 3);
  lua_pushliteral(L, "circle");
  sp_sprite_number(L, c, -1);
  lua_pop(L, 1);
  sp_object_open(L, c);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &registry_key); /* complete: half a context is none */
  return c;
}

void sp_push_function(lua_State *L, sp_context *c, lua_CFunction function)
{
  lua_pushlightuserdata(L, c);
  lua_pushcclosure(L, function, 1);
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
static void push_dropped(lua_State *L, const sp_context *c, const void *owner)
{
  sp_push_kept(L, c, SP_KEPT_OWNERS);
  for (lua_pushnil(L); lua_next(L, -2);) {
    lua_pop(L, 1);
    if (lua_touserdata(L, -1) == owner) {
      lua_replace(L, -2);
      return;
    }
  }
  lua_pushnil(L);
  lua_replace(L, -2);
}

bool sp_is_dropped(lua_State *L, const sp_context *c, const sp_lua_manager *m)
{
  sp_push_kept(L, c, SP_KEPT_ANCHORS);
  bool dropped = !m || lua_rawgetp(L, -1, m) == LUA_TNIL;
  lua_pop(L, m ? 2 : 1);
  return dropped;
}

void sp_push_anchor(lua_State *L, const sp_context *c, const void *owner)
{
  sp_push_kept(L, c, SP_KEPT_ANCHORS);
  if (lua_rawgetp(L, -1, owner) == LUA_TNIL) {
    lua_pop(L, 1);
    push_dropped(L, c, owner);
  }
  lua_replace(L, -2);
}

void sp_set_anchor(lua_State *L, const sp_context *c, const void *owner, int index)
{
  index = lua_absindex(L, index);
  sp_push_kept(L, c, SP_KEPT_ANCHORS);
  lua_pushvalue(L, index);
  lua_rawsetp(L, -2, owner);
  sp_push_kept(L, c, SP_KEPT_OWNERS);
  lua_pushvalue(L, index);
  lua_pushboolean(L, 1);
  lua_rawset(L, -3);
  lua_pop(L, 2);
}

/* }== */

/* {== Sprites ============================================================ */

bool sp_find_sprite(lua_State *L, sp_context *c, int index, uint16_t *number)
{
  index = lua_absindex(L, index);
  sp_push_kept(L, c, SP_KEPT_SPRITES);
  lua_pushvalue(L, index);
  if (lua_rawget(L, -2) == LUA_TNIL) {
    if (c->sprite_count > UINT16_MAX) {
      lua_pop(L, 2);
      return false;
    }
    lua_pushvalue(L, index);
    lua_rawseti(L, -3, c->sprite_count);
    lua_pushvalue(L, index);
    lua_pushinteger(L, c->sprite_count);
    lua_rawset(L, -4);
    lua_pushinteger(L, c->sprite_count++);
    lua_replace(L, -2);
  }
  *number = (uint16_t)lua_tointeger(L, -1);
  lua_pop(L, 2);
  return true;
}

uint16_t sp_sprite_number(lua_State *L, sp_context *c, int index)
{
  uint16_t number = 0;
  if (!sp_find_sprite(L, c, index, &number))
    luaL_error(L, "too many sprite names (at most %d)", UINT16_MAX + 1);
  return number;
}

void sp_push_sprite_name(lua_State *L, const sp_context *c, uint16_t sprite)
{
  sp_push_kept(L, c, SP_KEPT_SPRITES);
  lua_rawgeti(L, -1, sprite);
  lua_replace(L, -2);
}

/* }== */

/* {== Reports ============================================================ */

typedef struct telling {
  sp_context *c;
  sp_report kind;
  const char *text;
} telling;

static void tell(sp_context *c, sp_report kind, const char *text)
{
  if (c->report)
    c->report(c->report_ud, kind, text);
  else
    fprintf(stderr, "spawnpool: %s%s\n", kind == SP_REPORT_WARNING ? "warning: " : "", text);
}

#define MAX_REPORTS 1000

static bool is_power_of_ten(lua_Integer n)
{
  while (n % 10 == 0)
    n /= 10;
  return n == 1;
}

/* Protected, because counting allocates. */
static int count_and_tell(lua_State *L)
{
  const telling *t = lua_touserdata(L, 1);
  sp_push_kept(L, t->c, SP_KEPT_REPORTS);
  sp_raw_field(L, -1, t->text);
  lua_Integer count = lua_tointeger(L, -1) + 1;
  lua_pop(L, 1);
  if (count == 1 && ++t->c->report_count > MAX_REPORTS) { /* texts that always differ must not pile up */
    t->c->report_count = 0;
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawseti(L, LUA_REGISTRYINDEX, t->c->kept[SP_KEPT_REPORTS]);
  }
  lua_pushinteger(L, count);
  lua_setfield(L, -2, t->text);
  if (!is_power_of_ten(count))
    return 0;
  const char *text = count == 1 ? t->text : lua_pushfstring(L, "%s\n(%I times so far)", t->text, count);
  tell(t->c, t->kind, text);
  return 0;
}

/* A program that has replaced `warn` hears warnings through it. */
static int warn_through_lua(lua_State *L)
{
  const telling *t = lua_touserdata(L, 1);
  lua_pushglobaltable(L);
  lua_pushliteral(L, "warn");
  lua_rawget(L, -2);
  if (lua_isnil(L, -1) || lua_iscfunction(L, -1)) {
    lua_pushboolean(L, 0);
    return 1;
  }
  lua_pushfstring(L, "spawnpool: %s", t->text);
  lua_call(L, 1, 0);
  lua_pushboolean(L, 1);
  return 1;
}

static bool call_with(lua_State *L, lua_CFunction function, telling *t)
{
  lua_pushcfunction(L, function);
  lua_pushlightuserdata(L, t);
  bool done = lua_pcall(L, 1, 1, 0) == LUA_OK && lua_toboolean(L, -1);
  lua_pop(L, 1);
  return done;
}

void sp_report_text(lua_State *L, sp_context *c, sp_report kind, const char *text)
{
  telling t = {c, kind, text};
  if (!lua_checkstack(L, 8)) {
    tell(c, kind, text);
    return;
  }
  if (kind == SP_REPORT_WARNING && !c->report && call_with(L, warn_through_lua, &t))
    return;
  lua_pushcfunction(L, count_and_tell);
  lua_pushlightuserdata(L, &t);
  if (lua_pcall(L, 1, 0, 0) != LUA_OK) {
    tell(c, kind, text);
    lua_pop(L, 1);
  }
}

static int describe_error(lua_State *L)
{
  const char *where = lua_touserdata(L, 2), *text = luaL_tolstring(L, 1, NULL);
  if (where)
    lua_pushfstring(L, "%s: %s", where, text);
  return 1;
}

void sp_report_error(lua_State *L, sp_context *c, const char *where)
{
  lua_pushcfunction(L, describe_error);
  lua_insert(L, -2);
  lua_pushlightuserdata(L, (void *)where);
  lua_pcall(L, 2, 1, 0); /* what goes wrong here is reported instead */
  const char *text = lua_tostring(L, -1);
  sp_report_text(L, c, SP_REPORT_ERROR, text ? text : "an error that is no text");
  lua_pop(L, 1);
}

/* }== */

/* {== The door =========================================================== */

#define CULPRITS_MOST 100

void sp_note_culprits(lua_State *L, int error)
{
  const sp_context *c = sp_context_of(L);
  lua_Debug ar;
  if (!c->probation)
    return;
  error = lua_absindex(L, error);
  luaL_checkstack(L, 8, NULL);
  lua_newtable(L);
  /* A stack that has overflown is deep, and a frame takes the longer to reach the deeper it lies. */
  for (int level = 0, count = 0; level < CULPRITS_MOST && lua_getstack(L, level, &ar); level++) {
    lua_getinfo(L, "S", &ar);
    if (ar.source[0] != '@')
      continue;
    lua_pushstring(L, ar.source);
    lua_rawseti(L, -2, ++count);
  }
  lua_pushvalue(L, error);
  lua_setfield(L, -2, "text");
  lua_rawseti(L, LUA_REGISTRYINDEX, c->kept[SP_KEPT_CULPRITS]);
}

/* The error itself goes on as it is. */
static int note_only(lua_State *L)
{
  sp_push_trouble(L, 1);
  sp_note_culprits(L, -1);
  lua_settop(L, 1);
  return 1;
}

/* A text tells what happened where; other values go on as they are. */
static int add_trouble(lua_State *L)
{
  if (lua_isstring(L, 1))
    return sp_trouble(L);
  return sp_context_of(L)->probation ? note_only(L) : 1;
}

void sp_word_stop(lua_State *L, const sp_context *c, int status, bool stopped)
{
  if (status != LUA_ERRMEM || !stopped)
    return;
  sp_push_kept(L, c, SP_KEPT_ERROR);
  lua_rawgeti(L, -1, 2);
  lua_replace(L, -3);
  lua_pop(L, 1);
}

static int call_handled(lua_State *L, int nargs, int nresults, lua_CFunction handler)
{
  int base = lua_gettop(L) - nargs;
  lua_pushcfunction(L, handler);
  lua_insert(L, base);
  int status = lua_pcall(L, nargs, nresults, base);
  lua_remove(L, base);
  return status;
}

static __attribute__((noinline)) int watched_door(lua_State *L, sp_context *c, int nargs, int nresults, bool traced)
{
  lua_State *outer = sp_watchdog_enter(c->watchdog, L);
  int status;
  if (traced || c->probation)
    status = call_handled(L, nargs, nresults, traced ? add_trouble : note_only);
  else
    status = lua_pcall(L, nargs, nresults, 0);
  sp_word_stop(L, c, status, sp_watchdog_is_stopping(c->watchdog));
  sp_watchdog_leave(c->watchdog, outer);
  return status;
}

int sp_door(lua_State *L, sp_context *c, int nargs, int nresults, bool traced)
{
  if (c->watchdog || c->probation || traced)
    return watched_door(L, c, nargs, nresults, traced);
  return lua_pcall(L, nargs, nresults, 0);
}

/* }== */
