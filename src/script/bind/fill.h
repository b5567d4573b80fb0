/*
** alloc with a table of field values.
*/
#ifndef SP_SCRIPT_FILL_H
#define SP_SCRIPT_FILL_H

#include "script/state/handles.h"

/* The object is open: writes the fields from the table at `arg`, and commits it, or cancels it and raises
   why. */
sp_ref sp_fill_object(lua_State *L, sp_lua_pool *p, sp_ref object, int arg, sp_result *why);

#endif
