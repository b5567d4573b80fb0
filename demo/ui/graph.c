/*
** Each pixel column has one bright bar, from the previous value to its own, so that the line has no gaps, and a darker
** one below it. Bars are upright and a whole point wide, which all renderers draw alike.
*/
#include "demo/ui/graph.h"

#include <math.h>

void graph_back(graphics *g, const graph_box *box)
{
  g->color = (SDL_Color){255, 255, 255, 14};
  graphics_rect(g, box->x, box->y, box->w, box->h, true);
}

/* Returns the height of a value in the box. */
static float height_of(const graph_box *box, float value, float top)
{
  float part = top > 0 ? value / top : 0;
  return roundf((box->h - 1) * fminf(fmaxf(part, 0), 1)) + 1;
}

static void set_upright(SDL_Vertex *v, const batch_area *a, float x, float y0, float y1, SDL_Color color)
{
  batch_fill(v, a, x + 0.5f, (y0 + y1) * 0.5f, 0.5f, (y1 - y0) * 0.5f, color);
}

/* Returns the highest of the values in the column `x` of `w`; less than 0 where there are none yet. */
static float value_at(const float *values, int count, int most, int x, int w)
{
  int from = x * most / w - (most - count), end = (x + 1) * most / w - (most - count);
  float highest = -1;
  for (int i = from > 0 ? from : 0; i < end || i == from; i++)
    highest = fmaxf(highest, i < count && i >= from && from >= 0 ? values[i] : -1);
  return highest;
}

void graph_area(graphics *g, const graph_box *box, const float *values, int count, int most, float top, SDL_Color color)
{
  batch_area white = sprites_white(g->sprites);
  int columns = (int)box->w;
  float bottom = box->y + box->h, before = -1;
  SDL_Color fill = {color.r, color.g, color.b, (Uint8)(color.a / 3)};
  SDL_Vertex *v = columns > 0 ? batch_reserve(g->out, (size_t)columns * 2) : NULL;
  size_t quads = 0;
  for (int i = 0; v && i < columns; i++) {
    float value = value_at(values, count, most, i, columns), high, low;
    if (value < 0)
      continue;
    high = low = bottom - height_of(box, value, top);
    if (before >= 0) {
      high = fminf(high, before);
      low = fmaxf(low, before);
    }
    before = bottom - height_of(box, value, top);
    set_upright(v + 4 * quads, &white, box->x + (float)i, low + 1, bottom, fill);
    set_upright(v + 4 * quads + 4, &white, box->x + (float)i, high, low + 1, color);
    quads += 2;
  }
  batch_commit(g->out, white.texture, quads);
}

void graph_mark(graphics *g, const graph_box *box, float value, float top, SDL_Color color)
{
  float y = box->y + box->h - height_of(box, value, top);
  g->color = color;
  if (value <= top)
    graphics_rect(g, box->x, roundf(y), box->w, 1, true);
}

float graph_top(float value)
{
  static const float steps[] = {1, 2, 5, 10};
  float decade = 1;
  if (!(value > 1))
    return 1;
  if (!isfinite(value))
    return value;
  while (decade * 10 < value)
    decade *= 10;
  for (int i = 0; i < 3; i++)
    if (value <= decade * steps[i])
      return decade * steps[i];
  return decade * 10;
}
