/*
** Timers of lives. A record belongs to one life and is found from its slot, so that it ends with it. Slots that never
** had a timer cost nothing: the table of first timers is made per chunk, on first use.
*/
#include "core/timer.h"

#include <math.h>

#include "core/clock.h"
#include "core/facts.h"
#include "core/pool_list.h"

#define MOST_TIMERS (1u << 30)

/* {== Records ============================================================ */

/* The records from `first` to the last one are free: the next ones in line after those that are so already. */
static void free_records(sp_manager *m, uint32_t first)
{
  uint32_t *last = &m->free_timer;
  while (*last)
    last = &m->timers[*last - 1].next;
  for (uint32_t i = first; i < m->timer_capacity; i++) {
    m->timers[i] = (sp_timer_record){0};
    *last = i + 1;
    last = &m->timers[i].next;
  }
}

bool sp_timers_reserve(sp_manager *m, uint32_t capacity)
{
  uint32_t have = m->timer_capacity;
  if (capacity <= have)
    return true;
  if (!sp_wheel_reserve(&m->fires, &m->memory, capacity))
    return false;
  sp_timer_record *timers = sp_memory_extend(&m->memory, m->timers, have, capacity, sizeof *timers);
  if (!timers)
    return false;
  m->timers = timers;
  m->timer_capacity = capacity;
  free_records(m, have);
  return true;
}

static bool reserve_record(sp_manager *m)
{
  uint32_t want = m->timer_capacity ? m->timer_capacity * 2 : 16;
  return m->free_timer || (want <= MOST_TIMERS && sp_timers_reserve(m, want));
}

void sp_timers_restore(sp_manager *m, const sp_timer_record *timers, uint32_t count, uint32_t free_timer)
{
  if (count > 0 && timers != m->timers)
    memcpy(m->timers, timers, count * sizeof *timers);
  m->free_timer = free_timer;
  free_records(m, count);
}

uint32_t *sp_timer_first(sp_manager *m, uint32_t slot, bool make)
{
  sp_chunk *chunk = &m->chunks[slot >> SP_CHUNK_BITS];
  if (!chunk->timers && make)
    chunk->timers = sp_memory_extend(&m->memory, NULL, 0, SP_CHUNK_SLOTS, sizeof *chunk->timers);
  return chunk->timers ? &chunk->timers[slot & SP_CHUNK_MASK] : NULL;
}

static sp_timer handle_of(const sp_manager *m, uint32_t index)
{
  return (sp_timer)m->timers[index].stamp << 32 | (index + 1);
}

static void unlink_record(sp_manager *m, uint32_t index)
{
  uint32_t slot = sp_ref_slot(m->timers[index].owner);
  uint32_t *link = &m->chunks[slot >> SP_CHUNK_BITS].timers[slot & SP_CHUNK_MASK];
  while (*link != index + 1)
    link = &m->timers[*link - 1].next;
  *link = m->timers[index].next;
}

/* Frees a record that is in no list. */
static void release_record(sp_manager *m, uint32_t index)
{
  sp_timer_record *timer = &m->timers[index];
  sp_ref owner = timer->owner;
  sp_timer handle = handle_of(m, index);
  if (sp_wheel_is_armed(&m->fires, index))
    sp_wheel_disarm(&m->fires, index);
  *timer = (sp_timer_record){.stamp = timer->stamp + 1, .next = m->free_timer};
  m->free_timer = index + 1;
  if (m->on_timer_end)
    m->on_timer_end(m->timer_ud, owner, handle);
}

static void end_record(sp_manager *m, uint32_t index)
{
  sp_pool *p = sp_slot_pool(m, sp_ref_slot(m->timers[index].owner));
  sp_enter(p); /* on_timer_end is a hook like any other */
  unlink_record(m, index);
  release_record(m, index);
  sp_pool_leave(p);
}

void sp_timers_end(sp_manager *m, uint32_t slot)
{
  uint32_t *first = sp_timer_first(m, slot, false);
  while (first && *first) {
    uint32_t index = *first - 1;
    *first = m->timers[index].next;
    release_record(m, index);
  }
}

void sp_timers_free(sp_manager *m)
{
  sp_memory_free(&m->memory, m->timers, m->timer_capacity * sizeof *m->timers);
  m->timers = NULL;
}

/* }== */

/* {== Firing ============================================================= */

static void arm_record(sp_manager *m, uint32_t index)
{
  sp_wheel_arm(&m->fires, index, sp_due_tick(m, sp_timer_wait(m, &m->timers[index])));
}

/* What is due again already begins anew. */
static void count_firing(const sp_manager *m, sp_timer_record *timer)
{
  timer->fired++;
  if (sp_timer_wait(m, timer) > 0)
    return;
  timer->from = m->time;
  timer->fired = 0;
}

void sp_timer_fire(sp_manager *m, uint32_t index)
{
  sp_timer_record *timer = &m->timers[index];
  uint32_t stamp = timer->stamp;
  sp_ref owner = timer->owner;
  sp_pool *p = sp_slot_pool(m, sp_ref_slot(owner));
  if (m->fires.cut && sp_due_tick(m, sp_timer_wait(m, timer)) > m->tick + SP_WHEEL_TURN) {
    arm_record(m, index); /* it was too far ahead for one go */
    return;
  }
  /* Armed again before the call, so that the callback may stop it; counted from when it was due, so that it never
     drifts, but no sooner than the next tick. */
  bool again = timer->period > 0;
  if (again) {
    count_firing(m, timer);
    arm_record(m, index);
  }
  if (m->on_timer) {
    sp_enter(p);
    m->on_timer(m->timer_ud, owner, handle_of(m, index));
    sp_pool_leave(p);
  }
  if (!again && m->timers[index].stamp == stamp)
    end_record(m, index);
}

/* }== */

/* {== Use ================================================================ */

static sp_timer no_timer(sp_result why, sp_result *result)
{
  if (result)
    *result = why;
  return 0;
}

sp_timer sp_timer_start(sp_manager *m, sp_ref object, double seconds, double period, sp_result *result)
{
  if (!sp_ref_is_live(m, object))
    return no_timer(sp_check(m, object) == SP_FOREIGN ? SP_FOREIGN : SP_STALE, result);
  if (!(seconds >= 0 && seconds <= SP_MAX_LIFETIME && period >= 0 && period <= SP_MAX_LIFETIME))
    return no_timer(SP_INVALID, result);
  uint32_t slot = sp_ref_slot(object), *first = sp_timer_first(m, slot, true);
  if (!first || !reserve_record(m))
    return no_timer(SP_MEMORY, result);
  sp_pool *p = sp_slot_pool(m, slot);
  if (!p->has_timers)
    sp_pool_set_timers(p);
  uint32_t index = m->free_timer - 1;
  sp_timer_record *timer = &m->timers[index];
  m->free_timer = timer->next;
  timer->owner = object;
  timer->from = m->time + seconds;
  timer->period = period;
  timer->fired = 0;
  timer->next = *first;
  *first = index + 1;
  arm_record(m, index);
  return handle_of(m, index);
}

sp_ref sp_timer_owner(const sp_manager *m, sp_timer timer)
{
  uint32_t index = (uint32_t)timer - 1;
  bool is_there = (uint32_t)timer != 0 && index < m->timer_capacity && handle_of(m, index) == timer;
  return is_there ? m->timers[index].owner : SP_NONE_REF;
}

sp_result sp_timer_stop(sp_manager *m, sp_timer timer)
{
  if (!sp_timer_owner(m, timer))
    return SP_NONE;
  end_record(m, (uint32_t)timer - 1);
  return SP_OK;
}

/* }== */
