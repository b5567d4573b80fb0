/*
** Clipping: quads that reach far out of the view are cut off before a renderer sees them, and large ones that lie
** aslant are cut into pieces, because both would overflow the integers of SDL's software renderer.
*/
#ifndef SP_DEMO_CLIP_H
#define SP_DEMO_CLIP_H

#include "demo/draw/batch.h"

#define CLIP_PIECE 512.0f /* pixels of a side: quads up to this size that touch the view may be drawn as they are */

/* Replaces those of the quads from number `first` on that are too large or too far away by their parts in the view,
   0, 0 .. width, height in units of `scale` pixels. What has a coordinate that is no number goes. False when memory is
   refused: then all of them are gone. */
bool batch_clip(batch *b, size_t first, float width, float height, float scale);

#endif
