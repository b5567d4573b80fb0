#include "core/state_visit.h"

#include "core/pool_state.h"

#define SAVED SP_MEMBER_SAVED
#define HASHED (SP_MEMBER_SAVED | SP_MEMBER_HASHED)
#define REAL (SP_MEMBER_SAVED | SP_MEMBER_HASHED | SP_MEMBER_REAL)

const sp_member sp_members_of_manager[] = {
    SP_MEMBER(sp_manager, tick, HASHED, SP_MAX_TICKS),
    SP_MEMBER(sp_manager, spare, REAL, 1e3),
    SP_MEMBER(sp_manager, scale, REAL, 1e6),
    SP_MEMBER(sp_manager, paused, HASHED, 1),
    SP_MEMBER(sp_manager, serial, REAL, 1e300), /* it has the bits of a time */
    SP_MEMBER(sp_manager, timers_armed, SAVED, 1e18),
    SP_MEMBER(sp_manager, peak, SAVED, 0),
    SP_MEMBER(sp_manager, peak_time, SAVED, 0),
    SP_MEMBER(sp_manager, time, 0, 0),
    SP_MEMBER(sp_manager, has_families, 0, 0),
    SP_MEMBER(sp_manager, chunk_count, 0, 0),
    SP_RUN(sp_manager, free_regions, free_from, 0, 0),
    SP_MEMBER(sp_manager, slots.slot_count, 0, 0),
    {0},
};

const sp_member sp_members_of_pool[] = {
    SP_MEMBER(sp_pool, prewarm_wanted, HASHED, SP_MAX_SLOTS),
    SP_MEMBER(sp_pool, prewarm_slice, HASHED, 0),
    SP_MEMBER(sp_pool, prewarm_from, HASHED, 0),
    SP_RUN(sp_pool, warmed, warm_goal, SAVED, 0),
    SP_MEMBER(sp_pool, next_number, SAVED, SP_MAX_SLOTS),
    SP_MEMBER(sp_pool, dirty, SAVED, 0),
    SP_MEMBER(sp_pool, recycles, SAVED, 0),
    SP_RUN(sp_pool, peak, retired, SAVED, 0),
    SP_MEMBER(sp_pool, peak_time, SAVED, 0),
    SP_RUN(sp_pool, expired, created, SAVED, 0),
    SP_MEMBER(sp_pool, destroyed, 0, 0),
    SP_RUN(sp_pool, made, in_transition, 0, 0),
    SP_MEMBER(sp_pool, chunk_count, 0, 0),
    SP_MEMBER(sp_pool, next_chunk, 0, 0),
    SP_MEMBER(sp_pool, vacated, SAVED, SP_MAX_SLOTS),
    SP_MEMBER(sp_pool, vacant_hint, 0, 0),
    SP_RUN(sp_pool, has_parents, has_timers, 0, 0),
    {0},
};

/* The owner of a timer is written as the reference that it is, then when it is due; its place in a list follows. */
const sp_member sp_members_of_timer[] = {
    SP_MEMBER(sp_timer_record, life.generation, HASHED, 0),
    SP_MEMBER(sp_timer_record, life.serial, SAVED, 0),
    SP_MEMBER(sp_timer_record, from, REAL, INFINITY),
    SP_MEMBER(sp_timer_record, period, REAL, SP_MAX_LIFETIME),
    SP_MEMBER(sp_timer_record, fired, HASHED, SP_MAX_TICKS),
    SP_MEMBER(sp_timer_record, tag, SAVED, 0),
    {0},
};

/* In the order of the parts from SP_PART_LOOK on. */
const sp_member sp_members_of_look[] = {
    SP_RUN(sp_look, scale, radius, HASHED, 0),
    SP_RUN(sp_look, layer, sprite, HASHED, 0),
    SP_RUN(sp_look, visible, pinned, HASHED, 0),
    {0},
};

void sp_members_clear(const sp_member *list, void *of)
{
  for (; list->size; list++)
    memset((unsigned char *)of + list->offset, 0, (size_t)list->size * list->count);
}

uint64_t sp_members_hash(const sp_member *list, const void *from, uint64_t hash)
{
  for (; list->size; list++)
    for (uint32_t i = 0; list->flags & SP_MEMBER_HASHED && i < list->count; i++)
      hash = sp_hash_mix(hash, sp_number_in((const unsigned char *)from + list->offset + i * list->size, list->size));
  return hash;
}

void sp_visit_pool(sp_visitor *v, sp_pool *p)
{
  sp_pool *of = v->pool(v, p);
  if (!v->is_stopped)
    v->slots(v, of);
  if (!v->is_stopped)
    v->idle(v, of);
}

void sp_visit(sp_visitor *v, const sp_manager *m)
{
  uint32_t pools = v->manager(v);
  for (uint32_t i = 0; i < pools && !v->is_stopped; i++)
    if (v->reads || m->pools[i])
      sp_visit_pool(v, v->reads ? NULL : m->pools[i]);
  if (!v->is_stopped)
    v->slots(v, NULL);
  if (!v->is_stopped)
    v->links(v);
  if (!v->is_stopped)
    v->host(v);
}

uint32_t sp_next_free_chunk(const sp_manager *m, uint32_t number)
{
  for (; number < m->chunk_count; number++) {
    const sp_chunk *chunk = &m->slots.chunks[number];
    if (!chunk->owner && chunk->life != m->blank->life)
      return number;
  }
  return UINT32_MAX;
}

size_t sp_host_size(const sp_manager *m) { return m->host.size ? m->host.size(m->host.ud) : 0; }

sp_result sp_host_read(sp_manager *m, const void *bytes, size_t size)
{
  if (!m->host.read && bytes)
    return sp_refuse(&m->log, "sp_manager_options", "host.read", "is NULL, and there is a state to be read");
  if (!m->host.read)
    return SP_OK;
  sp_manager_hold(m);
  bool is_read = m->host.read(m->host.ud, bytes, size);
  sp_manager_release(m);
  return is_read ? SP_OK : SP_FAILED;
}
