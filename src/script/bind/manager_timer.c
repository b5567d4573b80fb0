/*
** See manager_timer.h. A timer is a userdata with ids: it keeps nothing alive, and ends when its manager is closed.
*/
#include "script/bind/manager_timer.h"

#include <string.h>

#include "script/bind/reachable.h"
#include "script/bind/run.h"
#include "script/bind/timer.h"
#include "script/state/arguments.h"

#include "script/state/careful.h"

/* {== Starting =========================================================== */

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
static sp_run_timer *push_timer(lua_State *L, const sp_context *c, uint64_t manager, bool runs)
{
  sp_run_timer *timer = lua_newuserdatauv(L, sizeof *timer, 1);
  *timer = (sp_run_timer){.magic = SP_MAGIC_TIMER, .manager = manager, .runs = runs};
  sp_push_kept(L, c, SP_KEPT_TIMER);
  lua_setmetatable(L, -2);
  if (c->staging)
    stage(L, c);
  return timer;
}

/* timer(manager, seconds, function) */
static int begin_timer(lua_State *L, const char *what, bool repeats)
{
  const sp_lua_manager *m = sp_check_open_manager(L, 1);
  const sp_context *c = m->context;
  const uint64_t id = m->id;
  double seconds = sp_check_seconds(L, what, !repeats);
  sp_check_function(L, 3);
  lua_settop(L, 3);
  sp_run_timer *timer = push_timer(L, c, id, false);
  timer->seconds = seconds;
  timer->period = repeats ? seconds : 0;
  sp_result why = SP_CLOSED;
  m = sp_manager_again(c, id);
  lua_pushvalue(L, 3);
  timer->timer = m ? sp_start_manager_timer(L, m, seconds, timer->period, &why) : 0;
  if (!timer->timer)
    sp_raise(L, "cannot start a timer: %s", sp_result_text(why));
  lua_settop(L, 4);
  return 1;
}

int sp_manager_after(lua_State *L) { return begin_timer(L, "after", false); }
int sp_manager_every(lua_State *L) { return begin_timer(L, "every", true); }

int sp_manager_run(lua_State *L)
{
  const sp_lua_manager *m = sp_check_open_manager(L, 1);
  const sp_context *c = m->context;
  const uint64_t id = m->id;
  sp_check_function(L, 2);
  lua_settop(L, 2);
  push_timer(L, c, id, true);
  m = sp_manager_again(c, id);
  if (!m || sp_is_closing(m->core))
    sp_raise(L, "cannot start a timer: %s", sp_result_text(SP_CLOSED));
  sp_run_of_manager(L, m, 2, 3);
  return 1;
}

/* }== */

/* {== The timer ========================================================== */

static sp_run_timer *check_timer(lua_State *L)
{
  sp_run_timer *timer = sp_to_handle(L, 1, sizeof *timer, SP_MAGIC_TIMER);
  if (!timer)
    luaL_typeerror(L, 1, "timer (call its method with a colon: timer:stop())");
  return timer;
}

/* stop() -> true, or false and "stale" when it is over. A coroutine that stops itself ends at its next yield. */
int sp_timer_handle_stop(lua_State *L)
{
  sp_run_timer *timer = check_timer(L);
  sp_context *c = sp_context_here(L);
  const sp_lua_manager *m = sp_manager_again(c, timer->manager);
  if (!m || timer->over)
    return sp_return_refusal(L, false, SP_STALE);
  timer->over = timer->runs;
  sp_push_anchor(L, c, m); /* closing a coroutine runs scripts */
  lua_State *outer = sp_begin(c, L);
  bool stopped = sp_timer_stop(m->core, timer->timer) == SP_OK;
  sp_finish(c, outer);
  if (!stopped && !timer->runs)
    return sp_return_refusal(L, false, SP_STALE);
  lua_pushboolean(L, 1);
  return 1;
}

int sp_timer_handle_tostring(lua_State *L)
{
  lua_pushfstring(L, "timer: %p", (void *)check_timer(L));
  return 1;
}

/* Upvalue 2: the methods. */
int sp_timer_handle_index(lua_State *L)
{
  sp_shown shown;
  check_timer(L);
  lua_pushvalue(L, 2);
  if (sp_raw_get(L, lua_upvalueindex(2)) == LUA_TNIL)
    sp_raise(L, "a timer has no field '%s': it has the method stop", sp_show_name(L, 2, &shown));
  return 1;
}

int sp_native_timer(lua_State *L)
{
  const sp_run_timer *timer = sp_to_handle(L, 1, sizeof *timer, SP_MAGIC_TIMER);
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
  sp_reach_set(L, sp_reachable, "timer", false, c, false);
  lua_pushcclosure(L, sp_timer_handle_index, 2);
  lua_setfield(L, -2, "__index");
  sp_reach_set(L, sp_reachable, "timer", true, c, false);
  sp_name_metatable(L, "spawnpool.timer");
  lua_pop(L, 1);
}

/* }== */
