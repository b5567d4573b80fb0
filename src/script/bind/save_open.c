/*
** Opens a manager from a save: first the current classes are read, which may run scripts; then the core is loaded and
** all of its pools are adapted, or nothing happens.
*/
#include "script/bind/save_open.h"

#include <string.h>

#include "script/bind/class_plan.h"
#include "script/bind/hooks.h"
#include "script/bind/lua_manager.h"
#include "script/bind/manager_close.h"
#include "script/bind/pool_create.h"
#include "script/bind/reachable.h"
#include "script/bind/run.h"
#include "script/bind/snapshots.h"
#include "script/bind/types.h"
#include "script/state/arguments.h"
#include "script/state/sprite_names.h"

#include "script/state/careful.h"

/* {== Sprites ============================================================ */

typedef struct sprite_map {
  sp_pool *pool;
  const uint16_t *numbers;
  uint32_t count;
} sprite_map;

static void move_sprite(void *ud, uint32_t slot)
{
  const sprite_map *map = ud;
  sp_look *look = sp_cell_at(sp_pool_manager(map->pool), &sp_view_of(map->pool)->columns[SP_LOOK], slot, sizeof *look);
  look->sprite = look->sprite < map->count ? map->numbers[look->sprite] : 0;
}

/* Gives all objects the sprite numbers of this state: `numbers` maps those of the save to them. */
static void move_sprites(const sp_manager *core, const uint16_t *numbers, uint32_t count)
{
  for (uint32_t i = 0; i < sp_count_pools(core); i++) {
    sprite_map map = {sp_get_pool(core, i), numbers, count};
    if (!sp_pool_is_spatial(map.pool))
      continue;
    sp_mark_written(map.pool, sp_view_of(map.pool)->columns[SP_LOOK].written);
    sp_pool_each_slot(map.pool, true, false, move_sprite, &map);
  }
}

/* Pushes the numbers that the sprites in a list have in this state. Raises on memory. */
static uint16_t *push_numbers(lua_State *L, sp_context *c, int sprites)
{
  const uint32_t count = (uint32_t)sp_raw_length(L, sprites);
  uint16_t *numbers = lua_newuserdatauv(L, (count + 1) * sizeof *numbers, 0);
  for (uint32_t i = 0; i < count; i++) {
    sp_raw_geti(L, sprites, (lua_Integer)i + 1);
    numbers[i] = sp_sprite_number(L, c, -1);
    lua_pop(L, 1);
  }
  return numbers;
}

/* }== */

/* {== Opening ============================================================ */

typedef struct bytes {
  const char *at;
  size_t left;
} bytes;

static size_t read_bytes(void *ud, void *to, size_t size)
{
  bytes *b = ud;
  size_t part = b->left < size ? b->left : size;
  memcpy(to, b->at, part);
  b->at += part;
  b->left -= part;
  return part;
}

enum { MANAGER = 1, STEP, CORE, PLANS, POOLS, SPRITES }; /* arguments of native.open_saved */

/* Returns whether the types of the core are those of the plans. */
static bool are_planned(lua_State *L, const sp_manager *core)
{
  uint32_t count = sp_count_pools(core);
  bool same = count == sp_raw_length(L, PLANS);
  for (uint32_t i = 0; same && i < count; i++) {
    sp_raw_geti(L, PLANS, (lua_Integer)i + 1);
    const sp_pool_plan *plan = sp_raw_block(L, -1);
    same = strcmp(plan->desc.type, sp_pool_type(sp_get_pool(core, i))) == 0;
    lua_pop(L, 1);
  }
  return same;
}

/* The class's settings at the time of the save, and those that the game had set since, of the entry of `pools` on top.
   */
static void read_described(lua_State *L, sp_lua_pool *p)
{
  lua_Integer said[9] = {0};
  sp_raw_field(L, -1, "described");
  for (int i = 0; i < 9; i++) {
    sp_raw_geti(L, -1, i + 1);
    said[i] = lua_tointeger(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  sp_settings now = sp_pool_settings(p->core);
  p->described = (sp_settings){.prealloc = (uint32_t)said[0],
                               .grow = (uint32_t)said[1],
                               .limit = (uint32_t)said[2],
                               .idle_limit = (uint32_t)said[3],
                               .overflow = (sp_overflow)said[4],
                               .order = (sp_order)said[5]};
  p->overflow_set = said[6] == 1 && now.overflow != SP_OVERFLOW_FUNCTION; /* a function is not saved */
  p->raises = said[7] == 1;
  p->raises_described = said[8] == 1;
}

/* The handle of pool i, whose plan is filled, and the change of the core prepared. Leaves it in place of the entry in
   `pools`. */
static void prepare_pool(lua_State *L, sp_lua_manager *m, uint32_t i)
{
  int top = lua_gettop(L);
  sp_result why = SP_OK;
  sp_raw_geti(L, PLANS, (lua_Integer)i + 1);
  sp_pool_plan *plan = sp_raw_block(L, -1);
  sp_lua_pool *p = sp_pool_new_handle(L, m);
  p->core = sp_get_pool(m->core, i);
  sp_raw_geti(L, POOLS, (lua_Integer)i + 1);
  read_described(L, p);
  lua_pop(L, 1);
  sp_plan_fill(L, top + 1, p, top + 2);
  plan->desc.user = p;
  plan->change = sp_change_new(p->core, &plan->desc, &why);
  if (!plan->change)
    luaL_error(L, "cannot change a pool: %s", sp_result_text(why));
  lua_settop(L, top);
}

static void commit_pool(lua_State *L, sp_lua_manager *m, uint32_t i)
{
  int top = lua_gettop(L);
  sp_raw_geti(L, PLANS, (lua_Integer)i + 1);
  sp_pool_plan *plan = sp_raw_block(L, -1);
  lua_getiuservalue(L, -1, SP_PLAN_POOL);
  sp_lua_pool *p = sp_raw_block(L, -1);
  sp_plan_take(L, top + 1, p);
  sp_pool_set_user(p->core, p);
  plan->prealloc = sp_change_commit(plan->change);
  plan->change = NULL;
  plan->is_changed = true;
  lua_pushstring(L, plan->desc.type);
  sp_manager_list(L, m, p, top + 3, top + 2);
  lua_settop(L, top);
}

/* open_pools(manager, step, core, plans, pools, sprites). Protected and quiet: until the first commit all of it may be
   given back. */
static int open_pools(lua_State *L)
{
  sp_lua_manager *m = sp_check_manager(L, MANAGER);
  sp_context *c = m->context;
  const uint32_t pools = sp_count_pools(m->core), sprites = (uint32_t)sp_raw_length(L, SPRITES);
  luaL_checkstack(L, 40, NULL);
  const uint16_t *numbers = push_numbers(L, c, SPRITES);
  for (uint32_t i = 0; i < pools; i++)
    prepare_pool(L, m, i);
  for (uint32_t i = 0; i < pools; i++)
    commit_pool(L, m, i);
  move_sprites(m->core, numbers, sprites);
  return 0;
}

/* Frees what was made of a manager that could not be opened. */
static void give_back(lua_State *L, sp_lua_manager *m)
{
  for (lua_Integer i = 1; i <= (lua_Integer)sp_raw_length(L, PLANS); i++) {
    sp_raw_geti(L, PLANS, i);
    sp_pool_plan *plan = sp_raw_block(L, -1);
    if (plan->change)
      sp_change_cancel(plan->change);
    plan->change = NULL;
    lua_pop(L, 1);
  }
  sp_manager_discard(L, m);
}

/* native.open_saved(manager, step, core, plans, pools, sprites) -> true; or nil and the reason, and the manager has no
   core. Quiet. */
static int native_open_saved(lua_State *L)
{
  sp_lua_manager *m = sp_check_manager(L, MANAGER);
  sp_context *c = m->context;
  sp_result why = SP_OK;
  bytes b;
  b.at = lua_tolstring(L, CORE, &b.left);
  sp_options o = sp_manager_core_options(L, c, m, lua_tonumber(L, STEP));
  sp_manager *core = sp_load(&o, read_bytes, &b, &why);
  if (!core)
    return sp_return_refusal(L, true, why);
  if (!are_planned(L, core)) {
    sp_discard(core);
    return sp_return_refusal(L, true, SP_DAMAGED);
  }
  sp_manager_take_core(c, m, core);
  lua_pushcfunction(L, open_pools);
  for (int i = MANAGER; i <= SPRITES; i++)
    lua_pushvalue(L, i);
  if (sp_quiet_pcall(L, SPRITES, 0) != LUA_OK) {
    give_back(L, m);
    lua_error(L);
  }
  lua_pushboolean(L, 1);
  return 1;
}

/* Gives objects the first values of fields: a list of types and names, of pools of an open manager. */
static void reset_fields(lua_State *L, sp_lua_manager *m, int list)
{
  const lua_Integer count = (lua_Integer)sp_raw_length(L, list);
  int top = lua_gettop(L);
  for (lua_Integer i = 1; i < count; i += 2, lua_settop(L, top)) {
    sp_raw_geti(L, list, i);
    sp_raw_geti(L, list, i + 1);
    const sp_lua_pool *p = sp_manager_find(L, m, top + 1);
    uint32_t name = p ? sp_keymap_find(L, p->names, top + 2) : SP_NO_KEY;
    if (name != SP_NO_KEY)
      sp_pool_reset_columns(p->core, (uint64_t)1 << SP_NAME_WHAT(name));
  }
}

/* native.fill(manager, swaps, timers, ended, resets) */
static int native_fill(lua_State *L)
{
  reset_fields(L, sp_check_open_manager(L, 1), 5);
  sp_swap_values(L, 1, 2, 3, 4);
  return 0;
}

/* The core of a save as a snapshot that fits a manager with today's references; NULL, and why. */
static sp_snapshot *load_snapshot(lua_State *L, const sp_manager *now, bytes *b, const uint16_t *numbers,
                                  uint32_t count, sp_result *why)
{
  sp_options o = {.step = sp_step(now), .id = (uint8_t)(sp_slots_of(now)->origin >> 24)};
  o.memory = (sp_memory_fn)lua_getallocf(L, &o.memory_ud);
  o.first_generation = sp_first_generation(now);
  o.last_generation = SP_LAST_GENERATION;
  sp_manager *core = sp_load(&o, read_bytes, b, why);
  if (!core)
    return NULL;
  move_sprites(core, numbers, count);
  sp_snapshot *snapshot = sp_snapshot_take(core, NULL, why);
  sp_discard(core);
  return snapshot;
}

/* native.put_back_saved(manager, core, sprites, swaps, timers, ended, resets) -> true, the table of timers before; or
   false and the reason. Nothing has changed then. Quiet. */
static int native_put_back_saved(lua_State *L)
{
  enum { OPEN = 1, SAVED, NAMES, SWAPS, TIMERS, ENDED, RESETS };
  sp_lua_manager *m = sp_check_open_manager(L, OPEN);
  sp_result why = SP_OK;
  bytes b;
  b.at = lua_tolstring(L, SAVED, &b.left);
  const uint16_t *numbers = push_numbers(L, m->context, NAMES);
  sp_snapshot *s = load_snapshot(L, m->core, &b, numbers, (uint32_t)sp_raw_length(L, NAMES), &why);
  if (s)
    why = sp_snapshot_restore(m->core, s);
  sp_snapshot_free(s);
  if (why != SP_OK)
    return sp_return_refusal(L, false, why);
  lua_pushboolean(L, 1);
  reset_fields(L, m, RESETS);
  sp_swap_values(L, OPEN, SWAPS, TIMERS, ENDED);
  return 2;
}

/* native.discard(manager) */
static int native_discard(lua_State *L)
{
  sp_lua_manager *m = sp_check_open_manager(L, 1);
  sp_manager_discard(L, m);
  return 0;
}

/* }== */

/* {== Loading ============================================================ */

enum { SAVE = 1, OPTIONS, CORE_PART, BODY, LOADED, LOADED_PLANS }; /* on the stack of sp_load_save */

/* A plan for each pool of the body, in a list. Class files may run. */
static void plan_pools(lua_State *L, sp_lua_manager *m)
{
  int pools = LOADED_PLANS + 1;
  lua_newtable(L);
  sp_raw_field(L, BODY, "pools");
  const lua_Integer count = (lua_Integer)sp_raw_length(L, pools);
  for (lua_Integer i = 1; i <= count; i++) {
    sp_raw_geti(L, pools, i);
    sp_raw_field(L, -1, "type");
    sp_plan_new(L, m, -1, true);
    sp_raw_seti(L, LOADED_PLANS, i);
    lua_settop(L, pools);
  }
  lua_settop(L, LOADED_PLANS);
}

static void settle_pools(lua_State *L, sp_context *c)
{
  const lua_Integer count = (lua_Integer)sp_raw_length(L, LOADED_PLANS);
  int top = lua_gettop(L);
  for (lua_Integer i = 1; i <= count; i++, lua_settop(L, top)) {
    sp_raw_geti(L, LOADED_PLANS, i);
    sp_plan_settle(L, c, top + 1);
  }
}

/* spawnpool.load(save, options) -> manager, roots, notes; or nil and the reason */
int sp_load_save(lua_State *L)
{
  sp_context *c = sp_context_here(L);
  sp_check_text(L, SAVE);
  if (!lua_isnoneornil(L, OPTIONS))
    sp_check_table(L, OPTIONS);
  lua_settop(L, OPTIONS);
  luaL_checkstack(L, 60, NULL);
  sp_push_helper(L, c, "spawnpool.saving", "read");
  lua_pushvalue(L, SAVE);
  lua_call(L, 1, 2);
  if (lua_isnil(L, CORE_PART))
    return 2;
  double step = 0;
  sp_lua_manager *m = sp_manager_prepare(L, c, lua_isnil(L, OPTIONS) ? 0 : OPTIONS, &step);
  plan_pools(L, m);
  sp_push_helper(L, c, "spawnpool.saving", "open");
  lua_pushvalue(L, LOADED);
  lua_pushnumber(L, step);
  for (int i = CORE_PART; i <= LOADED_PLANS; i++)
    if (i != LOADED)
      lua_pushvalue(L, i);
  sp_quietly(L, 5, 3);
  if (lua_isnil(L, -3))
    return lua_pop(L, 1), 2;
  const uint64_t id = m->id;
  settle_pools(L, c);
  sp_push_helper(L, c, "spawnpool.saving", "warn_about");
  lua_pushvalue(L, LOADED);
  lua_pushvalue(L, -3);
  lua_call(L, 2, 0);
  sp_hooks_restored(L, c, id);
  lua_pushvalue(L, LOADED);
  lua_replace(L, -4);
  return 3;
}

/* Makes sure that there is a pool for each type in the body. Class files may run, and hooks for the first objects.
   False when they closed the manager. */
static bool make_pools(lua_State *L, const sp_context *c, uint64_t manager, int body)
{
  int pools = lua_gettop(L) + 1;
  sp_lua_manager *m;
  sp_raw_field(L, body, "pools");
  const lua_Integer count = (lua_Integer)sp_raw_length(L, pools);
  for (lua_Integer i = 1; i <= count && (m = sp_manager_again(c, manager)) != NULL; i++) {
    sp_raw_geti(L, pools, i);
    sp_raw_field(L, -1, "type");
    sp_manager_pool(L, m, -1);
    lua_settop(L, pools);
  }
  lua_settop(L, pools - 1);
  return sp_manager_again(c, manager) != NULL;
}

int sp_restore_save(lua_State *L)
{
  enum { PART = 3, REST, DONE, ROOTS, NOTES, BEFORE };
  const sp_lua_manager *m = sp_check_manager(L, 1);
  sp_context *c = m->context;
  const uint64_t id = m->id;
  luaL_checkstack(L, 60, NULL);
  sp_push_helper(L, c, "spawnpool.saving", "read");
  lua_pushvalue(L, 2);
  lua_call(L, 1, 2);
  if (lua_isnil(L, PART)) {
    lua_pushboolean(L, 0);
    lua_replace(L, PART);
    return 2;
  }
  if (!make_pools(L, c, id, REST))
    return sp_return_refusal(L, false, SP_CLOSED);
  sp_push_helper(L, c, "spawnpool.saving", "put_back");
  lua_pushvalue(L, 1);
  lua_pushvalue(L, PART);
  lua_pushvalue(L, REST);
  sp_quietly(L, 3, 4);
  if (!lua_toboolean(L, DONE))
    return lua_settop(L, ROOTS), 2;
  sp_close_sleepers(L, c); /* of the timers that there were */
  lua_settop(L, NOTES);
  sp_push_helper(L, c, "spawnpool.saving", "warn_about");
  lua_pushvalue(L, 1);
  lua_pushvalue(L, NOTES);
  lua_call(L, 2, 0);
  sp_hooks_restored(L, c, id);
  return 3;
}

/* }== */

const luaL_Reg sp_save_open_natives[] = {
    {"open_saved", native_open_saved}, {"put_back_saved", native_put_back_saved},
    {"fill", native_fill},             {"discard", native_discard},
    {NULL, NULL},
};
