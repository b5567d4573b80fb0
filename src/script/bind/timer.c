/*
** Timers of objects in Lua: after, every and run. The core keeps when they are due and ends them with the life; here is
** what to call: a function, or a coroutine that sleeps between two yields.
*/
#include "script/bind/timer.h"

#include <math.h>
#include <stdio.h>

#include "script/bind/hook_clock.h"
#include "script/guard/door.h"
#include "script/guard/watchdog.h"
#include "script/state/border.h"
#include "script/state/report.h"

#define STACK_NEEDED 12

/* {== What a timer calls ================================================= */

/* Pushes the manager's table of timers, or nil while the manager is finalised. The entry of a handle is its own key. */
static void push_timers(lua_State *L, const sp_lua_manager *m)
{
  sp_push_anchor(L, m->context, m);
  if (!lua_isnil(L, -1)) {
    lua_getiuservalue(L, -1, SP_MANAGER_TIMERS);
    lua_replace(L, -2);
  }
}

typedef struct start {
  const sp_context *c;
  sp_ref object;
  double seconds, period;
  sp_timer timer; /* 0 when it was not started: `why` says why */
  sp_result why;
} start;

/* start(request, callback): starts the timer and files the callback. Protected: filing may run out of memory. */
static int start_timer(lua_State *L)
{
  start *s = lua_touserdata(L, 1);
  const sp_lua_manager *m = sp_manager_of(s->c, s->object);
  push_timers(L, m);
  s->timer = sp_timer_start(m->core, s->object, s->seconds, s->period, &s->why);
  if (s->timer && !lua_isnil(L, -1)) {
    lua_pushvalue(L, 2);
    lua_rawseti(L, -2, (lua_Integer)s->timer);
  }
  return 0;
}

/* Starts a timer of a live object that calls the value on top, and pops it. False: that was refused, `why` says why. */
static bool start_protected(lua_State *L, start *s)
{
  lua_pushcfunction(L, start_timer);
  lua_insert(L, -2);
  lua_pushlightuserdata(L, s);
  lua_insert(L, -2);
  if (sp_raw_pcall(L, 2, 0) != LUA_OK) {
    lua_pop(L, 1);
    sp_timer_stop(sp_manager_of(s->c, s->object)->core, s->timer); /* its end finds no callback */
    s->timer = 0;
    s->why = SP_MEMORY;
  }
  return s->timer != 0;
}

/* Pushes the callback of a timer, or nil: a function, a coroutine, or the name of a method. Out of the table, unless it
   is to stay there. */
static void take_callback(lua_State *L, const sp_lua_manager *m, uint64_t timer, bool keep)
{
  push_timers(L, m);
  if (lua_isnil(L, -1))
    return;
  if (lua_rawgeti(L, -1, (lua_Integer)timer) != LUA_TNIL && !keep) {
    lua_pushnil(L);
    lua_rawseti(L, -3, (lua_Integer)timer);
  }
  lua_replace(L, -2);
}

/* }== */

/* {== Coroutines ========================================================= */

/* The doors of a coroutine: to run it, and to close its to-be-closed variables. */
static int resume_watched(lua_State *L, const sp_context *c, lua_State *co, int nargs, int *results)
{
  lua_State *outer = sp_watchdog_enter(c->watchdog, co);
  int status = lua_resume(co, L, nargs, results);
  sp_watchdog_leave(c->watchdog, outer);
  return status;
}

static int reset_watched(const sp_context *c, lua_State *co)
{
  lua_State *outer = sp_watchdog_enter(c->watchdog, co);
  int status = lua_resetthread(co);
  sp_watchdog_leave(c->watchdog, outer);
  return status;
}

/* Ends a coroutine that will never be resumed. */
static void close_coroutine(lua_State *L, sp_context *c, lua_State *co)
{
  if (lua_status(co) == LUA_YIELD && reset_watched(c, co) != LUA_OK && lua_checkstack(co, 1)) {
    lua_xmove(co, L, 1);
    sp_report_error(L, c, "closing a coroutine");
  }
}

/* traceback(thread) -> the text of the error on top of its stack, and where it happened; or the error itself. */
static int trace_back(lua_State *L)
{
  lua_State *co = lua_tothread(L, 1);
  if (lua_type(co, -1) == LUA_TSTRING)
    luaL_traceback(L, co, lua_tostring(co, -1), 0);
  else
    lua_xmove(co, L, 1);
  return 1;
}

/* The coroutine on top has failed. Protected: the core waits for an answer. */
static void report_coroutine(lua_State *L, sp_context *c)
{
  lua_State *co = lua_tothread(L, -1);
  lua_pushcfunction(L, trace_back);
  lua_pushvalue(L, -2);
  sp_quiet_pcall(L, 1, 1);
  reset_watched(c, co);
  sp_report_error(L, c, "run");
}

/* The coroutine on top has yielded `results` values: the first says how long it sleeps. */
static void sleep_coroutine(lua_State *L, sp_context *c, sp_ref object, lua_State *co, int results)
{
  double seconds = results > 0 ? lua_tonumber(co, -results) : 0;
  bool number = results == 0 || lua_isnil(co, -results) || lua_type(co, -results) == LUA_TNUMBER;
  const sp_lua_manager *m = sp_manager_of(c, object);
  lua_pop(co, results);
  if (!number || !(seconds >= 0 && seconds <= SP_MAX_LIFETIME)) {
    sp_report_text(L, c, SP_REPORT_ERROR, "run: coroutine.yield takes the seconds to sleep, from 0 up");
    close_coroutine(L, c, co);
  } else if (m && sp_is_live(m->core, object)) {
    start s = {.c = c, .object = object, .seconds = seconds};
    lua_pushvalue(L, -1);
    if (!start_protected(L, &s)) {
      sp_report_text(L, c, SP_REPORT_ERROR, "run: not enough memory to sleep");
      close_coroutine(L, c, co);
    }
  } else {
    close_coroutine(L, c, co); /* it has ended its own life */
  }
}

/* Resumes the coroutine on top of L with `nargs` values that lie on its own stack; pops it. */
static void resume(lua_State *L, sp_context *c, sp_ref object, int nargs)
{
  lua_State *co = lua_tothread(L, -1);
  int results = 0, status = resume_watched(L, c, co, nargs, &results);
  if (status == LUA_YIELD)
    sleep_coroutine(L, c, object, co, results);
  else if (status != LUA_OK)
    report_coroutine(L, c);
  lua_pop(L, 1);
}

/* }== */

/* {== Dropped managers =================================================== */

/* A list node {timers, next node} that waits in the manager until it is needed. */
void sp_prepare_closing(lua_State *L, int manager)
{
  lua_createtable(L, 2, 0);
  lua_getiuservalue(L, manager, SP_MANAGER_TIMERS);
  lua_rawseti(L, -2, 1);
  lua_pushboolean(L, 0);
  lua_rawseti(L, -2, 2);
  lua_setiuservalue(L, manager, SP_MANAGER_CLOSING);
}

/* Whether one of the timers in the table on top is a coroutine that sleeps. */
static bool has_sleepers(lua_State *L)
{
  bool has = false;
  for (lua_pushnil(L); !has && lua_next(L, -2);) {
    has = lua_isthread(L, -1) && lua_status(lua_tothread(L, -1)) == LUA_YIELD;
    lua_pop(L, has ? 2 : 1);
  }
  return has;
}

void sp_put_off_closing(lua_State *L, sp_context *c, int manager)
{
  int top = lua_gettop(L);
  lua_getiuservalue(L, manager, SP_MANAGER_CLOSING);
  lua_getiuservalue(L, manager, SP_MANAGER_TIMERS);
  if (has_sleepers(L)) {
    sp_push_kept(L, c, SP_KEPT_DROPPED);
    lua_rawgeti(L, -1, 1);
    lua_rawseti(L, top + 1, 2);
    lua_pushvalue(L, top + 1);
    lua_rawseti(L, -2, 1);
    c->has_dropped = true;
  }
  lua_settop(L, top);
}

/* Closes the coroutines in the table of timers on top. */
static void close_sleepers(lua_State *L, sp_context *c)
{
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
    if (lua_isthread(L, -1))
      close_coroutine(L, c, lua_tothread(L, -1));
}

void sp_close_sleepers(lua_State *L, sp_context *c)
{
  if (lua_checkstack(L, STACK_NEEDED))
    close_sleepers(L, c);
}

void sp_close_dropped(lua_State *L, sp_context *c)
{
  int top = lua_gettop(L);
  if (!c->has_dropped || !lua_checkstack(L, STACK_NEEDED))
    return;
  c->has_dropped = false;
  sp_push_kept(L, c, SP_KEPT_DROPPED);
  lua_rawgeti(L, -1, 1);
  lua_pushboolean(L, 0);
  lua_rawseti(L, top + 1, 1);
  while (lua_istable(L, top + 2)) {
    lua_rawgeti(L, top + 2, 1);
    close_sleepers(L, c);
    lua_settop(L, top + 2);
    lua_rawgeti(L, top + 2, 2);
    lua_replace(L, top + 2);
  }
  lua_settop(L, top);
}

/* }== */

/* {== What the core calls ================================================ */

/* Replaces the name of a method on top by the method, as the object's class has it now; false, and nothing is left on
   the stack, when there is none such. */
static bool find_method(lua_State *L, const sp_context *c, sp_ref object)
{
  const sp_lua_manager *m = sp_manager_of(c, object);
  const sp_pool *core = m ? sp_owner(m->core, object) : NULL;
  const sp_lua_pool *p = core ? sp_lua_pool_of(core) : NULL;
  uint32_t name = p ? sp_keymap_find(L, p->names, -1) : SP_NO_KEY;
  int top = lua_gettop(L);
  if (name != SP_NO_KEY && SP_NAME_KIND(name) == SP_NAME_METHOD) {
    sp_push_kept(L, c, SP_KEPT_METHODS);
    lua_rawgeti(L, -1, SP_NAME_WHAT(name));
  } else if (name != SP_NO_KEY && SP_NAME_KIND(name) == SP_NAME_OWN_METHOD) {
    sp_push_anchor(L, c, p);
    lua_getiuservalue(L, -1, SP_POOL_METHODS);
    lua_rawgeti(L, -1, SP_NAME_WHAT(name));
  }
  bool found = lua_isfunction(L, -1);
  if (found)
    lua_replace(L, top);
  lua_settop(L, found ? top : top - 1);
  return found;
}

/* The method that a timer was to call is gone from the class: the timer ends. Its name is on top. */
static void report_missing(lua_State *L, sp_context *c, sp_ref object, uint64_t timer)
{
  char text[2 * SP_SHOWN_MOST + 64];
  sp_shown label, name;
  snprintf(text, sizeof text, "%s has no method '%s' any more, which its timer was to call: the timer ends",
           sp_label(c, object, &label), sp_show_name(L, -1, &name));
  const sp_lua_manager *m = sp_manager_of(c, object);
  if (m)
    sp_timer_stop(m->core, timer);
  sp_report_text(L, c, SP_REPORT_ERROR, text);
}

/* Pushes the function that a timer calls; false, and nothing pushed, when there is none. */
static bool push_function(lua_State *L, const sp_lua_manager *m, sp_ref object, uint64_t timer)
{
  sp_context *c = m->context;
  take_callback(L, m, timer, true);
  if (lua_type(L, -1) == LUA_TSTRING) {
    lua_pushvalue(L, -1);
    bool found = find_method(L, c, object);
    if (!found)
      report_missing(L, c, object, timer);
    lua_remove(L, found ? -2 : -1);
    return found;
  }
  bool is_function = lua_isfunction(L, -1);
  if (!is_function)
    lua_pop(L, 1);
  return is_function;
}

/* The function is on top. */
static void call_function(lua_State *L, sp_context *c, sp_ref object, uint64_t timer)
{
  const sp_lua_manager *m;
  sp_push_object(L, object);
  while (sp_door(L, c, 1, 1, true) != LUA_OK) {
    if (!sp_heal(L, c)) {
      sp_report_error(L, c, "a timer");
      return;
    }
    lua_pop(L, 1);
    m = sp_manager_of(c, object);
    if (!m)
      return;
    if (!push_function(L, m, object, timer)) /* the last good version of it */
      return;
    sp_push_object(L, object);
  }
  /* A repeating function that returns false has had enough. */
  m = sp_manager_of(c, object);
  if (lua_isboolean(L, -1) && !lua_toboolean(L, -1) && m)
    sp_timer_stop(m->core, timer);
  lua_pop(L, 1);
}

static void run_timer(lua_State *L, const sp_lua_manager *m, sp_ref object, uint64_t timer)
{
  sp_context *c = m->context;
  take_callback(L, m, timer, true);
  if (lua_isthread(L, -1)) {
    /* Out of the table first: it may end this very life while it runs. */
    lua_pop(L, 1);
    take_callback(L, m, timer, false);
    lua_State *outer = sp_begin(c, L);
    resume(L, c, object, 0);
    sp_finish(c, outer);
    return;
  }
  lua_pop(L, 1);
  if (push_function(L, m, object, timer))
    call_function(L, c, object, timer);
}

void sp_on_timer(void *manager, sp_ref object, uint64_t timer)
{
  const sp_lua_manager *m = manager;
  sp_context *c = m->context;
  c->crossings++;
  if (!lua_checkstack(c->L, STACK_NEEDED))
    return;
  uint64_t outer = sp_hook_clock_begin(c, sp_lua_pool_of(sp_owner(m->core, object)));
  run_timer(c->L, m, object, timer);
  sp_hook_clock_end(c, outer);
}

void sp_on_timer_end(void *manager, sp_ref object, uint64_t timer)
{
  (void)object;
  const sp_lua_manager *m = manager;
  sp_context *c = m->context;
  lua_State *L = c->L;
  c->crossings++;
  if (!lua_checkstack(L, STACK_NEEDED))
    return;
  take_callback(L, m, timer, false);
  if (lua_isthread(L, -1))
    close_coroutine(L, c, lua_tothread(L, -1));
  lua_pop(L, 1);
}

/* }== */

/* {== Methods of objects ================================================= */

/* The manager of the object at 1, which is live. */
static const sp_lua_manager *check_live(lua_State *L)
{
  sp_ref object = sp_check_object(L, 1);
  const sp_lua_manager *m = sp_manager_of(sp_context_here(L), object);
  sp_shown shown;
  if (!m || !sp_is_live(m->core, object))
    sp_raise(L, "%s is not live: timers belong to a life", sp_show(L, 1, &shown));
  return m;
}

static double check_seconds(lua_State *L, const char *what, bool zero)
{
  double seconds = sp_check_finite(L, 2, what);
  if (!(seconds >= 0 && seconds <= SP_MAX_LIFETIME && (zero || seconds > 0)))
    sp_raise_arg(L, 2, zero ? "must be seconds from 0 up" : "must be seconds above 0");
  return seconds;
}

/* What is called is a function, or a method by its name. */
static void check_callback(lua_State *L, const start *s)
{
  sp_shown label, name;
  if (lua_type(L, 3) != LUA_TSTRING) {
    if (!lua_isfunction(L, 3))
      luaL_typeerror(L, 3, "method name or function");
    return;
  }
  lua_settop(L, 3);
  lua_pushvalue(L, 3);
  if (!find_method(L, s->c, s->object))
    sp_raise_arg(L, 3, "%s has no method '%s'", sp_label(s->c, s->object, &label), sp_show_name(L, 3, &name));
}

static int begin_timer(lua_State *L, double seconds, double period)
{
  start s = {.c = check_live(L)->context, .object = sp_to_object(L, 1), .seconds = seconds, .period = period};
  check_callback(L, &s);
  lua_settop(L, 3);
  if (!start_protected(L, &s))
    sp_raise(L, "cannot start a timer: %s", sp_result_text(s.why));
  lua_pushboolean(L, 1);
  return 1;
}

int sp_object_after(lua_State *L)
{
  sp_check_object(L, 1);
  return begin_timer(L, check_seconds(L, "after", true), 0);
}

int sp_object_every(lua_State *L)
{
  sp_check_object(L, 1);
  double period = check_seconds(L, "every", false);
  return begin_timer(L, period, period);
}

/* Runs at once up to the first yield. */
int sp_object_run(lua_State *L)
{
  sp_context *c = sp_context_here(L);
  const sp_lua_manager *m = check_live(L);
  sp_ref object = sp_to_object(L, 1);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  luaL_checkstack(L, STACK_NEEDED, NULL);
  sp_push_anchor(L, c, m); /* it may be garbage, but not while the function runs */
  lua_State *co = lua_newthread(L);
  lua_pushvalue(L, 2);
  lua_xmove(L, co, 1);
  sp_push_object(co, object);
  lua_State *outer = sp_begin(c, L);
  resume(L, c, object, 1);
  sp_finish(c, outer);
  lua_pushboolean(L, 1);
  return 1;
}

/* }== */
