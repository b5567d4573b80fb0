/*
** The hot paths of the core, of the list of sprites, and from Lua (paths.lua), to be counted under callgrind by
** count.sh. Each path is done some times to warm up, then inside counted(), which callgrind is told about; its name and
** the number of operations go to the standard output before.
**   count PATHS.lua   does all paths
**   count draw        prints the nanoseconds that one of 10 000 sprites takes in a window, drawn as the player does by
**                     OpenGL; run it under unseen.sh, where the driver draws nothing
*/
#include <SDL.h>
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/spawnpool.h"
#include "demo/draw/batch.h"
#include "demo/draw/draw.h"
#include "demo/draw/sprites.h"
#include "demo/draw/window.h"

#define OPERATIONS 2000
#define STEP (1.0 / 64) /* exact in binary */

/* The instructions in here are counted. */
extern void counted(void (*run)(void *ud, long times), void *ud);
__attribute__((noinline, noclone)) void counted(void (*run)(void *ud, long times), void *ud) { run(ud, OPERATIONS); }

/* {== The core =========================================================== */

#define OBJECTS 100

typedef struct scene {
  sp_manager *manager;
  sp_pool *pool;
  sp_ref objects[OBJECTS];
} scene;

/* Does `work` for every `step` operations: `s` is the scene, `i` the number of the operation. */
#define PATH(name, step, work)                                                                                         \
  static void name(void *ud, long times)                                                                               \
  {                                                                                                                    \
    scene *s = ud;                                                                                                     \
    for (long i = 0; i < times; i += (step))                                                                           \
      work;                                                                                                            \
  }

PATH(do_pair, 1, sp_object_recycle(s->manager, sp_pool_alloc(s->pool, 0, NULL, NULL)))
PATH(do_pair_life, 1, sp_object_recycle(s->manager, sp_pool_alloc(s->pool, 2, NULL, NULL)))
PATH(do_cell, 1, *(char *)sp_object_cell(s->manager, s->objects[i % OBJECTS], SP_FIELDS) = 1)
/* One object per update that expires it: alloc, expiry and the tick itself. */
PATH(do_expiry, 1, (sp_pool_alloc(s->pool, STEP, NULL, NULL), sp_manager_update(s->manager, STEP)))
PATH(do_idle_tick, 1, sp_manager_update(s->manager, STEP))
/* This and the following ones: per object. */
PATH(do_move, OBJECTS, sp_manager_update(s->manager, STEP))

static void walk_all(sp_pool *pool)
{
  sp_walk walk = sp_pool_walk(pool);
  while (sp_walk_next(&walk)) {
  }
}

PATH(do_walk, OBJECTS, walk_all(s->pool))

static void found(void *ud, sp_ref object, sp_ref other)
{
  (void)object, (void)other;
  *(long *)ud += 1;
}

/* Every one touches its neighbours. */
PATH(do_overlaps, OBJECTS, sp_pool_overlaps(s->pool, s->pool, found, &(long){0}, NULL))

/* A chain of parents is built from its first one: what has no children becomes nobody's ancestor. */
static void join(scene *s)
{
  const sp_ref last = sp_pool_alloc(s->pool, 0, NULL, NULL);
  sp_object_set_parent(s->manager, last, s->objects[0]);
  s->objects[0] = last;
}
PATH(do_chain, 1, join(s))

/* An object has as many timers; the oldest one is stopped. */
#define TIMERS 512
static void stop_oldest(scene *s, long i)
{
  static sp_timer timers[TIMERS];
  sp_timer_stop(s->manager, timers[i % TIMERS]);
  timers[i % TIMERS] = sp_timer_start(s->manager, s->objects[0], 1000, 0, 0, NULL);
}
PATH(do_stop, 1, stop_oldest(s, i))

/* A thousand of a frame, each around another place, among eight thousand objects. */
#define CROWD 8000
static void ignore(void *ud, sp_ref object) { (void)ud, (void)object; }
static void find_near(scene *s, long i)
{
  if (i == 0)
    for (int k = sp_pool_live(s->pool); k < CROWD; k++)
      sp_pool_alloc(s->pool, 0, &(sp_start){.x = (float)(k % 89) * 15, .y = (float)(k / 89) * 15}, NULL);
  sp_pool_nearest(s->pool, (float)(i * 37 % 1335), (float)(i * 53 % 1335), 0, NULL);
  sp_pool_within(s->pool, (float)(i * 41 % 1335), (float)(i * 59 % 1335), 20, ignore, NULL, NULL);
}
PATH(do_near, 1, find_near(s, i))

/* The oldest ones are pinned; each new one is given a colour. */
static void evict_behind(scene *s, long i)
{
  if (i == 0 && sp_pool_live(s->pool) < CROWD) {
    sp_settings settings = sp_pool_desc_of(s->pool)->settings;
    settings.limit = CROWD;
    settings.overflow = SP_OVERFLOW_OLDEST;
    sp_pool_set_settings(s->pool, &settings);
    for (int k = sp_pool_live(s->pool); k < CROWD; k++) {
      sp_look *look = sp_object_cell(s->manager, sp_pool_alloc(s->pool, 0, NULL, NULL), SP_LOOK);
      look->pinned = k < CROWD - 8;
    }
  }
  ((sp_look *)sp_object_cell(s->manager, sp_pool_alloc(s->pool, 0, NULL, NULL), SP_LOOK))->r = 0;
}
PATH(do_evict, 1, evict_behind(s, i))

static bool open_scene(scene *s, bool spatial)
{
  sp_manager_options options = sp_manager_defaults();
  options.step = STEP;
  sp_field field = {.name = "bytes", .size = 64, .keep = true};
  sp_pool_desc desc = sp_pool_defaults("Counted");
  desc.spatial = spatial;
  desc.vx = 1;
  desc.fields = &field;
  desc.field_count = 1;
  desc.settings.prealloc = 2 * OBJECTS;
  s->manager = sp_manager_open(&options, NULL);
  s->pool = s->manager ? sp_manager_add_pool(s->manager, &desc, NULL) : NULL;
  for (int i = 0; s->pool && i < OBJECTS; i++) {
    sp_start start = {.x = (float)(i % 10) * 15, .y = (float)(i / 10) * 15};
    s->objects[i] = sp_pool_alloc(s->pool, 0, &start, NULL);
  }
  return s->pool != NULL;
}

static bool count_core(void)
{
  static const struct {
    const char *name;
    void (*run)(void *, long);
    bool spatial;
  } paths[] = {{"pair", do_pair, false},  {"pair_life", do_pair_life, false}, {"pair_placed", do_pair, true},
               {"cell", do_cell, false},  {"expiry", do_expiry, false},       {"idle_tick", do_idle_tick, false},
               {"move", do_move, true},   {"walk", do_walk, false},           {"overlaps", do_overlaps, true},
               {"chain", do_chain, true}, {"stop", do_stop, false},           {"near", do_near, true},
               {"evict", do_evict, true}};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    scene s;
    if (!open_scene(&s, paths[i].spatial))
      return false;
    paths[i].run(&s, OPERATIONS / 2);
    printf("core_%s %d\n", paths[i].name, OPERATIONS);
    counted(paths[i].run, &s);
    sp_manager_close(s.manager);
  }
  return true;
}

/* }== */

/* {== The list of sprites ================================================ */

typedef struct stage {
  window window;
  sprites *looks;
  draw *draw;
  batch batch;
  sp_manager *pools;
  draw_view view;
} stage;

typedef struct draw_path {
  const char *name;
  bool turned;  /* each object has an angle */
  bool differs; /* and a colour of its own */
  bool layered; /* and another layer than the next one */
  bool has_camera;
  bool has_frames;
} draw_path;

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

static bool open_stage(stage *s, window_kind kind)
{
  char problem[256] = "not enough memory";
  sprites_options options = {.name = sprite_name};
  if (window_open(&s->window, "count", 640, 480, kind, problem, sizeof problem)) {
    s->looks = sprites_open(&s->window, &options);
    s->draw = draw_open();
  }
  if (!s->looks || !s->draw)
    fprintf(stderr, "count: %s\n", problem);
  return s->looks && s->draw;
}

static void close_stage(stage *s)
{
  batch_free(&s->batch);
  draw_close(s->draw);
  sprites_close(s->looks);
  window_close(&s->window);
}

/* `times` sprites. */
static bool open_sprites(stage *s, const draw_path *path, int times)
{
  static const view_camera camera = {true, 320, 240, 1, 0.25f};
  sp_pool_desc desc = sp_pool_defaults("Counted");
  desc.spatial = true;
  desc.settings.prealloc = (uint32_t)times;
  s->pools = sp_manager_open(NULL, NULL);
  sp_pool *pool = s->pools ? sp_manager_add_pool(s->pools, &desc, NULL) : NULL;
  for (int i = 0; pool && i < times; i++) {
    sp_start start = {.x = 120 + (float)(i % 100) * 4, .y = 40 + (float)(i / 100) * 4};
    start.angle = path->turned ? 0.01f * (float)i : 0;
    sp_look *look = sp_object_cell(s->pools, sp_pool_alloc(pool, 0, &start, NULL), SP_LOOK);
    if (!look)
      return false;
    if (path->differs)
      look->r = (float)i / (float)times;
    if (path->layered)
      look->layer = (int16_t)(i % 3);
  }
  s->view = (draw_view){.width = 640, .height = 480, .scale = 1};
  s->view.camera = path->has_camera ? &camera : NULL;
  s->view.frames = path->has_frames ? frames_of : NULL;
  return pool != NULL;
}

static void do_fill(void *ud, long times)
{
  stage *s = ud;
  batch_clear(&s->batch);
  if (!draw_pools(s->draw, s->pools, s->looks, &s->view, &s->batch) || s->batch.quads != (size_t)times)
    abort();
}

static const draw_path draw_paths[] = {
    {"upright", false, false, false, false, false},  {"turned", true, false, false, false, false},
    {"differing", false, true, false, false, false}, {"layered", false, true, true, false, false},
    {"camera", false, false, false, true, false},    {"frames", false, false, false, false, true}};

/* The window is a blind one: nothing is drawn, and no texture is made. */
static bool count_draw(void)
{
  stage s = {.draw = NULL};
  if (!open_stage(&s, WINDOW_BLIND))
    return false;
  for (size_t i = 0; i < sizeof draw_paths / sizeof *draw_paths; i++) {
    if (!open_sprites(&s, &draw_paths[i], OPERATIONS))
      return false;
    do_fill(&s, OPERATIONS);
    printf("draw_%s %d\n", draw_paths[i].name, OPERATIONS);
    counted(do_fill, &s);
    sp_manager_close(s.pools);
  }
  close_stage(&s);
  return true;
}

static double now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* A list is made, handed to SDL, flushed and presented; the fastest frame counts. */
static bool time_draw(int count)
{
  stage s = {.draw = NULL};
  SDL_Event event;
  double least = INFINITY;
  if (!open_stage(&s, WINDOW_SHOWN) || !open_sprites(&s, draw_paths, count))
    return false;
  SDL_Renderer *renderer = s.window.renderer;
  if (s.window.software) {
    fprintf(stderr, "count: no OpenGL here: another path than the player's would be measured\n");
    return false;
  }
  SDL_RenderSetVSync(renderer, 0);
  for (int frames = getenv("BENCH_QUICK") ? 30 : 120; frames-- > 0;) {
    while (SDL_PollEvent(&event)) {
    }
    SDL_SetRenderDrawColor(renderer, 0, 0, 0, 255);
    SDL_RenderClear(renderer);
    SDL_RenderFlush(renderer);
    double begin = now_ns();
    do_fill(&s, count);
    batch_play(&s.batch, renderer, 1, 1);
    SDL_RenderFlush(renderer);
    SDL_RenderPresent(renderer);
    least = fmin(least, now_ns() - begin);
  }
  printf("sprite %.4f\n", least / count);
  sp_manager_close(s.pools);
  close_stage(&s);
  return true;
}

/* }== */

/* {== From Lua ===========================================================
** How many instructions a table access takes depends on how strings are hashed, and Lua seeds that with the time of day
** and three addresses. So the time stands still here, and the state is opened on a stack that lies inside the program:
** with the same libraries every run has the same seed, whatever the environment. */

/* In place of the C library's. */
time_t time(time_t *t)
{
  if (t)
    *t = 0;
  return 0;
}

static void do_call(void *L, long times)
{
  (void)times;
  lua_call(L, 1, 0);
}

/* counted(path, times) */
static int count_path(lua_State *L)
{
  counted(do_call, L);
  return 0;
}

static void *count_lua(void *script)
{
  lua_State *L = luaL_newstate();
  if (!L)
    return NULL;
  luaL_openlibs(L);
  lua_register(L, "counted", count_path);
  if (luaL_dofile(L, script) != LUA_OK) {
    fprintf(stderr, "count: %s\n", lua_tostring(L, -1));
    return NULL;
  }
  lua_close(L);
  return script;
}

/* }== */

int main(int argc, char **argv)
{
  static _Alignas(64) char stack[1 << 20];
  pthread_attr_t attributes;
  pthread_t thread;
  void *done = NULL;
  if (argc == 2 && strcmp(argv[1], "draw") == 0)
    return time_draw(10000) ? 0 : 1;
  if (argc != 2 || !count_core() || !count_draw() || pthread_attr_init(&attributes) != 0 ||
      pthread_attr_setstack(&attributes, stack, sizeof stack) != 0 ||
      pthread_create(&thread, &attributes, count_lua, argv[1]) != 0 || pthread_join(thread, &done) != 0)
    return 2;
  return done ? 0 : 1;
}
