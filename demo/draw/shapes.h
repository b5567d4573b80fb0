/*
** The built-in sprites, drawn at load: white, with smooth edges, at any size. Each is a signed distance function, so
** one small rasteriser draws them all.
*/
#ifndef SP_DEMO_SHAPES_H
#define SP_DEMO_SHAPES_H

#include <stdint.h>

typedef enum shape { SHAPE_CIRCLE, SHAPE_SQUARE, SHAPE_TRIANGLE, SHAPE_RING, SHAPE_SPARK, SHAPE_COUNT } shape;

#define SHAPE_PAD 1 /* clear pixels around a shape, so that its edge stays smooth when it is turned */

/* Returns the name that games use: "circle". */
const char *shape_name(shape kind);

/* Return pixels from malloc, NULL when memory is refused: 0xAARRGGBB, white with the alpha that is covered. A shape,
   `size` pixels across, in an image of size + 2 * SHAPE_PAD a side: a triangle points right, as an angle of 0 looks
   along x. A bar with soft long sides, `length` long. */
uint32_t *shape_pixels(shape kind, int size);
uint32_t *shape_bar(int length, int size);

#endif
