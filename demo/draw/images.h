/*
** Pictures in plain memory, 0xAARRGGBB: read from PNG by SDL_image, made ready for filtering, halved.
*/
#ifndef SP_DEMO_IMAGES_H
#define SP_DEMO_IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No larger PNG is read: what every GPU can take, and 64 MiB of memory. */
#define IMAGE_SIDE_MOST 8192
#define IMAGE_PIXELS_MOST (1 << 24)

/* The pixels of a PNG file with this content, from malloc, w x h. NULL when it is none: SDL_GetError says why. */
uint32_t *image_load(const void *bytes, size_t size, int *w, int *h);

/* Its size, without unpacking it. False when it is none, as for image_load; only what is wrong though every checksum
   holds goes unnoticed. */
bool image_measure(const void *bytes, size_t size, int *w, int *h);

/* The picture at half the size (at least 1), each pixel the mean of four weighted by alpha. From malloc, or NULL. */
uint32_t *image_halve(const uint32_t *pixels, int w, int h);

/* A magenta and black checker of side x side pixels: what an unreadable image looks like. From malloc, or NULL. */
uint32_t *image_checker(int side);

#endif
