/*
** Shapes as quads: areas are stretched white, discs the circle sprite, other shapes are cut into quads.
*/
#include "demo/draw/graphics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "script/state/strings.h"

#define WHITE_COLOR ((SDL_Color){255, 255, 255, 255})
#define TURN 6.28318531f

/* {== The camera ========================================================= */

/* Sets the pixels per unit at which pictures and letters are drawn. */
static void set_scale(graphics *it, float scale)
{
  it->view.scale = scale;
  text_set_scale(it->text, scale);
}

static void set_world_scale(graphics *it)
{
  const view_camera *c = &it->world->camera;
  set_scale(it, view_pixels(it->world) * (c->on ? c->zoom : 1));
}

/* Moves the quads of the world that were drawn since the last call to where the camera sees them. */
static void apply_camera(graphics *it)
{
  view_map map = view_world_map(it->world);
  SDL_Vertex *all = it->out->vertices; /* NULL while nothing was drawn */
  bool moves = it->world->camera.on || map.x0 != 0 || map.y0 != 0;
  for (size_t i = it->first * 4; moves && i < it->out->quads * 4; i++)
    all[i].position = view_apply(&map, all[i].position.x, all[i].position.y);
}

/* The quads that were drawn since the last call are ready to be shown. */
static void finish_quads(graphics *it)
{
  if (it->below)
    apply_camera(it);
  batch_clip(it->out, it->first, it->view.width, it->view.height, it->below ? view_pixels(it->world) : it->view.scale);
  it->first = it->out->quads;
}

/* A camera may have turned the view: the corners are anywhere. */
SDL_FRect graphics_visible(const graphics *it)
{
  const float w = it->view.width, h = it->view.height;
  float left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;
  if (!it->below)
    return (SDL_FRect){0, 0, w, h};
  for (int i = 0; i < 4; i++) {
    float x = (i & 1 ? w : 0) - it->world->shift_x, y = (i & 2 ? h : 0) - it->world->shift_y;
    SDL_FPoint corner = view_to_world(it->world, x, y);
    left = fminf(left, corner.x);
    top = fminf(top, corner.y);
    right = fmaxf(right, corner.x);
    bottom = fmaxf(bottom, corner.y);
  }
  return (SDL_FRect){left, top, right - left, bottom - top};
}

void graphics_camera(graphics *it, const view_camera *c)
{
  if (it->below)
    finish_quads(it);
  it->world->camera = *c;
  if (it->below)
    set_world_scale(it);
}

void graphics_begin(graphics *it, batch *out, const draw_view *view)
{
  it->out = out;
  it->view = *view;
  it->color = WHITE_COLOR;
  it->face = FONT_SANS;
  it->text_size = GRAPHICS_TEXT_SIZE;
  it->below = false;
  out->clipped = false;
  it->quads_left = GRAPHICS_QUADS_MOST;
  it->letters_left = GRAPHICS_LETTERS_MOST;
  it->first = out->quads;
  set_scale(it, view->scale);
}

void graphics_begin_below(graphics *it, batch *out, const draw_view *view)
{
  graphics_begin(it, out, view);
  it->below = true;
  set_world_scale(it);
}

void graphics_end(graphics *it)
{
  finish_quads(it);
  it->below = false;
  it->out->clipped = false;
  it->out = NULL;
}

/* }== */

/* Returns whether one more quad may be drawn. */
static bool has_room(graphics *it)
{
  it->has_left_out |= it->quads_left == 0;
  return it->quads_left > 0 && it->quads_left--;
}

static bool add_area(graphics *it, float x, float y, float w, float h)
{
  if (!has_room(it))
    return true;
  batch_area white = sprites_white(it->sprites);
  if (it->out->clipped) { /* a single texel is filled by SDL's software renderer, not scaled: that is clipped well */
    white.u1 = white.u0;
    white.v1 = white.v0;
  }
  return batch_rect(it->out, &white, x, y, w, h, it->color);
}

/* {== Strokes ============================================================
** A stroke is at least one pixel wide. Upright ones lie on whole pixels. Others have sides of one pixel that fade out:
** bars whose vertices differ in alpha, or pixel by pixel for SDL's software renderer, which moves corners of quads to
** whole pixels. */

/* Returns the pixels per unit in one direction; they differ in a stretched view. */
static float pixels_along(const graphics *it, bool across)
{
  const game_view *v = it->world;
  if (!v || v->unit_x == v->unit_y)
    return it->view.scale;
  return it->view.scale * (across ? v->unit_x : v->unit_y) / fmaxf(v->unit_x, v->unit_y);
}

static bool is_mapped(const graphics *it)
{
  return it->below && (it->world->camera.on || it->world->shift_x != 0 || it->world->shift_y != 0);
}

/* Moves a stretch to the pixels whose middles it covers, at least to one. It begins and ends a little after their
   edges, as SDL's software renderer rounds down. */
static void fit_to_pixels(float *from, float *size, float pixels)
{
  const float first = ceilf(*from * pixels - 0.5f), last = ceilf((*from + *size) * pixels - 0.5f);
  *from = (first + 1 / 64.0f) / pixels;
  *size = (fmaxf(last - first, 1) + 1 / 64.0f) / pixels;
}

/* The rows of a bar from side to side, in units from its middle, and how much of the colour they have. */
typedef struct rows {
  float at[4];
  bool shown[4];
} rows;

/* `width` in units. */
static rows rows_of(const graphics *it, float width)
{
  const float edge = 0.5f / it->view.scale, half = fmaxf(width * 0.5f, edge);
  return (rows){{-half - edge, -half + edge, half - edge, half + edge}, {false, true, true, false}};
}

/* {== Strokes pixel by pixel ============================================= */

/* A straight stroke or a ring, in pixels of the view. */
typedef struct stroke {
  SDL_FPoint from, to; /* of a ring: its middle */
  float length, half;  /* half its width */
  float radius;        /* of a ring; 0: it is straight */
} stroke;

static bool is_stepped(const graphics *it) { return it->software && pixels_along(it, true) == pixels_along(it, false); }

static float clamp01(float x) { return x > 0 ? x < 1 ? x : 1 : 0; }

/* Returns how much of the pixel with this middle is covered. */
static float coverage(const stroke *s, float x, float y)
{
  const float dx = x - s->from.x, dy = y - s->from.y;
  if (s->radius > 0)
    return clamp01(s->half + 0.5f - fabsf(hypotf(dx, dy) - s->radius));
  const float along_x = (s->to.x - s->from.x) / s->length, along_y = (s->to.y - s->from.y) / s->length;
  const float along = dx * along_x + dy * along_y, across = fabsf(dy * along_x - dx * along_y);
  return clamp01(s->half + 0.5f - across) * clamp01(fminf(along, s->length - along) + 1);
}

/* Returns where the pixels of a row begin and end that may be covered. */
static void find_row(const stroke *s, float y, float *from, float *to)
{
  const float reach = s->half + 1, dx = s->to.x - s->from.x, dy = s->to.y - s->from.y;
  *from = fminf(s->from.x, s->to.x) - s->radius - reach;
  *to = fmaxf(s->from.x, s->to.x) + s->radius + reach;
  if (s->radius > 0 || dy == 0)
    return;
  const float middle = s->from.x + dx * (y - s->from.y) / dy, half = fabsf(reach * s->length / dy);
  *from = fmaxf(*from, middle - half);
  *to = fminf(*to, middle + half);
}

/* Draws `count` pixels of a row. */
static bool add_pixels(graphics *it, int x, int y, int count, int alpha)
{
  const float scale = pixels_along(it, true), more = 1 / 64.0f; /* see fit_to_pixels */
  const SDL_Color color = it->color;
  it->color.a = (Uint8)(color.a * alpha / 255);
  bool fine = count == 0 || alpha == 0 ||
              add_area(it, ((float)x + more) / scale, ((float)y + more) / scale, ((float)count + more) / scale,
                       (1 + more) / scale);
  it->color = color;
  return fine;
}

/* Draws a row of the view, from one pixel to another; neighbours that are covered alike are one quad. */
static bool add_row(graphics *it, const stroke *s, int y, int from, int to)
{
  int begin = from, now = 0;
  bool fine = true;
  for (int x = from; x < to && fine; x++) {
    const int alpha = (int)lroundf(coverage(s, (float)x + 0.5f, (float)y + 0.5f) * 255);
    if (alpha == now)
      continue;
    fine = add_pixels(it, begin, y, x - begin, now);
    begin = x;
    now = alpha;
  }
  return fine && add_pixels(it, begin, y, to - begin, now);
}

static bool add_rows(graphics *it, const stroke *s)
{
  const float reach = s->radius + s->half + 1, scale = pixels_along(it, true);
  const int wide = (int)ceilf(it->view.width * scale), high = (int)ceilf(it->view.height * scale);
  const float top = fmaxf(fminf(s->from.y, s->to.y) - reach, 0);
  const float bottom = fminf(fmaxf(s->from.y, s->to.y) + reach, (float)high);
  bool fine = true;
  if (!(top < bottom))
    return true;
  for (int y = (int)top; (float)y < bottom && fine && it->quads_left > 0; y++) {
    float from, to;
    find_row(s, (float)y + 0.5f, &from, &to);
    if (to > 0 && from < (float)wide)
      fine = add_row(it, s, y, (int)fmaxf(from, 0), (int)fminf(to + 1, (float)wide));
  }
  return fine;
}

/* Strokes from one point to the other, or around the first one. */
static bool add_stepped(graphics *it, SDL_FPoint from, SDL_FPoint to, float radius, float width)
{
  const view_map map = it->below ? view_world_map(it->world) : (view_map){1, 0, 0, 1, 0, 0};
  const float zoomed = it->view.scale, scale = it->below ? view_pixels(it->world) : zoomed;
  const SDL_FPoint a = view_apply(&map, from.x, from.y), b = view_apply(&map, to.x, to.y);
  const stroke s = {{a.x * scale, a.y * scale},
                    {b.x * scale, b.y * scale},
                    hypotf(b.x - a.x, b.y - a.y) * scale,
                    fmaxf(width * zoomed, 1) / 2,
                    radius * zoomed};
  if (!(s.length > 0 || radius > 0))
    return true;
  if (it->below)
    finish_quads(it); /* those before it: these are where the camera sees them */
  it->view.scale = scale;
  bool fine = add_rows(it, &s);
  it->view.scale = zoomed;
  if (it->below)
    it->first = it->out->quads;
  return fine;
}

/* }== */

/* A point of a stroke, and the vector by which its rows lie to its side. */
typedef struct joint {
  SDL_FPoint at, side;
} joint;

static void fill_corner(SDL_Vertex *v, const graphics *it, const batch_area *white, const joint *j, float away, bool on)
{
  SDL_Color color = it->color;
  color.a = on ? color.a : 0;
  batch_vertex(v, j->at.x + j->side.x * away, j->at.y + j->side.y * away, color, white->u0, white->v0);
}

/* Draws the stroke between two joints. */
static bool add_bar(graphics *it, const joint *from, const joint *to, const rows *r)
{
  const batch_area white = sprites_white(it->sprites);
  for (int i = 0; i < 3; i++) {
    if (!(r->at[i + 1] > r->at[i]) || !has_room(it))
      continue;
    SDL_Vertex *v = batch_reserve(it->out, 1);
    if (!v)
      return false;
    fill_corner(v, it, &white, from, r->at[i], r->shown[i]);
    fill_corner(v + 1, it, &white, to, r->at[i], r->shown[i]);
    fill_corner(v + 2, it, &white, to, r->at[i + 1], r->shown[i + 1]);
    fill_corner(v + 3, it, &white, from, r->at[i + 1], r->shown[i + 1]);
    if (!batch_commit(it->out, white.texture, 1))
      return false;
  }
  return true;
}

/* Draws a straight stroke, both ends included; false when memory is refused. */
static bool add_straight(graphics *it, SDL_FPoint from, SDL_FPoint to, float width)
{
  if (is_stepped(it))
    return add_stepped(it, from, to, 0, width);
  const float dx = to.x - from.x, dy = to.y - from.y, length = hypotf(dx, dy);
  const rows r = rows_of(it, width);
  const float edge = 0.5f / it->view.scale / length;
  const SDL_FPoint side = {-dy / length, dx / length}, begin = {from.x - dx * edge, from.y - dy * edge};
  const SDL_FPoint end = {to.x + dx * edge, to.y + dy * edge};
  return !(length > 0) || add_bar(it, &(joint){begin, side}, &(joint){end, side}, &r);
}

/* Draws an upright stroke that covers this area. */
static bool add_upright(graphics *it, float x, float y, float w, float h)
{
  const float middle_x = x + w * 0.5f, middle_y = y + h * 0.5f;
  if (is_mapped(it))
    return w >= h ? add_straight(it, (SDL_FPoint){x, middle_y}, (SDL_FPoint){x + w, middle_y}, h)
                  : add_straight(it, (SDL_FPoint){middle_x, y}, (SDL_FPoint){middle_x, y + h}, w);
  fit_to_pixels(&x, &w, pixels_along(it, true));
  fit_to_pixels(&y, &h, pixels_along(it, false));
  return add_area(it, x, y, w, h);
}

/* Draws from the centre of one point to the centre of the other, both ends included. */
static bool add_upright_line(graphics *it, float x1, float y1, float x2, float y2, float width)
{
  float left = fminf(x1, x2), top = fminf(y1, y2), shift = floorf((width - 1) * 0.5f);
  if (y1 == y2)
    return add_upright(it, left, top - shift, fabsf(x2 - x1) + 1, width);
  return add_upright(it, left - shift, top, width, fabsf(y2 - y1) + 1);
}

bool graphics_line(graphics *it, float x1, float y1, float x2, float y2, float width)
{
  if (x1 == x2 || y1 == y2)
    return add_upright_line(it, x1, y1, x2, y2, width);
  return add_straight(it, (SDL_FPoint){x1 + 0.5f, y1 + 0.5f}, (SDL_FPoint){x2 + 0.5f, y2 + 0.5f}, width);
}

bool graphics_rect(graphics *it, float x, float y, float w, float h, bool filled)
{
  if (w <= 0 || h <= 0)
    return true;
  if (filled || ((w <= 2 || h <= 2) && it->view.scale >= 1))
    return add_area(it, x, y, w, h);
  const float least_x = fmaxf(1, 1 / pixels_along(it, true)), least_y = fmaxf(1, 1 / pixels_along(it, false));
  return add_upright(it, x, y, w, 1) && add_upright(it, x, y + h - least_y, w, 1) &&
         add_upright(it, x, y + least_y, 1, h - 2 * least_y) &&
         add_upright(it, x + w - least_x, y + least_y, 1, h - 2 * least_y);
}

bool graphics_sprite(graphics *it, const sprite *shape, float x, float y, float angle, float radius_x, float radius_y)
{
  const float longest = fmaxf(fabsf(radius_x), fabsf(radius_y));
  const sprite_level *level = sprite_level_at(shape, longest * 2 * it->view.scale);
  float w = level->half_w * radius_x, h = level->half_h * radius_y, c = cosf(angle), s = sinf(angle);
  if (!has_room(it))
    return true;
  SDL_Vertex *v = batch_reserve(it->out, 1);
  if (!v)
    return false;
  if (angle == 0)
    batch_fill(v, &level->area, x, y, w, h, it->color);
  else
    batch_fill_turned(v, &level->area, (SDL_FPoint){x, y}, (SDL_FPoint){w * c, w * s}, (SDL_FPoint){-h * s, h * c},
                      it->color);
  return batch_commit(it->out, level->area.texture, 1);
}

/* Returns the joint of a corner: its side is as far from both of its strokes as each is wide, but in sharp corners. */
static joint corner_joint(SDL_FPoint before, SDL_FPoint at, SDL_FPoint after)
{
  const float in = hypotf(at.x - before.x, at.y - before.y), out = hypotf(after.x - at.x, after.y - at.y);
  const SDL_FPoint a = {-(at.y - before.y) / in, (at.x - before.x) / in};
  const SDL_FPoint b = {-(after.y - at.y) / out, (after.x - at.x) / out};
  const float x = a.x + b.x, y = a.y + b.y, square = x * x + y * y;
  const float factor = square > 1 ? 2 / square : 2 / sqrtf(fmaxf(square, 1e-6f));
  return (joint){at, {x * factor, y * factor}};
}

/* Strokes from the centre of one point to the next, and back to the first one. Equal neighbours are one point. */
static bool add_loop(graphics *it, const SDL_FPoint *points, int count)
{
  SDL_FPoint at[GRAPHICS_POINTS_MOST];
  int n = 0;
  for (int i = 0; i < count; i++) {
    const SDL_FPoint p = {points[i].x + 0.5f, points[i].y + 0.5f};
    if (n == 0 || p.x != at[n - 1].x || p.y != at[n - 1].y)
      at[n++] = p;
  }
  while (n > 1 && at[n - 1].x == at[0].x && at[n - 1].y == at[0].y)
    n--;
  const rows r = rows_of(it, 1);
  for (int i = 0; i < n && n > 1; i++) {
    const SDL_FPoint *from = &at[i], *to = &at[(i + 1) % n];
    if (is_stepped(it)) {
      if (!add_stepped(it, *from, *to, 0, 1))
        return false;
      continue;
    }
    const joint a = corner_joint(at[(i + n - 1) % n], *from, *to), b = corner_joint(*from, *to, at[(i + 2) % n]);
    if (!add_bar(it, &a, &b, &r))
      return false;
  }
  return true;
}

static joint ring_joint(float x, float y, float radius, float angle)
{
  const SDL_FPoint out = {cosf(angle), sinf(angle)};
  return (joint){{x + radius * out.x, y + radius * out.y}, out};
}

/* Uses as many corners as keep the line within a quarter of a pixel of the circle. */
static bool add_ring(graphics *it, float x, float y, float radius)
{
  if (is_stepped(it))
    return add_stepped(it, (SDL_FPoint){x, y}, (SDL_FPoint){x, y}, radius, 1);
  const float wanted = 4 + 4.5f * sqrtf(radius * fmaxf(it->view.scale, 1));
  const int corners = wanted < 256 ? (int)wanted : 256;
  rows r = rows_of(it, 1);
  for (int i = 0; i < 4; i++)
    r.at[i] = fmaxf(r.at[i], -radius);
  joint from = ring_joint(x, y, radius, 0);
  for (int i = 1; i <= corners; i++) {
    joint to = ring_joint(x, y, radius, TURN * (float)i / (float)corners);
    if (!add_bar(it, &from, &to, &r))
      return false;
    from = to;
  }
  return true;
}

bool graphics_circle(graphics *it, float x, float y, float radius, bool filled)
{
  if (radius <= 0)
    return true;
  if (!filled)
    return add_ring(it, x, y, radius);
  return graphics_sprite(it, sprites_disc(it->sprites), x, y, 0, radius, radius);
}

/* }== */

/* {== Filled polygons ====================================================
** A polygon is cut into bands, between the heights of neighbouring corners and of places where a side leaves the view
** at the left or right. In a band no side begins, ends or leaves: what is inside are trapezoids, in pieces that need no
** further clipping. */

#define SLACK 2.0 /* units around the view */
#define PIECE (BATCH_PIECE / 2.0)
#define HEIGHTS_MOST (3 * GRAPHICS_POINTS_MOST + 2)

typedef struct polygon {
  graphics *it;
  const SDL_FPoint *points; /* units of the view */
  int count;
  double left, top, right, bottom; /* the view */
  double piece;                    /* units */
} polygon;

/* A side in a band: x at its upper and lower edge. */
typedef struct crossing {
  double upper, lower;
} crossing;

static double between(double low, double x, double high) { return x < low ? low : x > high ? high : x; }

static double mix(double a, double b, double share) { return a + (b - a) * share; }

static double x_at(const SDL_FPoint *a, const SDL_FPoint *b, double y)
{
  return mix(a->x, b->x, (y - a->y) / ((double)b->y - a->y));
}

static int by_height(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Returns their number. */
static int find_heights(const polygon *p, double *heights)
{
  int n = 0;
  for (int i = 0; i < p->count; i++) {
    const SDL_FPoint *a = &p->points[i], *b = &p->points[(i + 1) % p->count];
    const double edges[] = {p->left, p->right};
    heights[n++] = between(p->top, a->y, p->bottom);
    for (int k = 0; k < 2; k++)
      if ((a->x < edges[k]) != (b->x < edges[k]))
        heights[n++] = between(p->top, mix(a->y, b->y, (edges[k] - a->x) / ((double)b->x - a->x)), p->bottom);
  }
  qsort(heights, (size_t)n, sizeof *heights, by_height);
  return n;
}

/* Finds the sides in a band, from left to right. Returns their number. */
static int find_crossings(const polygon *p, double upper, double lower, crossing *found)
{
  int n = 0;
  for (int i = 0; i < p->count; i++) {
    const SDL_FPoint *a = &p->points[i], *b = &p->points[(i + 1) % p->count];
    const double middle = (upper + lower) / 2;
    if ((a->y < middle) == (b->y < middle))
      continue;
    const crossing c = {between(p->left, x_at(a, b, upper), p->right), between(p->left, x_at(a, b, lower), p->right)};
    int k = n++;
    for (; k > 0 && found[k - 1].upper + found[k - 1].lower > c.upper + c.lower; k--)
      found[k] = found[k - 1];
    found[k] = c;
  }
  return n;
}

/* Draws a piece of a trapezoid: from share `s0` to `s1` of its width, `t0` to `t1` of its height. */
static bool add_piece(const polygon *p, const crossing *a, const crossing *b, double upper, double lower,
                      const double s[2], const double t[2])
{
  const batch_area white = sprites_white(p->it->sprites);
  SDL_Vertex *v = has_room(p->it) ? batch_reserve(p->it->out, 1) : NULL;
  if (!v)
    return p->it->quads_left == 0;
  for (int i = 0; i < 4; i++) {
    const double across = s[i == 1 || i == 2], down = t[i >= 2];
    batch_vertex(v + i, (float)mix(mix(a->upper, a->lower, down), mix(b->upper, b->lower, down), across),
                 (float)mix(upper, lower, down), p->it->color, white.u0, white.v0);
  }
  return batch_commit(p->it->out, white.texture, 1);
}

static bool add_trapezoid(const polygon *p, const crossing *a, const crossing *b, double upper, double lower)
{
  const double widest = fmax(b->upper, b->lower) - fmin(a->upper, a->lower);
  const int columns = (int)fmax(1, ceil(widest / p->piece)), lines = (int)fmax(1, ceil((lower - upper) / p->piece));
  bool fine = true;
  for (int i = 0; i < columns * lines && fine && (b->upper > a->upper || b->lower > a->lower); i++) {
    const int x = i % columns, y = i / columns;
    const double s[] = {(double)x / columns, (double)(x + 1) / columns};
    const double t[] = {(double)y / lines, (double)(y + 1) / lines};
    fine = add_piece(p, a, b, upper, lower, s, t);
  }
  return fine;
}

static bool fill_polygon(const polygon *p)
{
  double heights[HEIGHTS_MOST];
  crossing found[GRAPHICS_POINTS_MOST];
  const int count = find_heights(p, heights);
  bool fine = true;
  for (int i = 0; i + 1 < count && fine && p->it->quads_left > 0; i++) {
    const double upper = heights[i], lower = heights[i + 1];
    if (!(lower > upper))
      continue;
    const int sides = find_crossings(p, upper, lower, found);
    p->it->quads_left--; /* looking for sides takes time, also where nothing is seen */
    for (int k = 0; k + 1 < sides && fine; k += 2)
      fine = add_trapezoid(p, &found[k], &found[k + 1], upper, lower);
  }
  return fine;
}

bool graphics_polygon(graphics *it, const SDL_FPoint *points, int count, bool filled)
{
  SDL_FPoint seen[GRAPHICS_POINTS_MOST];
  if (!filled)
    return add_loop(it, points, count);
  const view_map map = it->below ? view_world_map(it->world) : (view_map){1, 0, 0, 1, 0, 0};
  const float pixels = it->below ? view_pixels(it->world) : it->view.scale;
  const polygon p = {it, seen, count, -SLACK, -SLACK, it->view.width + SLACK, it->view.height + SLACK, PIECE / pixels};
  for (int i = 0; i < count; i++)
    seen[i] = view_apply(&map, points[i].x, points[i].y);
  if (it->below)
    finish_quads(it); /* those before it: these are where the camera sees them */
  bool fine = fill_polygon(&p);
  if (it->below)
    it->first = it->out->quads;
  return fine;
}

/* }== */

/* {== Clipping and effects =============================================== */

void graphics_clip(graphics *it, const SDL_FRect *area)
{
  it->out->clipped = area != NULL;
  if (!area)
    return;
  const float right = fminf(area->x + area->w, it->view.width), bottom = fminf(area->y + area->h, it->view.height);
  it->out->clip = (SDL_FRect){fmaxf(area->x, 0), fmaxf(area->y, 0), 0, 0};
  it->out->clip.w = fmaxf(right - it->out->clip.x, 0);
  it->out->clip.h = fmaxf(bottom - it->out->clip.y, 0);
}

/* Adds a quad over an area of the view; the other corners than `dark`, from 0, are clear, unless that is below 0. The
   quad begins at the dark corner: both of its triangles must have it. */
static bool add_veil(graphics *it, batch_blend blend, const SDL_FRect *area, SDL_Color color, int dark)
{
  const batch_area white = sprites_white(it->sprites);
  SDL_Vertex *v = has_room(it) ? batch_reserve(it->out, 1) : NULL;
  if (!v)
    return it->quads_left == 0;
  for (int i = 0; i < 4; i++) {
    const int corner = dark < 0 ? i : (i + dark) % 4;
    const bool right = corner == 1 || corner == 2, lower = corner >= 2;
    SDL_Color shade = color;
    shade.a = dark < 0 || i == 0 ? color.a : 0;
    batch_vertex(v + i, area->x + (right ? area->w : 0), area->y + (lower ? area->h : 0), shade,
                 right ? white.u1 : white.u0, lower ? white.v1 : white.v0);
  }
  return batch_commit_as(it->out, white.texture, blend, 1);
}

/* Dark lines, a third of the picture, and corners that fade to black. */
static bool add_crt(graphics *it, float amount, float pixels)
{
  const float w = it->view.width, h = it->view.height;
  const float step = fmaxf(3, roundf(pixels)), thick = floorf(step / 3);
  const SDL_Color line = {0, 0, 0, batch_channel(amount * 0.5f)}, corner = {0, 0, 0, batch_channel(amount * 0.7f)};
  bool fine = true;
  for (float y = step - thick; y < h * pixels && fine; y += step)
    fine = add_veil(it, BATCH_AS_TEXTURE, &(SDL_FRect){0, (y + 1 / 64.0f) / pixels, w, (thick + 1 / 64.0f) / pixels},
                    line, -1);
  for (int i = 0; i < 4 && fine; i++) {
    const SDL_FRect quarter = {i == 1 || i == 2 ? w / 2 : 0, i >= 2 ? h / 2 : 0, w / 2, h / 2};
    fine = add_veil(it, BATCH_AS_TEXTURE, &quarter, corner, i);
  }
  return fine;
}

bool graphics_add_effect(graphics *it, graphics_effect effect, float amount, SDL_Color color)
{
  const float left = 1 - amount;
  const SDL_FRect all = {0, 0, it->view.width, it->view.height};
  bool fine;
  if (it->below)
    finish_quads(it); /* those before it: an effect is in the view */
  if (effect == EFFECT_CRT) {
    fine = add_crt(it, amount, it->below ? view_pixels(it->world) : it->view.scale);
  } else if (effect == EFFECT_FLASH) {
    color.a = batch_channel(amount);
    fine = add_veil(it, BATCH_AS_TEXTURE, &all, color, -1);
  } else {
    const SDL_Color tint = batch_color(left + amount * (float)color.r / 255, left + amount * (float)color.g / 255,
                                       left + amount * (float)color.b / 255, 1);
    fine = add_veil(it, BATCH_MULTIPLY, &all, tint, -1);
  }
  if (it->below)
    it->first = it->out->quads;
  return fine;
}

/* }== */

/* Returns how much of a text may still be drawn: its first letters. */
static size_t shown_length(graphics *it, const char *s, size_t length)
{
  const char *end = s + (length < GRAPHICS_TEXT_MOST ? length : GRAPHICS_TEXT_MOST), *at = s;
  while (at < end && it->letters_left > 0) {
    sp_utf8_next(&at, end);
    it->letters_left--;
  }
  it->has_left_out |= (size_t)(at - s) < length;
  return (size_t)(at - s);
}

void graphics_write(graphics *it, float x, float y, const text_style *how, const char *s, size_t length)
{
  if (text_is_drawn(it->text))
    text_draw(it->text, it->out, x, y, how, s, shown_length(it, s, length));
}
