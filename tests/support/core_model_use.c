/*
** The model's calls: alloc with its overflow policies, objects, time, pools; and the comparison with the real thing.
*/
#include "support/core_model.h"

/* {== Room =============================================================== */

/* The oldest live object that may go, and is younger than `tried` and not younger than `newest`. */
static const model_object *oldest(const model_pool *p, uint64_t tried, uint64_t newest)
{
  const model_object *first = NULL;
  for (const model_object *o = p->objects; o < p->objects + p->used; o++)
    if (o->live && !o->pinned && o->serial > tried && o->serial <= newest && (!first || o->serial < first->serial))
      first = o;
  return first;
}

static bool evict_oldest(model *m, int pool)
{
  uint64_t newest = m->serial, tried = 0;
  for (const model_object *o; (o = oldest(&m->pools[pool], tried, newest)) != NULL;) {
    tried = o->serial;
    if (model_end(m, pool, o->number, SP_WHY_EVICTED, false))
      return true;
    if (m->pools[pool].settings.overflow != SP_OVERFLOW_OLDEST)
      return false; /* its hook changed the policy */
  }
  return false;
}

static bool evict_chosen(model *m, int pool)
{
  if (!model_hears(m, pool, HOOK_OVERFLOW))
    return false;
  int owner = -1;
  const model_object *o = model_find(m, model_expect(m, HOOK_OVERFLOW, pool, 0, 0)->victim, &owner);
  if (!o || !o->live || owner != pool)
    return false;
  return model_end(m, pool, o->number, SP_WHY_EVICTED, false);
}

static bool make_room(model *m, int pool)
{
  const model_pool *p = &m->pools[pool];
  uint32_t before = p->stats.live;
  if (p->settings.overflow == SP_OVERFLOW_GROW)
    return true;
  bool evicted = p->settings.overflow == SP_OVERFLOW_OLDEST     ? evict_oldest(m, pool)
                 : p->settings.overflow == SP_OVERFLOW_FUNCTION ? evict_chosen(m, pool)
                                                                : false;
  return p->stats.live < p->settings.limit || (evicted && p->stats.live < before);
}

/* }== */

/* {== Alloc ============================================================== */

static void arm(model *m, model_object *o, int64_t units)
{
  int64_t ticks = (m->spare + units + UNITS_PER_TICK - 1) / UNITS_PER_TICK;
  uint64_t due = m->tick + (uint64_t)(ticks > 1 ? ticks : 1);
  if (due == o->due)
    return;
  o->due = due;
}

static int64_t now(const model *m) { return (int64_t)m->tick * UNITS_PER_TICK + m->spare; }
double model_time(const model *m) { return (double)now(m) / 256; }

static sp_result prepare(model *m, int pool)
{
  const model_pool *p = &m->pools[pool];
  if (p->closing)
    return SP_CLOSED;
  uint32_t live;
  do {
    if (p->stats.live >= p->settings.limit && !make_room(m, pool))
      return SP_FULL;
    live = p->stats.live;
    while (p->idle_count == 0) {
      uint32_t room = p->settings.limit > p->stats.live ? p->settings.limit - p->stats.live : 1;
      model_grow(m, pool, p->settings.grow < room ? p->settings.grow : room);
    }
  } while (p->stats.live > live);
  return SP_OK;
}

/* Opens a life; returns whether it is the first one of its object. */
static bool open_life(model *m, int pool, uint32_t number, int64_t lifetime)
{
  model_object *o = model_at(&m->pools[pool], number);
  bool fresh = !o->lived;
  o->lived = true;
  o->serial = ++m->serial;
  o->generation++;
  o->object = (sp_ref)o->generation << 32 | 1u << 24 | o->slot;
  o->born = now(m);
  o->lifetime = lifetime;
  o->due = 0;
  o->x = o->vx = 0;
  o->value = MODEL_VALUE;
  o->pinned = false;
  if (lifetime > 0)
    arm(m, o, lifetime);
  return fresh;
}

static answer commit(model *m, int pool, uint32_t number, bool fresh)
{
  model_pool *p = &m->pools[pool];
  model_object *o = model_at(p, number);
  sp_ref object = o->object;
  o->live = true;
  if (++p->stats.live > p->stats.peak) {
    p->stats.peak = p->stats.live;
    p->stats.peak_time = model_time(m);
  }
  if (!model_hears(m, pool, HOOK_SPAWN))
    return (answer){.object = object};
  bool accepted = model_expect(m, HOOK_SPAWN, pool, number, fresh)->yes;
  bool lives = o->live && o->object == object;
  if (accepted && lives)
    return (answer){.object = object};
  if (lives) {
    o->live = false;
    model_close_life(m, pool, number, SP_WHY_RECYCLED);
  }
  return (answer){.result = accepted ? SP_RECYCLED : SP_FAILED};
}

static answer refuse(model *m, int pool, sp_result why)
{
  m->pools[pool].stats.refused++;
  return (answer){.result = why};
}

static void write_object(model_object *o, const op *what)
{
  o->x = (float)(what->value % 100);
  o->vx = (float)(what->value % 7);
  o->value = what->value;
  o->kept += what->value % 3;
  o->pinned = what->pinned;
}

static answer alloc(model *m, const op *o)
{
  model_pool *p = &m->pools[o->pool];
  if (o->time < 0) {
    if (p->closing)
      return (answer){.result = SP_CLOSED};
    model_prewarm(m, o->pool, p->settings.prealloc ? p->settings.prealloc : p->settings.grow);
    return (answer){.result = SP_PREWARMED};
  }
  sp_result ready = prepare(m, o->pool);
  if (ready != SP_OK)
    return refuse(m, o->pool, ready);
  uint32_t number = model_pop_idle(p);
  model_object *object = model_at(p, number);
  bool lived = object->lived, fresh = open_life(m, o->pool, number, o->time);
  if (o->kind == OP_ALLOC_AT)
    object->x = (float)o->value;
  if (o->kind == OP_COMMIT || o->kind == OP_CANCEL)
    write_object(object, o);
  if (o->kind != OP_CANCEL)
    return commit(m, o->pool, number, fresh);
  object->lived = lived;
  model_give_back(m, o->pool, number);
  return (answer){.count = number};
}

static answer take(model *m, const op *o)
{
  model_pool *p = &m->pools[o->pool];
  if (o->count >= p->idle_count)
    return refuse(m, o->pool, SP_NONE);
  uint32_t number = p->idle[o->count], generation = model_at(p, number)->generation, place = 0;
  sp_result ready = prepare(m, o->pool);
  if (ready != SP_OK)
    return refuse(m, o->pool, ready);
  while (place < p->idle_count && p->idle[place] != number)
    place++;
  if (place == p->idle_count || model_at(p, number)->generation != generation)
    return refuse(m, o->pool, SP_NONE);
  model_drop_idle(p, place);
  return commit(m, o->pool, number, open_life(m, o->pool, number, o->time));
}

/* }== */

/* {== Objects ============================================================ */

model_object *model_find(model *m, sp_ref object, int *pool)
{
  for (*pool = 0; object && *pool < POOLS; ++*pool)
    for (int i = 0; i < m->pools[*pool].used; i++)
      if (m->pools[*pool].objects[i].object == object)
        return &m->pools[*pool].objects[i];
  return NULL;
}

static sp_result unknown(const op *o)
{
  bool tells = o->kind == OP_RECYCLE || o->kind == OP_REMAIN;
  return tells && (o->object >> 24 & 255) != 1 ? SP_FOREIGN : SP_STALE;
}

static answer with_object(model *m, const op *o)
{
  int pool;
  model_object *object = model_find(m, o->object, &pool);
  if (!object)
    return (answer){.result = unknown(o)};
  uint32_t number = object->number;
  switch (o->kind) {
  case OP_RECYCLE:
    if (object->dying)
      return (answer){.result = SP_DYING};
    return (answer){.result = model_end(m, pool, number, SP_WHY_RECYCLED, false) ? SP_OK : SP_VETOED};
  case OP_UNDO:
    if (object->dying)
      return (answer){.result = SP_STALE};
    object->live = false;
    model_close_life(m, pool, number, SP_WHY_RECYCLED);
    return (answer){.result = SP_OK};
  case OP_REMAIN:
    object->lifetime = o->time == ENDLESS ? 0 : now(m) - object->born + o->time;
    if (o->time == ENDLESS)
      object->due = 0;
    else
      arm(m, object, o->time);
    return (answer){.result = SP_OK};
  default:
    write_object(object, o);
    return (answer){.result = SP_OK};
  }
}

/* }== */

/* {== Time =============================================================== */

/* Of what is due now, what began first. */
static model_object *next_due(model *m, int *pool)
{
  model_object *first = NULL;
  for (int k = 0; k < POOLS; k++)
    for (model_object *o = m->pools[k].objects; o < m->pools[k].objects + m->pools[k].used; o++)
      if (o->live && o->due == m->tick && (!first || o->serial < first->serial)) {
        first = o;
        *pool = k;
      }
  return first;
}

static int next_by_age(const model *m, uint64_t after)
{
  int next = -1;
  for (int k = 0; k < POOLS; k++)
    if (m->pools[k].age > after && (next < 0 || m->pools[k].age < m->pools[next].age))
      next = k;
  return next;
}

static void expire(model *m)
{
  int pool;
  for (model_object *o; (o = next_due(m, &pool)) != NULL;) {
    o->due = 0;
    model_end(m, pool, o->number, SP_WHY_EXPIRED, false);
  }
}

static void run_updates(model *m)
{
  int k;
  for (uint64_t age = 0; (k = next_by_age(m, age)) >= 0; age = m->pools[k].age)
    if (model_hears(m, k, HOOK_UPDATE))
      model_expect(m, HOOK_UPDATE, k, 0, 0);
}

static void move(model *m, float dt)
{
  for (int k = 0; k < POOLS; k++)
    for (model_object *o = m->pools[k].objects; o < m->pools[k].objects + m->pools[k].used; o++)
      if (o->live)
        o->x += o->vx * dt;
}

static answer update(model *m, const op *o)
{
  if (m->busy)
    return (answer){.result = SP_BUSY};
  m->busy++;
  int64_t units = m->spare + o->time;
  m->spare = 0;
  for (uint64_t target = m->tick + (uint64_t)(units / UNITS_PER_TICK); m->tick < target;) {
    m->tick++;
    expire(m);
  }
  m->spare = units % UNITS_PER_TICK;
  run_updates(m);
  move(m, (float)o->time / 256);
  m->busy--;
  return (answer){.result = SP_OK};
}

/* }== */

/* {== Pools ============================================================== */

static answer configure(model *m, const op *o)
{
  model_pool *p = &m->pools[o->pool];
  if (p->closing)
    return (answer){.result = SP_CLOSED};
  if (o->settings.order != p->settings.order)
    p->rested = p->idle_count;
  bool more = o->settings.prealloc > p->settings.prealloc;
  p->settings = o->settings;
  model_destroy_idle(m, o->pool, o->settings.idle_limit);
  if (more)
    model_prewarm(m, o->pool, o->settings.prealloc);
  return (answer){.result = SP_OK};
}

void model_open(model *m, const op *o)
{
  model_pool *p = &m->pools[o->pool];
  *p = (model_pool){.hooks = o->hooks, .settings = o->settings, .age = ++m->ages};
  model_prewarm(m, o->pool, o->settings.prealloc);
}

static answer remove_pool(model *m, const op *o)
{
  model_pool *p = &m->pools[o->pool];
  answer a = {.count = p->stats.live, .count2 = p->stats.live + p->idle_count};
  p->closing = true;
  model_recycle_all(m, o->pool, SP_WHY_REMOVED, true);
  model_destroy_idle(m, o->pool, 0);
  model_open(m, o);
  return a;
}

answer model_do(model *m, const op *o)
{
  bool closed = m->pools[o->pool].closing;
  switch (o->kind) {
  case OP_ALLOC:
  case OP_ALLOC_AT:
  case OP_COMMIT:
  case OP_CANCEL:
    return alloc(m, o);
  case OP_TAKE:
    return take(m, o);
  case OP_PREWARM:
    return closed ? (answer){.result = SP_CLOSED} : (answer){.count = model_prewarm(m, o->pool, o->count)};
  case OP_RECYCLE_ALL:
    return (answer){.count = model_recycle_all(m, o->pool, SP_WHY_CLEARED, false)};
  case OP_CLEAR:
    return (answer){.count = model_destroy_idle(m, o->pool, 0)};
  case OP_TRIM:
    return (answer){.count = model_destroy_idle(m, o->pool, m->pools[o->pool].settings.prealloc)};
  case OP_CONFIGURE:
    return configure(m, o);
  case OP_UPDATE:
    return update(m, o);
  case OP_REMOVE:
    return remove_pool(m, o);
  default:
    return with_object(m, o);
  }
}

/* }== */
/* {== Comparing ========================================================== */

#define same(m, pool, what, real, naive)                                                                               \
  do {                                                                                                                 \
    if ((real) != (naive))                                                                                             \
      model_differ(m, "pool %d: %s is %g, the model says %g", pool, what, (double)(real), (double)(naive));            \
  } while (0)

void model_check_stats(const model *m, int pool, sp_pool *real)
{
  const model_pool *p = &m->pools[pool];
  const sp_stats a = sp_pool_stats(real), *b = &p->stats;
  same(m, pool, "live", a.live, b->live);
  same(m, pool, "idle", a.idle, p->idle_count);
  same(m, pool, "total", a.total, b->live + p->idle_count);
  same(m, pool, "peak", a.peak, b->peak);
  same(m, pool, "peak_time", a.peak_time, b->peak_time);
  same(m, pool, "allocs", a.allocs, b->recycles + b->live);
  same(m, pool, "recycles", a.recycles, b->recycles);
  same(m, pool, "expired", a.expired, b->expired);
  same(m, pool, "evicted", a.evicted, b->evicted);
  same(m, pool, "refused", a.refused, b->refused);
  same(m, pool, "vetoed", a.vetoed, b->vetoed);
  same(m, pool, "created", a.created, b->created);
  same(m, pool, "destroyed", a.destroyed, b->destroyed);
  same(m, pool, "retired", a.retired, b->retired);
}

static void check_object(const model *m, int pool, sp_manager *real, const model_object *o)
{
  sp_ref object = o->object;
  same(m, pool, "is_live", sp_is_live(real, object), true);
  same(m, pool, "x", *(const float *)sp_peek(real, object, SP_X), o->x);
  same(m, pool, "vx", *(const float *)sp_peek(real, object, SP_VX), o->vx);
  same(m, pool, "value", *(const int *)sp_peek(real, object, SP_FIELDS), o->value);
  same(m, pool, "kept", *(const int *)sp_peek(real, object, SP_FIELDS + 1), o->kept);
  same(m, pool, "pinned", ((const sp_look *)sp_peek(real, object, SP_LOOK))->pinned, o->pinned);
  same(m, pool, "age", sp_age(real, object), (double)(now(m) - o->born) / 256);
  /* Nothing left at the moment of birth is a lifetime too short to count. */
  double left = (double)(o->born + o->lifetime - now(m)) / 256;
  bool endless = o->lifetime == 0 && !o->due && sp_lifetime(real, object) == 0;
  if (!endless && sp_lifetime(real, object) > 1e-300)
    same(m, pool, "lifetime", sp_lifetime(real, object), (double)o->lifetime / 256);
  if (!endless && sp_remaining(real, object) > 1e-300)
    same(m, pool, "remaining", sp_remaining(real, object), left > 0 ? left : 0);
}

void model_check_objects(const model *m, int pool, sp_pool *real)
{
  const model_pool *p = &m->pools[pool];
  sp_manager *manager = sp_pool_manager(real);
  sp_walk walk = sp_walk_begin(real);
  uint32_t slot = 0;
  for (const model_object *o; (o = model_walk_next(p, slot, m->serial)) != NULL; slot = o->slot + 1) {
    if (sp_walk_next(&walk) != o->object)
      model_differ(m, "pool %d: the walk misses %u", pool, o->number);
    check_object(m, pool, manager, o);
  }
  if (sp_walk_next(&walk) != SP_NONE_REF)
    model_differ(m, "pool %d: the walk has more than what lives", pool);
  for (uint32_t i = 0; i < p->idle_count; i++)
    same(m, pool, "the number of an idle object", sp_object_number(manager, sp_idle_at(real, i)), p->idle[i]);
}

/* }== */
