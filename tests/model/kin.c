/*
** The model's calls about what belongs to an object, its parent, children and timers, and about many objects at once.
*/
#include "core/angle.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

/* {== Kin ================================================================ */

const model_object *model_child(model *m, sp_ref parent, const model_object *last)
{
  const model_object *next = NULL;
  for (int k = 0; k < POOLS; k++)
    for (const model_object *o = m->pools[k].objects; o < m->pools[k].objects + m->pools[k].used; o++)
      if (o->number && o->parent == parent && (!last || o->linked < last->linked) &&
          (!next || o->linked > next->linked))
        next = o;
  return next;
}

static sp_place own_place(const model_object *o)
{
  return (sp_place){o->columns[SP_X], o->columns[SP_Y], o->columns[SP_ANGLE]};
}

sp_place model_world_place(model *m, const model_object *o)
{
  sp_place place = own_place(o);
  int pool;
  while (o->parent) {
    o = model_find(m, o->parent, &pool);
    sp_place outer = own_place(o);
    float cosine, sine, x = place.x;
    sp_turn(outer.angle, &cosine, &sine);
    place.x = outer.x + x * cosine - place.y * sine;
    place.y = outer.y + x * sine + place.y * cosine;
    place.angle += outer.angle;
  }
  return place;
}

void model_put(model_object *o, sp_place place)
{
  o->columns[SP_X] = place.x;
  o->columns[SP_Y] = place.y;
  o->columns[SP_ANGLE] = place.angle;
}

static void detach(model *m, model_object *o)
{
  model_put(o, model_world_place(m, o));
  o->parent = SP_NULL_REF;
}

void model_end_kin(model *m, sp_ref object)
{
  int pool;
  for (const model_object *child; (child = model_child(m, object, NULL)) != NULL;) {
    const sp_ref ending = child->object;
    const model_object *o = model_find(m, ending, &pool);
    if (!m->pools[pool].shape.detaches && o->live)
      model_end(m, pool, o->number, SP_WHY_PARENT, true, false);
    model_object *left = model_find(m, ending, &pool);
    if (left && left->parent == object)
      detach(m, left);
  }
  model_find(m, object, &pool)->parent = SP_NULL_REF;
}

sp_result model_adopt(model *m, model_object *child, sp_ref parent, int owner)
{
  int pool;
  const model_object *outer = model_find(m, parent, &pool);
  if (!outer)
    return model_stale(m, parent, owner);
  if (!child->live || !outer->live)
    return SP_STALE;
  for (; outer; outer = model_find(m, outer->parent, &pool))
    if (outer == child)
      return SP_CYCLE;
  child->parent = parent;
  child->linked = ++m->links;
  return SP_OK;
}

static sp_result set_parent(model *m, const op *o)
{
  int pool;
  model_object *child = model_find(m, o->object, &pool);
  if (!child)
    return model_stale(m, o->object, o->owner);
  if (o->second)
    return model_adopt(m, child, o->second, o->owner2);
  if (child->parent)
    detach(m, child);
  return SP_OK;
}

/* }== */

/* {== Timers ============================================================= */

static model_timer *timer_of(model *m, sp_timer handle)
{
  for (model_timer *t = m->timers; t < m->timers + TIMERS; t++)
    if (t->handle == handle)
      return t;
  return NULL;
}

/* The event must name the timer that the model means. */
static const event *expect_timer(model *m, hook_kind hook, model_timer t)
{
  int pool = 0;
  const model_object *o = model_find(m, t.owner, &pool);
  const event *e = &m->tape[m->read];
  if (m->read < m->written && (e->timer != t.handle || e->object != t.owner || e->tag != t.tag))
    model_differ(m, "%s of another timer, owner or tag", model_hook_name(hook));
  return model_expect(m, hook, o ? pool : 0, o ? o->number : 0, 0);
}

static void end_timer(model *m, model_timer *t)
{
  model_timer gone = *t;
  *t = (model_timer){0};
  expect_timer(m, HOOK_TIMER_END, gone);
}

/* The last one that was started goes first. */
void model_end_timers(model *m, const model_object *o)
{
  for (;;) {
    model_timer *last = NULL;
    for (model_timer *t = m->timers; t < m->timers + TIMERS; t++)
      if (t->handle && t->owner == o->object && (!last || t->serial > last->serial))
        last = t;
    if (!last)
      return;
    end_timer(m, last);
  }
}

/* Those of the manager end when it closes, in any order. */
void model_end_own_timers(model *m)
{
  model_timer *t;
  do {
    const sp_timer told = m->read < m->written ? m->tape[m->read].timer : 0;
    model_timer *own = NULL;
    for (t = m->timers; t < m->timers + TIMERS; t++)
      if (t->handle && !t->owner && (!own || t->handle == told))
        own = t;
    if (own)
      end_timer(m, own);
    t = own;
  } while (t);
}

static void fire(model *m, model_timer *t)
{
  sp_timer handle = t->handle;
  bool again = t->period > 0;
  t->due = 0;
  if (again) {
    t->at = t->at + t->period > model_now(m) ? t->at + t->period : model_now(m);
    t->due = model_due(m, t->at - model_now(m));
  }
  const bool goes_on = expect_timer(m, HOOK_TIMER, *t)->yes;
  t = timer_of(m, handle);
  if (!(again && goes_on) && t)
    end_timer(m, t);
}

/* Timers of one tick fire in any order: the tape says in which. */
void model_fire(model *m)
{
  for (;;) {
    model_timer *due = NULL;
    sp_timer told = m->read < m->written ? m->tape[m->read].timer : 0;
    for (model_timer *t = m->timers; t < m->timers + TIMERS; t++)
      if (t->handle && t->due == m->tick && (!due || t->handle == told))
        due = t;
    if (!due)
      return;
    fire(m, due);
  }
}

static answer start_timer(model *m, const op *o)
{
  int pool;
  const model_object *object = model_find(m, o->object, &pool);
  if (o->object && (!object || !object->live))
    return (answer){.result = object ? SP_STALE : model_stale(m, o->object, o->owner)};
  if (!o->object && m->pools[0].closing && m->pools[1].closing && m->pools[2].closing)
    return (answer){.result = SP_CLOSED};
  if (o->time < 0)
    return (answer){.result = SP_INVALID};
  model_timer *t = timer_of(m, 0);
  must(t);
  const bool is_endless = o->time == ENDLESS;
  *t = (model_timer){.handle = o->timer,
                     .owner = o->object,
                     .tag = o->tag,
                     .at = is_endless ? ENDLESS : model_now(m) + o->time,
                     .period = o->period == ENDLESS ? 0 : o->period,
                     .due = is_endless ? 0 : model_due(m, o->time),
                     .serial = ++m->started};
  return (answer){.result = SP_OK, .count = 1};
}

answer model_belong(model *m, const op *o)
{
  if (o->kind == OP_PARENT)
    return (answer){.result = set_parent(m, o)};
  if (o->kind == OP_TIMER)
    return start_timer(m, o);
  model_timer *t = o->timer ? timer_of(m, o->timer) : NULL;
  if (t)
    end_timer(m, t);
  return (answer){.result = t ? SP_OK : SP_NONE};
}

/* }== */

/* {== Many at once ======================================================= */

typedef struct hit {
  sp_ref one, other;
  bool seen;
} hit;

static bool lives(model *m, sp_ref object)
{
  int pool;
  const model_object *o = model_find(m, object, &pool);
  return o && o->live;
}

static sp_box box_of(const model *m, int pool) { return m->pools[pool].shape.box; }

/* How far something is beyond half a box, on one axis. */
static double beyond(double distance, double width) { return fmax(fabs(distance) - width / 2, 0); }

/* Its square, from where a query looks. */
static double distance(model *m, const model_object *object, const op *o)
{
  const sp_box box = box_of(m, o->pool);
  sp_place place = model_world_place(m, object);
  double x = beyond((double)place.x - o->value % 100, box.w), y = beyond(place.y, box.h);
  return x * x + y * y;
}

static uint32_t within(model *m, const op *o)
{
  sp_ref hits[OBJECTS];
  uint32_t count = 0, calls = 0, slot = 0;
  for (const model_object *at; (at = model_walk_next(&m->pools[o->pool], slot, m->serial)) != NULL; slot = at->slot + 1)
    if (distance(m, at, o) <= (double)o->count * o->count)
      hits[count++] = at->object;
  for (uint32_t i = 0; i < count; i++) {
    int pool;
    const model_object *found = model_find(m, hits[i], &pool);
    if (!found || !found->live)
      continue;
    model_expect(m, HOOK_NEAR, pool, found->number, 0);
    calls++;
  }
  return calls;
}

static answer nearest(model *m, const op *o)
{
  answer a = {.object = SP_NULL_REF};
  double least = INFINITY;
  uint32_t slot = 0;
  for (const model_object *at; (at = model_walk_next(&m->pools[o->pool], slot, m->serial)) != NULL; slot = at->slot + 1)
    if (distance(m, at, o) < least) {
      a.object = at->object;
      least = distance(m, at, o);
    }
  const float apart = (float)sqrt(least);
  memcpy(&a.count2, &apart, sizeof apart);
  return a;
}

/* A circle overlaps what its centre is near enough to. Uses floats as the core does. */
static bool overlap(model *m, const op *o, const model_object *a, const model_object *b)
{
  const sp_place one = model_world_place(m, a), other = model_world_place(m, b);
  const sp_box mine = box_of(m, o->pool), yours = box_of(m, o->other);
  const float radius = MODEL_RADIUS, reach = (mine.w > 0 ? 0 : radius) + (yours.w > 0 ? 0 : radius);
  const float x = fabsf(one.x - other.x) - (mine.w / 2 + yours.w / 2);
  const float y = fabsf(one.y - other.y) - (mine.h / 2 + yours.h / 2);
  const float far_x = fmaxf(x, 0), far_y = fmaxf(y, 0);
  return a != b && ((x < 0 && y < 0) || far_x * far_x + far_y * far_y < reach * reach);
}

static uint32_t gather(model *m, const op *o, hit *hits)
{
  uint32_t count = 0, slot = 0;
  for (const model_object *a; (a = model_walk_next(&m->pools[o->pool], slot, m->serial)) != NULL;) {
    slot = a->slot + 1;
    uint32_t from = o->pool == o->other ? slot : 0;
    for (const model_object *b; (b = model_walk_next(&m->pools[o->other], from, m->serial)) != NULL; from = b->slot + 1)
      if (overlap(m, o, a, b)) {
        must(count < MODEL_PAIRS);
        hits[count++] = (hit){a->object, b->object, false};
      }
  }
  return count;
}

/* Pairs are told in any order: the tape says in which. */
static uint32_t overlaps(model *m, const op *o)
{
  model_pool *p = &m->pools[o->pool], *other = &m->pools[o->other];
  hit *hits = malloc(MODEL_PAIRS * sizeof *hits);
  must(hits);
  const int query = ++m->queries;
  uint32_t count = gather(m, o, hits), calls = 0;
  p->busy++;
  other->busy++;
  while (m->read < m->written && m->tape[m->read].hook == HOOK_PAIR && m->tape[m->read].arg == query) {
    const event *e = &m->tape[m->read];
    uint32_t i = 0;
    while (i < count && !((hits[i].one == e->object && hits[i].other == e->victim) ||
                          (o->pool == o->other && hits[i].one == e->victim && hits[i].other == e->object)))
      i++;
    if (i == count || hits[i].seen || !lives(m, e->object) || !lives(m, e->victim))
      model_differ(m, "overlaps tells of %u, which it should not", e->number);
    hits[i].seen = true;
    calls++;
    model_expect(m, HOOK_PAIR, e->pool, e->number, query);
  }
  other->busy--;
  p->busy--;
  for (uint32_t i = 0; i < count; i++)
    if (!hits[i].seen && lives(m, hits[i].one) && lives(m, hits[i].other))
      model_differ(m, "overlaps leaves out a pair");
  free(hits);
  return calls;
}

static uint32_t walk(model *m, const op *o)
{
  uint64_t serial = m->serial;
  uint32_t slot = 0, count = 0;
  for (const model_object *at; (at = model_walk_next(&m->pools[o->pool], slot, serial)) != NULL; count++) {
    slot = at->slot + 1;
    model_expect(m, HOOK_VISIT, o->pool, at->number, 0);
  }
  return count;
}

static answer add(model *m, const op *o)
{
  model_pool *p = &m->pools[o->pool];
  for (model_object *object = p->objects; object < p->objects + p->used; object++)
    if (object->live || object->dying)
      object->columns[o->value % SP_LOOK] += (float)o->value;
  return (answer){.count = p->stats.live};
}

static answer slowly(model *m, const op *o)
{
  model_pool *p = &m->pools[o->pool];
  if (p->closing || o->time < 0)
    return (answer){.result = p->closing ? SP_CLOSED : SP_INVALID};
  uint32_t total = p->stats.live + p->idle_count;
  p->slowly = p->goal = o->count;
  p->slice = o->value % 4 ? (uint32_t)(o->value % 4) : UINT32_MAX;
  p->slow_from = o->time == ENDLESS ? ENDLESS : model_now(m) + o->time;
  p->warmed = total < o->count ? total : o->count;
  return (answer){.result = SP_OK};
}

answer model_query(model *m, const op *o)
{
  switch (o->kind) {
  case OP_SLOWLY:
    return slowly(m, o);
  case OP_ADD:
    return add(m, o);
  case OP_WITHIN:
    return (answer){.count = within(m, o)};
  case OP_NEAREST:
    return nearest(m, o);
  case OP_OVERLAPS:
    return (answer){.count = overlaps(m, o)};
  default:
    return (answer){.count = walk(m, o)};
  }
}

/* }== */
