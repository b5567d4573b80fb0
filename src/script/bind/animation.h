/*
** The fields `animation` and `frame` of objects whose class has an animation.
*/
#ifndef SP_SCRIPT_ANIMATION_H
#define SP_SCRIPT_ANIMATION_H

#include "script/state/handles.h"

#define SP_NO_FRAME "must be a frame: an integer from 1 to 65535"

/* Returns the frame that an object shows, from 1. */
uint16_t sp_object_frame(const sp_lua_pool *p, uint32_t slot);
/* Write the value at `index`; return what is wrong with it, or NULL. */
const char *sp_object_animate(lua_State *L, sp_lua_pool *p, uint32_t slot, int index);
const char *sp_object_set_frame(lua_State *L, sp_lua_pool *p, uint32_t slot, int index);

#endif
