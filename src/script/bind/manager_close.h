/*
** Closes managers.
*/
#ifndef SP_SCRIPT_MANAGER_CLOSE_H
#define SP_SCRIPT_MANAGER_CLOSE_H

#include "script/state/handles.h"

/* Frees an open manager without running hooks. */
void sp_manager_discard(lua_State *L, sp_lua_manager *m);
/* Frees every open manager when the state closes. */
void sp_manager_free_all(lua_State *L, sp_context *c);

#endif
