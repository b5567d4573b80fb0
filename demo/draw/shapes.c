/*
** Negative distances are inside. Half a pixel to each side of the edge blends from full to clear, which approximates
** the covered share of the pixel. The spark is not a distance but a glow: bright core, soft skirt.
*/
#include "demo/draw/shapes.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define RING_WIDTH 0.24f /* of the radius */
#define SPARK_CORE 0.55f /* of the radius */

static float clamp01(float v) { return v < 0 ? 0 : v > 1 ? 1 : v; }

static float circle(float x, float y, float r) { return sqrtf(x * x + y * y) - r; }

static float square(float x, float y, float r) { return fmaxf(fabsf(x), fabsf(y)) - r; }

/* Three half planes; the corners lie on the circle of the same radius, so it rotates around its centre. */
static float triangle(float x, float y, float r)
{
  const float cos60 = 0.5f, sin60 = 0.8660254f;
  return fmaxf(-x, x * cos60 + fabsf(y) * sin60) - r * 0.5f;
}

static float ring(float x, float y, float r)
{
  float width = fmaxf(r * RING_WIDTH, 1);
  return fabsf(sqrtf(x * x + y * y) - (r - width * 0.5f)) - width * 0.5f;
}

static float spark_alpha(float x, float y, float r)
{
  float away = sqrtf(x * x + y * y) / r, skirt = clamp01(1 - away), core = clamp01((SPARK_CORE - away) / SPARK_CORE);
  return clamp01(skirt * skirt * 0.7f + core * (2 - core) * 0.9f);
}

static float alpha_at(shape kind, float x, float y, float r)
{
  switch (kind) {
  case SHAPE_CIRCLE:
    return clamp01(0.5f - circle(x, y, r));
  case SHAPE_SQUARE:
    return clamp01(0.5f - square(x, y, r));
  case SHAPE_TRIANGLE:
    return clamp01(0.5f - triangle(x, y, r));
  case SHAPE_RING:
    return clamp01(0.5f - ring(x, y, r));
  default:
    return spark_alpha(x, y, r);
  }
}

const char *shape_name(shape kind)
{
  static const char *const names[SHAPE_COUNT] = {"circle", "square", "triangle", "ring", "spark"};
  return names[kind];
}

/* Draws into a square image. Every shape is symmetric from top to bottom, and all but the
   triangle from left to right. */
static void draw(shape kind, int size, uint32_t *pixels)
{
  int side = size + 2 * SHAPE_PAD, half = (side + 1) / 2, drawn = kind == SHAPE_TRIANGLE ? side : half;
  float middle = (float)side * 0.5f, r = (float)size * 0.5f;
  for (int y = 0; y < half; y++) {
    uint32_t *row = pixels + (ptrdiff_t)y * side;
    for (int x = 0; x < drawn; x++) {
      float alpha = alpha_at(kind, (float)x + 0.5f - middle, (float)y + 0.5f - middle, r);
      row[x] = (uint32_t)(alpha * 255.0f + 0.5f) << 24 | 0xffffffu;
    }
    for (int x = drawn; x < side; x++)
      row[x] = row[side - 1 - x];
    memmove(pixels + (ptrdiff_t)(side - 1 - y) * side, row, (size_t)side * sizeof *row);
  }
}

uint32_t *shape_pixels(shape kind, int size)
{
  size_t side = (size_t)size + 2 * SHAPE_PAD;
  uint32_t *pixels = malloc(side * side * sizeof *pixels);
  if (pixels)
    draw(kind, size, pixels);
  return pixels;
}

/* Rows of pixels: clear, white ..., clear. */
uint32_t *shape_bar(int length, int size)
{
  int h = size + 2 * SHAPE_PAD;
  uint32_t *pixels = malloc((size_t)length * (size_t)h * sizeof *pixels);
  for (int i = 0; pixels && i < length * h; i++)
    pixels[i] = i / length < SHAPE_PAD || i / length >= h - SHAPE_PAD ? 0x00ffffffu : 0xffffffffu;
  return pixels;
}
