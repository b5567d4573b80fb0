#include "script/object.h"

#include <math.h>
#include <string.h>

/* {== Names ============================================================== */

typedef struct builtin {
  const char *name;
  uint32_t packed;
} builtin;

#define LOOK(member) SP_NAME(SP_NAME_LOOK_FLOAT, offsetof(sp_look, member))

static const builtin builtins[] = {
    {"x", SP_NAME(SP_NAME_FLOAT, SP_X)},
    {"y", SP_NAME(SP_NAME_FLOAT, SP_Y)},
    {"vx", SP_NAME(SP_NAME_FLOAT, SP_VX)},
    {"vy", SP_NAME(SP_NAME_FLOAT, SP_VY)},
    {"ax", SP_NAME(SP_NAME_FLOAT, SP_AX)},
    {"ay", SP_NAME(SP_NAME_FLOAT, SP_AY)},
    {"angle", SP_NAME(SP_NAME_FLOAT, SP_ANGLE)},
    {"spin", SP_NAME(SP_NAME_FLOAT, SP_SPIN)},
    {"scale", LOOK(scale)},
    {"r", LOOK(r)},
    {"g", LOOK(g)},
    {"b", LOOK(b)},
    {"a", LOOK(a)},
    {"radius", LOOK(radius)},
    {"layer", SP_NAME(SP_NAME_LAYER, 0)},
    {"sprite", SP_NAME(SP_NAME_SPRITE, 0)},
    {"visible", SP_NAME(SP_NAME_VISIBLE, 0)},
    {"pinned", SP_NAME(SP_NAME_PINNED, 0)},
    {"type", SP_NAME(SP_NAME_TYPE, 0)},
    {"pool", SP_NAME(SP_NAME_POOL, 0)},
    {"id", SP_NAME(SP_NAME_ID, 0)},
    {"age", SP_NAME(SP_NAME_AGE, 0)},
    {"lifetime", SP_NAME(SP_NAME_LIFETIME, 0)},
    {"remaining", SP_NAME(SP_NAME_REMAINING, 0)},
    {"alive", SP_NAME(SP_NAME_ALIVE, 0)},
    {"parent", SP_NAME(SP_NAME_PARENT, 0)},
};

#define BUILTIN_COUNT (sizeof builtins / sizeof builtins[0])

static int object_recycle(lua_State *L);

static const luaL_Reg methods[] = {
    {"recycle", object_recycle}, {"after", sp_object_after}, {"every", sp_object_every}, {"run", sp_object_run},
    {NULL, NULL},
};

/* The map lives in a userdata beside the strings it points to. */
static void add_name(lua_State *L, sp_context *c, const char *name, uint32_t packed)
{
  sp_push_kept(L, c, SP_KEPT_NAMES);
  lua_pushstring(L, name);
  sp_keymap_add(c->names, lua_tostring(L, -1), packed);
  lua_pushboolean(L, 1);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

static void open_names(lua_State *L, sp_context *c)
{
  uint32_t seats = sp_keymap_seats(BUILTIN_COUNT + sizeof methods / sizeof methods[0]);
  sp_push_kept(L, c, SP_KEPT_NAMES);
  c->names = lua_newuserdatauv(L, sp_keymap_size(seats), 0);
  sp_keymap_init(c->names, seats);
  lua_rawseti(L, -2, 1);
  lua_pop(L, 1);
  for (size_t i = 0; i < BUILTIN_COUNT; i++)
    add_name(L, c, builtins[i].name, builtins[i].packed);
  sp_push_kept(L, c, SP_KEPT_METHODS);
  for (int i = 0; methods[i].name; i++) {
    add_name(L, c, methods[i].name, SP_NAME(SP_NAME_METHOD, i + 1));
    sp_push_function(L, c, methods[i].func);
    lua_rawseti(L, -2, i + 1);
  }
  lua_pop(L, 1);
}

/* }== */

/* {== Errors ============================================================= */

const char *sp_push_label(lua_State *L, const sp_context *c, sp_ref object)
{
  sp_lua_manager *m = sp_manager_of(c, object);
  sp_pool *pool = m ? sp_pool_of(m->core, object) : NULL;
  if (!pool)
    return lua_pushliteral(L, "object");
  return lua_pushfstring(L, "%s#%d", sp_pool_type(pool), (int)sp_object_number(m->core, object));
}

/* A reference that a manager gave out which is closed now. */
static bool is_of_closed(const sp_context *c, sp_ref object)
{
  return !sp_manager_of(c, object) && sp_ref_generation(object) < c->next_generation[sp_ref_id(object)];
}

int sp_object_stale(lua_State *L, sp_context *c, int arg)
{
  sp_ref object = sp_to_object(L, arg);
  sp_lua_manager *m = sp_manager_of(c, object);
  if (is_of_closed(c, object))
    return luaL_error(L, "this object is stale: its manager is closed");
  if (!m || sp_check(m->core, object) == SP_FOREIGN)
    return luaL_error(L, "this light userdata is no spawnpool object (another library's value?)");
  const char *label = sp_push_label(L, c, object);
  sp_push_story(L, m, object);
  return luaL_error(L, "%s is stale: that life is over%s (test obj.alive or pools:is_live(obj) before use, or forget the "
                       "reference in on_despawn)",
                    label, lua_tostring(L, -1));
}

int sp_object_unknown(lua_State *L, sp_lua_pool *p, int key)
{
  sp_context *c = p->manager->context;
  key = lua_absindex(L, key);
  sp_push_anchor(L, c, p); /* what is built here may collect a manager that nobody holds */
  sp_push_kept(L, c, SP_KEPT_CLASSES);
  lua_getfield(L, -1, "unknown_field");
  lua_pushstring(L, sp_pool_type(p->core));
  luaL_tolstring(L, key, NULL);
  lua_newtable(L);
  lua_Integer n = 0;
  for (size_t i = 0; i < BUILTIN_COUNT; i++) {
    lua_pushstring(L, builtins[i].name);
    lua_rawseti(L, -2, ++n);
  }
  for (int i = 0; methods[i].name; i++) {
    lua_pushstring(L, methods[i].name);
    lua_rawseti(L, -2, ++n);
  }
  for (uint32_t i = 0; p->fields && i <= p->fields->mask; i++)
    if (p->fields->seats[i].name) {
      lua_pushstring(L, p->fields->seats[i].name);
      lua_rawseti(L, -2, ++n);
    }
  lua_call(L, 3, 1);
  luaL_where(L, 1);
  lua_insert(L, -2);
  lua_concat(L, 2);
  return lua_error(L);
}

static int bad_value(lua_State *L, sp_context *c, const char *why)
{
  const char *label = sp_push_label(L, c, sp_to_object(L, 1));
  return luaL_error(L, "field '%s' of %s %s, got %s", lua_tostring(L, 2), label, why, luaL_tolstring(L, 3, NULL));
}

/* }== */

/* {== Reading ============================================================ */

const char sp_empty_seat = 0;

static sp_look *look_at(const sp_lua_pool *p, uint32_t slot) { return sp_slot_cell(p->core, slot, SP_LOOK); }

/* fresh(fn): the value of this life, made when it is first asked for. The column's table and the function are on top;
   the function may do anything, and its value is filed only when the life goes on. */
static void make_fresh(lua_State *L, const sp_context *c, sp_ref object)
{
  sp_push_object(L, object);
  lua_call(L, 1, 1);
  const sp_lua_manager *m = sp_manager_of(c, object);
  if (!m || !(sp_ref_generation(object) & 1) || !sp_ref_resolves(m->core, object))
    return;
  lua_pushvalue(L, -1);
  lua_rawseti(L, -3, sp_ref_slot(object));
}

/* A column of values is a table slot -> value. No value means the default; the table itself stands for nil. */
static void push_value_field(lua_State *L, sp_lua_pool *p, uint32_t slot, int column)
{
  sp_push_anchor(L, p->manager->context, p);
  lua_getiuservalue(L, -1, SP_POOL_VALUES);
  lua_rawgeti(L, -1, column);
  lua_rawgeti(L, -1, slot);
  if (sp_seat_is_empty(L, -1)) {
    lua_pop(L, 1);
    if (lua_getfield(L, -1, "fresh") == LUA_TFUNCTION) {
      make_fresh(L, p->manager->context, sp_ref_make(p->core->manager, slot));
    } else {
      lua_pop(L, 1);
      lua_getfield(L, -1, "default");
    }
  }
  if (lua_rawequal(L, -1, -2)) {
    lua_pop(L, 1);
    lua_pushnil(L);
  }
  lua_replace(L, -4);
  lua_pop(L, 2);
}

/* ref: an object, or nil once that life is over. */
static void push_reference(lua_State *L, const sp_context *c, sp_ref object)
{
  const sp_lua_manager *m = object ? sp_manager_of(c, object) : NULL;
  if (m && sp_is_live(m->core, object))
    sp_push_object(L, object);
  else
    lua_pushnil(L);
}

static void push_own_method(lua_State *L, sp_lua_pool *p, int number)
{
  sp_push_anchor(L, p->manager->context, p);
  lua_getiuservalue(L, -1, SP_POOL_METHODS);
  lua_rawgeti(L, -1, number);
  lua_replace(L, -3);
  lua_pop(L, 1);
}

static void push_times(lua_State *L, sp_lua_pool *p, uint32_t slot, sp_name_kind kind)
{
  sp_manager *m = p->core->manager;
  sp_ref object = sp_ref_make(m, slot);
  lua_pushnumber(L, kind == SP_NAME_AGE        ? sp_age(m, object)
                    : kind == SP_NAME_LIFETIME ? sp_lifetime(m, object)
                                               : sp_remaining(m, object));
}

void sp_object_read(lua_State *L, sp_lua_pool *p, uint32_t slot, uint32_t name)
{
  sp_context *c = p->manager->context;
  switch (SP_NAME_KIND(name)) {
  case SP_NAME_FLOAT:
    lua_pushnumber(L, *(const float *)sp_slot_cell(p->core, slot, SP_NAME_WHAT(name)));
    break;
  case SP_NAME_LOOK_FLOAT:
    lua_pushnumber(L, *(const float *)((const char *)look_at(p, slot) + SP_NAME_WHAT(name)));
    break;
  case SP_NAME_NUMBER:
    lua_pushnumber(L, *(const double *)sp_slot_cell(p->core, slot, SP_NAME_WHAT(name)));
    break;
  case SP_NAME_INTEGER: {
    double number = *(const double *)sp_slot_cell(p->core, slot, SP_NAME_WHAT(name));
    lua_Integer integer;
    if (lua_numbertointeger(number, &integer) && (double)integer == number)
      lua_pushinteger(L, integer);
    else
      lua_pushnumber(L, number);
    break;
  }
  case SP_NAME_BOOLEAN:
    lua_pushboolean(L, *(const double *)sp_slot_cell(p->core, slot, SP_NAME_WHAT(name)) != 0);
    break;
  case SP_NAME_VALUE:
    push_value_field(L, p, slot, SP_NAME_WHAT(name));
    break;
  case SP_NAME_REF:
    push_reference(L, c, *(const sp_ref *)sp_slot_cell(p->core, slot, SP_NAME_WHAT(name)));
    break;
  case SP_NAME_OWN_METHOD:
    push_own_method(L, p, SP_NAME_WHAT(name));
    break;
  case SP_NAME_LAYER:
    lua_pushinteger(L, look_at(p, slot)->layer);
    break;
  case SP_NAME_SPRITE:
    sp_push_sprite_name(L, c, look_at(p, slot)->sprite);
    break;
  case SP_NAME_VISIBLE:
    lua_pushboolean(L, look_at(p, slot)->visible);
    break;
  case SP_NAME_PINNED:
    lua_pushboolean(L, look_at(p, slot)->pinned);
    break;
  case SP_NAME_TYPE:
    lua_pushstring(L, sp_pool_type(p->core));
    break;
  case SP_NAME_POOL:
    sp_push_anchor(L, c, p);
    break;
  case SP_NAME_ID:
    lua_pushinteger(L, sp_object_number(p->core->manager, sp_ref_make(p->core->manager, slot)));
    break;
  case SP_NAME_AGE:
  case SP_NAME_LIFETIME:
  case SP_NAME_REMAINING:
    push_times(L, p, slot, SP_NAME_KIND(name));
    break;
  case SP_NAME_ALIVE:
    lua_pushboolean(L, sp_is_live(p->core->manager, sp_ref_make(p->core->manager, slot)));
    break;
  case SP_NAME_PARENT:
    push_reference(L, c, sp_slot_parent(p->core->manager, slot));
    break;
  case SP_NAME_METHOD:
    sp_push_kept(L, c, SP_KEPT_METHODS);
    lua_rawgeti(L, -1, SP_NAME_WHAT(name));
    lua_replace(L, -2);
    break;
  }
}

static int index_gone(lua_State *L, sp_context *c, uint32_t name)
{
  if (name != SP_NO_KEY && SP_NAME_KIND(name) == SP_NAME_ALIVE) {
    lua_pushboolean(L, 0);
    return 1;
  }
  /* A stale object may still be recycled: that is refused with a reason, not raised. */
  if (name != SP_NO_KEY && SP_NAME_KIND(name) == SP_NAME_METHOD && SP_NAME_WHAT(name) == 1 &&
      (sp_manager_of(c, sp_to_object(L, 1)) || is_of_closed(c, sp_to_object(L, 1)))) {
    sp_push_kept(L, c, SP_KEPT_METHODS);
    lua_rawgeti(L, -1, SP_NAME_WHAT(name));
    return 1;
  }
  return sp_object_stale(L, c, 1);
}

static int object_index(lua_State *L)
{
  sp_context *c = sp_context_here(L);
  sp_ref object = sp_to_object(L, 1);
  const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : NULL;
  uint32_t name = key ? sp_keymap_find(c->names, key) : SP_NO_KEY;
  const sp_lua_manager *m = sp_manager_of(c, object);
  if (!m || !sp_ref_resolves(m->core, object))
    return index_gone(L, c, name);
  uint32_t slot = sp_ref_slot(object);
  sp_pool *core = sp_slot_pool(m->core, slot);
  if (name != SP_NO_KEY && SP_NAME_KIND(name) == SP_NAME_FLOAT) {
    lua_pushnumber(L, *(const float *)sp_slot_cell(core, slot, SP_NAME_WHAT(name)));
    return 1;
  }
  sp_lua_pool *p = sp_lua_pool_of(core);
  if (name == SP_NO_KEY && key && p->fields)
    name = sp_keymap_find(p->fields, key);
  if (name == SP_NO_KEY)
    return sp_object_unknown(L, p, 2);
  sp_object_read(L, p, slot, name);
  return 1;
}

/* }== */

/* {== Writing ============================================================ */

static const char *not_a_number = "must be a number";

static const char *to_float(lua_State *L, int index, float *out)
{
  if (lua_type(L, index) != LUA_TNUMBER)
    return not_a_number;
  *out = (float)lua_tonumber(L, index);
  return isfinite(*out) ? NULL : "must be a finite number";
}

static const char *to_double(lua_State *L, int index, double *out)
{
  if (lua_type(L, index) != LUA_TNUMBER)
    return not_a_number;
  *out = lua_tonumber(L, index);
  if (lua_isinteger(L, index) && (*out >= 9007199254740992.0 || *out <= -9007199254740992.0))
    return "is an integer beyond 2^53, which a number field cannot hold exactly";
  return NULL;
}

static const char *to_boolean(lua_State *L, int index, bool *out)
{
  *out = lua_toboolean(L, index);
  return lua_isboolean(L, index) ? NULL : "must be true or false";
}

static const char *write_layer(lua_State *L, sp_look *look, int index)
{
  int exact = 0;
  lua_Integer layer = lua_type(L, index) == LUA_TNUMBER ? lua_tointegerx(L, index, &exact) : 0;
  if (!exact || layer < INT16_MIN || layer > INT16_MAX)
    return "must be an integer from -32768 to 32767";
  look->layer = (int16_t)layer;
  return NULL;
}

/* Whether reading an empty seat of the column's table on top gives anything but nil. */
static bool has_default(lua_State *L)
{
  bool fresh = lua_getfield(L, -1, "fresh") != LUA_TNIL;
  bool value = lua_getfield(L, -2, "default") != LUA_TNIL;
  lua_pop(L, 2);
  return fresh || value;
}

static const char *write_value(lua_State *L, sp_lua_pool *p, uint32_t slot, int column, int index)
{
  /* An idle object keeps nothing that its next life would not start with. */
  if (p->value_reset >> column & 1 && !(p->core->manager->generation[slot] & 1))
    return NULL;
  index = lua_absindex(L, index);
  sp_push_anchor(L, p->manager->context, p);
  lua_getiuservalue(L, -1, SP_POOL_VALUES);
  lua_rawgeti(L, -1, column);
  lua_pushvalue(L, lua_isnil(L, index) && has_default(L) ? -1 : index);
  lua_rawseti(L, -2, slot);
  lua_pop(L, 3);
  return NULL;
}

static const char *write_remaining(lua_State *L, sp_lua_pool *p, uint32_t slot, int index)
{
  if (lua_type(L, index) != LUA_TNUMBER)
    return not_a_number;
  sp_manager *m = p->core->manager;
  sp_result result = sp_set_remaining(m, sp_ref_make(m, slot), lua_tonumber(L, index));
  return result == SP_OK ? NULL : result == SP_INVALID ? "must be seconds from 0 up (math.huge: never)" : "found no memory";
}

static const char *write_reference(lua_State *L, sp_lua_pool *p, uint32_t slot, int column, int index)
{
  if (!lua_isnil(L, index) && !lua_islightuserdata(L, index))
    return "must be an object or nil";
  *(sp_ref *)sp_slot_cell(p->core, slot, column) = lua_isnil(L, index) ? SP_NONE_REF : sp_to_object(L, index);
  return NULL;
}

static const char *write_parent(lua_State *L, sp_lua_pool *p, uint32_t slot, int index)
{
  if (!lua_isnil(L, index) && !lua_islightuserdata(L, index))
    return "must be an object or nil";
  sp_manager *m = p->core->manager;
  sp_ref parent = lua_isnil(L, index) ? SP_NONE_REF : sp_to_object(L, index);
  switch (sp_set_parent(m, sp_ref_make(m, slot), parent)) {
  case SP_OK:
    return NULL;
  case SP_CYCLE:
    return "must not be the object itself or something inside it";
  case SP_MEMORY:
    return "found no memory";
  default:
    return "must be a live object of the same manager";
  }
}

static const char *write_flag(lua_State *L, uint8_t *flag, int index)
{
  bool on;
  const char *wrong = to_boolean(L, index, &on);
  if (!wrong)
    *flag = on;
  return wrong;
}

static const char *write_own(lua_State *L, sp_lua_pool *p, uint32_t slot, uint32_t name, int index)
{
  double number = 0;
  bool on = false;
  bool boolean = SP_NAME_KIND(name) == SP_NAME_BOOLEAN;
  const char *wrong = boolean ? to_boolean(L, index, &on) : to_double(L, index, &number);
  if (!wrong)
    *(double *)sp_slot_cell(p->core, slot, SP_NAME_WHAT(name)) = boolean ? on : number;
  return wrong;
}

static const char *write_look(lua_State *L, sp_lua_pool *p, uint32_t slot, uint32_t name, int index)
{
  sp_look *look = look_at(p, slot);
  float number;
  const char *wrong = NULL;
  switch (SP_NAME_KIND(name)) {
  case SP_NAME_LOOK_FLOAT:
    wrong = to_float(L, index, &number);
    if (!wrong)
      *(float *)((char *)look + SP_NAME_WHAT(name)) = number;
    return wrong;
  case SP_NAME_LAYER:
    return write_layer(L, look, index);
  case SP_NAME_SPRITE:
    if (lua_type(L, index) != LUA_TSTRING)
      return "must be the name of a sprite";
    look->sprite = sp_sprite_number(L, p->manager->context, index);
    return NULL;
  case SP_NAME_VISIBLE:
    return write_flag(L, &look->visible, index);
  default:
    return write_flag(L, &look->pinned, index);
  }
}

const char *sp_object_write(lua_State *L, sp_lua_pool *p, uint32_t slot, uint32_t name, int index)
{
  float number;
  const char *wrong;
  int column = SP_NAME_WHAT(name);
  switch (SP_NAME_KIND(name)) {
  case SP_NAME_FLOAT:
    wrong = to_float(L, index, &number);
    if (!wrong)
      *(float *)sp_slot_cell(p->core, slot, column) = number;
    break;
  case SP_NAME_NUMBER:
  case SP_NAME_INTEGER:
  case SP_NAME_BOOLEAN:
    wrong = write_own(L, p, slot, name, index);
    break;
  case SP_NAME_REF:
    wrong = write_reference(L, p, slot, column, index);
    break;
  case SP_NAME_LOOK_FLOAT:
  case SP_NAME_LAYER:
  case SP_NAME_SPRITE:
  case SP_NAME_VISIBLE:
  case SP_NAME_PINNED:
    wrong = write_look(L, p, slot, name, index);
    column = SP_LOOK;
    break;
  case SP_NAME_VALUE:
    return write_value(L, p, slot, column, index);
  case SP_NAME_REMAINING:
    return write_remaining(L, p, slot, index);
  case SP_NAME_PARENT:
    return write_parent(L, p, slot, index);
  default:
    return "is read only";
  }
  if (!wrong)
    p->core->dirty |= p->core->layout.columns[column].written;
  return wrong;
}

static int object_newindex(lua_State *L)
{
  sp_context *c = sp_context_here(L);
  sp_ref object = sp_to_object(L, 1);
  const sp_lua_manager *m = sp_manager_of(c, object);
  if (!m || !sp_ref_resolves(m->core, object))
    return sp_object_stale(L, c, 1);
  uint32_t slot = sp_ref_slot(object);
  sp_lua_pool *p = sp_lua_pool_of(sp_slot_pool(m->core, slot));
  const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : NULL;
  uint32_t name = key ? sp_object_name(c, p, key) : SP_NO_KEY;
  if (name == SP_NO_KEY)
    return sp_object_unknown(L, p, 2);
  const char *wrong = sp_object_write(L, p, slot, name, 3);
  return wrong ? bad_value(L, c, wrong) : 0;
}

/* }== */

/* {== Methods ============================================================ */

static int object_recycle(lua_State *L)
{
  sp_context *c = sp_context_here(L);
  sp_ref object = sp_check_object(L, 1);
  sp_lua_manager *m = sp_manager_of(c, object);
  if (!m)
    return sp_return_refusal(L, false, is_of_closed(c, object) ? SP_CLOSED : SP_FOREIGN);
  const sp_pool *pool = sp_pool_of(m->core, object);
  if (!pool || !pool->plain_recycle)
    sp_push_anchor(L, c, m); /* its manager may be garbage, but not while hooks run */
  return sp_do_recycle(L, m, NULL, 1);
}

static int object_tostring(lua_State *L)
{
  sp_context *c = sp_context_here(L);
  sp_ref object = sp_to_object(L, 1);
  const sp_lua_manager *m = sp_manager_of(c, object);
  if (m ? !sp_ref_is_ours(m->core, object) : !is_of_closed(c, object)) {
    lua_pushfstring(L, "light userdata: %p", lua_touserdata(L, 1));
    return 1;
  }
  const char *label = sp_push_label(L, c, object);
  const char *state = !m || !sp_ref_resolves(m->core, object) ? "stale"
                      : sp_is_live(m->core, object)           ? "live"
                      : sp_ref_generation(object) & 1         ? "dying"
                                                              : "idle";
  lua_pushfstring(L, "%s (%s)", label, state);
  return 1;
}

/* }== */

void sp_object_check_free(lua_State *L)
{
  lua_pushlightuserdata(L, L);
  if (lua_getmetatable(L, -1))
    luaL_error(L, "another library already owns the metatable of light userdata, which spawnpool's objects need");
  lua_pop(L, 1);
}

void sp_object_open(lua_State *L, sp_context *c)
{
  static const luaL_Reg metamethods[] = {
      {"__index", object_index}, {"__newindex", object_newindex}, {"__tostring", object_tostring}, {NULL, NULL}};
  open_names(L, c);
  lua_pushlightuserdata(L, c);
  lua_createtable(L, 0, 5);
  sp_set_functions(L, c, metamethods);
  lua_pushliteral(L, "spawnpool.object");
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "__name");
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
}
