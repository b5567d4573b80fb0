/*
** Fields of objects: reading and writing one cell, or one value beside the columns.
*/
#ifndef SP_SCRIPT_FIELDS_H
#define SP_SCRIPT_FIELDS_H

#include <math.h>

#include "script/state/handles.h"

/* {== Cells ============================================================== */

/* The size known to the compiler: what most fields are is reached without a look at that of the column. */
static inline float *sp_float_cell(const sp_manager *m, const sp_pool *p, uint32_t slot, uint32_t name)
{
  return sp_cell_at(m, &sp_view_of(p)->columns[SP_NAME_WHAT(name)], slot, sizeof(float));
}
static inline double *sp_double_cell(const sp_manager *m, const sp_pool *p, uint32_t slot, uint32_t name)
{
  return sp_cell_at(m, &sp_view_of(p)->columns[SP_NAME_WHAT(name)], slot, sizeof(double));
}

static inline float *sp_look_cell(const sp_manager *m, const sp_pool *p, uint32_t slot, uint32_t name)
{
  unsigned char *look = sp_cell_at(m, &sp_view_of(p)->columns[SP_LOOK], slot, sizeof(sp_look));
  return (float *)(look + SP_NAME_WHAT(name));
}

/* Pushes a number that is an integer again when it can be one; returns 1. */
static inline int sp_push_integral(lua_State *L, double number)
{
  lua_Integer integer;
  if (SP_LIKELY(lua_numbertointeger(number, &integer) && (double)integer == number))
    lua_pushinteger(L, integer);
  else
    lua_pushnumber(L, number);
  return 1;
}

#define SP_NO_NUMBER "must be a number"
#define SP_EXACT 9007199254740992.0 /* 2^53 */

/* Write the value at `index`, as sp_object_write does. */
static inline const char *sp_write_float(lua_State *L, sp_lua_pool *p, uint32_t slot, uint32_t name, int index)
{
  if (!SP_LIKELY(lua_type(L, index) == LUA_TNUMBER))
    return SP_NO_NUMBER;
  float number = (float)lua_tonumber(L, index);
  if (!SP_LIKELY(isfinite(number)))
    return "must be a finite number";
  *sp_float_cell(p->manager->core, p->core, slot, name) = number;
  sp_mark_written(p->core, sp_view_of(p->core)->columns[SP_NAME_WHAT(name)].written);
  return NULL;
}
static inline const char *sp_write_double(lua_State *L, sp_lua_pool *p, uint32_t slot, uint32_t name, int index)
{
  if (!SP_LIKELY(lua_type(L, index) == LUA_TNUMBER))
    return SP_NO_NUMBER;
  double number = lua_tonumber(L, index);
  if (!SP_LIKELY(fabs(number) < SP_EXACT) && lua_isinteger(L, index))
    return "is an integer beyond 2^53, which a number field cannot hold exactly";
  *sp_double_cell(p->manager->core, p->core, slot, name) = number;
  sp_mark_written(p->core, sp_view_of(p->core)->columns[SP_NAME_WHAT(name)].written);
  return NULL;
}

/* }== */

/* Writes the value at `index` to the field `name` (a packed sp_name). NULL, or what is wrong with the value. */
const char *sp_object_write(lua_State *L, sp_lua_pool *p, uint32_t slot, uint32_t name, int index);
/* Pushes the field `name`. */
void sp_object_read(lua_State *L, sp_lua_pool *p, uint32_t slot, uint32_t name);
/* The same for who returns it at once: other values may be left below it. */
void sp_object_push(lua_State *L, sp_lua_pool *p, uint32_t slot, uint32_t name);

/* A value of an object lies in its seat, in a table of its column. Emptied seats are not nil: so their keys stay,
   and to take a seat again allocates nothing. */
extern const char sp_empty_seat;
/* What else is in that table, beside the slots: what makes the value of a life, or what it is without. */
enum { SP_COLUMN_FRESH = -1, SP_COLUMN_DEFAULT = -2 };
static inline bool sp_seat_is_empty(lua_State *L, int index)
{
  return lua_isnil(L, index) || lua_touserdata(L, index) == &sp_empty_seat;
}

#endif
