/*
** Vertices are SDL's own struct, interleaved, filled in place; indices are written once per growth.
**
** Clipping: a quad is a parallelogram, or close to one, of one colour; its alpha may change from side to side. The
** corners of the view, in coordinates along two of its sides, bound the part of it that is seen; the part of a slanted
** quad is cut into pieces along the same sides.
*/
#include "demo/draw/batch.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 1024 /* quads */
#define FIRST_RUNS 16
#define MOST_QUADS ((size_t)INT32_MAX / 8) /* SDL counts indices in an int */

/* {== The list of quads ================================================== */

void batch_free(batch *b)
{
  free(b->vertices);
  free(b->indices);
  free(b->runs);
  if (b->spare)
    batch_free(b->spare);
  free(b->spare);
  memset(b, 0, sizeof *b);
}

void batch_clear(batch *b)
{
  b->quads = 0;
  b->run_count = 0;
}

static const int quad_indices[6] = {0, 1, 2, 0, 2, 3};

static void write_indices(int *indices, size_t from, size_t to)
{
  for (size_t i = from * 6; i < to * 6; i++)
    indices[i] = (int)(i / 6 * 4) + quad_indices[i % 6];
}

static bool grow(batch *b, size_t room)
{
  SDL_Vertex *vertices = realloc(b->vertices, room * 4 * sizeof *vertices);
  int *indices;
  if (!vertices)
    return false;
  b->vertices = vertices;
  indices = realloc(b->indices, room * 6 * sizeof *indices);
  if (!indices)
    return false;
  b->indices = indices;
  write_indices(indices, b->room, room);
  b->room = room;
  return true;
}

SDL_Vertex *batch_reserve(batch *b, size_t quads)
{
  if (quads > MOST_QUADS - b->quads)
    return NULL;
  if (b->quads + quads > b->room) {
    size_t room = b->room ? b->room * 2 : FIRST_ROOM;
    if (room < b->quads + quads)
      room = b->quads + quads;
    if (!grow(b, room))
      return NULL;
  }
  return b->vertices + b->quads * 4;
}

/* Adds quads that are drawn like a run. */
static bool commit(batch *b, const batch_run *like, size_t quads)
{
  const batch_run *last = b->run_count > 0 ? &b->runs[b->run_count - 1] : NULL;
  if (quads == 0)
    return true;
  if (!last || last->texture != like->texture || last->blend != like->blend ||
      memcmp(&last->clip, &like->clip, sizeof last->clip) != 0) {
    if (b->run_count == b->run_room) {
      size_t room = b->run_room ? b->run_room * 2 : FIRST_RUNS;
      batch_run *runs = realloc(b->runs, room * sizeof *runs);
      if (!runs)
        return false;
      b->runs = runs;
      b->run_room = room;
    }
    b->runs[b->run_count++] = (batch_run){like->texture, b->quads, 0, like->blend, like->clip};
  }
  b->runs[b->run_count - 1].count += quads;
  b->quads += quads;
  return true;
}

bool batch_commit_as(batch *b, SDL_Texture *texture, batch_blend blend, size_t quads)
{
  const SDL_FRect all = {0, 0, -1, -1};
  return commit(b, &(batch_run){texture, 0, 0, blend, b->clipped ? b->clip : all}, quads);
}

bool batch_commit(batch *b, SDL_Texture *texture, size_t quads)
{
  return batch_commit_as(b, texture, BATCH_AS_TEXTURE, quads);
}

bool batch_rect(batch *b, const batch_area *area, float x, float y, float w, float h, SDL_Color color)
{
  SDL_Vertex *v = batch_reserve(b, 1);
  if (!v)
    return false;
  batch_fill(v, area, x + w * 0.5f, y + h * 0.5f, w * 0.5f, h * 0.5f, color);
  return batch_commit(b, area->texture, 1);
}

bool batch_append_from(batch *b, const batch *from, size_t first)
{
  for (size_t i = 0; i < from->run_count; i++) {
    const batch_run *run = &from->runs[i];
    size_t skipped = first > run->first ? first - run->first : 0;
    if (skipped >= run->count)
      continue;
    size_t count = run->count - skipped;
    SDL_Vertex *v = batch_reserve(b, count);
    if (!v)
      return false;
    memcpy(v, from->vertices + (run->first + skipped) * 4, count * 4 * sizeof *v);
    if (!commit(b, run, count))
      return false;
  }
  return true;
}

void batch_cut(batch *b, size_t quads)
{
  while (b->run_count > 0 && b->runs[b->run_count - 1].first >= quads)
    b->run_count--;
  if (b->run_count > 0)
    b->runs[b->run_count - 1].count = quads - b->runs[b->run_count - 1].first;
  b->quads = quads;
}

/* }== */

/* {== Choosing what to clip ============================================== */

#define SLACK 2.0      /* units around the view: what is cut off is not seen */
#define PIECES_MOST 64 /* along a side: enough for views of 16384 pixels */

typedef struct box {
  double left, top, right, bottom;
} box;

static bool is_upright(const SDL_Vertex *v)
{
  return v[0].position.x == v[3].position.x && v[1].position.x == v[2].position.x &&
         v[0].position.y == v[1].position.y && v[2].position.y == v[3].position.y;
}

static box bounds_of(const SDL_Vertex *v)
{
  box a = {v->position.x, v->position.y, v->position.x, v->position.y};
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

/* The view: 0, 0 .. width, height in units of `scale` pixels. */
typedef struct clip_view {
  float width, height, scale;
} clip_view;

/* Returns whether a quad may be drawn as it is. */
static bool fits(const SDL_Vertex *v, const clip_view *c)
{
  const box a = bounds_of(v);
  const double most = BATCH_PIECE / c->scale, w = c->width, h = c->height;
  return is_finite(v) && a.left >= -w && a.top >= -h && a.right <= 2 * w && a.bottom <= 2 * h &&
         (is_upright(v) || (a.right - a.left <= most && a.bottom - a.top <= most));
}

/* }== */

/* {== Clipping =========================================================== */

static double clamp(double x, double least, double most) { return x < least ? least : x > most ? most : x; }

/* A part of a quad, which is a parallelogram: `s` goes from 0 to 1 along its upper side, `t` along its left one. */
typedef struct part {
  double s0, s1, t0, t1;
} part;

/* Returns the smallest part that contains what is seen of the quad. Empty when the quad has no area. */
static part seen_part(const SDL_Vertex *v, const box *view)
{
  const double x0 = v->position.x, y0 = v->position.y;
  const double ax = v[1].position.x - x0, ay = v[1].position.y - y0, bx = v[3].position.x - x0,
               by = v[3].position.y - y0, area = ax * by - ay * bx;
  part p = {1, 0, 1, 0};
  for (int i = 0; i < 4 && area != 0; i++) {
    const double dx = (i % 2 ? view->right : view->left) - x0, dy = (i < 2 ? view->top : view->bottom) - y0;
    const double s = clamp((dx * by - dy * bx) / area, 0, 1), t = clamp((ax * dy - ay * dx) / area, 0, 1);
    p = (part){fmin(p.s0, s), fmax(p.s1, s), fmin(p.t0, t), fmax(p.t1, t)};
  }
  return p;
}

static float between(double corner, double across, double down, double s, double t)
{
  return (float)(corner + (across - corner) * s + (down - corner) * t);
}

static Uint8 channel_between(Uint8 corner, Uint8 across, Uint8 down, double s, double t)
{
  return (Uint8)(clamp((double)between(corner, across, down, s, t), 0, 255) + 0.5);
}

static void fill_part(SDL_Vertex *to, const SDL_Vertex *v, const part *p)
{
  const SDL_Vertex *a = v + 1, *b = v + 3;
  for (int i = 0; i < 4; i++) {
    const double s = i == 0 || i == 3 ? p->s0 : p->s1, t = i < 2 ? p->t0 : p->t1;
    SDL_Color color = v->color;
    color.a = channel_between(color.a, a->color.a, b->color.a, s, t);
    batch_vertex(to + i, between(v->position.x, a->position.x, b->position.x, s, t),
                 between(v->position.y, a->position.y, b->position.y, s, t), color,
                 between(v->tex_coord.x, a->tex_coord.x, b->tex_coord.x, s, t),
                 between(v->tex_coord.y, a->tex_coord.y, b->tex_coord.y, s, t));
  }
}

/* Returns into how many pieces `share` of the side between two corners is cut. */
static int count_pieces(const SDL_Vertex *from, const SDL_Vertex *to, double share, double most)
{
  const double x = (double)to->position.x - from->position.x, y = (double)to->position.y - from->position.y;
  return (int)clamp(ceil(hypot(x, y) * share / most), 1, PIECES_MOST);
}

static bool overlap(const box *a, const box *b)
{
  return a->left < b->right && a->right > b->left && a->top < b->bottom && a->bottom > b->top;
}

/* Adds the part of a quad that is seen, in pieces if it is slanted. Pieces that are still too large are left out: only
   quads that rounding has made very thin have such. */
static bool add_seen(batch *out, const batch_run *run, const SDL_Vertex *v, const box *view, const clip_view *c)
{
  const part all = seen_part(v, view);
  const double s = all.s1 - all.s0, t = all.t1 - all.t0, most = (double)(BATCH_PIECE / c->scale) / 2;
  const bool whole = is_upright(v);
  const int columns = whole ? 1 : count_pieces(v, v + 1, s, most), rows = whole ? 1 : count_pieces(v, v + 3, t, most);
  for (int i = 0; i < columns * rows && s > 0 && t > 0; i++) {
    const int x = i % columns, y = i / columns;
    const part p = {all.s0 + s * x / columns, all.s0 + s * (x + 1) / columns, all.t0 + t * y / rows,
                    all.t0 + t * (y + 1) / rows};
    SDL_Vertex *to = batch_reserve(out, 1);
    if (!to)
      return false;
    fill_part(to, v, &p);
    const box b = bounds_of(to);
    if (overlap(&b, view) && (whole || fits(to, c)) && !commit(out, run, 1))
      return false;
  }
  return true;
}

/* Adds the quads of `from` again. */
static bool add_all(batch *out, const batch *from, const clip_view *c)
{
  const box view = {-SLACK, -SLACK, c->width + SLACK, c->height + SLACK};
  bool fine = true;
  for (size_t r = 0; r < from->run_count; r++) {
    const batch_run *run = &from->runs[r];
    for (size_t i = run->first; i < run->first + run->count && fine; i++) {
      const SDL_Vertex *v = from->vertices + i * 4;
      if (fits(v, c)) {
        SDL_Vertex *to = batch_reserve(out, 1);
        fine = to && memcpy(to, v, 4 * sizeof *v) && commit(out, run, 1);
      } else if (is_finite(v)) {
        fine = add_seen(out, run, v, &view, c);
      }
    }
  }
  return fine;
}

bool batch_clip(batch *b, size_t first, float width, float height, float scale)
{
  const clip_view c = {width, height, scale};
  size_t fitting = first;
  while (fitting < b->quads && fits(b->vertices + fitting * 4, &c))
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
  fine = fine && add_all(b, b->spare, &c);
  if (!fine)
    batch_cut(b, first);
  return fine;
}

/* }== */

/* {== Drawing ============================================================
** SDL's own scale stays 1: SDL2 applies it to the viewport and the clip rectangle when they are set, SDL3 when
*something
** is drawn. Positions become pixels here, on their way into SDL, which copies what it is given. */

#define CHUNK_QUADS 256 /* scaled at a time */
#define NUDGE (1 / 64.0f)

/* The part of a corner that is not its colour. 16 bytes, as many as a colour has in SDL3, whose software renderer reads
   texture coordinates by the stride of colours. */
typedef struct corner {
  SDL_FPoint at; /* pixels */
  SDL_FPoint uv;
} corner;

static_assert(sizeof(corner) == 16, "SDL3's software renderer reads corners of 16 bytes");

typedef struct target {
  SDL_Renderer *renderer;
  float across, down; /* pixels per unit */
  bool software;      /* SDL's software renderer */
} target;

/* SDL's software renderer draws a quad as a rectangle if corners are equal and have one color. It drops the fractions
*of
** its position and of its size, and of positions of other corners. So it is decided here, in units, what is a
*rectangle:
** a size that has lost something by the sum with a position would be a pixel too small, and corners of slanted quads
** may be rounded to equal positions. */

static bool is_rectangle(const SDL_Vertex *v)
{
  return is_upright(v) && memcmp(&v[0].color, &v[1].color, sizeof v->color) == 0 &&
         memcmp(&v[0].color, &v[2].color, sizeof v->color) == 0 &&
         memcmp(&v[0].color, &v[3].color, sizeof v->color) == 0;
}

/* Returns the pixels of the higher edge of a side of a rectangle: half a pixel more than SDL draws. */
static float higher_edge(float low, float high, float scale)
{
  return low * scale + truncf((high - low) * scale) + 0.5f;
}

static void scale_side(float from, float to, float scale, float pixels[2])
{
  pixels[0] = from <= to ? from * scale : higher_edge(to, from, scale);
  pixels[1] = from <= to ? higher_edge(from, to, scale) : to * scale;
}

static void move_rectangle(const target *t, const SDL_Vertex *v, corner *to)
{
  float x[2], y[2];
  scale_side(v[0].position.x, v[2].position.x, t->across, x);
  scale_side(v[0].position.y, v[2].position.y, t->down, y);
  for (int i = 0; i < 4; i++)
    to[i].at = (SDL_FPoint){x[i == 1 || i == 2], y[i / 2]};
}

/* Moves a position within its pixel. */
static float nudged(float at)
{
  const float outwards = copysignf(NUDGE, at);
  return fabsf(at - truncf(at)) < 0.5f ? at + outwards : at - outwards;
}

static void scale_quad(const target *t, const SDL_Vertex *v, corner *to)
{
  for (int i = 0; i < 4; i++) {
    to[i].at = (SDL_FPoint){v[i].position.x * t->across, v[i].position.y * t->down};
    to[i].uv = v[i].tex_coord;
  }
  if (t->software && is_rectangle(v))
    move_rectangle(t, v, to);
  else if (t->software) /* the first corner always counts */
    to->at = (SDL_FPoint){nudged(to->at.x), nudged(to->at.y)};
}

static bool play_quads(const target *t, SDL_Texture *texture, const SDL_Vertex *v, const int *indices, size_t quads)
{
  corner corners[CHUNK_QUADS * 4];
  const int stride = (int)sizeof *corners;
  bool fine = true;
  for (size_t count; quads > 0; v += count * 4, quads -= count) {
    count = quads < CHUNK_QUADS ? quads : CHUNK_QUADS;
    for (size_t i = 0; i < count; i++)
      scale_quad(t, v + i * 4, corners + i * 4);
    fine &=
        SDL_RenderGeometryRaw(t->renderer, texture, &corners->at.x, stride, &v->color, (int)sizeof *v, &corners->uv.x,
                              stride, (int)count * 4, indices, (int)count * 6, (int)sizeof *indices) == 0;
  }
  return fine;
}

/* }== */

/* {== Mirrored quads =====================================================
** SDL's software renderer draws upright quads as rectangles, and loses rows and columns of those that are mirrored in
** one direction. These are drawn here in strips of one column or row of the texture. */

typedef enum mirroring { NOT_MIRRORED, MIRRORED_ACROSS, MIRRORED_DOWN } mirroring;

static mirroring mirroring_of(const SDL_Vertex *v)
{
  const bool across = v[0].position.x > v[1].position.x, down = v[0].position.y > v[3].position.y;
  return across == down || !is_upright(v) ? NOT_MIRRORED : across ? MIRRORED_ACROSS : MIRRORED_DOWN;
}

/* Draws a strip: `edges` on the screen are whole pixels, `shown` is what it shows of the texture. */
static bool play_strip(const target *t, SDL_Texture *texture, const SDL_Vertex *v, bool across, const float edges[2],
                       const float shown[2])
{
  const SDL_Vertex *low = &v[across ? 1 : 3], *high = &v[across ? 3 : 1];
  const float begin = edges[0] + NUDGE, end = edges[1] + 2 * NUDGE;
  const target pixels = {t->renderer, 1, 1, t->software};
  SDL_Vertex strip[4];
  batch_vertex(strip, across ? begin : low->position.x * t->across, across ? low->position.y * t->down : begin,
               v->color, across ? shown[0] : v->tex_coord.x, across ? v->tex_coord.y : shown[0]);
  batch_vertex(strip + 2, across ? end : high->position.x * t->across, across ? high->position.y * t->down : end,
               v->color, across ? shown[1] : high->tex_coord.x, across ? high->tex_coord.y : shown[1]);
  batch_vertex(strip + 1, strip[2].position.x, strip[0].position.y, v->color, strip[2].tex_coord.x,
               strip[0].tex_coord.y);
  batch_vertex(strip + 3, strip[0].position.x, strip[2].position.y, v->color, strip[0].tex_coord.x,
               strip[2].tex_coord.y);
  return play_quads(&pixels, texture, strip, quad_indices, 1);
}

static bool play_mirrored(const target *t, SDL_Texture *texture, const SDL_Vertex *v, bool across)
{
  int wide = 0, high = 0;
  SDL_QueryTexture(texture, NULL, NULL, &wide, &high);
  const float scale = across ? t->across : t->down, texels = (float)(across ? wide : high);
  const float u0 = across ? v[0].tex_coord.x : v[0].tex_coord.y, u1 = across ? v[1].tex_coord.x : v[3].tex_coord.y;
  const float first = roundf((across ? v[1].position.x : v[3].position.y) * scale);
  const float pixels = fmaxf(roundf((across ? v[0].position.x : v[0].position.y) * scale) - first, 1);
  const float lines = fmaxf(roundf((u1 - u0) * texels), 1), count = fminf(lines, pixels);
  bool fine = true;
  for (float i = 0; i < count && fine; i++) {
    const float line = floorf((count - 1 - i) * lines / count);
    const float edges[] = {first + roundf(i * pixels / count), first + roundf((i + 1) * pixels / count)};
    const float shown[] = {u0 + line / texels, u0 + (line + 1) / texels};
    fine = play_strip(t, texture, v, across, edges, shown);
  }
  return fine;
}

/* Draws a run by the software renderer. */
static bool play_software(const target *t, const batch *b, const batch_run *run)
{
  const SDL_Vertex *v = b->vertices + run->first * 4;
  bool fine = true;
  for (size_t at = 0, next; at < run->count; at = next) {
    mirroring how = NOT_MIRRORED;
    for (next = at; next < run->count && how == NOT_MIRRORED; next++)
      how = mirroring_of(v + next * 4);
    fine &= play_quads(t, run->texture, v + at * 4, b->indices, next - at - (how != NOT_MIRRORED));
    if (how != NOT_MIRRORED)
      fine &= play_mirrored(t, run->texture, v + (next - 1) * 4, how == MIRRORED_ACROSS);
  }
  return fine;
}

/* }== */

/* {== Runs =============================================================== */

/* Clips in whole pixels. */
static void clip_to(const target *t, const SDL_FRect *clip)
{
  const int left = (int)roundf(clip->x * t->across), top = (int)roundf(clip->y * t->down);
  const SDL_Rect pixels = {left, top, (int)roundf((clip->x + clip->w) * t->across) - left,
                           (int)roundf((clip->y + clip->h) * t->down) - top};
  SDL_RenderSetClipRect(t->renderer, clip->w < 0 ? NULL : &pixels);
}

static bool play_run(const target *t, const batch *b, const batch_run *run)
{
  static const SDL_BlendMode modes[] = {[BATCH_ADD] = SDL_BLENDMODE_ADD, [BATCH_MULTIPLY] = SDL_BLENDMODE_MOD};
  SDL_BlendMode mode = SDL_BLENDMODE_BLEND; /* SDL keeps the one of each run until it is drawn */
  if (run->blend != BATCH_AS_TEXTURE && SDL_GetTextureBlendMode(run->texture, &mode) == 0)
    SDL_SetTextureBlendMode(run->texture, modes[run->blend]);
  bool fine = t->software ? play_software(t, b, run)
                          : play_quads(t, run->texture, b->vertices + run->first * 4, b->indices, run->count);
  if (run->blend != BATCH_AS_TEXTURE)
    SDL_SetTextureBlendMode(run->texture, mode);
  return fine;
}

bool batch_play(const batch *b, SDL_Renderer *renderer, float across, float down)
{
  SDL_RendererInfo info;
  const bool software = SDL_GetRendererInfo(renderer, &info) == 0 && info.flags & SDL_RENDERER_SOFTWARE;
  const target t = {renderer, across, down, software};
  const SDL_FRect all = {0, 0, -1, -1}, *clip = &all;
  bool fine = true;
  for (size_t i = 0; i < b->run_count; i++) {
    const batch_run *run = &b->runs[i];
    if (memcmp(clip, &run->clip, sizeof *clip) != 0)
      clip_to(&t, clip = &run->clip);
    fine &= play_run(&t, b, run);
  }
  if (clip->w >= 0)
    clip_to(&t, &all);
  return fine;
}

/* }== */
