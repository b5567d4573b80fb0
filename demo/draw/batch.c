/*
** Vertices are SDL's own struct, interleaved, filled in place; indices are written once per growth.
**
** Clipping: a quad is a parallelogram, or close to one, of one colour; its alpha may change from side to side. The
** corners of the view, in coordinates along two of its sides, bound the part of it that is seen; the part of a slanted
** quad is cut into pieces along the same sides.
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

static bool play_quads(SDL_Renderer *renderer, SDL_Texture *texture, const SDL_Vertex *v, const int *indices,
                       size_t quads)
{
  int stride = (int)sizeof *v;
  return quads == 0 ||
         SDL_RenderGeometryRaw(renderer, texture, &v->position.x, stride, &v->color, stride, &v->tex_coord.x, stride,
                               (int)quads * 4, indices, (int)quads * 6, (int)sizeof *indices) == 0;
}

/* }== */

/* {== Mirrored quads =====================================================
** SDL's software renderer draws upright quads as rectangles, and loses rows and columns of those that are mirrored in
** one direction. These are drawn here in strips of one column or row of the texture. It takes those that are turned by
** a quarter and mirrored for upright ones: a corner that is moved a little prevents that. */

typedef enum mirroring { NOT_MIRRORED, MIRRORED_ACROSS, MIRRORED_DOWN, QUARTER_TURNED } mirroring;

static mirroring mirroring_of(const SDL_Vertex *v)
{
  if (v[0].position.x == v[1].position.x && v[0].position.y == v[3].position.y)
    return QUARTER_TURNED;
  const bool across = v[0].position.x > v[1].position.x, down = v[0].position.y > v[3].position.y;
  return across == down || !is_upright(v) ? NOT_MIRRORED : across ? MIRRORED_ACROSS : MIRRORED_DOWN;
}

/* Draws a strip: `edges` on the screen are whole pixels, `shown` is what it shows of the texture. */
static bool play_strip(SDL_Renderer *renderer, SDL_Texture *texture, const SDL_Vertex *v, bool across, float scale,
                       const float edges[2], const float shown[2])
{
  const SDL_Vertex *low = &v[across ? 1 : 3], *high = &v[across ? 3 : 1];
  const float begin = (edges[0] + 1 / 64.0f) / scale, end = (edges[1] + 1 / 32.0f) / scale;
  SDL_Vertex strip[4];
  batch_vertex(strip, across ? begin : low->position.x, across ? low->position.y : begin, v->color,
               across ? shown[0] : v->tex_coord.x, across ? v->tex_coord.y : shown[0]);
  batch_vertex(strip + 2, across ? end : high->position.x, across ? high->position.y : end, v->color,
               across ? shown[1] : high->tex_coord.x, across ? high->tex_coord.y : shown[1]);
  batch_vertex(strip + 1, strip[2].position.x, strip[0].position.y, v->color, strip[2].tex_coord.x,
               strip[0].tex_coord.y);
  batch_vertex(strip + 3, strip[0].position.x, strip[2].position.y, v->color, strip[0].tex_coord.x,
               strip[2].tex_coord.y);
  return play_quads(renderer, texture, strip, quad_indices, 1);
}

static bool play_mirrored(SDL_Renderer *renderer, SDL_Texture *texture, const SDL_Vertex *v, bool across)
{
  int wide = 0, high = 0;
  float scale_x, scale_y;
  SDL_RenderGetScale(renderer, &scale_x, &scale_y);
  SDL_QueryTexture(texture, NULL, NULL, &wide, &high);
  const float scale = across ? scale_x : scale_y, texels = (float)(across ? wide : high);
  const float u0 = across ? v[0].tex_coord.x : v[0].tex_coord.y, u1 = across ? v[1].tex_coord.x : v[3].tex_coord.y;
  const float first = roundf((across ? v[1].position.x : v[3].position.y) * scale);
  const float pixels = fmaxf(roundf((across ? v[0].position.x : v[0].position.y) * scale) - first, 1);
  const float lines = fmaxf(roundf((u1 - u0) * texels), 1), count = fminf(lines, pixels);
  bool fine = true;
  for (float i = 0; i < count && fine; i++) {
    const float line = floorf((count - 1 - i) * lines / count);
    const float edges[] = {first + roundf(i * pixels / count), first + roundf((i + 1) * pixels / count)};
    const float shown[] = {u0 + line / texels, u0 + (line + 1) / texels};
    fine = play_strip(renderer, texture, v, across, scale, edges, shown);
  }
  return fine;
}

static bool play_turned(SDL_Renderer *renderer, SDL_Texture *texture, const SDL_Vertex *v)
{
  SDL_Vertex moved[4];
  memcpy(moved, v, sizeof moved);
  moved[1].position.x += 1 / 64.0f;
  return play_quads(renderer, texture, moved, quad_indices, 1);
}

/* Draws a run by the software renderer. */
static bool play_software(const batch *b, const batch_run *run, SDL_Renderer *renderer)
{
  const SDL_Vertex *v = b->vertices + run->first * 4;
  bool fine = true;
  for (size_t at = 0, next; at < run->count; at = next) {
    mirroring how = NOT_MIRRORED;
    for (next = at; next < run->count && how == NOT_MIRRORED; next++)
      how = mirroring_of(v + next * 4);
    const size_t plain = next - at - (how != NOT_MIRRORED);
    fine &= play_quads(renderer, run->texture, v + at * 4, b->indices, plain);
    if (how == QUARTER_TURNED)
      fine &= play_turned(renderer, run->texture, v + (next - 1) * 4);
    else if (how != NOT_MIRRORED)
      fine &= play_mirrored(renderer, run->texture, v + (next - 1) * 4, how == MIRRORED_ACROSS);
  }
  return fine;
}

/* Clips in whole pixels: SDL scales the rectangle of units, which has no fractions. */
static void clip_to(SDL_Renderer *renderer, const SDL_FRect *clip)
{
  float across, down;
  SDL_RenderGetScale(renderer, &across, &down);
  const int left = (int)roundf(clip->x * across), top = (int)roundf(clip->y * down);
  const SDL_Rect pixels = {left, top, (int)roundf((clip->x + clip->w) * across) - left,
                           (int)roundf((clip->y + clip->h) * down) - top};
  SDL_RenderSetScale(renderer, 1, 1);
  SDL_RenderSetClipRect(renderer, clip->w < 0 ? NULL : &pixels);
  SDL_RenderSetScale(renderer, across, down);
}

static bool play_run(const batch *b, const batch_run *run, SDL_Renderer *renderer, bool software)
{
  static const SDL_BlendMode modes[] = {[BATCH_ADD] = SDL_BLENDMODE_ADD, [BATCH_MULTIPLY] = SDL_BLENDMODE_MOD};
  const gl_quads *gl = run->count >= GL_LEAST ? gl_of(renderer) : NULL;
  const SDL_Vertex *v = b->vertices + run->first * 4;
  SDL_BlendMode mode = SDL_BLENDMODE_BLEND; /* SDL keeps the one of each run until it is drawn */
  if (run->blend != BATCH_AS_TEXTURE && SDL_GetTextureBlendMode(run->texture, &mode) == 0)
    SDL_SetTextureBlendMode(run->texture, modes[run->blend]);
  bool fine = gl         ? draw_by_gl(gl, renderer, run->texture, v, run->count)
              : software ? play_software(b, run, renderer)
                         : play_quads(renderer, run->texture, v, b->indices, run->count);
  if (run->blend != BATCH_AS_TEXTURE)
    SDL_SetTextureBlendMode(run->texture, mode);
  return fine;
}

bool batch_play(const batch *b, SDL_Renderer *renderer)
{
  SDL_RendererInfo info;
  const bool software = SDL_GetRendererInfo(renderer, &info) == 0 && info.flags & SDL_RENDERER_SOFTWARE;
  const SDL_FRect all = {0, 0, -1, -1}, *clip = &all;
  bool fine = true;
  for (size_t i = 0; i < b->run_count; i++) {
    const batch_run *run = &b->runs[i];
    if (memcmp(clip, &run->clip, sizeof *clip) != 0)
      clip_to(renderer, clip = &run->clip);
    fine &= play_run(b, run, renderer, software);
  }
  if (clip->w >= 0)
    clip_to(renderer, &all);
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
