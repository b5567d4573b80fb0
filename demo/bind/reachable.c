#include "demo/bind/reachable.h"

#include <lauxlib.h>
#include <lua.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "demo/draw/graphics.h"
#include "script/bind/tiles.h"
#include "script/state/arguments.h"
#include "script/state/strings.h"

#include "script/state/careful.h"

const sp_reach player_reachable[] = {PLAYER_REACHABLE(SP_REACH_ENTRY){NULL, NULL, NULL, NULL}};

/* install(name, rows, ud), protected, because memory may run out. The metatable is hidden: a game could modify it. */
static int install(lua_State *L)
{
  const char *name = sp_raw_block(L, 1);
  const sp_reach *rows = sp_raw_block(L, 2);
  const void *ud = sp_raw_block(L, 3);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  if (lua_getfield(L, -1, "spawnpool") != LUA_TTABLE)
    return luaL_error(L, "the module 'spawnpool' is not loaded");
  int module = lua_gettop(L);
  lua_getfield(L, module, "pools");
  lua_setfield(L, LUA_REGISTRYINDEX, PART_POOLS);
  reachable_push_own(L, name);
  const bool is_module = strcmp(name, "spawnpool") == 0;
  if (is_module) {
    lua_pushvalue(L, module);
  } else {
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setfield(L, module, name);
  }
  sp_reach_set(L, rows, name, false, ud, true);
  if (sp_reach_next(rows, name, true)) {
    lua_pushvalue(L, -2);
    lua_newtable(L);
    sp_reach_set(L, rows, name, true, ud, true);
    lua_pushfstring(L, is_module ? name : "spawnpool.%s", name);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -3);
  }
  return 0;
}

bool reachable_install(const char *name, const sp_reach *rows, const void *ud, lua_State *L, char *error,
                       size_t error_size)
{
  int top = lua_gettop(L);
  lua_pushcfunction(L, install);
  lua_pushlightuserdata(L, (void *)name);
  lua_pushlightuserdata(L, (void *)rows);
  lua_pushlightuserdata(L, (void *)ud);
  bool fine = lua_pcall(L, 3, 0, 0) == LUA_OK;
  if (!fine)
    snprintf(error, error_size, "%s", lua_isstring(L, -1) ? lua_tostring(L, -1) : "no message");
  lua_settop(L, top);
  return fine;
}

/* {== The object g =======================================================
** The methods of `g` read and check the arguments, then draw. `g` is a userdata that points to the player's struct;
** errors come from luaL_argerror and similar functions, which name the argument and the line of the caller. */

#define GRAPHICS "spawnpool.graphics"
#define METHODS lua_upvalueindex(2) /* of the metamethods */
#define SPRITE_RADIUS 8.0f          /* default radius of objects */

/* }== */

/* {== Arguments ========================================================== */

static graphics *check_self(lua_State *L)
{
  return *(graphics **)sp_check_block(L, 1, GRAPHICS, "g (call methods with a colon: g:text(...))");
}

static graphics *check_graphics(lua_State *L)
{
  graphics *it = check_self(L);
  if (!it->out)
    luaL_error(L, "g draws only while draw(g) runs; store what you want to draw, and draw it there");
  return it;
}

static float opt_number(lua_State *L, int arg, float other)
{
  return lua_isnoneornil(L, arg) ? other : sp_check_float(L, arg);
}

static bool check_filled(lua_State *L, int arg)
{
  static const char *const modes[] = {"fill", "line", NULL};
  return sp_check_word(L, arg, 0, modes) == 0;
}

/* Returns the end of a message about an unknown name; `near` may be NULL. */
static const char *hint(lua_State *L, const char *near)
{
  return near ? lua_pushfstring(L, "; the nearest is '%s'", near) : "";
}

static int check_font(lua_State *L, const graphics *it, int arg)
{
  const char *name = sp_check_text(L, arg);
  const int face = text_find_font(it->text, name);
  if (strcmp(name, "sans") == 0 || strcmp(name, "mono") == 0)
    return name[0] == 's' ? FONT_SANS : FONT_MONO;
  if (face < FONT_FACES)
    luaL_argerror(L, arg,
                  lua_pushfstring(L, "no font '%s' ('sans', 'mono', or a file of the game in fonts/)%s", name,
                                  hint(L, text_nearest_font(it->text, name))));
  return face;
}

static float check_positive(lua_State *L, int arg, const char *wanted)
{
  const float number = sp_check_float(L, arg);
  if (!(number > 0))
    luaL_argerror(L, arg, wanted);
  return number;
}

/* Reads the size of a text at `arg`, and from `more` on a width and a font, in either order. */
static text_style read_style(lua_State *L, const graphics *it, int arg, int more)
{
  text_style style = {it->face, opt_number(L, arg, it->text_size), it->color, TEXT_LEFT, 0};
  for (int i = more; i < more + 2; i++)
    if (lua_type(L, i) == LUA_TNUMBER)
      style.width = check_positive(L, i, "a width above 0 expected");
    else if (!lua_isnoneornil(L, i))
      style.face = check_font(L, it, i);
  return style;
}

static int done(lua_State *L, bool fine) { return fine ? 0 : luaL_error(L, "not enough memory to draw"); }

/* }== */

/* {== Methods ============================================================ */

int graphics_lua_color(lua_State *L)
{
  graphics *it = check_graphics(L);
  float r = sp_check_float(L, 2), g = sp_check_float(L, 3), b = sp_check_float(L, 4), a = opt_number(L, 5, 1);
  it->color = (SDL_Color){batch_channel(r), batch_channel(g), batch_channel(b), batch_channel(a)};
  return 0;
}

int graphics_lua_text(lua_State *L)
{
  graphics *it = check_graphics(L);
  float x = sp_check_float(L, 2), y = sp_check_float(L, 3);
  size_t length;
  const char *s;
  static const char *const aligns[] = {[TEXT_LEFT] = "left", [TEXT_CENTER] = "center", [TEXT_RIGHT] = "right", NULL};
  text_style style = read_style(L, it, 5, 7);
  style.align = (text_align)sp_check_word(L, 6, TEXT_LEFT, aligns);
  s = sp_check_shown(L, 4, &length);
  graphics_write(it, x, y, &style, s, length);
  return 0;
}

/* Unlike the other methods it also works outside draw, so that a menu can be laid out before it is drawn. */
int graphics_lua_measure(lua_State *L)
{
  graphics *it = check_self(L);
  const text_style style = read_style(L, it, 3, 4);
  size_t length;
  int lines;
  const char *s = sp_check_shown(L, 2, &length);
  it->has_left_out |= length > GRAPHICS_TEXT_MOST;
  length = length < GRAPHICS_TEXT_MOST ? length : GRAPHICS_TEXT_MOST;
  lua_pushnumber(L, text_measure(it->text, &style, s, length, &lines));
  lua_pushnumber(L, (lua_Number)text_line(it->text, &style) * (lua_Number)lines);
  return 2;
}

/* Without arguments: as at the beginning of draw. */
int graphics_lua_font(lua_State *L)
{
  graphics *it = check_graphics(L);
  const int face = lua_gettop(L) > 1 ? check_font(L, it, 2) : FONT_SANS;
  const float size = text_own_size(it->text, face, GRAPHICS_TEXT_SIZE);
  it->text_size = lua_isnoneornil(L, 3) ? size : check_positive(L, 3, "a size above 0 expected");
  it->face = face;
  return 0;
}

int graphics_lua_line(lua_State *L)
{
  graphics *it = check_graphics(L);
  float x1 = sp_check_float(L, 2), y1 = sp_check_float(L, 3), x2 = sp_check_float(L, 4), y2 = sp_check_float(L, 5);
  float width = lua_isnoneornil(L, 6) ? 1 : check_positive(L, 6, "a width above 0 expected");
  return done(L, graphics_line(it, x1, y1, x2, y2, width));
}

int graphics_lua_rect(lua_State *L)
{
  graphics *it = check_graphics(L);
  float x = sp_check_float(L, 2), y = sp_check_float(L, 3), w = sp_check_float(L, 4), h = sp_check_float(L, 5);
  return done(L, graphics_rect(it, x, y, w, h, check_filled(L, 6)));
}

int graphics_lua_circle(lua_State *L)
{
  graphics *it = check_graphics(L);
  float x = sp_check_float(L, 2), y = sp_check_float(L, 3), radius = sp_check_float(L, 4);
  return done(L, graphics_circle(it, x, y, radius, check_filled(L, 5)));
}

static float number_in(lua_State *L, int list, int i)
{
  sp_raw_geti(L, list, i);
  const double number = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
  if (!isfinite((float)number))
    luaL_argerror(L, 2,
                  lua_pushfstring(L, "numbers x1, y1, x2, y2, ... expected, or points {x, y}; entry %d is none", i));
  lua_pop(L, 1);
  return (float)number;
}

/* Reads {x1, y1, x2, y2, ...} or {{x1, y1}, {x2, y2}, ...}; returns the number of points. */
static int read_points(lua_State *L, SDL_FPoint *points)
{
  sp_check_table(L, 2);
  lua_settop(L, 3);
  const bool flat = sp_raw_geti(L, 2, 1) != LUA_TTABLE;
  const lua_Integer length = (lua_Integer)sp_raw_length(L, 2), count = flat ? length / 2 : length;
  lua_pop(L, 1);
  if (count < 3 || count > GRAPHICS_POINTS_MOST || (flat && length % 2 != 0))
    luaL_argerror(L, 2,
                  lua_pushfstring(L, "3 to %d points expected, got %I%s", GRAPHICS_POINTS_MOST, count,
                                  flat && length % 2 != 0 ? " and a half" : ""));
  for (int i = 0; i < (int)count; i++) {
    if (!flat && sp_raw_geti(L, 2, i + 1) != LUA_TTABLE)
      luaL_argerror(L, 2, lua_pushfstring(L, "a list of points {x, y} expected; entry %d is none", i + 1));
    const int list = flat ? 2 : 4, first = flat ? 2 * i + 1 : 1;
    points[i] = (SDL_FPoint){number_in(L, list, first), number_in(L, list, first + 1)};
    lua_settop(L, 3);
  }
  return (int)count;
}

int graphics_lua_polygon(lua_State *L)
{
  graphics *it = check_graphics(L);
  SDL_FPoint points[GRAPHICS_POINTS_MOST];
  const bool filled = check_filled(L, 3);
  const int count = read_points(L, points);
  return done(L, graphics_polygon(it, points, count, filled));
}

int graphics_lua_sprite(lua_State *L)
{
  graphics *it = check_graphics(L);
  const char *name = sp_check_text(L, 2);
  const sprite *shape = sprites_find(it->sprites, name);
  float x = sp_check_float(L, 3), y = sp_check_float(L, 4), angle = opt_number(L, 5, 0), scale = opt_number(L, 6, 1);
  float scale_y = opt_number(L, 7, scale);
  if (!shape)
    return luaL_argerror(L, 2,
                         lua_pushfstring(L, "no sprite '%s'%s", name, hint(L, sprites_nearest(it->sprites, name))));
  unsigned frame = 1, frames = (unsigned)shape->more_frames + 1;
  if (!lua_isnoneornil(L, 8))
    frame = sp_check_count(L, 8, lua_pushfstring(L, "the frame of '%s'", name), 1, frames);
  return done(
      L, graphics_sprite(it, sprite_frame(shape, frame), x, y, angle, SPRITE_RADIUS * scale, SPRITE_RADIUS * scale_y));
}

/* Returns the first and the last of `count` cells of a size that are between two positions. */
static void cells_between(double from, double to, double size, int count, int *first, int *last)
{
  *first = (int)fmax(0, fmin(floor(from / size), count));
  *last = (int)fmin(count - 1, fmax(floor(to / size), -1));
}

/* Draws one tile; false when memory is refused. `cut` NULL: a square. */
static bool draw_tile(lua_State *L, graphics *it, const sprite *cut, int tile, float x, float y, float size)
{
  if (!cut)
    return graphics_rect(it, x, y, size, size, true);
  if (tile > cut->more_frames + 1)
    sp_raise_arg(L, 2, "the map shows tile %d, and its sheet has %d", tile, cut->more_frames + 1);
  return graphics_sprite(it, sprite_frame(cut, (unsigned)tile), x + size / 2, y + size / 2, 0, size / 2, size / 2);
}

static bool draw_tiles(lua_State *L, graphics *it, const sprite *cut, const sp_tiles *map)
{
  const SDL_FRect seen = graphics_visible(it);
  int left, right, top, bottom;
  cells_between(seen.x, (double)seen.x + seen.w, map->size, map->columns, &left, &right);
  cells_between(seen.y, (double)seen.y + seen.h, map->size, map->rows, &top, &bottom);
  for (int row = top; row <= bottom; row++)
    for (int column = left; column <= right && it->quads_left > 0; column++) {
      int tile = sp_tiles_shown(map, sp_tiles_value(map, column, row));
      float x = (float)(column * map->size), y = (float)(row * map->size);
      if (tile > 0 && !draw_tile(L, it, cut, tile, x, y, (float)map->size))
        return false;
    }
  it->has_left_out |= it->quads_left == 0;
  return true;
}

int graphics_lua_tiles(lua_State *L)
{
  graphics *it = check_graphics(L);
  const sprite *cut = NULL;
  luaL_checkstack(L, 12, NULL);
  const sp_tiles map = sp_tiles_check(L, 2, "g:tiles(map)");
  if (sp_raw_field(L, 2, "sheet") == LUA_TSTRING) {
    const char *name = sp_to_text(L, -1);
    if (!sprites_find(it->sprites, name))
      sp_raise_arg(L, 2, "no sprite '%s'%s", name, hint(L, sprites_nearest(it->sprites, name)));
    cut = map.size <= INT16_MAX ? sprites_cut(it->sprites, name, (int)map.size) : NULL;
    if (!cut)
      sp_raise_arg(L, 2, "the sheet '%s' has no tiles: %s", name, SDL_GetError());
  }
  return done(L, draw_tiles(L, it, cut, &map));
}

int graphics_lua_camera(lua_State *L)
{
  graphics *it = check_graphics(L);
  view_camera c = {.on = lua_gettop(L) > 1, .zoom = 1};
  if (c.on) {
    c.x = sp_check_float(L, 2);
    c.y = sp_check_float(L, 3);
    c.zoom = opt_number(L, 4, 1);
    c.angle = opt_number(L, 5, 0);
    if (!(c.zoom >= VIEW_ZOOM_LEAST && c.zoom <= VIEW_ZOOM_MOST))
      luaL_argerror(L, 4, "a zoom from 0.001 to 1000 expected");
  }
  graphics_camera(it, &c);
  return 0;
}

int graphics_lua_shake(lua_State *L)
{
  graphics *it = check_graphics(L);
  float x = sp_check_float(L, 2), y = sp_check_float(L, 3);
  it->shake_x = x;
  it->shake_y = y;
  return 0;
}

/* Without arguments: everything is seen again. */
int graphics_lua_clip(lua_State *L)
{
  graphics *it = check_graphics(L);
  if (lua_gettop(L) == 1) {
    graphics_clip(it, NULL);
    return 0;
  }
  const float x = sp_check_float(L, 2), y = sp_check_float(L, 3), w = sp_check_float(L, 4), h = sp_check_float(L, 5);
  graphics_clip(it, &(SDL_FRect){x, y, w, h});
  return 0;
}

int graphics_lua_effect(lua_State *L)
{
  static const char *const names[] = {[EFFECT_FLASH] = "flash", [EFFECT_TINT] = "tint", [EFFECT_CRT] = "crt", NULL};
  graphics *it = check_graphics(L);
  sp_check_text(L, 2);
  const graphics_effect effect = (graphics_effect)sp_check_word(L, 2, EFFECT_FLASH, names);
  const float amount = opt_number(L, 3, 1), r = opt_number(L, 4, (float)it->color.r / 255);
  const float g = opt_number(L, 5, (float)it->color.g / 255), b = opt_number(L, 6, (float)it->color.b / 255);
  return done(L, graphics_add_effect(it, effect, amount < 0 ? 0 : amount < 1 ? amount : 1, batch_color(r, g, b, 1)));
}

/* }== */

/* {== The object ========================================================= */

enum { FIELD_WIDTH, FIELD_HEIGHT, FIELD_SCALE, FIELD_UPDATE, FIELD_DRAW, FIELDS };

static const char *const fields[FIELDS] = {
    [FIELD_WIDTH] = "width",      [FIELD_HEIGHT] = "height", [FIELD_SCALE] = "scale",
    [FIELD_UPDATE] = "update_ms", [FIELD_DRAW] = "draw_ms",
};

static const char *nearest_field(const graphics *it, const char *name)
{
  sp_nearest_name near = sp_nearest_name_of(name);
  for (size_t i = 0; i < FIELDS; i++)
    sp_nearest_name_offer(&near, fields[i]);
  for (const sp_reach *row = it->rows; (row = sp_reach_next(row, "g", false)) != NULL; row++)
    sp_nearest_name_offer(&near, row->name);
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
static bool push_field(lua_State *L, graphics *it, const char *name)
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
  it->is_measured |= field == FIELD_UPDATE || field == FIELD_DRAW;
  return true;
}

int graphics_lua_index(lua_State *L)
{
  graphics *it = check_self(L);
  const char *name = sp_to_text(L, 2);
  sp_shown shown;
  lua_pushvalue(L, 2);
  if (sp_raw_get(L, METHODS) != LUA_TNIL || push_field(L, it, name))
    return 1;
  sp_show_name(L, 2, &shown);
  return luaL_error(L, "g has no field '%s'%s", shown.text, hint(L, nearest_field(it, name)));
}

int graphics_lua_newindex(lua_State *L)
{
  size_t field = find_field(sp_to_text(L, 2));
  sp_shown shown;
  if (field == FIELD_WIDTH || field == FIELD_HEIGHT)
    return luaL_error(L, "g.%s is read only; set width and height in the table that main.lua returns", fields[field]);
  if (field < FIELDS)
    return luaL_error(L, "g.%s is read only", fields[field]);
  return luaL_error(L, "g takes no fields; '%s' belongs in a table of your own", sp_show_name(L, 2, &shown));
}

/* Runs protected. The metatable is hidden: a game could modify it. Its functions find the methods in a table of their
   own. */
static int install_g(lua_State *L)
{
  graphics *it = sp_raw_block(L, 1);
  graphics **box = lua_newuserdatauv(L, sizeof *box, 0);
  *box = it;
  lua_newtable(L);
  sp_reach_set(L, it->rows, "g", false, it, false);
  luaL_newmetatable(L, GRAPHICS);
  sp_reach_set(L, it->rows, "g", true, it, true);
  lua_pushliteral(L, "g");
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, 2);
  lua_settop(L, 2);
  lua_pushinteger(L, luaL_ref(L, LUA_REGISTRYINDEX));
  return 1;
}

bool graphics_install(graphics *it, const sp_reach *rows, lua_State *L, int *reference, char *error, size_t error_size)
{
  int top = lua_gettop(L);
  bool fine;
  it->rows = rows;
  lua_pushcfunction(L, install_g);
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
