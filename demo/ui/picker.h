/*
** Finds the object at a point of the window, and outlines an object.
*/
#ifndef SP_DEMO_PICKER_H
#define SP_DEMO_PICKER_H

#include "core/spawnpool.h"
#include "demo/draw/graphics.h"

#define PICKER_LEAST 6.0f /* points: least radius of the clickable area, for small objects */

/* Returns the live, visible object whose centre is nearest to x, y of the window, if that is within its radius; or 0.
   Takes time in proportion to the live objects. */
sp_ref picker_find(const sp_manager *pools, const game_view *v, float x, float y);

/* Returns where in the window an object is; false when it is not live or has no position. */
bool picker_place(const sp_manager *pools, const game_view *v, sp_ref object, SDL_FPoint *place);

/* Outlines an object, even an invisible one; nothing when it is not live or has no position. */
void picker_outline(graphics *g, const sp_manager *pools, const game_view *v, sp_ref object);

#endif
