/*
** SDL draws one triangle without area and flushes it. After that OpenGL is in the state for drawing this texture, and
** client arrays are off, as SDL guarantees. State that is changed here is pushed first and popped afterwards, so that
** the state that SDL caches stays valid.
*/
#include "demo/draw/gl_quads.h"

#include <SDL_opengl.h>
#include <stdlib.h>
#include <string.h>

#include "demo/draw/batch.h"

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

struct gl_quads {
#define MEMBER(name, result, parameters) result(APIENTRY *name) parameters;
  FUNCTIONS(MEMBER)
#undef MEMBER
  Uint16 indices[CHUNK_QUADS * 6];
};

/* {== Drawing ============================================================ */

static void draw_chunk(const gl_quads *it, const SDL_Vertex *v, size_t quads)
{
  it->VertexPointer(2, GL_FLOAT, sizeof *v, &v->position);
  it->ColorPointer(4, GL_UNSIGNED_BYTE, sizeof *v, &v->color);
  it->TexCoordPointer(2, GL_FLOAT, sizeof *v, &v->tex_coord);
  it->DrawRangeElements(GL_TRIANGLES, 0, (GLuint)(quads * 4 - 1), (GLsizei)(quads * 6), GL_UNSIGNED_SHORT, it->indices);
}

bool gl_quads_draw(const gl_quads *it, SDL_Renderer *renderer, SDL_Texture *texture, const SDL_Vertex *vertices,
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

/* }== */

/* {== The test picture =================================================== */

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
  static const int indices[6] = {0, 1, 2, 0, 2, 3};
  SDL_SetRenderDrawColor(renderer, 10, 20, 30, 255);
  SDL_RenderSetScale(renderer, 1, 1);
  if (SDL_RenderClear(renderer) != 0)
    return false;
  SDL_RenderDrawLine(renderer, 1, 2, 50, 7);
  SDL_RenderSetScale(renderer, 2, 2);
  for (int i = 0; i < TEST_QUADS; i++)
    if (it && i < TEST_QUADS - 1 ? i == 0 && !gl_quads_draw(it, renderer, t->texture, t->quads, TEST_QUADS - 1)
                                 : SDL_RenderGeometry(renderer, t->texture, &t->quads[i * 4], 4, indices, 6) != 0)
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

/* {== Opening ============================================================ */

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

static void write_indices(gl_quads *it)
{
  static const int pattern[6] = {0, 1, 2, 0, 2, 3};
  for (int i = 0; i < CHUNK_QUADS * 6; i++)
    it->indices[i] = (Uint16)(i / 6 * 4 + pattern[i % 6]);
}

void gl_quads_open(SDL_Renderer *renderer)
{
  gl_quads *it = is_desktop_gl(renderer) ? calloc(1, sizeof *it) : NULL;
  if (!it)
    return;
  write_indices(it);
  if (find_functions(it) && uses_client_memory(it, renderer) && draws_like_sdl(it, renderer))
    SDL_SetWindowData(SDL_RenderGetWindow(renderer), WINDOW_DATA, it);
  else
    free(it);
}

const gl_quads *gl_quads_of(SDL_Renderer *renderer)
{
  SDL_Window *window = SDL_RenderGetWindow(renderer);
  return window ? SDL_GetWindowData(window, WINDOW_DATA) : NULL;
}

void gl_quads_close(SDL_Renderer *renderer)
{
  SDL_Window *window = SDL_RenderGetWindow(renderer);
  if (window)
    free(SDL_SetWindowData(window, WINDOW_DATA, NULL));
}

/* }== */
