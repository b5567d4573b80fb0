/*
** A picture as a list of quads in drawing order, split into runs of one texture, and clipped to the view. It is drawn
** by SDL_RenderGeometryRaw, whatever the renderer. Its memory never shrinks, so a steady game allocates
** nothing. A batch can be drawn again: that is how the last good frame stays on screen when a script fails.
*/
#ifndef SP_DEMO_BATCH_H
#define SP_DEMO_BATCH_H

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>

/* How a run is drawn over what is below: as its texture is, or whatever that is. */
typedef enum batch_blend { BATCH_AS_TEXTURE, BATCH_ADD, BATCH_MULTIPLY } batch_blend;

typedef struct batch_run {
  SDL_Texture *texture;
  size_t first, count; /* quads */
  batch_blend blend;
  SDL_FRect clip; /* what of it is seen; w below 0: all */
} batch_run;

typedef struct batch {
  SDL_Vertex *vertices; /* four per quad, clockwise from the top left */
  int *indices;         /* the same six-step pattern for every quad */
  batch_run *runs;
  size_t quads, room, run_count, run_room;
  bool clipped; /* what is added now is, to `clip` */
  SDL_FRect clip;
  struct batch *spare; /* the quads that batch_clip replaces; NULL: it has replaced none yet */
} batch;

/* An area of a texture, in coordinates from 0 to 1. */
typedef struct batch_area {
  SDL_Texture *texture;
  float u0, v0, u1, v1;
} batch_area;

/* A zeroed batch is empty. Frees the memory; the batch is empty and may be used again. */
void batch_free(batch *b);

/* Removes all quads, keeps the memory. */
void batch_clear(batch *b);

/* Makes room for `quads` more and returns their first vertex. They are not drawn before batch_commit. NULL when
   memory is refused; nothing is changed then. */
SDL_Vertex *batch_reserve(batch *b, size_t quads);

/* Adds the next `quads` of those reserved, filled by the caller, as drawn from `texture`. False when memory is
   refused; nothing is changed then. */
bool batch_commit(batch *b, SDL_Texture *texture, size_t quads);
bool batch_commit_as(batch *b, SDL_Texture *texture, batch_blend blend, size_t quads);

/* Adds one upright quad. False when memory is refused. */
bool batch_rect(batch *b, const batch_area *area, float x, float y, float w, float h, SDL_Color color);

/* Appends the quads of another batch, from number `first` on. False when memory is refused: some are missing then. */
bool batch_append_from(batch *b, const batch *from, size_t first);

/* Removes the quads from number `quads` on. */
void batch_cut(batch *b, size_t quads);

#define BATCH_PIECE 512.0f /* pixels of a side: quads up to this size that touch the view may be drawn as they are */

/* Replaces those of the quads from number `first` on that are too large or too far away by their parts in the view,
   0, 0 .. width, height in units of `scale` pixels, because both would overflow the integers of SDL's software
   renderer. A quad with a coordinate that is no number is removed. False when memory is refused: then all of them are
   gone. */
bool batch_clip(batch *b, size_t first, float width, float height, float scale);

/* Draws everything, in order, in units of across x down pixels. False when the renderer refused a run. */
bool batch_play(const batch *b, SDL_Renderer *renderer, float across, float down);

/* {== Filling ============================================================ */

/* Maps 0..1 to 0..255, clamping other values and NaN. In this form it needs no branch. */
static inline Uint8 batch_channel(float c)
{
  c = c > 0 ? c : 0;
  c = c < 1 ? c : 1;
  return (Uint8)(int)(c * 255.0f + 0.5f);
}

static inline SDL_Color batch_color(float r, float g, float b, float a)
{
  return (SDL_Color){batch_channel(r), batch_channel(g), batch_channel(b), batch_channel(a)};
}

static inline void batch_vertex(SDL_Vertex *v, float x, float y, SDL_Color color, float u, float t)
{
  v->position.x = x;
  v->position.y = y;
  v->color = color;
  v->tex_coord.x = u;
  v->tex_coord.y = t;
}

/* Fills an upright quad around x, y, reaching w and h to each side. */
static inline void batch_fill(SDL_Vertex *v, const batch_area *a, float x, float y, float w, float h, SDL_Color color)
{
  batch_vertex(v, x - w, y - h, color, a->u0, a->v0);
  batch_vertex(v + 1, x + w, y - h, color, a->u1, a->v0);
  batch_vertex(v + 2, x + w, y + h, color, a->u1, a->v1);
  batch_vertex(v + 3, x - w, y + h, color, a->u0, a->v1);
}

/* Fills a rotated quad around `at`; half its width and half its height are vectors. */
static inline void batch_fill_turned(SDL_Vertex *v, const batch_area *a, SDL_FPoint at, SDL_FPoint half_width,
                                     SDL_FPoint half_height, SDL_Color color)
{
  float ax = half_width.x, ay = half_width.y, bx = half_height.x, by = half_height.y;
  batch_vertex(v, at.x - ax - bx, at.y - ay - by, color, a->u0, a->v0);
  batch_vertex(v + 1, at.x + ax - bx, at.y + ay - by, color, a->u1, a->v0);
  batch_vertex(v + 2, at.x + ax + bx, at.y + ay + by, color, a->u1, a->v1);
  batch_vertex(v + 3, at.x - ax + bx, at.y - ay + by, color, a->u0, a->v1);
}

/* }== */

#endif
