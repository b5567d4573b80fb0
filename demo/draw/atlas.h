/*
** Many images on few textures, so that a whole scene is usually one draw call. Images are added, then built once; each
** gets its edge repeated around it, so that filtering never brings in a neighbour.
*/
#ifndef SP_DEMO_ATLAS_H
#define SP_DEMO_ATLAS_H

#include <stdbool.h>
#include <stdint.h>

#include "demo/draw/batch.h"

typedef struct atlas atlas;

/* NULL when memory is refused. Close with atlas_close, before the renderer goes. */
atlas *atlas_open(void);
void atlas_close(atlas *a);

/* Adds an image of w x h pixels, 0xAARRGGBB, and takes `pixels` (from malloc) over in any case. `glows`: it is added to
   what is behind it, as light is. Returns its number, from 0 on, or -1 when memory is refused. */
int atlas_add(atlas *a, uint32_t *pixels, int w, int h, bool glows);

/* Packs all images into textures with sides of at most `most` pixels and frees their memory. False when SDL or memory
   refused one: SDL_GetError says why. Nothing can be added afterwards. */
bool atlas_build(atlas *a, SDL_Renderer *renderer, int most);

/* Where image `number` of a built atlas is. */
batch_area atlas_area(const atlas *a, int number);

#define ATLAS_SIZES_MOST 16 /* halving once more than the largest picture can be */

/* A size of a picture. There are ATLAS_SIZES_MOST at most, the largest first. */
typedef struct atlas_image {
  uint32_t *pixels;
  int w, h;
} atlas_image;

/* Puts a picture that was edited since the atlas was built on a page of its own: on page `*page` if it fits there, a
   page that only this picture was ever on; else, and when `*page` is -1, on a new page that is at least twice as large,
   and `*page` is its number. So textures stay as long as the atlas, for scenes that still refer to them, and any number
   of edits takes a bounded number of pages. Writes where each size is. False when SDL or memory refused: SDL_GetError
   says why. */
bool atlas_repaint(atlas *a, SDL_Renderer *renderer, int most, int *page, const atlas_image *sizes, int count,
                   bool glows, batch_area *areas);

/* How many textures there are. */
int atlas_pages(const atlas *a);

#endif
