/*
** Replaces every reference to a replaced thing by its successor, everywhere in the heap. A capture says where these
** were; only what is new is walked over.
*/
#ifndef SP_SCRIPT_REDIRECT_H
#define SP_SCRIPT_REDIRECT_H

#include <lua.h>

/* redirect(whole, map, sources, roots) -> a list with a list for each suspended coroutine that is in code of a source
   which is a key of `sources`: its functions of them. `map`: thing -> its successor, which has none itself. `whole`: a
   capture of all that there was before the successors came; what has been changed since is in the list `roots`, or is
   new and reachable from there. `map` is not entered. */
int sp_native_redirect(lua_State *L);

#endif
