/*
** Maps of tiles: what is solid, and movement that ends at solid tiles. A map is a table that lua/spawnpool/tiles.lua
** makes and a game may change, so it is read again in each call, and an entry that is not as expected is not solid.
**
** An object moves along x, then along y. On each axis the cells between those that it covers now and those that it
** would cover at the end are looked at in order, so nothing is skipped, however fast it is. Cells that it covers
** already do not hold it: an object inside a wall can leave it.
*/
#include "script/bind/tiles.h"

#include <float.h>
#include <math.h>

#include "script/bind/members.h"
#include "script/bind/object.h"
#include "script/state/arguments.h"
#include "script/state/context.h"

#include "script/state/careful.h"

/* {== Maps =============================================================== */

sp_tiles sp_tiles_check(lua_State *L, int arg, const char *call)
{
  sp_tiles m = {.L = L};
  sp_check_table(L, arg);
  sp_raw_field(L, arg, "size");
  sp_raw_field(L, arg, "columns");
  m.size = sp_to_number(L, -2);
  double columns = sp_to_number(L, -1);
  lua_pop(L, 2);
  bool fine = sp_raw_field(L, arg, "rows") == LUA_TTABLE;
  m.row_list = lua_gettop(L);
  int solids = sp_raw_field(L, arg, "solids"), shown = sp_raw_field(L, arg, "shown");
  fine = fine && (solids == LUA_TTABLE || solids == LUA_TBOOLEAN) && (shown == LUA_TTABLE || shown == LUA_TNIL);
  if (!fine || !(m.size > 0 && m.size <= (double)FLT_MAX && columns >= 1 && columns <= SP_MAX_SLOTS))
    sp_raise_arg(L, arg, "a map of spawnpool.tiles expected: %s", call);
  m.solids = m.row_list + 1;
  m.shown = m.row_list + 2;
  m.columns = (int)columns;
  size_t rows = sp_raw_length(L, m.row_list);
  m.rows = rows < SP_MAX_SLOTS ? (int)rows : (int)SP_MAX_SLOTS;
  return m;
}

lua_Integer sp_tiles_value(const sp_tiles *m, int column, int row)
{
  lua_State *L = m->L;
  size_t length = 0;
  lua_Integer value = -1;
  int top = lua_gettop(L), type = sp_raw_geti(L, m->row_list, row + 1);
  if (type == LUA_TSTRING) {
    const char *letters = lua_tolstring(L, -1, &length);
    value = (size_t)column < length ? (unsigned char)letters[column] : -1;
  } else if (type == LUA_TTABLE) {
    sp_raw_geti(L, top + 1, column + 1);
    value = lua_isinteger(L, -1) ? lua_tointeger(L, -1) : -1;
  }
  lua_settop(L, top);
  return value;
}

int sp_tiles_shown(const sp_tiles *m, lua_Integer value)
{
  if (lua_istable(m->L, m->shown)) {
    sp_raw_geti(m->L, m->shown, value);
    value = lua_isinteger(m->L, -1) ? lua_tointeger(m->L, -1) : 0;
    lua_pop(m->L, 1);
  }
  return value > 0 && value <= UINT16_MAX ? (int)value : 0;
}

static bool is_solid(const sp_tiles *m, int column, int row)
{
  lua_Integer value = sp_tiles_value(m, column, row);
  if (!lua_istable(m->L, m->solids))
    return value > 0;
  sp_raw_geti(m->L, m->solids, value);
  bool solid = lua_toboolean(m->L, -1);
  lua_pop(m->L, 1);
  return solid;
}

/* }== */

/* {== Cells ============================================================== */

/* The cells of an axis that a stretch covers: their numbers, where -1 and the number of cells stand for all that is
   outside. Faces belong to the cell behind them, unless the stretch ends there. */
typedef struct cells {
  int first, last;
} cells;

/* Returns the cell that begins at or before a position. The quotient may be rounded to the next cell. */
static int cell_at(double at, double size, int count)
{
  double guess = floor(at / size);
  if (!(guess >= 0))
    return at >= 0 ? 0 : -1;
  if (guess > count)
    return count;
  int cell = (int)guess;
  cell -= cell * size > at;
  cell += (cell + 1) * size <= at;
  return cell < count ? cell : count;
}

static cells covered(double low, double high, double size, int count)
{
  cells c = {cell_at(low, size, count), cell_at(high, size, count)};
  c.last -= c.last * size >= high;
  c.last = c.last > c.first ? c.last : c.first;
  return c;
}

/* Returns whether one of these cells of the map is solid. */
static bool any_solid(const sp_tiles *m, cells x, cells y)
{
  for (int row = y.first > 0 ? y.first : 0; row <= y.last && row < m->rows; row++)
    for (int column = x.first > 0 ? x.first : 0; column <= x.last && column < m->columns; column++)
      if (is_solid(m, column, row))
        return true;
  return false;
}

/* }== */

/* {== Movement =========================================================== */

typedef struct axis {
  float at;    /* the centre */
  double half; /* of the extent */
  int count;   /* cells */
} axis;

static cells covered_at(const sp_tiles *m, const axis *a, float at)
{
  return covered(at - a->half, at + a->half, m->size, a->count);
}

/* Returns the position next to the near face of a solid cell that lies `way` (1 or -1) from here, and does not cover
   it as computed. */
static float place_before(const sp_tiles *m, const axis *a, int cell, int way)
{
  double face = (way > 0 ? cell : cell + 1) * m->size;
  float at = (float)(face - way * a->half);
  while (way > 0 ? covered_at(m, a, at).last >= cell : covered_at(m, a, at).first <= cell)
    at = nextafterf(at, (float)-way * INFINITY);
  return (at - a->at) * (float)way > 0 ? at : a->at;
}

/* Moves along one axis, beside which the cells `beside` are covered, and returns whether something solid ended it. A
   step that is too short for a float presses against what is next, too. */
static bool sweep(const sp_tiles *m, axis *a, double by, cells beside, bool along_x)
{
  const int way = by > 0 ? 1 : -1;
  float to = (float)(a->at + by);
  to = to > FLT_MAX ? FLT_MAX : to < -FLT_MAX ? -FLT_MAX : to;
  const cells now = covered_at(m, a, a->at), then = covered_at(m, a, to);
  const cells exactly = covered(a->at + by - a->half, a->at + by + a->half, m->size, a->count);
  int cell = way > 0 ? now.last + 1 : now.first - 1;
  int end = way > 0 ? (then.last > exactly.last ? then.last : exactly.last)
                    : (then.first < exactly.first ? then.first : exactly.first);
  cell = way > 0 ? (cell > 0 ? cell : 0) : (cell < a->count ? cell : a->count - 1);
  for (; cell >= 0 && cell < a->count && (end - cell) * way >= 0; cell += way) {
    const cells one = {cell, cell};
    if (any_solid(m, along_x ? one : beside, along_x ? beside : one)) {
      a->at = place_before(m, a, cell, way);
      return true;
    }
  }
  a->at = to;
  return false;
}

/* }== */

/* {== Methods ============================================================ */

/* map:solid(x, y, w?, h?) -> whether something solid is in the rectangle, or at the point. */
int spl_tiles_solid(lua_State *L)
{
  luaL_checkstack(L, 10, NULL);
  sp_check_table(L, 1);
  double x = sp_check_finite(L, 2, "x"), y = sp_check_finite(L, 3, "y");
  double w = lua_isnoneornil(L, 4) ? 0 : sp_check_finite(L, 4, "w");
  double h = lua_isnoneornil(L, 5) ? 0 : sp_check_finite(L, 5, "h");
  if (w < 0 || h < 0)
    sp_raise_arg(L, w < 0 ? 4 : 5, "a size must not be negative");
  const sp_tiles m = sp_tiles_check(L, 1, "map:solid(...)");
  cells across = covered(x, x + w, m.size, m.columns), down = covered(y, y + h, m.size, m.rows);
  lua_pushboolean(L, any_solid(&m, across, down));
  return 1;
}

/* Gives the coordinates and the size of an object; raises when it can not be moved. */
static void check_movable(lua_State *L, int arg, float **x, float **y, sp_box *box)
{
  const sp_context *c = sp_context_here(L);
  sp_ref object = sp_check_object(L, arg);
  const spl_manager *m = sp_manager_of(c, object);
  sp_shown shown;
  if (!m || !m->core || !sp_ref_resolves(m->core, object))
    sp_object_stale(L, c, arg);
  if (!sp_object_box(m->core, object, box))
    sp_raise_arg(L, arg, "%s has no place", sp_show(L, arg, &shown));
  if (sp_object_parent(m->core, object))
    sp_raise_arg(L, arg, "%s has a parent: move that, or set parent to nil", sp_show(L, arg, &shown));
  *x = sp_object_cell(m->core, object, SP_X);
  *y = sp_object_cell(m->core, object, SP_Y);
}

/* map:move(object, dx, dy) -> whether something solid stopped it along x; along y. */
int spl_tiles_move(lua_State *L)
{
  sp_box box;
  float *at_x, *at_y;
  luaL_checkstack(L, 10, NULL);
  sp_check_table(L, 1);
  check_movable(L, 2, &at_x, &at_y, &box);
  double dx = sp_check_finite(L, 3, "dx"), dy = sp_check_finite(L, 4, "dy");
  const sp_tiles m = sp_tiles_check(L, 1, "map:move(...)");
  axis x = {*at_x, box.w / 2.0, m.columns}, y = {*at_y, box.h / 2.0, m.rows};
  bool hit_x = dx != 0 && sweep(&m, &x, dx, covered_at(&m, &y, y.at), true);
  bool hit_y = dy != 0 && sweep(&m, &y, dy, covered_at(&m, &x, x.at), false);
  *at_x = x.at;
  *at_y = y.at;
  lua_pushboolean(L, hit_x);
  lua_pushboolean(L, hit_y);
  return 2;
}

/* }== */
