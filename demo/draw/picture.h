/*
** The files of a sprite: a PNG, and the sheet beside it if there is one, which cuts it into frames of equal size. A
** sheet is the JSON file that Aseprite exports: frames are listed in an array or by name, and may be trimmed; tags are
** animations. And the atlas that images are packed into.
*/
#ifndef SP_DEMO_PICTURE_H
#define SP_DEMO_PICTURE_H

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "demo/draw/batch.h"
#include "script/script.h"

/* Limits of a PNG: what every GPU supports, and 64 MiB of memory. */
#define IMAGE_SIDE_MOST 8192
#define IMAGE_PIXELS_MOST (1 << 24)

/* {== Images: 0xAARRGGBB ================================================= */

/* Returns the pixels of a PNG file with this content, from malloc, w x h. NULL when it is invalid: SDL_GetError says
   why. */
uint32_t *image_load(const void *bytes, size_t size, int *w, int *h);

/* Reads its size without unpacking it. False when it is invalid, as for image_load; but errors in data with valid
   checksums are not detected. */
bool image_measure(const void *bytes, size_t size, int *w, int *h);

/* Returns the image at half the size (at least 1); each pixel is the mean of four weighted by alpha. From malloc, or
   NULL. */
uint32_t *image_halve(const uint32_t *pixels, int w, int h);

/* }== */

/* {== Sheets ============================================================= */

#define SHEET_FRAMES_MOST 4096

/* The area of a frame in the PNG, and the position of that area in the whole frame. */
typedef struct sheet_frame {
  SDL_Rect from;
  int left, top;
} sheet_frame;

typedef struct sheet {
  int width, height; /* of each whole frame */
  sheet_frame *frames;
  sp_sheet script; /* frame count, durations and animations, as the script host takes them */
} sheet;

/* Reads the content of a file. NULL when it is no sheet, or out of memory: SDL_GetError says why. */
sheet *sheet_read(const void *bytes, size_t size);
void sheet_free(sheet *s);

/* Returns the whole frame `i`, from 0, cut from a PNG of w x h pixels; from malloc, or NULL. */
uint32_t *sheet_cut(const sheet *s, int i, const uint32_t *pixels, int w, int h);

/* Returns the first frame, from 1, that lies partly outside of a PNG of w x h pixels; 0: none. */
int sheet_first_outside(const sheet *s, int w, int h);

/* }== */

/* {== The atlas ==========================================================
** Packs images onto few textures, so that a whole scene is usually one draw call. Images are added, then built
** together: those of a whole game at its start, those of one picture when it was edited. Each gets its edge repeated
** around it, so that filtering never reads a neighbour. */

typedef struct atlas atlas;

/* Returns NULL when out of memory. Close with atlas_close, before the renderer. Textures live as long as the atlas, for
   scenes that still refer to them. */
atlas *atlas_open(void);
void atlas_close(atlas *a);

/* How an image is drawn: one or both of these. */
enum { ATLAS_GLOWS = 1 /* additively */, ATLAS_NEAREST = 2 /* enlarged without smoothing */ };

/* Adds an image of w x h pixels, 0xAARRGGBB, and takes ownership of `pixels` (from malloc). atlas_build writes where it
   is to `*area`. */
void atlas_add(atlas *a, uint32_t *pixels, int w, int h, int drawn, batch_area *area);

/* Packs the images that were added into textures with sides of at most `most` pixels, and frees their memory. False
   when SDL or memory refused: SDL_GetError says why.
   `own_page` NULL: many images, on as few pages as possible. Otherwise the images of one picture, the largest first, go
   on page `*own_page` if they fit there, a page that only this picture has used; else, and if `*own_page` is -1, on a
   new page that is at least as large, whose number is written to `*own_page`. So any number of edits takes a bounded
   number of pages. */
bool atlas_build(atlas *a, SDL_Renderer *renderer, int most, int *own_page);

/* Returns the number of textures. */
int atlas_pages(const atlas *a);

/* }== */

#endif
