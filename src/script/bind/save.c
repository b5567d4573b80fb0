/*
** Saves of a manager: the core's bytes and, beside them, the Lua values (lua/spawnpool/saving.lua). A save is loaded by
** restoring it into a new manager. First the current classes are read, which may run scripts; then all is put back, or
** nothing happens.
*/
#include "script/bind/save.h"

#include <string.h>

#include "script/bind/hooks.h"
#include "script/bind/manager.h"
#include "script/bind/members.h"
#include "script/bind/pool.h"
#include "script/bind/rows.h"
#include "script/bind/snapshot.h"
#include "script/bind/timer.h"
#include "script/state/arguments.h"
#include "script/state/context.h"
#include "script/state/sprites.h"

#include "script/state/careful.h"

/* {== Saving ============================================================= */

/* Raises for anything but `roots` in the options at 2, and leaves that there. */
static void check_save_options(lua_State *L)
{
  sp_shown shown;
  if (!lua_isnoneornil(L, 2))
    sp_check_table(L, 2);
  lua_settop(L, 2);
  if (lua_isnil(L, 2))
    return;
  for (lua_pushnil(L); sp_raw_next(L, 2); lua_pop(L, 1))
    if (strcmp(sp_to_text(L, -2), "roots") != 0)
      sp_raise_arg(L, 2, "save has no option %s (roots)", sp_show(L, -2, &shown));
  sp_raw_field(L, 2, "roots");
  lua_replace(L, 2);
}

int spl_manager_save(lua_State *L)
{
  sp_check_manager(L, 1);
  check_save_options(L);
  return sp_call_saving(L, "save");
}

/* native.sprites() -> a list of the names of sprites, the one of number 0 first */
static int native_sprites(lua_State *L)
{
  const sp_context *c = sp_context_here(L);
  lua_createtable(L, (int)c->sprite_count, 0);
  for (uint32_t i = 0; i < c->sprite_count; i++) {
    sp_push_sprite_name(L, c, (uint16_t)i);
    sp_raw_seti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}

/* native.step(manager) -> seconds */
static int native_step(lua_State *L)
{
  lua_pushnumber(L, sp_clock_of(sp_check_open_manager(L, 1)->core).step);
  return 1;
}

/* native.timer_label(manager, handle) -> "Bullet#3", whose timer it is; or "the manager" */
static int native_timer_label(lua_State *L)
{
  const spl_manager *m = sp_check_open_manager(L, 1);
  sp_shown label;
  sp_ref owner = sp_timer_owner(m->core, (sp_timer)lua_tointeger(L, 2));
  lua_pushstring(L, owner ? sp_label(m->context, owner, &label) : "the manager");
  return 1;
}

static bool count_bytes(void *ud, const void *bytes, size_t size)
{
  (void)bytes;
  *(size_t *)ud += size;
  return true;
}

static bool copy_bytes(void *ud, const void *bytes, size_t size)
{
  char **to = ud;
  memcpy(*to, bytes, size);
  *to += size;
  return true;
}

/* native.save_core(manager) -> what the core saves; or nil and the reason */
static int native_save_core(lua_State *L)
{
  size_t size = 0;
  sp_result why = sp_manager_save(sp_check_open_manager(L, 1)->core, count_bytes, &size);
  if (why != SP_OK)
    return sp_return_refusal(L, true, why);
  char *bytes = lua_newuserdatauv(L, size, 0), *to = bytes;
  sp_manager_save(sp_check_open_manager(L, 1)->core, copy_bytes, &to);
  lua_pushlstring(L, bytes, size);
  return 1;
}

/* }== */

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
  for (sp_pool *p = NULL; (p = sp_manager_next_pool(core, p)) != NULL;) {
    sprite_map map = {p, numbers, count};
    if (!sp_pool_desc_of(map.pool)->spatial)
      continue;
    sp_mark_written(map.pool, sp_view_of(map.pool)->columns[SP_LOOK].written);
    sp_pool_each_slot(map.pool, true, false, move_sprite, &map);
  }
}

/* Pushes the numbers that the sprites in a list have in this state. Raises on memory. */
static const uint16_t *push_numbers(lua_State *L, sp_context *c, int sprites)
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

/* {== Restoring ========================================================== */

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

/* native.load_core(manager, core, sprites) -> a snapshot with today's references; or false and the reason. Quiet. */
static int native_load_core(lua_State *L)
{
  enum { OPEN = 1, SAVED, NAMES };
  const spl_manager *m = sp_check_open_manager(L, OPEN);
  sp_manager_options o = sp_manager_defaults();
  bytes b;
  sp_result why = SP_OK;
  b.at = lua_tolstring(L, SAVED, &b.left);
  const uint16_t *numbers = push_numbers(L, m->context, NAMES);
  sp_snapshot **snapshot = sp_push_snapshot(L, m->context);
  o.step = sp_clock_of(m->core).step;
  o.id = (uint8_t)(sp_slots_of(m->core)->id_bits >> 24);
  o.memory = (sp_memory_fn)lua_getallocf(L, &o.memory_ud);
  o.lives = UINT32_MAX; /* whatever the save says */
  sp_manager *core = sp_manager_load_from(&o, sp_first_generation(m->core), read_bytes, &b, &why);
  if (!core)
    return sp_return_refusal(L, false, why);
  move_sprites(core, numbers, (uint32_t)sp_raw_length(L, NAMES));
  *snapshot = sp_snapshot_take(core, NULL, &why);
  sp_manager_discard(core);
  return *snapshot ? 1 : sp_return_refusal(L, false, why);
}

/* Makes sure that there is a pool for each type in the head of a save. Class files may run, and hooks for the first
   objects, but in a manager that is loaded. False when they closed the manager. */
static bool make_pools(lua_State *L, const sp_context *c, uint64_t manager, int head)
{
  int pools = lua_gettop(L) + 1;
  spl_manager *m;
  sp_raw_field(L, head, "pools");
  const lua_Integer count = (lua_Integer)sp_raw_length(L, pools);
  for (lua_Integer i = 1; i <= count && (m = sp_manager_from_id(c, manager)) != NULL; i++) {
    sp_raw_geti(L, pools, i);
    sp_raw_field(L, -1, "type");
    spl_manager_pool(L, m, -1);
    lua_settop(L, pools);
  }
  lua_settop(L, pools - 1);
  return sp_manager_from_id(c, manager) != NULL;
}

/* Gives the pools of a loaded manager their hooks, and the objects by which the class has raised its prealloc. */
static void settle_pools(lua_State *L, sp_context *c, uint64_t manager, int head)
{
  const int pools = lua_gettop(L) + 1;
  sp_manager_from_id(c, manager)->is_loading = false;
  sp_raw_field(L, head, "pools");
  const lua_Integer count = (lua_Integer)sp_raw_length(L, pools);
  for (lua_Integer i = 1; i <= count; i++, lua_settop(L, pools)) {
    spl_manager *m = sp_manager_from_id(c, manager);
    sp_raw_geti(L, pools, i);
    sp_raw_field(L, -1, "type");
    spl_pool *p = m ? sp_manager_find(L, m, -1) : NULL;
    if (!p || !p->core || sp_pool_is_closing(p->core))
      continue;
    sp_pool_hooks hooks = sp_hooks_for(p);
    hooks.ud = p;
    sp_as_owner(m->core);
    sp_pool_set_hooks(p->core, &hooks);
    sp_raw_field(L, -2, "prealloc");
    lua_State *outer = sp_begin(c, L);
    if (p->described.prealloc > (uint32_t)lua_tointeger(L, -1))
      sp_pool_prewarm(p->core, p->described.prealloc, 0, 0);
    sp_finish(c, outer);
  }
  lua_settop(L, pools - 1);
}

/* warn_about(manager, notes) */
static int warn_about(lua_State *L)
{
  sp_push_helper(L, sp_check_manager(L, 1)->context, "spawnpool.saving", "warn_about");
  lua_insert(L, 1);
  lua_call(L, 2, 0);
  return 0;
}

/* restore(manager, core, head) -> true, roots, notes; or false and the reason */
static int restore(lua_State *L)
{
  enum { OPEN = 1, CORE, READ, DONE, ROOTS, NOTES, BEFORE };
  sp_context *c = sp_check_manager(L, OPEN)->context;
  const uint64_t id = sp_check_manager(L, OPEN)->id;
  luaL_checkstack(L, 60, NULL);
  sp_raw_field(L, READ, "step");
  const double step = lua_tonumber(L, -1);
  lua_pop(L, 1);
  if (step != sp_clock_of(sp_check_open_manager(L, OPEN)->core).step) /* before pools are made for it */
    return sp_return_refusal(L, false, SP_INVALID);
  if (!make_pools(L, c, id, READ))
    return sp_return_refusal(L, false, SP_CLOSED);
  sp_push_helper(L, c, "spawnpool.saving", "put_back");
  for (int i = OPEN; i <= READ; i++)
    lua_pushvalue(L, i);
  sp_call_without_gc(L, 3, 4);
  if (!lua_toboolean(L, DONE))
    return lua_settop(L, ROOTS), 2;
  sp_close_sleepers(L, c); /* of the timers that there were */
  lua_settop(L, NOTES);
  if (sp_manager_from_id(c, id) && sp_manager_from_id(c, id)->is_loading)
    settle_pools(L, c, id, READ);
  lua_pushcfunction(L, warn_about);
  lua_pushvalue(L, OPEN);
  lua_pushvalue(L, NOTES);
  /* The state is restored by now: without memory a warning is lost, and the notes still say it. */
  if (lua_pcall(L, 2, 0, 0) == LUA_ERRMEM)
    lua_pop(L, 1);
  else if (lua_gettop(L) > NOTES)
    return lua_error(L);
  sp_hooks_restored(L, c, id);
  sp_raise_failures(L, c);
  return 3;
}

/* Pushes the core's part of the save at `save` and its head; or nil and the reason, and returns false. */
static bool read_save(lua_State *L, sp_context *c, int save)
{
  sp_push_helper(L, c, "spawnpool.saving", "read");
  lua_pushvalue(L, save);
  lua_call(L, 1, 2);
  return !lua_isnil(L, -2);
}

static int restore_save(lua_State *L)
{
  if (!read_save(L, sp_check_manager(L, 1)->context, 2)) {
    lua_pushboolean(L, 0);
    lua_replace(L, -3);
    return 2;
  }
  lua_remove(L, 2);
  return restore(L);
}

/* pools:restore(snapshot or save) -> true, and roots and notes of a save; or false and the reason */
int spl_manager_restore(lua_State *L)
{
  const spl_manager *m = sp_check_manager(L, 1);
  if (lua_type(L, 2) != LUA_TSTRING)
    return spl_restore_snapshot(L);
  sp_result why = sp_manager_check_idle(m);
  if (why != SP_OK)
    return sp_return_refusal(L, false, why);
  lua_settop(L, 2);
  return restore_save(L);
}

/* spawnpool.load(save, options) -> manager, roots, notes; or nil and the reason */
int spl_load_save(lua_State *L)
{
  enum { SAVE = 1, OPTIONS, CORE, READ, LOADED, DONE };
  sp_context *c = sp_context_here(L);
  sp_check_text(L, SAVE);
  if (!lua_isnoneornil(L, OPTIONS))
    sp_check_table(L, OPTIONS);
  lua_settop(L, OPTIONS);
  if (!read_save(L, c, SAVE))
    return 2;
  sp_raw_field(L, READ, "step");
  const double step = lua_tonumber(L, -1);
  lua_pop(L, 1);
  spl_manager *m = sp_manager_new(L, c, lua_isnil(L, OPTIONS) ? 0 : OPTIONS, step);
  const uint64_t id = m->id;
  m->is_loading = true;
  lua_pushcfunction(L, restore);
  lua_pushvalue(L, LOADED);
  lua_pushvalue(L, CORE);
  lua_pushvalue(L, READ);
  int status = lua_pcall(L, 3, LUA_MULTRET, 0);
  if (status == LUA_OK && lua_toboolean(L, DONE)) {
    lua_pushvalue(L, LOADED);
    lua_replace(L, DONE);
    return 3;
  }
  m = sp_manager_from_id(c, id);
  if (m)
    spl_manager_discard(L, m);
  if (status != LUA_OK)
    lua_error(L);
  lua_pushnil(L);
  lua_replace(L, DONE);
  return 2;
}

/* }== */

const luaL_Reg sp_save_natives[] = {
    {"sprites", native_sprites},     {"step", native_step},           {"timer_label", native_timer_label},
    {"save_core", native_save_core}, {"load_core", native_load_core}, {NULL, NULL},
};
