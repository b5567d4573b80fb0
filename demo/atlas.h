/*
** Many images on few textures, so that a whole scene is usually one draw call. Images are added, then built once; each
** gets its edge repeated around it, so that filtering never brings in a neighbour.
*/
#ifndef SP_DEMO_ATLAS_H
#define SP_DEMO_ATLAS_H

#include <stdbool.h>
#include <stdint.h>

#include "demo/batch.h"

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

/* How many textures there are. */
int atlas_pages(const atlas *a);

#endif
