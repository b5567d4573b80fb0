/*
** The hot paths of the core, to be counted under callgrind by count.sh: `count PATH N` does one thing N times after the
** same warm-up, so that the difference between two runs is that thing alone.
*/
#include <stdlib.h>
#include <string.h>

#include "core/spawnpool.h"

#define OBJECTS 100

typedef struct scene {
  sp_manager *manager;
  sp_pool *pool;
  sp_ref objects[OBJECTS];
} scene;

static void do_pair(scene *s, long times)
{
  for (long i = 0; i < times; i++)
    sp_recycle(s->manager, sp_alloc(s->pool, 0, NULL));
}

static void do_pair_life(scene *s, long times)
{
  for (long i = 0; i < times; i++)
    sp_recycle(s->manager, sp_alloc(s->pool, 2, NULL));
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
    sp_alloc(s->pool, 1.0 / 64, NULL);
    sp_update(s->manager, 1.0 / 64);
  }
}

static void do_idle_tick(scene *s, long times)
{
  for (long i = 0; i < times; i++)
    sp_update(s->manager, 1.0 / 64);
}

static void do_walk(scene *s, long times)
{
  for (long done = 0; done < times; done += OBJECTS) {
    sp_walk walk = sp_walk_begin(s->pool);
    while (sp_walk_next(&walk)) {
    }
  }
}

static const struct {
  const char *name;
  void (*run)(scene *, long);
} paths[] = {
    {"pair", do_pair},     {"pair_life", do_pair_life}, {"cell", do_cell},
    {"expiry", do_expiry}, {"idle_tick", do_idle_tick}, {"walk", do_walk},
};

static bool open_scene(scene *s)
{
  sp_options options = {.step = 1.0 / 64};
  sp_field field = {.name = "bytes", .size = 64, .keep = true};
  sp_pool_desc desc = sp_pool_defaults("Counted");
  desc.spatial = false;
  desc.fields = &field;
  desc.field_count = 1;
  desc.settings.prealloc = 2 * OBJECTS;
  s->manager = sp_open(&options, NULL);
  s->pool = s->manager ? sp_pool_open(s->manager, &desc, NULL) : NULL;
  for (int i = 0; s->pool && i < OBJECTS; i++)
    s->objects[i] = sp_alloc(s->pool, 0, NULL);
  return s->pool != NULL;
}

int main(int argc, char **argv)
{
  scene s;
  if (argc != 3 || !open_scene(&s))
    return 2;
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
    if (strcmp(argv[1], paths[i].name) == 0) {
      paths[i].run(&s, 1000); /* warm-up */
      paths[i].run(&s, strtol(argv[2], NULL, 10));
      sp_close(s.manager);
      return 0;
    }
  return 2;
}
