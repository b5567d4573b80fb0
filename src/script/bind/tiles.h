/*
** Maps of tiles, as C reads them.
*/
#ifndef SP_SCRIPT_TILES_H
#define SP_SCRIPT_TILES_H

#include <lua.h>

/* A map that was read; its tables stay on the stack. */
typedef struct sp_tiles {
  lua_State *L;
  double size; /* of a tile */
  int columns, rows;
  int row_list, solids; /* stack indices of the rows; of a table, value of a tile -> true, or true: all but 0 */
  int shown;            /* of a table, value -> number of a tile in the sheet; or nil: they are the same */
} sp_tiles;

/* Reads the map at `arg`, and leaves some values on the stack, on which there must be room for ten. Raises an error for
   anything that is no map; `call` is how it is called, for the message: "map:solid(...)". */
sp_tiles sp_tiles_check(lua_State *L, int arg, const char *call);

/* Returns the value of a tile, whose column and row count from 0: the byte of a letter, or a number; -1: none. */
lua_Integer sp_tiles_value(const sp_tiles *map, int column, int row);

/* Returns the number of the tile in the sheet that a value shows; 0: none. */
int sp_tiles_shown(const sp_tiles *map, lua_Integer value);

#endif
