/*
** What the core calls on a pool's behalf, carried into Lua. Nothing leaves here by longjmp: errors of on_spawn wait in
** the context for alloc to raise them; all others are reported, and the core finishes its work.
*/
#include "script/hook_clock.h"
#include "script/object.h"
#include "script/reload.h"

#define STACK_NEEDED 16

static const char *const hook_names[] = {
#define NAME(code, name) name,
    SP_HOOKS(NAME)
#undef NAME
};

/* Pushes the function and the pool; false when there is no room, or no such function (any more). */
static bool push_hook(lua_State *L, sp_lua_pool *p, sp_hook hook)
{
  if (!lua_checkstack(L, STACK_NEEDED) || !(p->hooks >> hook & 1))
    return false;
  sp_push_anchor(L, p->manager->context, p);
  lua_getiuservalue(L, -1, SP_POOL_HOOKS + (int)hook);
  lua_insert(L, -2);
  return true;
}

static void report_hook(lua_State *L, sp_lua_pool *p, sp_hook hook)
{
  /* "Bullet.on_despawn", without allocating where an error could not be caught. */
  char where[128];
  lua_Integer length = 0;
  for (const char *s = sp_pool_type(p->core); *s && length < 90; s++)
    where[length++] = *s;
  where[length++] = '.';
  for (const char *s = hook_names[hook]; *s; s++)
    where[length++] = *s;
  where[length] = '\0';
  sp_report_error(L, p->manager->context, where);
}

typedef enum outcome { RETURNED, FAILED, AGAIN } outcome;

/* Calls what push_hook and the caller pushed; reports an error. AGAIN: that was new code, and its last good version is
   back in force. */
static outcome call_hook(lua_State *L, sp_lua_pool *p, sp_hook hook, int nargs)
{
  if (sp_hook_door(L, p, nargs + 1, 0, true) == LUA_OK)
    return RETURNED;
  if (sp_reload_heal(L, p->manager->context)) {
    lua_pop(L, 1);
    return AGAIN;
  }
  report_hook(L, p, hook);
  return FAILED;
}

static void run_simple(sp_lua_pool *p, sp_pool *core, sp_hook hook, sp_ref object)
{
  lua_State *L = p->manager->context->L;
  p->core = core; /* the first objects are made before sp_pool_open returns */
  do {
    if (!push_hook(L, p, hook))
      return;
    sp_push_object(L, object);
  } while (call_hook(L, p, hook, 1) == AGAIN);
}

static void on_create(void *ud, sp_pool *core, sp_ref object) { run_simple(ud, core, SP_HOOK_CREATE, object); }
static void on_reject(void *ud, sp_pool *core, sp_ref object) { run_simple(ud, core, SP_HOOK_REJECT, object); }

static bool on_spawn(void *ud, sp_pool *core, sp_ref object, bool fresh)
{
  (void)core;
  sp_lua_pool *p = ud;
  sp_context *c = p->manager->context;
  lua_State *L = c->L;
  for (;;) {
    if (!push_hook(L, p, SP_HOOK_SPAWN))
      return true;
    sp_push_object(L, object);
    lua_pushboolean(L, fresh);
    if (sp_hook_door(L, p, 3, 0, false) == LUA_OK)
      return true;
    if (!sp_reload_heal(L, c))
      break;
    lua_pop(L, 1);
  }
  sp_push_kept(L, c, SP_KEPT_ERROR);
  lua_insert(L, -2);
  lua_rawseti(L, -2, 1); /* the seat is there already: this cannot fail */
  lua_pop(L, 1);
  return false;
}

static void on_despawn(void *ud, sp_pool *core, sp_ref object, sp_why why)
{
  (void)core;
  sp_lua_pool *p = ud;
  lua_State *L = p->manager->context->L;
  do {
    if (!push_hook(L, p, SP_HOOK_DESPAWN))
      return;
    sp_push_object(L, object);
    sp_push_why(L, p->manager->context, why);
  } while (call_hook(L, p, SP_HOOK_DESPAWN, 2) == AGAIN);
}

/* Whether the base call of an object's recycle has been made: what an override does after that cannot be undone. */
static bool is_based(const sp_manager *m, sp_ref object)
{
  for (const sp_dying *frame = m->dying; frame; frame = frame->outer)
    if (frame->slot == sp_ref_slot(object))
      return frame->based;
  return true;
}

static void recycle(void *ud, sp_pool *core, sp_ref object, sp_why why)
{
  sp_lua_pool *p = ud;
  lua_State *L = p->manager->context->L;
  outcome out = FAILED;
  do {
    if (!push_hook(L, p, SP_HOOK_RECYCLE))
      break;
    sp_push_object(L, object);
    sp_push_why(L, p->manager->context, why);
    out = call_hook(L, p, SP_HOOK_RECYCLE, 2);
  } while (out == AGAIN && !is_based(sp_pool_manager(core), object));
  if (out != RETURNED)
    sp_recycle_base(sp_pool_manager(core), object);
}

static sp_ref on_overflow(void *ud, sp_pool *core)
{
  (void)core;
  sp_lua_pool *p = ud;
  lua_State *L = p->manager->context->L;
  for (;;) {
    if (!push_hook(L, p, SP_HOOK_OVERFLOW))
      return SP_NONE_REF;
    if (sp_hook_door(L, p, 1, 1, true) == LUA_OK)
      break;
    if (!sp_reload_heal(L, p->manager->context)) {
      report_hook(L, p, SP_HOOK_OVERFLOW);
      return SP_NONE_REF;
    }
    lua_pop(L, 1);
  }
  sp_ref victim = lua_islightuserdata(L, -1) ? sp_to_object(L, -1) : SP_NONE_REF;
  lua_pop(L, 1);
  return victim;
}

static void update(void *ud, sp_pool *core, double dt)
{
  (void)core;
  sp_lua_pool *p = ud;
  lua_State *L = p->manager->context->L;
  do {
    if (!push_hook(L, p, SP_HOOK_UPDATE))
      return;
    lua_pushnumber(L, dt);
  } while (call_hook(L, p, SP_HOOK_UPDATE, 1) == AGAIN);
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

/* Values beside the columns end with the life, so that an idle object holds nothing alive; kept ones with the object. */
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
  if (p->hooks >> SP_HOOK_DESTROY & 1)
    run_simple(p, core, SP_HOOK_DESTROY, object);
  forget_values(p, p->values, sp_ref_slot(object));
}

sp_hooks sp_hooks_for(sp_lua_pool *p)
{
  uint32_t has = p->hooks;
  return (sp_hooks){
      .ud = p,
      .recycle = has >> SP_HOOK_RECYCLE & 1 ? recycle : NULL,
      .on_create = has >> SP_HOOK_CREATE & 1 ? on_create : NULL,
      .on_spawn = has >> SP_HOOK_SPAWN & 1 ? on_spawn : NULL,
      .on_despawn = has >> SP_HOOK_DESPAWN & 1 ? on_despawn : NULL,
      .on_reject = has >> SP_HOOK_REJECT & 1 ? on_reject : NULL,
      .on_destroy = has >> SP_HOOK_DESTROY & 1 || p->values ? on_destroy : NULL,
      .on_overflow = has >> SP_HOOK_OVERFLOW & 1 ? on_overflow : NULL,
      .update = has >> SP_HOOK_UPDATE & 1 ? update : NULL,
      .on_end = p->value_reset || p->manager->trace ? on_end : NULL,
  };
}
