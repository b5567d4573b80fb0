/*
** A sleeping coroutine is the callback of the timer that resumes it. It is closed when that timer ends without firing:
** with its object or manager.
*/
#include "script/bind/run.h"

#include "script/bind/reachable.h"
#include "script/bind/timer.h"
#include "script/guard/door.h"
#include "script/guard/traceback.h"
#include "script/guard/watchdog.h"
#include "script/state/arguments.h"
#include "script/state/report.h"

#include "script/state/careful.h"

#define STACK_NEEDED 16

/* {== Coroutines ========================================================= */

/* The doors of a coroutine: to run it, and to close its to-be-closed variables. */
static int resume_watched(lua_State *L, const sp_context *c, lua_State *co, int nargs, int *results)
{
  lua_State *outer = sp_watchdog_enter(c->watchdog, co);
  int status = lua_resume(co, L, nargs, results);
  sp_crossed(sp_context_of(L));
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

/* The timer that `run` of a manager returned for the coroutine at `index`, or NULL: it is filed beside the
   callbacks. */
static sp_run_timer *timer_of_run(lua_State *L, const sp_lua_manager *m, int index)
{
  index = lua_absindex(L, index);
  sp_push_timers(L, m);
  if (!lua_isnil(L, -1)) {
    lua_pushvalue(L, index);
    sp_raw_get(L, -2);
    lua_replace(L, -2);
  }
  sp_run_timer *timer = sp_raw_block(L, -1);
  lua_pop(L, 1); /* the table holds it */
  return timer;
}

void sp_forget_run(lua_State *L, const sp_lua_manager *m, int index)
{
  index = lua_absindex(L, index);
  sp_run_timer *timer = m ? timer_of_run(L, m, index) : NULL;
  if (!timer)
    return;
  timer->over = true;
  sp_push_timers(L, m);
  lua_pushvalue(L, index);
  lua_pushnil(L);
  sp_raw_set(L, -3);
  lua_pop(L, 1);
}

void sp_close_run(lua_State *L, sp_context *c, lua_State *co)
{
  if (lua_status(co) == LUA_YIELD && reset_watched(c, co) != LUA_OK && lua_checkstack(co, 1)) {
    lua_xmove(co, L, 1);
    sp_report_error(L, c, "closing a coroutine");
  }
}

/* traceback(thread) -> the text of the error on top of its stack, and where it happened. */
static int trace_back(lua_State *L)
{
  lua_State *co = lua_tothread(L, 1);
  lua_xmove(co, L, 1);
  sp_push_traceback(L, co, -1);
  return 1;
}

/* The coroutine on top has failed. Protected and watched: the core waits for an answer, and an error may be a table
   with a __tostring. */
static void report_coroutine(lua_State *L, sp_context *c)
{
  lua_State *co = lua_tothread(L, -1);
  lua_pushcfunction(L, trace_back);
  lua_pushvalue(L, -2);
  sp_door(L, c, 1, 1, 0);
  reset_watched(c, co);
  sp_report_error(L, c, "run");
}

/* Returns whether the coroutine on top may go on: its object is live, or its timer was not stopped. */
static bool goes_on(lua_State *L, const sp_lua_manager *m, sp_timed o)
{
  if (!m)
    return false;
  if (o.object)
    return sp_is_live(m->core, o.object);
  const sp_run_timer *timer = timer_of_run(L, m, -1);
  return timer && !timer->over;
}

/* Starts the timer that resumes the coroutine on top after `seconds`. Returns false when memory is refused. */
static bool start_sleep(lua_State *L, const sp_context *c, sp_timed o, double seconds)
{
  sp_filing s = {.c = c, .owner = o, .seconds = seconds};
  lua_pushvalue(L, -1);
  if (!sp_timer_file(L, &s))
    return false;
  const sp_lua_manager *m = sp_manager_again(c, o.manager);
  sp_run_timer *timer = o.object || !m ? NULL : timer_of_run(L, m, -1);
  if (timer)
    timer->timer = s.timer;
  return true;
}

/* The coroutine on top has yielded `results` values: the first says how long it sleeps. Returns whether it does. */
static bool sleep_coroutine(lua_State *L, sp_context *c, sp_timed o, lua_State *co, int results)
{
  double seconds = results > 0 ? lua_tonumber(co, -results) : 0;
  bool number = results == 0 || lua_isnil(co, -results) || lua_type(co, -results) == LUA_TNUMBER;
  lua_pop(co, results);
  if (!number || !(seconds >= 0 && seconds <= SP_MAX_LIFETIME)) {
    sp_report_text(L, c, SP_REPORT_ERROR, "run: coroutine.yield takes the seconds to sleep, from 0 up");
  } else if (goes_on(L, sp_manager_again(c, o.manager), o)) { /* else the coroutine has ended its own life */
    if (start_sleep(L, c, o, seconds))
      return true;
    sp_report_text(L, c, SP_REPORT_ERROR, "run: not enough memory to sleep");
  }
  sp_close_run(L, c, co);
  return false;
}

void sp_resume_run(lua_State *L, sp_context *c, sp_timed o, int nargs)
{
  lua_State *co = lua_tothread(L, -1);
  int results = 0, status = resume_watched(L, c, co, nargs, &results);
  if (status != LUA_YIELD && status != LUA_OK)
    report_coroutine(L, c);
  if ((status != LUA_YIELD || !sleep_coroutine(L, c, o, co, results)) && !o.object)
    sp_forget_run(L, sp_manager_again(c, o.manager), -1);
  lua_pop(L, 1);
}

/* }== */

/* {== Dropped managers =================================================== */

/* A list node {timers, next node} that waits in the manager until it is needed. */
void sp_prepare_closing(lua_State *L, int manager)
{
  lua_createtable(L, 2, 0);
  lua_getiuservalue(L, manager, SP_MANAGER_TIMERS);
  sp_raw_seti(L, -2, 1);
  lua_pushboolean(L, 0);
  sp_raw_seti(L, -2, 2);
  lua_setiuservalue(L, manager, SP_MANAGER_CLOSING);
}

/* Returns whether one of the timers in the table on top is a sleeping coroutine. */
static bool has_sleepers(lua_State *L)
{
  bool has = false;
  for (lua_pushnil(L); !has && sp_raw_next(L, -2);) {
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
    sp_raw_geti(L, -1, 1);
    sp_raw_seti(L, top + 1, 2);
    lua_pushvalue(L, top + 1);
    sp_raw_seti(L, -2, 1);
    c->has_dropped = true;
  }
  lua_settop(L, top);
}

/* Closes the coroutines in the table of callbacks on top. Those of a manager are keys too: their timers are over. */
static void close_sleepers(lua_State *L, sp_context *c)
{
  for (lua_pushnil(L); sp_raw_next(L, -2); lua_pop(L, 1))
    if (lua_isthread(L, -1))
      sp_close_run(L, c, lua_tothread(L, -1));
    else if (lua_isthread(L, -2))
      ((sp_run_timer *)sp_raw_block(L, -1))->over = true;
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
  sp_raw_geti(L, -1, 1);
  lua_pushboolean(L, 0);
  sp_raw_seti(L, top + 1, 1);
  while (lua_istable(L, top + 2)) {
    sp_raw_geti(L, top + 2, 1);
    close_sleepers(L, c);
    lua_settop(L, top + 2);
    sp_raw_geti(L, top + 2, 2);
    lua_replace(L, top + 2);
  }
  lua_settop(L, top);
}

/* }== */

/* {== Methods ============================================================ */

/* Starts the coroutine on top with the function at `body`: it runs up to its first yield. */
static void start(lua_State *L, sp_context *c, sp_timed o, int body)
{
  lua_State *co = lua_tothread(L, -1);
  lua_pushvalue(L, body);
  lua_xmove(L, co, 1);
  sp_push_timed(co, c, o);
  lua_State *outer = sp_begin(c, L);
  sp_resume_run(L, c, o, 1);
  sp_finish(c, outer);
}

int sp_object_run(lua_State *L)
{
  sp_context *c = sp_context_here(L);
  const sp_lua_manager *m = sp_check_timed(L);
  const sp_timed o = sp_timed_of(m, sp_to_object(L, 1));
  sp_check_function(L, 2);
  luaL_checkstack(L, STACK_NEEDED, NULL);
  sp_push_anchor(L, c, m); /* keeps the manager from being collected while the function runs */
  lua_newthread(L);
  start(L, c, o, 2);
  lua_pushboolean(L, 1);
  return 1;
}

void sp_run_of_manager(lua_State *L, const sp_lua_manager *m, int body, int timer)
{
  sp_context *c = m->context;
  const sp_timed o = sp_timed_of(m, SP_NONE_REF);
  luaL_checkstack(L, STACK_NEEDED, NULL);
  sp_push_anchor(L, c, m); /* keeps the manager from being collected while the function runs */
  sp_push_timers(L, m);
  lua_newthread(L);
  lua_pushvalue(L, -1);
  lua_pushvalue(L, timer);
  sp_raw_set(L, -4);
  start(L, c, o, body);
  lua_pop(L, 2);
}

/* }== */
