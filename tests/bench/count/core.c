/*
** The hot paths of the core, to be counted under callgrind by count.sh. Each path is done some times to warm up, then
** OPERATIONS times inside counted(), which callgrind is told about; the name goes to the standard output before.
*/
#include <stdio.h>
#include <stdlib.h>

#include "core/spawnpool.h"

#define OBJECTS 100
#define OPERATIONS 2000
#define STEP (1.0 / 64) /* exact in binary */

typedef struct scene {
  sp_manager *manager;
  sp_pool *pool;
  sp_ref objects[OBJECTS];
} scene;

/* {== Paths ============================================================== */

static void do_pair(scene *s, long times)
{
  for (long i = 0; i < times; i++)
    sp_recycle(s->manager, sp_pool_alloc(s->pool, 0, NULL));
}

static void do_pair_life(scene *s, long times)
{
  for (long i = 0; i < times; i++)
    sp_recycle(s->manager, sp_pool_alloc(s->pool, 2, NULL));
}

static void do_cell(scene *s, long times)
{
  for (long i = 0; i < times; i++)
    *(char *)sp_cell(s->manager, s->objects[i % OBJECTS], SP_FIELDS) = 1;
}

/* One object per update that expires it: alloc, expiry and the tick itself. */
static void do_expiry(scene *s, long times)
{
  for (long i = 0; i < times; i++) {
    sp_pool_alloc(s->pool, STEP, NULL);
    sp_update(s->manager, STEP);
  }
}

static void do_idle_tick(scene *s, long times)
{
  for (long i = 0; i < times; i++)
    sp_update(s->manager, STEP);
}

static void do_walk(scene *s, long times)
{
  for (long done = 0; done < times; done += OBJECTS) {
    sp_walk walk = sp_pool_walk(s->pool);
    while (sp_walk_next(&walk)) {
    }
  }
}

/* Per object. */
static void do_move(scene *s, long times)
{
  for (long done = 0; done < times; done += OBJECTS)
    sp_update(s->manager, STEP);
}

static void found(void *ud, sp_ref object, sp_ref other)
{
  (void)object, (void)other;
  *(long *)ud += 1;
}

/* Per object, every one of which touches its neighbours. */
static void do_overlaps(scene *s, long times)
{
  long pairs = 0;
  for (long done = 0; done < times; done += OBJECTS)
    sp_pool_overlaps(s->pool, s->pool, found, &pairs, NULL);
}

static void do_statistics(scene *s, long times)
{
  for (long i = 0; i < times; i++)
    sp_pool_stats(s->pool);
}

/* }== */

static const struct path {
  const char *name;
  void (*run)(scene *, long);
  bool spatial;
} paths[] = {
    {"core_pair", do_pair, false},        {"core_pair_life", do_pair_life, false},
    {"core_pair_placed", do_pair, true},  {"core_cell", do_cell, false},
    {"core_expiry", do_expiry, false},    {"core_idle_tick", do_idle_tick, false},
    {"core_move", do_move, true},         {"core_walk", do_walk, false},
    {"core_overlaps", do_overlaps, true}, {"core_statistics", do_statistics, false},
};

static bool open_scene(scene *s, bool spatial)
{
  sp_options options = {.step = STEP};
  sp_field field = {.name = "bytes", .size = 64, .keep = true};
  sp_pool_desc desc = {.type = "Counted"};
  desc.spatial = spatial;
  desc.vx = 1;
  desc.fields = &field;
  desc.field_count = 1;
  desc.settings.prealloc = 2 * OBJECTS;
  s->manager = sp_open(&options, NULL);
  s->pool = s->manager ? sp_add_pool(s->manager, &desc, NULL) : NULL;
  for (int i = 0; s->pool && i < OBJECTS; i++) {
    sp_place place = {(float)(i % 10) * 15, (float)(i / 10) * 15, 0};
    s->objects[i] = sp_pool_alloc_at(s->pool, 0, &place, NULL);
  }
  return s->pool != NULL;
}

/* The instructions in here are counted. */
extern void counted(const struct path *path, scene *s);
__attribute__((noinline)) void counted(const struct path *path, scene *s) { path->run(s, OPERATIONS); }

int main(void)
{
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    scene s;
    if (!open_scene(&s, paths[i].spatial))
      return 1;
    paths[i].run(&s, OPERATIONS / 2);
    printf("%s %d\n", paths[i].name, OPERATIONS);
    counted(&paths[i], &s);
    sp_close(s.manager);
  }
  return 0;
}
