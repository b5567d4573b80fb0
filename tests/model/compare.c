/*
** The model against the real thing: counts, orders, fields, times, parents and timers, after a call.
*/
#include "model/model.h"
#include "support/desc.h"

#include <math.h>
#include <string.h>

/* Births are kept as one more than the birth before, in the last place of a double: after years that shows. */
#define same_time(m, pool, what, real, naive)                                                                          \
  do {                                                                                                                 \
    if (!(fabs((real) - (naive)) <= model_time(m) * 1e-12))                                                            \
      same(m, pool, what, real, naive);                                                                                \
  } while (0)

/* Numbers, or both are none: so far out infinities meet. */
#define same_float(m, pool, what, real, naive)                                                                         \
  do {                                                                                                                 \
    if (!isnan(real) || !isnan(naive))                                                                                 \
      same(m, pool, what, real, naive);                                                                                \
  } while (0)

static const char *const column_names[SP_LOOK] = {"x", "y", "vx", "vy", "ax", "ay", "angle", "spin"};

/* Checks the parent, children and timers of an object. */
static void check_belongings(model *m, int pool, sp_manager *real, const model_object *o)
{
  enum { ROOM = 3 };
  sp_ref children[ROOM + 1] = {0};
  sp_place place = {0};
  uint32_t count = 0, timers = 0;
  double next = INFINITY, soonest;
  for (const model_object *child, *last = NULL; (child = model_child(m, o->object, last)) != NULL; last = child)
    count++;
  uint32_t have = sp_object_children(real, o->object, children, ROOM), at = 0;
  same(m, pool, "children", have, count);
  same(m, pool, "what lies behind the children", children[ROOM], 0);
  for (const model_object *child, *last = NULL; (child = model_child(m, o->object, last)) != NULL && at < ROOM;
       last = child)
    same(m, pool, "a child", children[at++], child->object);
  same(m, pool, "parent", sp_object_parent(real, o->object), o->parent);
  same(m, pool, "has_parents", sp_pool_has_parents(sp_object_pool(real, o->object)) || (count == 0 && !o->parent),
       true);
  same(m, pool, "world_place", sp_object_world(real, o->object, &place), true);
  const sp_place expected = model_world_place(m, o);
  same_float(m, pool, "world x", place.x, expected.x);
  same_float(m, pool, "world y", place.y, expected.y);
  same_float(m, pool, "world angle", place.angle, expected.angle);
  const sp_box round = {2 * MODEL_RADIUS, 2 * MODEL_RADIUS}, around = m->pools[pool].shape.box;
  sp_box box = {0, 0};
  same(m, pool, "object_box", sp_object_box(real, o->object, &box), true);
  same_float(m, pool, "width", box.w, around.w > 0 ? around.w : round.w);
  same_float(m, pool, "height", box.h, around.h > 0 ? around.h : round.h);
  for (const model_timer *t = m->timers; t < m->timers + TIMERS; t++)
    if (t->handle && t->owner == o->object) {
      timers++;
      next = t->at == ENDLESS ? next : fmin(next, fmax((double)(t->at - model_now(m)) / 256, 0));
    }
  same(m, pool, "timers", sp_object_timers(real, o->object, &soonest), timers);
  if (isinf(next))
    same(m, pool, "a timer that is never due", soonest, next);
  else if (timers > 0)
    same_time(m, pool, "next timer", soonest, next);
}

static void check_object(model *m, int pool, sp_manager *real, const model_object *o)
{
  sp_ref object = o->object;
  bool flipped = m->pools[pool].shape.flipped;
  sp_pool *owner = sp_object_pool(real, object);
  sp_slot slot;
  same(m, pool, "slots", sp_pool_slots(owner, sp_pool_slot_of(owner, object), 1, &slot), 1);
  same(m, pool, "what is in the slot", slot.object == object && slot.state == SP_SLOT_LIVE, true);
  same(m, pool, "age of the slot", slot.age, (float)sp_object_age(real, object));
  check_belongings(m, pool, real, o);
  same(m, pool, "is_live", sp_object_is_live(real, object), true);
  for (int i = SP_X; i < SP_LOOK; i++)
    same_float(m, pool, column_names[i], *(const float *)sp_object_peek(real, object, i), o->columns[i]);
  same(m, pool, "value", *(const double *)sp_object_peek(real, object, SP_FIELDS + flipped), o->value);
  same(m, pool, "kept", *(const double *)sp_object_peek(real, object, SP_FIELDS + !flipped), o->kept);
  const unsigned char *extra = sp_object_peek(real, object, SP_FIELDS + 2);
  for (int i = 0; i < m->pools[pool].shape.extra; i++)
    same(m, pool, "a byte of the third field", extra[i], o->marked ? MODEL_MARK : 0);
  const sp_look *look = sp_object_peek(real, object, SP_LOOK);
  const sp_look expected = {1, 1, 1, 1, look->a, MODEL_RADIUS, o->layer, 0, 1, o->pinned, {0}};
  same(m, pool, "another look", memcmp(look, &expected, sizeof expected), 0);
  same(m, pool, "alpha beside what it should be", fabsf(look->a - o->alpha) > 1e-3f, false);
  same_time(m, pool, "age", sp_object_age(real, object), (double)(model_now(m) - o->born) / 256);
  /* A lifetime of 0 at the moment of birth is one too short to count. */
  double left = (double)(o->born + o->lifetime - model_now(m)) / 256;
  bool endless = o->lifetime == 0 && !o->due && sp_object_lifetime(real, object) == 0;
  if (!endless && sp_object_lifetime(real, object) > 1e-300)
    same_time(m, pool, "lifetime", sp_object_lifetime(real, object), (double)o->lifetime / 256);
  if (!endless && sp_object_remaining(real, object) > 1e-300)
    same_time(m, pool, "remaining", sp_object_remaining(real, object), left > 0 ? left : 0);
}

/* The columns, read in bulk. */
static void check_chunks(const model *m, int pool, sp_pool *real)
{
  const model_object *o = NULL;
  uint32_t slot = 0;
  for (uint32_t k = 0; k < sp_pool_chunks(real); k++) {
    const uint64_t live = live_bits_of(real, k);
    const float *xs = sp_pool_peek_column(real, k, SP_X);
    same(m, pool, "sp_pool_column", sp_pool_column(real, k, SP_X) == xs, true);
    for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++)
      if (live >> i & 1) {
        o = model_walk_next(&m->pools[pool], slot, m->serial);
        same(m, pool, "the bit of an object", o != NULL, true);
        same_float(m, pool, "x in bulk", xs[i], o->columns[SP_X]);
        slot = o->slot + 1;
      }
  }
  same(m, pool, "bits", model_walk_next(&m->pools[pool], slot, m->serial) == NULL, true);
}

void model_check_objects(model *m, int pool, sp_pool *real)
{
  model_pool *p = &m->pools[pool];
  sp_manager *manager = sp_pool_manager(real);
  static const char *const types[] = {"A", "B", "C"};
  sp_settings s = sp_pool_desc_of(real)->settings, expected = p->shape.settings;
  same(m, pool, "settings", memcmp(&s, &expected, sizeof s), 0);
  same(m, pool, "type", strcmp(sp_pool_desc_of(real)->type, types[pool]), 0);
  same(m, pool, "pool_find", sp_manager_pool(manager, types[pool]) == real, true);
  check_chunks(m, pool, real);
  sp_walk walk = sp_pool_walk(real);
  uint32_t slot = 0;
  for (const model_object *o; (o = model_walk_next(p, slot, m->serial)) != NULL; slot = o->slot + 1) {
    if (sp_walk_next(&walk) != o->object)
      model_differ(m, "pool %d: the walk misses %u", pool, o->number);
    check_object(m, pool, manager, o);
  }
  if (sp_walk_next(&walk) != SP_NULL_REF)
    model_differ(m, "pool %d: the walk has more than what lives", pool);
  sp_ref idle = SP_NULL_REF;
  for (uint32_t i = 0; i < p->idle_count; i++) {
    idle = sp_pool_idle_after(real, idle);
    const double kept = *(const double *)sp_object_peek(manager, idle, SP_FIELDS + !p->shape.flipped);
    same(m, pool, "the number of an idle object", sp_object_number(manager, idle), p->idle[i]);
    for (int column = SP_VX; column < SP_LOOK; column++)
      if (column != SP_ANGLE)
        same(m, pool, column_names[column], *(const float *)sp_object_peek(manager, idle, column),
             0); /* idle objects rest */
    if (p->shape.keeps)
      same(m, pool, "what an idle object has kept", kept, model_at(p, p->idle[i])->kept);
  }
}

/* Numbers of the statistics; a manager's are sums, but for the last three. */
static const struct count {
  const char *name;
  size_t at, size;
} counts[] = {
#define COUNT(name)                                                                                                    \
  {                                                                                                                    \
#name, offsetof(sp_stats, name), sizeof((sp_stats *)0)->name                                                       \
  }
    COUNT(live),         COUNT(idle),           COUNT(total),      COUNT(allocs),          COUNT(recycles),
    COUNT(expired),      COUNT(evicted),        COUNT(refused),    COUNT(vetoed),          COUNT(created),
    COUNT(retired),      COUNT(destroyed),      COUNT(stale_uses), COUNT(double_recycles), COUNT(peak),
    COUNT(prewarm_done), COUNT(prewarm_wanted),
#undef COUNT
};
enum { COUNTS = sizeof counts / sizeof *counts, SUMS = COUNTS - 3 };

static uint64_t count_of(const sp_stats *s, const struct count *it)
{
  const char *at = (const char *)s + it->at;
  return it->size == sizeof(uint32_t) ? *(const uint32_t *)at : *(const uint64_t *)at;
}

const char *model_stats_differ(const sp_stats *a, const sp_stats *b)
{
  for (int i = 0; i < COUNTS; i++)
    if (count_of(a, &counts[i]) != count_of(b, &counts[i]))
      return counts[i].name;
  return NULL;
}

/* The model counts none of these. */
static sp_stats stats_in_model(const model_pool *p)
{
  sp_stats s = p->stats;
  s.idle = p->idle_count;
  s.total = s.live + s.idle;
  s.allocs = s.recycles + s.live;
  s.prewarm_wanted = p->goal;
  s.prewarm_done = p->warmed;
  return s;
}

void model_check_stats(const model *m, int pool, sp_pool *real)
{
  const sp_stats a = sp_stats_of(real), b = stats_in_model(&m->pools[pool]);
  for (int i = 0; i < COUNTS; i++)
    same(m, pool, counts[i].name, count_of(&a, &counts[i]), count_of(&b, &counts[i]));
  same(m, pool, "peak_time", a.peak_time, b.peak_time);
}

void model_check_manager(const model *m, sp_manager *real)
{
  const sp_stats all = sp_total_of(real);
  const sp_stats pools[POOLS] = {stats_in_model(&m->pools[0]), stats_in_model(&m->pools[1]),
                                 stats_in_model(&m->pools[2])};
  uint32_t peak = m->peak;
  for (int i = 0; i < SUMS; i++) {
    uint64_t sum = 0;
    for (int k = 0; k < POOLS; k++)
      sum += count_of(&pools[k], &counts[i]);
    same(m, -1, counts[i].name, count_of(&all, &counts[i]), sum);
  }
  for (int k = 0; k < POOLS; k++)
    peak = pools[k].peak > peak ? pools[k].peak : peak;
  same(m, -1, "peak", all.peak, peak > all.live ? peak : all.live);
  same(m, -1, "tick", sp_clock_of(real).tick, m->tick);
  same(m, -1, "time", sp_clock_of(real).time, model_time(m));
  same(m, -1, "step", sp_clock_of(real).step, UNITS_PER_TICK / 256.0);
  same(m, -1, "time scale", sp_clock_of(real).time_scale, (double)m->scale);
  same(m, -1, "paused", sp_clock_of(real).paused, m->paused);
  same(m, -1, "pools", count_pools(real), POOLS);
}
