/*
** Work over n things and over 8n, to be counted under callgrind by count.sh --curves: no curve bends. Each line of the
** table sets up a scene of n things of its kind, and then does the work that is counted.
**   curves   does all of them, with n and with 8n, and prints name and n before what is counted
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/spawnpool.h"
#include "core/spawnpool_tools.h"

#define SMALL 1000
#define FACTOR 8
#define LARGE (SMALL * FACTOR)
#define STEP (1.0 / 64) /* exact in binary */
#define SIDE 90         /* objects in a row: LARGE of them are a square */

typedef struct scene {
  int n;
  sp_manager *manager;
  sp_pool *pool;
  sp_snapshot *snapshot;
  unsigned char *save;
  size_t saved, read;
  sp_ref objects[LARGE];
  sp_timer timers[LARGE];
} scene;

/* The instructions in here are counted. */
extern void counted(void (*run)(scene *s), scene *s);
__attribute__((noinline, noclone)) void counted(void (*run)(scene *s), scene *s) { run(s); }

static int shuffled(const scene *s, int i) { return (int)((long)i * 7919 % s->n); }

static sp_start place_of(int i) { return (sp_start){.x = (float)(i % SIDE) * 15, .y = (float)(i / SIDE) * 15}; }

/* {== Scenes ============================================================= */

static void nothing(scene *s) { (void)s; }

static void filled(scene *s)
{
  for (int i = 0; i < s->n; i++)
    s->objects[i] = sp_pool_alloc(s->pool, 0, &(sp_start){.x = place_of(i).x, .y = place_of(i).y}, NULL);
}

static void with_settings(scene *s, sp_order order, uint32_t idle_limit)
{
  sp_settings settings = sp_pool_desc_of(s->pool)->settings;
  settings.order = order;
  settings.idle_limit = idle_limit;
  sp_pool_set_settings(s->pool, &settings);
}

/* Ten live ones, in slots that are spread over all. */
static void after_a_peak(scene *s)
{
  with_settings(s, SP_ORDER_FIFO, SP_UNLIMITED);
  filled(s);
  for (int i = 0; i < s->n; i++)
    if (i % (s->n / 10) != 0)
      sp_object_recycle(s->manager, s->objects[i]);
}

static void idle(scene *s) { sp_pool_prewarm(s->pool, (uint32_t)s->n, 0, 0); }

static void idle_in_a_queue(scene *s)
{
  with_settings(s, SP_ORDER_FIFO, SP_UNLIMITED);
  idle(s);
}

static void with_timers(scene *s)
{
  s->objects[0] = sp_pool_alloc(s->pool, 0, NULL, NULL);
  for (int i = 0; i < s->n; i++)
    s->timers[i] = sp_timer_start(s->manager, s->objects[0], 1000 + i, 0, 0, NULL);
}

static void chained(scene *s)
{
  filled(s);
  for (int i = 1; i < s->n; i++)
    sp_object_set_parent(s->manager, s->objects[i], s->objects[i - 1]);
}

static void with_children(scene *s)
{
  filled(s);
  for (int i = 1; i < s->n; i++)
    sp_object_set_parent(s->manager, s->objects[i], s->objects[0]);
}

/* All end in one tick, which is set in another order than that of their begins. */
static void ending(scene *s)
{
  filled(s);
  for (int i = 0; i < s->n; i++)
    sp_object_set_remaining(s->manager, s->objects[shuffled(s, i)], STEP);
}

/* Full, all but one pinned. */
static void pinned(scene *s)
{
  filled(s);
  sp_settings settings = sp_pool_desc_of(s->pool)->settings;
  settings.limit = (uint32_t)s->n;
  settings.overflow = SP_OVERFLOW_OLDEST;
  sp_pool_set_settings(s->pool, &settings);
  for (int i = 0; i < s->n - 1; i++)
    ((sp_look *)sp_object_cell(s->manager, s->objects[i], SP_LOOK))->pinned = true;
}

/* The numbers of another pool's chunks, with one that stays between them. */
static void numbers_given_back(scene *s)
{
  filled(s);
  sp_pool_desc desc = sp_pool_defaults("Other");
  sp_pool_alloc(sp_manager_add_pool(s->manager, &desc, NULL), 0, NULL, NULL);
  sp_pool_remove(s->pool, NULL, NULL);
  desc = sp_pool_defaults("Grown");
  s->pool = sp_manager_add_pool(s->manager, &desc, NULL);
}

static void with_pools(scene *s)
{
  char name[32];
  sp_pool_desc desc = sp_pool_defaults(name);
  for (int i = 0; i < s->n; i++) {
    snprintf(name, sizeof name, "Type%d", i);
    sp_manager_add_pool(s->manager, &desc, NULL);
  }
}

static void kept(scene *s)
{
  filled(s);
  s->snapshot = sp_snapshot_take(s->manager, NULL, NULL);
}

static bool write_bytes(void *ud, const void *bytes, size_t size)
{
  scene *s = ud;
  unsigned char *more = realloc(s->save, s->saved + size);
  if (!more)
    return false;
  s->save = more;
  memcpy(s->save + s->saved, bytes, size);
  s->saved += size;
  return true;
}

static void saved(scene *s)
{
  filled(s);
  sp_manager_save(s->manager, write_bytes, s);
}

/* }== */

/* {== Work =============================================================== */

static void alloc_all(scene *s) { filled(s); }

static void recycle_in_any_order(scene *s)
{
  for (int i = 0; i < s->n; i++)
    sp_object_recycle(s->manager, s->objects[shuffled(s, i)]);
}

static void recycle_all(scene *s) { sp_pool_recycle_all(s->pool); }
static void recycle_first(scene *s) { sp_object_recycle(s->manager, s->objects[0]); }
static void trim(scene *s) { sp_pool_trim(s->pool, 0); }
static void shrink(scene *s) { with_settings(s, SP_ORDER_FIFO, 0), recycle_in_any_order(s); }
static void switch_order(scene *s) { with_settings(s, SP_ORDER_LIFO, SP_UNLIMITED); }
static void update(scene *s) { sp_manager_update(s->manager, STEP); }

static void walk(scene *s)
{
  sp_walk w = sp_pool_walk(s->pool);
  while (sp_walk_next(&w))
    continue;
}

static bool is_last(void *ud, sp_ref idle_object)
{
  const scene *s = ud;
  return sp_object_number(s->manager, idle_object) == (uint32_t)s->n;
}
static void take_last(scene *s) { sp_pool_take(s->pool, is_last, s, 0, NULL); }

static void take_all(scene *s)
{
  for (int i = 0; i < s->n; i++)
    sp_pool_take(s->pool, NULL, NULL, 0, NULL);
}

static void stop_timers(scene *s)
{
  for (int i = 0; i < s->n; i++)
    sp_timer_stop(s->manager, s->timers[i]);
}

static void chain_from_its_head(scene *s)
{
  for (int i = 1; i < s->n; i++)
    sp_object_set_parent(s->manager, s->objects[i - 1], s->objects[i]);
}

static void chain_from_its_tail(scene *s)
{
  for (int i = s->n - 1; i > 0; i--)
    sp_object_set_parent(s->manager, s->objects[i], s->objects[i - 1]);
}

static void place_of_last(scene *s)
{
  sp_place place;
  sp_object_world(s->manager, s->objects[s->n - 1], &place);
}

static void find_nearest(scene *s)
{
  for (int i = 0; i < s->n; i++)
    sp_pool_nearest(s->pool, place_of(i).x + 3, place_of(i).y + 4, 0, NULL);
}

static void ignore(void *ud, sp_ref object) { (void)ud, (void)object; }
static void find_within(scene *s)
{
  for (int i = 0; i < s->n; i++)
    sp_pool_within(s->pool, place_of(i).x, place_of(i).y, 20, ignore, NULL, NULL);
}

static void ignore_pair(void *ud, sp_ref object, sp_ref other) { (void)ud, (void)object, (void)other; }
static void find_overlaps(scene *s) { sp_pool_overlaps(s->pool, s->pool, ignore_pair, NULL, NULL); }

static void evict_all(scene *s)
{
  for (int i = 0; i < s->n; i++)
    sp_pool_alloc(s->pool, 0, NULL, NULL);
}

static void redefine(scene *s)
{
  sp_field field = {.name = "more", .size = 8};
  sp_pool_desc desc = *sp_pool_desc_of(s->pool);
  desc.fields = &field;
  desc.field_count = 1;
  sp_pool_redefine(s->pool, &desc);
}

static void find_pools(scene *s)
{
  char name[32];
  for (int i = 0; i < s->n; i++) {
    snprintf(name, sizeof name, "Type%d", shuffled(s, i));
    sp_manager_pool(s->manager, name);
  }
}

static void snapshot(scene *s) { s->snapshot = sp_snapshot_take(s->manager, NULL, NULL); }
static void restore(scene *s) { sp_snapshot_restore(s->manager, s->snapshot); }
static void save(scene *s) { sp_manager_save(s->manager, write_bytes, s); }
static void hash(scene *s) { sp_manager_hash(s->manager); }
static void close_manager(scene *s) { s->manager = sp_manager_close(s->manager) == SP_OK ? NULL : s->manager; }

static size_t read_bytes(void *ud, void *bytes, size_t size)
{
  scene *s = ud;
  const size_t left = s->saved - s->read, count = size < left ? size : left;
  memcpy(bytes, s->save + s->read, count);
  s->read += count;
  return count;
}
static void load(scene *s)
{
  const sp_manager_options options = sp_manager_defaults();
  sp_manager_close(sp_manager_load(&options, read_bytes, s, NULL));
}

/* }== */

typedef struct curve {
  const char *name;
  void (*set_up)(scene *s), (*work)(scene *s);
} curve;

static const curve curves[] = {
    {"alloc", nothing, alloc_all},
    {"alloc_into_given_back_numbers", numbers_given_back, alloc_all},
    {"recycle_in_any_order", filled, recycle_in_any_order},
    {"recycle_all", filled, recycle_all},
    {"recycle_a_parent", with_children, recycle_first},
    {"recycle_a_chain", chained, recycle_first},
    {"trim", idle, trim},
    {"keep_none_idle", filled, shrink},
    {"switch_order", idle, switch_order},
    {"take", idle_in_a_queue, take_all},
    {"take_the_last", idle_in_a_queue, take_last},
    {"evict_behind_pinned", pinned, evict_all},
    {"end_in_one_tick", ending, update},
    {"stop_timers", with_timers, stop_timers},
    {"chain_from_its_head", filled, chain_from_its_head},
    {"chain_from_its_tail", filled, chain_from_its_tail},
    {"place_of_the_last", chained, place_of_last},
    {"nearest", filled, find_nearest},
    {"within", filled, find_within},
    {"overlaps", filled, find_overlaps},
    {"move", filled, update},
    {"walk_after_a_peak", after_a_peak, walk},
    {"update_after_a_peak", after_a_peak, update},
    {"redefine", filled, redefine},
    {"add_pools", nothing, with_pools},
    {"find_pools", with_pools, find_pools},
    {"snapshot", filled, snapshot},
    {"restore", kept, restore},
    {"save", filled, save},
    {"load", saved, load},
    {"hash", filled, hash},
    {"close", filled, close_manager},
};

static bool open_scene(scene *s, int n)
{
  sp_manager_options options = sp_manager_defaults();
  options.step = STEP;
  sp_pool_desc desc = sp_pool_defaults("Counted");
  desc.spatial = true;
  desc.vx = 1;
  *s = (scene){.n = n, .manager = sp_manager_open(&options, NULL)};
  s->pool = s->manager ? sp_manager_add_pool(s->manager, &desc, NULL) : NULL;
  return s->pool != NULL;
}

int main(void)
{
  static scene s;
  for (size_t i = 0; i < sizeof curves / sizeof *curves; i++)
    for (int n = SMALL; n <= LARGE; n *= FACTOR) {
      if (!open_scene(&s, n))
        return 2;
      curves[i].set_up(&s);
      printf("%s %d\n", curves[i].name, n);
      counted(curves[i].work, &s);
      sp_snapshot_free(s.snapshot);
      sp_manager_close(s.manager);
      free(s.save);
    }
  return 0;
}
