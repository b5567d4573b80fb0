/*
** What the core calls on a pool's behalf, carried into Lua. Nothing leaves here by longjmp: errors of on_spawn wait in
** the context for alloc to raise them; all others are reported, and the core finishes its work. A hook may be called
** again after its new code was taken back; the pool is looked up again then.
*/
#include "script/bind/hooks.h"

#include <stdio.h>

#include "script/bind/fields.h"
#include "script/bind/hook_clock.h"
#include "script/guard/door.h"
#include "script/guard/watchdog.h"
#include "script/state/border.h"
#include "script/state/report.h"
#include "script/state/trace.h"

#define STACK_NEEDED 16

static const char *const hook_names[] = {
#define NAME(code, name) name,
    SP_HOOKS(NAME)
#undef NAME
};

/* What a call of the core into Lua begins with. */
typedef struct call {
  sp_context *c;
  lua_State *L;
  uint64_t pool; /* id */
  sp_hook hook;
} call;

static call begin_call(const sp_lua_pool *p, sp_hook hook)
{
  sp_context *c = p->manager->context;
  c->crossings++;
  return (call){.c = c, .L = c->L, .pool = p->id, .hook = hook};
}

/* Pushes the function and the pool; NULL, and nothing, when there is no room, no such function (any more), or no time:
   what is stopped up to its outermost door calls no more hooks, for there may be millions of objects. */
static const sp_lua_pool *push_hook(const call *k)
{
  const sp_lua_pool *p = sp_pool_again(k->c, k->pool);
  if (!p || !lua_checkstack(k->L, STACK_NEEDED) || !(p->hooks >> k->hook & 1) ||
      (k->c->watchdog && sp_watchdog_is_stopping(k->c->watchdog)))
    return NULL;
  sp_push_anchor(k->L, k->c, p);
  lua_getiuservalue(k->L, -1, SP_POOL_HOOKS + (int)k->hook);
  lua_insert(k->L, -2);
  return p;
}

typedef enum outcome { RETURNED, FAILED, AGAIN } outcome;

/* Reports and pops an error: "Bullet.on_despawn: ...". */
static void report_hook(const call *k)
{
  char where[256];
  const sp_lua_pool *p = sp_pool_again(k->c, k->pool);
  snprintf(where, sizeof where, "%s.%s", p ? sp_pool_type(p->core) : "class", hook_names[k->hook]);
  sp_report_error(k->L, k->c, where);
}

/* Calls what push_hook and the caller pushed. An error is reported, and nothing is left of it. AGAIN: that was new
   code, and its last good version is back in force. */
static outcome call_hook(const call *k, const sp_lua_pool *p, int nargs, int nresults)
{
  if (sp_hook_door(k->L, p, nargs + 1, nresults, true) == LUA_OK)
    return RETURNED;
  if (sp_heal(k->L, k->c)) {
    lua_pop(k->L, 1);
    return AGAIN;
  }
  report_hook(k);
  return FAILED;
}

static void run_simple(sp_lua_pool *p, sp_pool *core, sp_hook hook, sp_ref object)
{
  call k = begin_call(p, hook);
  const sp_lua_pool *again;
  p->core = core; /* the first objects are made before sp_add_pool returns */
  do {
    if (!(again = push_hook(&k)))
      return;
    sp_push_object(k.L, object);
  } while (call_hook(&k, again, 1, 0) == AGAIN);
}

static void on_create(void *ud, sp_pool *core, sp_ref object) { run_simple(ud, core, SP_HOOK_CREATE, object); }
static void on_reject(void *ud, sp_pool *core, sp_ref object) { run_simple(ud, core, SP_HOOK_REJECT, object); }

static bool on_spawn(void *ud, sp_pool *core, sp_ref object, bool fresh)
{
  (void)core;
  call k = begin_call(ud, SP_HOOK_SPAWN);
  lua_State *L = k.L;
  for (;;) {
    const sp_lua_pool *p = push_hook(&k);
    if (!p)
      return true;
    sp_push_object(L, object);
    lua_pushboolean(L, fresh);
    if (sp_hook_door(L, p, 3, 0, false) == LUA_OK)
      return true;
    if (!sp_heal(L, k.c))
      break;
    lua_pop(L, 1);
  }
  sp_push_kept(L, k.c, SP_KEPT_ERROR);
  lua_insert(L, -2);
  lua_rawseti(L, -2, 1); /* the seat is there already: this cannot fail */
  lua_pop(L, 1);
  return false;
}

static void on_despawn(void *ud, sp_pool *core, sp_ref object, sp_why why)
{
  (void)core;
  call k = begin_call(ud, SP_HOOK_DESPAWN);
  const sp_lua_pool *p;
  do {
    if (!(p = push_hook(&k)))
      return;
    sp_push_object(k.L, object);
    sp_push_why(k.L, k.c, why);
  } while (call_hook(&k, p, 2, 0) == AGAIN);
}

static void recycle(void *ud, sp_pool *core, sp_ref object, sp_why why)
{
  (void)core;
  call k = begin_call(ud, SP_HOOK_RECYCLE);
  const sp_lua_manager *m = NULL;
  const sp_lua_pool *p;
  outcome out = FAILED;
  do {
    if (!(p = push_hook(&k)))
      break;
    sp_push_object(k.L, object);
    sp_push_why(k.L, k.c, why);
    out = call_hook(&k, p, 2, 0);
    if (out == RETURNED)
      return;
    m = sp_manager_of(k.c, object);
  } while (out == AGAIN && m && !sp_is_based(m->core, object)); /* what comes after the base call cannot be undone */
  m = sp_manager_of(k.c, object);
  if (m)
    sp_recycle_base(m->core, object);
}

static sp_ref on_overflow(void *ud, sp_pool *core)
{
  (void)core;
  call k = begin_call(ud, SP_HOOK_OVERFLOW);
  const sp_lua_pool *p;
  outcome out;
  do {
    if (!(p = push_hook(&k)))
      return SP_NONE_REF;
    out = call_hook(&k, p, 0, 1);
  } while (out == AGAIN);
  if (out == FAILED)
    return SP_NONE_REF;
  sp_ref victim = lua_islightuserdata(k.L, -1) ? sp_to_object(k.L, -1) : SP_NONE_REF;
  lua_pop(k.L, 1);
  return victim;
}

static void update(void *ud, sp_pool *core, double dt)
{
  (void)core;
  call k = begin_call(ud, SP_HOOK_UPDATE);
  const sp_lua_pool *p;
  do {
    if (!(p = push_hook(&k)))
      return;
    lua_pushnumber(k.L, dt);
  } while (call_hook(&k, p, 1, 0) == AGAIN);
}

/* Empties seats that are taken, which allocates nothing. */
static void forget_values(sp_lua_pool *p, uint64_t columns, uint32_t slot)
{
  lua_State *L = p->manager->context->L;
  if (!lua_checkstack(L, STACK_NEEDED))
    return;
  sp_push_anchor(L, p->manager->context, p);
  lua_getiuservalue(L, -1, SP_POOL_VALUES);
  for (uint64_t mask = columns; mask; mask &= mask - 1) {
    lua_rawgeti(L, -1, __builtin_ctzll(mask));
    if (lua_rawgeti(L, -1, slot) != LUA_TNIL) {
      lua_pushlightuserdata(L, (void *)&sp_empty_seat);
      lua_rawseti(L, -3, slot);
    }
    lua_pop(L, 2);
  }
  lua_pop(L, 2);
}

void sp_forget_values(sp_lua_pool *p, uint32_t slot)
{
  if (p->value_reset)
    forget_values(p, p->value_reset, slot);
}

/* Values beside the columns end with the life, so that an idle object holds nothing alive; kept ones with the
   object. */
static void on_end(void *ud, sp_pool *core, sp_ref object, sp_why why)
{
  (void)core;
  sp_lua_pool *p = ud;
  if (p->manager->trace)
    sp_trace_end(p->manager, object, why);
  sp_forget_values(p, sp_ref_slot(object));
}

static void on_destroy(void *ud, sp_pool *core, sp_ref object)
{
  sp_lua_pool *p = ud;
  const sp_context *c = p->manager->context;
  const uint64_t id = p->id;
  if (p->hooks >> SP_HOOK_DESTROY & 1)
    run_simple(p, core, SP_HOOK_DESTROY, object);
  p = sp_pool_again(c, id);
  if (p)
    forget_values(p, p->values, sp_ref_slot(object));
}

/* {== Sounds ============================================================= */

/* sound(pool, SP_SOUND_..., object): the host plays the sound of the class. */
static int play_sound(lua_State *L)
{
  const sp_context *c = sp_context_of(L);
  const sp_ref object = sp_to_object(L, 3);
  const lua_Integer which = lua_tointeger(L, 2);
  lua_getiuservalue(L, 1, SP_POOL_SOUNDS);
  lua_rawgeti(L, -1, which);
  if (lua_type(L, -1) == LUA_TSTRING)
    c->on_sound(c->sound_ud, L, object, lua_tostring(L, -1));
  return 0;
}

static void report_sound(const call *k)
{
  char where[256];
  const sp_lua_pool *p = sp_pool_again(k->c, k->pool);
  snprintf(where, sizeof where, "%s.sound", p ? sp_pool_type(p->core) : "class");
  sp_report_error(k->L, k->c, where);
}

/* Silent when a hook has recycled the object meanwhile. */
static void sound(const call *k, sp_sound which, sp_ref object)
{
  const sp_lua_pool *p = sp_pool_again(k->c, k->pool);
  if (!p || sp_check(p->manager->core, object) != SP_OK || !lua_checkstack(k->L, STACK_NEEDED) ||
      (k->c->watchdog && sp_watchdog_is_stopping(k->c->watchdog)))
    return;
  lua_pushcfunction(k->L, play_sound);
  sp_push_anchor(k->L, k->c, p);
  lua_pushinteger(k->L, (lua_Integer)which);
  sp_push_object(k->L, object);
  if (sp_door(k->L, k->c, 3, 0, true) != LUA_OK)
    report_sound(k);
}

static bool on_spawn_heard(void *ud, sp_pool *core, sp_ref object, bool fresh)
{
  const call k = begin_call(ud, SP_HOOK_SPAWN);
  bool stays = on_spawn(ud, core, object, fresh);
  if (stays)
    sound(&k, SP_SOUND_SPAWN, object);
  return stays;
}

/* recycle_all and the end of a pool are silent: a cleared level should not play the sound of each object in it. */
static void on_despawn_heard(void *ud, sp_pool *core, sp_ref object, sp_why why)
{
  const call k = begin_call(ud, SP_HOOK_DESPAWN);
  on_despawn(ud, core, object, why);
  if (why != SP_WHY_CLEARED && why != SP_WHY_REMOVED)
    sound(&k, SP_SOUND_RECYCLE, object);
}

/* Only objects of the default manager are drawn, and only those are heard. */
static bool is_heard(const sp_lua_pool *p, sp_sound which)
{
  const sp_context *c = p->manager->context;
  return p->sounds >> which & 1 && c->on_sound && p->manager == c->default_manager;
}

/* }== */

sp_hooks sp_hooks_for(sp_lua_pool *p)
{
  uint32_t has = p->hooks;
  return (sp_hooks){
      .ud = p,
      .recycle = has >> SP_HOOK_RECYCLE & 1 ? recycle : NULL,
      .on_create = has >> SP_HOOK_CREATE & 1 ? on_create : NULL,
      .on_spawn = is_heard(p, SP_SOUND_SPAWN) ? on_spawn_heard
                  : has >> SP_HOOK_SPAWN & 1  ? on_spawn
                                              : NULL,
      .on_despawn = is_heard(p, SP_SOUND_RECYCLE) ? on_despawn_heard
                    : has >> SP_HOOK_DESPAWN & 1  ? on_despawn
                                                  : NULL,
      .on_reject = has >> SP_HOOK_REJECT & 1 ? on_reject : NULL,
      .on_destroy = has >> SP_HOOK_DESTROY & 1 || p->values ? on_destroy : NULL,
      .on_overflow = has >> SP_HOOK_OVERFLOW & 1 ? on_overflow : NULL,
      .update = has >> SP_HOOK_UPDATE & 1 ? update : NULL,
      .on_end = p->value_reset || p->manager->trace ? on_end : NULL,
  };
}
