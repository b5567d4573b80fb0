/*
** Births: which tables and functions were made while which file ran. Lua tells its allocator what a new block is for,
** so while files run the state's allocator is wrapped, and the addresses of new tables and functions are noted with the
** number of the file. What a file has made is then known exactly, at a cost that follows what it makes.
*/
#ifndef SP_SCRIPT_BIRTHS_H
#define SP_SCRIPT_BIRTHS_H

#include <lua.h>
#include <stdint.h>

/* The state's own allocator, wrapped or not: for memory that outlives what files run in. */
lua_Alloc sp_births_allocator(lua_State *L, void **ud);

/* begin(): wraps the allocator, with nothing noted and no maker. Raises on memory, and where it is wrapped already. */
int sp_births_begin(lua_State *L);
/* finish(): the state has its own allocator again; what was noted is forgotten. Does nothing when none is wrapped. */
int sp_births_finish(lua_State *L);
/* maker(number) -> the number before: what is made from now on is noted as made by that; 0: is not noted. */
int sp_births_maker(lua_State *L);
/* The number of the maker of the table or function at `index`; 0: it was not made since begin(). */
uint32_t sp_births_maker_of(lua_State *L, int index);
/* made_by(value) -> the number of the maker of a table or function, or nil: it was not made since begin(). */
int sp_births_made_by(lua_State *L);

#endif
