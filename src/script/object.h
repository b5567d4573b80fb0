/*
** Objects in Lua: light userdata that are references, with one metatable for all of them.
*/
#ifndef SP_SCRIPT_OBJECT_H
#define SP_SCRIPT_OBJECT_H

#include "script/context.h"
#include "script/handles.h"

/* Raises when another library has set the metatable of light userdata. */
void sp_object_check_free(lua_State *L);
/* Sets it. */
void sp_object_open(lua_State *L, sp_context *c);

/* Writes the value at `index` to the field `name` (a packed sp_name). NULL, or what is wrong with the value. */
const char *sp_object_write(lua_State *L, sp_lua_pool *p, uint32_t slot, uint32_t name, int index);
/* Pushes the field `name`. */
void sp_object_read(lua_State *L, sp_lua_pool *p, uint32_t slot, uint32_t name);

/* A value of an object lies in its seat, in a table of its column. Emptied seats are not nil: so their keys stay, and to
   take a seat again allocates nothing. */
extern const char sp_empty_seat;
static inline bool sp_seat_is_empty(lua_State *L, int index)
{
  return lua_isnil(L, index) || lua_touserdata(L, index) == &sp_empty_seat;
}

/* The packed name of `key` for objects of a pool, or SP_NO_KEY. */
static inline uint32_t sp_object_name(const sp_context *c, const sp_lua_pool *p, const char *key)
{
  uint32_t name = sp_keymap_find(c->names, key);
  return name != SP_NO_KEY || !p->fields ? name : sp_keymap_find(p->fields, key);
}

/* Raises: the objects of `p` have no field of the name at `key`; did you mean ... */
int sp_object_unknown(lua_State *L, sp_lua_pool *p, int key);
/* Raises or warns: the reference at `arg` is stale or foreign. */
int sp_object_stale(lua_State *L, sp_context *c, int arg);

#endif
