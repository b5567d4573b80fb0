/*
** The methods of `g` read and check the arguments, then draw. `g` is a userdata that points to the player's struct;
** errors come from luaL_argerror and similar functions, which name the argument and the line of the caller.
*/
#include "demo/bind/graphics_lua.h"

#include <lauxlib.h>
#include <lua.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "demo/support/nearest_name.h"

#define GRAPHICS "spawnpool.graphics"
#define TEXT_SIZE 16.0f
#define SPRITE_RADIUS 8.0f /* default radius of objects */

/* {== Arguments ========================================================== */

static graphics *check_self(lua_State *L)
{
  graphics **box = luaL_testudata(L, 1, GRAPHICS);
  if (!box)
    luaL_typeerror(L, 1, "g (call methods with a colon: g:text(...))");
  return *box;
}

static graphics *check_graphics(lua_State *L)
{
  graphics *it = check_self(L);
  if (!it->out)
    luaL_error(L, "g draws only while draw(g) runs; keep what you want drawn, and draw it there");
  return it;
}

static float check_number(lua_State *L, int arg)
{
  float v = (float)luaL_checknumber(L, arg);
  luaL_argcheck(L, isfinite(v), arg, "finite number expected");
  return v;
}

static float opt_number(lua_State *L, int arg, float other)
{
  return lua_isnoneornil(L, arg) ? other : check_number(L, arg);
}

static bool check_filled(lua_State *L, int arg)
{
  static const char *const modes[] = {"fill", "line", NULL};
  return luaL_checkoption(L, arg, "fill", modes) == 0;
}

static int done(lua_State *L, bool fine) { return fine ? 0 : luaL_error(L, "not enough memory to draw"); }

/* }== */

/* {== Methods ============================================================ */

static int f_color(lua_State *L)
{
  graphics *it = check_graphics(L);
  float r = check_number(L, 2), g = check_number(L, 3), b = check_number(L, 4), a = opt_number(L, 5, 1);
  it->color = (SDL_Color){batch_channel(r), batch_channel(g), batch_channel(b), batch_channel(a)};
  return 0;
}

static int f_text(lua_State *L)
{
  graphics *it = check_graphics(L);
  float x = check_number(L, 2), y = check_number(L, 3);
  size_t length;
  const char *s;
  static const char *const aligns[] = {[TEXT_LEFT] = "left", [TEXT_CENTER] = "center", [TEXT_RIGHT] = "right", NULL};
  text_style style = {FONT_SANS, opt_number(L, 5, TEXT_SIZE), it->color, TEXT_LEFT};
  style.align = (text_align)luaL_checkoption(L, 6, aligns[TEXT_LEFT], aligns);
  luaL_checkany(L, 4);
  s = luaL_tolstring(L, 4, &length);
  graphics_write(it, x, y, &style, s, length);
  return 0;
}

/* Unlike the other methods it also works outside draw, so that a menu can be laid out before it is drawn. */
static int f_measure(lua_State *L)
{
  graphics *it = check_self(L);
  text_style style = {FONT_SANS, opt_number(L, 3, TEXT_SIZE), it->color, TEXT_LEFT};
  text *measure = graphics_text(it);
  size_t length, lines = 1;
  const char *s;
  luaL_checkany(L, 2);
  s = luaL_tolstring(L, 2, &length);
  if (!measure)
    return luaL_error(L, "not enough memory to measure text");
  it->has_left_out |= length > GRAPHICS_TEXT_MOST;
  length = length < GRAPHICS_TEXT_MOST ? length : GRAPHICS_TEXT_MOST;
  for (size_t i = 0; i < length; i++)
    lines += s[i] == '\n';
  lua_pushnumber(L, text_width(measure, &style, s, length));
  lua_pushnumber(L, (lua_Number)text_line(measure, &style) * (lua_Number)lines);
  return 2;
}

static int f_line(lua_State *L)
{
  graphics *it = check_graphics(L);
  float x1 = check_number(L, 2), y1 = check_number(L, 3), x2 = check_number(L, 4), y2 = check_number(L, 5);
  float width = opt_number(L, 6, 1);
  luaL_argcheck(L, width > 0, 6, "a width above 0 expected");
  return done(L, graphics_line(it, x1, y1, x2, y2, width));
}

static int f_rect(lua_State *L)
{
  graphics *it = check_graphics(L);
  float x = check_number(L, 2), y = check_number(L, 3), w = check_number(L, 4), h = check_number(L, 5);
  return done(L, graphics_rect(it, x, y, w, h, check_filled(L, 6)));
}

static int f_circle(lua_State *L)
{
  graphics *it = check_graphics(L);
  float x = check_number(L, 2), y = check_number(L, 3), radius = check_number(L, 4);
  return done(L, graphics_circle(it, x, y, radius, check_filled(L, 5)));
}

/* Returns the end of a message about an unknown name; `near` may be NULL. */
static const char *hint(lua_State *L, const char *near)
{
  return near ? lua_pushfstring(L, "; the nearest is '%s'", near) : "";
}

static int f_sprite(lua_State *L)
{
  graphics *it = check_graphics(L);
  const char *name = luaL_checkstring(L, 2);
  const sprite *shape = sprites_find(it->sprites, name);
  float x = check_number(L, 3), y = check_number(L, 4), angle = opt_number(L, 5, 0), scale = opt_number(L, 6, 1);
  if (!shape)
    return luaL_argerror(L, 2,
                         lua_pushfstring(L, "no sprite '%s'%s", name, hint(L, sprites_nearest(it->sprites, name))));
  return done(L, graphics_sprite(it, shape, x, y, angle, SPRITE_RADIUS * scale));
}

static int f_camera(lua_State *L)
{
  graphics *it = check_graphics(L);
  view_camera c = {.on = lua_gettop(L) > 1, .zoom = 1};
  if (c.on) {
    c.x = check_number(L, 2);
    c.y = check_number(L, 3);
    c.zoom = opt_number(L, 4, 1);
    c.angle = opt_number(L, 5, 0);
    luaL_argcheck(L, c.zoom >= VIEW_ZOOM_LEAST && c.zoom <= VIEW_ZOOM_MOST, 4, "a zoom from 0.001 to 1000 expected");
  }
  graphics_camera(it, &c);
  return 0;
}

static int f_shake(lua_State *L)
{
  graphics *it = check_graphics(L);
  float x = check_number(L, 2), y = check_number(L, 3);
  it->shake_x = x;
  it->shake_y = y;
  return 0;
}

static const luaL_Reg methods[] = {
    {"color", f_color},   {"text", f_text},     {"measure", f_measure}, {"line", f_line},   {"rect", f_rect},
    {"circle", f_circle}, {"sprite", f_sprite}, {"camera", f_camera},   {"shake", f_shake}, {NULL, NULL},
};

/* }== */

/* {== The object ========================================================= */

enum { FIELD_WIDTH, FIELD_HEIGHT, FIELD_SCALE, FIELD_UPDATE, FIELD_DRAW, FIELDS };

static const char *const fields[FIELDS] = {
    [FIELD_WIDTH] = "width",      [FIELD_HEIGHT] = "height", [FIELD_SCALE] = "scale",
    [FIELD_UPDATE] = "update_ms", [FIELD_DRAW] = "draw_ms",
};

static const char *nearest_field(const char *name)
{
  nearest_name near = nearest_name_of(name);
  for (size_t i = 0; i < FIELDS; i++)
    nearest_name_offer(&near, fields[i]);
  for (const luaL_Reg *method = methods; method->name; method++)
    nearest_name_offer(&near, method->name);
  return near.name;
}

/* Returns the number of the field called `name`; FIELDS when there is none. */
static size_t find_field(const char *name)
{
  size_t field = 0;
  while (field < FIELDS && strcmp(name, fields[field]) != 0)
    field++;
  return field;
}

/* Pushes the field called `name`; false when there is none. */
static bool push_field(lua_State *L, const graphics *it, const char *name)
{
  size_t field = find_field(name);
  if (field >= FIELDS)
    return false;
  if (field == FIELD_WIDTH || field == FIELD_HEIGHT)
    lua_pushinteger(L, (lua_Integer)(field == FIELD_WIDTH ? it->view.width : it->view.height));
  else if (field == FIELD_SCALE)
    lua_pushnumber(L, it->world ? view_points(it->world) : 1);
  else
    lua_pushnumber(L, field == FIELD_UPDATE ? it->update_ms : it->draw_ms);
  return true;
}

static int f_index(lua_State *L)
{
  const graphics *it = *(graphics **)luaL_checkudata(L, 1, GRAPHICS);
  const char *name;
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL)
    return 1;
  name = lua_tostring(L, 2);
  if (!name || !push_field(L, it, name))
    return luaL_error(L, "g has no field '%s'%s", luaL_tolstring(L, 2, NULL), hint(L, nearest_field(name ? name : "")));
  return 1;
}

static int f_newindex(lua_State *L)
{
  size_t field = lua_type(L, 2) == LUA_TSTRING ? find_field(lua_tostring(L, 2)) : FIELDS;
  if (field == FIELD_WIDTH || field == FIELD_HEIGHT)
    return luaL_error(L, "g.%s is read only; set width and height in the table that main.lua returns", fields[field]);
  if (field < FIELDS)
    return luaL_error(L, "g.%s is read only", fields[field]);
  return luaL_error(L, "g takes no fields; '%s' belongs in a table of your own", luaL_tolstring(L, 2, NULL));
}

/* Runs protected. The metatable is hidden: a game could modify it. */
static int install(lua_State *L)
{
  graphics **box = lua_newuserdatauv(L, sizeof *box, 0);
  *box = lua_touserdata(L, 1);
  if (luaL_newmetatable(L, GRAPHICS)) {
    luaL_newlib(L, methods);
    lua_pushcclosure(L, f_index, 1);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, f_newindex);
    lua_setfield(L, -2, "__newindex");
    lua_pushliteral(L, "g");
    lua_setfield(L, -2, "__metatable");
  }
  lua_setmetatable(L, -2);
  lua_pushinteger(L, luaL_ref(L, LUA_REGISTRYINDEX));
  return 1;
}

bool graphics_install(graphics *it, lua_State *L, int *reference, char *error, size_t error_size)
{
  int top = lua_gettop(L);
  bool fine;
  lua_pushcfunction(L, install);
  lua_pushlightuserdata(L, it);
  fine = lua_pcall(L, 1, 1, 0) == LUA_OK;
  if (fine)
    *reference = (int)lua_tointeger(L, -1);
  else
    snprintf(error, error_size, "%s", lua_isstring(L, -1) ? lua_tostring(L, -1) : "no message");
  lua_settop(L, top);
  return fine;
}

/* }== */
