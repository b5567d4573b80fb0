/*
** Objects in Lua: light userdata that are references, with one metatable for all of them.
*/
#include "script/bind/object.h"

#include <math.h>
#include <string.h>

#include "script/bind/bridge.h"
#include "script/bind/fields.h"
#include "script/bind/members.h"
#include "script/bind/rows.h"
#include "script/bind/timer.h"
#include "script/state/arguments.h"
#include "script/state/report.h"

#include "script/state/careful.h"

/* {== Names ============================================================== */

/* Returns the sp_name of a field with a first value. */
static uint32_t name_of_first(const sp_row *row)
{
  const size_t look = offsetof(sp_pool_desc, look), x = offsetof(sp_pool_desc, x);
  switch (row->kind) {
  case SP_ROW_LAYER:
    return SP_NAME(SP_NAME_LAYER, 0);
  case SP_ROW_SPRITE:
    return SP_NAME(SP_NAME_SPRITE, 0);
  case SP_ROW_BOOLEAN:
    return SP_NAME(SP_NAME_VISIBLE, 0);
  default:
    return row->place >= look ? SP_NAME(SP_NAME_LOOK_FLOAT, row->place - look)
                              : SP_NAME(SP_NAME_FLOAT, SP_X + (row->place - x) / sizeof(float));
  }
}

static const sp_reach *next_method(const sp_reach *row) { return sp_reach_next(row, "object", false); }

static void add_name(lua_State *L, sp_context *c, const char *name, uint32_t packed)
{
  sp_push_kept(L, c, SP_KEPT_NAMES);
  lua_pushstring(L, name);
  sp_keymap_add(L, c->names, -1, packed);
  lua_pushboolean(L, 1);
  sp_raw_set(L, -3);
  lua_pop(L, 1);
}

/* Gives every name a seat. Returns false, with some names seated, when two fall on the same seat. */
static bool seat_names(sp_name_seats *s, const sp_keymap *names)
{
  memset(s->builtin_keys, 0, sizeof s->builtin_keys);
  memset(s->builtin, 0xff, sizeof s->builtin); /* SP_NO_KEY */
  for (uint32_t i = 0; i <= names->mask; i++) {
    const sp_key *name = &names->seats[i];
    uint32_t seat = sp_name_seat(s, name->key);
    if (!name->key)
      continue;
    if (s->builtin_keys[seat])
      return false;
    s->builtin_keys[seat] = name->key;
    s->builtin[seat] = name->value;
  }
  return true;
}

/* Tries factors until no two names fall on the same seat: about one in six will do. */
static void choose_factor(sp_context *c)
{
  c->seats.factor = 0x9e3779b97f4a7c15u;
  while (!seat_names(&c->seats, c->names))
    c->seats.factor = c->seats.factor * 6364136223846793005u + 2;
}

static void open_names(lua_State *L, sp_context *c)
{
  for (const sp_row *row = sp_first_rows; row->name; row++)
    add_name(L, c, row->name, name_of_first(row));
  for (const sp_row *row = sp_life_rows; row->name; row++)
    add_name(L, c, row->name, row->place);
  sp_push_kept(L, c, SP_KEPT_METHODS);
  int count = 0;
  for (const sp_reach *row = c->rows; (row = next_method(row)) != NULL; row++) {
    add_name(L, c, row->name, SP_NAME(SP_NAME_METHOD, ++count));
    sp_push_function(L, c, row->function);
    sp_raw_seti(L, -2, count);
  }
  lua_pop(L, 1);
  choose_factor(c);
}

/* }== */

/* {== Errors ============================================================= */

SP_COLD _Noreturn void sp_object_stale(lua_State *L, const sp_context *c, int arg)
{
  sp_ref object = sp_to_object(L, arg);
  const spl_manager *m = sp_manager_of(c, object);
  sp_shown label;
  if (sp_is_of_closed(c, object))
    sp_raise(L, "this object is stale: its manager is closed");
  if (!m || sp_object_check(m->core, object) == SP_FOREIGN)
    sp_raise(L, "this light userdata is no spawnpool object (another library's value?)");
  sp_label(c, object, &label);
  sp_push_story(L, c, object);
  luaL_error(L,
             "%s is stale: that life is over%s (test obj.alive or pools:is_live(obj) before use, or forget the "
             "reference in on_despawn)",
             label.text, lua_tostring(L, -1));
}

const spl_manager *sp_object_check_live(lua_State *L, const char *what)
{
  sp_ref object = sp_check_object(L, 1);
  const spl_manager *m = sp_manager_of(sp_context_here(L), object);
  sp_shown shown;
  if (!m || !sp_object_is_live(m->core, object))
    sp_raise(L, "%s is not live: %s belong to a life", sp_show(L, 1, &shown), what);
  return m;
}

/* names(pool struct) -> its type, the names that its objects have */
static int push_names(lua_State *L)
{
  static const char *const scales[] = {"scale_x", "scale_y"};
  const spl_pool *p = sp_raw_block(L, 1);
  lua_Integer n = 0;
  lua_pushstring(L, sp_pool_desc_of(p->core)->type);
  lua_newtable(L);
  for (int i = 0; i < 2 && p->scaled == 0; i++) {
    lua_pushstring(L, scales[i]);
    sp_raw_seti(L, -2, ++n);
  }
  for (uint32_t i = 0; i <= p->names->mask; i++)
    if (p->names->seats[i].key) {
      lua_pushstring(L, sp_key_text(&p->names->seats[i]));
      sp_raw_seti(L, -2, ++n);
    }
  return 2;
}

SP_COLD _Noreturn void sp_object_unknown(lua_State *L, const spl_pool *p, int key, int arg)
{
  const sp_context *c = p->manager->context;
  key = lua_absindex(L, key);
  luaL_checkstack(L, 10, NULL);
  lua_pushcfunction(L, push_names);
  lua_pushlightuserdata(L, (void *)p);
  sp_call_without_gc(L, 1, 2);
  sp_push_kept(L, c, SP_KEPT_CLASSES);
  sp_raw_field(L, -1, "unknown_field");
  lua_pushvalue(L, -4);
  lua_pushvalue(L, key);
  lua_pushvalue(L, -5);
  lua_call(L, 3, 1);
  if (arg)
    luaL_argerror(L, arg, lua_tostring(L, -1));
  luaL_where(L, 1);
  lua_insert(L, -2);
  lua_concat(L, 2);
  lua_error(L);
}

static SP_COLD _Noreturn void bad_value(lua_State *L, const sp_context *c, const char *why)
{
  sp_shown label, name, value;
  sp_raise(L, "field '%s' of %s %s, got %s", sp_show_name(L, 2, &name), sp_label(c, sp_to_object(L, 1), &label), why,
           sp_show(L, 3, &value));
}

/* }== */

/* {== Access ============================================================= */

static SP_COLD int index_gone(lua_State *L, sp_context *c)
{
  uint32_t name = sp_keymap_find(L, c->names, 2);
  if (name != SP_NO_KEY && SP_NAME_KIND(name) == SP_NAME_ALIVE) {
    lua_pushboolean(L, 0);
    return 1;
  }
  /* recycle of a stale object does not raise: it returns false and the reason. */
  if (name != SP_NO_KEY && SP_NAME_KIND(name) == SP_NAME_METHOD && SP_NAME_WHAT(name) == 1 &&
      (sp_manager_of(c, sp_to_object(L, 1)) || sp_is_of_closed(c, sp_to_object(L, 1)))) {
    sp_push_kept(L, c, SP_KEPT_METHODS);
    sp_raw_geti(L, -1, SP_NAME_WHAT(name));
    return 1;
  }
  sp_object_stale(L, c, 1);
}

/* Returns the pool of the object at 1; raises when there is none. */
static spl_pool *check_pool_of(lua_State *L, const sp_context *c)
{
  sp_ref object = sp_check_object(L, 1);
  const spl_manager *m = sp_manager_of(c, object);
  if (!m || !sp_ref_resolves(m->core, object))
    sp_object_stale(L, c, 1);
  return spl_pool_of(sp_slot_pool(m->core, sp_ref_slot(object)));
}

/* Looks up the own name at 2; raises when objects of `p` do not have it. The result is remembered by the string's
   address, unless the string is long: those are not unique. */
static uint32_t check_own_name(lua_State *L, spl_pool *p)
{
  const void *key = lua_topointer(L, 2);
  uint32_t name = sp_keymap_at(p->names, p->names->mask, key);
  if (name == SP_NO_KEY) {
    name = sp_keymap_find(L, p->names, 2);
    if (name == SP_NO_KEY)
      sp_object_unknown(L, p, 2, 0);
    return name;
  }
  sp_name_seats *s = &p->manager->context->seats;
  uint32_t seat = sp_own_name_seat(p->core, sp_name_seat(s, key));
  s->own_keys[seat] = key;
  s->own_stamps[seat] = p->names_stamp;
  s->own[seat] = name;
  return name;
}

/* Returns the packed name of an own field or method of a pool, by its key and the seat of that among built-in names;
   SP_NO_KEY unless it was looked up before. */
static inline uint32_t own_name_at_once(const sp_name_seats *s, const sp_pool *pool, const void *key, uint32_t seat)
{
  seat = sp_own_name_seat(pool, seat);
  bool is_known = s->own_keys[seat] == key && s->own_stamps[seat] == spl_pool_of(pool)->names_stamp;
  return SP_LIKELY(is_known) ? s->own[seat] : SP_NO_KEY;
}

static __attribute__((noinline)) int index_other(lua_State *L, const sp_pool *pool, uint32_t slot, uint32_t name)
{
  spl_pool *p = spl_pool_of(pool);
  if (SP_NAME_KIND(name) == SP_NAME_METHOD)
    lua_pushvalue(L, lua_upvalueindex(1 + SP_NAME_WHAT(name)));
  else if (name == SP_NO_KEY && p->scaled == 0 && sp_names_scale(L, 2))
    lua_pushnumber(L, 1);
  else
    sp_object_push(L, p, slot, name != SP_NO_KEY ? name : check_own_name(L, p));
  return 1;
}

/* `name` may be SP_NO_KEY: then it is looked up here, so that spl_object_newindex does not have to keep it. */
static __attribute__((noinline)) int newindex_other(lua_State *L, const sp_pool *pool, uint32_t name)
{
  spl_pool *p = spl_pool_of(pool);
  const char *wrong = NULL;
  if (name == SP_NO_KEY && p->scaled == 0 && sp_names_scale(L, 2)) {
    const sp_context *c = p->manager->context;
    wrong = sp_gain_scales(L, p);
    p = check_pool_of(L, c);
  }
  if (!wrong && name == SP_NO_KEY)
    name = check_own_name(L, p);
  wrong = wrong ? wrong : sp_object_write(L, p, sp_ref_slot(sp_to_object(L, 1)), name, 3);
  if (wrong)
    bad_value(L, p->manager->context, wrong);
  return 0;
}

/* spl_object_index and spl_object_newindex handle numbers only and keep few values across calls of Lua. An access
   spends its time in the chain of loads from the object to its cell, each of which waits for the one before, so the
   name is looked up meanwhile. */
int spl_object_index(lua_State *L)
{
  sp_context *c = sp_context_here(L);
  sp_ref object = sp_to_object(L, 1);
  const void *key = lua_topointer(L, 2);
  const sp_manager *m = c->cores[sp_ref_id(object)];
  uint32_t slot = sp_ref_slot(object), seat = sp_name_seat(&c->seats, key), name;
  if (!SP_LIKELY(m && sp_slot_resolves(m, slot, sp_ref_generation(object))))
    return index_gone(L, c);
  const sp_pool *pool = sp_slot_pool(m, slot);
  if (SP_LIKELY(c->seats.builtin_keys[seat] == key)) {
    name = c->seats.builtin[seat];
    if (SP_LIKELY(SP_NAME_KIND(name) == SP_NAME_FLOAT)) {
      lua_pushnumber(L, *sp_float_cell(m, pool, slot, name));
      return 1;
    }
    if (SP_NAME_KIND(name) == SP_NAME_LOOK_FLOAT) {
      lua_pushnumber(L, *sp_look_cell(m, pool, slot, name));
      return 1;
    }
  } else {
    name = own_name_at_once(&c->seats, pool, key, seat);
    if (SP_LIKELY(SP_NAME_KIND(name) == SP_NAME_INTEGER))
      return sp_push_integral(L, *sp_double_cell(m, pool, slot, name));
    if (SP_NAME_KIND(name) == SP_NAME_NUMBER) {
      lua_pushnumber(L, *sp_double_cell(m, pool, slot, name));
      return 1;
    }
  }
  return index_other(L, pool, slot, name);
}

static inline __attribute__((always_inline)) int newindex(lua_State *L, sp_context *c)
{
  sp_ref object = sp_to_object(L, 1);
  const void *key = lua_topointer(L, 2);
  const sp_manager *m = c->cores[sp_ref_id(object)];
  uint32_t slot = sp_ref_slot(object), seat = sp_name_seat(&c->seats, key), name;
  if (!SP_LIKELY(m && sp_slot_resolves(m, slot, sp_ref_generation(object))))
    sp_object_stale(L, c, 1);
  sp_pool *pool = sp_slot_pool(m, slot);
  if (SP_LIKELY(c->seats.builtin_keys[seat] == key)) {
    name = c->seats.builtin[seat];
    if (SP_NAME_KIND(name) > SP_NAME_LOOK_FLOAT)
      return newindex_other(L, pool, name);
    bool is_look = SP_NAME_KIND(name) == SP_NAME_LOOK_FLOAT;
    float *cell = is_look ? sp_look_cell(m, pool, slot, name) : sp_float_cell(m, pool, slot, name);
    uint64_t written = sp_view_of(pool)->columns[is_look ? SP_LOOK : SP_NAME_WHAT(name)].written;
    float number = (float)sp_to_number(L, 3);
    if (!SP_LIKELY(isfinite(number)))
      return newindex_other(L, pool, SP_NO_KEY);
    *cell = number;
    sp_mark_written(pool, written);
    return 0;
  }
  name = own_name_at_once(&c->seats, pool, key, seat);
  if (SP_NAME_KIND(name) != SP_NAME_INTEGER && SP_NAME_KIND(name) != SP_NAME_NUMBER)
    return newindex_other(L, pool, name);
  double *cell = sp_double_cell(m, pool, slot, name), number = sp_to_number(L, 3);
  if (!SP_LIKELY(fabs(number) < SP_EXACT))
    return newindex_other(L, pool, SP_NO_KEY);
  *cell = number;
  sp_mark_written(pool, sp_view_of(pool)->columns[SP_NAME_WHAT(name)].written);
  return 0;
}

int spl_object_newindex(lua_State *L) { return newindex(L, sp_context_here(L)); }

/* Runs instead while a field is watched. It has no upvalues, so that setting it allocates nothing: frames that are
   played again must find the memory as it was. */
static int newindex_watched(lua_State *L)
{
  sp_context *c = sp_context_of(L);
  c->calls.look(L, c);
  int results = newindex(L, c);
  c->calls.wrote(L, c);
  return results;
}

void sp_object_watch(lua_State *L)
{
  lua_pushlightuserdata(L, L);
  if (lua_getmetatable(L, -1)) {
    lua_pushcfunction(L, newindex_watched);
    lua_setfield(L, -2, "__newindex");
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* }== */

/* {== Methods ============================================================ */

/* Returns the pool of the object at 1, which `doing` needs to have a place. Raises for a stale one. */
static sp_pool *check_placed(lua_State *L, const char *doing)
{
  sp_shown shown;
  sp_pool *pool = check_pool_of(L, sp_context_here(L))->core;
  if (!sp_pool_desc_of(pool)->spatial)
    sp_raise(L, "%s has no place: it cannot be %s", sp_show(L, 1, &shown), doing);
  return pool;
}

/* world() -> x, y, angle: where the object is, whatever it is inside of. */
int spl_object_world(lua_State *L)
{
  sp_place place;
  const sp_pool *pool = check_placed(L, "located");
  sp_object_world(sp_pool_manager(pool), sp_to_object(L, 1), &place);
  lua_pushnumber(L, place.x);
  lua_pushnumber(L, place.y);
  lua_pushnumber(L, place.angle);
  return 3;
}

/* launch(angle, speed) -> object: it turns to the angle and flies there. */
int spl_object_launch(lua_State *L)
{
  sp_ref object = sp_check_object(L, 1);
  sp_check_coordinate(L, 2, "angle");
  sp_check_coordinate(L, 3, "speed");
  const double angle = lua_tonumber(L, 2), speed = lua_tonumber(L, 3);
  sp_manager *m = sp_pool_manager(check_placed(L, "launched"));
  *(float *)sp_object_cell(m, object, SP_ANGLE) = (float)angle;
  *(float *)sp_object_cell(m, object, SP_VX) = (float)(cos(angle) * speed);
  *(float *)sp_object_cell(m, object, SP_VY) = (float)(sin(angle) * speed);
  lua_settop(L, 1);
  return 1;
}

/* }== */

/* {== Pairs ============================================================== */

/* pairs(object) visits own fields in the order of the class, then these. */
static const char *const shown[] = {"x",    "y",     "angle",   "vx",     "vy",     "ax", "ay",
                                    "spin", "scale", "radius",  "layer",  "sprite", "r",  "g",
                                    "b",    "a",     "visible", "pinned", "parent"};
enum { SHOWN = sizeof shown / sizeof *shown };

/* Pushes the name of own field number `i` (from 1) of a pool; false, and nothing, when there are not so many. */
static bool push_own_field(lua_State *L, const spl_pool *p, lua_Integer i)
{
  int top = lua_gettop(L);
  if (sp_find_user_value(L, p->manager->context, p, SP_POOL_FIELDS) == LUA_TNIL) {
    lua_settop(L, top);
    return false;
  }
  sp_raw_geti(L, -1, i);
  bool found = sp_raw_field(L, -1, "name") == LUA_TSTRING;
  lua_replace(L, top + 1);
  lua_settop(L, found ? top + 1 : top);
  return found;
}

/* Returns the place of the field named at 2 in the walk, 0 for nil. Own fields count from 1, the others from
   SP_MAX_FIELDS + 1. */
static lua_Integer place_of_field(lua_State *L, const spl_pool *p)
{
  if (lua_isnoneornil(L, 2))
    return 0;
  const char *text = sp_to_text(L, 2);
  for (int i = 0; i < SHOWN; i++)
    if (strcmp(shown[i], text) == 0)
      return SP_MAX_FIELDS + 1 + i;
  uint32_t name = sp_keymap_find(L, p->names, 2);
  if (name == SP_NO_KEY || SP_NAME_KIND(name) > SP_NAME_REF || SP_NAME_WHAT(name) < SP_FIELDS)
    sp_raise_arg(L, 2, "the last field of the walk expected");
  return SP_NAME_WHAT(name) - SP_FIELDS + 1;
}

/* Pushes name and value of the field at a place; false, and nothing, when there is none such. A value is made when it
   is read: afterwards nothing is known about the pool. */
static bool push_field_at(lua_State *L, spl_pool *p, uint32_t slot, lua_Integer place)
{
  if (place > SP_MAX_FIELDS) {
    uint32_t name = sp_keymap_find_text(p->names, shown[place - SP_MAX_FIELDS - 1]);
    sp_object_read(L, p, slot, name);
    lua_pushstring(L, shown[place - SP_MAX_FIELDS - 1]);
    lua_insert(L, -2);
    return true;
  }
  if (!push_own_field(L, p, place))
    return false;
  sp_object_read(L, p, slot, sp_keymap_find(L, p->names, -1));
  return true;
}

/* next(object, name) -> name, value; fields that are nil are passed over. */
int spl_object_next_field(lua_State *L)
{
  const sp_context *c = sp_context_here(L);
  uint32_t slot = sp_ref_slot(sp_check_object(L, 1));
  spl_pool *p = check_pool_of(L, c);
  for (lua_Integer place = place_of_field(L, p) + 1; place <= SP_MAX_FIELDS + SHOWN; place++) {
    p = check_pool_of(L, c);
    lua_settop(L, 2);
    if (place > SP_MAX_FIELDS && !sp_pool_desc_of(p->core)->spatial)
      break;
    if (push_field_at(L, p, slot, place) && !lua_isnil(L, -1))
      return 2;
  }
  return 0;
}

int spl_object_pairs(lua_State *L)
{
  sp_context *c = sp_context_here(L);
  check_pool_of(L, c);
  sp_push_function(L, c, spl_object_next_field);
  lua_pushvalue(L, 1);
  return 2;
}

/* }== */

/* {== Opening ============================================================ */

/* Methods are upvalues too, so that they are read as fast as a field. */
static void push_index(lua_State *L, sp_context *c)
{
  int top = lua_gettop(L);
  lua_pushlightuserdata(L, c);
  sp_push_kept(L, c, SP_KEPT_METHODS);
  int count = 0;
  for (const sp_reach *row = c->rows; (row = next_method(row)) != NULL; row++)
    sp_raw_geti(L, top + 2, ++count);
  lua_remove(L, top + 2);
  lua_pushcclosure(L, spl_object_index, lua_gettop(L) - top);
}

void sp_object_check_free(lua_State *L)
{
  lua_pushlightuserdata(L, L);
  if (!lua_getmetatable(L, -1))
    lua_pushnil(L);
  const char *copy = sp_bridge_other_copy(L);
  if (!lua_isnil(L, -1))
    luaL_error(L, "%s",
               copy ? copy
                    : "another library already owns the metatable of light userdata, which spawnpool's "
                      "objects need");
  lua_pop(L, 2);
}

void sp_object_open(lua_State *L, sp_context *c)
{
  open_names(L, c);
  lua_pushlightuserdata(L, c);
  lua_createtable(L, 0, 64);
  push_index(L, c);
  lua_setfield(L, -2, "__index"); /* the first key of a table is found at once, the second nearly always, with room */
  sp_add_functions(L, c, "object", true);
  sp_name_metatable(L, "spawnpool.object");
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
}

/* }== */
