/*
** Begins lives. Everything that can fail comes first, so every object is in exactly one place wherever memory runs out
** and whatever a hook does.
*/
#include <string.h>

#include "core/chunk.h"
#include "core/motion.h"
#include "core/parents.h"
#include "core/pool.h"
#include "core/pool_state.h"
#include "core/recycle.h"

/* {== Room at the limit ================================================== */

static bool may_go(const sp_pool *p, sp_ref object)
{
  if (!sp_is_live(p->manager, object))
    return false;
  return !p->spatial || !((const sp_look *)sp_slot_cell(p, sp_ref_slot(object), SP_LOOK))->pinned;
}

/* Ends the oldest life that is not pinned and does not veto. */
static bool evict_oldest(sp_pool *p)
{
  sp_manager *m = p->manager;
  uint64_t newest = m->serial;
  sp_ages_settle(&p->ages, m);
  for (uint32_t i = 0; i < sp_ages_count(&p->ages); i++) {
    sp_ref object = sp_ages_get(&p->ages, i);
    if (!may_go(p, object))
      continue;
    if (m->slots.life[sp_ref_slot(object)].serial > newest)
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
  if (!p->hooks.on_overflow)
    return false;
  sp_enter(p);
  sp_ref victim = p->hooks.on_overflow(p->hooks.ud, p);
  sp_leave(p);
  if (!sp_is_live(m, victim) || !sp_ref_is_of(m, victim, p))
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
  switch (p->settings.overflow) {
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
  return SP_NONE_REF;
}

static uint32_t growth(const sp_pool *p)
{
  uint32_t total = sp_live_count(p) + sp_idle_count(&p->idle), grow = p->settings.grow;
  if (p->limit <= total)
    return 1; /* the overflow policy lets it exceed the limit; it is destroyed when it comes back */
  return grow < p->limit - total ? grow : p->limit - total;
}

/* Reserves room in the wheel and the queue of ages, so that the rest of alloc cannot fail. */
static bool reserve(sp_pool *p, double lifetime)
{
  sp_manager *m = p->manager;
  return (lifetime == 0 || sp_lives_reserve(m)) && (!p->ages.ring || sp_ages_reserve(&p->ages, m, sp_live_count(p)));
}

/* Does everything that can be refused. Hooks may run, and what they may have changed is checked again. */
static sp_result prepare(sp_pool *p, double lifetime)
{
  if (sp_pool_refusal(p) != SP_OK)
    return sp_pool_refusal(p);
  if (!(lifetime >= 0 && lifetime <= SP_MAX_LIFETIME))
    return SP_INVALID;
  uint32_t live;
  sp_result here = sp_pool_appear(p);
  if (here != SP_OK)
    return here;
  do {
    if (!reserve(p, lifetime))
      return SP_MEMORY;
    if (sp_live_count(p) >= p->limit && !make_room(p)) {
      sp_destroy_idle(p, p->settings.idle_limit); /* on_create may have taken the room of the object that it got */
      return SP_FULL;
    }
    live = sp_live_count(p);
    sp_result result = SP_OK;
    while (sp_idle_count(&p->idle) == 0)
      if (sp_grow(p, growth(p), &result) == 0)
        return result;
  } while (sp_live_count(p) > live); /* a hook in on_create took some of the room */
  return reserve(p, lifetime) ? SP_OK : SP_MEMORY;
}

/* Lets the compiler turn the common sizes into a few moves. */
static inline void copy_cell(unsigned char *to, const unsigned char *from, uint32_t size)
{
  if (size == 4)
    memcpy(to, from, 4);
  else if (size == 8)
    memcpy(to, from, 8);
  else if (size == sizeof(sp_look))
    memcpy(to, from, sizeof(sp_look));
  else if (size == 64)
    memcpy(to, from, 64);
  else
    memcpy(to, from, size);
}

/* Gives every column that was ever written its first value again. Returns `object`, so that alloc can end in it. */
static __attribute__((noinline)) sp_ref restore(const sp_pool *p, unsigned char *base, uint32_t index, sp_ref object)
{
  const unsigned char *initial = p->layout.initial;
  uint64_t floats = p->spatial ? p->view.dirty & SP_FLOAT_COLUMNS : 0;
  for (uint64_t mask = floats; mask; mask &= mask - 1) {
    int column = __builtin_ctzll(mask);
    SP_FLOAT((float *)base + index, column) = ((const float *)initial)[column];
  }
  for (uint64_t mask = p->view.dirty & ~floats; mask; mask &= mask - 1) {
    const sp_column_layout *c = &p->layout.columns[__builtin_ctzll(mask)];
    copy_cell(base + c->offset + index * c->size, initial + c->initial, c->size);
  }
  return object;
}

/* The last step of every alloc: from now on the life is live. Returns the reference to it. */
static inline sp_ref open_life(sp_pool *p, uint32_t slot, uint32_t due)
{
  sp_manager *m = p->manager;
  uint32_t generation = m->slots.life[slot].generation + 1;
  sp_ref object = (sp_ref)generation << 32 | m->slots.id_bits | slot;
  m->slots.life[slot] = (sp_life){++m->serial, generation, due};
  return SP_LIKELY(p->view.dirty == 0)
             ? object
             : restore(p, m->slots.bases[slot >> SP_CHUNK_BITS], slot & SP_CHUNK_MASK, object);
}

/* Applies the first point of each curve before on_spawn runs. */
static sp_ref open_with_curves(sp_pool *p, uint32_t slot, double lifetime)
{
  p->manager->opening_fresh = p->manager->slots.life[slot].serial == 0;
  sp_ref object = open_life(p, slot, 0);
  if (lifetime > 0) {
    sp_life_set_end(p->manager, slot, lifetime, lifetime);
    if (p->curve_count > 0)
      sp_life_apply_curves(p, slot);
  }
  return object;
}

static SP_COLD sp_ref begin_slowly(sp_pool *p, double lifetime, sp_result *result)
{
  sp_result ready = prepare(p, lifetime);
  if (ready != SP_OK)
    return refuse(p, ready, result);
  return open_with_curves(p, sp_idle_pop(&p->idle), lifetime);
}

/* Returns whether a life may end after `lifetime` seconds without any preparation. */
static inline bool can_end(const sp_manager *m, double lifetime)
{
  return lifetime > 0 && lifetime <= SP_MAX_LIFETIME && sp_wheel_is_ready(&m->lives, m->slots.slot_count);
}

/* Returns whether an alloc needs no preparation. */
static inline bool is_ready(const sp_pool *p, double lifetime)
{
  return sp_live_count(p) < p->limit && sp_idle_count(&p->idle) != 0 &&
         (lifetime == 0 || can_end(p->manager, lifetime));
}

static inline sp_ref begin(sp_pool *p, double lifetime, sp_result *result)
{
  if (p->closing || p->manager->held || p->ages.ring || !is_ready(p, lifetime))
    return begin_slowly(p, lifetime, result);
  return open_with_curves(p, sp_idle_pop(&p->idle), lifetime);
}

sp_ref sp_pool_alloc_begin(sp_pool *p, double lifetime, sp_result *result)
{
  sp_tell(result, SP_OK);
  if (p->manager->opening || p->manager->held)
    return refuse(p, SP_BUSY, result);
  p->manager->opening = begin(p, lifetime, result);
  if (p->manager->opening) {
    p->manager->slots.transitional++;
    sp_slots_settle(p->manager);
    p->in_transition++;
  }
  return p->manager->opening;
}

/* True when `object` is the one that sp_pool_alloc_begin has opened; it is no longer open then. */
static bool take_opening(sp_manager *m, sp_ref object)
{
  bool opened = object && object == m->opening;
  if (opened) {
    m->opening = SP_NONE_REF;
    m->slots.transitional--;
    sp_slots_settle(m);
    sp_slot_pool(m, sp_ref_slot(object))->in_transition--;
  }
  return opened;
}

static sp_ref run_on_spawn(sp_pool *p, sp_ref object, bool fresh, sp_result *result)
{
  sp_manager *m = p->manager;
  sp_enter(p);
  bool spawned = p->hooks.on_spawn(p->hooks.ud, p, object, fresh);
  bool lives = sp_is_live(m, object);
  if (!spawned && lives)
    sp_alloc_undo(m, object);
  sp_leave(p);
  if (spawned && lives)
    return object;
  sp_tell(result, spawned ? SP_RECYCLED : SP_FAILED);
  return SP_NONE_REF;
}

static inline sp_ref commit(sp_pool *p, sp_ref object, sp_result *result)
{
  uint32_t live = sp_live_count(p);
  if (live > p->peak)
    sp_pool_set_peak(p, live);
  if (p->ages.ring)
    sp_ages_push(&p->ages, object);
  if (p->hooks.on_spawn)
    return run_on_spawn(p, object, p->manager->opening_fresh, result);
  return object;
}

sp_ref sp_alloc_commit(sp_manager *m, sp_ref object, sp_result *result)
{
  sp_tell(result, SP_OK);
  if (take_opening(m, object))
    return commit(sp_slot_pool(m, sp_ref_slot(object)), object, result);
  sp_tell(result, SP_STALE);
  return SP_NONE_REF;
}

void sp_alloc_cancel(sp_manager *m, sp_ref object)
{
  if (!take_opening(m, object))
    return;
  uint32_t slot = sp_ref_slot(object);
  sp_pool *p = sp_slot_pool(m, slot);
  if (p->has_parents)
    sp_parents_end(p, slot); /* it may have a parent already */
  if (m->opening_fresh)
    m->slots.life[slot].serial = 0; /* it has not lived */
  sp_slot_release(p, slot);
}

/* Every alloc, whatever it takes. */
static sp_ref alloc_slowly(sp_pool *p, double lifetime, const sp_place *place, const float *velocity, sp_result *result)
{
  sp_ref object = begin(p, lifetime, result);
  if (!object)
    return SP_NONE_REF;
  if (place && p->spatial)
    sp_slot_put(p, sp_ref_slot(object), place);
  if (velocity && p->spatial)
    sp_slot_launch(p, sp_ref_slot(object), velocity[0], velocity[1]);
  return commit(p, object, result);
}

/* For slots that are not in the cache: returns the one that is handed out SP_AHEAD allocs from now, which must exist,
   and prefetches it. */
static inline uint32_t fetch_idle(const sp_pool *p)
{
  uint32_t slot = p->idle.ring[(p->idle.head + SP_AHEAD) & p->idle.mask];
  __builtin_prefetch(&p->manager->slots.life[slot], 1);
  return slot;
}

/* Returns whether the next slots are far from the processor, and there are enough to prefetch one. */
static inline bool is_out_of_cache(const sp_pool *p)
{
  return !SP_LIKELY(p->near_floor == p->floor) && sp_idle_count(&p->idle) > SP_AHEAD;
}

/* sp_pool_alloc in a pool that has nothing to prepare, to count or to call: takes 30 instructions less than
   alloc_slowly, and prefetches slots that are not in the cache. */
static __attribute__((noinline)) sp_ref alloc_plain(sp_pool *p, double lifetime, sp_result *result)
{
  if (!SP_LIKELY(sp_idle_count(&p->idle) > p->floor && (lifetime == 0 || can_end(p->manager, lifetime))))
    return alloc_slowly(p, lifetime, NULL, NULL, result);
  if (is_out_of_cache(p))
    fetch_idle(p);
  uint32_t slot = sp_idle_pop(&p->idle), due = 0;
  if (lifetime > 0) {
    sp_life_set_end(p->manager, slot, lifetime, lifetime);
    due = p->manager->slots.life[slot].due;
  }
  return open_life(p, slot, due);
}

/* Variant of alloc for a lifetime of less than a turn of the wheel: saves 52 instructions of 222. */
static __attribute__((noinline)) sp_ref alloc_timed(sp_pool *p, double lifetime, sp_result *result)
{
  sp_manager *m = p->manager;
  uint32_t head = p->idle.head;
  double ticks = sp_ticks_until(m, lifetime);
  bool usual = lifetime > 0 && ticks < SP_WHEEL_TURN - 1 && sp_wheel_is_ready(&m->lives, m->slots.slot_count);
  if (!SP_LIKELY(usual && p->idle.tail - head > p->floor))
    return alloc_plain(p, lifetime, result);
  if (is_out_of_cache(p))
    __builtin_prefetch(&m->lives.terms[fetch_idle(p)], 1);
  uint32_t slot = p->idle.ring[head & p->idle.mask];
  uint32_t ahead = sp_whole_ticks(ticks), due = (uint32_t)m->tick + ahead;
  if (!SP_LIKELY(due != 0 && sp_wheel_set_near(&m->lives, slot, lifetime, ahead)))
    return alloc_plain(p, lifetime, result);
  p->idle.head = head + 1;
  return open_life(p, slot, due);
}

/* A life without an end, which is what nearly every alloc is: 55 instructions less than alloc_slowly. */
sp_ref sp_pool_alloc(sp_pool *p, double lifetime, sp_result *result)
{
  uint32_t head = p->idle.head;
  sp_tell(result, SP_OK);
  if (!SP_LIKELY(lifetime == 0))
    return alloc_timed(p, lifetime, result);
  if (!SP_LIKELY(p->idle.tail - head > p->near_floor))
    return alloc_plain(p, 0, result);
  p->idle.head = head + 1;
  return open_life(p, p->idle.ring[head & p->idle.mask], 0);
}

static uint32_t column_size(const sp_pool *p, int column)
{
  return sp_has_column(p, column) ? p->layout.columns[column].size : 0;
}

/* Begins a life without an end and returns its cell. The callers have made all checks. */
static inline void *alloc_cell(sp_pool *p, const sp_column_layout *c, sp_ref *object)
{
  uint32_t slot = sp_idle_pop(&p->idle);
  *object = open_life(p, slot, 0);
  return sp_cell_at(p->manager, c, slot, c->size);
}

/* Every alloc of a cell, whatever it takes. Slots that are not in the cache come first: with a million of them an alloc
   takes a third less time than through sp_pool_alloc. */
static __attribute__((noinline)) void *alloc_cell_slowly(sp_pool *p, double lifetime, int column, sp_ref *object,
                                                         sp_result *result)
{
  const uint32_t size = column_size(p, column);
  const sp_column_layout *c = &p->layout.columns[size > 0 ? column : 0];
  if (lifetime == 0 && size > 0 && sp_idle_count(&p->idle) > p->floor && is_out_of_cache(p) &&
      !(p->view.dirty | c->written)) {
    __builtin_prefetch(sp_cell_at(p->manager, c, fetch_idle(p), c->size), 1);
    return alloc_cell(p, c, object);
  }
  *object = size > 0 ? sp_pool_alloc(p, lifetime, result) : refuse(p, SP_INVALID, result);
  if (!*object)
    return NULL;
  if (column_size(p, column) != size) { /* on_spawn has redefined the pool */
    sp_alloc_undo(p->manager, *object);
    *object = refuse(p, SP_INVALID, result);
    return NULL;
  }
  sp_mark_written(p, c->written);
  return sp_slot_cell(p, sp_ref_slot(*object), column);
}

/* Repeats sp_pool_alloc and sp_cell_at, because one function saves 15 of their 152 instructions. */
void *sp_pool_alloc_cell(sp_pool *p, double lifetime, int column, sp_ref *object, sp_result *result)
{
  sp_tell(result, SP_OK);
  if (!SP_LIKELY(lifetime == 0 && sp_idle_count(&p->idle) > p->near_floor && sp_has_column(p, column)))
    return alloc_cell_slowly(p, lifetime, column, object, result);
  const sp_column_layout *c = &p->layout.columns[column];
  if (!SP_LIKELY((p->view.dirty | c->written) == 0))
    return alloc_cell_slowly(p, lifetime, column, object, result);
  return alloc_cell(p, c, object);
}

sp_ref sp_pool_alloc_at(sp_pool *p, double lifetime, const sp_place *place, sp_result *result)
{
  sp_tell(result, SP_OK);
  if (!SP_LIKELY(place && p->spatial && sp_idle_count(&p->idle) > p->floor))
    return alloc_slowly(p, lifetime, place, NULL, result);
  sp_ref object = sp_pool_alloc(p, lifetime, result);
  if (SP_LIKELY(object))
    sp_slot_put(p, sp_ref_slot(object), place);
  return object;
}

sp_ref sp_pool_alloc_moving(sp_pool *p, double lifetime, const sp_place *place, float vx, float vy, sp_result *result)
{
  sp_tell(result, SP_OK);
  return alloc_slowly(p, lifetime, place, (const float[]){vx, vy}, result);
}

/* Returns the index of the slot among the idle ones, or their number when it is not idle. */
static uint32_t find_idle(const sp_pool *p, uint32_t slot)
{
  uint32_t at = 0, count = sp_idle_count(&p->idle);
  while (at < count && sp_idle_get(&p->idle, at) != slot)
    at++;
  return at;
}

sp_ref sp_pool_take(sp_pool *p, sp_ref idle, double lifetime, sp_result *result)
{
  sp_manager *m = p->manager;
  uint32_t slot = sp_ref_slot(idle);
  sp_tell(result, SP_OK);
  if (!sp_ref_resolves(m, idle) || find_idle(p, slot) == sp_idle_count(&p->idle))
    return refuse(p, SP_NONE, result);
  sp_result ready = prepare(p, lifetime);
  if (ready != SP_OK)
    return refuse(p, ready, result);
  /* Making room may have run hooks, so the slot is looked for again. */
  uint32_t at = find_idle(p, slot);
  if (!sp_ref_resolves(m, idle) || at == sp_idle_count(&p->idle))
    return refuse(p, SP_NONE, result);
  sp_idle_remove(&p->idle, at);
  return commit(p, open_with_curves(p, slot, lifetime), result);
}
