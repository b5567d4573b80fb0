/*
** A state says which copy of the library it has: see bridge.c. The bridge itself is declared in script.h.
*/
#ifndef SP_SCRIPT_BRIDGE_H
#define SP_SCRIPT_BRIDGE_H

#include <lua.h>

/* Notes in a state that the library is this copy. Raises on memory. */
void sp_bridge_open(lua_State *L);
/* Returns a sentence about the copy of the library that a state has, or NULL. Needs three slots. */
const char *sp_bridge_other_copy(lua_State *L);

#endif
