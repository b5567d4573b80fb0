/*
** A capture: what tables, and the variables of functions, hold at one moment. Everything that a reload knows is read
** from captures: what files have made, what they have changed elsewhere, what to put back. For the Lua side of hot
** reload, as natives.
*/
#ifndef SP_SCRIPT_CAPTURE_H
#define SP_SCRIPT_CAPTURE_H

#include <lua.h>
#include <stdbool.h>

#include "script/reload/heap_walk.h"

/* Opens the capture at the stack index `self`: pushes its list of values. The result begins with the walk. */
typedef struct sp_capture sp_capture;
sp_capture *sp_capture_open(lua_State *L, int self);
/* Pushes the list of the library's own tables that were passed. */
void sp_capture_push_passed(lua_State *L, int self);
/* Calls fn(ud, thing) with the number of each table, and of a function of each variable, that holds a value whose
   number is marked in `marks`; and of each userdata, coroutine and C function, whose contents are not captured. */
void sp_capture_each_holder(const sp_capture *c, const bool *marks, void (*fn)(void *ud, uint32_t thing), void *ud);

/* capture(roots, hidden, expected) -> a capture of all that is reachable; how many values it holds, which the next one
   can be told to expect. The tables in the list `hidden` are not entered. */
int spl_native_capture(lua_State *L);
/* capture_things(things) -> a capture of these tables and functions alone. */
int spl_native_capture_things(lua_State *L);
/* capture_new(roots, owners, most, whole) -> a capture of what is reachable from the list `roots`, or only through it:
   neither keys of the table `owners` nor what the capture `whole` knows (nil: nothing); and whether there was more than
   about `most` entries, which is left out. */
int spl_native_capture_new(lua_State *L);
/* knows(capture, value) -> whether it was reachable; value may be the id of an upvalue. */
int spl_native_knows(lua_State *L);
/* things(capture) -> a list of the tables and functions in it, in the order in which they were found. */
int spl_native_things(lua_State *L);
/* functions_of(capture, sources) -> a list of the functions whose source is a key of `sources`. */
int spl_native_functions_of(lua_State *L);
/* contents(capture) -> tables, metatables, variables: table -> a copy of its entries; table -> its metatable; id of an
   upvalue -> { f =, i =, name =, value = }. */
int spl_native_contents(lua_State *L);
/* changes(capture) -> a list of thing, key, before and after for each place that holds something else now, each of the
   four in a table { n = }; nil when there is none. The key of a variable is its number in the function that is the
   thing; that of a metatable is the first of `places`. */
int spl_native_changes(lua_State *L);
/* undo(capture): everything holds what it held. May run out of memory, and can be called again then. */
int spl_native_undo(lua_State *L);
/* remade(before, now, known, sources) -> when a file has made the same again a table that maps the things and the ids
   of variables of `now` to those of `before`, in which values are the same by `known` (new -> old) or that table; nil
   otherwise. Functions whose source is a key of `sources` are never the same. */
int spl_native_remade(lua_State *L);
/* same(a, b) -> whether both are the same value: numbers of one kind, by bits. */
int spl_native_same(lua_State *L);
/* places() -> what stands for the metatable of a table, for all its integer keys, and for a variable, where a key is
   expected. */
int spl_native_places(lua_State *L);

#endif
