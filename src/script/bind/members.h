/*
** What managers, pools and objects have to offer, by name: for the console, and for the hints of errors.
*/
#ifndef SP_SCRIPT_MEMBERS_H
#define SP_SCRIPT_MEMBERS_H

#include <lauxlib.h>

/* Functions for embedded Lua files, beside those of module.c. */
extern const luaL_Reg sp_member_natives[];

#endif
