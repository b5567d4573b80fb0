/*
** The source of a sprite: a PNG, and the sheet beside it if there is one, as frames of equal size. A sheet is the JSON
** file that Aseprite exports: frames are listed in an array or by name, and may be trimmed; tags are animations. Each
** frame is kept at its own size, and halved repeatedly.
*/
#ifndef SP_DEMO_PICTURE_H
#define SP_DEMO_PICTURE_H

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* }== */

/* {== Pictures =========================================================== */

typedef struct picture_image {
  uint32_t *pixels; /* from malloc; NULL: it was only measured */
  int w, h;
} picture_image;

typedef struct picture {
  picture_image *images; /* the sizes of the first frame, the largest first, then those of the next one */
  int frames, sizes;
  sheet *sheet; /* NULL: it is one frame */
  int cut_off;  /* a frame that lies partly outside of the PNG, from 1; 0: none */
} picture;

/* Reads a PNG, and cuts it into the frames of `s`, unless that is NULL; takes ownership of `s`. False when the PNG is
   invalid, or out of memory: SDL_GetError says why. */
bool picture_read(picture *p, const void *png, size_t size, sheet *s, bool only_measured);

/* Creates a picture of one frame. Takes ownership of `pixels`, from malloc; NULL: only the size. */
bool picture_make(picture *p, uint32_t *pixels, int w, int h);

void picture_free(picture *p);

/* }== */

#endif
