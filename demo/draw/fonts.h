/*
** Font files: DejaVu, searched where systems keep it, or a small built-in bitmap font.
*/
#ifndef SP_DEMO_FONTS_H
#define SP_DEMO_FONTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum font_face { FONT_SANS, FONT_MONO, FONT_FACES } font_face;

/* Writes the path of a readable font file of this face to `path`. False when there is none in the known folders. */
bool font_find(font_face face, char *path, size_t size);

/* Writes folder number `i` of those that font_find searches, "" when it does not apply. False past the last one. */
bool font_folder(size_t i, char *path, size_t size);

#define FONT_BITMAP_WIDTH 5
#define FONT_BITMAP_HEIGHT 8 /* the lowest row is for descenders */

/* Returns the built-in letter for a character: FONT_BITMAP_WIDTH columns from left to right, bit 0 the top row.
   Characters that it lacks (anything past ASCII) are a box. */
const uint8_t *font_bitmap(uint32_t character);

#endif
