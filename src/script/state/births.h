/*
** Births: which file created which tables and functions. Lua passes the type of a new block to its allocator, so while
** files run the state's allocator is wrapped, and the addresses of new tables and functions are recorded with the
** number of the file. So the creations of a file are known exactly, at a cost proportional to their number.
*/
#ifndef SP_SCRIPT_BIRTHS_H
#define SP_SCRIPT_BIRTHS_H

#include <lua.h>
#include <stdint.h>

/* Returns the state's own allocator, also while it is wrapped: for memory that outlives the wrapping. */
lua_Alloc sp_births_allocator(lua_State *L, void **ud);

/* begin(): wraps the allocator, with no records and no maker. Raises an error when out of memory, or already wrapped.
   */
int sp_births_begin(lua_State *L);
/* finish(): restores the state's own allocator and drops the records. Does nothing when it is not wrapped. */
int sp_births_finish(lua_State *L);
/* maker(number) -> the previous number: records blocks created from now on under this number; 0: records none. */
int sp_births_maker(lua_State *L);
/* Returns the number under which the table or function at `index` was recorded; 0: it was not created since begin(). */
uint32_t sp_births_maker_of(lua_State *L, int index);
/* made_by(value) -> the same number, or nil. */
int sp_births_made_by(lua_State *L);

#endif
