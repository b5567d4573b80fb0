#include "script/bind/value_columns.h"

#include <string.h>

#include "script/bind/fields.h"
#include "script/state/arguments.h"

#include "script/state/careful.h"

/* {== Filling ============================================================ */

static uint64_t bit_of(int i) { return (uint64_t)1 << (SP_FIELDS + i); }

static int key_of(const sp_pool_plan *plan, int i)
{
  return plan->fresh & bit_of(i) ? SP_COLUMN_FRESH : SP_COLUMN_DEFAULT;
}

/* An empty seat reads as none at all, and can be written without memory. */
static void make_seat(void *ud, uint32_t slot)
{
  lua_State *L = ud;
  if (sp_raw_geti(L, -1, slot) == LUA_TNIL) {
    lua_pushlightuserdata(L, (void *)&sp_empty_seat);
    sp_raw_seti(L, -3, slot);
  }
  lua_pop(L, 1);
}

/* The table of a field that goes on, on top, gets another default: room for it, and for the old one in objects. */
static void continue_column(lua_State *L, sp_pool_plan *plan, int i, int defaults)
{
  int column = lua_gettop(L), key = key_of(plan, i);
  if (sp_raw_geti(L, column, key) == LUA_TNIL) {
    lua_pushvalue(L, column); /* the table itself stands for nil */
    lua_replace(L, column + 1);
    lua_pushvalue(L, column);
    sp_raw_seti(L, column, key);
  }
  if (sp_raw_geti(L, defaults, SP_FIELDS + i) == LUA_TNIL)
    lua_pushvalue(L, column);
  if (!sp_raw_equal(L, column + 1, -1)) {
    plan->continued |= bit_of(i);
    lua_settop(L, column);
    if (key == SP_COLUMN_DEFAULT && !plan->fields[i].live)
      sp_pool_each_slot(plan->handle.core, true, plan->fields[i].keep, make_seat, L);
  }
  lua_settop(L, column);
}

/* Pushes the table of the pool's field of the same name, and returns what it is; SP_NO_KEY, and nothing pushed, when
   that holds something else. The pool's tables are at `values`. */
static uint32_t push_old_column(lua_State *L, const sp_pool_plan *plan, int i, int values)
{
  const sp_lua_pool *p = &plan->handle;
  uint32_t old = p->names ? sp_keymap_find_text(p->names, plan->fields[i].name) : SP_NO_KEY;
  if (old == SP_NO_KEY || SP_NAME_KIND(old) != SP_NAME_VALUE || plan->retyped & bit_of(i))
    return SP_NO_KEY;
  sp_raw_geti(L, values, SP_NAME_WHAT(old));
  return old;
}

/* Pushes the table of field i. */
static void push_column(lua_State *L, sp_pool_plan *plan, int i, int old_values, int defaults)
{
  uint64_t kept = plan->handle.values & ~plan->handle.value_reset;
  uint32_t old = push_old_column(L, plan, i, old_values);
  if (old != SP_NO_KEY) {
    continue_column(L, plan, i, defaults);
    if (kept >> SP_NAME_WHAT(old) & 1 && !plan->fields[i].keep)
      plan->unkept |= bit_of(i);
  } else {
    lua_createtable(L, 0, 1);
    sp_raw_geti(L, defaults, SP_FIELDS + i);
    sp_raw_seti(L, -2, key_of(plan, i));
  }
}

void sp_value_columns_fill(lua_State *L, sp_pool_plan *plan, int from, int index)
{
  int old_values = lua_gettop(L) + 1, fields = old_values + 1, values = old_values + 2, defaults = old_values + 3;
  uint64_t all = 0, reset = 0;
  lua_getiuservalue(L, index, SP_PLAN_POOL);
  lua_getiuservalue(L, -1, SP_POOL_VALUES);
  lua_replace(L, old_values);
  lua_getfield(L, from, "fields");
  lua_newtable(L);
  lua_newtable(L);
  for (int i = 0; i < plan->desc.field_count; i++) {
    if (SP_NAME_KIND(plan->packed[i]) != SP_NAME_VALUE)
      continue;
    sp_raw_geti(L, fields, i + 1);
    lua_getfield(L, -1, "default");
    sp_raw_seti(L, defaults, SP_FIELDS + i);
    lua_pop(L, 1);
    push_column(L, plan, i, old_values, defaults);
    sp_raw_seti(L, values, SP_FIELDS + i);
    all |= bit_of(i);
    reset |= plan->fields[i].keep ? 0 : bit_of(i);
  }
  plan->handle.values = all;
  plan->handle.value_reset = reset;
  plan->handle.values_any = plan->any;
  plan->handle.values_fresh = plan->fresh;
  lua_setiuservalue(L, index, SP_PLAN_DEFAULTS);
  lua_setiuservalue(L, index, SP_POOL_VALUES);
  lua_settop(L, old_values - 1);
}

/* }== */

/* {== Taking over ========================================================= */

/* These write seats that are there. The column's table lies below the old default, which is on top. */
static void hold_default(void *ud, uint32_t slot)
{
  lua_State *L = ud;
  sp_raw_geti(L, -2, slot);
  bool is_empty = sp_seat_is_empty(L, -1);
  lua_pop(L, 1);
  if (is_empty) {
    lua_pushvalue(L, -1);
    sp_raw_seti(L, -3, slot);
  }
}

static void empty_seat(void *ud, uint32_t slot)
{
  lua_State *L = ud;
  if (sp_raw_geti(L, -2, slot) != LUA_TNIL) {
    lua_pushlightuserdata(L, (void *)&sp_empty_seat);
    sp_raw_seti(L, -4, slot);
  }
  lua_pop(L, 1);
}

static void drop_default(void *ud, uint32_t slot)
{
  lua_State *L = ud;
  sp_raw_geti(L, -2, slot);
  bool is_same = sp_raw_equal(L, -1, -2);
  lua_pop(L, 1);
  if (is_same)
    empty_seat(L, slot);
}

/* The column's table is on top. */
static void take_column(lua_State *L, const sp_pool_plan *plan, int i, int defaults)
{
  const sp_pool *p = plan->handle.core;
  const sp_field *field = &plan->fields[i];
  int column = lua_gettop(L), key = key_of(plan, i);
  sp_raw_geti(L, column, key);
  if (plan->unkept & bit_of(i))
    sp_pool_each_slot(p, false, true, empty_seat, L);
  if (plan->continued & bit_of(i)) {
    if (key == SP_COLUMN_DEFAULT)
      sp_pool_each_slot(p, true, field->keep, field->live ? drop_default : hold_default, L);
    if (sp_raw_geti(L, defaults, SP_FIELDS + i) == LUA_TNIL)
      lua_pushvalue(L, column);
    sp_raw_seti(L, column, key);
  }
  lua_settop(L, column);
}

void sp_value_columns_take(lua_State *L, const sp_pool_plan *plan, int index)
{
  int values = lua_gettop(L) + 1, defaults = values + 1;
  lua_getiuservalue(L, index, SP_POOL_VALUES);
  lua_getiuservalue(L, index, SP_PLAN_DEFAULTS);
  for (int i = 0; i < plan->desc.field_count; i++)
    if ((plan->continued | plan->unkept) & bit_of(i)) {
      sp_raw_geti(L, values, SP_FIELDS + i);
      take_column(L, plan, i, defaults);
      lua_settop(L, defaults);
    }
  lua_settop(L, values - 1);
}

/* }== */
