/*
** Functions of Lua's libraries as the sandbox has them: what they answer and what they complain about is as in Lua, but
** none of them runs for ever. Lua's own are single calls into C, which the watchdog cannot end, and which may call each
** other through metamethods without any instruction of a script between them.
*/
#ifndef SP_SCRIPT_SANDBOX_LIBRARY_H
#define SP_SCRIPT_SANDBOX_LIBRARY_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* Each replaces functions in the library on top of the stack. Raises on memory. */
void sp_tables_open(lua_State *L);  /* concat, insert, move, remove, sort, unpack */
void sp_texts_open(lua_State *L);   /* format, rep */
void sp_dates_open(lua_State *L);   /* date, time */
void sp_globals_open(lua_State *L); /* load, setmetatable */
/* Pushes a library `debug` that has only traceback. */
void sp_push_debug(lua_State *L);

/* Compiles a text in pieces between which the watchdog looks: a function, or the message, is pushed. Returns a Lua
   status. To compile takes the longer the more functions are nested and the more locals they have. */
int sp_load_text(lua_State *L, const char *text, size_t size, const char *name);

#endif
