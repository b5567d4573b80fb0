/*
** The reader of arguments. Every C function that a game can reach (border.h) gets its arguments from here and from
** nowhere else: the functions raise an error at the caller's line for a wrong value, and run no metamethod, convert
** nothing and allocate nothing, except sp_check_shown. careful.h poisons Lua's own functions for arguments in the files
** that have such functions.
*/
#ifndef SP_SCRIPT_ARGUMENTS_H
#define SP_SCRIPT_ARGUMENTS_H

#include <math.h>

#include "script/state/report.h"

/* {== Handles ============================================================ */

/* Raise an error: the argument is no manager, or no pool. */
_Noreturn void sp_not_a_manager(lua_State *L, int arg);
_Noreturn void sp_not_a_pool(lua_State *L, int arg);

/* Return managers, pools and objects. They accept closed managers and removed pools, whose `core` is
   NULL. */
static inline spl_manager *sp_check_manager(lua_State *L, int arg)
{
  spl_manager *m = sp_to_manager(L, arg);
  if (!m)
    sp_not_a_manager(L, arg);
  return m;
}
static inline spl_pool *sp_check_pool(lua_State *L, int arg)
{
  spl_pool *p = sp_to_pool(L, arg);
  if (!p)
    sp_not_a_pool(L, arg);
  return p;
}
/* Do the same, and raise an error for closed managers and removed pools. */
spl_manager *sp_check_open_manager(lua_State *L, int arg);
spl_pool *sp_check_open_pool(lua_State *L, int arg);
/* Returns an integer from `low` to `high`; `what` names it in the message. */
uint32_t sp_check_count(lua_State *L, int arg, const char *what, uint32_t low, uint32_t high);
/* Return a number that is neither NaN nor infinite, as a float too. */
double sp_check_finite(lua_State *L, int arg, const char *what);
/* Returns whether the core takes this as a time from now, of which infinity is for ever. */
bool sp_is_seconds(double seconds);
float sp_check_coordinate(lua_State *L, int arg, const char *what);

_Noreturn void sp_not_an_object(lua_State *L, int arg);
/* Returns a reference. It has its highest bit set, which no address of a userdata has, so one check is enough. */
static inline sp_ref sp_check_object(lua_State *L, int arg)
{
  sp_ref object = sp_to_object(L, arg);
  if (!SP_LIKELY(object >> 32 >= SP_FIRST_GENERATION) && lua_type(L, arg) != LUA_TLIGHTUSERDATA)
    sp_not_an_object(L, arg);
  return object;
}

/* Returns the block of a userdata of this type of luaL_newmetatable; `what` is what the message expects. */
void *sp_check_block(lua_State *L, int arg, const char *type, const char *what);

/* }== */

/* {== Plain values ======================================================= */

/* Returns the string at `index`, or "" for every other value, also for numbers. */
static inline const char *sp_to_text(lua_State *L, int index)
{
  return lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : "";
}

/* Returns the number at `index`, or infinity for every other value. Integers are tried first, because Lua takes twice
   as long to read them as numbers. */
static inline double sp_to_number(lua_State *L, int index)
{
  if (lua_isinteger(L, index))
    return (double)lua_tointeger(L, index);
  return SP_LIKELY(lua_type(L, index) == LUA_TNUMBER) ? lua_tonumber(L, index) : HUGE_VAL;
}

/* Returns the string at `arg`; raises an error for every other value. */
static inline const char *sp_check_text(lua_State *L, int arg)
{
  if (lua_type(L, arg) != LUA_TSTRING)
    luaL_typeerror(L, arg, "string");
  return lua_tostring(L, arg);
}

/* Returns the bytes of the string at `arg`. */
static inline const char *sp_check_bytes(lua_State *L, int arg, size_t *length)
{
  sp_check_text(L, arg);
  return lua_tolstring(L, arg, length);
}

/* Returns a number that is neither NaN nor infinite. sp_check_finite names it in its message. */
double sp_check_real(lua_State *L, int arg);
float sp_check_float(lua_State *L, int arg);

/* Returns the index of one of the words, which end with NULL; `other` for nil and for no value. */
int sp_check_word(lua_State *L, int arg, int other, const char *const *words);

/* Returns whether the value at an index is a function now. A table or userdata with `__call` is replaced by a function
   that calls it: all else that deals with hooks and timers meets functions only. */
bool sp_to_function(lua_State *L, int index);

/* Check that the argument is a table, a function, a boolean, or anything but nothing. */
static inline void sp_check_table(lua_State *L, int arg) { luaL_checktype(L, arg, LUA_TTABLE); }
static inline void sp_check_function(lua_State *L, int arg)
{
  if (!sp_to_function(L, arg))
    luaL_checktype(L, arg, LUA_TFUNCTION);
}
static inline bool sp_check_boolean(lua_State *L, int arg)
{
  luaL_checktype(L, arg, LUA_TBOOLEAN);
  return lua_toboolean(L, arg);
}
static inline void sp_check_any(lua_State *L, int arg) { luaL_checkany(L, arg); }

/* Pushes the text of any value, as tostring makes it: runs __tostring. Call it when everything else has been read, and
   fetch afterwards what a script could have changed. */
const char *sp_check_shown(lua_State *L, int arg, size_t *length);

/* }== */

/* {== Raw access ========================================================= */

/* Lua's raw functions, for tables and userdata of our own or already checked. Lua itself trusts the caller; a hardened
   build checks. */

#define SP_RAW_TABLE(L, index) SP_HARD(lua_istable(L, index), "raw access to what is no table")

static inline int sp_raw_get(lua_State *L, int index) { return SP_RAW_TABLE(L, index), lua_rawget(L, index); }
static inline int sp_raw_geti(lua_State *L, int index, lua_Integer n)
{
  return SP_RAW_TABLE(L, index), lua_rawgeti(L, index, n);
}
static inline void sp_raw_set(lua_State *L, int index) { SP_RAW_TABLE(L, index), lua_rawset(L, index); }
static inline void sp_raw_seti(lua_State *L, int index, lua_Integer n)
{
  SP_RAW_TABLE(L, index), lua_rawseti(L, index, n);
}
static inline int sp_raw_next(lua_State *L, int index) { return SP_RAW_TABLE(L, index), lua_next(L, index); }
static inline size_t sp_raw_length(lua_State *L, int index) { return (size_t)lua_rawlen(L, index); }
static inline bool sp_raw_equal(lua_State *L, int a, int b) { return lua_rawequal(L, a, b); }

/* Replaces the key on top by the entry as a script gets it: metamethods run. */
static inline void sp_get_as_script(lua_State *L, int index) { lua_gettable(L, index); }

/* Returns the pointer of a full userdata, or of a light one that is known to be ours: never of an argument. */
static inline void *sp_raw_block(lua_State *L, int index)
{
  SP_HARD(!sp_is_reference(sp_to_object(L, index)), "an object is taken for a pointer");
  return lua_touserdata(L, index);
}

/* }== */

#endif
