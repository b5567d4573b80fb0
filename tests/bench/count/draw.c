/*
** Filling the list of sprites, to be counted under callgrind by count.sh as the paths of core.c are: instructions per
** sprite. The window is a blind one: nothing is drawn, and no texture is made.
*/
#include <stdio.h>
#include <stdlib.h>

#include "core/spawnpool.h"
#include "demo/draw/batch.h"
#include "demo/draw/draw.h"
#include "demo/draw/sprites.h"
#include "demo/draw/window.h"

#define OBJECTS 2000
#define WIDTH 640
#define HEIGHT 480

typedef struct scene {
  sprites *looks;
  draw *draw;
  batch batch;
  sp_manager *pools;
  draw_view view;
} scene;

static const char *sprite_name(void *ud, uint16_t number)
{
  (void)ud, (void)number;
  return "square";
}

static bool frames_of(void *ud, sp_pool *pool, uint32_t chunk, uint16_t *frames)
{
  (void)ud, (void)pool, (void)chunk;
  for (int i = 0; i < SP_CHUNK_SLOTS; i++)
    frames[i] = 1;
  return true;
}

static const view_camera camera = {true, 320, 240, 1, 0.25f};

static const struct path {
  const char *name;
  bool turned;  /* each object has an angle */
  bool differs; /* and a colour of its own */
  bool layered; /* and another layer than the next one */
  const view_camera *camera;
  bool (*frames)(void *, sp_pool *, uint32_t, uint16_t *);
} paths[] = {
    {"draw_upright", false, false, false, NULL, NULL},   {"draw_turned", true, false, false, NULL, NULL},
    {"draw_differing", false, true, false, NULL, NULL},  {"draw_layered", false, true, true, NULL, NULL},
    {"draw_camera", false, false, false, &camera, NULL}, {"draw_frames", false, false, false, NULL, frames_of},
};

static bool open_scene(scene *s, const struct path *path)
{
  sp_pool_desc desc = {.type = "Counted", .spatial = true};
  desc.settings.prealloc = OBJECTS;
  s->pools = sp_open(NULL, NULL);
  sp_pool *pool = s->pools ? sp_add_pool(s->pools, &desc, NULL) : NULL;
  for (int i = 0; pool && i < OBJECTS; i++) {
    sp_place place = {200 + (float)(i % 50) * 4, 150 + (float)(i / 50) * 4, path->turned ? 0.01f * (float)i : 0};
    sp_look *look = sp_cell(s->pools, sp_pool_alloc_at(pool, 0, &place, NULL), SP_LOOK);
    if (!look)
      return false;
    if (path->differs)
      look->r = (float)i / OBJECTS;
    if (path->layered)
      look->layer = (int16_t)(i % 3);
  }
  s->view = (draw_view){WIDTH, HEIGHT, 1, 0, 0, path->camera, path->frames, NULL, NULL};
  return pool != NULL;
}

static bool fill(scene *s)
{
  batch_clear(&s->batch);
  return draw_pools(s->draw, s->pools, s->looks, &s->view, &s->batch);
}

/* The instructions in here are counted. */
extern bool counted(scene *s);
__attribute__((noinline)) bool counted(scene *s) { return fill(s); }

int main(void)
{
  window window;
  char problem[256];
  scene s = {0};
  sprites_options options = {.name = sprite_name};
  if (!window_open(&window, "count", WIDTH, HEIGHT, WINDOW_BLIND, problem, sizeof problem))
    return 1;
  s.looks = sprites_open(&window, &options);
  s.draw = draw_open();
  for (size_t i = 0; s.looks && s.draw && i < sizeof paths / sizeof *paths; i++) {
    if (!open_scene(&s, &paths[i]) || !fill(&s))
      return 1;
    printf("%s %d\n", paths[i].name, OBJECTS);
    if (!counted(&s) || s.batch.quads != OBJECTS)
      return 1;
    sp_close(s.pools);
  }
  batch_free(&s.batch);
  draw_close(s.draw);
  sprites_close(s.looks);
  window_close(&window);
  return 0;
}
