/*
** PNG files for tests of pictures: two halves of one colour each, 0xAARRGGBB.
*/
#ifndef SP_TESTS_PAINT_H
#define SP_TESTS_PAINT_H

#include <stddef.h>
#include <stdint.h>

/* Writes a file in place. */
void paint_png(const char *path, int w, int h, uint32_t left, uint32_t right);

/* Its bytes, to be freed. */
void *paint_bytes(int w, int h, uint32_t left, uint32_t right, size_t *size);

#endif
