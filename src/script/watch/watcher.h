/*
** The watch as a value in Lua, for the embedded files of hot reload:
**
** watcher:poll(hurry) -> a list of { kind =, path =, text =, problem = }, or nil; watcher:close()
*/
#ifndef SP_SCRIPT_WATCHER_H
#define SP_SCRIPT_WATCHER_H

#include <lua.h>

/* watch(folder, depth) -> a watcher. Raises when memory is refused. */
int sp_native_watch(lua_State *L);
/* clock() -> seconds of a monotonic clock. */
int sp_native_clock(lua_State *L);

#endif
