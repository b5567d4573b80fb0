#include "support/world.h"

#include "core/binding.h"

#include <stddef.h>

uint64_t world_mixed(uint64_t x)
{
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/* A number below `most` that belongs to the step and to a use within it. */
static uint32_t drawn(uint64_t step, uint32_t use, uint32_t most)
{
  return (uint32_t)(world_mixed(step << 8 | use) % most);
}

static bool spawn_counts(void *ud, sp_pool *pool, sp_ref object, bool fresh)
{
  uint32_t *cell = sp_cell(sp_pool_manager(pool), object, SP_FIELDS);
  (void)ud;
  *cell += fresh ? 1 : 2;
  return *cell % 13 != 0;
}

/* Every third cube bursts into a spark beside it, which may outlive it. */
static void burst(void *ud, sp_pool *pool, sp_ref object, sp_why why)
{
  sp_manager *m = sp_pool_manager(pool);
  const sp_pool *cubes = sp_find_pool(m, "Cube");
  (void)ud;
  if (why == SP_WHY_REMOVED || pool != cubes || sp_object_number(m, object) % 3 != 0)
    return;
  const float *x = sp_peek(m, object, SP_X);
  sp_place place = {*x, 1, 0};
  sp_pool_alloc_at(sp_find_pool(m, "Spark"), 0.25, &place, NULL);
}

/* A timer's object turns, and at some point ends. */
void world_fire(void *ud, sp_ref object, uint64_t timer)
{
  sp_manager *m = ((world *)ud)->c.manager;
  float *angle = sp_cell(m, object, SP_ANGLE);
  (void)timer;
  if (!object) /* the manager's: it leaves something behind */
    sp_pool_alloc(sp_find_pool(m, "Plain"), 0.5, NULL);
  if (angle && (*angle += 0.25f) > 3)
    sp_recycle(m, object);
}

static void describe(sp_pool_desc descs[POOLS])
{
  static const sp_curve fade = {.column = SP_LOOK, .offset = offsetof(sp_look, a), .count = 3, .points = {1, 0.2f, 0}};
  static const sp_field fields[] = {{.name = "uses", .size = 4, .keep = true}, {.name = "heat", .size = 8}};
  sp_pool_desc cube = test_desc("Cube"), spark = test_desc("Spark"),
               plain = {.type = "Plain", .settings = cube.settings};
  cube.fields = fields;
  cube.field_count = 2;
  cube.hooks.on_spawn = spawn_counts;
  cube.hooks.on_despawn = burst;
  cube.bounds = (sp_bounds){-100, -100, 200, 200, SP_OUTSIDE_RECYCLE};
  cube.settings.limit = 300;
  cube.settings.overflow = SP_OVERFLOW_OLDEST;
  spark.settings.order = SP_ORDER_LIFO;
  spark.settings.idle_limit = 40;
  spark.motion = (sp_motion){9.81f, 0.5f, true};
  spark.bounds = (sp_bounds){-120, -90, 240, 180, SP_OUTSIDE_BOUNCE};
  spark.curves = &fade;
  spark.curve_count = 1;
  plain.spatial = false;
  plain.settings.prealloc = 10;
  descs[CUBES] = cube;
  descs[SPARKS] = spark;
  descs[PLAIN] = plain;
}

void world_open(world *w)
{
  core_open_with(&w->c, (sp_options){.on_timer = world_fire, .timer_ud = w});
  sp_pool_desc descs[POOLS];
  describe(descs);
  for (int i = 0; i < POOLS; i++)
    w->pools[i] = core_pool_with(&w->c, &descs[i]);
}

void world_adopt(world *w, sp_manager *manager)
{
  sp_pool_desc descs[POOLS];
  describe(descs);
  w->c.manager = manager;
  for (int i = 0; i < POOLS; i++) {
    w->pools[i] = sp_find_pool(manager, descs[i].type);
    ck_assert_int_eq(sp_pool_redefine(w->pools[i], &descs[i]), SP_OK);
  }
}

/* The live object of a pool that a step chooses, or 0. */
static sp_ref chosen(const world *w, int pool, uint64_t step, uint32_t use)
{
  uint32_t live = sp_pool_live(w->pools[pool]), skip = live ? drawn(step, use, live) : 0;
  sp_walk walk = sp_pool_walk(w->pools[pool]);
  sp_ref object = sp_walk_next(&walk);
  while (object && skip-- > 0)
    object = sp_walk_next(&walk);
  return object;
}

static void spawn(world *w, uint64_t step)
{
  int pool = (int)drawn(step, 1, POOLS);
  double lifetime = drawn(step, 2, 3) ? drawn(step, 3, 200) * STEP : 0;
  sp_place place = {(float)drawn(step, 4, 200) - 100, (float)drawn(step, 5, 200) - 100, 0};
  for (uint32_t i = 0; i < drawn(step, 6, 12); i++) {
    sp_ref object = sp_pool_alloc_at(w->pools[pool], lifetime, pool == PLAIN ? NULL : &place, NULL);
    float *vx = sp_cell(w->c.manager, object, SP_VX);
    if (vx)
      *vx = (float)drawn(step, 7 + i, 60) - 30;
  }
}

/* In an order that depends on the objects alone: what is added is not the same in another one. */
static void touch(void *ud, sp_ref object, sp_ref other)
{
  world *w = ud;
  float *vx = sp_cell(w->c.manager, object, SP_VX), *spin = sp_cell(w->c.manager, other, SP_SPIN);
  *vx = *vx * 0.75f + 1;
  *spin = *spin * 0.5f + *vx;
}

void world_step(world *w, uint64_t step)
{
  sp_manager *m = w->c.manager;
  sp_ref cube = chosen(w, CUBES, step, 30), spark = chosen(w, SPARKS, step, 31);
  switch (drawn(step, 0, 12)) {
  case 0:
    sp_recycle(m, chosen(w, (int)drawn(step, 1, POOLS), step, 32));
    break;
  case 1:
    sp_timer_start(m, cube, drawn(step, 2, 40) * STEP, drawn(step, 3, 3) * STEP, NULL);
    break;
  case 2:
    sp_set_parent(m, spark, drawn(step, 2, 3) ? cube : SP_NONE_REF);
    break;
  case 3:
    sp_set_remaining(m, cube, drawn(step, 2, 3000) * STEP);
    break;
  case 4:
    if (drawn(step, 2, 20) == 0)
      sp_pool_clear(w->pools[drawn(step, 3, POOLS)]);
    break;
  case 5:
    if (drawn(step, 2, 40) == 0)
      sp_pool_recycle_all(w->pools[drawn(step, 3, POOLS)]);
    break;
  case 6:
    if (drawn(step, 3, 3) == 0)
      sp_manager_timer_start(m, drawn(step, 4, 60) * STEP, 0, NULL);
    sp_pool_prewarm_slowly(w->pools[SPARKS], drawn(step, 2, 100), 3, STEP);
    break;
  case 7:
  case 8:
    spawn(w, step);
    break;
  case 9:
    sp_pool_overlaps(w->pools[CUBES], w->pools[SPARKS], touch, w, NULL);
    break;
  default:
    sp_update(m, (1 + drawn(step, 2, 3)) * STEP / 2);
  }
}
