/*
** A quad is a parallelogram of one colour, so a point on an edge has coordinates of the texture in between. Aslant ones
** are cut along a grid by Sutherland and Hodgman's algorithm, side after side, and drawn as fans.
*/
#include "demo/draw/clip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SLACK 2.0 /* units around the view: what is cut off is not seen */

/* Rounding makes a thin quad cross itself: each side of a cell may turn n corners into n + n / 2, 4 into 19 in all. */
#define MOST_CORNERS 19

typedef struct corner {
  double x, y, u, v;
} corner;

typedef struct polygon {
  corner at[MOST_CORNERS];
  int count;
} polygon;

typedef struct area {
  double left, top, right, bottom;
} area;

/* {== Choosing =========================================================== */

static bool is_upright(const SDL_Vertex *v)
{
  return v[0].position.x == v[3].position.x && v[1].position.x == v[2].position.x &&
         v[0].position.y == v[1].position.y && v[2].position.y == v[3].position.y;
}

static area bounds_of(const SDL_Vertex *v)
{
  area a = {v->position.x, v->position.y, v->position.x, v->position.y};
  for (int i = 1; i < 4; i++) {
    a.left = fmin(a.left, v[i].position.x);
    a.top = fmin(a.top, v[i].position.y);
    a.right = fmax(a.right, v[i].position.x);
    a.bottom = fmax(a.bottom, v[i].position.y);
  }
  return a;
}

static bool is_finite(const SDL_Vertex *v)
{
  float sum = 0;
  for (int i = 0; i < 4; i++)
    sum += v[i].position.x * 0 + v[i].position.y * 0;
  return sum == 0;
}

/* Returns whether a quad may be drawn as it is. */
static bool fits(const SDL_Vertex *v, float width, float height, float scale)
{
  const area a = bounds_of(v);
  const double most = CLIP_PIECE / scale;
  return is_finite(v) && a.left >= -width && a.top >= -height && a.right <= 2 * width && a.bottom <= 2 * height &&
         (is_upright(v) || (a.right - a.left <= most && a.bottom - a.top <= most));
}

/* }== */

/* {== Cutting ============================================================ */

static double clamp(double x, double least, double most) { return x < least ? least : x > most ? most : x; }

/* Moves an end of a span from a to b into a range; returns how far along it is now, from 0 to 1. */
static double cut_end(double end, double a, double b, double least, double most)
{
  return b == a ? 0 : (clamp(end, least, most) - a) / (b - a);
}

/* The part of an upright quad in the view is one again, and has the same corners first. */
static bool add_upright(batch *out, SDL_Texture *texture, const SDL_Vertex *v, const area *view)
{
  const SDL_Vertex *a = v, *b = v + 2;
  const double x0 = a->position.x, x1 = b->position.x, y0 = a->position.y, y1 = b->position.y;
  const double left = cut_end(x0, x0, x1, view->left, view->right),
               right = cut_end(x1, x0, x1, view->left, view->right);
  const double top = cut_end(y0, y0, y1, view->top, view->bottom),
               bottom = cut_end(y1, y0, y1, view->top, view->bottom);
  if (left >= right || top >= bottom)
    return true;
  SDL_Vertex *to = batch_reserve(out, 1);
  if (!to)
    return false;
  for (int i = 0; i < 4; i++) {
    const double s = i == 0 || i == 3 ? left : right, t = i < 2 ? top : bottom;
    batch_vertex(to + i, (float)(x0 + (x1 - x0) * s), (float)(y0 + (y1 - y0) * t), v->color,
                 (float)(a->tex_coord.x + (double)(b->tex_coord.x - a->tex_coord.x) * s),
                 (float)(a->tex_coord.y + (double)(b->tex_coord.y - a->tex_coord.y) * t));
  }
  return batch_commit(out, texture, 1);
}

/* Returns how far a corner is inside of a side of the area: 0 left, 1 right, 2 top, 3 bottom. */
static double depth_of(const corner *c, const area *a, int side)
{
  return side == 0 ? c->x - a->left : side == 1 ? a->right - c->x : side == 2 ? c->y - a->top : a->bottom - c->y;
}

static polygon cut_side(const polygon *p, const area *a, int side)
{
  polygon out = {.count = 0};
  for (int i = 0; i < p->count; i++) {
    const corner *from = &p->at[i], *to = &p->at[(i + 1) % p->count];
    const double here = depth_of(from, a, side), there = depth_of(to, a, side);
    if (here >= 0)
      out.at[out.count++] = *from;
    if ((here >= 0) != (there >= 0)) {
      const double t = here / (here - there);
      out.at[out.count++] = (corner){from->x + (to->x - from->x) * t, from->y + (to->y - from->y) * t,
                                     from->u + (to->u - from->u) * t, from->v + (to->v - from->v) * t};
    }
  }
  return out;
}

static polygon cut(polygon p, const area *a)
{
  for (int side = 0; side < 4 && p.count > 0; side++)
    p = cut_side(&p, a, side);
  return p;
}

/* Adds a convex polygon as a fan of quads, the last of which may be half of one. */
static bool add_polygon(batch *out, SDL_Texture *texture, const polygon *p, SDL_Color color)
{
  for (int i = 1; i + 1 < p->count; i += 2) {
    const int at[4] = {0, i, i + 1, i + 2 < p->count ? i + 2 : i + 1};
    SDL_Vertex *v = batch_reserve(out, 1);
    if (!v)
      return false;
    for (int k = 0; k < 4; k++) {
      const corner *c = &p->at[at[k]];
      batch_vertex(v + k, (float)c->x, (float)c->y, color, (float)c->u, (float)c->v);
    }
    if (!batch_commit(out, texture, 1))
      return false;
  }
  return true;
}

/* Adds what is in the view, cell by cell. */
static bool add_aslant(batch *out, SDL_Texture *texture, const SDL_Vertex *v, const area *view, double side)
{
  const area reach = bounds_of(v);
  polygon quad = {.count = 4};
  for (int i = 0; i < 4; i++)
    quad.at[i] = (corner){v[i].position.x, v[i].position.y, v[i].tex_coord.x, v[i].tex_coord.y};
  const double left = fmax(reach.left, view->left), right = fmin(reach.right, view->right);
  const double top = fmax(reach.top, view->top), bottom = fmin(reach.bottom, view->bottom);
  for (double y = top; y < bottom; y += side)
    for (double x = left; x < right; x += side) {
      const area cell = {x, y, fmin(x + side, right), fmin(y + side, bottom)};
      const polygon part = cut(quad, &cell);
      if (!add_polygon(out, texture, &part, v->color))
        return false;
    }
  return true;
}

/* }== */

/* Adds the quads of `from` again. */
static bool add_all(batch *out, const batch *from, float width, float height, float scale)
{
  const area view = {-SLACK, -SLACK, width + SLACK, height + SLACK};
  bool fine = true;
  for (size_t r = 0; r < from->run_count; r++) {
    const batch_run *run = &from->runs[r];
    for (size_t i = run->first; i < run->first + run->count && fine; i++) {
      const SDL_Vertex *v = from->vertices + i * 4;
      SDL_Vertex *to = NULL;
      if (fits(v, width, height, scale)) {
        to = batch_reserve(out, 1);
        fine = to && memcpy(to, v, 4 * sizeof *v) && batch_commit(out, run->texture, 1);
      } else if (is_finite(v)) {
        fine = is_upright(v) ? add_upright(out, run->texture, v, &view)
                             : add_aslant(out, run->texture, v, &view, (double)(CLIP_PIECE / scale));
      }
    }
  }
  return fine;
}

bool batch_clip(batch *b, size_t first, float width, float height, float scale)
{
  size_t fitting = first;
  while (fitting < b->quads && fits(b->vertices + fitting * 4, width, height, scale))
    fitting++;
  if (fitting == b->quads)
    return true;
  if (!b->spare)
    b->spare = calloc(1, sizeof *b->spare);
  bool fine = b->spare != NULL;
  if (fine) {
    batch_clear(b->spare);
    fine = batch_append_from(b->spare, b, fitting);
  }
  batch_cut(b, fine ? fitting : first);
  fine = fine && add_all(b, b->spare, width, height, scale);
  if (!fine)
    batch_cut(b, first);
  return fine;
}
