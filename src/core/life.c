/*
** Lives: alloc and recycle. The rule that everything here keeps: a slot becomes reusable last, and what can fail comes
** first, so that whatever a hook does, and wherever memory ends, every object is in exactly one place.
*/
#include <string.h>

#include "core/state.h"

/* {== Alloc ============================================================== */

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
  for (uint64_t mask = p->dirty; mask; mask &= mask - 1) {
    const sp_column_layout *c = &p->layout.columns[__builtin_ctzll(mask)];
    copy_cell(base + c->offset + index * c->size, initial + c->initial, c->size);
  }
  return object;
}

/* What every alloc does: the generation of `object` says from now on that it is live. */
static inline sp_ref open_life(sp_pool *p, sp_ref object)
{
  sp_manager *m = p->manager;
  uint32_t slot = sp_ref_slot(object);
  m->generation[slot] = sp_ref_generation(object);
  m->serials[slot] = ++m->serial;
  return SP_LIKELY(p->dirty == 0) ? object : restore(p, m->bases[slot >> SP_CHUNK_BITS], slot & SP_CHUNK_MASK, object);
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

/* Whether a life can be given this end without any preparation. */
static inline bool can_end(const sp_manager *m, double lifetime)
{
  return lifetime > 0 && lifetime <= SP_MAX_LIFETIME && sp_expiry_is_ready(&m->lives, m->reach);
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

sp_ref sp_alloc_begin(sp_pool *p, double lifetime, sp_result *result)
{
  if (p->manager->opening)
    return refuse(p, SP_BUSY, result);
  p->manager->opening = begin(p, lifetime, result);
  if (p->manager->opening) {
    p->manager->unsettled++;
    sp_settle(p->manager);
    p->loose++;
  }
  return p->manager->opening;
}

/* True when `object` is the one that sp_alloc_begin has opened; it is no longer open then. */
static bool take_opening(sp_manager *m, sp_ref object)
{
  bool opened = object && object == m->opening;
  if (opened) {
    m->opening = SP_NONE_REF;
    m->unsettled--;
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
    sp_undo_alloc(m, object);
  sp_leave(p);
  if (spawned && lives)
    return object;
  if (result)
    *result = spawned ? SP_RECYCLED : SP_FAILED;
  return SP_NONE_REF;
}

static inline sp_ref commit(sp_pool *p, sp_ref object, sp_result *result)
{
  uint32_t live = sp_live_count(p);
  if (live > p->peak) {
    p->peak = live;
    p->peak_time = p->manager->time;
    sp_pool_tune(p);
  }
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

sp_ref sp_alloc_at(sp_pool *p, double lifetime, const sp_place *place, sp_result *result)
{
  if (lifetime < 0) {
    sp_result ready = SP_PREWARMED;
    uint32_t want = p->settings.prealloc ? p->settings.prealloc : p->settings.grow;
    sp_pool_prewarm(p, want, &ready); /* writes only what went wrong */
    if (result)
      *result = ready;
    return SP_NONE_REF;
  }
  sp_ref object = begin(p, lifetime, result);
  if (!object)
    return SP_NONE_REF;
  if (place && p->spatial)
    sp_slot_put(p, sp_ref_slot(object), place);
  return commit(p, object, result);
}

/* The ring knows who lives next. */
static inline __attribute__((always_inline)) void fetch_ahead(const sp_pool *p)
{
  const sp_manager *m = p->manager;
  uint32_t at = p->idle.lifo ? p->idle.tail - SP_AHEAD : p->idle.head + SP_AHEAD;
  uint32_t slot = sp_ref_slot(p->idle.ring[at & p->idle.mask]);
  __builtin_prefetch(&m->generation[slot], 1);
  __builtin_prefetch(&m->serials[slot], 1);
  if (m->lives.terms)
    __builtin_prefetch(&m->lives.terms[slot], 1);
}

/* Like what follows, with memory far away or the last come first. */
static __attribute__((noinline)) sp_ref alloc_far(sp_pool *p, sp_result *result)
{
  if (!SP_LIKELY(p->idle.tail - p->idle.head > p->floor))
    return sp_alloc_at(p, 0, NULL, result);
  sp_ref object = sp_idle_pop_ready(&p->idle);
  if (p->made >= SP_FAR)
    fetch_ahead(p);
  return open_life(p, object);
}

/* The rest of alloc_timed when a list is full. */
static __attribute__((noinline)) sp_ref open_timed(sp_pool *p, sp_ref object, double lifetime)
{
  sp_manager *m = p->manager;
  uint64_t tick = sp_due_tick(m, lifetime);
  sp_expiry_make_room(&m->lives, tick);
  sp_expiry_try(&m->lives, sp_ref_slot(object), sp_ref_generation(object), lifetime, tick);
  return open_life(p, object);
}

/* And with a lifetime. */
static __attribute__((noinline)) sp_ref alloc_timed(sp_pool *p, double lifetime, sp_result *result)
{
  sp_manager *m = p->manager;
  if (!SP_LIKELY(can_end(m, lifetime) && p->idle.tail - p->idle.head > p->floor))
    return sp_alloc_at(p, lifetime, NULL, result);
  sp_ref object = sp_idle_pop_ready(&p->idle);
  if (p->made >= SP_FAR)
    fetch_ahead(p);
  uint32_t slot = sp_ref_slot(object), generation = sp_ref_generation(object);
  if (SP_LIKELY(sp_expiry_try(&m->lives, slot, generation, lifetime, sp_due_tick(m, lifetime))))
    return open_life(p, object);
  return open_timed(p, object, lifetime);
}

/* With nothing to prepare, nothing to count and nobody to tell, as nearly every alloc is, this is all. */
sp_ref sp_alloc(sp_pool *p, double lifetime, sp_result *result)
{
  uint32_t head = p->idle.head;
  if (!SP_LIKELY(lifetime == 0))
    return alloc_timed(p, lifetime, result);
  if (!SP_LIKELY(p->idle.tail - head > p->near_floor))
    return alloc_far(p, result);
  p->idle.head = head + 1;
  return open_life(p, p->idle.ring[head & p->idle.mask]);
}

sp_ref sp_take(sp_pool *p, sp_ref idle, double lifetime, sp_result *result)
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

/* }== */

/* {== Recycle ============================================================ */

/* Idle objects do not move. Returns SP_OK, so that recycle can end in it. */
static __attribute__((noinline)) sp_result rest(sp_pool *p, uint32_t slot)
{
  for (uint64_t mask = p->dirty & SP_MOTION_COLUMNS; mask; mask &= mask - 1)
    *(float *)sp_slot_cell(p, slot, __builtin_ctzll(mask)) = 0;
  return SP_OK;
}

/* Whether there are more objects than the limit, the one that comes back included. */
static bool is_surplus(const sp_pool *p)
{
  return p->settings.overflow == SP_OVERFLOW_GROW && p->made - p->loose > p->limit;
}

static SP_COLD void reject(sp_pool *p, uint32_t slot)
{
  p->loose++;
  if (p->hooks.on_reject) {
    sp_enter(p);
    p->hooks.on_reject(p->hooks.ud, p, sp_ref_make(p->manager, slot));
    sp_leave(p);
  }
  sp_object_destroy(p, slot);
}

/* The life is over: raise the generation, and only then make the slot reusable. */
static inline void give_back(sp_pool *p, uint32_t slot)
{
  if (p->dirty & SP_MOTION_COLUMNS)
    rest(p, slot);
  if (++p->manager->generation[slot] >= p->manager->last_generation || is_surplus(p))
    sp_object_drop(p, slot);
  else if (sp_idle_count(&p->idle) >= p->settings.idle_limit)
    reject(p, slot);
  else
    sp_idle_push(&p->idle, sp_ref_next(p->manager, slot));
}

/* What ends with a life, while it can still be read. */
static void end_belongings(sp_pool *p, uint32_t slot, sp_why why)
{
  sp_enter(p); /* children and coroutines may have hooks of their own */
  if (p->has_timers)
    sp_timers_end(p->manager, slot);
  if (p->has_kin)
    sp_kin_end(p, slot);
  if (p->hooks.on_end)
    p->hooks.on_end(p->hooks.ud, p, sp_ref_make(p->manager, slot), why);
  sp_leave(p);
}

/* What every recycle does at last. `object` is live. */
static inline void take_back(sp_manager *m, sp_pool *p, sp_ref object, bool fifo)
{
  uint32_t slot = sp_ref_slot(object), generation = sp_ref_generation(object) + 1;
  sp_ref next = object + ((sp_ref)2 << 32);
  p->recycles++;
  m->generation[slot] = generation;
  if (!SP_LIKELY(generation < m->last_generation))
    sp_object_drop(p, slot);
  else if (fifo)
    sp_idle_push_last(&p->idle, next);
  else
    sp_idle_push(&p->idle, next);
}

/* What is left of recycling when the pool is plain about it. */
static inline sp_result end_plainly(sp_manager *m, sp_pool *p, uint32_t slot)
{
  take_back(m, p, sp_ref_make(m, slot), false);
  return p->dirty & SP_MOTION_COLUMNS ? rest(p, slot) : SP_OK;
}

void sp_alloc_cancel(sp_manager *m, sp_ref object)
{
  if (!take_opening(m, object))
    return;
  uint32_t slot = sp_ref_slot(object);
  sp_pool *p = sp_slot_pool(m, slot);
  if (p->has_kin)
    sp_kin_end(p, slot); /* it may have a parent already */
  if (m->opening_fresh)
    m->serials[slot] = 0; /* it has not lived */
  give_back(p, slot);
}

static void run_on_despawn(sp_pool *p, sp_dying *frame)
{
  frame->based = true;
  if (!p->hooks.on_despawn)
    return;
  sp_enter(p);
  p->hooks.on_despawn(p->hooks.ud, p, sp_ref_make(p->manager, frame->slot), frame->why);
  sp_leave(p);
}

static void run_override(sp_pool *p, sp_dying *frame)
{
  sp_enter(p);
  p->hooks.recycle(p->hooks.ud, p, sp_ref_make(p->manager, frame->slot), frame->why);
  sp_leave(p);
}

/* From here until sp_end is done with it, the slot counts as dying. */
static void begin_dying(sp_manager *m, sp_dying *frame)
{
  frame->outer = m->dying;
  m->dying = frame;
  m->unsettled++;
  sp_settle(m);
}

static void end_dying(sp_manager *m, sp_dying *frame)
{
  m->dying = frame->outer;
  m->unsettled--;
  sp_settle(m);
}

static sp_result end_slowly(sp_pool *p, uint32_t slot, sp_why why, bool override, bool force)
{
  sp_manager *m = p->manager;
  sp_dying frame = {.slot = slot, .why = why};
  begin_dying(m, &frame);
  p->busy++; /* also between the hooks the pool must not go */
  if (override && p->hooks.recycle)
    run_override(p, &frame);
  else
    run_on_despawn(p, &frame);
  if (!frame.based && force)
    run_on_despawn(p, &frame);
  if (frame.based)
    end_belongings(p, slot, why);
  p->busy--;
  end_dying(m, &frame);
  if (!frame.based) {
    p->vetoed++;
    return SP_VETOED;
  }
  p->recycles++;
  give_back(p, slot);
  return SP_OK;
}

/* Ends the life in `slot`, which must be live. `override`: the pool's own recycle decides; `force`: it may not veto. */
sp_result sp_end(sp_manager *m, uint32_t slot, sp_why why, bool override, bool force)
{
  sp_pool *p = sp_slot_pool(m, slot);
  bool plain = p->plain_recycle || (p->plain_alone && !sp_slot_has_belongings(m, slot));
  sp_result result = plain ? end_plainly(m, p, slot) : end_slowly(p, slot, why, override, force);
  if (result == SP_OK && why == SP_WHY_EXPIRED)
    p->expired++;
  if (result == SP_OK && why == SP_WHY_EVICTED)
    p->evicted++;
  return result;
}

void sp_expire(sp_manager *m, uint32_t slot)
{
  sp_pool *p = sp_slot_pool(m, slot);
  if (SP_LIKELY(p->bare_recycle)) {
    p->expired++;
    take_back(m, p, sp_ref_make(m, slot), true);
  } else {
    sp_end(m, slot, SP_WHY_EXPIRED, true, false);
  }
}

static SP_COLD sp_result refuse_recycle(sp_manager *m, sp_ref object)
{
  if (!sp_ref_is_ours(m, object))
    return SP_FOREIGN;
  sp_pool *p = sp_pool_of(m, object);
  if (p)
    p->double_recycles++;
  bool dying = sp_ref_resolves(m, object) && sp_ref_generation(object) & 1;
  return dying ? SP_DYING : SP_STALE;
}

static __attribute__((noinline)) sp_result recycle_live(sp_manager *m, sp_ref object)
{
  uint32_t slot = sp_ref_slot(object);
  sp_pool *p = sp_slot_pool(m, slot);
  return SP_LIKELY(p->plain_recycle) ? end_plainly(m, p, slot) : sp_end(m, slot, SP_WHY_RECYCLED, true, false);
}

static SP_COLD sp_result recycle_unsettled(sp_manager *m, sp_ref object)
{
  return sp_ref_is_live(m, object) ? recycle_live(m, object) : refuse_recycle(m, object);
}

/* All checks of sp_ref_is_live, in the order in which they are quick. */
sp_result sp_recycle(sp_manager *m, sp_ref object)
{
  uint32_t slot = (uint32_t)object - m->origin, generation = sp_ref_generation(object);
  if (!SP_LIKELY(slot < m->settled && m->generation[slot] == generation && generation & 1))
    return recycle_unsettled(m, object);
  sp_pool *p = sp_slot_pool(m, slot);
  if (!SP_LIKELY(p->bare_recycle))
    return recycle_live(m, object);
  take_back(m, p, object, true);
  return SP_OK;
}

sp_result sp_recycle_base(sp_manager *m, sp_ref object)
{
  if (sp_is_live(m, object))
    return sp_end(m, sp_ref_slot(object), SP_WHY_RECYCLED, false, false);
  if (sp_ref_resolves(m, object))
    for (sp_dying *frame = m->dying; frame; frame = frame->outer)
      if (frame->slot == sp_ref_slot(object) && !frame->based) {
        run_on_despawn(sp_slot_pool(m, frame->slot), frame);
        return SP_OK;
      }
  return refuse_recycle(m, object);
}

sp_result sp_undo_alloc(sp_manager *m, sp_ref object)
{
  if (!sp_is_live(m, object))
    return SP_STALE;
  uint32_t slot = sp_ref_slot(object);
  sp_pool *p = sp_slot_pool(m, slot);
  sp_dying frame = {.slot = slot, .based = true};
  begin_dying(m, &frame);
  end_belongings(p, slot, SP_WHY_RECYCLED);
  end_dying(m, &frame);
  give_back(p, slot);
  return SP_OK;
}

/* }== */
