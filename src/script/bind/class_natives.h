/*
** Functions that the library's Lua files get from the binding.
*/
#ifndef SP_SCRIPT_CLASS_NATIVES_H
#define SP_SCRIPT_CLASS_NATIVES_H

#include <lauxlib.h>

/* load, changed, warn, path, paths, alloc, recycle, use, show, has_sound: each has its contract in class_natives.c. */
extern const luaL_Reg sp_class_natives[];

#endif
