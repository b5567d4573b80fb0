/*
** Fields that hold Lua values: for each of them a table beside the columns, slot -> value, in the pool's user value
** SP_POOL_VALUES (see fields.h).
*/
#ifndef SP_SCRIPT_VALUE_COLUMNS_H
#define SP_SCRIPT_VALUE_COLUMNS_H

#include "script/bind/class.h"

/* Gives the plan at `index` its tables, from the description at `from`. Those of fields that go on are the pool's own:
   they get room for what sp_value_columns_take writes, and nothing that can be seen. Raises on memory. */
void sp_value_columns_fill(lua_State *L, sp_pool_plan *plan, int from, int index);
/* Sets the new defaults in these. Objects that have the old one keep it, unless the field is live(v). */
void sp_value_columns_take(lua_State *L, const sp_pool_plan *plan, int index);

#endif
