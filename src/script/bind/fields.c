/*
** Fields of objects: reading and writing one cell, or one value beside the columns.
*/
#include "script/bind/fields.h"

#include <string.h>

#include "script/state/arguments.h"
#include "script/state/sprites.h"

#include "script/state/careful.h"

/* {== Animation ============================================================== */

/* The fields `animation` and `frame` of objects whose class has an animation. */

/* Returns the cell with the animation's number, or the one after it: when it began, or which frame stays. */
static double *cell(const spl_pool *p, uint32_t slot, int beside)
{
  const sp_column_layout *column = &sp_view_of(p->core)->columns[p->animated + beside];
  return sp_cell_at(p->manager->core, column, slot, sizeof(double));
}

static const sp_sheet_entry *sheet_at(const spl_pool *p, uint32_t slot)
{
  const sp_look *look = sp_cell_at(p->manager->core, &sp_view_of(p->core)->columns[SP_LOOK], slot, sizeof(sp_look));
  return sp_sheet_of(p->manager->context, look->sprite);
}

static double age_at(const spl_pool *p, uint32_t slot)
{
  return sp_object_age(p->manager->core, sp_ref_make(p->manager->core, slot));
}

static uint16_t frame_of(const spl_pool *p, uint32_t slot)
{
  uint32_t number = (uint32_t)*cell(p, slot, 0);
  double from = *cell(p, slot, 1);
  bool found;
  if (number == SP_CLIP_NONE)
    return (uint16_t)(from >= 1 ? from : 1);
  return sp_clip_frame(sheet_at(p, slot), &p->clip, number, (float)(age_at(p, slot) - from), &found);
}

static void set_clip(spl_pool *p, uint32_t slot, uint32_t number, double from)
{
  *cell(p, slot, 0) = number;
  *cell(p, slot, 1) = from;
  const sp_column_layout *columns = sp_view_of(p->core)->columns + p->animated;
  sp_mark_written(p->core, columns[0].written | columns[1].written);
}

/* An animation that is running already goes on, so a game may set it in every frame. */
static const char *write_animation(lua_State *L, spl_pool *p, uint32_t slot, int index)
{
  if (!lua_isnil(L, index) && lua_type(L, index) != LUA_TSTRING)
    return "must be the name of an animation or nil";
  if (slot == SP_NO_SLOT)
    return NULL;
  uint32_t now = (uint32_t)*cell(p, slot, 0), number = SP_CLIP_NONE;
  if (lua_isnil(L, index)) {
    set_clip(p, slot, SP_CLIP_NONE, frame_of(p, slot));
    return NULL;
  }
  const uint64_t id = p->id;
  const sp_context *c = p->manager->context;
  number = strcmp(lua_tostring(L, index), "default") == 0 ? SP_CLIP_OWN : sp_clip_number(L, p->manager->context, index);
  p = sp_pool_from_id(c, id);
  if (p && number != now)
    set_clip(p, slot, number, age_at(p, slot));
  return NULL;
}

/* The animation goes on from that frame, if it has it; else the frame stays. */
static const char *write_frame(lua_State *L, spl_pool *p, uint32_t slot, int index)
{
  int exact = 0;
  lua_Integer frame = lua_type(L, index) == LUA_TNUMBER ? lua_tointegerx(L, index, &exact) : 0;
  if (!exact || frame < 1 || frame > UINT16_MAX)
    return "must be a frame: an integer from 1 to 65535";
  if (slot == SP_NO_SLOT)
    return NULL;
  uint32_t number = (uint32_t)*cell(p, slot, 0);
  float begin = sp_clip_time(sheet_at(p, slot), &p->clip, number, (uint16_t)frame);
  if (number != SP_CLIP_NONE && begin >= 0)
    set_clip(p, slot, number, age_at(p, slot) - (double)begin);
  else
    set_clip(p, slot, SP_CLIP_NONE, (double)frame);
  return NULL;
}

/* }== */

/* {== Reading ============================================================ */

/* Its address is even, so that no reference equals it: see demo/web/lua_lightbits.patch. */
_Alignas(8) const char sp_empty_seat = 0;

static void *cell_at(const spl_pool *p, uint32_t slot, int column, size_t size)
{
  return sp_cell_at(p->manager->core, &sp_view_of(p->core)->columns[column], slot, size);
}

static sp_look *look_at(const spl_pool *p, uint32_t slot) { return cell_at(p, slot, SP_LOOK, sizeof(sp_look)); }

static sp_ref *reference_at(const spl_pool *p, uint32_t slot, int column)
{
  return cell_at(p, slot, column, sizeof(sp_ref));
}

/* Makes the value of a field fresh(fn) when it is first read in a life. The column's table and the function are on top.
   The function may do anything; its value is stored only if the life goes on. */
static void make_fresh(lua_State *L, const sp_context *c, sp_ref object)
{
  sp_push_object(L, object);
  lua_call(L, 1, 1);
  const spl_manager *m = sp_manager_of(c, object);
  if (!m || !(sp_ref_generation(object) & 1) || !sp_ref_resolves(m->core, object))
    return;
  lua_pushvalue(L, -1);
  sp_raw_seti(L, -3, sp_ref_slot(object));
}

/* A column of values is a table slot -> value. No value means the default; the table itself stands for nil. */
static void push_value_field(lua_State *L, spl_pool *p, uint32_t slot, int column)
{
  if (sp_find_user_value(L, p->manager->context, p, SP_POOL_VALUES) == LUA_TNIL)
    return;
  sp_raw_geti(L, -1, column);
  sp_raw_geti(L, -1, slot);
  if (sp_seat_is_empty(L, -1)) {
    lua_pop(L, 1);
    if (sp_raw_geti(L, -1, SP_COLUMN_FRESH) == LUA_TFUNCTION) {
      make_fresh(L, p->manager->context, sp_ref_make(p->manager->core, slot));
    } else {
      lua_pop(L, 1);
      sp_raw_geti(L, -1, SP_COLUMN_DEFAULT);
    }
  }
  if (sp_raw_equal(L, -1, -2))
    lua_pushnil(L);
}

/* ref: an object, or nil once that life is over. */
static void push_reference(lua_State *L, const sp_context *c, sp_ref object)
{
  const spl_manager *m = object ? sp_manager_of(c, object) : NULL;
  if (m && sp_object_is_live(m->core, object))
    sp_push_object(L, object);
  else
    lua_pushnil(L);
}

/* The parent of an object: in hooks that end either, too. */
static void push_parent(lua_State *L, const sp_manager *m, sp_ref object)
{
  sp_ref parent = sp_object_parent(m, object);
  if (parent && sp_ref_resolves(m, parent))
    sp_push_object(L, parent);
  else
    lua_pushnil(L);
}

static void push_own_method(lua_State *L, spl_pool *p, int number)
{
  if (sp_find_user_value(L, p->manager->context, p, SP_POOL_METHODS) != LUA_TNIL)
    sp_raw_geti(L, -1, number);
}

static void push_look(lua_State *L, const spl_pool *p, uint32_t slot, uint32_t name)
{
  const sp_look *look = look_at(p, slot);
  switch (SP_NAME_KIND(name)) {
  case SP_NAME_LOOK_FLOAT:
    lua_pushnumber(L, *(const float *)((const char *)look + SP_NAME_WHAT(name)));
    break;
  case SP_NAME_LAYER:
    lua_pushinteger(L, look->layer);
    break;
  case SP_NAME_SPRITE:
    sp_push_sprite_name(L, p->manager->context, look->sprite);
    break;
  case SP_NAME_VISIBLE:
    lua_pushboolean(L, look->visible);
    break;
  default:
    lua_pushboolean(L, look->pinned);
  }
}

/* Fields without a column. */
static void push_life(lua_State *L, const spl_pool *p, uint32_t slot, uint32_t name)
{
  const sp_context *c = p->manager->context;
  const sp_manager *m = p->manager->core;
  const sp_ref object = sp_ref_make(m, slot);
  switch (SP_NAME_KIND(name)) {
  case SP_NAME_TYPE:
    lua_pushstring(L, sp_pool_desc_of(p->core)->type);
    break;
  case SP_NAME_POOL:
    sp_push_anchor(L, c, p);
    break;
  case SP_NAME_ID:
    lua_pushinteger(L, sp_object_number(m, object));
    break;
  case SP_NAME_AGE:
    lua_pushnumber(L, sp_object_age(m, object));
    break;
  case SP_NAME_LIFETIME:
    lua_pushnumber(L, sp_object_lifetime(m, object));
    break;
  case SP_NAME_REMAINING:
    lua_pushnumber(L, sp_object_remaining(m, object));
    break;
  case SP_NAME_ALIVE:
    lua_pushboolean(L, sp_object_is_live(m, object));
    break;
  case SP_NAME_PARENT:
    push_parent(L, m, object);
    break;
  default: /* a method */
    sp_push_kept(L, c, SP_KEPT_METHODS);
    sp_raw_geti(L, -1, SP_NAME_WHAT(name));
  }
}

void sp_object_push(lua_State *L, spl_pool *p, uint32_t slot, uint32_t name)
{
  switch (SP_NAME_KIND(name)) {
  case SP_NAME_FLOAT:
    lua_pushnumber(L, *sp_float_cell(p->manager->core, p->core, slot, name));
    break;
  case SP_NAME_NUMBER:
    lua_pushnumber(L, *sp_double_cell(p->manager->core, p->core, slot, name));
    break;
  case SP_NAME_INTEGER:
    sp_push_integral(L, *sp_double_cell(p->manager->core, p->core, slot, name));
    break;
  case SP_NAME_BOOLEAN:
    lua_pushboolean(L, *sp_double_cell(p->manager->core, p->core, slot, name) != 0);
    break;
  case SP_NAME_VALUE:
    push_value_field(L, p, slot, SP_NAME_WHAT(name));
    break;
  case SP_NAME_ANIMATION:
    sp_push_clip_name(L, p->manager->context, (uint32_t)*sp_double_cell(p->manager->core, p->core, slot, name));
    break;
  case SP_NAME_FRAME:
    lua_pushinteger(L, frame_of(p, slot));
    break;
  case SP_NAME_REF:
    push_reference(L, p->manager->context, *reference_at(p, slot, SP_NAME_WHAT(name)));
    break;
  case SP_NAME_OWN_METHOD:
    push_own_method(L, p, SP_NAME_WHAT(name));
    break;
  case SP_NAME_LOOK_FLOAT:
  case SP_NAME_LAYER:
  case SP_NAME_SPRITE:
  case SP_NAME_VISIBLE:
  case SP_NAME_PINNED:
    push_look(L, p, slot, name);
    break;
  default:
    push_life(L, p, slot, name);
  }
}

void sp_object_read(lua_State *L, spl_pool *p, uint32_t slot, uint32_t name)
{
  int top = lua_gettop(L) + 1;
  sp_object_push(L, p, slot, name);
  if (lua_gettop(L) > top)
    lua_replace(L, top);
  lua_settop(L, top);
}

/* }== */

/* {== Writing ============================================================ */

#define NO_NUMBER "must be a number"

static const char *to_float(lua_State *L, int index, float *out)
{
  if (lua_type(L, index) != LUA_TNUMBER)
    return NO_NUMBER;
  *out = (float)lua_tonumber(L, index);
  return isfinite(*out) ? NULL : "must be a finite number";
}

static const char *write_float(lua_State *L, spl_pool *p, uint32_t slot, uint32_t name, int index)
{
  float number;
  const char *wrong = to_float(L, index, &number);
  if (wrong || slot == SP_NO_SLOT)
    return wrong;
  *sp_float_cell(p->manager->core, p->core, slot, name) = number;
  sp_mark_written(p->core, sp_view_of(p->core)->columns[SP_NAME_WHAT(name)].written);
  return NULL;
}

static const char *write_double(lua_State *L, spl_pool *p, uint32_t slot, uint32_t name, int index)
{
  if (!SP_LIKELY(lua_type(L, index) == LUA_TNUMBER))
    return NO_NUMBER;
  double number = lua_tonumber(L, index);
  if (!SP_LIKELY(fabs(number) < SP_EXACT) && lua_isinteger(L, index))
    return "is an integer beyond 2^53, which a number field cannot hold exactly";
  if (slot == SP_NO_SLOT)
    return NULL;
  *sp_double_cell(p->manager->core, p->core, slot, name) = number;
  sp_mark_written(p->core, sp_view_of(p->core)->columns[SP_NAME_WHAT(name)].written);
  return NULL;
}

static const char *to_boolean(lua_State *L, int index, bool *out)
{
  *out = lua_toboolean(L, index);
  return lua_isboolean(L, index) ? NULL : "must be true or false";
}

/* Returns whether reading an empty seat of the column's table on top gives anything but nil. */
static bool has_default(lua_State *L)
{
  bool fresh = sp_raw_geti(L, -1, SP_COLUMN_FRESH) != LUA_TNIL;
  bool value = sp_raw_geti(L, -2, SP_COLUMN_DEFAULT) != LUA_TNIL;
  lua_pop(L, 2);
  return fresh || value;
}

static const char *write_value(lua_State *L, spl_pool *p, uint32_t slot, int column, int index)
{
  if (slot == SP_NO_SLOT)
    return NULL;
  /* An idle object keeps nothing that its next life would not start with. */
  if (p->value_reset >> column & 1 && !(sp_slot_life(p->manager->core, slot)->generation & 1))
    return NULL;
  int top = lua_gettop(L);
  index = lua_absindex(L, index);
  if (sp_find_user_value(L, p->manager->context, p, SP_POOL_VALUES) != LUA_TNIL) {
    sp_raw_geti(L, -1, column);
    lua_pushvalue(L, lua_isnil(L, index) && has_default(L) ? -1 : index);
    sp_raw_seti(L, -2, slot);
  }
  lua_settop(L, top);
  return NULL;
}

static const char *write_remaining(lua_State *L, spl_pool *p, uint32_t slot, int index)
{
  if (lua_type(L, index) != LUA_TNUMBER)
    return NO_NUMBER;
  sp_manager *m = p->manager->core;
  const double seconds = lua_tonumber(L, index);
  sp_result result = SP_OK;
  if (slot != SP_NO_SLOT)
    result = sp_object_set_remaining(m, sp_ref_make(m, slot), seconds);
  else if (!sp_is_seconds(seconds))
    result = SP_INVALID;
  return result == SP_OK        ? NULL
         : result == SP_INVALID ? "must be seconds from 0 to 1e11 (math.huge: never)"
                                : "found no memory";
}

static const char *to_reference(lua_State *L, int index, sp_ref *out)
{
  *out = lua_isnil(L, index) ? SP_NULL_REF : sp_to_object(L, index);
  return lua_isnil(L, index) || lua_islightuserdata(L, index) ? NULL : "must be an object or nil";
}

static const char *write_reference(lua_State *L, spl_pool *p, uint32_t slot, int column, int index)
{
  sp_ref object;
  const char *wrong = to_reference(L, index, &object);
  if (!wrong && slot != SP_NO_SLOT)
    *reference_at(p, slot, column) = object;
  return wrong;
}

static const char *write_parent(lua_State *L, spl_pool *p, uint32_t slot, int index)
{
  sp_ref parent;
  const char *wrong = to_reference(L, index, &parent);
  sp_manager *m = p->manager->core;
  if (wrong || slot == SP_NO_SLOT)
    return wrong;
  switch (sp_object_set_parent(m, sp_ref_make(m, slot), parent)) {
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

static const char *write_boolean(lua_State *L, spl_pool *p, uint32_t slot, uint32_t name, int index)
{
  bool on;
  const char *wrong = to_boolean(L, index, &on);
  if (!wrong && slot != SP_NO_SLOT)
    *sp_double_cell(p->manager->core, p->core, slot, name) = on;
  return wrong;
}

/* Reads a layer, a sprite, or whether an object is visible or pinned, into `look`. */
static const char *to_look(lua_State *L, sp_context *c, uint32_t name, int index, sp_look *look)
{
  int exact = 0;
  bool on = false;
  const char *wrong = NULL;
  lua_Integer layer = 0;
  switch (SP_NAME_KIND(name)) {
  case SP_NAME_LOOK_FLOAT:
    return to_float(L, index, (float *)((char *)look + SP_NAME_WHAT(name)));
  case SP_NAME_LAYER:
    layer = lua_type(L, index) == LUA_TNUMBER ? lua_tointegerx(L, index, &exact) : 0;
    look->layer = (int16_t)layer;
    return exact && layer >= INT16_MIN && layer <= INT16_MAX ? NULL : "must be an integer from -32768 to 32767";
  case SP_NAME_SPRITE:
    if (lua_type(L, index) != LUA_TSTRING)
      return "must be the name of a sprite";
    return sp_find_sprite(L, c, index, &look->sprite) ? NULL : "would be one sprite name too many (65536 at most)";
  default:
    wrong = to_boolean(L, index, &on);
    *(SP_NAME_KIND(name) == SP_NAME_VISIBLE ? &look->visible : &look->pinned) = on;
    return wrong;
  }
}

static const char *write_look(lua_State *L, spl_pool *p, uint32_t slot, uint32_t name, int index)
{
  sp_look none = {0}, *look = slot == SP_NO_SLOT ? &none : look_at(p, slot), new = *look;
  const char *wrong = to_look(L, p->manager->context, name, index, &new);
  if (!wrong)
    *look = new;
  if (!wrong && !new.pinned && SP_NAME_KIND(name) == SP_NAME_PINNED)
    sp_note_unpinned(p->core);
  return wrong;
}

const char *sp_object_write(lua_State *L, spl_pool *p, uint32_t slot, uint32_t name, int index)
{
  const char *wrong;
  int column = SP_NAME_WHAT(name);
  switch (SP_NAME_KIND(name)) {
  case SP_NAME_FLOAT:
    return write_float(L, p, slot, name, index);
  case SP_NAME_NUMBER:
  case SP_NAME_INTEGER:
    return write_double(L, p, slot, name, index);
  case SP_NAME_BOOLEAN:
    wrong = write_boolean(L, p, slot, name, index);
    break;
  case SP_NAME_ANIMATION:
    return write_animation(L, p, slot, index);
  case SP_NAME_FRAME:
    return write_frame(L, p, slot, index);
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
  if (!wrong && slot != SP_NO_SLOT)
    sp_mark_written(p->core, sp_view_of(p->core)->columns[column].written);
  return wrong;
}

sp_cell_part sp_cell_part_of(uint32_t name)
{
  const int what = SP_NAME_WHAT(name);
  switch (SP_NAME_KIND(name)) {
  case SP_NAME_FLOAT:
    return (sp_cell_part){what, 0, sizeof(float)};
  case SP_NAME_NUMBER:
  case SP_NAME_INTEGER:
  case SP_NAME_BOOLEAN:
    return (sp_cell_part){what, 0, sizeof(double)};
  case SP_NAME_LOOK_FLOAT:
    return (sp_cell_part){SP_LOOK, (size_t)what, sizeof(float)};
  case SP_NAME_LAYER:
    return (sp_cell_part){SP_LOOK, offsetof(sp_look, layer), sizeof(int16_t)};
  case SP_NAME_SPRITE:
    return (sp_cell_part){SP_LOOK, offsetof(sp_look, sprite), sizeof(uint16_t)};
  case SP_NAME_VISIBLE:
    return (sp_cell_part){SP_LOOK, offsetof(sp_look, visible), sizeof(uint8_t)};
  case SP_NAME_PINNED:
    return (sp_cell_part){SP_LOOK, offsetof(sp_look, pinned), sizeof(uint8_t)};
  default:
    return (sp_cell_part){0, 0, 0};
  }
}

bool sp_is_unmade(lua_State *L, const spl_pool *p, uint32_t slot, int column)
{
  int top = lua_gettop(L);
  sp_push_anchor(L, p->manager->context, p);
  lua_getiuservalue(L, -1, SP_POOL_VALUES);
  sp_raw_geti(L, -1, column);
  sp_raw_geti(L, -1, slot);
  bool empty = sp_seat_is_empty(L, -1);
  bool fresh = sp_raw_geti(L, top + 3, SP_COLUMN_FRESH) == LUA_TFUNCTION;
  lua_settop(L, top);
  return empty && fresh;
}

/* }== */

/* {== Scales ============================================================= */

bool sp_names_scale(lua_State *L, int key)
{
  const char *name = lua_type(L, key) == LUA_TSTRING ? lua_tostring(L, key) : "";
  return strcmp(name, "scale_x") == 0 || strcmp(name, "scale_y") == 0;
}

/* gain(context, type). The description of the type has the two fields from now on; its pools change as after an edit.
   */
static int gain_scales(lua_State *L)
{
  sp_push_kept(L, sp_raw_block(L, 1), SP_KEPT_CLASSES);
  lua_getfield(L, -1, "scale");
  lua_pushvalue(L, 2);
  lua_call(L, 1, 0);
  return 0;
}

const char *sp_gain_scales(lua_State *L, const spl_pool *p)
{
  luaL_checkstack(L, 10, NULL);
  lua_pushcfunction(L, gain_scales);
  lua_pushlightuserdata(L, p->manager->context);
  lua_pushstring(L, sp_pool_desc_of(p->core)->type);
  bool gained = lua_pcall(L, 2, 0, 0) == LUA_OK;
  if (!gained)
    lua_pop(L, 1);
  return gained ? NULL : "finds no room: its class has too many fields, or memory is short";
}

/* }== */
