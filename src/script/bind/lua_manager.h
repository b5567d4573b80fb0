/*
** Managers in Lua.
*/
#ifndef SP_SCRIPT_LUA_MANAGER_H
#define SP_SCRIPT_LUA_MANAGER_H

#include "script/state/handles.h"

/* Fills the table of methods. Raises on memory. */
void sp_manager_open_methods(lua_State *L, sp_context *c);
/* Pushes a new manager's userdata, from the options table at `options` (0: defaults). Raises errors. */
sp_lua_manager *sp_manager_new(lua_State *L, sp_context *c, int options);

/* Does the same in steps, for a manager whose core is loaded from a save: creates a userdata without a core, with
   `*step` as the default, and as result, of the option; returns the options of the core; and attaches the core, which
   cannot fail. */
sp_lua_manager *sp_manager_prepare(lua_State *L, sp_context *c, int options, double *step);
sp_options sp_manager_core_options(lua_State *L, const sp_context *c, sp_lua_manager *m, double step);
void sp_manager_take_core(sp_context *c, sp_lua_manager *m, sp_manager *core);

#endif
