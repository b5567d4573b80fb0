/*
** Timers: after, every and run of objects and of managers. The core knows when one is due, and ends it with the life or
** the manager; its callback, a function, a coroutine or the name of a method, is stored with the manager by the timer's
** handle. A sleeping coroutine is the callback of the timer that resumes it, and is closed when that timer ends without
** firing.
*/
#include "script/bind/timer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "script/bind/members.h"
#include "script/bind/object.h"
#include "script/guard/door.h"
#include "script/guard/watchdog.h"
#include "script/state/arguments.h"
#include "script/state/report.h"

#include "script/state/careful.h"

#define STACK_NEEDED 16

/* {== Callbacks ========================================================== */

/* The owner of a timer, which its callback gets: an object; SP_NULL_REF: the manager itself. */
typedef struct owner {
  uint64_t manager; /* id */
  sp_ref object;
} owner;

static owner owner_of(const spl_manager *m, sp_ref object) { return (owner){m->id, object}; }

/* The userdata of a timer of a manager: it keeps nothing alive, and stays valid after the manager was closed. */
typedef struct timer_handle {
  uint64_t magic;
  uint64_t manager;       /* id */
  sp_timer timer;         /* for a coroutine: the timer that resumes it */
  double seconds, period; /* as it was started */
  bool runs;              /* it belongs to a coroutine */
  bool over;              /* the coroutine has ended, or was stopped */
} timer_handle;

/* Pushes the manager's table of callbacks, or nil while the manager is finalised. */
static void push_callbacks(lua_State *L, const spl_manager *m)
{
  sp_push_anchor(L, m->context, m);
  if (!lua_isnil(L, -1)) {
    lua_getiuservalue(L, -1, SP_MANAGER_TIMERS);
    lua_replace(L, -2);
  }
}

/* Pushes the owner: the object, or the manager's userdata. */
static void push_owner(lua_State *L, const sp_context *c, owner o)
{
  if (o.object)
    sp_push_object(L, o.object);
  else
    sp_push_anchor(L, c, sp_manager_from_id(c, o.manager));
}

typedef struct filing {
  const sp_context *c;
  owner owner;
  double seconds, period;
  sp_timer timer; /* 0 when it was not started: `why` says why */
  sp_result why;
} filing;

/* start(request, callback): starts the timer and files the callback. Protected: filing may run out of memory. */
static int start_timer(lua_State *L)
{
  filing *s = sp_raw_block(L, 1);
  const spl_manager *m = sp_manager_from_id(s->c, s->owner.manager);
  push_callbacks(L, m);
  s->timer = sp_timer_start(m->core, s->owner.object, s->seconds, s->period, 0, &s->why);
  if (s->timer && !lua_isnil(L, -1)) {
    lua_pushvalue(L, 2);
    sp_raw_seti(L, -2, (lua_Integer)s->timer);
  }
  return 0;
}

/* Starts a timer of a live object or an open manager that calls the value on top, and pops it. False: that was refused,
   `why` says why. */
static bool file_timer(lua_State *L, filing *s)
{
  lua_pushcfunction(L, start_timer);
  lua_insert(L, -2);
  lua_pushlightuserdata(L, s);
  lua_insert(L, -2);
  if (sp_raw_pcall(L, 2, 0) != LUA_OK) {
    lua_pop(L, 1);
    sp_timer_stop(sp_manager_from_id(s->c, s->owner.manager)->core, s->timer); /* its end finds no callback */
    s->timer = 0;
    s->why = SP_MEMORY;
  }
  return s->timer != 0;
}

/* Pushes the callback of a timer, or nil, and removes it from the table unless `keep` is true. */
static void push_callback(lua_State *L, const spl_manager *m, uint64_t timer, bool keep)
{
  push_callbacks(L, m);
  if (lua_isnil(L, -1))
    return;
  if (sp_raw_geti(L, -1, (lua_Integer)timer) != LUA_TNIL && !keep) {
    lua_pushnil(L);
    sp_raw_seti(L, -3, (lua_Integer)timer);
  }
  lua_replace(L, -2);
}

void sp_timer_push_callback(lua_State *L, const spl_manager *m, sp_timer timer) { push_callback(L, m, timer, true); }

sp_timer sp_timer_file(lua_State *L, const spl_manager *m, sp_ref object, double seconds, double period, sp_result *why)
{
  filing s = {m->context, owner_of(m, object), .seconds = seconds, .period = period};
  file_timer(L, &s);
  *why = s.why;
  return s.timer;
}

/* }== */

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
static timer_handle *timer_of_run(lua_State *L, const spl_manager *m, int index)
{
  index = lua_absindex(L, index);
  push_callbacks(L, m);
  if (!lua_isnil(L, -1)) {
    lua_pushvalue(L, index);
    sp_raw_get(L, -2);
    lua_replace(L, -2);
  }
  timer_handle *timer = sp_raw_block(L, -1);
  lua_pop(L, 1); /* the table holds it */
  return timer;
}

static void forget_coroutine(lua_State *L, const spl_manager *m, int index)
{
  index = lua_absindex(L, index);
  timer_handle *timer = m ? timer_of_run(L, m, index) : NULL;
  if (!timer)
    return;
  timer->over = true;
  push_callbacks(L, m);
  lua_pushvalue(L, index);
  lua_pushnil(L);
  sp_raw_set(L, -3);
  lua_pop(L, 1);
}

static void close_coroutine(lua_State *L, sp_context *c, lua_State *co)
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
static bool goes_on(lua_State *L, const spl_manager *m, owner o)
{
  if (!m)
    return false;
  if (o.object)
    return sp_object_is_live(m->core, o.object);
  const timer_handle *timer = timer_of_run(L, m, -1);
  return timer && !timer->over;
}

/* Starts the timer that resumes the coroutine on top after `seconds`. Returns false when memory is refused. */
static bool start_sleep(lua_State *L, const sp_context *c, owner o, double seconds)
{
  filing s = {.c = c, .owner = o, .seconds = seconds};
  lua_pushvalue(L, -1);
  if (!file_timer(L, &s))
    return false;
  const spl_manager *m = sp_manager_from_id(c, o.manager);
  timer_handle *timer = o.object || !m ? NULL : timer_of_run(L, m, -1);
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
  if (!number || !sp_is_seconds(seconds)) {
    sp_report_text(L, c, SP_REPORT_ERROR,
                   "run: coroutine.yield takes the seconds to sleep, from 0 to 1e11 "
                   "(math.huge: for ever)");
  } else if (goes_on(L, sp_manager_from_id(c, o.manager), o)) { /* else the coroutine has ended its own life */
    if (start_sleep(L, c, o, seconds))
      return true;
    sp_report_text(L, c, SP_REPORT_ERROR, "run: not enough memory to sleep");
  }
  close_coroutine(L, c, co);
  return false;
}

static void resume(lua_State *L, sp_context *c, owner o, int nargs)
{
  lua_State *co = lua_tothread(L, -1);
  int results = 0, status = resume_watched(L, c, co, nargs, &results);
  if (status != LUA_YIELD && status != LUA_OK)
    report_coroutine(L, c);
  if ((status != LUA_YIELD || !sleep_coroutine(L, c, o, co, results)) && !o.object)
    forget_coroutine(L, sp_manager_from_id(c, o.manager), -1);
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
      close_coroutine(L, c, lua_tothread(L, -1));
    else if (lua_isthread(L, -2))
      ((timer_handle *)sp_raw_block(L, -1))->over = true;
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

/* {== What the core calls ================================================ */

bool sp_timer_find_method(lua_State *L, const sp_context *c, sp_ref object)
{
  const spl_manager *m = sp_manager_of(c, object);
  const sp_pool *core = m ? sp_object_pool(m->core, object) : NULL;
  const spl_pool *p = core ? spl_pool_of(core) : NULL;
  uint32_t name = p ? sp_keymap_find(L, p->names, -1) : SP_NO_KEY;
  int top = lua_gettop(L);
  if (name != SP_NO_KEY && SP_NAME_KIND(name) == SP_NAME_METHOD) {
    sp_push_kept(L, c, SP_KEPT_METHODS);
    sp_raw_geti(L, -1, SP_NAME_WHAT(name));
  } else if (name != SP_NO_KEY && SP_NAME_KIND(name) == SP_NAME_OWN_METHOD) {
    if (sp_find_user_value(L, c, p, SP_POOL_METHODS) != LUA_TNIL)
      sp_raw_geti(L, -1, SP_NAME_WHAT(name));
  }
  bool found = sp_to_function(L, -1);
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
  const spl_manager *m = sp_manager_of(c, object);
  if (m)
    sp_timer_stop(m->core, timer);
  sp_report_text(L, c, SP_REPORT_ERROR, text);
}

/* Pushes the function that a timer calls; false, and nothing pushed, when there is none. */
static bool push_function(lua_State *L, const spl_manager *m, sp_ref object, uint64_t timer)
{
  sp_context *c = m->context;
  push_callback(L, m, timer, true);
  c->calls.tween(L);
  if (lua_type(L, -1) == LUA_TSTRING) {
    lua_pushvalue(L, -1);
    bool found = sp_timer_find_method(L, c, object);
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

/* The function is on top, and the message handler of its call is at `handler`. */
static void call_function(lua_State *L, sp_context *c, owner o, uint64_t timer, int handler)
{
  const spl_manager *m;
  push_owner(L, c, o);
  while (sp_door(L, c, 1, 1, handler) != LUA_OK) {
    if (!sp_revert(L, c)) {
      const bool is_endless = sp_was_endless(L, c);
      sp_report_error(L, c, "a timer");
      m = sp_manager_from_id(c, o.manager);
      if (is_endless && m && push_function(L, m, o.object, timer))
        sp_note_stop(L, c, "", "a timer");
      return;
    }
    lua_settop(L, handler);
    m = sp_manager_from_id(c, o.manager);
    if (!m)
      return;
    if (!push_function(L, m, o.object, timer)) /* that of the version before */
      return;
    push_owner(L, c, o);
  }
  /* A repeating function that returns false has had enough. */
  m = sp_manager_from_id(c, o.manager);
  if (lua_isboolean(L, -1) && !lua_toboolean(L, -1) && m)
    sp_timer_stop(m->core, timer);
}

static void run_timer(lua_State *L, const spl_manager *m, sp_ref object, uint64_t timer)
{
  sp_context *c = m->context;
  const owner o = owner_of(m, object);
  int top = lua_gettop(L), handler = sp_door_handler(L, true);
  push_callback(L, m, timer, true);
  if (lua_isthread(L, -1)) {
    /* Out of the table first: it may end this very life while it runs. */
    lua_pop(L, 1);
    push_callback(L, m, timer, false);
    lua_State *outer = sp_begin(c, L);
    resume(L, c, o, 0);
    sp_finish(c, outer);
  } else {
    lua_pop(L, 1);
    if (push_function(L, m, object, timer)) {
      if (sp_is_switched_off(L, c, "", "a timer"))
        sp_timer_stop(m->core, timer);
      else
        call_function(L, c, o, timer, handler);
    }
  }
  lua_settop(L, top);
}

void sp_on_timer(void *manager, sp_ref object, uint64_t timer, uint64_t tag)
{
  (void)tag;
  const spl_manager *m = sp_held_manager(manager);
  sp_context *c = m->context;
  c->crossings++;
  if (!lua_checkstack(c->L, STACK_NEEDED))
    return;
  if (!object) {
    run_timer(c->L, m, object, timer); /* no class's time */
    return;
  }
  uint64_t outer = sp_hook_clock_begin(c, spl_pool_of(sp_object_pool(m->core, object)));
  run_timer(c->L, m, object, timer);
  sp_hook_clock_end(c, outer);
}

void sp_on_timer_end(void *manager, sp_ref object, uint64_t timer, uint64_t tag)
{
  (void)object, (void)tag;
  const spl_manager *m = sp_held_manager(manager);
  sp_context *c = m->context;
  lua_State *L = c->L;
  c->crossings++;
  if (!lua_checkstack(L, STACK_NEEDED))
    return;
  push_callback(L, m, timer, false);
  if (lua_isthread(L, -1)) {
    if (!object)
      forget_coroutine(L, m, -1);
    close_coroutine(L, c, lua_tothread(L, -1));
  }
  lua_pop(L, 1);
}

/* }== */

/* {== Methods ============================================================ */

/* Returns the seconds at 2. */
static double check_seconds(lua_State *L, const char *what, bool zero)
{
  sp_shown shown;
  const bool is_endless = lua_type(L, 2) == LUA_TNUMBER && lua_tonumber(L, 2) == HUGE_VAL;
  const double seconds = is_endless ? HUGE_VAL : sp_check_finite(L, 2, what);
  if (!sp_is_seconds(seconds) || (seconds == 0 && !zero))
    sp_raise_arg(L, 2, "%s takes seconds %s (at most 1e11; math.huge: never), got %s", what,
                 zero ? "from 0 up" : "above 0", sp_show(L, 2, &shown));
  return seconds;
}

/* Starts a timer that calls the value at 3. */
static void start_at_3(lua_State *L, filing *s)
{
  lua_pushvalue(L, 3);
  if (!file_timer(L, s))
    sp_raise(L, "cannot start a timer: %s", sp_result_text(s->why));
}

/* Starts the coroutine on top with the function at `body`: it runs up to its first yield. */
static void start_coroutine(lua_State *L, sp_context *c, owner o, int body)
{
  lua_State *co = lua_tothread(L, -1);
  lua_pushvalue(L, body);
  lua_xmove(L, co, 1);
  push_owner(co, c, o);
  lua_State *outer = sp_begin(c, L);
  resume(L, c, o, 1);
  sp_finish(c, outer);
}

/* The callback of an object's timer is a function, or the name of a method. */
static void check_callback(lua_State *L, const sp_context *c, sp_ref object)
{
  sp_shown label, name;
  if (lua_type(L, 3) != LUA_TSTRING) {
    if (!sp_to_function(L, 3))
      luaL_typeerror(L, 3, "method name or function");
    return;
  }
  lua_settop(L, 3);
  lua_pushvalue(L, 3);
  if (!sp_timer_find_method(L, c, object))
    sp_raise_arg(L, 3, "%s has no method '%s'", sp_label(c, object, &label), sp_show_name(L, 3, &name));
}

static int time_object(lua_State *L, const char *what, bool repeats)
{
  const sp_ref object = sp_check_object(L, 1);
  const double seconds = check_seconds(L, what, !repeats);
  const spl_manager *m = sp_object_check_live(L, "timers");
  filing s = {m->context, owner_of(m, object), .seconds = seconds, .period = repeats ? seconds : 0};
  check_callback(L, s.c, object);
  start_at_3(L, &s);
  lua_pushboolean(L, 1);
  return 1;
}

int spl_object_after(lua_State *L) { return time_object(L, "after", false); }
int spl_object_every(lua_State *L) { return time_object(L, "every", true); }

int spl_object_run(lua_State *L)
{
  sp_context *c = sp_context_here(L);
  const spl_manager *m = sp_object_check_live(L, "timers");
  const owner o = owner_of(m, sp_to_object(L, 1));
  sp_check_function(L, 2);
  luaL_checkstack(L, STACK_NEEDED, NULL);
  sp_push_anchor(L, c, m); /* keeps the manager from being collected while the function runs */
  lua_newthread(L);
  start_coroutine(L, c, o, 2);
  lua_pushboolean(L, 1);
  return 1;
}

/* Hot reload ends what a file has started when it runs again: the timer on top is staged, and holds the function below
   it. */
static void stage(lua_State *L, const sp_context *c)
{
  lua_pushvalue(L, -2);
  lua_setiuservalue(L, -2, 1);
  sp_push_kept(L, c, SP_KEPT_STAGED);
  lua_pushvalue(L, -2);
  sp_raw_seti(L, -2, (lua_Integer)sp_raw_length(L, -2) + 1);
  lua_pop(L, 1);
}

/* Pushes a timer of the manager with this id, for the function on top. */
static timer_handle *push_timer(lua_State *L, const sp_context *c, uint64_t manager)
{
  timer_handle *timer = lua_newuserdatauv(L, sizeof *timer, 1);
  *timer = (timer_handle){.magic = SP_MAGIC_TIMER, .manager = manager};
  sp_push_kept(L, c, SP_KEPT_TIMER);
  lua_setmetatable(L, -2);
  if (c->staging)
    stage(L, c);
  return timer;
}

/* Allocating may have run finalisers that closed the manager with this id. Returns it. */
static const spl_manager *check_still_open(lua_State *L, const sp_context *c, uint64_t manager)
{
  const spl_manager *m = sp_manager_from_id(c, manager);
  if (!m || sp_is_closing(m->core))
    sp_raise(L, "cannot start a timer: %s", sp_result_text(SP_CLOSED));
  return m;
}

static int time_manager(lua_State *L, const char *what, bool repeats)
{
  const spl_manager *m = sp_check_open_manager(L, 1);
  filing s = {m->context, owner_of(m, SP_NULL_REF), .seconds = check_seconds(L, what, !repeats)};
  s.period = repeats ? s.seconds : 0;
  sp_check_function(L, 3);
  lua_settop(L, 3);
  timer_handle *timer = push_timer(L, s.c, s.owner.manager);
  timer->seconds = s.seconds;
  timer->period = s.period;
  check_still_open(L, s.c, s.owner.manager);
  start_at_3(L, &s);
  timer->timer = s.timer;
  return 1;
}

int spl_manager_after(lua_State *L) { return time_manager(L, "after", false); }
int spl_manager_every(lua_State *L) { return time_manager(L, "every", true); }

int spl_manager_run(lua_State *L)
{
  enum { BODY = 2, TIMER };
  const spl_manager *m = sp_check_open_manager(L, 1);
  sp_context *c = m->context;
  const owner o = owner_of(m, SP_NULL_REF);
  sp_check_function(L, BODY);
  lua_settop(L, BODY);
  push_timer(L, c, o.manager)->runs = true;
  m = check_still_open(L, c, o.manager);
  luaL_checkstack(L, STACK_NEEDED, NULL);
  sp_push_anchor(L, c, m); /* keeps the manager from being collected while the function runs */
  push_callbacks(L, m);
  lua_newthread(L);
  lua_pushvalue(L, -1);
  lua_pushvalue(L, TIMER);
  sp_raw_set(L, -4);
  start_coroutine(L, c, o, BODY);
  lua_settop(L, TIMER);
  return 1;
}

/* }== */

/* {== The timer ========================================================== */

static timer_handle *check_timer(lua_State *L)
{
  timer_handle *timer = sp_to_handle(L, 1, sizeof *timer, SP_MAGIC_TIMER);
  if (!timer)
    luaL_typeerror(L, 1, "timer (call its method with a colon: timer:stop())");
  return timer;
}

/* stop() -> true, or false and "stale" when it is over. A coroutine that stops itself ends at its next yield. */
int spl_timer_handle_stop(lua_State *L)
{
  timer_handle *timer = check_timer(L);
  sp_context *c = sp_context_here(L);
  const spl_manager *m = sp_manager_from_id(c, timer->manager);
  if (!m || timer->over)
    return sp_return_refusal(L, false, SP_STALE);
  timer->over = timer->runs;
  sp_push_anchor(L, c, m); /* closing a coroutine runs scripts */
  lua_State *outer = sp_begin(c, L);
  bool stopped = sp_timer_stop(m->core, timer->timer) == SP_OK;
  sp_finish(c, outer);
  sp_raise_failures(L, c);
  if (!stopped && !timer->runs)
    return sp_return_refusal(L, false, SP_STALE);
  lua_pushboolean(L, 1);
  return 1;
}

int spl_timer_handle_tostring(lua_State *L)
{
  lua_pushfstring(L, "timer: %p", (void *)check_timer(L));
  return 1;
}

/* Upvalue 2: the methods. */
int spl_timer_handle_index(lua_State *L)
{
  sp_shown shown;
  check_timer(L);
  lua_pushvalue(L, 2);
  if (sp_raw_get(L, lua_upvalueindex(2)) == LUA_TNIL)
    sp_raise(L, "a timer has no field '%s': it has the method stop", sp_show_name(L, 2, &shown));
  return 1;
}

int spl_native_timer(lua_State *L)
{
  const timer_handle *timer = sp_to_handle(L, 1, sizeof *timer, SP_MAGIC_TIMER);
  if (!timer)
    return 0;
  lua_getiuservalue(L, 1, 1);
  lua_pushnumber(L, timer->seconds);
  lua_pushnumber(L, timer->period);
  lua_pushboolean(L, timer->runs);
  return 4;
}

void sp_manager_timer_open(lua_State *L, sp_context *c)
{
  sp_push_kept(L, c, SP_KEPT_TIMER);
  lua_pushlightuserdata(L, c);
  lua_newtable(L);
  sp_add_functions(L, c, "timer", false);
  lua_pushcclosure(L, spl_timer_handle_index, 2);
  lua_setfield(L, -2, "__index");
  sp_add_functions(L, c, "timer", true);
  sp_name_metatable(L, "spawnpool.timer");
  lua_pop(L, 1);
}

/* }== */
