/*
** From a point of the window to the object that is drawn there, and back: an outline around one object.
*/
#ifndef SP_DEMO_PICKER_H
#define SP_DEMO_PICKER_H

#include "core/spawnpool.h"
#include "demo/draw/graphics.h"

#define PICKER_LEAST 6.0f /* points around the middle that always count: a spark has to be hit, too */

/* The live, visible object of any pool whose middle is nearest to x, y, if that is within its radius; or 0. Takes time
   in proportion to the live objects. */
sp_ref picker_find(const sp_manager *pools, float x, float y);

/* Marks an object, also one that cannot be seen; nothing when it is not live or has no place. */
void picker_outline(graphics *g, const sp_manager *pools, sp_ref object);

#endif
