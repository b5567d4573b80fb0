/*
** From class to pool: lua/spawnpool/class.lua resolves a class into one flat description, and this file builds the pool
** from it, or changes a pool to fit it.
*/
#include <string.h>

#include "script/border.h"
#include "script/object.h"
#include "script/plan.h"

/* {== Reading a description =============================================== */

static uint32_t count_or(lua_State *L, int from, const char *key, uint32_t none)
{
  uint32_t count = none;
  if (lua_getfield(L, from, key) == LUA_TNUMBER)
    count = (uint32_t)lua_tointeger(L, -1);
  lua_pop(L, 1);
  return count;
}

static int option_of(lua_State *L, int from, const char *key, const char *const *names)
{
  int found = 0;
  lua_getfield(L, from, key);
  const char *name = lua_tostring(L, -1);
  for (int i = 0; name && names[i]; i++)
    if (strcmp(names[i], name) == 0)
      found = i;
  lua_pop(L, 1);
  return found;
}

static const char *const overflow_names[] = {"refuse", "oldest", "grow", "error", NULL};
static const char *const order_names[] = {"fifo", "lifo", NULL};

const char *sp_overflow_name(sp_overflow overflow) { return overflow_names[overflow]; }

static sp_settings read_settings(lua_State *L, int from)
{
  sp_settings s = {
      .prealloc = count_or(L, from, "prealloc", 0),
      .grow = count_or(L, from, "grow", SP_DEFAULT_GROW),
      .limit = count_or(L, from, "limit", SP_UNLIMITED),
      .idle_limit = count_or(L, from, "idle_limit", SP_UNLIMITED),
      .overflow = (sp_overflow)option_of(L, from, "overflow", overflow_names),
      .order = (sp_order)option_of(L, from, "order", order_names),
  };
  if (lua_getfield(L, from, "overflow") == LUA_TFUNCTION)
    s.overflow = SP_OVERFLOW_FUNCTION;
  lua_pop(L, 1);
  return s;
}

static void set_initial(lua_State *L, sp_context *c, sp_pool_desc *desc, uint32_t name, int value)
{
  float *const floats[] = {&desc->x, &desc->y, &desc->vx, &desc->vy, &desc->ax, &desc->ay, &desc->angle, &desc->spin};
  switch (SP_NAME_KIND(name)) {
  case SP_NAME_FLOAT:
    *floats[SP_NAME_WHAT(name)] = (float)lua_tonumber(L, value);
    break;
  case SP_NAME_LOOK_FLOAT:
    *(float *)((char *)&desc->look + SP_NAME_WHAT(name)) = (float)lua_tonumber(L, value);
    break;
  case SP_NAME_LAYER:
    desc->look.layer = (int16_t)lua_tointeger(L, value);
    break;
  case SP_NAME_SPRITE:
    desc->look.sprite = sp_sprite_number(L, c, value);
    break;
  case SP_NAME_VISIBLE:
    desc->look.visible = (uint8_t)lua_toboolean(L, value);
    break;
  default:
    break;
  }
}

static void read_initial(lua_State *L, sp_context *c, sp_pool_desc *desc, int from)
{
  lua_getfield(L, from, "initial");
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
    set_initial(L, c, desc, sp_keymap_find(L, c->names, -2), lua_gettop(L));
  lua_pop(L, 1);
}

/* `said` is the kind that the class gave, or nil; then the default decides. */
static sp_name_kind kind_of(lua_State *L, const char *said, int value)
{
  if (said && strcmp(said, "ref") == 0)
    return SP_NAME_REF;
  if (said && (strcmp(said, "any") == 0 || strcmp(said, "fresh") == 0))
    return SP_NAME_VALUE;
  switch (lua_type(L, value)) {
  case LUA_TBOOLEAN:
    return SP_NAME_BOOLEAN;
  case LUA_TNUMBER:
    return lua_isinteger(L, value) ? SP_NAME_INTEGER : SP_NAME_NUMBER;
  default:
    return SP_NAME_VALUE;
  }
}

/* One entry {name, kind, default} of description.fields, on top of the stack. The strings stay in the description. */
static void read_field(lua_State *L, sp_pool_plan *plan, int i)
{
  int entry = lua_gettop(L);
  lua_getfield(L, entry, "name");
  lua_getfield(L, entry, "default");
  lua_getfield(L, entry, "kind");
  const char *said = lua_tostring(L, entry + 3);
  sp_name_kind kind = kind_of(L, said, entry + 2);
  bool numeric = kind != SP_NAME_VALUE && kind != SP_NAME_REF;
  plan->numbers[i] = kind == SP_NAME_BOOLEAN ? lua_toboolean(L, entry + 2) : lua_tonumber(L, entry + 2);
  plan->packed[i] = SP_NAME(kind, SP_FIELDS + i);
  plan->fields[i] = (sp_field){
      .name = lua_tostring(L, entry + 1),
      .initial = numeric ? &plan->numbers[i] : NULL,
      .size = kind == SP_NAME_VALUE ? 1 : sizeof(double),
      .keep = said && strcmp(said, "keep") == 0,
      .live = said && strcmp(said, "live") == 0,
  };
  lua_settop(L, entry);
}

static void read_fields(lua_State *L, sp_pool_plan *plan, int from)
{
  lua_getfield(L, from, "fields");
  lua_Integer count = luaL_len(L, -1);
  if (count > SP_MAX_FIELDS)
    luaL_error(L, "class '%s' has %I own fields; at most %d fit", plan->desc.type, count, SP_MAX_FIELDS);
  for (int i = 0; i < (int)count; i++) {
    lua_rawgeti(L, -1, i + 1);
    read_field(L, plan, i);
    lua_pop(L, 1);
  }
  plan->desc.fields = plan->fields;
  plan->desc.field_count = (int)count;
  lua_pop(L, 1);
}

static float float_or(lua_State *L, int from, const char *key, float none)
{
  if (lua_getfield(L, from, key) == LUA_TNUMBER)
    none = (float)lua_tonumber(L, -1);
  lua_pop(L, 1);
  return none;
}

static const char *const outside_names[] = {"", "recycle", "wrap", "bounce", "clamp", NULL};
static const char *const parent_end_names[] = {"recycle", "detach", NULL};

static void read_motion(lua_State *L, sp_pool_desc *desc, int from)
{
  int top = lua_gettop(L), table = top + 1;
  if (lua_getfield(L, from, "motion") == LUA_TTABLE) {
    desc->motion.gravity = float_or(L, table, "gravity", 0);
    desc->motion.drag = float_or(L, table, "drag", 0);
    lua_getfield(L, table, "face_velocity");
    desc->motion.face_velocity = lua_toboolean(L, -1);
  }
  lua_settop(L, top);
  if (lua_getfield(L, from, "bounds") == LUA_TTABLE) {
    desc->bounds = (sp_bounds){float_or(L, table, "x", 0), float_or(L, table, "y", 0), float_or(L, table, "w", 1),
                               float_or(L, table, "h", 1), (sp_outside)option_of(L, table, "outside", outside_names)};
  }
  lua_settop(L, top);
  desc->on_parent_end = (sp_parent_end)option_of(L, from, "on_parent_end", parent_end_names);
}

/* One entry of over_life: name at -2, list of points at -1. */
static sp_curve read_curve(lua_State *L, const sp_context *c)
{
  uint32_t name = sp_keymap_find(L, c->names, -2);
  bool look = SP_NAME_KIND(name) == SP_NAME_LOOK_FLOAT;
  sp_curve curve = {.column = look ? SP_LOOK : SP_NAME_WHAT(name), .offset = (uint16_t)(look ? SP_NAME_WHAT(name) : 0)};
  lua_Integer count = luaL_len(L, -1);
  for (; curve.count < count && curve.count < SP_MAX_POINTS; curve.count++) {
    lua_rawgeti(L, -1, curve.count + 1);
    curve.points[curve.count] = (float)lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  return curve;
}

static void read_curves(lua_State *L, const sp_context *c, sp_pool_plan *plan, int from)
{
  if (lua_getfield(L, from, "over_life") == LUA_TTABLE)
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
      if (plan->desc.curve_count < SP_MAX_CURVES)
        plan->curves[plan->desc.curve_count++] = read_curve(L, c);
  plan->desc.curves = plan->curves;
  lua_pop(L, 1);
}

void sp_plan_read(lua_State *L, sp_context *c, sp_pool_plan *plan, const char *type, int from)
{
  plan->desc = sp_pool_defaults(type);
  lua_getfield(L, from, "settings");
  plan->desc.settings = read_settings(L, lua_gettop(L));
  lua_pop(L, 1);
  read_initial(L, c, &plan->desc, from);
  read_fields(L, plan, from);
  read_motion(L, &plan->desc, from);
  read_curves(L, c, plan, from);
}

/* }== */

/* {== Beside the core ===================================================== */

/* A new map of all names that an object has, its own and the built-in ones; the strings it points to stay in its user
   values and in the context. The own methods themselves go into a list beside it. */
void sp_plan_names(lua_State *L, sp_lua_pool *p, const sp_pool_plan *plan, int from, int pool)
{
  sp_context *c = p->manager->context;
  int top = lua_gettop(L), count = plan->desc.field_count, methods = 0;
  lua_getfield(L, from, "methods");
  for (lua_pushnil(L); lua_next(L, top + 1); lua_pop(L, 1))
    methods++;
  uint32_t seats = sp_keymap_seats(c->names->count + (uint32_t)(count + methods));
  sp_keymap *map = lua_newuserdatauv(L, sp_keymap_size(seats), 2);
  sp_keymap_init(map, seats);
  sp_keymap_add_all(map, c->names);
  lua_getfield(L, from, "fields");
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, -1, i + 1);
    lua_getfield(L, -1, "name");
    sp_keymap_add(L, map, -1, plan->packed[i]);
    lua_pop(L, 2);
  }
  lua_setiuservalue(L, top + 2, 1);
  lua_createtable(L, methods, 0);
  methods = 0;
  for (lua_pushnil(L); lua_next(L, top + 1);) {
    sp_keymap_add(L, map, -2, SP_NAME(SP_NAME_OWN_METHOD, ++methods));
    lua_rawseti(L, top + 3, methods);
  }
  lua_setiuservalue(L, pool, SP_POOL_METHODS);
  lua_pushvalue(L, top + 1);
  lua_setiuservalue(L, -2, 2);
  lua_setiuservalue(L, pool, SP_POOL_KEYMAP);
  lua_settop(L, top);
  p->names = map;
  p->names_stamp = ++c->names_stamp;
}

/* Field i's default, or the function that makes one per life, into the values table on top. */
static void take_default(lua_State *L, int fields, int i)
{
  lua_rawgeti(L, fields, i + 1);
  lua_getfield(L, -1, "kind");
  const char *said = lua_tostring(L, -1);
  bool fresh = said && strcmp(said, "fresh") == 0;
  lua_getfield(L, -2, "default");
  lua_rawseti(L, -4, fresh ? SP_COLUMN_FRESH : SP_COLUMN_DEFAULT);
  lua_pushnil(L);
  lua_rawseti(L, -4, fresh ? SP_COLUMN_DEFAULT : SP_COLUMN_FRESH);
  lua_pop(L, 2);
}

static void hold_in_chunk(lua_State *L, const sp_lua_pool *p, uint32_t number, bool idle_too)
{
  const sp_manager *m = p->core->manager;
  for (uint32_t slot = number * SP_CHUNK_SLOTS; slot < (number + 1) * SP_CHUNK_SLOTS; slot++) {
    if (!sp_bit(m->made, slot) || !(idle_too || m->generation[slot] & 1))
      continue;
    lua_rawgeti(L, -2, slot);
    if (sp_seat_is_empty(L, -1)) {
      lua_pushvalue(L, -2);
      lua_rawseti(L, -4, slot);
    }
    lua_pop(L, 1);
  }
}

/* The column's table is on top, the entry of its field at `fields`[i]. A default that changes stays with the objects
   that have it, unless the field is `live`: as with numbers. */
static void hold_default(lua_State *L, const sp_lua_pool *p, const sp_field *field, int fields, int i)
{
  int column = lua_gettop(L);
  lua_rawgeti(L, column, SP_COLUMN_FRESH);
  bool fresh = !lua_isnil(L, -1);
  lua_rawgeti(L, fields, i + 1);
  lua_getfield(L, -1, "default");
  lua_rawgeti(L, column, SP_COLUMN_DEFAULT);
  bool same = lua_rawequal(L, -1, -2);
  lua_replace(L, column + 1);
  lua_settop(L, column + 1);
  if (lua_isnil(L, -1)) { /* the table itself stands for nil */
    lua_pop(L, 1);
    lua_pushvalue(L, column);
  }
  if (!fresh && !same && !field->live)
    for (uint32_t k = 0; p->core && k < p->core->chunk_count; k++)
      hold_in_chunk(L, p, p->core->chunks[k], field->keep);
  lua_settop(L, column);
}

/* Tables for fields that hold Lua values; those of a former description go on under the same name. */
void sp_plan_values(lua_State *L, sp_lua_pool *p, const sp_pool_plan *plan, int from, int pool)
{
  lua_newtable(L);
  int values = lua_gettop(L);
  lua_getiuservalue(L, pool, SP_POOL_VALUES);
  lua_getfield(L, from, "fields");
  p->values = p->value_reset = 0;
  for (int i = 0; i < plan->desc.field_count; i++) {
    if (SP_NAME_KIND(plan->packed[i]) != SP_NAME_VALUE)
      continue;
    uint32_t old = p->names ? sp_keymap_find_text(p->names, plan->fields[i].name) : SP_NO_KEY;
    if (old != SP_NO_KEY && SP_NAME_KIND(old) == SP_NAME_VALUE) {
      lua_rawgeti(L, values + 1, SP_NAME_WHAT(old));
      hold_default(L, p, &plan->fields[i], values + 2, i);
    } else {
      lua_newtable(L);
    }
    take_default(L, values + 2, i);
    lua_rawseti(L, values, SP_FIELDS + i);
    p->values |= (uint64_t)1 << (SP_FIELDS + i);
    if (!plan->fields[i].keep)
      p->value_reset |= (uint64_t)1 << (SP_FIELDS + i);
  }
  lua_settop(L, values);
  lua_setiuservalue(L, pool, SP_POOL_VALUES);
}

void sp_plan_functions(lua_State *L, sp_lua_pool *p, int from, int pool)
{
  static const char *const names[] = {
#define NAME(code, name) name,
      SP_HOOKS(NAME)
#undef NAME
  };
  uint32_t kept = p->overflow_set ? p->hooks & 1u << SP_HOOK_OVERFLOW : 0;
  p->hooks = kept;
  lua_getfield(L, from, "functions");
  for (int hook = 0; hook < SP_HOOK_COUNT; hook++) {
    if (hook == SP_HOOK_OVERFLOW && p->overflow_set)
      continue;
    if (lua_getfield(L, -1, names[hook]) == LUA_TFUNCTION)
      p->hooks |= 1u << hook;
    lua_setiuservalue(L, pool, SP_POOL_HOOKS + hook);
  }
  lua_pop(L, 1);
}

/* }== */

/* {== Pools =============================================================== */

/* classes.describe(type, path, strict): pushes the flat description; what is wrong is the caller's to hear. */
void sp_push_description(lua_State *L, sp_lua_manager *m, int type)
{
  type = lua_absindex(L, type);
  sp_push_kept(L, m->context, SP_KEPT_CLASSES);
  lua_getfield(L, -1, "describe");
  lua_replace(L, -2);
  lua_pushvalue(L, type);
  sp_push_anchor(L, m->context, m);
  lua_getiuservalue(L, -1, SP_MANAGER_PATH);
  lua_replace(L, -2);
  lua_pushboolean(L, m->unknown == SP_UNKNOWN_ERROR);
  lua_call(L, 3, 2);
  if (lua_isnil(L, -2))
    luaL_error(L, "%s", lua_tostring(L, -1));
  lua_pop(L, 1);
}

static sp_lua_pool *new_handle(lua_State *L, sp_lua_manager *m)
{
  sp_lua_pool *p = lua_newuserdatauv(L, sizeof *p, SP_POOL_USER_VALUES);
  memset(p, 0, sizeof *p);
  p->manager = m;
  sp_pool_dress(L, m->context, p);
  sp_push_anchor(L, m->context, m);
  lua_setiuservalue(L, -2, SP_POOL_MANAGER);
  sp_set_anchor(L, m->context, p, -1);
  return p;
}

/* prepare(manager, type, description) -> plan, pool: the pool is listed, and has no core yet. */
static int prepare_pool(lua_State *L)
{
  enum { TYPE = 2, FROM, PLAN, POOL };
  sp_lua_manager *m = lua_touserdata(L, 1);
  luaL_checkstack(L, 30, NULL);
  sp_pool_plan *plan = lua_newuserdatauv(L, sizeof *plan, 0);
  sp_plan_read(L, m->context, plan, lua_tostring(L, TYPE), FROM);
  sp_lua_pool *p = new_handle(L, m);
  lua_newtable(L);
  lua_setiuservalue(L, POOL, SP_POOL_VALUES);
  sp_plan_values(L, p, plan, FROM, POOL);
  sp_plan_names(L, p, plan, FROM, POOL);
  sp_plan_functions(L, p, FROM, POOL);
  lua_getfield(L, FROM, "class");
  lua_setiuservalue(L, POOL, SP_POOL_CLASS);
  p->described = plan->desc.settings;
  plan->desc.hooks = sp_hooks_for(p);
  plan->desc.user = p;
  sp_manager_list(L, m, p, TYPE, POOL);
  lua_settop(L, POOL);
  return 2;
}

/* The pool's core; hooks run for the first objects. The type is at `type`, the plan and the pool's userdata are on
   top. */
static sp_lua_pool *open_core(lua_State *L, sp_context *c, sp_lua_pool *p, int type)
{
  const sp_pool_plan *plan = lua_touserdata(L, -2);
  const uint64_t id = p->id;
  sp_result why = SP_OK;
  lua_State *outer = sp_begin(c, L);
  sp_pool *core = sp_pool_open(p->manager->core, &plan->desc, &why);
  sp_finish(c, outer);
  if (!core) {
    sp_pool_unlist(c, id);
    sp_raise(L, "cannot make a pool of '%s': %s", lua_tostring(L, type), sp_result_text(why));
  }
  p = sp_pool_again(c, id);
  if (p)
    p->core = core;
  return p;
}

sp_lua_pool *sp_pool_create(lua_State *L, sp_lua_manager *m, int index)
{
  sp_context *c = m->context;
  const uint64_t id = m->id;
  luaL_checkstack(L, 20, NULL);
  index = lua_absindex(L, index);
  int top = lua_gettop(L);
  sp_push_description(L, m, index);
  m = sp_manager_again(c, id);
  /* Resolving may have run a class file that made this very pool. */
  sp_lua_pool *p = m ? sp_manager_find(L, m, index) : NULL;
  if (!p && m && !m->core->closing) {
    lua_pushcfunction(L, prepare_pool);
    lua_pushlightuserdata(L, m);
    lua_pushvalue(L, index);
    lua_pushvalue(L, top + 1);
    sp_quietly(L, 3, 2);
    p = open_core(L, c, lua_touserdata(L, -1), index);
  }
  lua_settop(L, top);
  return p;
}

/* }== */
