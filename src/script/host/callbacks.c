/*
** Calls into the game: the callbacks in the table that main.lua returned, its start, and its hot reload: the host polls
** once per frame, and edited files run from then on.
*/
#include "script/host/callbacks.h"

#include <lauxlib.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/binding.h"
#include "script/bind/codec.h"
#include "script/bind/timer.h"
#include "script/guard/door.h"
#include "script/guard/sandbox.h"
#include "script/guard/watchdog.h"
#include "script/host/host.h"
#include "script/reload/reload.h"
#include "script/state/arguments.h"
#include "script/state/border.h"
#include "script/state/context.h"
#include "script/state/report.h"

/* Of a call that is made again: an sp_call that no host sees. */
#define TRY_AGAIN ((sp_call)(SP_CALL_MEMORY + 1))

#define OWN_HASH_MOST ((size_t)1 << 20) /* bytes */

/* {== The door =========================================================== */

/* Reports the error on top, and pops it. */
static bool fail(sp_script *s)
{
  sp_host_fail(s, lua_tostring(s->L, -1), false);
  lua_pop(s->L, 1);
  return false;
}

/* Calls the function and `nargs` arguments on top of the stack, watched. SP_CALL_DONE leaves the results; the others
   pop everything. TRY_AGAIN: new code failed, the version before runs again, and the call may be repeated. After the
   others the error was kept and reported. */
static sp_call call_game(sp_script *s, int nargs, int nresults)
{
  lua_State *L = s->L;
  const int status = sp_host_door(s, nargs, nresults);
  if (status == LUA_OK)
    return SP_CALL_DONE;
  if (sp_revert(L, s->context)) {
    lua_pop(L, 1);
    return TRY_AGAIN;
  }
  const bool is_stopped = sp_watchdog_is_its_error(s->context->watchdog, lua_tostring(L, -1));
  sp_host_fail(s, lua_tostring(L, -1), true);
  lua_pop(L, 1);
  return is_stopped ? SP_CALL_STOPPED : status == LUA_ERRMEM ? SP_CALL_MEMORY : SP_CALL_ERROR;
}

/* }== */

/* {== Callbacks ========================================================== */

/* Raises an error with the callback's line unless the value on top of the stack can be called. */
static void require_function(lua_State *L, const sp_script *s)
{
  int at = lua_gettop(L);
  if (sp_to_function(L, at))
    return;
  sp_push_helper(L, s->context, "spawnpool.callbacks", "wrong_type");
  lua_pushstring(L, s->main);
  lua_pushstring(L, s->context->callback);
  lua_pushvalue(L, at);
  lua_call(L, 3, 1);
  lua_error(L);
}

static int run_load(lua_State *L)
{
  const sp_script *s = lua_touserdata(L, 1);
  int argc = (int)lua_tointeger(L, 2);
  char **argv = lua_touserdata(L, 3);
  lua_rawgeti(L, LUA_REGISTRYINDEX, s->callbacks);
  if (lua_getfield(L, -1, "load") == LUA_TNIL)
    return 0;
  require_function(L, s);
  lua_createtable(L, argc, 0);
  for (int i = 0; i < argc; i++) {
    lua_pushstring(L, argv[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_call(L, 1, 0);
  return 0;
}

/* Calls load(args). False after an error, which was reported. */
static bool call_load(sp_script *s)
{
  lua_State *L = s->L;
  if (s->options.on_main)
    s->options.on_main(s->options.main_ud);
  sp_watchdog_set_budget(s->context->watchdog, sp_host_start_patience(s));
  lua_pushcfunction(L, run_load);
  lua_pushlightuserdata(L, s);
  lua_pushinteger(L, s->argc);
  lua_pushlightuserdata(L, s->argv);
  const sp_manager *m = sp_script_pools(s);
  s->load_from = m ? sp_serial(m) : 0;
  s->context->callback = "load";
  s->is_loaded = call_game(s, 3, 0) == SP_CALL_DONE;
  s->context->callback = NULL;
  m = sp_script_pools(s);
  s->load_to = m ? sp_serial(m) : 0;
  sp_watchdog_set_budget(s->context->watchdog, sp_host_patience(s));
  return s->is_loaded;
}

/* get(callbacks, name): returns a callback. It runs behind a pcall, because the table may have a metatable. */
static int get_callback(lua_State *L)
{
  lua_getfield(L, 1, lua_touserdata(L, 2));
  return 1;
}

bool sp_script_push_setting(const sp_script *s, const char *name)
{
  lua_State *L = s->L;
  if (s->callbacks == LUA_NOREF) {
    lua_pushnil(L);
    return true;
  }
  lua_pushcfunction(L, get_callback);
  lua_rawgeti(L, LUA_REGISTRYINDEX, s->callbacks);
  lua_pushlightuserdata(L, (void *)name);
  return call_game((sp_script *)s, 2, 1) == SP_CALL_DONE; /* an error may change the script */
}

bool sp_script_has(const sp_script *s, const char *name)
{
  const char *type = sp_script_setting(s, name, NULL, NULL, 0);
  return strcmp(type, "nil") != 0 && strcmp(type, "error") != 0;
}

bool sp_script_setting_is_set(const sp_script *s, const char *name)
{
  if (!sp_script_push_setting(s, name))
    return false;
  bool set = lua_isboolean(s->L, -1) && lua_toboolean(s->L, -1);
  lua_pop(s->L, 1);
  return set;
}

const char *sp_script_setting(const sp_script *s, const char *name, double *number, char *text, size_t size)
{
  lua_State *L = s->L;
  if (!sp_script_push_setting(s, name))
    return "error";
  const char *type = luaL_typename(L, -1);
  if (lua_type(L, -1) == LUA_TNUMBER && number)
    *number = lua_tonumber(L, -1);
  if (lua_type(L, -1) == LUA_TSTRING && text && size > 0)
    snprintf(text, size, "%s", lua_tostring(L, -1));
  lua_pop(L, 1);
  return type;
}

static void push_value(lua_State *L, const sp_call_value *value)
{
  switch (value->kind) {
  case 'n':
    lua_pushnumber(L, value->number);
    break;
  case 'i':
    lua_pushinteger(L, (lua_Integer)value->number);
    break;
  case 'b':
    lua_pushboolean(L, value->number != 0);
    break;
  case 's':
    lua_pushstring(L, value->text);
    break;
  default:
    lua_rawgeti(L, LUA_REGISTRYINDEX, (lua_Integer)value->number);
    break;
  }
}

/* call(callback, script, values, count): values are pushed here, where running out of memory is caught. */
static int call_with_values(lua_State *L)
{
  const sp_script *s = lua_touserdata(L, 2);
  const sp_call_value *values = lua_touserdata(L, 3);
  const int count = (int)lua_tointeger(L, 4);
  lua_settop(L, 1);
  require_function(L, s);
  for (int i = 0; i < count; i++)
    push_value(L, &values[i]);
  lua_call(L, count, 1);
  return 1;
}

/* The values of a call from outside. */
typedef struct values {
  sp_call_value list[SP_CALL_VALUES_MOST];
  size_t count;
} values;

/* Reads the arguments of a public call. False when there are too many, which is reported. */
static bool collect(sp_script *s, values *all, const char *format, va_list arguments)
{
  all->count = format ? strlen(format) : 0;
  for (size_t i = 0; i < all->count && i < SP_CALL_VALUES_MOST; i++) {
    sp_call_value *value = &all->list[i];
    *value = (sp_call_value){.kind = format[i]};
    if (format[i] == 'n')
      value->number = va_arg(arguments, double);
    else if (format[i] == 's')
      value->text = va_arg(arguments, const char *);
    else
      value->number = va_arg(arguments, int);
  }
  if (all->count > SP_CALL_VALUES_MOST)
    sp_host_fail(s, "a callback is called with up to 16 arguments", true);
  return all->count <= SP_CALL_VALUES_MOST;
}

/* Returns whether the share of the game leaves it time for a call; else says so. */
static bool has_time(const sp_script *s)
{
  char text[160];
  if (sp_watchdog_has_time(s->context->watchdog))
    return true;
  snprintf(text, sizeof text, "the game has used its share of the thread, %g: calls wait", s->options.share);
  sp_report_text(s->L, s->context, SP_REPORT_WARNING, text);
  return false;
}

/* Remembers that a callback has used all the time of a call, or came back. */
static void note_outcome(sp_script *s, const char *name, sp_call outcome)
{
  if (outcome == SP_CALL_STOPPED ? sp_watchdog_was_short(s->context->watchdog) : outcome != SP_CALL_DONE)
    return;
  if (!sp_script_push_setting(s, name))
    return;
  if (outcome == SP_CALL_DONE)
    sp_note_return(s->L, s->context, "", name);
  else
    sp_note_stop(s->L, s->context, "", name);
}

/* Calls once; the result, if any, is popped into `result`. */
static sp_call try_callback(sp_script *s, const char *name, const sp_call_value *list, size_t count, bool *result)
{
  lua_State *L = s->L;
  if (!lua_checkstack(L, 20))
    return SP_CALL_MEMORY;
  lua_pushcfunction(L, call_with_values);
  bool found = sp_script_push_setting(s, name);
  if (!found || lua_isnil(L, -1)) {
    lua_pop(L, found ? 2 : 1);
    return found ? SP_CALL_ABSENT : SP_CALL_ERROR;
  }
  if (sp_is_switched_off(L, s->context, "", name) || !has_time(s)) {
    lua_pop(L, 2);
    return SP_CALL_STOPPED;
  }
  lua_pushlightuserdata(L, s);
  lua_pushlightuserdata(L, (void *)list);
  lua_pushinteger(L, (lua_Integer)count);
  s->context->callback = name;
  sp_call outcome = call_game(s, 4, 1);
  s->context->callback = NULL;
  if (outcome == SP_CALL_DONE) {
    *result = lua_toboolean(L, -1);
    lua_pop(L, 1);
  }
  if (s->context->strike_count > 0 || outcome == SP_CALL_STOPPED)
    note_outcome(s, name, outcome);
  return outcome;
}

sp_call sp_script_call_values(sp_script *s, const char *name, const sp_call_value *list, size_t count, bool *result)
{
  sp_call outcome;
  *result = false;
  do
    outcome = try_callback(s, name, list, count, result);
  while (outcome == TRY_AGAIN);
  return outcome;
}

/* A call by the host, which one that records its input is told of. */
static sp_call call_from_host(sp_script *s, const char *name, bool *result, const char *format, va_list arguments)
{
  values all;
  *result = false;
  if (!collect(s, &all, format, arguments))
    return SP_CALL_ERROR;
  if (s->on_call)
    s->on_call(s->call_ud, name, all.list, all.count);
  return sp_script_call_values(s, name, all.list, all.count, result);
}

sp_call sp_script_call(sp_script *s, const char *name, const char *format, ...)
{
  bool unused;
  va_list arguments;
  va_start(arguments, format);
  sp_call done = call_from_host(s, name, &unused, format, arguments);
  va_end(arguments);
  return done;
}

sp_call sp_script_ask(sp_script *s, const char *name, bool *answer, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  sp_call done = call_from_host(s, name, answer, format, arguments);
  va_end(arguments);
  return done;
}

void sp_script_on_call(sp_script *s, sp_called_fn fn, void *ud)
{
  s->on_call = fn;
  s->call_ud = ud;
}

/* own_hash(value, number): writes the hash of plain data to the number. Protected by its caller. */
static int hash_value(lua_State *L)
{
  size_t size;
  const sp_codec how = {.rule = SP_CODEC_DATA, .most = OWN_HASH_MOST, .over = "too large: up to 1 MiB are compared"};
  uint64_t *number = lua_touserdata(L, 2);
  lua_settop(L, 1);
  if (!sp_encode(L, 1, &how))
    return luaL_error(L, "hash() must return a number, a string or a plain table: a part of its result is %s",
                      lua_tostring(L, 2));
  const char *bytes = lua_tolstring(L, -1, &size);
  *number = sp_sum(SP_SUM_BEGIN, bytes, size);
  return 0;
}

/* hash(callback, script, number) */
static int call_hash(lua_State *L)
{
  const sp_script *s = lua_touserdata(L, 2);
  uint64_t *number = lua_touserdata(L, 3);
  lua_settop(L, 1);
  require_function(L, s);
  lua_call(L, 0, 1);
  lua_pushcfunction(L, hash_value);
  lua_insert(L, 1);
  lua_pushlightuserdata(L, number);
  sp_call_without_gc(L, 2, 0);
  return 0;
}

bool sp_script_own_hash(sp_script *s, uint64_t *number)
{
  lua_State *L = s->L;
  *number = 0;
  if (!lua_checkstack(L, 20))
    return false;
  lua_pushcfunction(L, call_hash);
  bool found = sp_script_push_setting(s, "hash");
  if (!found || lua_isnil(L, -1)) {
    lua_pop(L, found ? 2 : 1);
    return found;
  }
  lua_pushlightuserdata(L, s);
  lua_pushlightuserdata(L, number);
  s->context->callback = "hash";
  sp_call outcome = call_game(s, 3, 0);
  s->context->callback = NULL;
  return outcome == SP_CALL_DONE;
}

void sp_script_doing(sp_script *s, const char *doing) { sp_watchdog_between(s->context->watchdog, doing); }

bool sp_script_update(sp_script *s, double dt)
{
  s->has_run = true;
  if (!has_time(s))
    return s->pools->core != NULL;
  s->context->turn++;
  if (s->options.repeatable)
    sp_repeatable_advance(s->L, &s->repeatable, dt);
  if (!s->pools->core)
    return false;
  lua_State *outer = sp_watchdog_enter(s->context->watchdog, s->L);
  sp_close_dropped(s->L, s->context);
  if (s->pools->core)
    sp_manager_update(s->pools->core, dt);
  sp_watchdog_leave(s->context->watchdog, outer);
  return s->pools->core != NULL;
}

/* }== */

/* {== Calls of hot reload ================================================ */

/* Calls a function of lua/spawnpool/reloading.lua with the `nargs` values on top. That function protects all calls
   itself: an error here means that memory ran out. */
static bool call_reload(sp_script *s, const char *name, int nargs, int nresults)
{
  lua_State *L = s->L;
  sp_push_reload(L, s->context, name);
  lua_insert(L, -1 - nargs);
  return lua_pcall(L, nargs, nresults, 0) == LUA_OK || fail(s);
}

/* Returns a text of the result on top, valid as long as the result. */
static const char *text_of(lua_State *L, const char *key)
{
  lua_getfield(L, -1, key);
  const char *text = lua_tostring(L, -1);
  lua_pop(L, 1);
  return text;
}

static bool is_set(lua_State *L, const char *key)
{
  lua_getfield(L, -1, key);
  bool set = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return set;
}

/* }== */

/* {== The start ========================================================== */

static int run_main(lua_State *L)
{
  sp_script *s = lua_touserdata(L, 1);
  if (!sp_compile_file(L, s->context->folder, s->main))
    return lua_error(L);
  lua_call(L, 0, 1);
  if (!lua_istable(L, -1))
    return luaL_error(L, "%s must return a table of callbacks (load, update, draw, ...), got %s", s->main,
                      luaL_typename(L, -1));
  s->callbacks = luaL_ref(L, LUA_REGISTRYINDEX);
  return 0;
}

/* Runs main.lua of a game that does not reload. */
static bool run_untracked(sp_script *s)
{
  lua_pushcfunction(s->L, run_main);
  lua_pushlightuserdata(s->L, s);
  return sp_host_door(s, 1, 0) == LUA_OK || fail(s);
}

/* get(script, name) -> the text of an error, or nil: calls this function of lua/spawnpool/reloading.lua, which returns
   the table of main.lua, or nil and the error. */
static int get_callbacks(lua_State *L)
{
  sp_script *s = lua_touserdata(L, 1);
  sp_push_reload(L, s->context, lua_touserdata(L, 2));
  lua_pushstring(L, s->main);
  lua_call(L, 1, 2);
  lua_insert(L, -2);
  if (lua_istable(L, -1))
    s->callbacks = luaL_ref(L, LUA_REGISTRYINDEX);
  else
    lua_pop(L, 1);
  return 1;
}

/* False, without a report, when main.lua has not loaded yet. */
static bool find_callbacks(sp_script *s, const char *function)
{
  lua_State *L = s->L;
  lua_pushcfunction(L, get_callbacks);
  lua_pushlightuserdata(L, s);
  lua_pushlightuserdata(L, (void *)function);
  if (lua_pcall(L, 2, 1, 0) != LUA_OK || !lua_isnil(L, -1))
    return fail(s);
  lua_pop(L, 1);
  return s->callbacks != LUA_NOREF;
}

/* Calls load(args). From then on each accepted save makes a version, which can be taken back. */
static bool load(sp_script *s)
{
  if (!call_load(s))
    return false;
  if (s->options.reload)
    call_reload(s, "prove", 0, 0);
  return true;
}

bool sp_script_start(sp_script *s, int argc, char **argv)
{
  sp_watchdog *w = s->context->watchdog;
  s->argc = argc;
  s->argv = argv;
  sp_watchdog_set_budget(w, sp_host_start_patience(s));
  bool started = (s->options.reload ? find_callbacks(s, "start") : run_untracked(s)) && load(s);
  sp_host_end_start(s);
  sp_watchdog_set_budget(w, sp_host_patience(s));
  sp_watchdog_set_share(w, s->options.share);
  return started;
}

static void recycle_loaded(const sp_script *s, sp_manager *m, sp_pool *p)
{
  sp_walk walk = sp_pool_walk(p);
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NULL_REF;) {
    const uint64_t serial = sp_serial_of(m, object);
    if (serial > s->load_from && serial <= s->load_to)
      sp_object_recycle(m, object);
  }
}

/* Its text has not failed, so no other edit runs it: it had no memory, for example. */
static void tell_of_main(sp_script *s)
{
  char text[300];
  const char *name = strrchr(s->main, '/');
  snprintf(text, sizeof text, "%.200s is not loaded yet: save it, and it is tried again", name ? name + 1 : s->main);
  sp_host_keep_error(s, text);
  sp_host_report(s, SP_REPORT_ERROR, text);
}

/* Runs load(args) again after a failure. Its effects remain, except for its objects: the next load starts with those
   of the files. */
static bool start_late(sp_script *s)
{
  if (s->callbacks == LUA_NOREF && !find_callbacks(s, "main")) {
    if (!sp_script_error(s))
      tell_of_main(s);
    return false;
  }
  sp_manager *m = sp_script_pools(s);
  for (sp_pool *p = NULL; m && (p = sp_manager_next_pool(m, p)) != NULL;)
    recycle_loaded(s, m, p);
  return load(s);
}

/* }== */

/* {== Between frames ===================================================== */

/* Replaces a kept text; NULL: there is none. It stays if memory is refused. */
static void keep_text(char **kept, const char *text)
{
  char *copy = text ? sp_host_copy(text, strlen(text)) : NULL;
  if (text && !copy)
    return;
  free(*kept);
  *kept = copy;
}

/* Reports the result on top, and pops it. */
static sp_poll_result report_result(sp_script *s)
{
  lua_State *L = s->L;
  const char *line = text_of(L, "line"), *error = text_of(L, "error");
  bool done = is_set(L, "ok"), reverted = is_set(L, "reverted"), noted = is_set(L, "note");
  keep_text(&s->line, line);
  keep_text(&s->rejected, text_of(L, "rejected"));
  if (noted) { /* nothing has run: this fixes no error */
    sp_host_report(s, is_set(L, "doubt") ? SP_REPORT_WARNING : SP_REPORT_RELOAD, line);
    lua_pop(L, 1);
    return SP_POLL_NOTHING;
  }
  if (done) {
    sp_script_clear_error(s);
    sp_host_report(s, SP_REPORT_RELOAD, line);
  } else if (reverted) { /* the error itself was reported when it happened */
    sp_host_report(s, SP_REPORT_WARNING, line);
  } else {
    sp_host_keep_error(s, error);
    sp_host_report(s, SP_REPORT_ERROR, error);
    sp_host_report(s, SP_REPORT_WARNING, line);
  }
  lua_pop(L, 1);
  if (done && !s->is_loaded && !start_late(s))
    return SP_POLL_REFUSED;
  return done ? SP_POLL_RELOADED : reverted ? SP_POLL_REVERTED : SP_POLL_REFUSED;
}

static bool can_reload(const sp_script *s) { return s->options.reload && lua_checkstack(s->L, 20); }

static sp_poll_result poll(sp_script *s, sp_poll how, bool is_repeated)
{
  if (!can_reload(s))
    return SP_POLL_NOTHING;
  lua_pushinteger(s->L, how);
  lua_pushboolean(s->L, s->has_run);
  lua_pushboolean(s->L, is_repeated);
  s->has_run = false;
  if (!call_reload(s, "poll", 3, 1))
    return SP_POLL_REFUSED;
  if (!lua_isnil(s->L, -1))
    return report_result(s);
  lua_pop(s->L, 1);
  return SP_POLL_NOTHING;
}

/* An edit may be what a game needs that uses all its time. */
static sp_poll_result poll_freely(sp_script *s, sp_poll how, bool is_repeated)
{
  sp_watchdog_set_share(s->context->watchdog, 0);
  const sp_poll_result result = poll(s, how, is_repeated);
  sp_watchdog_set_share(s->context->watchdog, s->options.share);
  return result;
}

sp_poll_result sp_script_poll(sp_script *s, sp_poll how) { return poll_freely(s, how, false); }
sp_poll_result sp_script_repeat(sp_script *s, sp_poll how) { return poll_freely(s, how, true); }

static int push_edit(lua_State *L)
{
  const sp_script *s = lua_touserdata(L, 1);
  const sp_script_file *file = lua_touserdata(L, 2);
  sp_push_reload(L, s->context, "give");
  lua_pushfstring(L, "%s/%s", s->folder, file->name);
  if (file->source)
    lua_pushlstring(L, file->source, file->size);
  lua_call(L, file->source ? 2 : 1, 0);
  return 0;
}

void sp_script_change(sp_script *s, const sp_script_file *file)
{
  if (!can_reload(s))
    return;
  lua_pushcfunction(s->L, push_edit);
  lua_pushlightuserdata(s->L, s);
  lua_pushlightuserdata(s->L, (void *)file);
  if (lua_pcall(s->L, 2, 0, 0) != LUA_OK)
    fail(s);
}

void sp_script_compare(sp_script *s)
{
  if (can_reload(s))
    call_reload(s, "compare", 0, 0);
}

void sp_script_on_edit(sp_script *s, sp_edit_fn fn, void *ud)
{
  s->context->on_edit = fn;
  s->context->edit_ud = ud;
}

void sp_script_on_read(sp_script *s, sp_edit_fn fn, void *ud)
{
  s->context->on_read = fn;
  s->context->read_ud = ud;
}

void sp_script_use_texts(sp_script *s, const sp_script_file *texts) { s->context->texts = texts; }
void sp_script_use_only_texts(sp_script *s, bool only) { s->context->only_texts = only; }

const char *sp_script_reload_line(const sp_script *s) { return s->line; }
const char *sp_script_rejected(const sp_script *s) { return s->rejected; }

/* }== */
