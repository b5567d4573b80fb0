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

/* What a call of the core into Lua begins with. Nothing is moved on the stack: who made the call cuts it back to `top`
   when all is over. */
typedef struct call {
  sp_context *c;
  lua_State *L;
  uint64_t pool; /* id */
  sp_hook hook;
  bool traced;      /* else an error waits for alloc to raise it, as it is */
  int top, handler; /* of the stack: before the call, and the message handler's index or 0 */
} call;

static inline call begin_call(const sp_lua_pool *p, sp_hook hook, bool traced)
{
  sp_context *c = p->manager->context;
  c->crossings++;
  return (call){.c = c, .L = c->L, .pool = p->id, .hook = hook, .traced = traced, .top = lua_gettop(c->L)};
}

static inline void end_call(const call *k) { lua_settop(k->L, k->top); }

/* Pushes the function and the pool; NULL when there is no room, no such function (any more), or no time: what is
   stopped up to its outermost door calls no more hooks, for there may be millions of objects. */
static inline const sp_lua_pool *push_hook(call *k)
{
  const sp_lua_pool *p = sp_pool_again(k->c, k->pool);
  if (!p || !lua_checkstack(k->L, STACK_NEEDED) || !(p->hooks >> k->hook & 1) ||
      (k->c->watchdog && sp_watchdog_is_stopping(k->c->watchdog)))
    return NULL;
  k->handler = sp_door_handler(k->L, k->c, k->traced);
  sp_find_anchor(k->L, k->c, p);
  lua_getiuservalue(k->L, -1, SP_POOL_HOOKS + (int)k->hook);
  lua_pushvalue(k->L, -2);
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

/* Calls what push_hook and the caller pushed. An error is reported. AGAIN: that was new code, and its last good version
   is back in force. */
static inline outcome call_hook(const call *k, const sp_lua_pool *p, int nargs, int nresults)
{
  if (SP_LIKELY(sp_hook_door(k->L, p, nargs + 1, nresults, k->handler) == LUA_OK))
    return RETURNED;
  if (sp_heal(k->L, k->c)) {
    lua_settop(k->L, k->top);
    return AGAIN;
  }
  report_hook(k);
  return FAILED;
}

static void run_simple(sp_lua_pool *p, sp_pool *core, sp_hook hook, sp_ref object)
{
  call k = begin_call(p, hook, true);
  const sp_lua_pool *again;
  p->core = core; /* the first objects are made before sp_add_pool returns */
  do {
    if (!(again = push_hook(&k)))
      break;
    sp_push_object(k.L, object);
  } while (call_hook(&k, again, 1, 0) == AGAIN);
  end_call(&k);
}

static void on_create(void *ud, sp_pool *core, sp_ref object) { run_simple(ud, core, SP_HOOK_CREATE, object); }
static void on_reject(void *ud, sp_pool *core, sp_ref object) { run_simple(ud, core, SP_HOOK_REJECT, object); }

/* The error on top waits in the context. */
static void keep_error(const call *k)
{
  sp_push_kept(k->L, k->c, SP_KEPT_ERROR);
  lua_insert(k->L, -2);
  lua_rawseti(k->L, -2, 1); /* the seat is there already: this cannot fail */
  end_call(k);
}

static bool on_spawn(void *ud, sp_pool *core, sp_ref object, bool fresh)
{
  (void)core;
  call k = begin_call(ud, SP_HOOK_SPAWN, false);
  lua_State *L = k.L;
  for (;;) {
    const sp_lua_pool *p = push_hook(&k);
    if (!p)
      break;
    sp_push_object(L, object);
    lua_pushboolean(L, fresh);
    if (SP_LIKELY(sp_hook_door(L, p, 3, 0, k.handler) == LUA_OK))
      break;
    if (!sp_heal(L, k.c)) {
      keep_error(&k);
      return false;
    }
    end_call(&k);
  }
  end_call(&k);
  return true;
}

static void on_despawn(void *ud, sp_pool *core, sp_ref object, sp_why why)
{
  (void)core;
  call k = begin_call(ud, SP_HOOK_DESPAWN, true);
  const sp_lua_pool *p;
  do {
    if (!(p = push_hook(&k)))
      break;
    sp_push_object(k.L, object);
    sp_push_why(k.L, k.c, why);
  } while (call_hook(&k, p, 2, 0) == AGAIN);
  end_call(&k);
}

static void recycle(void *ud, sp_pool *core, sp_ref object, sp_why why)
{
  (void)core;
  call k = begin_call(ud, SP_HOOK_RECYCLE, true);
  const sp_lua_manager *m = NULL;
  const sp_lua_pool *p;
  outcome out = FAILED;
  do {
    if (!(p = push_hook(&k)))
      break;
    sp_push_object(k.L, object);
    sp_push_why(k.L, k.c, why);
    out = call_hook(&k, p, 2, 0);
    m = sp_manager_of(k.c, object);
    /* What comes after the base call cannot be undone. */
  } while (out == AGAIN && m && !sp_is_based(m->core, object));
  end_call(&k);
  m = sp_manager_of(k.c, object);
  if (out != RETURNED && m)
    sp_recycle_base(m->core, object);
}

static sp_ref on_overflow(void *ud, sp_pool *core)
{
  (void)core;
  call k = begin_call(ud, SP_HOOK_OVERFLOW, true);
  const sp_lua_pool *p;
  outcome out;
  do
    out = (p = push_hook(&k)) != NULL ? call_hook(&k, p, 0, 1) : FAILED;
  while (out == AGAIN);
  sp_ref victim = out == RETURNED && lua_islightuserdata(k.L, -1) ? sp_to_object(k.L, -1) : SP_NONE_REF;
  end_call(&k);
  return victim;
}

static void update(void *ud, sp_pool *core, double dt)
{
  (void)core;
  call k = begin_call(ud, SP_HOOK_UPDATE, true);
  const sp_lua_pool *p;
  do {
    if (!(p = push_hook(&k)))
      break;
    lua_pushnumber(k.L, dt);
  } while (call_hook(&k, p, 1, 0) == AGAIN);
  end_call(&k);
}

/* Empties seats that are taken, which allocates nothing. */
static void forget_values(sp_lua_pool *p, uint64_t columns, uint32_t slot)
{
  lua_State *L = p->manager->context->L;
  if (!lua_checkstack(L, STACK_NEEDED))
    return;
  int top = lua_gettop(L);
  sp_find_anchor(L, p->manager->context, p);
  lua_getiuservalue(L, -1, SP_POOL_VALUES);
  for (uint64_t mask = columns; mask; mask &= mask - 1) {
    lua_rawgeti(L, -1, __builtin_ctzll(mask));
    if (lua_rawgeti(L, -1, slot) != LUA_TNIL) {
      lua_pushlightuserdata(L, (void *)&sp_empty_seat);
      lua_rawseti(L, -3, slot);
    }
    lua_pop(L, 2);
  }
  lua_settop(L, top);
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

static void restored(const sp_lua_pool *p, sp_ref object)
{
  call k = begin_call(p, SP_HOOK_RESTORE, true);
  const sp_lua_pool *again;
  do {
    const sp_lua_manager *m = sp_manager_of(k.c, object);
    if (!m || !sp_is_live(m->core, object) || !(again = push_hook(&k)))
      break;
    sp_push_object(k.L, object);
  } while (call_hook(&k, again, 1, 0) == AGAIN);
  end_call(&k);
}

/* Objects that hooks recycle are not visited, nor those that they allocate. */
void sp_hooks_restored(lua_State *L, sp_context *c, uint64_t manager)
{
  const sp_lua_manager *m = sp_manager_again(c, manager);
  const uint64_t serial = m ? sp_serial(m->core) : 0;
  sp_ref object = SP_NONE_REF;
  lua_State *outer = sp_begin(c, L);
  while ((m = sp_manager_again(c, manager)) && (object = sp_next_live(m->core, serial, object)) != SP_NONE_REF) {
    const sp_lua_pool *p = sp_lua_pool_of(sp_owner(m->core, object));
    const uint64_t pool = p->id;
    if (!(p->hooks >> SP_HOOK_RESTORE & 1))
      continue;
    sp_pool_enter(p->core); /* nothing removes the pool meanwhile */
    restored(p, object);
    p = sp_pool_again(c, pool);
    sp_pool_leave(p->core);
  }
  sp_finish(c, outer);
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
  const int handler = sp_door_handler(k->L, k->c, true);
  lua_pushcfunction(k->L, play_sound);
  sp_push_anchor(k->L, k->c, p);
  lua_pushinteger(k->L, (lua_Integer)which);
  sp_push_object(k->L, object);
  if (sp_door(k->L, k->c, 3, 0, handler) != LUA_OK)
    report_sound(k);
  end_call(k);
}

static bool on_spawn_heard(void *ud, sp_pool *core, sp_ref object, bool fresh)
{
  const call k = begin_call(ud, SP_HOOK_SPAWN, true);
  bool stays = on_spawn(ud, core, object, fresh);
  if (stays)
    sound(&k, SP_SOUND_SPAWN, object);
  return stays;
}

/* recycle_all and the end of a pool are silent: a cleared level should not play the sound of each object in it. */
static void on_despawn_heard(void *ud, sp_pool *core, sp_ref object, sp_why why)
{
  const call k = begin_call(ud, SP_HOOK_DESPAWN, true);
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
