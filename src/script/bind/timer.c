/*
** Timers of objects and of managers in Lua: after, every and run. The core keeps when they are due and ends them with
** the life, or with the manager; here is what to call: a function, or a coroutine that sleeps between two yields.
*/
#include "script/bind/timer.h"

#include <math.h>

#include "script/bind/hook_clock.h"
#include "script/guard/door.h"
#include "script/guard/watchdog.h"
#include "script/state/border.h"
#include "script/state/report.h"

#define STACK_NEEDED 16

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

/* The manager of a timer, and the object that it belongs to; SP_NONE_REF: to the manager itself. */
typedef struct owner {
  uint64_t manager; /* id */
  sp_ref object;
} owner;

static owner owner_of(const sp_lua_manager *m, sp_ref object) { return (owner){m->id, object}; }

/* Pushes what the callbacks of a timer get: its object, or the manager. */
static void push_owner(lua_State *L, const sp_context *c, owner o)
{
  if (o.object)
    sp_push_object(L, o.object);
  else
    sp_push_anchor(L, c, sp_manager_again(c, o.manager));
}

typedef struct start {
  const sp_context *c;
  owner owner;
  double seconds, period;
  sp_timer timer; /* 0 when it was not started: `why` says why */
  sp_result why;
} start;

/* start(request, callback): starts the timer and files the callback. Protected: filing may run out of memory. */
static int start_timer(lua_State *L)
{
  start *s = lua_touserdata(L, 1);
  const sp_lua_manager *m = sp_manager_again(s->c, s->owner.manager);
  push_timers(L, m);
  s->timer = s->owner.object ? sp_timer_start(m->core, s->owner.object, s->seconds, s->period, &s->why)
                             : sp_manager_timer_start(m->core, s->seconds, s->period, &s->why);
  if (s->timer && !lua_isnil(L, -1)) {
    lua_pushvalue(L, 2);
    lua_rawseti(L, -2, (lua_Integer)s->timer);
  }
  return 0;
}

/* Starts a timer of a live object or an open manager that calls the value on top, and pops it. False: that was refused,
   `why` says why. */
static bool start_protected(lua_State *L, start *s)
{
  lua_pushcfunction(L, start_timer);
  lua_insert(L, -2);
  lua_pushlightuserdata(L, s);
  lua_insert(L, -2);
  if (sp_raw_pcall(L, 2, 0) != LUA_OK) {
    lua_pop(L, 1);
    sp_timer_stop(sp_manager_again(s->c, s->owner.manager)->core, s->timer); /* its end finds no callback */
    s->timer = 0;
    s->why = SP_MEMORY;
  }
  return s->timer != 0;
}

/* Pushes the callback of a timer, or nil; out of the table, unless it is to stay there. */
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

/* The timer that `run` of a manager returned for the coroutine at `index`, or NULL. It lies beside the callbacks. */
static sp_run_timer *timer_of_run(lua_State *L, const sp_lua_manager *m, int index)
{
  index = lua_absindex(L, index);
  push_timers(L, m);
  if (!lua_isnil(L, -1)) {
    lua_pushvalue(L, index);
    lua_rawget(L, -2);
    lua_replace(L, -2);
  }
  sp_run_timer *timer = lua_touserdata(L, -1);
  lua_pop(L, 1); /* the table holds it */
  return timer;
}

/* The coroutine at `index` is over. */
static void forget_run(lua_State *L, const sp_lua_manager *m, int index)
{
  index = lua_absindex(L, index);
  sp_run_timer *timer = m ? timer_of_run(L, m, index) : NULL;
  if (!timer)
    return;
  timer->over = true;
  push_timers(L, m);
  lua_pushvalue(L, index);
  lua_pushnil(L);
  lua_rawset(L, -3);
  lua_pop(L, 1);
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

/* Whether the owner of the coroutine on top still wants it to go on: the object lives, the timer was not stopped. */
static bool goes_on(lua_State *L, const sp_lua_manager *m, owner o)
{
  if (!m)
    return false;
  if (o.object)
    return sp_is_live(m->core, o.object);
  const sp_run_timer *timer = timer_of_run(L, m, -1);
  return timer && !timer->over;
}

/* Starts the timer that wakes the coroutine on top in `seconds`. False when memory is refused. */
static bool start_sleep(lua_State *L, const sp_context *c, owner o, double seconds)
{
  start s = {.c = c, .owner = o, .seconds = seconds};
  lua_pushvalue(L, -1);
  if (!start_protected(L, &s))
    return false;
  const sp_lua_manager *m = sp_manager_again(c, o.manager);
  sp_run_timer *timer = o.object || !m ? NULL : timer_of_run(L, m, -1);
  if (timer)
    timer->timer = s.timer;
  return true;
}

/* The coroutine on top has yielded `results` values: the first says how long it sleeps. Returns whether it does. */
static bool sleep_coroutine(lua_State *L, sp_context *c, owner o, lua_State *co, int results)
{
  double seconds = results > 0 ? lua_tonumber(co, -results) : 0;
  bool number = results == 0 || lua_isnil(co, -results) || lua_type(co, -results) == LUA_TNUMBER;
  lua_pop(co, results);
  if (!number || !(seconds >= 0 && seconds <= SP_MAX_LIFETIME)) {
    sp_report_text(L, c, SP_REPORT_ERROR, "run: coroutine.yield takes the seconds to sleep, from 0 up");
  } else if (goes_on(L, sp_manager_again(c, o.manager), o)) { /* else it has ended its own life */
    if (start_sleep(L, c, o, seconds))
      return true;
    sp_report_text(L, c, SP_REPORT_ERROR, "run: not enough memory to sleep");
  }
  close_coroutine(L, c, co);
  return false;
}

/* Resumes the coroutine on top of L with `nargs` values that lie on its own stack; pops it. */
static void resume(lua_State *L, sp_context *c, owner o, int nargs)
{
  lua_State *co = lua_tothread(L, -1);
  int results = 0, status = resume_watched(L, c, co, nargs, &results);
  if (status != LUA_YIELD && status != LUA_OK)
    report_coroutine(L, c);
  if ((status != LUA_YIELD || !sleep_coroutine(L, c, o, co, results)) && !o.object)
    forget_run(L, sp_manager_again(c, o.manager), -1);
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

/* The function is on top. */
static void call_function(lua_State *L, sp_context *c, owner o, uint64_t timer)
{
  const sp_lua_manager *m;
  push_owner(L, c, o);
  while (sp_door(L, c, 1, 1, true) != LUA_OK) {
    if (!sp_heal(L, c)) {
      sp_report_error(L, c, "a timer");
      return;
    }
    lua_pop(L, 1);
    m = sp_manager_again(c, o.manager);
    if (!m)
      return;
    take_callback(L, m, timer, true); /* the last good version of it */
    if (!lua_isfunction(L, -1)) {
      lua_pop(L, 1);
      return;
    }
    push_owner(L, c, o);
  }
  /* A repeating function that returns false has had enough. */
  m = sp_manager_again(c, o.manager);
  if (lua_isboolean(L, -1) && !lua_toboolean(L, -1) && m)
    sp_timer_stop(m->core, timer);
  lua_pop(L, 1);
}

static void run_timer(lua_State *L, const sp_lua_manager *m, sp_ref object, uint64_t timer)
{
  sp_context *c = m->context;
  const owner o = owner_of(m, object);
  take_callback(L, m, timer, true);
  if (lua_isthread(L, -1)) {
    /* Out of the table first: it may end this very life while it runs. */
    lua_pop(L, 1);
    take_callback(L, m, timer, false);
    lua_State *outer = sp_begin(c, L);
    resume(L, c, o, 0);
    sp_finish(c, outer);
  } else if (lua_isfunction(L, -1)) {
    call_function(L, c, o, timer);
  } else {
    lua_pop(L, 1);
  }
}

void sp_on_timer(void *manager, sp_ref object, uint64_t timer)
{
  const sp_lua_manager *m = manager;
  sp_context *c = m->context;
  c->crossings++;
  if (!lua_checkstack(c->L, STACK_NEEDED))
    return;
  if (!object) {
    run_timer(c->L, m, object, timer); /* no class's time */
    return;
  }
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
  if (lua_isthread(L, -1)) {
    if (!object)
      forget_run(L, m, -1);
    close_coroutine(L, c, lua_tothread(L, -1));
  }
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

double sp_check_seconds(lua_State *L, const char *what, bool zero)
{
  double seconds = sp_check_finite(L, 2, what);
  if (!(seconds >= 0 && seconds <= SP_MAX_LIFETIME && (zero || seconds > 0)))
    sp_raise_arg(L, 2, zero ? "must be seconds from 0 up" : "must be seconds above 0");
  return seconds;
}

static int begin_timer(lua_State *L, double seconds, double period)
{
  const sp_lua_manager *m = check_live(L);
  start s = {.c = m->context, .owner = owner_of(m, sp_to_object(L, 1)), .seconds = seconds, .period = period};
  luaL_checktype(L, 3, LUA_TFUNCTION);
  lua_settop(L, 3);
  if (!start_protected(L, &s))
    sp_raise(L, "cannot start a timer: %s", sp_result_text(s.why));
  lua_pushboolean(L, 1);
  return 1;
}

int sp_object_after(lua_State *L)
{
  sp_check_object(L, 1);
  return begin_timer(L, sp_check_seconds(L, "after", true), 0);
}

int sp_object_every(lua_State *L)
{
  sp_check_object(L, 1);
  double period = sp_check_seconds(L, "every", false);
  return begin_timer(L, period, period);
}

/* Runs at once up to the first yield. */
int sp_object_run(lua_State *L)
{
  sp_context *c = sp_context_here(L);
  const sp_lua_manager *m = check_live(L);
  const owner o = owner_of(m, sp_to_object(L, 1));
  luaL_checktype(L, 2, LUA_TFUNCTION);
  luaL_checkstack(L, STACK_NEEDED, NULL);
  sp_push_anchor(L, c, m); /* it may be garbage, but not while the function runs */
  lua_State *co = lua_newthread(L);
  lua_pushvalue(L, 2);
  lua_xmove(L, co, 1);
  push_owner(co, c, o);
  lua_State *outer = sp_begin(c, L);
  resume(L, c, o, 1);
  sp_finish(c, outer);
  lua_pushboolean(L, 1);
  return 1;
}

/* }== */

/* {== Timers of managers ================================================= */

sp_timer sp_start_manager_timer(lua_State *L, const sp_lua_manager *m, double seconds, double period, sp_result *why)
{
  start s = {.c = m->context, .owner = owner_of(m, SP_NONE_REF), .seconds = seconds, .period = period};
  if (!start_protected(L, &s))
    *why = s.why;
  return s.timer;
}

void sp_run_of_manager(lua_State *L, const sp_lua_manager *m, int body, int timer)
{
  sp_context *c = m->context;
  const owner o = owner_of(m, SP_NONE_REF);
  luaL_checkstack(L, STACK_NEEDED, NULL);
  sp_push_anchor(L, c, m); /* it may be garbage, but not while the function runs */
  push_timers(L, m);
  lua_State *co = lua_newthread(L);
  lua_pushvalue(L, -1);
  lua_pushvalue(L, timer);
  lua_rawset(L, -4);
  lua_pushvalue(L, body);
  lua_xmove(L, co, 1);
  push_owner(co, c, o);
  lua_State *outer = sp_begin(c, L);
  resume(L, c, o, 1);
  sp_finish(c, outer);
  lua_pop(L, 2);
}

/* }== */
