/*
** Managers in Lua.
*/
#ifndef SP_SCRIPT_MANAGER_H
#define SP_SCRIPT_MANAGER_H

#include "script/state/handles.h"

/* Fills the table of methods. Raises on memory. */
void sp_manager_open_methods(lua_State *L, sp_context *c);
/* Pushes a new manager's userdata, from the options table at `options` (0: defaults); `step` is the default of that
   option. Raises errors. */
spl_manager *sp_manager_new(lua_State *L, sp_context *c, int options, double step);
/* Frees an open manager without running hooks. */
void spl_manager_discard(lua_State *L, spl_manager *m);
/* Frees every open manager when the state closes. */
void sp_manager_free_all(lua_State *L, sp_context *c);

#endif
