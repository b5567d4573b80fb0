/*
** While files run: errors that leave them, the calls that they make, and the objects and timers that they make, which
** go with them when they are refused. For the Lua side of hot reload, as natives.
*/
#ifndef SP_SCRIPT_RUNNING_H
#define SP_SCRIPT_RUNNING_H

#include "script/state/handles.h"

/* protect(fn, ...) -> true and its results, or false and the text of the error. */
int spl_native_protect(lua_State *L);
/* call(fn, ...) -> its results. Errors that blame the caller of a file's chunk then name no place in the
   library: a file ending in `return class(...)` makes a tail call. */
int spl_native_call(lua_State *L);
/* stage(list or nil): objects that are allocated from now on, and timers of managers that are started, are
   appended to `list`, until nil ends that. */
int spl_native_stage(lua_State *L);
/* recycle_object(object): without calling hooks. */
int spl_native_recycle_object(lua_State *L);
/* watch_calls(fn, look): calls fn(), and look(is_return, function) at each call and return of a function in Lua, until
   that returns true. */
int spl_native_watch_calls(lua_State *L);
/* Appends an object that was allocated while files ran; when that fails, undoes the allocation and raises. */
void sp_note_staged(lua_State *L, spl_manager *m, sp_ref object);

#endif
