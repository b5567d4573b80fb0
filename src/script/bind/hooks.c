/*
** The core's hooks of a pool, which call functions of Lua. No error passes the core by longjmp: an error of on_spawn
** waits on the stack of the alloc that the core works for, which raises it; all others are reported, and the core
** finishes its work. A hook may be called again after its new code was taken back; the pool is looked up again then.
*/
#include "script/bind/hooks.h"

#include <stdio.h>

#include "script/bind/fields.h"
#include "script/guard/door.h"
#include "script/guard/watchdog.h"
#include "script/state/arguments.h"
#include "script/state/report.h"

#include "script/state/careful.h"

#define STACK_NEEDED 16

/* A call of the core into Lua. Nothing is popped meanwhile: at the end the stack is cut back to `top`. */
typedef struct call {
  sp_context *c;
  lua_State *L;
  uint64_t pool; /* id */
  sp_hook hook;
  sp_ref object;    /* the first argument after the pool; SP_NULL_REF: none */
  int top, handler; /* of the stack: before the call, and the message handler's index or 0 */
} call;

static inline call begin_call(const spl_pool *p, sp_hook hook, sp_ref object)
{
  sp_context *c = sp_held_pool(p)->manager->context;
  c->crossings++;
  return (call){.c = c, .L = c->L, .pool = p->id, .hook = hook, .object = object, .top = lua_gettop(c->L)};
}

static inline void end_call(const call *k) { lua_settop(k->L, k->top); }

/* Code that is stopped up to its outermost door calls no more hooks, because there may be millions of objects. */
static inline bool is_stopping(const sp_context *c) { return c->watchdog && sp_watchdog_is_stopping(c->watchdog); }

/* Pushes the function, the pool and the object. Returns false when the stack has no room, the function is gone, or the
   code is being stopped. An error gets a traceback if `traced`; else alloc will raise it unchanged. */
static inline bool push_hook(call *k, const spl_pool *p, bool traced)
{
  lua_State *L = k->L;
  if (!lua_checkstack(L, STACK_NEEDED) || !(p->hooks >> k->hook & 1) || is_stopping(k->c))
    return false;
  k->handler = sp_door_handler(L, traced);
  const bool is_own = k->hook == SP_HOOK_OVERFLOW && p->overflow_set;
  if (sp_find_user_value(L, k->c, p, is_own ? SP_POOL_OVERFLOW : SP_POOL_HOOKS + (int)k->hook) == LUA_TNIL)
    return false; /* its manager was collected */
  if (sp_is_switched_off(L, k->c, sp_pool_desc_of(p->core)->type, sp_hook_names[k->hook]))
    return false;
  lua_pushvalue(L, -2);
  if (k->object)
    sp_push_object(L, k->object);
  return true;
}

/* Reports and pops an error: "Bullet.on_despawn: ...". That of a hook in a call of the host is kept for it. */
static void report_call(const call *k, const char *what)
{
  char where[256];
  const spl_pool *p = sp_pool_from_id(k->c, k->pool);
  if (sp_is_host_call(k->L, k->c)) {
    sp_push_kept(k->L, k->c, SP_KEPT_ERROR);
    lua_pushvalue(k->L, -2);
    sp_raw_seti(k->L, -2, 1); /* the seat is there already: this cannot fail */
    lua_pop(k->L, 1);
  }
  snprintf(where, sizeof where, "%s.%s", p ? sp_pool_desc_of(p->core)->type : "class", what);
  sp_report_error(k->L, k->c, where);
}

/* A hook has used all the time of a call. */
static void note_endless(const call *k)
{
  const spl_pool *p = sp_pool_from_id(k->c, k->pool);
  if (!p || sp_find_user_value(k->L, k->c, p, SP_POOL_HOOKS + (int)k->hook) == LUA_TNIL)
    return;
  sp_note_stop(k->L, k->c, sp_pool_desc_of(p->core)->type, sp_hook_names[k->hook]);
}

/* Handles the error on top. If new code failed, the version before comes back, and the pool is returned to call the
   hook again. Else the error is reported, and NULL returned. */
static SP_COLD const spl_pool *heal(const call *k)
{
  const bool healed = sp_revert(k->L, k->c), is_endless = !healed && sp_was_endless(k->L, k->c);
  if (!healed)
    report_call(k, sp_hook_names[k->hook]);
  if (is_endless)
    note_endless(k);
  end_call(k);
  return healed ? sp_pool_from_id(k->c, k->pool) : NULL;
}

/* Calls what push_hook and the caller pushed, with `nargs` arguments after the pool. Returns NULL, or the pool when the
   hook must be called again. */
static inline const spl_pool *call_hook(const call *k, const spl_pool *p, int nargs)
{
  return SP_LIKELY(sp_hook_door(k->L, p, nargs + 1, 0, k->handler) == LUA_OK) ? NULL : heal(k);
}

static void run_simple(spl_pool *p, sp_pool *core, sp_hook hook, sp_ref object)
{
  call k = begin_call(p, hook, object);
  p->core = core; /* the first objects are made before sp_manager_add_pool returns */
  for (const spl_pool *again = p; again && push_hook(&k, again, true);)
    again = call_hook(&k, again, 1);
  end_call(&k);
}

static void on_create(void *ud, sp_pool *core, sp_ref object) { run_simple(ud, core, SP_HOOK_CREATE, object); }
static void on_reject(void *ud, sp_pool *core, sp_ref object) { run_simple(ud, core, SP_HOOK_REJECT, object); }

/* Leaves the error of on_spawn, on top, to the function of Lua that allocates: it is all that the hook leaves on the
   stack. A host has no such function, and gets a report. */
static SP_COLD void hand_over_error(const call *k)
{
  enum { HELD = 3 };
  lua_State *L = k->L;
  if (sp_is_host_call(k->L, k->c)) {
    lua_pushcfunction(L, spl_traceback);
    lua_insert(L, -2);
    lua_pcall(L, 1, 1, 0); /* without memory its error is all there is */
    report_call(k, sp_hook_names[k->hook]);
    end_call(k);
    return;
  }
  sp_hold_error(L, k->c);
  lua_rotate(L, k->top + 1, HELD);
  lua_settop(L, k->top + HELD);
}

static bool on_spawn(void *ud, sp_pool *core, sp_ref object, bool fresh)
{
  (void)core;
  const spl_pool *p = sp_held_pool(ud);
  call k = begin_call(p, SP_HOOK_SPAWN, object);
  while (p && push_hook(&k, p, false)) {
    lua_pushboolean(k.L, fresh);
    if (SP_LIKELY(sp_hook_door(k.L, p, 3, 0, k.handler) == LUA_OK))
      break;
    if (!sp_revert(k.L, k.c)) {
      hand_over_error(&k);
      return false;
    }
    end_call(&k);
    p = sp_pool_from_id(k.c, k.pool);
  }
  end_call(&k);
  return true;
}

/* Pushes the name of a reason. */
static inline void push_why(const call *k, sp_why why) { sp_raw_geti(k->L, LUA_REGISTRYINDEX, k->c->whys[why]); }

static void on_despawn(void *ud, sp_pool *core, sp_ref object, sp_why why)
{
  (void)core;
  const spl_pool *p = sp_held_pool(ud);
  call k = begin_call(p, SP_HOOK_DESPAWN, object);
  while (p && push_hook(&k, p, true)) {
    push_why(&k, why);
    p = call_hook(&k, p, 2);
  }
  end_call(&k);
}

/* Returns whether the life is still dying and the override has not called its base. After that call, nothing can be
   undone. */
static bool wants_base(const call *k)
{
  const spl_manager *m = sp_manager_of(k->c, k->object);
  return m && !sp_base_is_called(m->core, k->object);
}

static void recycle(void *ud, sp_pool *core, sp_ref object, sp_why why)
{
  (void)core;
  const spl_pool *p = sp_held_pool(ud);
  call k = begin_call(p, SP_HOOK_RECYCLE, object);
  while (p && push_hook(&k, p, true)) {
    push_why(&k, why);
    if (SP_LIKELY(sp_hook_door(k.L, p, 3, 0, k.handler) == LUA_OK)) {
      end_call(&k);
      return;
    }
    p = heal(&k);
    if (!wants_base(&k))
      return;
  }
  end_call(&k);
  if (wants_base(&k))
    sp_object_recycle_base(sp_manager_of(k.c, object)->core, object);
}

/* An overflow function has returned the value on top. Nothing and false refuse; what else is no live object of the pool
   is a mistake. */
static void check_victim(const call *k, sp_ref victim)
{
  const spl_pool *p = sp_pool_from_id(k->c, k->pool);
  if (p && !(sp_object_is_live(p->manager->core, victim) && sp_ref_is_of(p->manager->core, victim, p->core)))
    sp_report_victim(k->L, p, -1);
}

static sp_ref on_overflow(void *ud, sp_pool *core)
{
  (void)core;
  const spl_pool *p = sp_held_pool(ud);
  call k = begin_call(p, SP_HOOK_OVERFLOW, SP_NULL_REF);
  sp_ref victim = SP_NULL_REF;
  while (p && push_hook(&k, p, true)) {
    if (sp_hook_door(k.L, p, 1, 1, k.handler) == LUA_OK) {
      victim = lua_islightuserdata(k.L, -1) ? sp_to_object(k.L, -1) : SP_NULL_REF;
      if (lua_toboolean(k.L, -1))
        check_victim(&k, victim);
      break;
    }
    p = heal(&k);
  }
  end_call(&k);
  return victim;
}

static void update(void *ud, sp_pool *core, double dt)
{
  (void)core;
  const spl_pool *p = sp_held_pool(ud);
  call k = begin_call(p, SP_HOOK_UPDATE, SP_NULL_REF);
  while (p && push_hook(&k, p, true)) {
    lua_pushnumber(k.L, dt);
    p = call_hook(&k, p, 1);
  }
  end_call(&k);
}

/* Empties seats that are taken, which allocates nothing. */
static void forget_values(spl_pool *p, uint64_t columns, uint32_t slot)
{
  lua_State *L = p->manager->context->L;
  if (!lua_checkstack(L, STACK_NEEDED))
    return;
  int top = lua_gettop(L);
  if (sp_find_user_value(L, p->manager->context, p, SP_POOL_VALUES) == LUA_TNIL)
    columns = 0;
  for (uint64_t mask = columns; mask; mask &= mask - 1) {
    sp_raw_geti(L, -1, __builtin_ctzll(mask));
    if (sp_raw_geti(L, -1, slot) != LUA_TNIL) {
      lua_pushlightuserdata(L, (void *)&sp_empty_seat);
      sp_raw_seti(L, -3, slot);
    }
    lua_pop(L, 2);
  }
  lua_settop(L, top);
}

void sp_forget_values(spl_pool *p, uint32_t slot)
{
  if (p->value_reset)
    forget_values(p, p->value_reset, slot);
}

/* Values beside the columns end with the life, so that an idle object holds nothing alive; kept ones with the
   object. */
static void on_end(void *ud, sp_pool *core, sp_ref object, sp_why why)
{
  (void)core;
  spl_pool *p = sp_held_pool(ud);
  if (p->manager->trace)
    sp_trace_end(p->manager, object, why);
  if (p->manager->context->watch)
    p->manager->context->calls.ended(p->manager->context, object, why);
  sp_forget_values(p, sp_ref_slot(object));
}

static void on_destroy(void *ud, sp_pool *core, sp_ref object)
{
  spl_pool *p = sp_held_pool(ud);
  const sp_context *c = p->manager->context;
  const uint64_t id = p->id;
  if (p->hooks >> SP_HOOK_DESTROY & 1)
    run_simple(p, core, SP_HOOK_DESTROY, object);
  p = sp_pool_from_id(c, id);
  if (p)
    forget_values(p, p->values, sp_ref_slot(object));
}

static void restored(const spl_pool *p, sp_ref object)
{
  call k = begin_call(p, SP_HOOK_RESTORE, object);
  while (p && sp_object_is_live(p->manager->core, object) && push_hook(&k, p, true))
    p = call_hook(&k, p, 1);
  end_call(&k);
}

/* Objects that hooks recycle are not visited, nor those that they allocate. */
void sp_hooks_restored(lua_State *L, sp_context *c, uint64_t manager)
{
  const spl_manager *m = sp_manager_from_id(c, manager);
  const uint64_t serial = m ? sp_serial(m->core) : 0;
  sp_ref object = SP_NULL_REF;
  lua_State *outer = sp_begin(c, L);
  while ((m = sp_manager_from_id(c, manager)) && (object = sp_next_live(m->core, serial, object)) != SP_NULL_REF) {
    const spl_pool *p = spl_pool_of(sp_object_pool(m->core, object));
    const uint64_t pool = p->id;
    if (!(p->hooks >> SP_HOOK_RESTORE & 1))
      continue;
    sp_pool_enter(p->core); /* until sp_pool_leave the pool cannot be removed */
    restored(p, object);
    p = sp_pool_from_id(c, pool);
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
  sp_raw_geti(L, -1, which);
  if (lua_type(L, -1) == LUA_TSTRING)
    c->on_sound(c->sound_ud, L, object, lua_tostring(L, -1));
  return 0;
}

/* Plays nothing when a hook has recycled the object meanwhile. */
static void sound(const call *k, sp_sound which)
{
  const spl_pool *p = sp_pool_from_id(k->c, k->pool);
  if (!p || sp_object_check(p->manager->core, k->object) != SP_OK || !lua_checkstack(k->L, STACK_NEEDED) ||
      is_stopping(k->c))
    return;
  const int handler = sp_door_handler(k->L, true);
  lua_pushcfunction(k->L, play_sound);
  sp_push_anchor(k->L, k->c, p);
  lua_pushinteger(k->L, (lua_Integer)which);
  sp_push_object(k->L, k->object);
  if (sp_door(k->L, k->c, 3, 0, handler) != LUA_OK)
    report_call(k, "sound");
  end_call(k);
}

static bool on_spawn_heard(void *ud, sp_pool *core, sp_ref object, bool fresh)
{
  const call k = begin_call(ud, SP_HOOK_SPAWN, object);
  bool stays = on_spawn(ud, core, object, fresh);
  if (stays)
    sound(&k, SP_SOUND_SPAWN);
  return stays;
}

/* recycle_all and the end of a pool are silent: a cleared level should not play the sound of each object in it. So is
   what is given back: nobody has seen it. */
static void on_despawn_heard(void *ud, sp_pool *core, sp_ref object, sp_why why)
{
  const call k = begin_call(ud, SP_HOOK_DESPAWN, object);
  on_despawn(ud, core, object, why);
  if (why != SP_WHY_RECYCLED_ALL && why != SP_WHY_REMOVED && why != SP_WHY_CANCELLED)
    sound(&k, SP_SOUND_RECYCLE);
}

/* Only objects of the default manager are drawn, and only those are heard. */
static bool is_heard(const spl_pool *p, sp_sound which)
{
  const sp_context *c = p->manager->context;
  return p->sounds >> which & 1 && c->on_sound && p->manager == c->default_manager;
}

/* }== */

sp_pool_hooks sp_hooks_for(spl_pool *p)
{
  uint32_t has = p->hooks;
  return (sp_pool_hooks){
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
      .on_end = p->value_reset || p->manager->trace || p->manager->context->watch ? on_end : NULL,
  };
}
