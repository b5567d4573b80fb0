/*
** See graph.h. Between two neighbours lies one quad with a slanted upper side, and a darker area below a bright line.
*/
#include "demo/graph.h"

#include <math.h>

void graph_back(graphics *g, const graph_box *box)
{
  g->color = (SDL_Color){255, 255, 255, 14};
  graphics_rect(g, box->x, box->y, box->w, box->h, true);
}

/* A quad between two upright sides. */
static void set_slice(SDL_Vertex *v, const batch_area *a, float x0, float x1, const float tops[2], const float ends[2],
                      SDL_Color color)
{
  batch_vertex(v, x0, tops[0], color, a->u0, a->v0);
  batch_vertex(v + 1, x1, tops[1], color, a->u1, a->v0);
  batch_vertex(v + 2, x1, ends[1], color, a->u1, a->v1);
  batch_vertex(v + 3, x0, ends[0], color, a->u0, a->v1);
}

void graph_area(graphics *g, const graph_box *box, const float *values, int count, int most, float top, SDL_Color color)
{
  batch_area white = sprites_white(g->sprites);
  int slices = count - 1;
  float step = box->w / (float)(most - 1), x = box->x + box->w - step * (float)slices, bottom = box->y + box->h;
  SDL_Color fill = {color.r, color.g, color.b, (Uint8)(color.a / 3)};
  SDL_Vertex *v = slices > 0 ? batch_reserve(g->out, (size_t)slices * 2) : NULL;
  if (!v)
    return;
  for (int i = 0; i < slices; i++, v += 8) {
    float x0 = x + step * (float)i, tops[2], ends[2], low[2] = {bottom, bottom};
    for (int k = 0; k < 2; k++) {
      float part = top > 0 ? values[i + k] / top : 0;
      tops[k] = bottom - (box->h - 1) * fminf(fmaxf(part, 0), 1) - 1;
      ends[k] = tops[k] + 1;
    }
    set_slice(v, &white, x0, x0 + step, ends, low, fill);
    set_slice(v + 4, &white, x0, x0 + step, tops, ends, color);
  }
  batch_commit(g->out, white.texture, (size_t)slices * 2);
}

void graph_mark(graphics *g, const graph_box *box, float value, float top, SDL_Color color)
{
  float y = box->y + box->h - (box->h - 1) * (top > 0 ? value / top : 0) - 1;
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
