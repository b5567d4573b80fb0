/*
** Vertices are SDL's own struct, interleaved, filled in place; indices are written once per growth.
**
** Clipping: a quad is a parallelogram of one colour, so a point on an edge has coordinates of the texture in between.
** Slanted ones are cut along a grid by Sutherland and Hodgman's algorithm, side after side, and drawn as fans.
**
** OpenGL: SDL draws one triangle without area and flushes it. After that OpenGL is in the state for drawing this
** texture, and client arrays are off, as SDL guarantees: texture, blending, shader and viewport are SDL's. State that
** is changed here is pushed first and popped afterwards, so that the state that SDL caches stays valid.
*/
#include "demo/draw/batch.h"

#include <SDL_opengl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 1024 /* quads */
#define FIRST_RUNS 16
#define MOST_QUADS ((size_t)INT32_MAX / 8) /* SDL counts indices in an int */
#define GL_LEAST 64                        /* quads: SDL draws shorter runs as fast, combined with others */

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

bool batch_commit(batch *b, SDL_Texture *texture, size_t quads)
{
  if (quads == 0)
    return true;
  if (b->run_count == 0 || b->runs[b->run_count - 1].texture != texture) {
    if (b->run_count == b->run_room) {
      size_t room = b->run_room ? b->run_room * 2 : FIRST_RUNS;
      batch_run *runs = realloc(b->runs, room * sizeof *runs);
      if (!runs)
        return false;
      b->runs = runs;
      b->run_room = room;
    }
    b->runs[b->run_count++] = (batch_run){texture, b->quads, 0};
  }
  b->runs[b->run_count - 1].count += quads;
  b->quads += quads;
  return true;
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
    if (!batch_commit(b, run->texture, count))
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

/* Returns whether a quad may be drawn as it is. */
static bool fits(const SDL_Vertex *v, float width, float height, float scale)
{
  const box a = bounds_of(v);
  const double most = BATCH_PIECE / scale;
  return is_finite(v) && a.left >= -width && a.top >= -height && a.right <= 2 * width && a.bottom <= 2 * height &&
         (is_upright(v) || (a.right - a.left <= most && a.bottom - a.top <= most));
}

/* }== */

/* {== Clipping ===========================================================  */

static double clamp(double x, double least, double most) { return x < least ? least : x > most ? most : x; }

/* Moves an end of a span from a to b into a range; returns how far along it is now, from 0 to 1. */
static double cut_end(double end, double a, double b, double least, double most)
{
  return b == a ? 0 : (clamp(end, least, most) - a) / (b - a);
}

/* The part of an upright quad in the view is one again, and has the same corners first. */
static bool add_upright(batch *out, SDL_Texture *texture, const SDL_Vertex *v, const box *view)
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
static double depth_of(const corner *c, const box *a, int side)
{
  return side == 0 ? c->x - a->left : side == 1 ? a->right - c->x : side == 2 ? c->y - a->top : a->bottom - c->y;
}

static polygon cut_side(const polygon *p, const box *a, int side)
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

static polygon cut(polygon p, const box *a)
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
static bool add_aslant(batch *out, SDL_Texture *texture, const SDL_Vertex *v, const box *view, double side)
{
  const box reach = bounds_of(v);
  polygon quad = {.count = 4};
  for (int i = 0; i < 4; i++)
    quad.at[i] = (corner){v[i].position.x, v[i].position.y, v[i].tex_coord.x, v[i].tex_coord.y};
  const double left = fmax(reach.left, view->left), right = fmin(reach.right, view->right);
  const double top = fmax(reach.top, view->top), bottom = fmin(reach.bottom, view->bottom);
  for (double y = top; y < bottom; y += side)
    for (double x = left; x < right; x += side) {
      const box cell = {x, y, fmin(x + side, right), fmin(y + side, bottom)};
      const polygon part = cut(quad, &cell);
      if (!add_polygon(out, texture, &part, v->color))
        return false;
    }
  return true;
}

/* Adds the quads of `from` again. */
static bool add_all(batch *out, const batch *from, float width, float height, float scale)
{
  const box view = {-SLACK, -SLACK, width + SLACK, height + SLACK};
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
                             : add_aslant(out, run->texture, v, &view, (double)(BATCH_PIECE / scale));
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

/* }== */

/* {== Drawing ============================================================ */

#define WINDOW_DATA "spawnpool.gl_quads"
#define CHUNK_QUADS 16384 /* most quads that 16-bit indices can address */

/* name, result, parameters */
#define FUNCTIONS(X)                                                                                                   \
  X(PushAttrib, void, (GLbitfield))                                                                                    \
  X(PopAttrib, void, (void))                                                                                           \
  X(PushClientAttrib, void, (GLbitfield))                                                                              \
  X(PopClientAttrib, void, (void))                                                                                     \
  X(MatrixMode, void, (GLenum))                                                                                        \
  X(PushMatrix, void, (void))                                                                                          \
  X(PopMatrix, void, (void))                                                                                           \
  X(Scalef, void, (GLfloat, GLfloat, GLfloat))                                                                         \
  X(GetIntegerv, void, (GLenum, GLint *))                                                                              \
  X(EnableClientState, void, (GLenum))                                                                                 \
  X(VertexPointer, void, (GLint, GLenum, GLsizei, const void *))                                                       \
  X(ColorPointer, void, (GLint, GLenum, GLsizei, const void *))                                                        \
  X(TexCoordPointer, void, (GLint, GLenum, GLsizei, const void *))                                                     \
  X(DrawRangeElements, void, (GLenum, GLuint, GLuint, GLsizei, GLenum, const void *))

typedef struct gl_quads {
#define MEMBER(name, result, parameters) result(APIENTRY *name) parameters;
  FUNCTIONS(MEMBER)
#undef MEMBER
  Uint16 indices[CHUNK_QUADS * 6];
} gl_quads;

/* Returns what batch_open_gl attached to the renderer's window, or NULL. */
static const gl_quads *gl_of(SDL_Renderer *renderer)
{
  SDL_Window *window = SDL_RenderGetWindow(renderer);
  return window ? SDL_GetWindowData(window, WINDOW_DATA) : NULL;
}

static void draw_chunk(const gl_quads *it, const SDL_Vertex *v, size_t quads)
{
  it->VertexPointer(2, GL_FLOAT, sizeof *v, &v->position);
  it->ColorPointer(4, GL_UNSIGNED_BYTE, sizeof *v, &v->color);
  it->TexCoordPointer(2, GL_FLOAT, sizeof *v, &v->tex_coord);
  it->DrawRangeElements(GL_TRIANGLES, 0, (GLuint)(quads * 4 - 1), (GLsizei)(quads * 6), GL_UNSIGNED_SHORT, it->indices);
}

/* Draws quads after everything that SDL was given before. False when SDL refuses; nothing is drawn then. */
static bool draw_by_gl(const gl_quads *it, SDL_Renderer *renderer, SDL_Texture *texture, const SDL_Vertex *vertices,
                       size_t quads)
{
  static const SDL_Vertex nothing[3];
  float across, down;
  if (SDL_RenderGeometry(renderer, texture, nothing, 3, NULL, 0) != 0 || SDL_RenderFlush(renderer) != 0)
    return false;
  SDL_RenderGetScale(renderer, &across, &down);
  it->PushAttrib(GL_CURRENT_BIT | GL_TRANSFORM_BIT);
  it->PushClientAttrib(GL_CLIENT_VERTEX_ARRAY_BIT);
  it->MatrixMode(GL_MODELVIEW);
  it->PushMatrix();
  it->Scalef(across, down, 1);
  it->EnableClientState(GL_VERTEX_ARRAY);
  it->EnableClientState(GL_COLOR_ARRAY);
  it->EnableClientState(GL_TEXTURE_COORD_ARRAY);
  for (size_t at = 0; at < quads; at += CHUNK_QUADS)
    draw_chunk(it, vertices + at * 4, quads - at < CHUNK_QUADS ? quads - at : CHUNK_QUADS);
  it->PopMatrix();
  it->PopClientAttrib();
  it->PopAttrib();
  return true;
}

static bool play_run(const batch *b, const batch_run *run, SDL_Renderer *renderer)
{
  const SDL_Vertex *v = b->vertices + run->first * 4;
  int stride = (int)sizeof *v;
  return SDL_RenderGeometryRaw(renderer, run->texture, &v->position.x, stride, &v->color, stride, &v->tex_coord.x,
                               stride, (int)run->count * 4, b->indices, (int)run->count * 6,
                               (int)sizeof *b->indices) == 0;
}

bool batch_play(const batch *b, SDL_Renderer *renderer)
{
  const gl_quads *gl = gl_of(renderer);
  bool fine = true;
  for (size_t i = 0; i < b->run_count; i++) {
    const batch_run *run = &b->runs[i];
    fine &= gl && run->count >= GL_LEAST
                ? draw_by_gl(gl, renderer, run->texture, b->vertices + run->first * 4, run->count)
                : play_run(b, run, renderer);
  }
  return fine;
}

/* }== */

/* {== The test picture of OpenGL ========================================= */

#define SIDE 64
#define TEST_QUADS 9

typedef struct picture_test {
  SDL_Texture *target, *texture;
  SDL_Vertex quads[TEST_QUADS * 4];
  Uint32 pixels[2][SIDE * SIDE]; /* by SDL, by OpenGL */
} picture_test;

static bool open_textures(picture_test *t, SDL_Renderer *renderer)
{
  Uint32 pattern[16 * 16];
  for (Uint32 i = 0; i < 16 * 16; i++)
    pattern[i] = i * 0x9e3779b9u;
  t->target = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_TARGET, SIDE, SIDE);
  t->texture = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STATIC, 16, 16);
  return t->target && t->texture && SDL_UpdateTexture(t->texture, NULL, pattern, 16 * sizeof *pattern) == 0 &&
         SDL_SetTextureBlendMode(t->texture, SDL_BLENDMODE_BLEND) == 0 &&
         SDL_SetTextureScaleMode(t->texture, SDL_ScaleModeLinear) == 0;
}

/* Fills upright and rotated quads: translucent, of odd sizes, overlapping. */
static void fill_quads(picture_test *t)
{
  for (int i = 0; i < TEST_QUADS; i++) {
    batch_area area = {t->texture, 0.0625f * (float)i, 0.125f, 0.0625f * (float)(i + 8), 0.875f};
    float size = 2.3f + 1.7f * (float)i, turn = i % 2 ? 0.37f * (float)i : 0;
    SDL_FPoint at = {3.3f * (float)i + 2.7f, 29.1f - 2.9f * (float)i};
    SDL_Color color = {(Uint8)(255 - 20 * i), (Uint8)(80 + 17 * i), (Uint8)(31 * i), (Uint8)(255 - 25 * i)};
    batch_fill_turned(&t->quads[i * 4], &area, at, (SDL_FPoint){size, size * turn}, (SDL_FPoint){-size * turn, size},
                      color);
  }
}

/* Draws a scaled picture between two that SDL draws: SDL's cached state must still be valid afterwards. */
static bool draw_picture(picture_test *t, const gl_quads *it, SDL_Renderer *renderer, Uint32 *pixels)
{
  SDL_SetRenderDrawColor(renderer, 10, 20, 30, 255);
  SDL_RenderSetScale(renderer, 1, 1);
  if (SDL_RenderClear(renderer) != 0)
    return false;
  SDL_RenderDrawLine(renderer, 1, 2, 50, 7);
  SDL_RenderSetScale(renderer, 2, 2);
  for (int i = 0; i < TEST_QUADS; i++)
    if (it && i < TEST_QUADS - 1 ? i == 0 && !draw_by_gl(it, renderer, t->texture, t->quads, TEST_QUADS - 1)
                                 : SDL_RenderGeometry(renderer, t->texture, &t->quads[i * 4], 4, quad_indices, 6) != 0)
      return false;
  SDL_RenderDrawLine(renderer, 3, 25, 28, 3);
  return SDL_RenderReadPixels(renderer, NULL, SDL_PIXELFORMAT_ARGB8888, pixels, SIDE * (int)sizeof *pixels) == 0;
}

/* Compares the pictures; a picture of a single colour proves nothing and fails. */
static bool pictures_agree(const picture_test *t)
{
  size_t same = 0;
  while (same < SIDE * SIDE && t->pixels[0][same] == t->pixels[0][0])
    same++;
  return same < SIDE * SIDE && memcmp(t->pixels[0], t->pixels[1], sizeof t->pixels[0]) == 0;
}

static bool draws_like_sdl(const gl_quads *it, SDL_Renderer *renderer)
{
  picture_test *t = calloc(1, sizeof *t);
  bool fine = t && open_textures(t, renderer);
  if (fine) {
    fill_quads(t);
    fine = SDL_SetRenderTarget(renderer, t->target) == 0 && draw_picture(t, NULL, renderer, t->pixels[0]) &&
           draw_picture(t, it, renderer, t->pixels[1]) && pictures_agree(t);
    SDL_SetRenderTarget(renderer, NULL);
  }
  if (t) {
    SDL_DestroyTexture(t->texture);
    SDL_DestroyTexture(t->target);
  }
  free(t);
  return fine;
}

/* }== */

/* {== Opening OpenGL ===================================================== */

static bool is_desktop_gl(SDL_Renderer *renderer)
{
  SDL_RendererInfo info;
  return SDL_GetRendererInfo(renderer, &info) == 0 && strcmp(info.name, "opengl") == 0;
}

static bool find_functions(gl_quads *it)
{
  void *function;
#define FIND(name, result, parameters)                                                                                 \
  function = SDL_GL_GetProcAddress("gl" #name);                                                                        \
  if (!function)                                                                                                       \
    return false;                                                                                                      \
  memcpy(&it->name, &function, sizeof function);
  FUNCTIONS(FIND)
#undef FIND
  return true;
}

/* Returns whether no buffer object is bound: with one, pointers would be taken for offsets into it. */
static bool uses_client_memory(const gl_quads *it, SDL_Renderer *renderer)
{
  GLint buffer = 0;
  if (SDL_RenderFlush(renderer) != 0)
    return false;
  it->GetIntegerv(GL_ARRAY_BUFFER_BINDING, &buffer);
  if (buffer == 0)
    it->GetIntegerv(GL_ELEMENT_ARRAY_BUFFER_BINDING, &buffer);
  return buffer == 0;
}

static void write_short_indices(gl_quads *it)
{
  for (int i = 0; i < CHUNK_QUADS * 6; i++)
    it->indices[i] = (Uint16)(i / 6 * 4 + quad_indices[i % 6]);
}

void batch_open_gl(SDL_Renderer *renderer)
{
  gl_quads *it = is_desktop_gl(renderer) ? calloc(1, sizeof *it) : NULL;
  if (!it)
    return;
  write_short_indices(it);
  if (find_functions(it) && uses_client_memory(it, renderer) && draws_like_sdl(it, renderer))
    SDL_SetWindowData(SDL_RenderGetWindow(renderer), WINDOW_DATA, it);
  else
    free(it);
}

bool batch_has_gl(SDL_Renderer *renderer) { return gl_of(renderer) != NULL; }

void batch_close_gl(SDL_Renderer *renderer)
{
  SDL_Window *window = SDL_RenderGetWindow(renderer);
  if (window)
    free(SDL_SetWindowData(window, WINDOW_DATA, NULL));
}

/* }== */
