/*
** Vertices are SDL's own struct, interleaved, filled in place; indices are written once per growth.
*/
#include "demo/draw/batch.h"

#include <stdlib.h>
#include <string.h>

#include "demo/draw/gl_quads.h"

#define FIRST_ROOM 1024 /* quads */
#define FIRST_RUNS 16
#define MOST_QUADS ((size_t)INT32_MAX / 8) /* SDL counts indices in an int */
#define GL_LEAST 64                        /* quads: SDL draws shorter runs as fast, combined with others */

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

static void write_indices(int *indices, size_t from, size_t to)
{
  static const int pattern[6] = {0, 1, 2, 0, 2, 3};
  for (size_t i = from * 6; i < to * 6; i++)
    indices[i] = (int)(i / 6 * 4) + pattern[i % 6];
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
  const gl_quads *gl = gl_quads_of(renderer);
  bool fine = true;
  for (size_t i = 0; i < b->run_count; i++) {
    const batch_run *run = &b->runs[i];
    fine &= gl && run->count >= GL_LEAST
                ? gl_quads_draw(gl, renderer, run->texture, b->vertices + run->first * 4, run->count)
                : play_run(b, run, renderer);
  }
  return fine;
}
