/*
** The libraries of a game, and its Lua files. Trusted games have all of Lua; others cannot reach files, processes,
** native code, bytecode or the debug library, and `require` finds only the game's own folder and spawnpool.
*/
#ifndef SP_SCRIPT_SANDBOX_H
#define SP_SCRIPT_SANDBOX_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

#include "script/state/context.h"

/* {== Source files =======================================================
** Lua source on disk: read as a game may read it, and compiled as Lua's own loader does. */

/* Returns whether the disk is not asked for a file of the game: the host brings it along (`files` of
   sp_script_options), or replays an edit of it (sp_script_use_texts). `*text` is NULL when there is no such file. */
bool sp_given_file(const sp_context *c, const char *file, const char **text, size_t *size);

/* Returns whether there is such a file, which must lie in `folder` unless that is NULL. Raises when it is not a file or
   may not be read. */
bool sp_file_is_there(lua_State *L, const char *folder, const char *file);

/* Pushes the text of a file, which must lie in `folder` unless that is NULL; or pushes nil and "cannot read FILE: why".
   Returns whether it was read. Raises when memory is refused. */
bool sp_push_file(lua_State *L, const char *folder, const char *file);

/* Works like lua_load, for text only, of `text`, or, if that is NULL, of the pieces that the function at index
   `function` returns. Pushes the function, or what is wrong. Compiling ends with an error after 5 s, and when the time
   of the call is over. */
bool sp_load_text(lua_State *L, const char *text, size_t size, int function, const char *name);

/* Pushes the function that a text compiles to, as the content of `file`; or pushes "FILE:LINE: what is wrong". A byte
   order mark and a first line that begins with '#' are skipped; bytecode is refused. */
bool sp_compile_text(lua_State *L, const char *text, size_t size, const char *file);

/* Both in one: pushes the function, or what is wrong. */
bool sp_compile_file(lua_State *L, const char *folder, const char *file);

/* The chunk of a file, kept track of when the state reloads: pushes a function, or raises what is wrong with the file.
   `kind`: "module" or "class", with its name. */
void sp_load_source(lua_State *L, const char *file, const char *kind, const char *name);

/* Lua shortens long names in messages ("...shooter/main.lua:1: ..."): the message on top gets the whole name back, if
   it is about the file `path`. Raises on memory. */
bool sp_lengthen_place(lua_State *L, const char *path);

/* }== */

/* Opens the libraries into a new state, for a game in `folder`; they are repeatable if sp_repeatable_begin was called
   before. Raises errors. */
void sp_sandbox_open(lua_State *L, const char *folder, bool trust);

/* Adds the C functions by which the Lua side lists folders to the table on top. Raises on memory. */
void sp_add_listing(lua_State *L, sp_context *c);

#endif
