#include "demo/app/trails.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define APART 8.0f   /* points between two dots, at least */
#define RADIUS 2.5f  /* points */
#define POINTS 16384 /* dots of a trail */
#define FOLLOWED 512 /* of a crowd, about */
#define CELLS 100    /* squares in a row of the window, of which each shows one dot */

typedef struct dot {
  uint64_t frame;
  sp_ref object;
  float x, y; /* in the world */
} dot;

struct trail {
  int count;
  uint64_t until; /* the last frame that was added */
  dot dots[POINTS];
};

static uint32_t hash_of(sp_ref object) { return (uint32_t)(object * UINT64_C(0x9e3779b97f4a7c15) >> 32); }

/* {== Recording ========================================================== */

void trails_begin(trails *t, sp_ref only, uint64_t crowd, uint64_t frames)
{
  trails_free(t);
  t->only = only;
  t->share = (uint32_t)(crowd / FOLLOWED) + 1;
  t->each = frames * (only ? 1 : crowd / t->share) / POINTS + 1;
}

void trails_free(trails *t)
{
  free(t->before);
  free(t->after);
  *t = (trails){.before = NULL};
}

void trails_record(trails *t, trail **which)
{
  *which = *which ? *which : malloc(sizeof **which);
  t->adds = *which;
  if (!t->adds)
    return;
  t->adds->count = 0;
  t->adds->until = 0;
}

static bool follows(const trails *t, sp_ref object)
{
  return t->only ? object == t->only : hash_of(object) % t->share == 0;
}

static void add_object(trail *to, const sp_manager *pools, const game_view *v, sp_ref object, uint64_t frame)
{
  sp_place place;
  const sp_look *look = sp_object_peek(pools, object, SP_LOOK);
  if ((look && !look->visible) || !sp_object_world(pools, object, &place) || !isfinite(place.x + place.y))
    return;
  view_map map = view_world_map(v);
  SDL_FPoint at = view_apply(&map, place.x, place.y);
  if (at.x >= 0 && at.y >= 0 && at.x <= v->width && at.y <= v->height)
    to->dots[to->count++] = (dot){frame, object, place.x, place.y};
}

void trails_add(trails *t, const game *it, uint64_t frame)
{
  const sp_manager *pools = game_pools(it);
  trail *to = t->adds;
  if (!to || !pools || to->until >= frame)
    return;
  to->until = frame;
  if (frame % t->each != 0)
    return;
  for (sp_pool *p = NULL; (p = sp_manager_next_pool(pools, p)) != NULL;) {
    sp_walk walk = sp_pool_walk(p);
    for (sp_ref object; to->count < POINTS && (object = sp_walk_next(&walk)) != SP_NULL_REF;)
      if (follows(t, object))
        add_object(to, pools, &it->view, object, frame);
  }
}

/* }== */

/* {== Drawing ============================================================ */

typedef struct drawing {
  graphics *g;
  const game_view *view;
  view_map map;
  bool taken[CELLS][CELLS];
} drawing;

typedef enum dot_kind { DOT_SAME, DOT_BEFORE, DOT_AFTER } dot_kind;

/* Draws a dot, unless another one is so near that nobody could tell them apart. */
static void draw_dot(drawing *d, const dot *p, dot_kind kind)
{
  static const SDL_Color colors[] = {{150, 155, 170, 110}, {240, 240, 245, 255}, {250, 210, 100, 255}};
  static const float radii[] = {RADIUS - 1.2f, RADIUS, RADIUS - 0.5f};
  float side = fmaxf(APART, fmaxf(d->g->view.width, d->g->view.height) / CELLS);
  SDL_FPoint at = view_apply(&d->map, p->x, p->y);
  at = view_to_window(d->view, at.x, at.y);
  int column = (int)(at.x / side), row = (int)(at.y / side);
  if (at.x < 0 || at.y < 0 || column >= CELLS || row >= CELLS || d->taken[row][column])
    return;
  d->taken[row][column] = true;
  d->g->color = colors[kind];
  graphics_circle(d->g, at.x, at.y, radii[kind], kind != DOT_BEFORE);
}

/* Returns whether a trail has the same dot, or has not come so far. `*from`: where the search begins, as both trails
   have the frames, and the objects in a frame, in the same order. */
static bool has(const trail *other, const dot *p, int *from)
{
  if (other && other->until < p->frame)
    return true;
  while (other && *from < other->count && other->dots[*from].frame < p->frame)
    ++*from;
  for (int i = *from; other && i < other->count && other->dots[i].frame == p->frame; i++)
    if (other->dots[i].object == p->object) {
      *from = i;
      return fabsf(other->dots[i].x - p->x) + fabsf(other->dots[i].y - p->y) < 0.01f;
    }
  return false;
}

static void draw_trail(drawing *d, const trail *t, const trail *other, uint64_t frame, dot_kind kind)
{
  int from = 0;
  for (int i = 0; t && i < t->count && t->dots[i].frame <= frame; i++) {
    bool same = has(other, &t->dots[i], &from);
    if (same == (kind == DOT_SAME))
      draw_dot(d, &t->dots[i], kind);
  }
}

void trails_draw(const trails *t, graphics *g, const game_view *view, uint64_t frame)
{
  drawing d = {.g = g, .view = view, .map = view_world_map(view)};
  draw_trail(&d, t->after, t->before, frame, DOT_AFTER);
  draw_trail(&d, t->before, t->after, UINT64_MAX, DOT_BEFORE);
  draw_trail(&d, t->before, t->after, UINT64_MAX, DOT_SAME);
}

/* }== */
