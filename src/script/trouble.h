/*
** Errors as a person wants to read them: "file:line: message", the source line, and the frames of the game's own code.
*/
#ifndef SP_SCRIPT_TROUBLE_H
#define SP_SCRIPT_TROUBLE_H

#include <lua.h>
#include <stdbool.h>

/* Pushes that text for the error at `error`, of what is on the stack now. */
void sp_push_trouble(lua_State *L, int error);

/* A message handler for lua_pcall: turns the error value into that text. */
int sp_trouble(lua_State *L);

/* Lua shortens long names in messages ("...shooter/main.lua:1: ..."): the message on top gets the whole name back, if
   it is about the file `path`. Raises on memory. */
bool sp_lengthen_place(lua_State *L, const char *path);

#endif
