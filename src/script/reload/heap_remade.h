/*
** Recognizes a file that made the same values again when it ran again.
*/
#ifndef SP_SCRIPT_HEAP_REMADE_H
#define SP_SCRIPT_HEAP_REMADE_H

#include <lua.h>

/* is_remade(image, maker, result, stores, known, made) -> whether a file that ran again made just what it made before,
   as its image has it; then `made` has what it made now -> what it made then. `known` has the same of other files. */
int sp_heap_is_remade(lua_State *L);

#endif
