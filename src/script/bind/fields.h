/*
** Fields of objects: reading and writing one cell, or one value beside the columns.
*/
#ifndef SP_SCRIPT_FIELDS_H
#define SP_SCRIPT_FIELDS_H

#include <math.h>

#include "script/state/handles.h"

/* {== Cells ============================================================== */

/* Returns a float cell. Float cells have a constant size, so the column's is not read. */
static inline float *sp_float_cell(const sp_manager *m, const sp_pool *p, uint32_t slot, uint32_t name)
{
  return sp_cell_at(m, &sp_view_of(p)->columns[SP_NAME_WHAT(name)], slot, sizeof(float));
}
static inline double *sp_double_cell(const sp_manager *m, const sp_pool *p, uint32_t slot, uint32_t name)
{
  return sp_cell_at(m, &sp_view_of(p)->columns[SP_NAME_WHAT(name)], slot, sizeof(double));
}

/* Returns the float in a look that a name stands for. */
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

#define SP_EXACT 9007199254740992.0 /* 2^53 */

/* }== */

/* Writes the value at `index` to the field `name` (a packed sp_name). NULL, or what is wrong with the value.
   SP_NO_SLOT: only checks the value. */
#define SP_NO_SLOT UINT32_MAX
const char *sp_object_write(lua_State *L, spl_pool *p, uint32_t slot, uint32_t name, int index);
/* Pushes the field `name`. */
void sp_object_read(lua_State *L, spl_pool *p, uint32_t slot, uint32_t name);
/* Does the same, for callers that return the value at once: other values may be left below it. */
void sp_object_push(lua_State *L, spl_pool *p, uint32_t slot, uint32_t name);

/* The bytes of a column's cell that are all that writing a field changes; size 0: writing it takes more. */
typedef struct sp_cell_part {
  int column;
  size_t offset, size;
} sp_cell_part;
sp_cell_part sp_cell_part_of(uint32_t name);

/* Objects have the fields scale_x and scale_y, both 1, from the first write to one of them on: until then a pool has no
   column for them. sp_names_scale returns whether the value at `key` is one of the names. sp_gain_scales adds both to
   the pools of this pool's type, whose objects and handles stay; NULL, or what prevents it. Hooks may run. */
bool sp_names_scale(lua_State *L, int key);
const char *sp_gain_scales(lua_State *L, const spl_pool *p);

/* Marks an empty seat in the table of a column. Emptied seats are not nil, so that their keys stay and filling a seat
   again allocates nothing. */
extern const char sp_empty_seat;
/* Keys of that table beside the slots: the function of fresh(fn), and the default. */
enum { SP_COLUMN_FRESH = -1, SP_COLUMN_DEFAULT = -2 };
static inline bool sp_seat_is_empty(lua_State *L, int index)
{
  return lua_isnil(L, index) || lua_touserdata(L, index) == &sp_empty_seat;
}
/* Returns whether a fresh(fn) has not been used in this life: reading it would create it. */
bool sp_is_unmade(lua_State *L, const spl_pool *p, uint32_t slot, int column);

#endif
