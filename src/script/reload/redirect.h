/*
** Replaces every reference to a replaced thing by its successor, everywhere in the heap, in one walk.
*/
#ifndef SP_SCRIPT_REDIRECT_H
#define SP_SCRIPT_REDIRECT_H

#include <lua.h>

/* redirect(map, sources, roots) -> a list with a list for each suspended coroutine that is in code of a source which is a
   key of `sources`: its functions of them. `map`: thing -> its successor, which has none itself. The walk begins at the
   running code and goes on through the values in the list `roots` and the registry; it does not enter `map`. */
int sp_native_redirect(lua_State *L);

#endif
