#include "script/bind/timer_callback.h"

#include "script/guard/door.h"
#include "script/state/arguments.h"

#include "script/state/careful.h"

void sp_push_timers(lua_State *L, const sp_lua_manager *m)
{
  sp_push_anchor(L, m->context, m);
  if (!lua_isnil(L, -1)) {
    lua_getiuservalue(L, -1, SP_MANAGER_TIMERS);
    lua_replace(L, -2);
  }
}

void sp_push_timed(lua_State *L, const sp_context *c, sp_timed o)
{
  if (o.object)
    sp_push_object(L, o.object);
  else
    sp_push_anchor(L, c, sp_manager_again(c, o.manager));
}

/* start(request, callback): starts the timer and files the callback. Protected: filing may run out of memory. */
static int start_timer(lua_State *L)
{
  sp_filing *s = sp_raw_block(L, 1);
  const sp_lua_manager *m = sp_manager_again(s->c, s->owner.manager);
  sp_push_timers(L, m);
  s->timer = s->owner.object ? sp_timer_start(m->core, s->owner.object, s->seconds, s->period, &s->why)
                             : sp_manager_timer_start(m->core, s->seconds, s->period, &s->why);
  if (s->timer && !lua_isnil(L, -1)) {
    lua_pushvalue(L, 2);
    sp_raw_seti(L, -2, (lua_Integer)s->timer);
  }
  return 0;
}

bool sp_timer_file(lua_State *L, sp_filing *s)
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

void sp_take_callback(lua_State *L, const sp_lua_manager *m, uint64_t timer, bool keep)
{
  sp_push_timers(L, m);
  if (lua_isnil(L, -1))
    return;
  if (sp_raw_geti(L, -1, (lua_Integer)timer) != LUA_TNIL && !keep) {
    lua_pushnil(L);
    sp_raw_seti(L, -3, (lua_Integer)timer);
  }
  lua_replace(L, -2);
}
