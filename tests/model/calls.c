/*
** The model's calls: alloc with its overflow policies, objects, pools.
*/
#include "model/model.h"

#include <string.h>

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
    if (model_end(m, pool, o->number, SP_WHY_EVICTED, true, false))
      return true;
    if (m->pools[pool].shape.settings.overflow != SP_OVERFLOW_OLDEST)
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
  return model_end(m, pool, o->number, SP_WHY_EVICTED, true, false);
}

static bool make_room(model *m, int pool)
{
  const model_pool *p = &m->pools[pool];
  uint32_t before = p->stats.live;
  if (p->shape.settings.overflow == SP_OVERFLOW_GROW)
    return true;
  bool evicted = p->shape.settings.overflow == SP_OVERFLOW_OLDEST     ? evict_oldest(m, pool)
                 : p->shape.settings.overflow == SP_OVERFLOW_FUNCTION ? evict_chosen(m, pool)
                                                                      : false;
  return p->stats.live < p->shape.settings.limit || (evicted && p->stats.live < before);
}

/* }== */

/* {== Alloc ============================================================== */

/* An end or a timer that falls on a multiple of 2^32 ticks comes one tick later. */
uint64_t model_due(const model *m, int64_t units)
{
  int64_t ticks = (m->spare + units + UNITS_PER_TICK - 1) / UNITS_PER_TICK;
  uint64_t due = m->tick + (uint64_t)(ticks > 1 ? ticks : 1);
  return (uint32_t)due ? due : due + 1;
}

int64_t model_now(const model *m) { return (int64_t)m->tick * UNITS_PER_TICK + m->spare; }
double model_time(const model *m) { return (double)model_now(m) / 256; }

static sp_result prepare(model *m, const op *o)
{
  const int pool = o->pool;
  const model_pool *p = &m->pools[pool];
  if (p->closing || o->time < 0)
    return p->closing ? SP_CLOSED : SP_INVALID;
  uint32_t live;
  do {
    if (p->stats.live >= p->shape.settings.limit && !make_room(m, pool)) {
      model_destroy_idle(m, pool, p->shape.settings.idle_limit);
      return SP_FULL;
    }
    live = p->stats.live;
    while (p->idle_count == 0) {
      uint32_t room = p->shape.settings.limit > p->stats.live ? p->shape.settings.limit - p->stats.live : 1;
      model_grow(m, pool, p->shape.settings.grow < room ? p->shape.settings.grow : room);
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
  o->born = model_now(m);
  lifetime = lifetime == ENDLESS ? 0 : lifetime;
  o->lifetime = lifetime;
  o->due = 0;
  o->alpha = lifetime > 0 && m->pools[pool].shape.fades ? MODEL_FADE.points[0] : 1;
  memcpy(o->columns, m->pools[pool].shape.begin, sizeof o->columns);
  o->value = m->pools[pool].shape.start;
  o->kept = m->pools[pool].shape.keeps ? o->kept : MODEL_KEPT(&m->pools[pool].shape);
  o->layer = MODEL_LAYER(o->value);
  o->pinned = o->marked = false;
  if (lifetime > 0)
    o->due = model_due(m, lifetime);
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
    o->dying = o->based = true;
    model_close_life(m, pool, number, SP_WHY_CANCELLED);
  }
  return (answer){.result = accepted ? SP_SPAWN_RECYCLED : SP_FAILED};
}

static answer refuse(model *m, int pool, sp_result why)
{
  m->pools[pool].stats.refused++;
  return (answer){.result = why};
}

/* Ends a life that has begun, as if it had not. */
static void give_back(model *m, int pool, model_object *o)
{
  const uint32_t number = o->number;
  o->live = false;
  o->dying = true;
  model_despawn(m, pool, number, SP_WHY_CANCELLED);
  model_close_life(m, pool, number, SP_WHY_CANCELLED);
}

static void write_object(model_object *o, const op *what)
{
  if (MODEL_MOVES(what->value)) {
    o->columns[SP_X] = (float)(what->value % 100);
    o->columns[SP_VX] = (float)(what->value % 7);
  }
  o->columns[MODEL_WRITTEN(what->value)] = MODEL_NUMBER(what->value);
  o->value = what->value;
  o->kept = what->value % 50;
  o->pinned = what->pinned;
}

static bool has_start(const op *o) { return o->kind == OP_ALLOC_AT || o->kind == OP_ALLOC_CHILD; }

static bool is_child(const op *o) { return o->kind == OP_ALLOC_CHILD && o->second; }

/* Returns why an object cannot begin as a child. */
static sp_result parent_refusal(model *m, const op *o)
{
  int pool;
  const model_object *parent = is_child(o) ? model_find(m, o->second, &pool) : NULL;
  if (!is_child(o) || (parent && parent->live))
    return SP_OK;
  return (o->second >> 24 & 255) != 1 ? SP_FOREIGN : SP_STALE;
}

/* The life is undone, as if it had never begun. */
static void never_lived(model *m, int pool, uint32_t number, bool lived)
{
  model_at(&m->pools[pool], number)->lived = lived;
  model_at(&m->pools[pool], number)->live = false;
  model_give_back(m, pool, number);
}

/* One that drops its object: that object alone is given back. */
static answer override(model *m, int pool, uint32_t number, answer given)
{
  if (!given.object || !m->overrides || pool < POOLS - 1 || model_expect(m, HOOK_ALLOC, pool, number, 0)->yes)
    return given;
  give_back(m, pool, model_at(&m->pools[pool], number));
  return (answer){.result = SP_VETOED};
}

static answer alloc(model *m, const op *o)
{
  model_pool *p = &m->pools[o->pool];
  const float given[] = MODEL_SPEED(o->value);
  float speed[2];
  memcpy(speed, o->pinned ? given : &p->shape.begin[SP_VX], sizeof speed);
  sp_result ready = parent_refusal(m, o);
  if (ready == SP_OK)
    ready = prepare(m, o);
  if (ready == SP_OK && model_fill_gap(m, o->pool))
    ready = prepare(m, o);
  if (ready != SP_OK)
    return refuse(m, o->pool, ready);
  uint32_t number = model_pop_idle(p);
  model_object *object = model_at(p, number);
  bool lived = object->lived, fresh = open_life(m, o->pool, number, o->time);
  if (has_start(o)) {
    model_put(object, MODEL_PLACE(o->value));
    memcpy(&object->columns[SP_VX], speed, sizeof speed);
  }
  object->live = is_child(o);
  if (is_child(o) && (ready = parent_refusal(m, o)) == SP_OK)
    ready = model_adopt(m, object, o->second, o->owner2);
  if (ready != SP_OK) {
    never_lived(m, o->pool, number, lived);
    return refuse(m, o->pool, ready);
  }
  if (o->kind == OP_COMMIT || o->kind == OP_CANCEL) {
    write_object(object, o);
    p->stats.refused++; /* of one that would be open at the same time */
  }
  if (o->kind != OP_CANCEL)
    return override(m, o->pool, number, commit(m, o->pool, number, fresh));
  never_lived(m, o->pool, number, lived);
  return (answer){.count = number};
}

static answer take(model *m, const op *o)
{
  model_pool *p = &m->pools[o->pool];
  if (o->count >= p->idle_count)
    return refuse(m, o->pool, SP_NONE);
  uint32_t number = p->idle[o->count], generation = model_at(p, number)->generation, place = 0;
  sp_result ready = prepare(m, o);
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

sp_result model_stale(model *m, sp_ref object, int owner)
{
  if ((object >> 24 & 255) != 1)
    return SP_FOREIGN;
  if (owner >= 0)
    m->pools[owner].stats.stale_uses++;
  return SP_STALE;
}

static sp_result recycle(model *m, const op *o, int pool, model_object *object)
{
  if (o->kind == OP_RECYCLE && o->other >= 0 && o->owner >= 0 && o->other != o->owner)
    return SP_FOREIGN;
  if (object && object->live)
    return model_end(m, pool, object->number, SP_WHY_RECYCLED, o->kind == OP_RECYCLE, false) ? SP_OK : SP_VETOED;
  if (object && o->kind == OP_BASE && !object->based) {
    model_despawn(m, pool, object->number, object->why);
    return SP_OK;
  }
  if ((o->object >> 24 & 255) != 1)
    return SP_FOREIGN;
  if (o->owner >= 0)
    m->pools[o->owner].stats.double_recycles++;
  return object ? SP_DYING : SP_STALE;
}

static sp_result undo(model *m, int pool, model_object *object)
{
  if (!object || object->dying)
    return SP_STALE;
  give_back(m, pool, object);
  return SP_OK;
}

static sp_result remain(model *m, const op *o, model_object *object)
{
  if (!object)
    return model_stale(m, o->object, o->owner);
  if (o->time < 0)
    return SP_INVALID;
  object->lifetime = o->time == ENDLESS ? 0 : model_now(m) - object->born + o->time;
  object->due = o->time == ENDLESS ? 0 : model_due(m, o->time);
  return SP_OK;
}

static answer with_object(model *m, const op *o)
{
  int pool;
  model_object *object = model_find(m, o->object, &pool);
  if (o->kind == OP_RECYCLE || o->kind == OP_BASE)
    return (answer){.result = recycle(m, o, pool, object)};
  if (o->kind == OP_UNDO)
    return (answer){.result = undo(m, pool, object)};
  if (o->kind == OP_REMAIN)
    return (answer){.result = remain(m, o, object)};
  if (o->kind == OP_CHECK)
    return (answer){.result = object ? SP_OK : model_stale(m, o->object, o->owner)};
  if (object)
    write_object(object, o);
  return (answer){.result = object ? SP_OK : SP_STALE};
}

/* }== */

/* {== Snapshots ========================================================== */

static struct {
  bool is_taken;
  model model; /* but for the tape */
} then;

void model_forget_snapshot(void) { then.is_taken = false; }

/* Objects have the fields of the new shape. What an idle one has not kept for a life begins as it says. */
static void take_shape(model_pool *p, const pool_shape *shape)
{
  for (model_object *o = p->objects; o < p->objects + p->used; o++) {
    if (o->number && shape->live && o->value == p->shape.start)
      o->value = shape->start;
    o->marked = o->marked && shape->extra == p->shape.extra;
    if (!o->object && (!p->shape.keeps || (!o->lived && o->kept == MODEL_KEPT(&p->shape))))
      o->kept = MODEL_KEPT(shape);
  }
  p->shape = *shape;
}

/* What the game had set is as it was, and all else as it is described now. */
static sp_settings settings_then(const model_pool *old, const sp_settings *described)
{
  const sp_settings *set = &old->shape.settings, *was = &old->described;
  sp_settings s = *described;
#define KEEP(setting) s.setting = set->setting != was->setting ? set->setting : s.setting
  KEEP(grow), KEEP(limit), KEEP(idle_limit), KEEP(overflow), KEEP(order);
#undef KEEP
  return s;
}

/* A pool has today's shape with the objects and the position of then, as if it had been redefined just now, without
   hooks. */
static void restore_pool(const model *m, model_pool *p, const model_pool *old)
{
  pool_shape now = p->shape;
  const sp_settings described = p->described;
  now.settings = settings_then(old, &described);
  *p = *old;
  p->described = described;
  take_shape(p, &now);
  const sp_order order = now.settings.order, then_order = old->shape.settings.order;
  if (order != then_order && (order == SP_ORDER_COMPACT || then_order == SP_ORDER_COMPACT))
    model_sort_idle(p);
  while (p->idle_count > now.settings.idle_limit)
    model_unmake(m, p, model_pop_highest(p));
}

static void restore(model *m)
{
  const int queries = m->queries;
  const uint64_t ages = m->ages;
  model_pool now[POOLS];
  memcpy(now, m->pools, sizeof now);
  memcpy(m, &then.model, offsetof(model, where));
  for (int i = 0; i < POOLS; i++) {
    restore_pool(m, &now[i], &then.model.pools[i]);
    m->pools[i] = now[i];
  }
  m->queries = queries;
  m->ages = ages;
}

static answer snapshot(model *m, const op *o)
{
  if (o->kind == OP_RESTORE && !then.is_taken)
    return (answer){.result = SP_NONE};
  if (m->busy > 0)
    return (answer){.result = SP_BUSY};
  if (o->kind == OP_SNAPSHOT)
    memcpy(&then.model, m, offsetof(model, where));
  if (o->kind == OP_SNAPSHOT)
    then.is_taken = true;
  if (o->kind == OP_RESTORE)
    restore(m);
  return (answer){.result = SP_OK};
}

/* }== */

/* {== Pools ============================================================== */

/* A limit may be lowered below what was created up front. */
static sp_result refusal(const model_pool *p, const sp_settings *s)
{
  const bool fits = s->prealloc <= s->limit || s->prealloc == p->shape.settings.prealloc;
  return p->closing ? SP_CLOSED : fits ? SP_OK : SP_INVALID;
}

static answer configure(model *m, int pool, const sp_settings *settings)
{
  model_pool *p = &m->pools[pool];
  if (refusal(p, settings) != SP_OK)
    return (answer){.result = refusal(p, settings)};
  bool more = settings->prealloc > p->shape.settings.prealloc;
  const bool is_listed = p->shape.settings.order == settings->order;
  p->shape.settings = *settings;
  if (!is_listed)
    model_sort_idle(p);
  model_destroy_idle(m, pool, settings->idle_limit);
  if (more)
    model_prewarm(m, pool, settings->prealloc);
  return (answer){.result = SP_OK};
}

static answer redefine(model *m, const op *o)
{
  model_pool *p = &m->pools[o->pool];
  const sp_settings before = p->shape.settings;
  if (refusal(p, &o->shape.settings) != SP_OK)
    return (answer){.result = refusal(p, &o->shape.settings)};
  take_shape(p, &o->shape);
  p->shape.settings = before;
  if (!o->as_set)
    p->described = o->shape.settings;
  return configure(m, o->pool, &o->shape.settings);
}

void model_begin(model *m, uint32_t last_generation)
{
  memset(m, 0, offsetof(model, where));
  m->scale = 1;
  m->last_generation = last_generation;
}

void model_open(model *m, int pool, const pool_shape *shape)
{
  model_pool *p = &m->pools[pool];
  *p = (model_pool){.shape = *shape, .described = shape->settings, .age = ++m->ages};
  if (shape->settings.prealloc > 0)
    model_prewarm(m, pool, shape->settings.prealloc);
}

static void empty_pool(model *m, int pool)
{
  m->pools[pool].closing = true;
  model_recycle_all(m, pool, SP_WHY_REMOVED, true);
  model_destroy_idle(m, pool, 0);
}

static answer remove_pool(model *m, const op *o)
{
  model_pool *p = &m->pools[o->pool];
  if (p->busy > 0 || p->closing)
    return (answer){.result = SP_BUSY};
  answer a = {.count = p->stats.live, .count2 = p->stats.live + p->idle_count};
  empty_pool(m, o->pool);
  model_open(m, o->pool, &o->shape);
  return a;
}

static answer close_manager(model *m, const op *o)
{
  int k;
  if (m->busy)
    return (answer){.result = SP_BUSY};
  for (k = 0; k < POOLS; k++)
    m->pools[k].closing = true;
  model_end_own_timers(m);
  for (uint64_t age = 0; (k = model_next_by_age(m, age)) >= 0; age = m->pools[k].age)
    empty_pool(m, k);
  model_begin(m, m->last_generation);
  for (k = 0; k < POOLS; k++)
    model_open(m, k, k ? &o->shapes[k - 1] : &o->shape);
  return (answer){.result = SP_OK};
}

static answer with_pool(model *m, const op *o)
{
  model_pool *p = &m->pools[o->pool];
  answer a = {0};
  switch (o->kind) {
  case OP_PREWARM:
    return p->closing ? (answer){.result = SP_CLOSED} : (answer){.count = model_prewarm(m, o->pool, o->count)};
  case OP_RECYCLE_ALL:
    return (answer){.count = model_recycle_all(m, o->pool, SP_WHY_RECYCLED_ALL, false)};
  case OP_CLEAR:
  case OP_TRIM:
    a.count = model_destroy_idle(m, o->pool, o->kind == OP_CLEAR ? 0 : p->shape.settings.prealloc);
    model_forget_vacated(p);
    return a;
  case OP_CONFIGURE:
    return configure(m, o->pool, &o->shape.settings);
  case OP_HOOKS:
    p->shape.hooks = o->shape.hooks;
    return (answer){.result = SP_OK};
  case OP_REDEFINE:
    return redefine(m, o);
  case OP_CLOCK:
    m->scale = o->time < 0 ? m->scale : o->value % 4;
    m->paused = o->pinned;
    return (answer){.result = o->time < 0 ? SP_INVALID : SP_OK};
  case OP_UPDATE:
    return model_update(m, o);
  case OP_SNAPSHOT:
  case OP_RESTORE:
  case OP_SAVE:
    return snapshot(m, o);
  case OP_REMOVE:
    return remove_pool(m, o);
  default:
    return close_manager(m, o);
  }
}

answer model_do_without_memory(model *m, const op *o)
{
  m->pools[o->pool].stats.refused += o->kind <= OP_TAKE;
  m->queries += o->kind == OP_OVERLAPS;
  return (answer){.result = SP_MEMORY};
}

answer model_do(model *m, const op *o)
{
  if (o->kind <= OP_TAKE)
    return o->kind == OP_TAKE ? take(m, o) : alloc(m, o);
  if (o->kind == OP_PARENT || o->kind == OP_TIMER || o->kind == OP_STOP)
    return model_belong(m, o);
  if (o->kind <= OP_STOP)
    return with_object(m, o);
  bool many = o->kind == OP_SLOWLY || (o->kind >= OP_ADD && o->kind <= OP_WALK);
  return many ? model_query(m, o) : with_pool(m, o);
}

/* }== */
