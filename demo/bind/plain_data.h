/*
** Plain data of Lua as bytes: nil, booleans, numbers, strings, and tables of these. The bytes are the same on every
** machine, and carry a checksum.
*/
#ifndef SP_DEMO_PLAIN_DATA_H
#define SP_DEMO_PLAIN_DATA_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

#define PLAIN_DATA_DEEPEST 64 /* tables inside each other */
#define PLAIN_DATA_WHY 512

typedef struct plain_bytes {
  char *at; /* from malloc */
  size_t size, room;
} plain_bytes;

/* Writes the value at `index`. `name` begins the paths in messages. False: `why` says what cannot be written and where,
   and `out` is empty. Raises no error, calls nothing of the game. */
bool plain_data_write(lua_State *L, int index, const char *name, size_t most, plain_bytes *out,
                      char why[PLAIN_DATA_WHY]);
void plain_data_free(plain_bytes *bytes);

/* Pushes the value of such bytes, or nothing when they are damaged: false. Raises when memory is refused. */
bool plain_data_read(lua_State *L, const char *bytes, size_t size);

#endif
