/*
** The core knows when timers are due, and ends them with the life or the manager; this file starts them and calls their
** callbacks.
*/
#include "script/bind/timer.h"

#include <math.h>
#include <stdio.h>

#include "script/bind/reachable.h"
#include "script/bind/run.h"
#include "script/bind/timer_callback.h"
#include "script/guard/door.h"
#include "script/state/arguments.h"
#include "script/state/report.h"

#include "script/state/careful.h"

#define STACK_NEEDED 16

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
    sp_raw_geti(L, -1, SP_NAME_WHAT(name));
  } else if (name != SP_NO_KEY && SP_NAME_KIND(name) == SP_NAME_OWN_METHOD) {
    sp_push_anchor(L, c, p);
    lua_getiuservalue(L, -1, SP_POOL_METHODS);
    sp_raw_geti(L, -1, SP_NAME_WHAT(name));
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
  sp_take_callback(L, m, timer, true);
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

/* The function is on top, and the message handler of its call is at `handler`. */
static void call_function(lua_State *L, sp_context *c, sp_timed o, uint64_t timer, int handler)
{
  const sp_lua_manager *m;
  sp_push_timed(L, c, o);
  while (sp_door(L, c, 1, 1, handler) != LUA_OK) {
    if (!sp_heal(L, c)) {
      sp_report_error(L, c, "a timer");
      return;
    }
    lua_settop(L, handler);
    m = sp_manager_again(c, o.manager);
    if (!m)
      return;
    if (!push_function(L, m, o.object, timer)) /* that of the version before */
      return;
    sp_push_timed(L, c, o);
  }
  /* A repeating function that returns false has had enough. */
  m = sp_manager_again(c, o.manager);
  if (lua_isboolean(L, -1) && !lua_toboolean(L, -1) && m)
    sp_timer_stop(m->core, timer);
}

static void run_timer(lua_State *L, const sp_lua_manager *m, sp_ref object, uint64_t timer)
{
  sp_context *c = m->context;
  const sp_timed o = sp_timed_of(m, object);
  int top = lua_gettop(L), handler = sp_door_handler(L, c, true);
  sp_take_callback(L, m, timer, true);
  if (lua_isthread(L, -1)) {
    /* Out of the table first: it may end this very life while it runs. */
    lua_pop(L, 1);
    sp_take_callback(L, m, timer, false);
    lua_State *outer = sp_begin(c, L);
    sp_resume_run(L, c, o, 0);
    sp_finish(c, outer);
  } else {
    lua_pop(L, 1);
    if (push_function(L, m, object, timer))
      call_function(L, c, o, timer, handler);
  }
  lua_settop(L, top);
}

void sp_on_timer(void *manager, sp_ref object, uint64_t timer)
{
  const sp_lua_manager *m = sp_held_manager(manager);
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
  const sp_lua_manager *m = sp_held_manager(manager);
  sp_context *c = m->context;
  lua_State *L = c->L;
  c->crossings++;
  if (!lua_checkstack(L, STACK_NEEDED))
    return;
  sp_take_callback(L, m, timer, false);
  if (lua_isthread(L, -1)) {
    if (!object)
      sp_forget_run(L, m, -1);
    sp_close_run(L, c, lua_tothread(L, -1));
  }
  lua_pop(L, 1);
}

/* }== */

/* {== Methods of objects ================================================= */

const sp_lua_manager *sp_check_timed(lua_State *L)
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

/* The callback is a function, or the name of a method. */
static void check_callback(lua_State *L, const sp_filing *s)
{
  sp_shown label, name;
  if (lua_type(L, 3) != LUA_TSTRING) {
    if (!lua_isfunction(L, 3))
      luaL_typeerror(L, 3, "method name or function");
    return;
  }
  lua_settop(L, 3);
  lua_pushvalue(L, 3);
  if (!find_method(L, s->c, s->owner.object))
    sp_raise_arg(L, 3, "%s has no method '%s'", sp_label(s->c, s->owner.object, &label), sp_show_name(L, 3, &name));
}

static int begin_timer(lua_State *L, double seconds, double period)
{
  const sp_lua_manager *m = sp_check_timed(L);
  sp_filing s = {.c = m->context, .owner = sp_timed_of(m, sp_to_object(L, 1)), .seconds = seconds, .period = period};
  check_callback(L, &s);
  lua_settop(L, 3);
  if (!sp_timer_file(L, &s))
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

/* }== */

/* {== Timers of managers ================================================= */

sp_timer sp_start_manager_timer(lua_State *L, const sp_lua_manager *m, double seconds, double period, sp_result *why)
{
  sp_filing s = {.c = m->context, .owner = sp_timed_of(m, SP_NONE_REF), .seconds = seconds, .period = period};
  if (!sp_timer_file(L, &s))
    *why = s.why;
  return s.timer;
}

/* }== */
