/*
** Snapshots of a manager in Lua: the core's snapshot, and a copy of the Lua values beside it, which
** lua/spawnpool/saving.lua makes; and its state as one number.
*/
#include "script/bind/snapshot.h"

#include <string.h>

#include "script/bind/codec.h"
#include "script/bind/fields.h"
#include "script/bind/hooks.h"
#include "script/bind/members.h"
#include "script/bind/pool.h"
#include "script/bind/timer.h"
#include "script/bind/tween.h"
#include "script/state/arguments.h"
#include "script/state/context.h"

#include "script/state/careful.h"

/* {== The userdata ======================================================= */

/* The context keeps the core's snapshots, in a list. One is freed once the userdata of Lua that leads to it is in no
   table any more: nothing depends on a finaliser, which does not run when there is no memory for it. */
typedef struct sp_kept_snapshot {
  sp_snapshot *core; /* NULL: there was no memory to take it */
  bool is_reachable;
  struct sp_kept_snapshot *next;
} sp_kept_snapshot;

/* Its user value is the table that saving.lua made. */
typedef struct lua_snapshot {
  uint64_t magic;
  sp_kept_snapshot *kept;
} lua_snapshot;

static lua_snapshot *to_snapshot(lua_State *L, int index)
{
  return sp_to_handle(L, index, sizeof(lua_snapshot), SP_MAGIC_SNAPSHOT);
}

static lua_snapshot *check_snapshot(lua_State *L, int arg)
{
  lua_snapshot *s = to_snapshot(L, arg);
  if (!s || !s->kept || !s->kept->core)
    luaL_typeerror(L, arg, "snapshot");
  return s;
}

int spl_snapshot_index(lua_State *L)
{
  const lua_snapshot *s = check_snapshot(L, 1);
  const char *key = sp_to_text(L, 2);
  sp_shown shown;
  if (strcmp(key, "bytes") == 0) {
    lua_pushinteger(L, (lua_Integer)sp_snapshot_bytes(s->kept->core));
  } else if (strcmp(key, "dropped") == 0) {
    lua_getiuservalue(L, 1, 1);
    sp_raw_field(L, -1, "dropped");
  } else {
    sp_raise(L, "a snapshot has no field '%s' (bytes, dropped)", sp_show_name(L, 2, &shown));
  }
  return 1;
}

int spl_snapshot_newindex(lua_State *L)
{
  check_snapshot(L, 1);
  sp_raise(L, "a snapshot cannot be changed");
}

int spl_snapshot_tostring(lua_State *L)
{
  check_snapshot(L, 1);
  lua_pushliteral(L, "spawnpool.snapshot");
  return 1;
}

/* Marks those whose userdata is in the table; with `all` none, and no userdata leads to one any more. */
static void mark_reachable(lua_State *L, const sp_context *c, bool all)
{
  for (sp_kept_snapshot *kept = c->snapshots; kept; kept = kept->next)
    kept->is_reachable = false;
  sp_push_kept(L, c, SP_KEPT_SNAPSHOTS);
  for (lua_pushnil(L); sp_raw_next(L, -2); lua_pop(L, 1)) {
    lua_snapshot *s = to_snapshot(L, -2);
    s->kept->is_reachable = !all;
    s->kept = all ? NULL : s->kept;
  }
  lua_pop(L, 1);
}

void sp_snapshots_sweep(lua_State *L, sp_context *c, bool all)
{
  void *ud;
  const lua_Alloc alloc = lua_getallocf(L, &ud);
  if (!c->snapshots || !lua_checkstack(L, 4))
    return;
  mark_reachable(L, c, all);
  for (sp_kept_snapshot **at = &c->snapshots; *at;) {
    sp_kept_snapshot *kept = *at;
    if (kept->is_reachable) {
      at = &kept->next;
      continue;
    }
    *at = kept->next;
    sp_snapshot_free(kept->core);
    alloc(ud, kept, sizeof *kept, 0);
  }
}

sp_snapshot **sp_push_snapshot(lua_State *L, sp_context *c)
{
  void *ud;
  const lua_Alloc alloc = lua_getallocf(L, &ud);
  sp_snapshots_sweep(L, c, false);
  lua_snapshot *s = lua_newuserdatauv(L, sizeof *s, 1);
  *s = (lua_snapshot){.magic = SP_MAGIC_SNAPSHOT};
  lua_createtable(L, 0, 6);
  sp_add_functions(L, c, "snapshot", true);
  sp_name_metatable(L, "spawnpool.snapshot");
  lua_setmetatable(L, -2);
  sp_push_kept(L, c, SP_KEPT_SNAPSHOTS);
  lua_pushvalue(L, -2);
  lua_pushboolean(L, 1);
  sp_kept_snapshot *kept = alloc(ud, NULL, LUA_TUSERDATA, sizeof *kept);
  if (!kept)
    luaL_error(L, "not enough memory");
  *kept = (sp_kept_snapshot){.next = c->snapshots};
  c->snapshots = s->kept = kept;
  sp_raw_set(L, -3);
  lua_pop(L, 1);
  return &kept->core;
}

/* }== */

/* {== Methods ============================================================ */

sp_result sp_manager_check_idle(const spl_manager *m)
{
  return !m->core ? SP_CLOSED : sp_manager_is_busy(m->core) ? SP_BUSY : SP_OK;
}

int sp_call_saving(lua_State *L, const char *function)
{
  const spl_manager *m = sp_check_manager(L, 1);
  sp_result why = sp_manager_check_idle(m);
  if (why != SP_OK)
    return sp_return_refusal(L, true, why);
  lua_settop(L, 2);
  sp_push_helper(L, m->context, "spawnpool.saving", function);
  lua_insert(L, 1);
  sp_call_without_gc(L, 2, 2);
  return lua_isnil(L, -2) ? 2 : (lua_pop(L, 1), 1);
}

/* pools:snapshot(into or nil) -> snapshot; or nil and the reason */
int spl_manager_snapshot(lua_State *L)
{
  sp_check_manager(L, 1);
  if (!lua_isnoneornil(L, 2))
    check_snapshot(L, 2);
  return sp_call_saving(L, "take");
}

int spl_restore_snapshot(lua_State *L)
{
  spl_manager *m = sp_check_manager(L, 1);
  check_snapshot(L, 2);
  sp_context *c = m->context;
  const uint64_t id = m->id;
  sp_result why = sp_manager_check_idle(m);
  if (why != SP_OK)
    return sp_return_refusal(L, false, why);
  m->restores++;
  lua_settop(L, 2);
  sp_push_helper(L, c, "spawnpool.saving", "restore");
  lua_insert(L, 1);
  sp_call_without_gc(L, 2, 2);
  if (!lua_toboolean(L, -2))
    return 2;
  sp_close_sleepers(L, c); /* of the timers that there were */
  lua_pop(L, 1);
  sp_hooks_restored(L, c, id);
  sp_raise_failures(L, c);
  return 1;
}

/* }== */

/* {== Natives: what there is ============================================= */

static const char *kind_name(uint32_t name)
{
  switch (SP_NAME_KIND(name)) {
  case SP_NAME_VALUE:
    return "value";
  case SP_NAME_REF:
    return "reference";
  case SP_NAME_BOOLEAN:
    return "boolean";
  default:
    return "number";
  }
}

/* Adds the fields of the pool whose userdata is at `pool` to the table on top: `kinds`, name -> kind, and `columns`,
   name -> number of those with values. */
static void add_fields(lua_State *L, const spl_pool *p, int pool)
{
  int entry = lua_gettop(L);
  lua_newtable(L);
  lua_newtable(L);
  lua_getiuservalue(L, pool, SP_POOL_FIELDS);
  for (lua_Integer i = 1; sp_raw_geti(L, entry + 3, i) == LUA_TTABLE; i++) {
    sp_raw_field(L, -1, "name");
    uint32_t name = sp_keymap_find(L, p->names, -1);
    lua_pushvalue(L, -1);
    lua_pushstring(L, kind_name(name));
    sp_raw_set(L, entry + 1);
    if (SP_NAME_KIND(name) == SP_NAME_VALUE) {
      lua_pushinteger(L, SP_NAME_WHAT(name));
      sp_raw_set(L, entry + 2);
    }
    lua_settop(L, entry + 3);
  }
  lua_settop(L, entry + 2);
  lua_setfield(L, entry, "columns");
  lua_setfield(L, entry, "kinds");
}

/* Adds a pool to the list that is on top. */
static void add_pool(lua_State *L, const spl_manager *m, const spl_pool *p)
{
  int list = lua_gettop(L);
  sp_push_anchor(L, m->context, p);
  lua_createtable(L, 0, 6);
  lua_pushstring(L, sp_pool_desc_of(p->core)->type);
  lua_setfield(L, list + 2, "type");
  lua_getiuservalue(L, list + 1, SP_POOL_VALUES);
  lua_setfield(L, list + 2, "values");
  add_fields(L, p, list + 1);
  lua_pushinteger(L, p->described.prealloc);
  lua_setfield(L, list + 2, "prealloc");
  sp_push_overflow(L, p);
  lua_setfield(L, list + 2, "overflow");
  sp_raw_seti(L, list, (lua_Integer)sp_raw_length(L, list) + 1);
  lua_settop(L, list);
}

/* native.pools(manager, all) -> a list of {type =, kinds =, columns =, values =, prealloc = (of the class), overflow =
   (sp_push_overflow)}, in order of creation; or of all, also those that a restore took back, in any order. Quiet. */
static int native_pools(lua_State *L)
{
  const spl_manager *m = sp_check_open_manager(L, 1);
  bool all = lua_toboolean(L, 2);
  luaL_checkstack(L, 20, NULL);
  lua_newtable(L);
  for (uint32_t i = 0; all && i < m->pool_count; i++)
    if (m->pools[i] && sp_held_pool(m->pools[i])->core)
      add_pool(L, m, m->pools[i]);
  for (const sp_pool *p = NULL; !all && (p = sp_manager_next_pool(m->core, p)) != NULL;)
    add_pool(L, m, spl_pool_of(p));
  return 1;
}

/* native.timers(manager) -> the table: handle -> function, coroutine, or name of a method */
static int native_timers(lua_State *L)
{
  sp_check_open_manager(L, 1);
  lua_getiuservalue(L, 1, SP_MANAGER_TIMERS);
  return 1;
}

/* native.label(manager, slot) -> "Bullet#3" */
static int native_label(lua_State *L)
{
  const spl_manager *m = sp_check_open_manager(L, 1);
  uint32_t slot = (uint32_t)lua_tointeger(L, 2);
  sp_shown label;
  lua_pushstring(L, sp_label(m->context, sp_ref_make(m->core, slot), &label));
  return 1;
}

/* }== */

/* {== Natives: copies ==================================================== */

/* native.take(manager, snapshot or nil, state) -> the snapshot, or nil and the reason. Quiet. */
static int native_take(lua_State *L)
{
  const spl_manager *m = sp_check_open_manager(L, 1);
  sp_result why = SP_OK;
  if (lua_isnil(L, 2)) {
    sp_push_snapshot(L, m->context);
    lua_replace(L, 2);
  }
  m = sp_check_open_manager(L, 1);
  lua_snapshot *s = to_snapshot(L, 2);
  sp_snapshot *core = sp_snapshot_take(m->core, s->kept->core, &why);
  if (!core)
    return sp_return_refusal(L, true, why);
  s->kept->core = core;
  lua_pushvalue(L, 3);
  lua_setiuservalue(L, 2, 1);
  lua_settop(L, 2);
  return 1;
}

/* native.state(snapshot) -> what native.take got */
static int native_state(lua_State *L)
{
  check_snapshot(L, 1);
  lua_getiuservalue(L, 1, 1);
  return 1;
}

/* Each three of the list at `swaps` are a pool's table of columns, the number of one, and what it is from now on. The
   keys are there: nothing is allocated. */
static void swap_columns(lua_State *L, int swaps)
{
  const lua_Integer count = (lua_Integer)sp_raw_length(L, swaps);
  for (lua_Integer i = 1; i < count; i += 3) {
    sp_raw_geti(L, swaps, i);
    sp_raw_geti(L, swaps, i + 1);
    sp_raw_geti(L, swaps, i + 2);
    sp_raw_set(L, -3);
    lua_pop(L, 1);
  }
}

/* Pushes the manager's table of timers, and puts the one at `timers` in its place. */
static void swap_timers(lua_State *L, int manager, int timers)
{
  lua_getiuservalue(L, manager, SP_MANAGER_TIMERS);
  lua_pushvalue(L, timers);
  lua_setiuservalue(L, manager, SP_MANAGER_TIMERS);
  lua_getiuservalue(L, manager, SP_MANAGER_CLOSING);
  lua_pushvalue(L, timers);
  sp_raw_seti(L, -2, 1); /* see sp_prepare_closing */
  lua_pop(L, 1);
}

/* Stops the timers in the list at `list`, which have nothing to call. */
static void stop_timers(lua_State *L, const spl_manager *m, int list)
{
  const lua_Integer count = (lua_Integer)sp_raw_length(L, list);
  lua_State *outer = sp_begin(m->context, L);
  for (lua_Integer i = 1; i <= count; i++) {
    sp_raw_geti(L, list, i);
    sp_timer_stop(m->core, (sp_timer)lua_tointeger(L, -1));
    lua_pop(L, 1);
  }
  sp_finish(m->context, outer);
}

/* Empties the seats of slots without an object in a column, the table on top. */
static void forget_column(lua_State *L, const sp_manager *m)
{
  for (lua_pushnil(L); sp_raw_next(L, -2); lua_pop(L, 1)) {
    const lua_Integer slot = lua_isinteger(L, -2) ? lua_tointeger(L, -2) : -1;
    if (slot < 0 || slot >= sp_slots_of(m)->slot_count ||
        sp_slot_chunk(m, (uint32_t)slot)->made >> (slot & SP_CHUNK_MASK) & 1)
      continue;
    lua_pushlightuserdata(L, (void *)&sp_empty_seat);
    sp_raw_seti(L, -4, slot);
  }
}

/* The core has destroyed idle objects beyond the limit of today, without a hook that would forget their values. */
static void forget_destroyed(lua_State *L, const sp_manager *m, int swaps)
{
  const lua_Integer count = (lua_Integer)sp_raw_length(L, swaps);
  for (lua_Integer i = 3; i <= count; i += 3) {
    sp_raw_geti(L, swaps, i);
    forget_column(L, m);
    lua_pop(L, 1);
  }
}

/* Gives objects the first values of fields: a list of types and names, of pools of an open manager. */
static void reset_fields(lua_State *L, spl_manager *m, int list)
{
  const lua_Integer count = (lua_Integer)sp_raw_length(L, list);
  int top = lua_gettop(L);
  for (lua_Integer i = 1; i < count; i += 2, lua_settop(L, top)) {
    sp_raw_geti(L, list, i);
    sp_raw_geti(L, list, i + 1);
    const spl_pool *p = sp_manager_find(L, m, top + 1);
    uint32_t name = p ? sp_keymap_find(L, p->names, top + 2) : SP_NO_KEY;
    if (name != SP_NO_KEY)
      sp_pool_reset_columns(p->core, (uint64_t)1 << SP_NAME_WHAT(name));
  }
}

/* Gives all pools what the table at `overflows` says, type -> list. */
static void take_overflows(lua_State *L, const spl_manager *m, int overflows)
{
  for (uint32_t i = 0; i < m->pool_count; i++) {
    spl_pool *p = m->pools[i] ? sp_held_pool(m->pools[i]) : NULL;
    if (!p || !p->core)
      continue;
    sp_raw_field(L, overflows, sp_pool_desc_of(p->core)->type);
    sp_take_overflow(L, p);
    lua_pop(L, 1);
  }
}

/* native.put_back(manager, snapshot, swaps, timers, ended, overflows, resets or nil) -> true, the table of timers
   before; or false and the reason. Nothing has changed then. Quiet. */
static int native_put_back(lua_State *L)
{
  enum { MANAGER = 1, SNAPSHOT, SWAPS, TIMERS, ENDED, OVERFLOWS, RESETS };
  lua_settop(L, RESETS);
  spl_manager *m = sp_check_open_manager(L, MANAGER);
  sp_result why = sp_snapshot_restore(m->core, check_snapshot(L, SNAPSHOT)->kept->core);
  if (why != SP_OK)
    return sp_return_refusal(L, false, why);
  lua_pushboolean(L, 1);
  if (lua_istable(L, RESETS))
    reset_fields(L, m, RESETS);
  take_overflows(L, m, OVERFLOWS);
  forget_destroyed(L, m->core, SWAPS);
  swap_columns(L, SWAPS);
  swap_timers(L, MANAGER, TIMERS);
  sp_tweens_renew(m);
  stop_timers(L, m, ENDED);
  return 2;
}

/* }== */

/* {== Natives: values ==================================================== */

/* native.seats(column) -> slot -> value, of the seats that hold something else than the default. One that holds the
   column itself is nil where the default is another value: here the mark of an empty seat means that. */
static int native_seats(lua_State *L)
{
  lua_settop(L, 1);
  lua_newtable(L);
  sp_raw_geti(L, 1, SP_COLUMN_DEFAULT);
  for (lua_pushnil(L); sp_raw_next(L, 1); lua_settop(L, 4)) {
    const lua_Integer slot = lua_tointeger(L, 4);
    if (slot < 0 || sp_seat_is_empty(L, 5) || sp_raw_equal(L, 3, 5))
      continue;
    if (sp_raw_equal(L, 5, 1)) {
      lua_pushlightuserdata(L, (void *)&sp_empty_seat);
      lua_replace(L, 5);
    }
    sp_raw_seti(L, 2, slot);
  }
  lua_settop(L, 2);
  return 1;
}

/* native.column(column, seats or nil) -> a column with the same defaults and these seats; nothing when they are none */
static int native_column(lua_State *L)
{
  static const int keys[] = {SP_COLUMN_FRESH, SP_COLUMN_DEFAULT};
  lua_settop(L, 2);
  lua_newtable(L);
  for (int i = 0; i < 2; i++) {
    sp_raw_geti(L, 1, keys[i]);
    lua_pushvalue(L, sp_raw_equal(L, 4, 1) ? 3 : 4);
    sp_raw_seti(L, 3, keys[i]);
    lua_settop(L, 3);
  }
  if (lua_isnil(L, 2))
    return 1;
  if (!lua_istable(L, 2))
    return 0;
  for (lua_pushnil(L); sp_raw_next(L, 2); lua_settop(L, 4)) {
    const lua_Integer slot = lua_isinteger(L, 4) ? lua_tointeger(L, 4) : -1;
    if (slot < 0 || slot >= SP_MAX_SLOTS)
      return 0;
    lua_pushvalue(L, sp_seat_is_empty(L, 5) ? 3 : 5);
    sp_raw_seti(L, 3, slot);
  }
  return 1;
}

/* native.encode(manager, value, named, owned, excepted, list) -> its bytes; or nil, what is refused, the list of keys
   that lead there, and that. Without a list as for a save, with one as for a snapshot (codec.h). Quiet. */
static int native_encode(lua_State *L)
{
  enum { OF = 1, VALUE, NAMED, OWNED, EXCEPTED, LIST };
  lua_settop(L, LIST);
  const sp_codec how = {.rule = lua_isnil(L, LIST) ? SP_CODEC_SAVE : SP_CODEC_SNAPSHOT,
                        .manager = sp_check_open_manager(L, OF)->core,
                        .named = NAMED,
                        .owned = lua_isnil(L, OWNED) ? 0 : OWNED,
                        .excepted = lua_isnil(L, EXCEPTED) ? 0 : EXCEPTED,
                        .list = LIST,
                        .most = SIZE_MAX};
  if (sp_encode(L, VALUE, &how))
    return 1;
  lua_pushnil(L);
  lua_insert(L, -4);
  return 4;
}

/* native.decode(manager or nil, bytes, list or nil) -> true and the value; or false. Quiet. */
static int native_decode(lua_State *L)
{
  size_t size = 0;
  lua_settop(L, 3);
  const sp_manager *m = lua_isnil(L, 1) ? NULL : sp_check_open_manager(L, 1)->core;
  const char *bytes = sp_check_bytes(L, 2, &size);
  lua_pushboolean(L, 1);
  if (sp_decode(L, bytes, size, m, lua_isnil(L, 3) ? 0 : 3))
    return 2;
  lua_pushboolean(L, 0);
  return 1;
}

/* native.add_path(text, keys, from) -> text with ".a[1]" for these keys, from number `from` on */
static int native_add_path(lua_State *L)
{
  lua_settop(L, 3);
  lua_pushvalue(L, 1);
  sp_add_path(L, 2, lua_tointeger(L, 3));
  return 1;
}

/* native.sum(string) -> its checksum */
static int native_sum(lua_State *L)
{
  size_t size = 0;
  sp_check_text(L, 1);
  const char *bytes = lua_tolstring(L, 1, &size);
  lua_pushinteger(L, (lua_Integer)sp_sum(SP_SUM_BEGIN, bytes, size));
  return 1;
}

/* }== */

/* {== Hash =============================================================== */

/* Lua fields are hashed as a snapshot stores them: a field that still has its default hashes like an unset one. */

typedef struct hashing {
  const sp_state_hashing *how;
  sp_encoder values;
  uint64_t hash;
} hashing;

/* Pushes a block of numbers, the sums of the names of all sprites. */
static const uint64_t *push_sprites(lua_State *L, const sp_context *c)
{
  uint64_t *sums = lua_newuserdatauv(L, (c->sprite_count + 1) * sizeof *sums, 0);
  sp_push_kept(L, c, SP_KEPT_SPRITES);
  for (uint32_t i = 0; i < c->sprite_count; i++) {
    size_t size = 0;
    sp_raw_geti(L, -1, i);
    const char *name = lua_tolstring(L, -1, &size);
    sums[i] = sp_sum(SP_SUM_BEGIN, name, size);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return sums;
}

/* Returns the hash of one Lua field, of the column at `column`, whose default is above it; 0 if the field has its
   default, or a `fresh` value that was not created yet. */
static uint64_t hash_seat(lua_State *L, hashing *h, int column, uint32_t slot)
{
  uint64_t number = 0;
  if (sp_raw_geti(L, column, slot) != LUA_TNIL && !sp_seat_is_empty(L, -1) && !sp_raw_equal(L, -1, column + 1))
    number = sp_raw_equal(L, -1, column) ? 1 : sp_value_hash_at(&h->values, -1); /* the column stands for nil */
  lua_pop(L, 1);
  return number;
}

static void hash_column(lua_State *L, hashing *h, const spl_pool *p, int column)
{
  sp_pool *core = p->core;
  const int seats = lua_gettop(L);
  sp_walk walk = sp_pool_walk(core);
  sp_raw_geti(L, seats, SP_COLUMN_DEFAULT);
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NULL_REF;) {
    uint64_t number = hash_seat(L, h, seats, sp_ref_slot(object));
    h->hash = sp_hash_mix(h->hash, number);
    if (h->how->on_part)
      h->how->on_part(h->how->ud, object, column, number);
  }
  for (sp_ref idle = 0; !(p->value_reset >> column & 1) && (idle = sp_pool_idle_after(core, idle)) != SP_NULL_REF;)
    h->hash = sp_hash_mix(h->hash, hash_seat(L, h, seats, sp_ref_slot(idle)));
}

static void hash_values(lua_State *L, hashing *h, const spl_pool *p)
{
  int top = lua_gettop(L);
  sp_push_anchor(L, p->manager->context, p);
  lua_getiuservalue(L, -1, SP_POOL_VALUES);
  for (uint64_t mask = p->values; mask; mask &= mask - 1) {
    sp_raw_geti(L, top + 2, __builtin_ctzll(mask));
    hash_column(L, h, p, __builtin_ctzll(mask));
    lua_settop(L, top + 2);
  }
  lua_settop(L, top);
}

/* The names of methods that timers call; the sum does not depend on the order of the table. */
static uint64_t hash_timers(lua_State *L, const spl_manager *m)
{
  uint64_t sum = 0;
  sp_push_anchor(L, m->context, m);
  lua_getiuservalue(L, -1, SP_MANAGER_TIMERS);
  for (lua_pushnil(L); sp_raw_next(L, -2); lua_pop(L, 1))
    if (lua_isinteger(L, -2)) { /* others are coroutines of the manager */
      const bool is_list = lua_istable(L, -1) && sp_raw_geti(L, -1, 1) == LUA_TSTRING; /* a tween with a function */
      const char *method = sp_to_text(L, -1);
      lua_pop(L, is_list);
      sum += sp_hash_mix(sp_sum(SP_SUM_BEGIN, method, strlen(method)), (uint64_t)lua_tointeger(L, -2));
    }
  lua_pop(L, 2);
  return sum;
}

uint64_t sp_state_hash(lua_State *L, const spl_manager *m, const sp_state_hashing *how)
{
  const int top = lua_gettop(L);
  const sp_context *c = m->context;
  hashing h = {.how = how, .hash = sp_hash_manager(m->core)};
  luaL_checkstack(L, 40, NULL);
  const sp_hashing parts = {push_sprites(L, c), c->sprite_count, how->on_part, how->ud};
  sp_value_hash_begin(L, &h.values, m->core, how->repeatable, how->entries);
  for (const sp_pool *core = NULL; (core = sp_manager_next_pool(m->core, core)) != NULL;) {
    const spl_pool *p = spl_pool_of(core);
    if (how->on_pool)
      how->on_pool(how->ud, p);
    h.hash = sp_hash_pool(h.hash, p->core, &parts);
    hash_values(L, &h, p);
  }
  if (how->on_pool)
    how->on_pool(how->ud, NULL);
  h.hash = sp_hash_mix(h.hash, hash_timers(L, m));
  lua_settop(L, top);
  return h.hash;
}

/* hash(manager) -> its number. Quiet. */
static int hash_all(lua_State *L)
{
  const sp_state_hashing all = {.entries = UINT64_MAX};
  lua_pushinteger(L, (lua_Integer)sp_state_hash(L, sp_check_open_manager(L, 1), &all));
  return 1;
}

int spl_manager_hash(lua_State *L)
{
  const spl_manager *m = sp_check_manager(L, 1);
  sp_result why = sp_manager_check_idle(m);
  if (why != SP_OK)
    return sp_return_refusal(L, true, why);
  lua_pushcfunction(L, hash_all);
  lua_pushvalue(L, 1);
  sp_call_without_gc(L, 1, 1);
  return 1;
}

/* }== */

const luaL_Reg sp_snapshot_natives[] = {
    {"pools", native_pools},
    {"timers", native_timers},
    {"label", native_label},
    {"take_snapshot", native_take},
    {"state", native_state},
    {"put_back", native_put_back},
    {"seats", native_seats},
    {"column", native_column},
    {"encode", native_encode},
    {"decode", native_decode},
    {"add_path", native_add_path},
    {"sum", native_sum},
    {NULL, NULL},
};
