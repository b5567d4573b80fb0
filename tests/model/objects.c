/*
** The model's objects: the tape, the idle ones, and how lives end.
*/
#include "model/model.h"

#include <math.h>
#include <string.h>

double model_no_time(const op *o)
{
  static const double none[] = {-1, -1e-300, (double)NAN, -(double)INFINITY, 1.001e11, (double)INFINITY};
  const bool has_an_end = o->kind == OP_UPDATE || o->kind == OP_CLOCK; /* all other times may be for ever */
  return none[(unsigned)(o->pool + o->pick + (int)o->count + o->value) % (has_an_end ? 6 : 5)];
}

double model_seconds(const op *o, int64_t units)
{
  if (units < 0)
    return model_no_time(o);
  return units == ENDLESS ? (double)INFINITY : (double)units / 256;
}

/* {== The tape =========================================================== */

const event *model_expect(model *m, hook_kind hook, int pool, uint32_t number, int arg)
{
  if (m->read == m->written)
    model_differ(m, "%s of %d#%u did not run", model_hook_name(hook), pool, number);
  const event *e = &m->tape[m->read++];
  if (e->hook != hook || e->pool != pool || (number && e->number != number) || e->arg != arg)
    model_differ(m, "%s of %d#%u (%d) ran, not %s of %d#%u (%d)", model_hook_name(e->hook), e->pool, e->number, e->arg,
                 model_hook_name(hook), pool, number, arg);
  if (e->tick != m->tick)
    model_differ(m, "%s of %d#%u ran at tick %llu, not %llu", model_hook_name(hook), pool, number,
                 (unsigned long long)e->tick, (unsigned long long)m->tick);
  const bool is_call = hook != HOOK_VISIT, of_pool = is_call && (e->object || hook < HOOK_COUNT);
  m->busy += is_call;
  m->pools[pool].busy += of_pool;
  if (e->acts) {
    answer naive = model_do(m, &e->op);
    model_compare(m, &e->op, &e->answer, &naive);
  }
  m->pools[pool].busy -= of_pool;
  m->busy -= is_call;
  return e;
}

bool model_hears(const model *m, int pool, hook_kind hook) { return m->pools[pool].shape.hooks >> hook & 1; }

void model_compare(const model *m, const op *o, const answer *real, const answer *naive)
{
  if (real->result != naive->result || real->object != naive->object || real->count != naive->count ||
      real->count2 != naive->count2)
    model_differ(m, "sp_%s: %s, object %llx, counts %u %u; the model says %s, object %llx, counts %u %u",
                 model_op_name(o->kind), sp_result_name(real->result), (unsigned long long)real->object, real->count,
                 real->count2, sp_result_name(naive->result), (unsigned long long)naive->object, naive->count,
                 naive->count2);
}

/* }== */

model_object *model_at(model_pool *p, uint32_t number)
{
  for (int i = 0; i < p->used; i++)
    if (p->objects[i].number == number)
      return &p->objects[i];
  ck_abort_msg("the model knows no object %u", number);
  return NULL;
}

static model_object *unused(model_pool *p)
{
  for (int i = 0; i < p->used; i++)
    if (p->objects[i].number == 0)
      return &p->objects[i];
  must(p->used < OBJECTS);
  return &p->objects[p->used++];
}

/* {== Idle objects ======================================================= */

static uint32_t slot_of(model_pool *p, uint32_t number) { return model_at(p, number)->slot; }

static void insert_idle(model_pool *p, uint32_t at, uint32_t number)
{
  memmove(&p->idle[at + 1], &p->idle[at], (p->idle_count - at) * sizeof *p->idle);
  p->idle[at] = number;
  p->idle_count++;
}

static void push_idle(model_pool *p, uint32_t number)
{
  const sp_order order = p->shape.settings.order;
  uint32_t at = order == SP_ORDER_LIFO ? 0 : p->idle_count;
  while (order == SP_ORDER_COMPACT && at > 0 && slot_of(p, p->idle[at - 1]) > slot_of(p, number))
    at--;
  insert_idle(p, at, number);
}

void model_drop_idle(model_pool *p, uint32_t index)
{
  memmove(&p->idle[index], &p->idle[index + 1], (p->idle_count - index - 1) * sizeof *p->idle);
  p->idle_count--;
}

uint32_t model_pop_idle(model_pool *p)
{
  uint32_t number = p->idle[0];
  model_drop_idle(p, 0);
  return number;
}

uint32_t model_pop_highest(model_pool *p)
{
  uint32_t highest = 0;
  for (uint32_t i = 1; i < p->idle_count; i++)
    highest = slot_of(p, p->idle[i]) > slot_of(p, p->idle[highest]) ? i : highest;
  uint32_t number = p->idle[highest];
  model_drop_idle(p, highest);
  return number;
}

void model_sort_idle(model_pool *p)
{
  uint32_t sorted[OBJECTS], count = 0;
  while (p->idle_count > 0)
    sorted[count++] = model_pop_highest(p);
  while (count > 0)
    p->idle[p->idle_count++] = sorted[--count];
}

/* Both before the hook, which sees it. */
static void make_object(model *m, int pool)
{
  model_pool *p = &m->pools[pool];
  p->stats.created++;
  for (uint32_t i = 0; m->read < m->written && i < p->vacated_count; i++)
    if (p->vacated[i] == ((uint32_t)m->tape[m->read].object & (SP_MAX_SLOTS - 1)))
      p->vacated[i--] = p->vacated[--p->vacated_count];
  p->making[p->making_count++ % OBJECTS] =
      m->read < m->written ? (uint32_t)m->tape[m->read].object & (SP_MAX_SLOTS - 1) : UINT32_MAX;
  const event *e = model_expect(m, HOOK_CREATE, pool, 0, 0);
  p->making_count--;
  *unused(p) = (model_object){.number = e->number,
                              .slot = (uint32_t)e->object & (SP_MAX_SLOTS - 1),
                              .generation = (uint32_t)(e->object >> 32),
                              .kept = MODEL_KEPT(&p->shape)};
  push_idle(p, e->number);
}

void model_unmake(const model *m, model_pool *p, uint32_t number)
{
  model_object *o = model_at(p, number);
  p->stats.destroyed++;
  const bool is_worn = m->last_generation - o->generation <= 2;
  p->stats.retired += is_worn;
  if (!is_worn && p->vacated_count < OBJECTS)
    p->vacated[p->vacated_count++] = o->slot;
  *o = (model_object){0};
}

static void destroy_object(model *m, int pool, uint32_t number)
{
  if (model_hears(m, pool, HOOK_DESTROY))
    model_expect(m, HOOK_DESTROY, pool, number, 0);
  model_unmake(m, &m->pools[pool], number);
}

uint32_t model_grow(model *m, int pool, uint32_t wanted)
{
  model_pool *p = &m->pools[pool];
  uint32_t made = 0;
  for (; made < wanted && !p->closing; made++) {
    if (made > 0 &&
        (p->idle_count >= p->shape.settings.idle_limit || p->stats.live + p->idle_count >= p->shape.settings.limit))
      break;
    make_object(m, pool);
  }
  return made;
}

static uint32_t room(const model_pool *p, uint32_t goal)
{
  int64_t total = (int64_t)p->stats.live + p->idle_count, wanted = (int64_t)goal - total;
  int64_t left = (int64_t)p->shape.settings.limit - total, keep = (int64_t)p->shape.settings.idle_limit - p->idle_count;
  wanted = wanted < left ? wanted : left;
  wanted = wanted < keep ? wanted : keep;
  return wanted > 0 ? (uint32_t)wanted : 0;
}

static uint32_t warm(model *m, int pool, uint32_t goal, uint32_t most)
{
  model_pool *p = &m->pools[pool];
  uint32_t wanted = room(p, goal), made = model_grow(m, pool, wanted < most ? wanted : most);
  model_destroy_idle(m, pool, p->shape.settings.idle_limit);
  uint32_t total = p->stats.live + p->idle_count;
  p->goal = goal;
  p->warmed = total < goal ? total : goal;
  return made;
}

uint32_t model_prewarm(model *m, int pool, uint32_t count) { return warm(m, pool, count, UINT32_MAX); }

/* One update's share of a prewarm in slices; the update takes so many units of time. */
void model_warm_slice(model *m, int pool, int64_t units)
{
  model_pool *p = &m->pools[pool];
  if (!p->slowly || model_now(m) + units < p->slow_from)
    return;
  warm(m, pool, p->slowly, p->slice);
  if (room(p, p->slowly) == 0)
    p->slowly = 0;
}

uint32_t model_destroy_idle(model *m, int pool, uint32_t keep)
{
  model_pool *p = &m->pools[pool];
  uint32_t surplus = p->idle_count > keep ? p->idle_count - keep : 0, done = 0;
  for (; done < surplus && p->idle_count > keep; done++)
    destroy_object(m, pool, model_pop_highest(p));
  return done;
}

void model_forget_vacated(model_pool *p)
{
  const uint32_t region = 4 * SP_CHUNK_SLOTS;
  for (uint32_t i = 0; i < p->vacated_count; i++) {
    bool stays = false;
    for (const model_object *o = p->objects; o < p->objects + p->used; o++)
      stays = stays || (o->number && o->slot / region == p->vacated[i] / region);
    if (!stays)
      p->vacated[i--] = p->vacated[--p->vacated_count];
  }
}

/* Slots of which no object was made yet are vacant, too: of these the tape says. */
bool model_fill_gap(model *m, int pool)
{
  model_pool *p = &m->pools[pool];
  if (p->shape.settings.order != SP_ORDER_COMPACT)
    return false;
  const uint32_t lowest = slot_of(p, p->idle[0]);
  bool fills = false;
  for (uint32_t i = 0; i < p->vacated_count; i++)
    fills = fills || p->vacated[i] < lowest;
  const event *e = m->read < m->written ? &m->tape[m->read] : NULL;
  const uint32_t made =
      e && e->hook == HOOK_CREATE && e->pool == pool ? (uint32_t)e->object & (SP_MAX_SLOTS - 1) : lowest;
  bool is_free = true; /* else it will be made later */
  for (const model_object *o = p->objects; o < p->objects + p->used; o++)
    is_free = is_free && !(o->number && o->slot == made);
  for (uint32_t i = 0; i < p->making_count; i++)
    is_free = is_free && p->making[i % OBJECTS] != made;
  fills = fills || (made < lowest && is_free && p->stats.destroyed > 0);
  if (!fills || model_grow(m, pool, 1) == 0)
    return false;
  if (p->idle_count > 1)
    destroy_object(m, pool, model_pop_highest(p));
  return true;
}

/* }== */

/* {== Ends =============================================================== */

void model_give_back(model *m, int pool, uint32_t number)
{
  model_pool *p = &m->pools[pool];
  model_object *o = model_at(p, number);
  o->live = o->dying = false;
  o->object = o->parent = SP_NULL_REF;
  o->due = 0;
  bool surplus =
      p->shape.settings.overflow == SP_OVERFLOW_GROW && p->stats.live + p->idle_count >= p->shape.settings.limit;
  if (++o->generation >= m->last_generation) {
    destroy_object(m, pool, number);
    return;
  }
  push_idle(p, number);
  if (surplus) {
    destroy_object(m, pool, model_pop_highest(p));
  } else if (p->idle_count > p->shape.settings.idle_limit) {
    number = model_pop_highest(p);
    if (model_hears(m, pool, HOOK_REJECT))
      model_expect(m, HOOK_REJECT, pool, number, 0);
    destroy_object(m, pool, number);
  }
}

/* Timers and parents of the life end first, while it can still be read. */
void model_close_life(model *m, int pool, uint32_t number, sp_why why)
{
  m->busy++;
  m->pools[pool].busy++;
  model_end_timers(m, model_at(&m->pools[pool], number));
  model_end_kin(m, model_at(&m->pools[pool], number)->object);
  m->pools[pool].busy--;
  m->busy--;
  if (model_hears(m, pool, HOOK_END))
    model_expect(m, HOOK_END, pool, number, (int)why);
  m->pools[pool].stats.live--;
  model_give_back(m, pool, number);
}

void model_despawn(model *m, int pool, uint32_t number, sp_why why)
{
  model_at(&m->pools[pool], number)->based = true;
  if (model_hears(m, pool, HOOK_DESPAWN))
    model_expect(m, HOOK_DESPAWN, pool, number, (int)why);
}

/* Called by an override, which may have made the base call before. */
static void call_base(model *m, int pool, model_object *o)
{
  if (o->based)
    m->pools[pool].stats.double_recycles++;
  else
    model_despawn(m, pool, o->number, o->why);
}

/* Those that a hook recycles are not listed. */
static void list_end(model *m, sp_ref object, sp_why why)
{
  if (!m->updating || why == SP_WHY_RECYCLED || why == SP_WHY_RECYCLED_ALL || why == SP_WHY_REMOVED)
    return;
  if (m->end_count < ENDS)
    m->ends[m->end_count] = (sp_pair){object, why};
  m->end_count++;
}

bool model_end(model *m, int pool, uint32_t number, sp_why why, bool override, bool force)
{
  model_pool *p = &m->pools[pool];
  model_object *o = model_at(p, number);
  o->live = o->based = false;
  o->dying = true;
  o->why = why;
  if (!override || !model_hears(m, pool, HOOK_RECYCLE))
    model_despawn(m, pool, number, why);
  else if (model_expect(m, HOOK_RECYCLE, pool, number, (int)why)->yes)
    call_base(m, pool, o);
  if (!o->based && force)
    model_despawn(m, pool, number, why);
  if (!o->based) {
    o->live = true;
    o->dying = false;
    p->stats.vetoed++;
    return false;
  }
  const sp_ref object = o->object;
  model_close_life(m, pool, number, why);
  list_end(m, object, why);
  p->stats.recycles++;
  p->stats.expired += why == SP_WHY_EXPIRED;
  p->stats.evicted += why == SP_WHY_EVICTED;
  return true;
}

const model_object *model_walk_next(const model_pool *p, uint32_t slot, uint64_t serial)
{
  const model_object *next = NULL;
  for (const model_object *o = p->objects; o < p->objects + p->used; o++)
    if (o->live && o->serial <= serial && o->slot >= slot && (!next || o->slot < next->slot))
      next = o;
  return next;
}

uint32_t model_recycle_all(model *m, int pool, sp_why why, bool force)
{
  uint64_t serial = m->serial;
  uint32_t ended = 0, slot = 0;
  for (const model_object *o; (o = model_walk_next(&m->pools[pool], slot, serial)) != NULL;) {
    slot = o->slot + 1;
    ended += model_end(m, pool, o->number, why, true, force);
  }
  return ended;
}

/* }== */
