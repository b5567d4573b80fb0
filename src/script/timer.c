/*
** Timers of objects in Lua: after, every and run. The core keeps when they are due and ends them with the life; here is
** what to call: a function, or a coroutine that sleeps between two yields.
*/
#include <math.h>

#include "script/handles.h"
#include "script/hook_clock.h"
#include "script/reload.h"
#include "script/watchdog.h"

#define STACK_NEEDED 12

/* {== What a timer calls ================================================= */

/* Pushes the manager's table of timers; the entry of a handle is its own key. */
static void push_timers(lua_State *L, const sp_lua_manager *m)
{
  sp_push_anchor(L, m->context, m);
  if (!lua_isnil(L, -1)) {
    lua_getiuservalue(L, -1, SP_MANAGER_TIMERS);
    lua_replace(L, -2);
  }
}

typedef struct start {
  sp_lua_manager *m;
  sp_ref object;
  double seconds, period;
} start;

/* start(request, callback): files the callback and starts the timer; raises when memory runs out, with nothing begun. */
static int start_timer(lua_State *L)
{
  const start *s = lua_touserdata(L, 1);
  sp_result why = SP_OK;
  push_timers(L, s->m);
  sp_timer timer = sp_timer_start(s->m->core, s->object, s->seconds, s->period, &why);
  if (!timer)
    return luaL_error(L, "cannot start a timer: %s", sp_result_text(why));
  lua_pushinteger(L, (lua_Integer)timer);
  lua_pushvalue(L, 2);
  lua_rawset(L, -3);
  return 0;
}

/* Starts a timer that calls the value on top, and pops it. False, with a report, when memory is refused. */
static bool start_protected(lua_State *L, const start *s)
{
  lua_pushcfunction(L, start_timer);
  lua_insert(L, -2);
  lua_pushlightuserdata(L, (void *)s);
  lua_insert(L, -2);
  if (lua_pcall(L, 2, 0, 0) == LUA_OK)
    return true;
  sp_report_error(L, s->m->context, "a timer");
  return false;
}

/* Takes the callback of a timer out of the table and pushes it, or nil. */
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
static int resume_watched(lua_State *L, const sp_lua_manager *m, lua_State *co, int nargs, int *results)
{
  lua_State *outer = sp_watchdog_enter(m->context->watchdog, co);
  int status = lua_resume(co, L, nargs, results);
  sp_watchdog_leave(m->context->watchdog, outer);
  return status;
}

static int reset_watched(const sp_lua_manager *m, lua_State *co)
{
  lua_State *outer = sp_watchdog_enter(m->context->watchdog, co);
  int status = lua_resetthread(co);
  sp_watchdog_leave(m->context->watchdog, outer);
  return status;
}

/* Ends a coroutine that will never be resumed. */
static void close_coroutine(lua_State *L, sp_lua_manager *m, lua_State *co)
{
  if (lua_status(co) == LUA_YIELD && reset_watched(m, co) != LUA_OK && lua_checkstack(co, 1)) {
    lua_xmove(co, L, 1);
    sp_report_error(L, m->context, "closing a coroutine");
  }
}

static void report_coroutine(lua_State *L, sp_lua_manager *m, lua_State *co)
{
  const char *text = lua_tostring(co, -1);
  if (text && lua_checkstack(L, 4))
    luaL_traceback(L, co, text, 0);
  else
    lua_xmove(co, L, 1);
  reset_watched(m, co);
  sp_report_error(L, m->context, "run");
}

/* The coroutine on top has yielded `results` values: what it wants is how long it sleeps. */
static void sleep_coroutine(lua_State *L, sp_lua_manager *m, sp_ref object, lua_State *co, int results)
{
  double seconds = results > 0 ? lua_tonumber(co, -results) : 0;
  bool number = results == 0 || lua_isnil(co, -results) || lua_type(co, -results) == LUA_TNUMBER;
  lua_pop(co, results);
  if (!number || !(seconds >= 0 && seconds <= SP_MAX_LIFETIME)) {
    sp_report_text(L, m->context, SP_REPORT_ERROR, "run: coroutine.yield takes the seconds to sleep, from 0 up");
    close_coroutine(L, m, co);
  } else if (m->core && sp_is_live(m->core, object)) {
    start s = {m, object, seconds, 0};
    lua_pushvalue(L, -1);
    start_protected(L, &s);
  } else {
    close_coroutine(L, m, co); /* it has ended its own life */
  }
}

/* Resumes the coroutine on top of L with `nargs` values that lie on its own stack; pops it. */
static void resume(lua_State *L, sp_lua_manager *m, sp_ref object, int nargs)
{
  lua_State *co = lua_tothread(L, -1);
  int results = 0, status = resume_watched(L, m, co, nargs, &results);
  if (status == LUA_YIELD)
    sleep_coroutine(L, m, object, co, results);
  else if (status != LUA_OK)
    report_coroutine(L, m, co);
  lua_pop(L, 1);
}

/* }== */

/* {== What the core calls ================================================ */

/* The function is on top. */
static void call_function(lua_State *L, sp_lua_manager *m, sp_ref object, uint64_t timer)
{
  sp_push_object(L, object);
  while (sp_door(L, m->context, 1, 1, true) != LUA_OK) {
    if (!sp_reload_heal(L, m->context)) {
      sp_report_error(L, m->context, "a timer");
      return;
    }
    lua_pop(L, 1);
    take_callback(L, m, timer, true); /* the last good version of it */
    if (!lua_isfunction(L, -1)) {
      lua_pop(L, 1);
      return;
    }
    sp_push_object(L, object);
  }
  /* A repeating function that returns false has had enough. */
  if (lua_isboolean(L, -1) && !lua_toboolean(L, -1) && m->core)
    sp_timer_stop(m->core, timer);
  lua_pop(L, 1);
}

static void run_timer(lua_State *L, sp_lua_manager *m, sp_ref object, uint64_t timer)
{
  take_callback(L, m, timer, true);
  if (lua_isthread(L, -1)) {
    /* Out of the table first: it may end this very life while it runs. */
    lua_pop(L, 1);
    take_callback(L, m, timer, false);
    lua_State *outer = sp_begin(m->context, L);
    resume(L, m, object, 0);
    sp_finish(m->context, outer);
  } else if (lua_isfunction(L, -1)) {
    call_function(L, m, object, timer);
  } else {
    lua_pop(L, 1);
  }
}

void sp_on_timer(void *manager, sp_ref object, uint64_t timer)
{
  sp_lua_manager *m = manager;
  sp_context *c = m->context;
  if (!lua_checkstack(c->L, STACK_NEEDED))
    return;
  sp_lua_pool *outer = sp_hook_clock_begin(c, sp_lua_pool_of(sp_pool_of(m->core, object)));
  run_timer(c->L, m, object, timer);
  sp_hook_clock_end(c, outer);
}

void sp_on_timer_end(void *manager, sp_ref object, uint64_t timer)
{
  (void)object;
  sp_lua_manager *m = manager;
  lua_State *L = m->context->L;
  if (!lua_checkstack(L, STACK_NEEDED))
    return;
  take_callback(L, m, timer, false);
  if (lua_isthread(L, -1))
    close_coroutine(L, m, lua_tothread(L, -1));
  lua_pop(L, 1);
}

/* }== */

/* {== Methods of objects ================================================= */

static sp_lua_manager *check_live(lua_State *L)
{
  sp_ref object = sp_check_object(L, 1);
  sp_lua_manager *m = sp_manager_of(sp_context_here(L), object);
  if (!m || !sp_is_live(m->core, object))
    luaL_error(L, "%s is not live: timers belong to a life", luaL_tolstring(L, 1, NULL));
  return m;
}

static double check_seconds(lua_State *L, const char *what, bool zero)
{
  double seconds = sp_check_finite(L, 2, what);
  luaL_argcheck(L, seconds >= 0 && seconds <= SP_MAX_LIFETIME && (zero || seconds > 0), 2,
                zero ? "must be seconds from 0 up" : "must be seconds above 0");
  return seconds;
}

static int begin_timer(lua_State *L, start *s)
{
  s->m = check_live(L);
  s->object = sp_to_object(L, 1);
  luaL_checktype(L, 3, LUA_TFUNCTION);
  lua_settop(L, 3);
  lua_pushcfunction(L, start_timer);
  lua_pushlightuserdata(L, s);
  lua_pushvalue(L, 3);
  lua_call(L, 2, 0);
  lua_pushboolean(L, 1);
  return 1;
}

int sp_object_after(lua_State *L)
{
  start s = {.seconds = check_seconds(L, "after", true)};
  return begin_timer(L, &s);
}

int sp_object_every(lua_State *L)
{
  double period = check_seconds(L, "every", false);
  start s = {.seconds = period, .period = period};
  return begin_timer(L, &s);
}

/* Runs at once up to the first yield. */
int sp_object_run(lua_State *L)
{
  sp_lua_manager *m = check_live(L);
  sp_ref object = sp_to_object(L, 1);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  luaL_checkstack(L, STACK_NEEDED, NULL);
  sp_push_anchor(L, m->context, m); /* it may be garbage, but not while the function runs */
  lua_State *co = lua_newthread(L);
  lua_pushvalue(L, 2);
  lua_xmove(L, co, 1);
  sp_push_object(co, object);
  lua_State *outer = sp_begin(m->context, L);
  resume(L, m, object, 1);
  sp_finish(m->context, outer);
  lua_pushboolean(L, 1);
  return 1;
}

/* }== */
