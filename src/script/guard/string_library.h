/*
** Functions of `string`, `os` and `debug` as the sandbox has them: bounded in time and memory.
*/
#ifndef SP_SCRIPT_STRING_LIBRARY_H
#define SP_SCRIPT_STRING_LIBRARY_H

#include <lua.h>

/* Each replaces functions in the library on top of the stack. Raises on memory. */
void sp_texts_open(lua_State *L); /* format, rep */
void sp_dates_open(lua_State *L); /* clock, date, time */

/* Pushes a library `debug` that has only traceback. */
void sp_push_debug(lua_State *L);

#endif
