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

#define SOON 4 /* allocs */

/* {== Room at the limit ================================================== */

static bool may_go(const sp_pool *p, sp_ref object)
{
  if (!sp_object_is_live(p->manager, object))
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
  if (!p->hooks.on_overflow)
    return false;
  sp_enter(p);
  sp_ref victim = p->hooks.on_overflow(p->hooks.ud, p);
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
  return SP_NULL_REF;
}

static uint32_t growth(const sp_pool *p)
{
  uint32_t total = sp_live_count(p) + sp_idle_count(&p->idle), grow = p->settings.grow;
  if (p->limit <= total)
    return 1; /* the overflow policy lets it exceed the limit; it is destroyed when it comes back */
  return grow < p->limit - total ? grow : p->limit - total;
}

/* Reserves room in the wheel and the queue of ages, so that the rest of alloc cannot fail. */
static bool reserve(sp_pool *p, uint32_t slot, double lifetime)
{
  sp_manager *m = p->manager;
  return (lifetime == 0 || sp_lives_reserve(m, slot)) &&
         (!p->ages.ring || sp_ages_reserve(&p->ages, m, sp_live_count(p)));
}

/* Does everything else that can be refused. Hooks may run, and what they may have changed is checked again. */
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
    if (p->ages.ring && !sp_ages_reserve(&p->ages, p->manager, sp_live_count(p)))
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
  return SP_OK;
}

/* Copies a cell by itself: a call of memcpy would need a stack. */
static inline void copy_cell(unsigned char *to, const unsigned char *from, size_t size)
{
  for (; size >= 64; size -= 64, to += 64, from += 64)
    memcpy(to, from, 64);
  for (; size >= 16; size -= 16, to += 16, from += 16)
    memcpy(to, from, 16);
  for (; size >= 4; size -= 4, to += 4, from += 4)
    memcpy(to, from, 4);
  for (; size > 0; size--)
    *to++ = *from++;
}

/* Gives every column that was ever written its first value again. */
static inline void restore(const sp_pool *p, unsigned char *base, uint32_t index)
{
  const unsigned char *initial = p->layout.initial;
  float *floats = (float *)(void *)base + index;
  for (uint64_t mask = p->view.dirty & SP_FLOAT_COLUMNS; mask; mask &= mask - 1) {
    int column = __builtin_ctzll(mask);
    SP_FLOAT(floats, column) = ((const float *)(const void *)initial)[column];
  }
  for (uint64_t mask = p->view.dirty & ~(uint64_t)SP_FLOAT_COLUMNS; mask; mask &= mask - 1) {
    const sp_column_layout *c = &p->layout.columns[__builtin_ctzll(mask)];
    copy_cell(base + c->offset + index * c->size, initial + c->initial, c->size);
  }
}

/* The last step of every alloc, but for its cells: from now on the life is live. Returns the reference to it. */
static inline sp_ref open_life(sp_pool *p, const sp_chunk *chunk, uint32_t slot, uint32_t due)
{
  sp_manager *m = p->manager;
  sp_life *life = &chunk->life[slot & SP_CHUNK_MASK];
  uint32_t generation = life->generation + 1;
  *life = (sp_life){++m->serial, generation, due};
  return (sp_ref)generation << 32 | m->slots.id_bits | slot;
}

/* Applies the first point of each curve before on_spawn runs. */
static sp_ref open_with_curves(sp_pool *p, uint32_t slot, double lifetime)
{
  const sp_chunk *chunk = sp_slot_chunk(p->manager, slot);
  sp_chunk_wake(p, slot >> SP_CHUNK_BITS);
  p->manager->opening_fresh = chunk->life[slot & SP_CHUNK_MASK].serial == 0;
  sp_ref object = open_life(p, chunk, slot, 0);
  restore(p, chunk->base, slot & SP_CHUNK_MASK);
  if (lifetime > 0) {
    sp_life_set_end(p->manager, slot, lifetime, lifetime);
    if (p->curve_count > 0)
      sp_life_apply_curves(p, slot);
  }
  return object;
}

static sp_ref begin(sp_pool *p, double lifetime, sp_result *result)
{
  sp_result ready = prepare(p, lifetime);
  if (ready == SP_OK && !reserve(p, sp_idle_peek(&p->idle), lifetime))
    ready = SP_MEMORY;
  if (ready != SP_OK)
    return refuse(p, ready, result);
  return open_with_curves(p, sp_idle_pop(&p->idle), lifetime);
}

sp_ref sp_alloc_begin(sp_pool *p, double lifetime, sp_result *result)
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

static sp_ref run_on_spawn(sp_pool *p, sp_ref object, bool fresh, sp_result *result)
{
  sp_manager *m = p->manager;
  sp_enter(p);
  bool spawned = p->hooks.on_spawn(p->hooks.ud, p, object, fresh);
  bool lives = sp_object_is_live(m, object);
  if (!spawned && lives)
    sp_alloc_undo(m, object);
  sp_leave(p);
  if (spawned && lives)
    return object;
  sp_tell(result, spawned ? SP_SPAWN_RECYCLED : SP_FAILED);
  return SP_NULL_REF;
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
  return SP_NULL_REF;
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
    sp_slot_life(m, slot)->serial = 0; /* it has not lived */
  sp_slot_release(p, slot);
}

/* Every alloc, whatever it takes. */
static __attribute__((noinline)) sp_ref alloc_slowly(sp_pool *p, double lifetime, const sp_place *place,
                                                     const float *velocity, sp_result *result)
{
  sp_ref object = begin(p, lifetime, result);
  if (!object)
    return SP_NULL_REF;
  if (place && p->spatial)
    sp_slot_put(p, sp_ref_slot(object), place);
  if (velocity && p->spatial)
    sp_slot_launch(p, sp_ref_slot(object), velocity[0], velocity[1]);
  return commit(p, object, result);
}

/* Lets a life end at any tick, if nothing has to be allocated for that. Returns sp_life.due, or 0. */
static __attribute__((noinline)) uint32_t set_end(sp_manager *m, uint32_t slot, double lifetime)
{
  if (!(lifetime > 0 && lifetime <= SP_MAX_LIFETIME && sp_wheel_is_ready(&m->lives, slot)))
    return 0;
  sp_life_set_end(m, slot, lifetime, lifetime);
  return sp_slot_life(m, slot)->due;
}

/* Does the same. Mostly the end is less than a turn of the wheel ahead, and its list has room. */
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

/* Begins a life in the next slot, which stays in the idle ring as yet, in a pool that has nothing to prepare, to count
   or to call. Returns 0 when it takes alloc_slowly. */
static inline sp_ref open_quickly(sp_pool *p, double lifetime, const sp_chunk **at)
{
  uint32_t slot = sp_idle_peek(&p->idle), due = 0;
  *at = sp_slot_chunk(p->manager, slot);
  if (!SP_LIKELY((*at)->lively))
    return SP_NULL_REF;
  if (lifetime != 0 && (due = set_end_nearby(p->manager, *at, slot, lifetime)) == 0)
    return SP_NULL_REF;
  return open_life(p, *at, slot, due);
}

/* Most lives have no end, and most pools nothing to restore: then a quarter of the instructions is enough. */
static inline bool needs_nothing(const sp_pool *p, double lifetime)
{
  uint64_t bits;
  memcpy(&bits, &lifetime, sizeof bits);
  return (bits | p->view.dirty) == 0;
}

static __attribute__((noinline)) sp_ref alloc_fully(sp_pool *p, double lifetime, sp_result *result)
{
  const sp_chunk *chunk;
  sp_ref object = open_quickly(p, lifetime, &chunk);
  if (!SP_LIKELY(object))
    return alloc_slowly(p, lifetime, NULL, NULL, result);
  restore(p, chunk->base, object & SP_CHUNK_MASK);
  return sp_idle_drop(&p->idle, p->idle.lifo, object);
}

/* Begins a life without an end, with the cells that its slot has. Like those below, it calls nothing but what it ends
   in, so that it needs no stack. */
static inline sp_ref alloc_barely(sp_pool *p, bool lifo, sp_result *result)
{
  const uint32_t slot = sp_idle_next(&p->idle, lifo);
  const sp_chunk *chunk = sp_slot_chunk(p->manager, slot);
  if (!SP_LIKELY(chunk->lively))
    return alloc_fully(p, 0, result);
  return sp_idle_drop(&p->idle, lifo, open_life(p, chunk, slot, 0));
}

sp_ref sp_pool_alloc(sp_pool *p, double lifetime, sp_result *result)
{
  sp_tell(result, SP_OK);
  if (!SP_LIKELY(sp_idle_count(&p->idle) > p->floor))
    return alloc_slowly(p, lifetime, NULL, NULL, result);
  if (!SP_LIKELY(needs_nothing(p, lifetime)))
    return alloc_fully(p, lifetime, result);
  return p->idle.lifo ? alloc_barely(p, true, result) : alloc_barely(p, false, result);
}

/* From now on sp_pool_alloc_cell may hand out cells of this column at once. */
static void note_quick_column(sp_pool *p, int column)
{
  const sp_column_layout *c = &p->layout.columns[column];
  p->quick_column = column;
  p->quick_offset = c->offset;
  p->quick_size = c->size;
  p->quick_floor = p->floor;
  p->quick_initial = c->written && p->view.dirty == c->written ? p->layout.initial + c->initial : NULL;
}

static SP_COLD void *alloc_cell_slowly(sp_pool *p, double lifetime, int column, sp_ref *object, sp_result *result)
{
  const uint32_t size = sp_has_column(p, column) ? p->layout.columns[column].size : 0;
  *object = size > 0 ? alloc_slowly(p, lifetime, NULL, NULL, result) : refuse(p, SP_INVALID, result);
  if (!*object)
    return NULL;
  if (!sp_has_column(p, column) || p->layout.columns[column].size != size) { /* on_spawn has redefined the pool */
    sp_alloc_undo(p->manager, *object);
    *object = refuse(p, SP_INVALID, result);
    return NULL;
  }
  sp_mark_written(p, p->layout.columns[column].written);
  note_quick_column(p, column);
  return sp_slot_cell(p, sp_ref_slot(*object), column);
}

static inline unsigned char *quick_cell(const sp_pool *p, const sp_chunk *chunk, uint32_t slot)
{
  return chunk->base + p->quick_offset + (slot & SP_CHUNK_MASK) * p->quick_size;
}

/* Removes the slot of a life that has begun from the idle ones. Returns its cell, with its first value if it
   `is_reset`. */
static inline void *hand_out(sp_pool *p, bool lifo, unsigned char *cell, bool is_reset)
{
  if (is_reset)
    copy_cell(cell, p->quick_initial, p->quick_size);
  return (void *)(uintptr_t)sp_idle_drop(&p->idle, lifo, (uintptr_t)cell);
}

/* Any life, and whatever is to be restored. */
static __attribute__((noinline)) void *alloc_cell_fully(sp_pool *p, double lifetime, sp_ref *object, sp_result *result)
{
  const sp_chunk *chunk;
  const uint32_t slot = sp_idle_peek(&p->idle);
  *object = open_quickly(p, lifetime, &chunk);
  if (!SP_LIKELY(*object))
    return alloc_cell_slowly(p, lifetime, p->quick_column, object, result);
  restore(p, chunk->base, slot & SP_CHUNK_MASK);
  return hand_out(p, p->idle.lifo, quick_cell(p, chunk, slot), false);
}

/* A store that waits for its line holds up all stores behind it: asks for the memory of an alloc that comes soon. */
static inline void ask_for_memory(const sp_pool *p)
{
  const sp_idle *idle = &p->idle;
  if (idle->count <= SOON || idle->take_end - idle->take <= SOON)
    return;
  const uint32_t slot = idle->take[SOON];
  const sp_chunk *chunk = sp_slot_chunk(p->manager, slot);
  __builtin_prefetch(quick_cell(p, chunk, slot), 1);
  __builtin_prefetch(&chunk->life[slot & SP_CHUNK_MASK], 1);
}

/* A life without an end, where at most the cell that is asked for must be restored. */
static inline void *alloc_cell_barely(sp_pool *p, bool lifo, bool is_reset, sp_ref *object, sp_result *result)
{
  const uint32_t slot = sp_idle_next(&p->idle, lifo);
  const sp_chunk *chunk = sp_slot_chunk(p->manager, slot);
  if (!SP_LIKELY(chunk->lively))
    return alloc_cell_fully(p, 0, object, result);
  *object = open_life(p, chunk, slot, 0);
  return hand_out(p, lifo, quick_cell(p, chunk, slot), is_reset);
}

static __attribute__((noinline)) void *alloc_cell_reset(sp_pool *p, sp_ref *object, sp_result *result)
{
  if (!SP_LIKELY(p->quick_initial))
    return alloc_cell_fully(p, 0, object, result);
  if (p->idle.lifo)
    return alloc_cell_barely(p, true, true, object, result);
  ask_for_memory(p);
  return alloc_cell_barely(p, false, true, object, result);
}

/* Lists a life that has begun in the next slot for the tick at which it ends; then as hand_out. */
static __attribute__((noinline)) void *hand_out_listed(sp_pool *p, uint32_t slot, double lifetime, unsigned char *cell)
{
  sp_wheel *w = &p->manager->lives;
  const uint32_t ahead = sp_wheel_life(w, slot)->due - (uint32_t)w->now;
  if (!SP_LIKELY(sp_wheel_set_near(w, sp_wheel_term(w, slot), slot, lifetime, ahead)))
    sp_wheel_set(w, slot, lifetime, w->now + ahead);
  return hand_out(p, p->idle.lifo, cell, p->quick_initial != NULL);
}

/* Does the same for a life that ends less than a turn ahead. Mostly an earlier life has left an entry in the wheel that
   comes before. */
static __attribute__((noinline)) void *alloc_cell_timed(sp_pool *p, double lifetime, sp_ref *object, sp_result *result)
{
  const sp_manager *m = p->manager;
  const uint32_t slot = sp_idle_peek(&p->idle), now = (uint32_t)m->tick;
  const sp_chunk *chunk = sp_slot_chunk(m, slot);
  const double ticks = sp_ticks_until(m, lifetime);
  if (!SP_LIKELY(lifetime > 0 && ticks < SP_WHEEL_TURN - 1 && chunk->terms && chunk->lively &&
                 m->lives.free_count > SP_WHEEL_SPARE && (p->quick_initial || p->view.dirty == 0)))
    return alloc_cell_fully(p, lifetime, object, result);
  const uint32_t ahead = sp_whole_ticks(ticks), due = now + ahead;
  if (due == 0)
    return alloc_cell_fully(p, lifetime, object, result);
  *object = open_life(p, chunk, slot, due);
  unsigned char *cell = quick_cell(p, chunk, slot);
  sp_term *term = &chunk->terms[slot & SP_CHUNK_MASK];
  if (!SP_LIKELY(term->listed != 0 && term->listed - now < ahead))
    return hand_out_listed(p, slot, lifetime, cell);
  term->lifetime = lifetime;
  term->strides = 0;
  return hand_out(p, p->idle.lifo, cell, p->quick_initial != NULL);
}

/* One comparison tells all about the column that was found out when it was asked for last. */
void *sp_pool_alloc_cell(sp_pool *p, double lifetime, int column, sp_ref *object, sp_result *result)
{
  sp_tell(result, SP_OK);
  if (!SP_LIKELY(column == p->quick_column && sp_idle_count(&p->idle) > p->quick_floor))
    return alloc_cell_slowly(p, lifetime, column, object, result);
  if (lifetime != 0)
    return alloc_cell_timed(p, lifetime, object, result);
  if (p->view.dirty != 0)
    return alloc_cell_reset(p, object, result);
  return p->idle.lifo ? alloc_cell_barely(p, true, false, object, result)
                      : alloc_cell_barely(p, false, false, object, result);
}

/* Hooks and curves find an object where it begins. */
static sp_ref alloc_placed(sp_pool *p, double lifetime, const sp_place *place, const float *velocity, sp_result *result)
{
  sp_tell(result, SP_OK);
  if (!SP_LIKELY(p->spatial && sp_idle_count(&p->idle) > p->floor))
    return alloc_slowly(p, lifetime, place, velocity, result);
  sp_ref object = sp_pool_alloc(p, lifetime, result);
  if (SP_LIKELY(object && place))
    sp_slot_put(p, sp_ref_slot(object), place);
  if (object && velocity)
    sp_slot_launch(p, sp_ref_slot(object), velocity[0], velocity[1]);
  return object;
}

sp_ref sp_pool_alloc_at(sp_pool *p, double lifetime, const sp_place *place, sp_result *result)
{
  return alloc_placed(p, lifetime, place, NULL, result);
}

sp_ref sp_pool_alloc_moving(sp_pool *p, double lifetime, const sp_place *place, float vx, float vy, sp_result *result)
{
  return alloc_placed(p, lifetime, place, (const float[]){vx, vy}, result);
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
  if (ready == SP_OK && !reserve(p, slot, lifetime))
    ready = SP_MEMORY;
  if (ready != SP_OK)
    return refuse(p, ready, result);
  /* Making room may have run hooks, so the slot is looked for again. */
  uint32_t at = find_idle(p, slot);
  if (!sp_ref_resolves(m, idle) || at == sp_idle_count(&p->idle))
    return refuse(p, SP_NONE, result);
  sp_idle_remove(&p->idle, at);
  return commit(p, open_with_curves(p, slot, lifetime), result);
}
