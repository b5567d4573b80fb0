/*
** A pool follows its class when that changes: its description, or only its functions.
*/
#include <string.h>

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

/* Kinds whose cells can be taken over as they are. */
static int family_of(uint32_t name)
{
  sp_name_kind kind = SP_NAME_KIND(name);
  return kind == SP_NAME_INTEGER ? SP_NAME_NUMBER : (int)kind;
}

/* The columns of own fields that go on under the same name and are something else now. */
static uint64_t retyped_columns(const sp_lua_pool *p, const sp_pool_plan *plan)
{
  uint64_t columns = 0;
  for (int i = 0; i < plan->desc.field_count; i++) {
    uint32_t old = sp_keymap_find_text(p->names, plan->fields[i].name);
    if (old != SP_NO_KEY && family_of(old) != family_of(plan->packed[i]))
      columns |= (uint64_t)1 << (SP_FIELDS + i);
  }
  return columns;
}

static void reset_columns(const sp_pool *p, uint64_t columns)
{
  for (uint64_t mask = columns; mask; mask &= mask - 1) {
    int column = __builtin_ctzll(mask);
    const sp_column_layout *c = &p->layout.columns[column];
    for (uint32_t k = 0; k < p->chunk_count; k++)
      for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++)
        memcpy(sp_slot_cell(p, p->chunks[k] * SP_CHUNK_SLOTS + i, column), p->layout.initial + c->initial, c->size);
  }
}

/* adopt(handle, description, pool) -> fields that are something else now */
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
  uint64_t retyped = retyped_columns(p, plan);
  sp_plan_functions(L, p, from, pool);
  sp_plan_values(L, p, plan, from, pool);
  sp_plan_names(L, p, plan, from, pool);
  plan->desc.hooks = sp_hooks_for(p);
  lua_State *outer = sp_begin(c, L);
  sp_result why = sp_pool_redefine(p->core, &plan->desc);
  sp_finish(c, outer);
  if (why != SP_OK)
    return luaL_error(L, "cannot change the pool of '%s': %s", sp_pool_type(p->core), sp_result_text(why));
  reset_columns(p->core, retyped);
  lua_pushinteger(L, __builtin_popcountll(retyped));
  return 1;
}

/* When that fails the pool is as it was: names must never be told columns that it does not have. */
static int adopt_description(lua_State *L, sp_lua_pool *p, int from, int pool)
{
  former f = remember(L, p, pool);
  lua_pushcfunction(L, adopt);
  lua_pushlightuserdata(L, p);
  lua_pushvalue(L, from);
  lua_pushvalue(L, pool);
  if (lua_pcall(L, 3, 1, 0) == LUA_OK)
    return (int)lua_tointeger(L, -1);
  if (p->core && p->core->layout.initial == f.layout)
    restore(L, p, pool, &f);
  return lua_error(L);
}

int sp_pool_adopt_class(lua_State *L, sp_lua_pool *p, bool all)
{
  luaL_checkstack(L, 40, NULL);
  int top = lua_gettop(L), from = top + 2, pool = top + 3, retyped = 0;
  lua_pushstring(L, sp_pool_type(p->core));
  sp_push_description(L, p->manager, -1);
  if (!p->core) { /* reading it has run code */
    lua_settop(L, top);
    return 0;
  }
  sp_push_anchor(L, p->manager->context, p);
  if (all) {
    retyped = adopt_description(L, p, from, pool);
  } else {
    lua_getfield(L, from, "class");
    lua_setiuservalue(L, pool, SP_POOL_CLASS);
    sp_plan_functions(L, p, from, pool);
    sp_hooks hooks = sp_hooks_for(p);
    sp_pool_set_hooks(p->core, &hooks);
  }
  lua_settop(L, top);
  return retyped;
}
