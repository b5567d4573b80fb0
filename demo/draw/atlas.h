/*
** Packs images onto few textures, so that a whole scene is usually one draw call. Images are added, then built
** together: those of a whole game at its start, those of one picture when it was edited. Each gets its edge repeated
** around it, so that filtering never reads a neighbour.
*/
#ifndef SP_DEMO_ATLAS_H
#define SP_DEMO_ATLAS_H

#include <stdbool.h>
#include <stdint.h>

#include "demo/draw/batch.h"

typedef struct atlas atlas;

/* Returns NULL when out of memory. Close with atlas_close, before the renderer. Textures live as long as the atlas, for
   scenes that still refer to them. */
atlas *atlas_open(void);
void atlas_close(atlas *a);

/* Adds an image of w x h pixels, 0xAARRGGBB, and takes ownership of `pixels` (from malloc). `glows`: it is drawn
   additively. atlas_build writes where it is to `*area`. */
void atlas_add(atlas *a, uint32_t *pixels, int w, int h, bool glows, batch_area *area);

/* Packs the images that were added into textures with sides of at most `most` pixels, and frees their memory. False
   when SDL or memory refused: SDL_GetError says why.
   `own_page` NULL: many images, on as few pages as possible. Otherwise the images of one picture, the largest first, go
   on page `*own_page` if they fit there, a page that only this picture has used; else, and if `*own_page` is -1, on a
   new page that is at least as large, whose number is written to `*own_page`. So any number of edits takes a bounded
   number of pages. */
bool atlas_build(atlas *a, SDL_Renderer *renderer, int most, int *own_page);

/* Returns the number of textures. */
int atlas_pages(const atlas *a);

#endif
