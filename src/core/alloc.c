/*
** Begins lives. Everything that can fail comes first, so every object is in exactly one place wherever memory runs out
** and whatever a hook does.
*/
#include <string.h>

#include "core/ages.h"
#include "core/chunk.h"
#include "core/idle.h"
#include "core/motion.h"
#include "core/parents.h"
#include "core/pool.h"
#include "core/pool_state.h"
#include "core/recycle.h"

/* {== Room at the limit ================================================== */

static bool is_pinned(const sp_pool *p, sp_ref object)
{
  return p->desc.spatial && ((const sp_look *)sp_slot_cell(p, sp_ref_slot(object), SP_LOOK))->pinned;
}

static bool may_go(const sp_pool *p, sp_ref object)
{
  return sp_object_is_live(p->manager, object) && !is_pinned(p, object);
}

/* Returns how many entries at the front of the queue of ages are pinned or stale. They are looked at once: whatever can
   take a pin back says so (sp_note_unpinned), but for the pointers to looks that C programs keep, which are
   given a look in each tick. */
static uint32_t pinned_front(sp_pool *p)
{
  const sp_manager *m = p->manager;
  sp_ages *ages = &p->ages;
  if (p->exposed >> SP_LOOK & 1 && ages->pinned_tick != m->tick)
    ages->pinned = 0;
  ages->pinned_tick = m->tick;
  for (; ages->pinned < sp_ages_count(ages); ages->pinned++) {
    sp_ref object = sp_ages_get(ages, ages->pinned);
    if (sp_ref_resolves(m, object) && !is_pinned(p, object))
      break;
  }
  if (ages->pinned > 0)
    p->handed &= ~((uint64_t)1 << SP_LOOK); /* the next pointer to a look is told */
  return ages->pinned;
}

/* Ends the oldest life that is not pinned and does not veto. */
static bool evict_oldest(sp_pool *p)
{
  sp_manager *m = p->manager;
  uint64_t newest = m->serial;
  sp_ages_settle(&p->ages, m);
  for (uint32_t i = pinned_front(p); i < sp_ages_count(&p->ages); i++) {
    sp_ref object = sp_ages_get(&p->ages, i);
    if (!may_go(p, object))
      continue;
    if (sp_slot_life(m, sp_ref_slot(object))->serial > newest)
      break; /* a hook of a victim spawned it */
    if (sp_end(m, sp_ref_slot(object), SP_WHY_EVICTED, SP_END_BY_OVERRIDE) == SP_OK)
      return true;
    /* The object stays, but its hook may have shortened the queue before it. */
    while (i > 0 && (i >= sp_ages_count(&p->ages) || sp_ages_get(&p->ages, i) != object))
      i--;
  }
  return false;
}

static bool evict_chosen(sp_pool *p)
{
  sp_manager *m = p->manager;
  if (!p->desc.hooks.on_overflow)
    return false;
  sp_enter(p);
  sp_ref victim = p->desc.hooks.on_overflow(p->desc.hooks.ud, p);
  sp_leave(p);
  if (!sp_object_is_live(m, victim) || !sp_ref_is_of(m, victim, p))
    return false;
  return sp_end(m, sp_ref_slot(victim), SP_WHY_EVICTED, SP_END_BY_OVERRIDE) == SP_OK;
}

static bool make_room(sp_pool *p)
{
  /* A hook that allocs while its pool evicts starts another eviction inside this one. */
  if (p->manager->busy > SP_MAX_NESTING)
    return sp_live_count(p) < p->limit;
  /* When the limit was lowered below the number of live objects, only one object ends for each new one. */
  uint32_t before = sp_live_count(p);
  bool evicted = false;
  switch (p->desc.settings.overflow) {
  case SP_OVERFLOW_GROW:
    return true;
  case SP_OVERFLOW_OLDEST:
    evicted = evict_oldest(p);
    break;
  case SP_OVERFLOW_FUNCTION:
    evicted = evict_chosen(p);
    break;
  default:
    break;
  }
  /* A hook may have made the room in another way, or taken it again. */
  return sp_live_count(p) < p->limit || (evicted && sp_live_count(p) < before);
}

/* }== */

static SP_COLD sp_ref refuse(sp_pool *p, sp_result why, sp_result *result)
{
  p->refused++;
  sp_tell(result, why);
  return SP_NULL_REF;
}

static uint32_t growth(const sp_pool *p)
{
  uint32_t total = sp_live_count(p) + p->idle.count, grow = p->desc.settings.grow;
  if (p->limit <= total)
    return 1; /* the overflow policy lets it exceed the limit; it is destroyed when it comes back */
  return grow < p->limit - total ? grow : p->limit - total;
}

/* Reserves room in the wheel, for links, and in the queue of ages, so that memory cannot fail the rest of alloc. */
static bool reserve(sp_pool *p, uint32_t slot, double lifetime, sp_ref parent)
{
  sp_manager *m = p->manager;
  return (lifetime == 0 || isinf(lifetime) || sp_lives_reserve(m, slot)) &&
         (!parent || (sp_parents_reserve(m, slot) && sp_parents_reserve(m, sp_ref_slot(parent)))) &&
         (!p->ages.ring || sp_ages_reserve(&p->ages, m, sp_live_count(p)));
}

/* Where objects were destroyed, what lives comes together again: where a slot below all idle ones is vacant, an object
   is made there, and the highest idle one is destroyed for it. */
static bool fill_gap(sp_pool *p)
{
  sp_result made;
  if (!sp_idle_is_compact(p) || sp_idle_lowest(p) < p->vacated - 1)
    return false;
  p->vacated = sp_chunk_vacant(p) + 1;
  if (p->vacated - 1 > sp_idle_lowest(p) || sp_grow(p, 1, &made) == 0)
    return false;
  if (p->idle.count > 1)
    sp_idle_drop_highest(p);
  return true;
}

/* Does everything else that can be refused. Hooks may run, and what they may have changed is checked again. */
static sp_result prepare(sp_pool *p, double lifetime)
{
  if (sp_pool_refusal(p) != SP_OK)
    return sp_pool_refusal(p);
  uint32_t live;
  sp_result here = sp_seconds_check(&p->manager->log, p->type, "lifetime", lifetime);
  if (here == SP_OK)
    here = sp_pool_appear(p);
  if (here != SP_OK)
    return here;
  do {
    if (p->ages.ring && !sp_ages_reserve(&p->ages, p->manager, sp_live_count(p)))
      return SP_MEMORY;
    if (sp_live_count(p) >= p->limit && !make_room(p)) {
      sp_destroy_idle(p, p->desc.settings.idle_limit); /* on_create may have taken the room of the object that it got */
      return SP_FULL;
    }
    live = sp_live_count(p);
    sp_result result = SP_OK;
    while (p->idle.count == 0)
      if (sp_grow(p, growth(p), &result) == 0)
        return result;
  } while (sp_live_count(p) > live); /* a hook in on_create took some of the room */
  return SP_OK;
}

/* {== A life begins ====================================================== */

/* Gives every column that was ever written its first value again. */
static inline void restore(const sp_pool *p, unsigned char *base, uint32_t index)
{
  const unsigned char *initial = p->layout.initial;
  float *floats = (float *)(void *)base + index;
  for (uint64_t mask = p->dirty & SP_FLOAT_COLUMNS; mask; mask &= mask - 1) {
    int column = __builtin_ctzll(mask);
    SP_FLOAT(floats, column) = ((const float *)(const void *)initial)[column];
  }
  for (uint64_t mask = p->dirty & ~(uint64_t)SP_FLOAT_COLUMNS; mask; mask &= mask - 1) {
    const sp_column_layout *c = &p->layout.columns[__builtin_ctzll(mask)];
    memcpy(base + c->offset + index * c->size, initial + c->initial, c->size);
  }
}

/* From now on the slot has a life. Returns the reference to it. */
static inline sp_ref open_life(sp_pool *p, sp_chunk *chunk, uint32_t slot, uint32_t due)
{
  sp_manager *m = p->manager;
  sp_life *life = &chunk->life[slot & SP_CHUNK_MASK];
  sp_chunk_add_life(p, chunk, slot);
  uint32_t generation = life->generation + 1;
  *life = (sp_life){++m->serial, generation, due};
  return (sp_ref)generation << 32 | m->slots.id_bits | slot;
}

/* Applies the first point of each curve before on_spawn runs. */
static sp_ref open_slowly(sp_pool *p, uint32_t slot, double lifetime)
{
  sp_manager *m = p->manager;
  sp_chunk *chunk = sp_slot_chunk(m, slot);
  m->opening_fresh = chunk->life[slot & SP_CHUNK_MASK].serial == 0;
  sp_ref object = open_life(p, chunk, slot, 0);
  restore(p, chunk->base, slot & SP_CHUNK_MASK);
  if (lifetime > 0 && lifetime <= SP_MAX_LIFETIME) { /* infinity is no end */
    sp_life_set_end(m, slot, lifetime, lifetime);
    if (p->desc.curve_count > 0)
      sp_life_apply_curves(p, slot);
  }
  return object;
}

static sp_ref begin(sp_pool *p, double lifetime, sp_ref parent, sp_result *result)
{
  sp_result ready = prepare(p, lifetime);
  if (ready == SP_OK && fill_gap(p))
    ready = prepare(p, lifetime);
  if (ready == SP_OK && !reserve(p, sp_idle_next(p), lifetime, parent))
    ready = SP_MEMORY;
  if (ready != SP_OK)
    return refuse(p, ready, result);
  return open_slowly(p, sp_idle_pop(p), lifetime);
}

/* Takes a life back that nobody has seen. */
static void cancel(sp_pool *p, uint32_t slot)
{
  if (p->has_parents)
    sp_parents_end(p, slot); /* it may have a parent already */
  if (p->manager->opening_fresh)
    sp_slot_life(p->manager, slot)->serial = 0; /* it has not lived */
  sp_near_end(p);
  sp_slot_release(p, slot);
}

static sp_ref run_on_spawn(sp_pool *p, sp_ref object, bool fresh, sp_result *result)
{
  sp_manager *m = p->manager;
  sp_enter(p);
  bool spawned = p->desc.hooks.on_spawn(p->desc.hooks.ud, p, object, fresh);
  bool lives = sp_object_is_live(m, object);
  if (!spawned && lives)
    sp_give_back(m, object, false);
  sp_leave(p);
  if (spawned && lives)
    return object;
  sp_tell(result, spawned ? SP_SPAWN_RECYCLED : SP_FAILED);
  return SP_NULL_REF;
}

static sp_ref commit(sp_pool *p, sp_ref object, sp_result *result)
{
  uint32_t live = sp_live_count(p);
  if (live > p->peak)
    sp_pool_set_peak(p, live);
  if (p->ages.ring)
    sp_ages_push(&p->ages, object);
  if (p->desc.hooks.on_spawn)
    return run_on_spawn(p, object, p->manager->opening_fresh, result);
  return object;
}

/* }== */

/* {== In two steps ======================================================= */

sp_ref sp_alloc_begin(sp_pool *p, double lifetime, sp_result *result)
{
  sp_tell(result, SP_OK);
  if (p->manager->opening || p->manager->held)
    return refuse(p, SP_BUSY, result);
  p->manager->opening = begin(p, lifetime, SP_NULL_REF, result);
  if (p->manager->opening) {
    p->manager->slots.transitional++;
    sp_slots_settle(p->manager);
    p->in_transition++;
  }
  return p->manager->opening;
}

/* True when `object` is the one that sp_alloc_begin has opened; it is no longer open then. */
static bool take_opening(sp_manager *m, sp_ref object)
{
  bool opened = object && object == m->opening;
  if (opened) {
    m->opening = SP_NULL_REF;
    m->slots.transitional--;
    sp_slots_settle(m);
    sp_slot_pool(m, sp_ref_slot(object))->in_transition--;
  }
  return opened;
}

sp_ref sp_alloc_commit(sp_manager *m, sp_ref object, sp_result *result)
{
  sp_tell(result, SP_OK);
  if (take_opening(m, object))
    return commit(sp_slot_pool(m, sp_ref_slot(object)), object, result);
  sp_tell(result, SP_STALE);
  return SP_NULL_REF;
}

void sp_alloc_cancel(sp_manager *m, sp_ref object)
{
  if (take_opening(m, object))
    cancel(sp_slot_pool(m, sp_ref_slot(object)), sp_ref_slot(object));
}

/* }== */

/* {== At once ============================================================ */

/* Returns why no object of this pool can begin so, or SP_OK. */
static sp_result refusal_of(sp_pool *p, const sp_start *start)
{
  static const char *const names[] = {"start.x", "start.y", "start.angle", "start.vx", "start.vy"};
  sp_manager *m = p->manager;
  if (!start)
    return SP_OK;
  const float numbers[] = {start->x, start->y, start->angle, start->vx, start->vy};
  sp_result valid = SP_OK;
  for (int i = 0; i < 5 && valid == SP_OK; i++)
    valid = sp_finite_check(&m->log, p->type, names[i], numbers[i]);
  if (valid != SP_OK || !start->parent)
    return valid;
  if (!sp_ref_is_live(m, start->parent))
    return sp_ref_is_ours(m, start->parent) ? SP_STALE : SP_FOREIGN;
  const bool has_places = p->desc.spatial && sp_slot_pool(m, sp_ref_slot(start->parent))->desc.spatial;
  return has_places ? SP_OK : sp_refuse_parent(p, sp_ref_slot(start->parent));
}

/* A sum that is too large is looked at again by refusal_of. */
static inline bool is_finite_start(const sp_start *start)
{
  const float sum = start->x + start->y + start->angle + start->vx + start->vy;
  return sum - sum == 0;
}

/* A velocity that the object has already is not written: a pool in which nothing moves needs no pass of motion. */
static void place_start(sp_pool *p, uint32_t slot, const sp_start *start)
{
  const float *floats = sp_slot_floats(p->manager, slot);
  sp_slot_put(p, slot, &(sp_place){start->x, start->y, start->angle});
  if (SP_FLOAT(floats, SP_VX) != start->vx || SP_FLOAT(floats, SP_VY) != start->vy)
    sp_slot_launch(p, slot, start->vx, start->vy);
}

/* Any alloc. Hooks and curves find an object where it begins. Making room may have ended the parent. */
static SP_COLD sp_ref alloc_slowly(sp_pool *p, double lifetime, const sp_start *start, sp_result *result)
{
  sp_manager *m = p->manager;
  sp_result why = refusal_of(p, start);
  if (why != SP_OK)
    return refuse(p, why, result);
  sp_ref object = begin(p, lifetime, start ? start->parent : SP_NULL_REF, result);
  if (!object)
    return SP_NULL_REF;
  if (start && p->desc.spatial)
    place_start(p, sp_ref_slot(object), start);
  why = refusal_of(p, start);
  if (why == SP_OK && start && start->parent)
    why = sp_object_set_parent(m, object, start->parent);
  if (why == SP_OK)
    return commit(p, object, result);
  cancel(p, sp_ref_slot(object));
  return refuse(p, why, result);
}

/* Lets a life end at any tick, if nothing has to be allocated for that. Returns sp_life.due, or 0. */
static __attribute__((noinline)) uint32_t set_end(sp_manager *m, uint32_t slot, double lifetime)
{
  if (!(lifetime > 0 && lifetime <= SP_MAX_LIFETIME && sp_wheel_is_ready(&m->lives, slot)))
    return 0;
  sp_life_set_end(m, slot, lifetime, lifetime);
  return sp_slot_life(m, slot)->due;
}

/* Works as set_end. Mostly the end is less than a turn of the wheel ahead, and its list has room. */
static inline uint32_t set_end_nearby(sp_manager *m, const sp_chunk *chunk, uint32_t slot, double lifetime)
{
  double ticks = sp_ticks_until(m, lifetime);
  if (!SP_LIKELY(lifetime > 0 && ticks < SP_WHEEL_TURN - 1 && chunk->terms))
    return set_end(m, slot, lifetime);
  uint32_t ahead = sp_whole_ticks(ticks), due = (uint32_t)m->tick + ahead;
  sp_term *term = &chunk->terms[slot & SP_CHUNK_MASK];
  bool is_set = due != 0 && sp_wheel_set_near(&m->lives, term, slot, lifetime, ahead);
  return SP_LIKELY(is_set) ? due : set_end(m, slot, lifetime);
}

/* The one fast path is for pools that have nothing to prepare, to count or to call: with it a pair of alloc and
   recycle, 10,000 live in random order, takes 7.6 ns, without it 14.1 (a kept field; `make bench`). */
sp_ref sp_pool_alloc(sp_pool *p, double lifetime, const sp_start *start, sp_result *result)
{
  sp_manager *m = p->manager;
  uint32_t due = 0;
  sp_tell(result, SP_OK);
  if (!SP_LIKELY(sp_live_count(p) < p->quick_alloc && p->idle.count > 0 &&
                 (!start || (!start->parent && is_finite_start(start)))))
    return alloc_slowly(p, lifetime, start, result);
  const uint32_t slot = sp_idle_lowest(p);
  sp_chunk *chunk = sp_slot_chunk(m, slot);
  if (!SP_LIKELY(slot < p->vacated - 1 && (lifetime == 0 || (due = set_end_nearby(m, chunk, slot, lifetime)) != 0)))
    return alloc_slowly(p, lifetime, start, result);
  sp_ref object = open_life(p, chunk, slot, due);
  sp_idle_unset(p, chunk, slot);
  if (p->dirty)
    restore(p, chunk->base, slot & SP_CHUNK_MASK);
  if (start && p->desc.spatial)
    place_start(p, slot, start);
  return object;
}

/* }== */

static bool is_idle(const sp_pool *p, sp_ref ref)
{
  if (!sp_ref_resolves(p->manager, ref))
    return false;
  const sp_chunk *chunk = sp_slot_chunk(p->manager, sp_ref_slot(ref));
  return chunk->owner == p && chunk->idle >> (sp_ref_slot(ref) & SP_CHUNK_MASK) & 1;
}

sp_ref sp_pool_take_idle(sp_pool *p, sp_ref idle, double lifetime, sp_result *result)
{
  const uint32_t slot = sp_ref_slot(idle);
  sp_tell(result, SP_OK);
  if (!is_idle(p, idle))
    return refuse(p, SP_NONE, result);
  sp_result ready = prepare(p, lifetime);
  if (ready == SP_OK && !reserve(p, slot, lifetime, SP_NULL_REF))
    ready = SP_MEMORY;
  if (ready != SP_OK)
    return refuse(p, ready, result);
  /* Making room may have run hooks, so the slot is looked for again. */
  if (!is_idle(p, idle))
    return refuse(p, SP_NONE, result);
  sp_idle_remove(p, slot);
  return commit(p, open_slowly(p, slot, lifetime), result);
}

sp_ref sp_pool_take(sp_pool *p, sp_choose_fn choose, void *ud, double lifetime, sp_result *result)
{
  if (!choose)
    return sp_pool_take_idle(p, sp_pool_idle_after(p, SP_NULL_REF), lifetime, result);
  for (sp_ref idle = 0; (idle = sp_pool_next_idle(p, idle)) != SP_NULL_REF;)
    if (choose(ud, idle) && is_idle(p, idle))
      return sp_pool_take_idle(p, idle, lifetime, result);
  return refuse(p, SP_NONE, result);
}
