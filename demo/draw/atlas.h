/*
** Packs many images onto few textures, so that a whole scene is usually one draw call. Images are added, then built
** once; each gets its edge repeated around it, so that filtering never reads a neighbour.
*/
#ifndef SP_DEMO_ATLAS_H
#define SP_DEMO_ATLAS_H

#include <stdbool.h>
#include <stdint.h>

#include "demo/draw/batch.h"

typedef struct atlas atlas;

/* Returns NULL when memory is refused. Close with atlas_close, before the renderer. */
atlas *atlas_open(void);
void atlas_close(atlas *a);

/* Adds an image of w x h pixels, 0xAARRGGBB, and takes ownership of `pixels` (from malloc) in any case. `glows`: it
   is drawn additively. Returns its number, from 0 on, or -1 when memory is refused. */
int atlas_add(atlas *a, uint32_t *pixels, int w, int h, bool glows);

/* Packs all images into textures with sides of at most `most` pixels and frees their memory. False when SDL or memory
   refused one: SDL_GetError says why. Nothing can be added afterwards. */
bool atlas_build(atlas *a, SDL_Renderer *renderer, int most);

/* Returns the area of image `number` in a built atlas. */
batch_area atlas_area(const atlas *a, int number);

#define ATLAS_SIZES_MOST 16 /* enough to halve the largest picture to one pixel */

/* One size of a picture. There are at most ATLAS_SIZES_MOST, the largest first. */
typedef struct atlas_image {
  uint32_t *pixels;
  int w, h;
} atlas_image;

/* Puts a picture that was edited since the atlas was built, the sizes of all its frames, on a page of its own: on page
   `*page` if it fits there, a page that only this picture has used; else, and if `*page` is -1, on a new page at least
   twice as large, whose number is written to `*page`. Textures live as long as the atlas, for scenes that still refer
   to them, and any number of edits takes a bounded number of pages. Writes the area of each size. False when SDL or
   memory refused: SDL_GetError says why. */
bool atlas_repaint(atlas *a, SDL_Renderer *renderer, int most, int *page, const atlas_image *sizes, int count,
                   bool glows, batch_area *areas);

/* Returns the number of textures. */
int atlas_pages(const atlas *a);

#endif
