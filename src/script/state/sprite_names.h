/*
** Maps names of sprites to the numbers stored in objects, and back.
*/
#ifndef SP_SCRIPT_SPRITE_NAMES_H
#define SP_SCRIPT_SPRITE_NAMES_H

#include "script/state/context.h"

/* The number of a sprite name (the string at `index`), given one on first sight. Raises on memory; false, or raises
   too, when there are no numbers left. */
bool sp_find_sprite(lua_State *L, sp_context *c, int index, uint16_t *number);
uint16_t sp_sprite_number(lua_State *L, sp_context *c, int index);
/* Pushes the name of a sprite number, nil when unknown. */
void sp_push_sprite_name(lua_State *L, const sp_context *c, uint16_t sprite);

#endif
