/*
** Lua source on disk: read as a game may read it, and compiled as Lua's own loader does.
*/
#ifndef SP_SCRIPT_SOURCE_FILE_H
#define SP_SCRIPT_SOURCE_FILE_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* Whether there is such a file, which must lie in `folder` unless that is NULL. Raises when there is something that is
   no file, or that may not be read. */
bool sp_file_is_there(lua_State *L, const char *folder, const char *file);

/* Pushes the text of a file, which must lie in `folder` unless that is NULL; or pushes nil and "cannot read FILE: why".
   Returns whether it was read. Raises when memory is refused. */
bool sp_push_file(lua_State *L, const char *folder, const char *file);

/* Pushes the function that a text compiles to, as the content of `file`; or pushes "FILE:LINE: what is wrong". A byte
   order mark and a first line that begins with '#' are skipped; bytecode is refused. */
bool sp_compile_text(lua_State *L, const char *text, size_t size, const char *file);

/* Both in one: pushes the function, or what is wrong. */
bool sp_compile_file(lua_State *L, const char *folder, const char *file);

#endif
