/*
** Files of pictures and sounds for tests.
*/
#ifndef SP_TESTS_MEDIA_H
#define SP_TESTS_MEDIA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes a PNG of two halves of one colour each, 0xAARRGGBB, in place. */
void paint_png(const char *path, int w, int h, uint32_t left, uint32_t right);

/* Saves a picture in half its width and height. */
void picture_halve(const char *path, const char *half_path);

/* Writes a mono WAV file of 16 bits at 48000 samples a second: a square wave of this amplitude, so that every sample
   tells how loud it is. */
void wave_write(const char *path, double seconds, int amplitude);

#endif
