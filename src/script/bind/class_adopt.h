/*
** Applies changed classes to their pools: to all of them, or to none.
*/
#ifndef SP_SCRIPT_CLASS_ADOPT_H
#define SP_SCRIPT_CLASS_ADOPT_H

#include <lua.h>

/* native.changed(names, all) -> fields of another kind. The classes named by the keys have changed; `all`: not only in
   their functions. An error changes nothing: then the pools are as if it had not been called. */
int sp_native_changed(lua_State *L);

#endif
