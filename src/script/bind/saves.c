#include "script/bind/saves.h"

#include <string.h>

#include "script/bind/class_plan.h"
#include "script/bind/hooks.h"
#include "script/bind/lua_manager.h"
#include "script/bind/manager_close.h"
#include "script/bind/pool_create.h"
#include "script/bind/snapshots.h"
#include "script/bind/types.h"
#include "script/state/births.h"
#include "script/state/border.h"
#include "script/state/sprite_names.h"

/* {== Functions of the library =========================================== */

/* Raises for anything but `roots` in the options at 2, and leaves that there. */
static void check_save_options(lua_State *L)
{
  sp_shown shown;
  if (!lua_isnoneornil(L, 2))
    luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  if (lua_isnil(L, 2))
    return;
  for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1))
    if (strcmp(sp_to_text(L, -2), "roots") != 0)
      sp_raise_arg(L, 2, "save has no option %s (roots)", sp_show(L, -2, &shown));
  sp_raw_field(L, 2, "roots");
  lua_replace(L, 2);
}

int sp_manager_save(lua_State *L)
{
  sp_check_manager(L, 1);
  check_save_options(L);
  const sp_lua_manager *m = sp_check_manager(L, 1);
  if (!m->core || sp_is_busy(m->core))
    return sp_return_refusal(L, true, m->core ? SP_BUSY : SP_CLOSED);
  sp_push_helper(L, m->context, "spawnpool.saving", "save");
  lua_insert(L, 1);
  sp_quietly(L, 2, 2);
  return lua_isnil(L, -2) ? 2 : (lua_pop(L, 1), 1);
}

int sp_load_save(lua_State *L)
{
  luaL_checktype(L, 1, LUA_TSTRING);
  if (!lua_isnoneornil(L, 2))
    luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  sp_push_helper(L, sp_context_here(L), "spawnpool.saving", "load");
  lua_insert(L, 1);
  lua_call(L, 2, 3);
  return lua_isnil(L, -3) ? (lua_pop(L, 1), 2) : 3;
}

/* }== */

/* {== Natives: saving ==================================================== */

/* native.sprites() -> a list of the names of sprites, the one of number 0 first */
static int native_sprites(lua_State *L)
{
  const sp_context *c = sp_context_here(L);
  lua_createtable(L, (int)c->sprite_count, 0);
  for (uint32_t i = 0; i < c->sprite_count; i++) {
    sp_push_sprite_name(L, c, (uint16_t)i);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}

/* native.timer_label(manager, handle) -> "Bullet#3", whose timer it is */
static int native_timer_label(lua_State *L)
{
  const sp_lua_manager *m = sp_check_open_manager(L, 1);
  sp_shown label;
  sp_label(m->context, sp_timer_owner(m->core, (sp_timer)lua_tointeger(L, 2)), &label);
  lua_pushstring(L, label.text);
  return 1;
}

typedef struct text {
  lua_Alloc alloc;
  void *ud;
  char *bytes;
  size_t size, capacity;
} text;

static bool append(void *ud, const void *bytes, size_t size)
{
  text *t = ud;
  if (t->size + size > t->capacity) {
    size_t want = 2 * t->capacity + size;
    char *grown = t->alloc(t->ud, t->bytes, t->capacity, want);
    if (!grown)
      return false;
    t->bytes = grown;
    t->capacity = want;
  }
  memcpy(t->bytes + t->size, bytes, size);
  t->size += size;
  return true;
}

/* push(text) -> string. Protected. */
static int push_bytes(lua_State *L)
{
  const text *t = lua_touserdata(L, 1);
  lua_pushlstring(L, t->bytes, t->size);
  return 1;
}

/* native.save_core(manager) -> what the core saves; or nil and the reason */
static int native_save_core(lua_State *L)
{
  const sp_lua_manager *m = sp_check_open_manager(L, 1);
  text t = {NULL};
  t.alloc = sp_births_allocator(L, &t.ud);
  sp_result why = sp_save(m->core, append, &t);
  int status = LUA_OK;
  if (why == SP_OK) {
    lua_pushcfunction(L, push_bytes);
    lua_pushlightuserdata(L, &t);
    status = sp_quiet_pcall(L, 1, 1);
  }
  if (t.bytes)
    t.alloc(t.ud, t.bytes, t.capacity, 0);
  if (status != LUA_OK)
    lua_error(L);
  return why == SP_OK ? 1 : sp_return_refusal(L, true, why == SP_FAILED ? SP_MEMORY : why);
}

/* }== */

/* {== Natives: a manager of a save ======================================= */

/* native.new_manager(options or nil) -> a manager without a core. Raises what is wrong with the options. */
static int native_new_manager(lua_State *L)
{
  sp_context *c = sp_context_here(L);
  double step = 0;
  lua_settop(L, 1);
  sp_manager_prepare(L, c, lua_isnil(L, 1) ? 0 : 1, &step);
  lua_pushnumber(L, step);
  lua_replace(L, 1);
  lua_insert(L, 1);
  return 2;
}

/* native.plan(manager, type) -> a plan for its pool. Runs the class's file. */
static int native_plan(lua_State *L)
{
  sp_lua_manager *m = sp_check_manager(L, 1);
  sp_check_type(L, 2);
  luaL_checkstack(L, 40, NULL);
  sp_plan_new(L, m, 2, true);
  return 1;
}

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

/* The types of the core are those of the plans. */
static bool are_planned(lua_State *L, const sp_manager *core)
{
  uint32_t count = sp_count_pools(core);
  bool same = count == lua_rawlen(L, PLANS);
  for (uint32_t i = 0; same && i < count; i++) {
    lua_rawgeti(L, PLANS, (lua_Integer)i + 1);
    const sp_pool_plan *plan = lua_touserdata(L, -1);
    same = strcmp(plan->desc.type, sp_pool_type(sp_get_pool(core, i))) == 0;
    lua_pop(L, 1);
  }
  return same;
}

/* What the class said when it was saved, and what the game had set since: of the entry of `pools` on top. */
static void read_described(lua_State *L, sp_lua_pool *p)
{
  lua_Integer said[9] = {0};
  sp_raw_field(L, -1, "described");
  for (int i = 0; i < 9; i++) {
    lua_rawgeti(L, -1, i + 1);
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
  lua_rawgeti(L, PLANS, (lua_Integer)i + 1);
  sp_pool_plan *plan = lua_touserdata(L, -1);
  sp_lua_pool *p = sp_pool_new_handle(L, m);
  p->core = sp_get_pool(m->core, i);
  lua_rawgeti(L, POOLS, (lua_Integer)i + 1);
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
  lua_rawgeti(L, PLANS, (lua_Integer)i + 1);
  sp_pool_plan *plan = lua_touserdata(L, -1);
  lua_getiuservalue(L, -1, SP_PLAN_POOL);
  sp_lua_pool *p = lua_touserdata(L, -1);
  sp_plan_take(L, top + 1, p);
  sp_pool_set_user(p->core, p);
  plan->prealloc = sp_change_commit(plan->change);
  plan->change = NULL;
  plan->is_changed = true;
  lua_pushstring(L, plan->desc.type);
  sp_manager_list(L, m, p, top + 3, top + 2);
  lua_settop(L, top);
}

typedef struct sprite_map {
  sp_lua_pool *pool;
  const uint16_t *numbers;
  uint32_t count;
} sprite_map;

static void move_sprite(void *ud, uint32_t slot)
{
  const sprite_map *map = ud;
  const sp_lua_pool *p = map->pool;
  sp_look *look = sp_cell_at(p->manager->core, &sp_view_of(p->core)->columns[SP_LOOK], slot, sizeof(sp_look));
  look->sprite = look->sprite < map->count ? map->numbers[look->sprite] : 0;
}

/* Sprites have the numbers of this state from now on: `numbers` has them by those of the save. */
static void move_sprites(sp_lua_manager *m, const uint16_t *numbers, uint32_t count)
{
  bool same = true;
  for (uint32_t i = 0; i < count; i++)
    same = same && numbers[i] == i;
  for (uint32_t i = 0; !same && i < sp_count_pools(m->core); i++) {
    sp_lua_pool *p = sp_lua_pool_of(sp_get_pool(m->core, i));
    sprite_map map = {p, numbers, count};
    sp_mark_written(p->core, sp_view_of(p->core)->columns[SP_LOOK].written);
    sp_pool_each_slot(p->core, true, false, move_sprite, &map);
  }
}

/* open_pools(manager, step, core, plans, pools, sprites). Protected and quiet: until the first commit all of it may be
   given back. */
static int open_pools(lua_State *L)
{
  sp_lua_manager *m = sp_check_manager(L, MANAGER);
  sp_context *c = m->context;
  const uint32_t pools = sp_count_pools(m->core), sprites = (uint32_t)lua_rawlen(L, SPRITES);
  luaL_checkstack(L, 40, NULL);
  uint16_t *numbers = lua_newuserdatauv(L, (sprites + 1) * sizeof *numbers, 0);
  for (uint32_t i = 0; i < sprites; i++) {
    lua_rawgeti(L, SPRITES, (lua_Integer)i + 1);
    numbers[i] = sp_sprite_number(L, c, -1);
    lua_pop(L, 1);
  }
  for (uint32_t i = 0; i < pools; i++)
    prepare_pool(L, m, i);
  for (uint32_t i = 0; i < pools; i++)
    commit_pool(L, m, i);
  move_sprites(m, numbers, sprites);
  return 0;
}

/* Nothing is left of a manager that could not be opened. */
static void give_back(lua_State *L, sp_lua_manager *m)
{
  for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, PLANS); i++) {
    lua_rawgeti(L, PLANS, i);
    sp_pool_plan *plan = lua_touserdata(L, -1);
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
  bytes b = {.at = lua_tolstring(L, CORE, &b.left)};
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

/* native.reset(manager, type, field): objects have the first value of a field */
static int native_reset(lua_State *L)
{
  sp_lua_manager *m = sp_check_open_manager(L, 1);
  const sp_lua_pool *p = sp_manager_find(L, m, 2);
  uint32_t name = p ? sp_keymap_find(L, p->names, 3) : SP_NO_KEY;
  if (name != SP_NO_KEY)
    sp_pool_reset_columns(p->core, (uint64_t)1 << SP_NAME_WHAT(name));
  return 0;
}

/* native.end_timers(manager, handles): nothing is called */
static int native_end_timers(lua_State *L)
{
  sp_lua_manager *m = sp_check_open_manager(L, 1);
  sp_manager *core = m->core;
  const lua_Integer count = (lua_Integer)lua_rawlen(L, 2);
  for (lua_Integer i = 1; i <= count; i++) {
    lua_rawgeti(L, 2, i);
    sp_timer timer = (sp_timer)lua_tointeger(L, -1);
    lua_pop(L, 1);
    sp_timer_stop(core, timer);
  }
  return 0;
}

/* native.discard(manager) */
static int native_discard(lua_State *L)
{
  sp_lua_manager *m = sp_check_open_manager(L, 1);
  sp_manager_discard(L, m);
  return 0;
}

/* native.settle(manager, plans): limits that the classes have lowered, and objects that they want up front. Hooks run. */
static int native_settle(lua_State *L)
{
  sp_context *c = sp_context_here(L);
  const lua_Integer count = (lua_Integer)lua_rawlen(L, 2);
  for (lua_Integer i = 1; i <= count; i++) {
    lua_rawgeti(L, 2, i);
    const sp_pool_plan *plan = lua_touserdata(L, -1);
    lua_getiuservalue(L, -1, SP_PLAN_POOL);
    const sp_lua_pool *p = lua_touserdata(L, -1);
    if (p->core) {
      lua_State *outer = sp_begin(c, L);
      sp_change_settle(p->core, plan->prealloc);
      sp_finish(c, outer);
    }
    lua_settop(L, 2);
  }
  return 0;
}

/* native.restored(manager): on_restore of all that lives */
static int native_restored(lua_State *L)
{
  const sp_lua_manager *m = sp_check_manager(L, 1);
  if (m->core)
    sp_hooks_restored(L, m->context, m->id);
  return 0;
}

/* native.quietly(f, ...) -> three results of f, which runs no script, while the collector rests */
static int native_quietly(lua_State *L)
{
  sp_quietly(L, lua_gettop(L) - 1, 3);
  return 3;
}

/* }== */

const luaL_Reg sp_save_natives[] = {
    {"sprites", native_sprites},
    {"timer_label", native_timer_label},
    {"save_core", native_save_core},
    {"new_manager", native_new_manager},
    {"plan", native_plan},
    {"open_saved", native_open_saved},
    {"reset", native_reset},
    {"end_timers", native_end_timers},
    {"discard", native_discard},
    {"settle", native_settle},
    {"restored", native_restored},
    {"quietly", native_quietly},
    {NULL, NULL},
};
