/*
** A pool follows its class when that changes: its description, or only its functions.
*/
#include "script/plan.h"

/* Settings that the class did not change stay as the game has set them. */
static void merge_settings(sp_lua_pool *p, sp_settings *new)
{
  const sp_settings described = *new, now = sp_pool_settings(p->core), *was = &p->described;
  if (new->limit == was->limit)
    new->limit = now.limit;
  if (new->idle_limit == was->idle_limit)
    new->idle_limit = now.idle_limit;
  if (new->grow == was->grow)
    new->grow = now.grow;
  if (new->overflow != was->overflow)
    p->overflow_set = false;
  else if (p->overflow_set)
    new->overflow = now.overflow;
  p->described = described;
}

/* What a pool was before it changed. Its user values lie on the stack, from `first` on. */
typedef struct former {
  sp_lua_pool handle;
  const void *layout;
  int first;
} former;

static const int changing[] = {SP_POOL_CLASS, SP_POOL_KEYMAP, SP_POOL_VALUES, SP_POOL_METHODS};
enum { CHANGING = sizeof changing / sizeof *changing };

static former remember(lua_State *L, const sp_lua_pool *p, int pool)
{
  former f = {*p, p->core->layout.initial, lua_gettop(L) + 1};
  for (int i = 0; i < CHANGING; i++)
    lua_getiuservalue(L, pool, changing[i]);
  for (int hook = 0; hook < SP_HOOK_COUNT; hook++)
    lua_getiuservalue(L, pool, SP_POOL_HOOKS + hook);
  return f;
}

/* Allocates nothing. */
static void restore(lua_State *L, sp_lua_pool *p, int pool, const former *f)
{
  for (int i = 0; i < CHANGING; i++) {
    lua_pushvalue(L, f->first + i);
    lua_setiuservalue(L, pool, changing[i]);
  }
  for (int hook = 0; hook < SP_HOOK_COUNT; hook++) {
    lua_pushvalue(L, f->first + CHANGING + hook);
    lua_setiuservalue(L, pool, SP_POOL_HOOKS + hook);
  }
  *p = f->handle;
}

/* adopt(handle, description, pool) */
static int adopt(lua_State *L)
{
  sp_lua_pool *p = lua_touserdata(L, 1);
  sp_context *c = p->manager->context;
  const int from = 2, pool = 3;
  luaL_checkstack(L, 20, NULL);
  lua_getfield(L, from, "class");
  lua_setiuservalue(L, pool, SP_POOL_CLASS);
  sp_pool_plan *plan = lua_newuserdatauv(L, sizeof *plan, 0);
  sp_plan_read(L, c, plan, sp_pool_type(p->core), from);
  merge_settings(p, &plan->desc.settings);
  sp_plan_functions(L, p, from, pool);
  sp_plan_values(L, p, plan, from, pool);
  p->fields = sp_plan_keymap(L, plan, from, pool);
  plan->desc.hooks = sp_hooks_for(p);
  lua_State *outer = sp_begin(c, L);
  sp_result why = sp_pool_redefine(p->core, &plan->desc);
  sp_finish(c, outer);
  if (why != SP_OK)
    return luaL_error(L, "cannot change the pool of '%s': %s", sp_pool_type(p->core), sp_result_text(why));
  return 0;
}

/* When that fails the pool is as it was: names must never be told columns that it does not have. */
static void adopt_description(lua_State *L, sp_lua_pool *p, int from, int pool)
{
  former f = remember(L, p, pool);
  lua_pushcfunction(L, adopt);
  lua_pushlightuserdata(L, p);
  lua_pushvalue(L, from);
  lua_pushvalue(L, pool);
  if (lua_pcall(L, 3, 0, 0) == LUA_OK)
    return;
  if (p->core && p->core->layout.initial == f.layout)
    restore(L, p, pool, &f);
  lua_error(L);
}

void sp_pool_adopt_class(lua_State *L, sp_lua_pool *p, bool all)
{
  luaL_checkstack(L, 40, NULL);
  int top = lua_gettop(L), from = top + 2, pool = top + 3;
  lua_pushstring(L, sp_pool_type(p->core));
  sp_push_description(L, p->manager, -1);
  sp_push_anchor(L, p->manager->context, p);
  if (all) {
    adopt_description(L, p, from, pool);
  } else {
    lua_getfield(L, from, "class");
    lua_setiuservalue(L, pool, SP_POOL_CLASS);
    sp_plan_functions(L, p, from, pool);
    sp_hooks hooks = sp_hooks_for(p);
    sp_pool_set_hooks(p->core, &hooks);
  }
  lua_settop(L, top);
}
