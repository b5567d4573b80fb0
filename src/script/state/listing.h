/*
** Lists folders, for embedded Lua files.
*/
#ifndef SP_SCRIPT_LISTING_H
#define SP_SCRIPT_LISTING_H

#include <lauxlib.h>

/* Functions for them, beside those of module.c. */
extern const luaL_Reg sp_listing_natives[];

#endif
