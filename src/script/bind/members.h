/*
** Lists the names of methods and fields of managers, pools and objects: for completion in the console, and for hints in
** errors.
*/
#ifndef SP_SCRIPT_MEMBERS_H
#define SP_SCRIPT_MEMBERS_H

#include <lauxlib.h>

/* Functions for embedded Lua files, beside those of module.c. */
extern const luaL_Reg sp_member_natives[];

#endif
