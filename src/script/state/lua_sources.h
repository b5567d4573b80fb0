/*
** The Lua side of the library (lua/spawnpool), embedded so that one file is the whole module. The Makefile generates
** the array; a NULL name ends it.
*/
#ifndef SP_SCRIPT_LUA_SOURCES_H
#define SP_SCRIPT_LUA_SOURCES_H

#include <stddef.h>

typedef struct sp_lua_source {
  const char *name; /* "spawnpool.class" */
  const unsigned char *data;
  size_t size;
} sp_lua_source;

extern const sp_lua_source sp_lua_sources[];

struct lua_State;
struct sp_context;
/* Pushes what the file `name` returned, running it on first use. Raises errors. */
void sp_push_source(struct lua_State *L, struct sp_context *c, const char *name);
/* Pushes the function `name` in the table that the file `source` returned. Raises errors. */
void sp_push_helper(struct lua_State *L, struct sp_context *c, const char *source, const char *name);
/* Adds the C functions by which these files list folders to the table on top. Raises on memory. */
void sp_add_listing(struct lua_State *L, struct sp_context *c);

#endif
