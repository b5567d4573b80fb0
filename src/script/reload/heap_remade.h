/*
** Detects that a file created the same values again when it ran again.
*/
#ifndef SP_SCRIPT_HEAP_REMADE_H
#define SP_SCRIPT_HEAP_REMADE_H

#include <lua.h>

/* is_remade(image, maker, result, stores, known, made) -> whether a file that ran again created exactly what its
   image holds; then `made` maps its new values to the earlier ones. `known` has the same for other files. */
int sp_heap_is_remade(lua_State *L);

#endif
