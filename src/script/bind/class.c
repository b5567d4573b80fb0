/*
** Classes as pools have them: lua/spawnpool/class.lua resolves a class into one flat description, which becomes a plan
** here. A plan has everything that its pool is going to have: making it may fail, applying it cannot.
**
** Changed classes apply to all their pools, or to none: first a plan is made for each pool, which may run Lua code;
** then everything that the plans need is reserved, and the first refusal gives all of it back; then all pools change,
** which cannot fail; and last their hooks run.
*/
#include "script/bind/class.h"

#include <stdlib.h>
#include <string.h>

#include "script/bind/fields.h"
#include "script/bind/hooks.h"
#include "script/bind/rows.h"
#include "script/state/arguments.h"
#include "script/state/sprites.h"

#include "script/state/careful.h"

/* {== Reading a description =============================================== */

static void read_rows(lua_State *L, sp_context *c, const char *owner, sp_pool_desc *desc);

/* Reads the value on top of the stack, nil when the class does not give it, into the setting of a description. Numbers
   that are not given stay as they are. */
static void read_setting(lua_State *L, sp_context *c, const sp_row *row, sp_pool_desc *desc)
{
  void *cell = (char *)desc + row->place;
  const bool given = !lua_isnil(L, -1);
  if (row->kind == SP_ROW_COUNT)
    *(uint32_t *)cell = (uint32_t)(given ? lua_tointeger(L, -1) : strtol(row->standard, NULL, 10));
  else if (row->kind == SP_ROW_LIMIT)
    *(uint32_t *)cell = given ? (uint32_t)lua_tointeger(L, -1) : SP_UNLIMITED;
  else if (row->kind == SP_ROW_RECORD && given)
    read_rows(L, c, row->words, desc);
  else if (row->kind == SP_ROW_WORD && given)
    *(uint32_t *)cell = (uint32_t)(row->low + sp_row_word(row, lua_tostring(L, -1)));
  else if (row->kind == SP_ROW_NUMBER && given)
    *(float *)cell = (float)lua_tonumber(L, -1);
  else if (row->kind == SP_ROW_LAYER && given)
    *(int16_t *)cell = (int16_t)lua_tointeger(L, -1);
  else if (row->kind == SP_ROW_SPRITE && given)
    *(uint16_t *)cell = sp_sprite_number(L, c, lua_gettop(L));
  else if (row->kind == SP_ROW_BOOLEAN && given)
    *(uint8_t *)cell = (uint8_t)lua_toboolean(L, -1);
}

/* Reads all settings of the table on top. */
static void read_rows(lua_State *L, sp_context *c, const char *owner, sp_pool_desc *desc)
{
  const sp_row *rows = NULL;
  while ((rows = sp_rows_next(owner, rows)) != NULL)
    for (const sp_row *row = rows; row->name; row++) {
      lua_getfield(L, -1, row->name);
      read_setting(L, c, row, desc);
      lua_pop(L, 1);
    }
}

static void read_overflow(lua_State *L, sp_pool_plan *plan)
{
  sp_overflow overflow = SP_OVERFLOW_REFUSE;
  lua_getfield(L, -1, "overflow");
  if (sp_to_function(L, -1))
    overflow = SP_OVERFLOW_FUNCTION;
  else if (lua_isstring(L, -1))
    sp_overflow_of_name(lua_tostring(L, -1), &overflow, &plan->raises);
  lua_pop(L, 1);
  plan->desc.settings.overflow = overflow;
}

/* Returns the kind that the class gave as `said`, or, when that is NULL, the kind of the default value. */
static sp_name_kind kind_of(lua_State *L, const char *said, int value)
{
  if (said && strcmp(said, "ref") == 0)
    return SP_NAME_REF;
  if (said && (strcmp(said, "any") == 0 || strcmp(said, "fresh") == 0))
    return SP_NAME_VALUE;
  if (said && strcmp(said, "float") == 0)
    return SP_NAME_FLOAT;
  if (said && strcmp(said, "animation") == 0)
    return SP_NAME_ANIMATION;
  if (said && strcmp(said, "frame") == 0)
    return SP_NAME_FRAME;
  switch (lua_type(L, value)) {
  case LUA_TBOOLEAN:
    return SP_NAME_BOOLEAN;
  case LUA_TNUMBER:
    return lua_isinteger(L, value) ? SP_NAME_INTEGER : SP_NAME_NUMBER;
  default:
    return SP_NAME_VALUE;
  }
}

/* Reads an entry {name, kind, default} of description.fields from the top of the stack. The strings stay in the
   description. */
static void read_field(lua_State *L, sp_pool_plan *plan, int i)
{
  int entry = lua_gettop(L);
  lua_getfield(L, entry, "name");
  lua_getfield(L, entry, "default");
  lua_getfield(L, entry, "kind");
  const char *said = lua_tostring(L, entry + 3);
  sp_name_kind kind = kind_of(L, said, entry + 2);
  bool numeric = kind != SP_NAME_VALUE && kind != SP_NAME_REF;
  plan->any |= (uint64_t)(said && strcmp(said, "any") == 0) << (SP_FIELDS + i);
  plan->fresh |= (uint64_t)(said && strcmp(said, "fresh") == 0) << (SP_FIELDS + i);
  plan->numbers[i] = kind == SP_NAME_BOOLEAN ? lua_toboolean(L, entry + 2) : lua_tonumber(L, entry + 2);
  plan->floats[i] = (float)plan->numbers[i];
  plan->packed[i] = SP_NAME(kind, SP_FIELDS + i);
  plan->fields[i] = (sp_field){
      .name = lua_tostring(L, entry + 1),
      .initial = kind == SP_NAME_FLOAT ? (const void *)&plan->floats[i]
                 : numeric             ? &plan->numbers[i]
                                       : NULL,
      .size = kind == SP_NAME_VALUE   ? 1
              : kind == SP_NAME_FLOAT ? sizeof(float)
                                      : sizeof(double),
      .keep = said && strcmp(said, "keep") == 0,
      .live = said && strcmp(said, "live") == 0,
      .ref = kind == SP_NAME_REF,
  };
  lua_settop(L, entry);
}

static void read_fields(lua_State *L, sp_pool_plan *plan, int from)
{
  lua_getfield(L, from, "fields");
  lua_Integer count = (lua_Integer)sp_raw_length(L, -1);
  if (count > SP_MAX_FIELDS)
    luaL_error(L, "class '%s' has %I own fields; at most %d fit", plan->desc.type, count, SP_MAX_FIELDS);
  for (int i = 0; i < (int)count; i++) {
    sp_raw_geti(L, -1, i + 1);
    read_field(L, plan, i);
    lua_pop(L, 1);
  }
  plan->desc.fields = plan->fields;
  plan->desc.field_count = (int)count;
  lua_pop(L, 1);
}

/* Returns the column of the field with this name, or 0. */
static int find_column(const sp_pool_plan *plan, const char *name)
{
  int i = plan->desc.field_count - 1;
  while (i >= 0 && strcmp(plan->fields[i].name, name) != 0)
    i--;
  return i < 0 ? 0 : SP_FIELDS + i;
}

/* settings.animation: the name of one of the sheet's, or a table {frames, fps, loop} with a list of frames. */
static void read_animation(lua_State *L, sp_context *c, sp_pool_plan *plan, int from)
{
  int top = lua_gettop(L), column = find_column(plan, "animation") - SP_FIELDS;
  sp_clip_own *own = &plan->clip;
  if (lua_getfield(L, from, "animation") == LUA_TSTRING) {
    plan->numbers[column] = sp_clip_number(L, c, -1);
  } else if (lua_istable(L, -1)) {
    plan->numbers[column] = SP_CLIP_OWN;
    lua_getfield(L, top + 1, "fps");
    own->fps = (float)lua_tonumber(L, -1);
    own->loop = lua_getfield(L, top + 1, "loop") == LUA_TNIL || lua_toboolean(L, -1);
    const lua_Integer count = lua_getfield(L, top + 1, "frames") == LUA_TTABLE ? (lua_Integer)sp_raw_length(L, -1) : 0;
    for (; own->count < count && own->count < SP_CLIP_FRAMES; own->count++) {
      sp_raw_geti(L, top + 4, own->count + 1);
      own->frames[own->count] = (uint16_t)lua_tointeger(L, -1);
      lua_settop(L, top + 4);
    }
  }
  plan->animated = lua_isnil(L, top + 1) ? 0 : SP_FIELDS + column;
  lua_settop(L, top);
}

/* One entry of over_life: name at -2, list of points at -1. */
static sp_curve read_curve(lua_State *L, const sp_context *c, const sp_pool_plan *plan)
{
  uint32_t name = sp_keymap_find(L, c->names, -2);
  if (name == SP_NO_KEY)
    name = SP_NAME(SP_NAME_FLOAT, find_column(plan, lua_tostring(L, -2)));
  bool look = SP_NAME_KIND(name) == SP_NAME_LOOK_FLOAT;
  sp_curve curve = {.column = look ? SP_LOOK : SP_NAME_WHAT(name), .offset = (uint16_t)(look ? SP_NAME_WHAT(name) : 0)};
  lua_Integer count = (lua_Integer)sp_raw_length(L, -1);
  for (; curve.count < count && curve.count < SP_MAX_POINTS; curve.count++) {
    sp_raw_geti(L, -1, curve.count + 1);
    curve.points[curve.count] = (float)lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  return curve;
}

static void read_curves(lua_State *L, const sp_context *c, sp_pool_plan *plan, int from)
{
  if (lua_getfield(L, from, "over_life") == LUA_TTABLE)
    for (lua_pushnil(L); sp_raw_next(L, -2); lua_pop(L, 1))
      if (plan->desc.curve_count < SP_MAX_CURVES)
        plan->curves[plan->desc.curve_count++] = read_curve(L, c, plan);
  plan->desc.curves = plan->curves;
  lua_pop(L, 1);
}

static void read_description(lua_State *L, sp_context *c, sp_pool_plan *plan, int from)
{
  lua_getfield(L, from, "settings");
  int settings = lua_gettop(L);
  read_rows(L, c, "Definition", &plan->desc);
  read_overflow(L, plan);
  read_fields(L, plan, from);
  read_animation(L, c, plan, settings);
  plan->scaled = find_column(plan, "scale_x");
  plan->adds = lua_getfield(L, settings, "blend") == LUA_TSTRING && strcmp(lua_tostring(L, -1), "add") == 0;
  lua_pop(L, 1);
  read_curves(L, c, plan, settings);
  lua_pop(L, 1);
}

/* classes.describe(type, path, strict): pushes the flat description, or raises what is wrong. */
static void push_description(lua_State *L, spl_manager *m, int type)
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

sp_pool_plan *sp_plan_new(lua_State *L, spl_manager *m, int type, bool all)
{
  sp_context *c = m->context; /* a class file that is read may close the manager */
  int top = lua_gettop(L), from = top + 2;
  type = lua_absindex(L, type);
  sp_pool_plan *plan = lua_newuserdatauv(L, sizeof *plan, SP_PLAN_USER_VALUES);
  memset(plan, 0, sizeof *plan);
  plan->all = all;
  plan->desc = sp_pool_defaults(lua_tostring(L, type));
  plan->desc.spatial = true;
  lua_pushvalue(L, type);
  lua_setiuservalue(L, top + 1, SP_PLAN_TYPE);
  push_description(L, m, type);
  lua_pushvalue(L, from);
  lua_setiuservalue(L, top + 1, SP_PLAN_DESCRIPTION);
  if (all)
    read_description(L, c, plan, from);
  lua_settop(L, top + 1);
  return plan;
}

/* }== */

/* {== Columns of values =================================================== */

/* A field that holds Lua values has a table beside the core, slot -> value, in the pool's user value SP_POOL_VALUES
   (see fields.h). A plan makes a table for a new field; one that stays keeps its table, with room for the new default.
   */

static uint64_t bit_of(int i) { return (uint64_t)1 << (SP_FIELDS + i); }

static int key_of(const sp_pool_plan *plan, int i)
{
  return plan->fresh & bit_of(i) ? SP_COLUMN_FRESH : SP_COLUMN_DEFAULT;
}

/* Preallocates the table entry, so that a later write cannot fail. An empty seat reads as none. */
static void make_seat(void *ud, uint32_t slot)
{
  lua_State *L = ud;
  if (sp_raw_geti(L, -1, slot) == LUA_TNIL) {
    lua_pushlightuserdata(L, (void *)&sp_empty_seat);
    sp_raw_seti(L, -3, slot);
  }
  lua_pop(L, 1);
}

/* Reserves entries for a changed default, and for the old default in objects that still have it. The field's table is
   on top. */
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
  const spl_pool *p = &plan->handle;
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

/* Gives the plan at `index` its tables, from the description at `from`. Those of fields that go on are the pool's own:
   they get room for what take_columns writes, and nothing that can be seen. Raises on memory. */
static void fill_columns(lua_State *L, sp_pool_plan *plan, int from, int index)
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

/* Sets the new defaults in these. Objects that have the old one keep it, unless the field is live(v). */
static void take_columns(lua_State *L, const sp_pool_plan *plan, int index)
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

/* {== Filling ============================================================ */

/* Settings that the class did not change stay as the game has set them. */
static void merge_settings(spl_pool *p, sp_settings *new, bool raises)
{
  const sp_settings described = *new, now = sp_pool_desc_of(p->core)->settings, *was = &p->described;
  for (const sp_row *row = sp_tunable_rows; row->name; row++)
    if (row->kind != SP_ROW_OVERFLOW && *sp_row_cell(row, new) == *sp_row_cell(row, was))
      *sp_row_cell(row, new) = *sp_row_cell(row, &now);
  if (new->overflow != was->overflow || raises != p->raises_described)
    p->overflow_set = false;
  if (p->overflow_set)
    new->overflow = now.overflow;
  else
    p->raises = raises;
  p->described = described;
  p->raises_described = raises;
}

/* Returns what a field holds. keep(v) and live(v) hold a value like v, so a field keeps its value when it becomes one
   of these, or becomes plain again. The other kinds, and other types, hold values of their own. */
static int family_of(uint32_t name, uint64_t any, uint64_t fresh)
{
  const uint64_t column = (uint64_t)1 << SP_NAME_WHAT(name);
  switch (SP_NAME_KIND(name)) {
  case SP_NAME_INTEGER:
    return SP_NAME_NUMBER;
  case SP_NAME_VALUE:
    return any & column ? -1 : fresh & column ? -2 : SP_NAME_VALUE;
  default:
    return (int)SP_NAME_KIND(name);
  }
}

/* Returns the columns of own fields whose name stays and whose kind of value changes. */
static uint64_t retyped_columns(const sp_pool_plan *plan, const spl_pool *p)
{
  uint64_t columns = 0;
  for (int i = 0; p->names && i < plan->desc.field_count; i++) {
    uint32_t old = sp_keymap_find_text(p->names, plan->fields[i].name);
    if (old != SP_NO_KEY &&
        family_of(old, p->values_any, p->values_fresh) != family_of(plan->packed[i], plan->any, plan->fresh))
      columns |= (uint64_t)1 << (SP_FIELDS + i);
  }
  return columns;
}

/* Makes a map of all names that an object has, its own and the built-in ones. The strings it points to stay in its user
   values and in the context. The functions of own methods go into a list beside it. */
static void fill_names(lua_State *L, sp_pool_plan *plan, int from, int index)
{
  sp_context *c = plan->handle.manager->context;
  int top = lua_gettop(L), count = plan->desc.field_count, methods = 0;
  lua_getfield(L, from, "methods");
  for (lua_pushnil(L); sp_raw_next(L, top + 1); lua_pop(L, 1))
    methods++;
  uint32_t seats = sp_keymap_seats(c->names->count + (uint32_t)(count + methods));
  sp_keymap *map = lua_newuserdatauv(L, sp_keymap_size(seats), 1);
  sp_keymap_init(map, seats);
  sp_keymap_add_all(map, c->names);
  lua_createtable(L, 0, count + methods); /* the names, as keys: what the map needs of the class */
  lua_getfield(L, from, "fields");
  for (int i = 0; i < count; i++) {
    sp_raw_geti(L, top + 4, i + 1);
    lua_getfield(L, -1, "name");
    sp_keymap_add(L, map, -1, plan->packed[i]);
    lua_pushboolean(L, 1);
    sp_raw_set(L, top + 3);
    lua_settop(L, top + 4);
  }
  lua_setiuservalue(L, index, SP_POOL_FIELDS);
  lua_createtable(L, methods, 0);
  methods = 0;
  for (lua_pushnil(L); sp_raw_next(L, top + 1);) {
    sp_keymap_add(L, map, -2, SP_NAME(SP_NAME_OWN_METHOD, ++methods));
    sp_raw_seti(L, top + 4, methods);
    lua_pushvalue(L, -1);
    lua_pushboolean(L, 1);
    sp_raw_set(L, top + 3);
  }
  lua_setiuservalue(L, index, SP_POOL_METHODS);
  lua_setiuservalue(L, top + 2, 1);
  lua_setiuservalue(L, index, SP_PLAN_NAMES);
  lua_settop(L, top);
  plan->handle.names = map;
  plan->handle.names_stamp = ++c->names_stamp;
}

static void fill_functions(lua_State *L, sp_pool_plan *plan, int from, int index)
{
  spl_pool *p = &plan->handle;
  p->hooks &= p->overflow_set ? 1u << SP_HOOK_OVERFLOW : 0;
  lua_getfield(L, from, "functions");
  for (int hook = 0; hook < SP_HOOK_COUNT; hook++) {
    lua_getfield(L, -1, sp_hook_names[hook]);
    if (sp_to_function(L, -1))
      p->hooks |= 1u << hook;
    lua_setiuservalue(L, index, SP_POOL_HOOKS + hook);
  }
  lua_pop(L, 1);
}

/* Reads `sound`: a name, for the beginning of lives, or a table of names. */
static void fill_sounds(lua_State *L, sp_pool_plan *plan, int from, int index)
{
  static const char *const names[] = {[SP_SOUND_SPAWN] = "spawn", [SP_SOUND_RECYCLE] = "recycle"};
  int top = lua_gettop(L);
  lua_getfield(L, from, "settings");
  int type = lua_getfield(L, top + 1, "sound");
  lua_replace(L, top + 1);
  plan->handle.sounds = 0;
  lua_createtable(L, SP_SOUND_END - 1, 0);
  for (int sound = SP_SOUND_SPAWN; sound < SP_SOUND_END; sound++) {
    if (type == LUA_TTABLE)
      lua_getfield(L, top + 1, names[sound]);
    else
      sound == SP_SOUND_SPAWN ? lua_pushvalue(L, top + 1) : lua_pushnil(L);
    plan->handle.sounds |= (uint32_t)lua_isstring(L, -1) << sound;
    sp_raw_seti(L, top + 2, sound);
  }
  lua_setiuservalue(L, index, SP_POOL_SOUNDS);
  lua_settop(L, top);
}

void sp_plan_fill(lua_State *L, int index, const spl_pool *p, int pool)
{
  sp_pool_plan *plan = sp_raw_block(L, index);
  int top = lua_gettop(L), from = top + 1;
  plan->handle = *p;
  lua_pushvalue(L, pool);
  lua_setiuservalue(L, index, SP_PLAN_POOL);
  lua_getiuservalue(L, index, SP_PLAN_DESCRIPTION);
  lua_getfield(L, from, "class");
  lua_setiuservalue(L, index, SP_POOL_CLASS);
  if (plan->all) {
    if (p->core) {
      merge_settings(&plan->handle, &plan->desc.settings, plan->raises);
    } else {
      plan->handle.described = plan->desc.settings;
      plan->handle.raises = plan->handle.raises_described = plan->raises;
    }
    plan->handle.animated = plan->animated;
    plan->handle.scaled = plan->scaled;
    plan->handle.adds = plan->adds;
    plan->handle.clip = plan->clip;
    plan->retyped = retyped_columns(plan, p);
    fill_columns(L, plan, from, index);
    fill_names(L, plan, from, index);
    fill_sounds(L, plan, from, index);
  }
  fill_functions(L, plan, from, index);
  plan->desc.hooks = sp_hooks_for(&plan->handle);
  plan->desc.hooks.ud = (void *)p;
  lua_settop(L, top);
}

/* }== */

/* {== Taking over ========================================================= */

static void take_value_into(lua_State *L, int index, int value, int owner, int as)
{
  lua_getiuservalue(L, index, value);
  lua_setiuservalue(L, owner, as);
}

static void take_value(lua_State *L, int index, int pool, int value) { take_value_into(L, index, value, pool, value); }

void sp_plan_take(lua_State *L, int index, spl_pool *p)
{
  sp_pool_plan *plan = sp_raw_block(L, index);
  int pool = lua_gettop(L) + 1;
  lua_getiuservalue(L, index, SP_PLAN_POOL);
  if (plan->all) {
    take_columns(L, plan, index);
    sp_push_record(L, p->manager->context, p);
    take_value_into(L, index, SP_PLAN_NAMES, pool + 1, SP_RECORD_NAMES);
    lua_settop(L, pool);
    take_value(L, index, pool, SP_POOL_FIELDS);
    take_value(L, index, pool, SP_POOL_VALUES);
    take_value(L, index, pool, SP_POOL_METHODS);
    take_value(L, index, pool, SP_POOL_SOUNDS);
  }
  take_value(L, index, pool, SP_POOL_CLASS);
  for (int hook = 0; hook < SP_HOOK_COUNT; hook++)
    take_value(L, index, pool, SP_POOL_HOOKS + hook);
  *p = plan->handle;
  lua_settop(L, pool - 1);
}

/* }== */

enum { NAMES = 1, PLANS = 3 }; /* on the stack */

/* {== Planning =========================================================== */

/* Lua code and hooks may have removed the pool, or begun to close its manager. */
static bool is_open(const spl_pool *p) { return p->core && !sp_pool_is_closing(p->core); }

/* Appends a plan for an open pool to the list, whose userdata is on top. */
static void plan_pool(lua_State *L, const sp_context *c, uint64_t manager, const spl_pool *p, bool all)
{
  int pool = lua_gettop(L);
  lua_pushstring(L, sp_pool_desc_of(p->core)->type);
  spl_manager *m = sp_manager_from_id(c, manager);
  if (!m)
    return;
  sp_plan_new(L, m, pool + 1, all);
  lua_pushvalue(L, pool);
  lua_setiuservalue(L, -2, SP_PLAN_POOL);
  sp_raw_seti(L, PLANS, (lua_Integer)sp_raw_length(L, PLANS) + 1);
}

static void plan_manager(lua_State *L, const sp_context *c, uint64_t manager, bool all)
{
  int top = lua_gettop(L);
  const spl_manager *m;
  for (uint32_t i = 0; (m = sp_manager_from_id(c, manager)) && i < m->pool_count; i++, lua_settop(L, top)) {
    const spl_pool *p = sp_held_pool(m->pools[i]);
    if (!p || !is_open(p) || sp_raw_field(L, NAMES, sp_pool_desc_of(p->core)->type) == LUA_TNIL)
      continue;
    sp_push_anchor(L, c, p);
    plan_pool(L, c, manager, p, all);
  }
}

static void plan_all(lua_State *L, const sp_context *c, bool all)
{
  for (int id = 0; id < 256; id++) {
    const spl_manager *m = sp_held_manager(c->managers[id]);
    if (sp_is_dropped(L, c, m))
      continue;
    sp_push_anchor(L, c, m); /* the collector may find no other reference to it */
    plan_manager(L, c, m->id, all);
    lua_pop(L, 1);
  }
}

/* }== */

/* {== Reserving ========================================================== */

/* Pushes plan i; NULL, and nothing pushed, after the last one. */
static sp_pool_plan *push_plan(lua_State *L, lua_Integer i)
{
  sp_raw_geti(L, PLANS, i);
  sp_pool_plan *plan = sp_raw_block(L, -1);
  if (!plan)
    lua_pop(L, 1);
  return plan;
}

/* Pushes the userdata of the plan's pool, which is on top. */
static spl_pool *push_pool(lua_State *L)
{
  lua_getiuservalue(L, -1, SP_PLAN_POOL);
  return sp_to_pool(L, -1);
}

static void prepare(lua_State *L, sp_pool_plan *plan)
{
  int at = lua_gettop(L);
  const spl_pool *p = push_pool(L);
  if (is_open(p)) {
    sp_plan_fill(L, at, p, at + 1);
    sp_result why = SP_OK;
    plan->change = plan->all ? sp_change_new(p->core, &plan->desc, &why) : NULL;
    if (why != SP_OK)
      luaL_error(L, "cannot change the pool of '%s': %s", sp_pool_desc_of(p->core)->type, sp_result_text(why));
  }
  lua_settop(L, at);
}

/* }== */

/* {== Changing =========================================================== */

static void commit(lua_State *L, sp_pool_plan *plan)
{
  int at = lua_gettop(L);
  spl_pool *p = push_pool(L);
  if (is_open(p)) {
    sp_plan_take(L, at, p);
    if (plan->change) {
      plan->prealloc = sp_change_commit(plan->change);
      sp_pool_set_described(p->core, &p->described);
    } else {
      sp_as_owner(p->manager->core);
      sp_pool_set_hooks(p->core, &plan->desc.hooks);
    }
    plan->is_changed = plan->change != NULL;
    plan->change = NULL;
    sp_pool_reset_columns(p->core, plan->retyped);
  }
  lua_settop(L, at);
}

/* change(names, all, plans) -> fields of another kind */
static int change(lua_State *L)
{
  int retyped = 0;
  luaL_checkstack(L, 40, NULL);
  sp_pool_plan *plan;
  for (lua_Integer i = 1; (plan = push_plan(L, i)) != NULL; i++, lua_pop(L, 1))
    prepare(L, plan);
  for (lua_Integer i = 1; (plan = push_plan(L, i)) != NULL; i++, lua_pop(L, 1)) {
    commit(L, plan);
    retyped += __builtin_popcountll(plan->retyped);
  }
  lua_pushinteger(L, retyped);
  return 1;
}

static void cancel_all(lua_State *L)
{
  sp_pool_plan *plan;
  for (lua_Integer i = 1; (plan = push_plan(L, i)) != NULL; i++, lua_pop(L, 1))
    if (plan->change)
      sp_change_cancel(plan->change);
}

/* Applies lowered limits and `prealloc`. Hooks run, and those of one pool may remove another. */
static void settle_all(lua_State *L, sp_context *c)
{
  const sp_pool_plan *plan;
  for (lua_Integer i = 1; (plan = push_plan(L, i)) != NULL; i++, lua_settop(L, PLANS)) {
    const spl_pool *p = push_pool(L);
    if (plan->is_changed && is_open(p)) {
      lua_State *outer = sp_begin(c, L);
      sp_change_settle(p->core, plan->prealloc);
      sp_finish(c, outer);
    }
  }
}

int spl_native_changed(lua_State *L)
{
  sp_context *c = sp_context_here(L);
  sp_check_table(L, NAMES);
  luaL_checkstack(L, 40, NULL);
  lua_settop(L, 2);
  lua_newtable(L);
  plan_all(L, c, lua_toboolean(L, 2));
  lua_pushcfunction(L, change);
  for (int i = 1; i <= PLANS; i++)
    lua_pushvalue(L, i);
  if (sp_pcall_without_gc(L, PLANS, 1) != LUA_OK) {
    cancel_all(L);
    return lua_error(L);
  }
  lua_Integer retyped = lua_tointeger(L, -1);
  lua_settop(L, PLANS);
  settle_all(L, c);
  lua_pushinteger(L, retyped);
  return 1;
}

/* }== */
