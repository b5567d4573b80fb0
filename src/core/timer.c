/*
** Timers of lives, and of the manager. A record of a life is found from its slot, so that it ends with it. Slots that
** never had a timer cost nothing: the table of first timers is made per chunk, on first use. A record without an owner
** belongs to the manager: it is in no list, and ends when it has fired, is stopped, or the manager closes.
*/
#include "core/timer.h"

#include <math.h>

#include "core/pool_state.h"

#define MOST_TIMERS (1u << 30)

/* {== Records ============================================================ */

/* Adds the records from `first` to the last one to the free ones. */
static void free_records(sp_manager *m, uint32_t first)
{
  uint32_t *last = &m->free_timer;
  while (*last)
    last = &sp_timer_at(m, *last - 1)->next;
  for (uint32_t i = first; i < m->timer_capacity; i++) {
    *sp_timer_at(m, i) = (sp_timer_record){0};
    *last = i + 1;
    last = &sp_timer_at(m, i)->next;
  }
}

/* Adds a block of records, which never moves. */
static bool add_timer_block(sp_manager *m)
{
  uint32_t have = m->timer_capacity / SP_CHUNK_SLOTS;
  if (have == m->timer_blocks) {
    uint32_t want = have ? have * 2 : 1;
    sp_timer_block *blocks = sp_memory_extend(&m->memory, m->timers, have, want, sizeof *blocks);
    if (!blocks)
      return false;
    m->timers = blocks;
    m->timer_blocks = want;
    m->fires.segments = (unsigned char *)blocks;
  }
  m->timers[have].records = sp_memory_extend(&m->memory, NULL, 0, SP_CHUNK_SLOTS, sizeof(sp_timer_record));
  if (!m->timers[have].records)
    return false;
  m->timer_capacity += SP_CHUNK_SLOTS;
  free_records(m, have * SP_CHUNK_SLOTS);
  return true;
}

bool sp_timers_reserve(sp_manager *m, uint32_t capacity)
{
  while (m->timer_capacity < capacity)
    if (!add_timer_block(m))
      return false;
  for (uint32_t i = 0; i < capacity; i += SP_CHUNK_SLOTS)
    if (!sp_timer_reserve(m, i))
      return false;
  return true;
}

bool sp_timer_reserve(sp_manager *m, uint32_t index)
{
  return sp_wheel_is_ready(&m->fires, index) || sp_wheel_reserve(&m->fires, &m->memory, index);
}

static bool reserve_record(sp_manager *m)
{
  bool room = m->free_timer || (m->timer_capacity < MOST_TIMERS && add_timer_block(m));
  return room && sp_timer_reserve(m, m->free_timer - 1);
}

void sp_timers_restore(sp_manager *m, uint32_t first, uint32_t free_timer)
{
  m->free_timer = free_timer;
  free_records(m, first);
}

uint32_t sp_timers_next(const sp_manager *m, uint32_t at, uint32_t *slot)
{
  at = at ? sp_timer_at(m, at - 1)->next : m->free_timer;
  for (; !at && m->timer_capacity > 0 && *slot < m->slots.slot_count; ++*slot) {
    const uint32_t *timers = sp_slot_lives(m, *slot)->timers;
    if (timers)
      at = timers[*slot & SP_CHUNK_MASK];
    else
      *slot |= SP_CHUNK_MASK;
  }
  return at;
}

uint32_t *sp_timer_first(sp_manager *m, uint32_t slot, bool make)
{
  sp_lives *lives = sp_slot_lives(m, slot);
  if (!lives->timers && make)
    lives->timers = sp_memory_extend(&m->memory, NULL, 0, SP_CHUNK_SLOTS, sizeof *lives->timers);
  return lives->timers ? &lives->timers[slot & SP_CHUNK_MASK] : NULL;
}

static sp_timer handle_of(const sp_manager *m, uint32_t index)
{
  return (sp_timer)sp_timer_at(m, index)->life.generation << 32 | (index + 1);
}

static void unlink_record(sp_manager *m, uint32_t index)
{
  if (!sp_timer_at(m, index)->owner)
    return;
  const sp_timer_record *timer = sp_timer_at(m, index);
  uint32_t slot = sp_ref_slot(timer->owner), *first = &sp_slot_lives(m, slot)->timers[slot & SP_CHUNK_MASK];
  *(timer->previous ? &sp_timer_at(m, timer->previous - 1)->next : first) = timer->next;
  if (timer->next)
    sp_timer_at(m, timer->next - 1)->previous = timer->previous;
}

/* Frees a record that is in no list. */
static void release_record(sp_manager *m, uint32_t index)
{
  sp_timer_record *timer = sp_timer_at(m, index);
  sp_ref owner = timer->owner;
  sp_timer handle = handle_of(m, index);
  uint64_t tag = timer->tag;
  *timer = (sp_timer_record){.life.generation = timer->life.generation + 1, .next = m->free_timer}; /* even: free */
  m->free_timer = index + 1;
  if (m->on_timer_end)
    m->on_timer_end(m->timer_ud, owner, handle, tag);
}

/* Callbacks of timers are hooks like any other: of the owner's pool, or of none. */
static sp_pool *enter_owner(sp_manager *m, uint32_t index)
{
  sp_ref owner = sp_timer_at(m, index)->owner;
  sp_pool *p = owner ? sp_slot_pool(m, sp_ref_slot(owner)) : NULL;
  if (p)
    sp_enter(p);
  else
    m->busy++;
  return p;
}

static void leave_owner(sp_manager *m, sp_pool *p)
{
  if (p)
    sp_leave(p);
  else
    m->busy--;
}

static void end_record(sp_manager *m, uint32_t index)
{
  sp_pool *p = enter_owner(m, index);
  unlink_record(m, index);
  release_record(m, index);
  leave_owner(m, p);
}

void sp_timers_end(sp_manager *m, uint32_t slot)
{
  uint32_t *first = sp_timer_first(m, slot, false);
  while (first && *first) {
    uint32_t index = *first - 1;
    unlink_record(m, index);
    release_record(m, index);
  }
}

void sp_manager_timers_end(sp_manager *m)
{
  for (uint32_t i = 0; i < m->timer_capacity; i++)
    if (sp_timer_is_used(sp_timer_at(m, i)) && !sp_timer_at(m, i)->owner)
      end_record(m, i);
}

void sp_timers_free(sp_manager *m)
{
  for (uint32_t i = 0; i < m->timer_capacity / SP_CHUNK_SLOTS; i++) {
    sp_memory_free(&m->memory, m->timers[i].terms, SP_CHUNK_SLOTS * sizeof(sp_term));
    sp_memory_free(&m->memory, m->timers[i].records, SP_CHUNK_SLOTS * sizeof(sp_timer_record));
  }
  sp_memory_free(&m->memory, m->timers, m->timer_blocks * sizeof *m->timers);
}

/* }== */

/* {== Firing ============================================================= */

/* Timers of one tick fire in the order in which they were armed, but for two groups that come first: those that were
   armed less than a turn before and in an earlier turn, then those that were armed further ahead. It is the order in
   which a wheel of rings has them, and recordings rely on it. */
enum { ARMED_NEAR, ARMED_FAR, ARMED_IN_TURN };
#define GROUP_SHIFT 62

/* Arms a record for which there is room, or, with `again`, one that has just been due. */
static void arm_record(sp_manager *m, uint32_t index, double wait, bool again)
{
  uint64_t tick = sp_due_tick(m, wait), ahead = tick - m->tick;
  bool in_turn = m->tick % SP_WHEEL_TURN + ahead < SP_WHEEL_TURN;
  const uint64_t group = in_turn ? ARMED_IN_TURN : ahead < SP_WHEEL_TURN ? ARMED_NEAR : ARMED_FAR;
  sp_timer_at(m, index)->life.serial = group << GROUP_SHIFT | ++m->timers_armed;
  if (again)
    sp_wheel_set_again(&m->fires, &m->memory, index, tick);
  else
    sp_wheel_set(&m->fires, index, 0, tick);
  if (group == ARMED_FAR)
    sp_wheel_note_late(&m->fires, index); /* those that are near come first */
}

/* Counts a firing, and returns the seconds until the next one. A timer whose next firing is due already is counted from
   now on. */
static double count_firing(const sp_manager *m, sp_timer_record *timer)
{
  timer->fired++;
  double wait = sp_timer_wait(m, timer);
  if (wait > 0)
    return wait;
  timer->from = m->time;
  timer->fired = 0;
  return 0;
}

void sp_timer_fire(sp_manager *m, uint32_t index)
{
  sp_timer_record *timer = sp_timer_at(m, index);
  uint32_t generation = timer->life.generation;
  sp_ref owner = timer->owner;
  /* Armed again before the call, so that the callback may stop it; counted from when it was due, so that it never
     drifts, but no sooner than the next tick. */
  bool again = timer->period > 0;
  if (again)
    arm_record(m, index, count_firing(m, timer), true);
  if (m->on_timer) {
    sp_pool *p = enter_owner(m, index);
    m->on_timer(m->timer_ud, owner, handle_of(m, index), timer->tag);
    leave_owner(m, p);
  }
  if (!again && sp_timer_at(m, index)->life.generation == generation)
    end_record(m, index);
}

/* }== */

/* {== Use ================================================================ */

/* Starts the timer of a free record; there must be one. Returns its index. */
static uint32_t take_record(sp_manager *m, sp_ref owner, double seconds, double period, uint64_t tag)
{
  uint32_t index = m->free_timer - 1;
  sp_timer_record *timer = sp_timer_at(m, index);
  m->free_timer = timer->next;
  timer->life.generation++; /* odd: in use */
  timer->owner = owner;
  timer->from = m->time + seconds;
  timer->period = period <= SP_MAX_LIFETIME ? period : 0; /* never again */
  timer->fired = 0;
  timer->tag = tag;
  timer->next = timer->previous = 0;
  if (SP_LIKELY(seconds <= SP_MAX_LIFETIME)) /* a free record is not due */
    arm_record(m, index, sp_timer_wait(m, timer), false);
  return index;
}

static SP_COLD sp_result timer_refusal(sp_manager *m, sp_ref object, double seconds, double period)
{
  if (object && !sp_ref_is_live(m, object))
    return sp_object_check(m, object) == SP_FOREIGN ? SP_FOREIGN : SP_STALE;
  if (m->held)
    return SP_BUSY;
  if (!object && m->closing)
    return SP_CLOSED;
  const sp_result valid = sp_seconds_check(&m->log, "sp_timer_start", "seconds", seconds);
  return valid == SP_OK ? sp_seconds_check(&m->log, "sp_timer_start", "period", period) : valid;
}

sp_timer sp_timer_start(sp_manager *m, sp_ref object, double seconds, double period, uint64_t tag, sp_result *result)
{
  const bool is_plain = object && sp_ref_is_live(m, object) && !m->held && seconds >= 0 && seconds <= SP_MAX_LIFETIME &&
                        period >= 0 && period <= SP_MAX_LIFETIME;
  const sp_result refusal = SP_LIKELY(is_plain) ? SP_OK : timer_refusal(m, object, seconds, period);
  sp_tell(result, refusal);
  if (refusal != SP_OK)
    return 0;
  const uint32_t slot = sp_ref_slot(object);
  uint32_t *first = object ? sp_timer_first(m, slot, true) : NULL;
  if ((object && !first) || !reserve_record(m)) {
    sp_tell(result, SP_MEMORY);
    return 0;
  }
  const uint32_t index = take_record(m, object, seconds, period, tag);
  if (!object)
    return handle_of(m, index);
  sp_pool *p = sp_slot_pool(m, slot);
  if (!p->has_timers)
    sp_pool_set_timers(p);
  sp_timer_at(m, index)->next = *first;
  if (*first)
    sp_timer_at(m, *first - 1)->previous = index + 1;
  *first = index + 1;
  return handle_of(m, index);
}

static bool is_running(const sp_manager *m, sp_timer timer)
{
  uint32_t index = (uint32_t)timer - 1;
  return index < m->timer_capacity && handle_of(m, index) == timer && sp_timer_is_used(sp_timer_at(m, index));
}

sp_timer sp_next_timer(const sp_manager *m, sp_ref object, sp_timer timer)
{
  if (!sp_ref_is_live(m, object))
    return 0;
  const uint32_t slot = sp_ref_slot(object), *first = sp_slot_lives(m, slot)->timers;
  uint32_t next = timer ? sp_timer_at(m, (uint32_t)timer - 1)->next : first ? first[slot & SP_CHUNK_MASK] : 0;
  return next ? handle_of(m, next - 1) : 0;
}

sp_ref sp_timer_owner(const sp_manager *m, sp_timer timer)
{
  return is_running(m, timer) ? sp_timer_at(m, (uint32_t)timer - 1)->owner : SP_NULL_REF;
}

sp_result sp_timer_stop(sp_manager *m, sp_timer timer)
{
  if (!is_running(m, timer))
    return SP_NONE;
  if (m->held)
    return SP_BUSY;
  end_record(m, (uint32_t)timer - 1);
  return SP_OK;
}

/* }== */
