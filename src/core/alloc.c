/*
** Lives begin. What can fail comes first, so that wherever memory ends, and whatever a hook on the way does, every
** object is in exactly one place.
*/
#include <string.h>

#include "core/clock.h"
#include "core/curve.h"
#include "core/facts.h"
#include "core/grow.h"
#include "core/overflow.h"
#include "core/parents.h"
#include "core/pool_list.h"
#include "core/recycle.h"

static SP_COLD sp_ref refuse(sp_pool *p, sp_result why, sp_result *result)
{
  p->refused++;
  if (result)
    *result = why;
  return SP_NONE_REF;
}

static uint32_t growth(const sp_pool *p)
{
  uint32_t total = sp_live_count(p) + sp_idle_count(&p->idle), grow = p->settings.grow;
  if (p->limit <= total)
    return 1; /* over the limit by policy: one, and it goes when it comes back */
  return grow < p->limit - total ? grow : p->limit - total;
}

/* Room in the wheel and the queue of ages, so that what comes after cannot fail. */
static bool reserve(sp_pool *p, double lifetime)
{
  sp_manager *m = p->manager;
  return (lifetime == 0 || sp_lives_reserve(m)) && (!p->ages.ring || sp_ages_reserve(&p->ages, m, sp_live_count(p)));
}

/* Everything that can refuse. Hooks run on the way, so what held before them is looked at again. */
static sp_result prepare(sp_pool *p, double lifetime)
{
  if (p->closing)
    return SP_CLOSED;
  if (!(lifetime >= 0 && lifetime <= SP_MAX_LIFETIME))
    return SP_INVALID;
  uint32_t live;
  do {
    if (!reserve(p, lifetime))
      return SP_MEMORY;
    if (sp_live_count(p) >= p->limit && !sp_make_room(p))
      return SP_FULL;
    live = sp_live_count(p);
    sp_result result = SP_OK;
    while (sp_idle_count(&p->idle) == 0)
      if (sp_grow(p, growth(p), &result) == 0)
        return result;
  } while (sp_live_count(p) > live); /* a hook in on_create took some of the room */
  return reserve(p, lifetime) ? SP_OK : SP_MEMORY;
}

/* Sizes known to the compiler become a few moves. */
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

/* The last step of every alloc: from now on the generation of `object` says that it is live. */
static inline sp_ref open_life(sp_pool *p, sp_ref object)
{
  sp_manager *m = p->manager;
  uint32_t slot = sp_ref_slot(object);
  m->slots.generation[slot] = sp_ref_generation(object);
  m->serials[slot] = ++m->serial;
  return SP_LIKELY(p->view.dirty == 0)
             ? object
             : restore(p, m->slots.bases[slot >> SP_CHUNK_BITS], slot & SP_CHUNK_MASK, object);
}

/* Curves begin at their first point, before anybody looks. */
static sp_ref open_bent(sp_pool *p, sp_ref object, double lifetime)
{
  uint32_t slot = sp_ref_slot(object);
  p->manager->opening_fresh = p->manager->serials[slot] == 0;
  open_life(p, object);
  if (lifetime > 0) {
    sp_life_set_end(p->manager, object, lifetime, lifetime);
    if (p->curve_count > 0)
      sp_life_bend(p, slot);
  }
  return object;
}

static SP_COLD sp_ref begin_slowly(sp_pool *p, double lifetime, sp_result *result)
{
  sp_result ready = prepare(p, lifetime);
  if (ready != SP_OK)
    return refuse(p, ready, result);
  return open_bent(p, sp_idle_pop(&p->idle), lifetime);
}

/* True when a life can be given this end without any preparation. */
static inline bool can_end(const sp_manager *m, double lifetime)
{
  return lifetime > 0 && lifetime <= SP_MAX_LIFETIME && sp_expiry_is_ready(&m->lives, m->slots.reach);
}

/* The same of an alloc. */
static inline bool is_ready(const sp_pool *p, double lifetime)
{
  return sp_live_count(p) < p->limit && sp_idle_count(&p->idle) != 0 &&
         (lifetime == 0 || can_end(p->manager, lifetime));
}

static inline sp_ref begin(sp_pool *p, double lifetime, sp_result *result)
{
  if (p->closing || p->ages.ring || !is_ready(p, lifetime))
    return begin_slowly(p, lifetime, result);
  return open_bent(p, sp_idle_pop(&p->idle), lifetime);
}

sp_ref sp_pool_alloc_begin(sp_pool *p, double lifetime, sp_result *result)
{
  if (p->manager->opening)
    return refuse(p, SP_BUSY, result);
  p->manager->opening = begin(p, lifetime, result);
  if (p->manager->opening) {
    p->manager->slots.unsettled++;
    sp_settle(p->manager);
    p->loose++;
  }
  return p->manager->opening;
}

/* True when `object` is the one that sp_pool_alloc_begin has opened; it is no longer open then. */
static bool take_opening(sp_manager *m, sp_ref object)
{
  bool opened = object && object == m->opening;
  if (opened) {
    m->opening = SP_NONE_REF;
    m->slots.unsettled--;
    sp_settle(m);
    sp_slot_pool(m, sp_ref_slot(object))->loose--;
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
  sp_pool_leave(p);
  if (spawned && lives)
    return object;
  if (result)
    *result = spawned ? SP_RECYCLED : SP_FAILED;
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
  if (take_opening(m, object))
    return commit(sp_slot_pool(m, sp_ref_slot(object)), object, result);
  if (result)
    *result = SP_STALE;
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
    m->serials[slot] = 0; /* it has not lived */
  sp_give_back(p, slot);
}

static sp_ref alloc_slowly(sp_pool *p, double lifetime, const sp_place *place, sp_result *result)
{
  sp_ref object = begin(p, lifetime, result);
  if (!object)
    return SP_NONE_REF;
  if (place && p->spatial)
    sp_slot_put(p, sp_ref_slot(object), place);
  return commit(p, object, result);
}

/* Prefetches the slot that is handed out SP_AHEAD allocs from now. */
static inline __attribute__((always_inline)) void fetch_idle(const sp_pool *p)
{
  const sp_manager *m = p->manager;
  uint32_t slot = sp_ref_slot(p->idle.ring[(p->idle.head + SP_AHEAD) & p->idle.mask]);
  __builtin_prefetch(&m->slots.generation[slot], 1);
  __builtin_prefetch(&m->serials[slot], 1);
  if (m->lives.terms)
    __builtin_prefetch(&m->lives.terms[slot], 1);
}

/* True when there is nothing to prepare, nothing to count and no hook to call. */
static inline bool is_plain(const sp_pool *p) { return sp_idle_count(&p->idle) > p->floor; }

/* Slow path of the ones below: slots out of cache, or an expiry beyond one turn of the wheel. */
static __attribute__((noinline)) sp_ref alloc_far(sp_pool *p, double lifetime, sp_result *result)
{
  if (!SP_LIKELY(is_plain(p) && (lifetime == 0 || can_end(p->manager, lifetime))))
    return alloc_slowly(p, lifetime, NULL, result);
  sp_ref object = sp_idle_pop(&p->idle);
  if (p->made >= SP_FAR && !p->idle.lifo && sp_idle_count(&p->idle) > SP_AHEAD)
    fetch_idle(p);
  if (lifetime > 0)
    sp_life_set_end(p->manager, object, lifetime, lifetime);
  return open_life(p, object);
}

/* A lifetime of less than a turn of the wheel. Saves 52 instructions of 222. */
static __attribute__((noinline)) sp_ref alloc_timed(sp_pool *p, double lifetime, sp_result *result)
{
  sp_manager *m = p->manager;
  uint32_t head = p->idle.head;
  double ticks = sp_ticks_until(m, lifetime);
  bool usual = lifetime > 0 && ticks < SP_WHEEL_TURN - 1 && sp_expiry_is_ready(&m->lives, m->slots.reach);
  if (!SP_LIKELY(usual && p->idle.tail - head > p->near_floor))
    return alloc_far(p, lifetime, result);
  sp_ref object = p->idle.ring[head & p->idle.mask];
  uint32_t slot = sp_ref_slot(object), generation = sp_ref_generation(object), ahead = sp_whole_ticks(ticks);
  bool wraps = (uint32_t)m->tick + ahead == 0;
  if (!SP_LIKELY(!wraps && sp_expiry_set_near(&m->lives, slot, generation, lifetime, ahead)))
    return alloc_far(p, lifetime, result);
  p->idle.head = head + 1;
  return open_life(p, object);
}

/* A life without an end, which is what nearly every alloc is: 55 instructions less than alloc_far. */
sp_ref sp_pool_alloc(sp_pool *p, double lifetime, sp_result *result)
{
  uint32_t head = p->idle.head;
  if (!SP_LIKELY(lifetime == 0))
    return alloc_timed(p, lifetime, result);
  if (!SP_LIKELY(p->idle.tail - head > p->near_floor))
    return alloc_far(p, 0, result);
  p->idle.head = head + 1;
  return open_life(p, p->idle.ring[head & p->idle.mask]);
}

static uint32_t column_size(const sp_pool *p, int column)
{
  return sp_has_column(p, column) ? p->layout.columns[column].size : 0;
}

static __attribute__((noinline)) void *alloc_cell_slowly(sp_pool *p, double lifetime, int column, sp_ref *object,
                                                         sp_result *result)
{
  uint32_t size = column_size(p, column);
  *object = size > 0 ? sp_pool_alloc(p, lifetime, result) : refuse(p, SP_INVALID, result);
  if (!*object)
    return NULL;
  if (column_size(p, column) != size) { /* on_spawn has described the pool anew */
    sp_alloc_undo(p->manager, *object);
    *object = refuse(p, SP_INVALID, result);
    return NULL;
  }
  sp_mark_written(p, p->layout.columns[column].written);
  return sp_slot_cell(p, sp_ref_slot(*object), column);
}

/* Written out: 15 instructions of 152 less than sp_pool_alloc and sp_cell_at. */
void *sp_pool_alloc_cell(sp_pool *p, double lifetime, int column, sp_ref *object, sp_result *result)
{
  uint32_t head = p->idle.head;
  if (!SP_LIKELY(lifetime == 0 && p->idle.tail - head > p->near_floor && sp_has_column(p, column)))
    return alloc_cell_slowly(p, lifetime, column, object, result);
  const sp_column_layout *c = &p->layout.columns[column];
  if (!SP_LIKELY((p->view.dirty | c->written) == 0))
    return alloc_cell_slowly(p, lifetime, column, object, result);
  p->idle.head = head + 1;
  sp_ref made = *object = open_life(p, p->idle.ring[head & p->idle.mask]);
  uint32_t slot = sp_ref_slot(made);
  return p->manager->slots.bases[slot >> SP_CHUNK_BITS] + c->offset + (slot & SP_CHUNK_MASK) * c->size;
}

sp_ref sp_pool_alloc_at(sp_pool *p, double lifetime, const sp_place *place, sp_result *result)
{
  if (!SP_LIKELY(place && p->spatial && lifetime >= 0 && is_plain(p)))
    return alloc_slowly(p, lifetime, place, result);
  sp_ref object = sp_pool_alloc(p, lifetime, result);
  if (SP_LIKELY(object))
    sp_slot_put(p, sp_ref_slot(object), place);
  return object;
}

sp_ref sp_pool_take(sp_pool *p, sp_ref idle, double lifetime, sp_result *result)
{
  sp_manager *m = p->manager;
  uint32_t slot = sp_ref_slot(idle), count = sp_idle_count(&p->idle), at = 0;
  while (at < count && sp_ref_slot(sp_idle_get(&p->idle, at)) != slot)
    at++;
  if (at == count || !sp_ref_resolves(m, idle))
    return refuse(p, SP_NONE, result);
  sp_result ready = prepare(p, lifetime);
  if (ready != SP_OK)
    return refuse(p, ready, result);
  /* Making room may have run hooks: look again. */
  for (at = 0; at < sp_idle_count(&p->idle) && sp_ref_slot(sp_idle_get(&p->idle, at)) != slot;)
    at++;
  if (at == sp_idle_count(&p->idle) || !sp_ref_resolves(m, idle))
    return refuse(p, SP_NONE, result);
  sp_ref object = sp_idle_get(&p->idle, at);
  sp_idle_remove(&p->idle, at);
  return commit(p, open_bent(p, object, lifetime), result);
}
