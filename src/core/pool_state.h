/*
** State of a pool: whether it is in its manager's list, which steps its alloc and recycle can skip, and which
** operations on the C stack use it.
*/
#ifndef SP_CORE_POOL_STATE_H
#define SP_CORE_POOL_STATE_H

#include "core/state.h"

/*
** A restored snapshot may be older than a pool. The host still has its address, but the pool must count for nothing: it
** is absent, in the list behind the others, where only sp_manager_pool looks. Its first use makes it as
** sp_manager_add_pool did.
*/

/* Appends a pool; false when memory is refused. */
bool sp_pool_list_add(sp_manager *m, sp_pool *p);
void sp_pool_list_free(sp_manager *m);
/* Make an absent pool the last one that is present; make the last one that is present absent. */
void sp_pool_list_join(sp_pool *p);
void sp_pool_list_leave(sp_pool *p);
void sp_pool_list_join_all(sp_manager *m);
/* Exchanges a pool with the one at `index`. */
void sp_pool_list_move(sp_pool *p, uint32_t index);
/* Makes the first `count` pools present and all others absent. */
void sp_pool_list_restore(sp_manager *m, uint32_t count);
/* Removes a pool. Its place in the list stays empty, so that it does not matter how many others there are. */
void sp_pool_list_remove(sp_pool *p);
/* Moves pools into the places of those that were taken out. No hook may run. */
void sp_pool_list_close_gaps(sp_manager *m);

/* Describes a pool whose type and layout are those of `desc`. Its settings, and `user`, stay. */
void sp_pool_set_desc(sp_pool *p, const sp_pool_desc *desc);
/* Sets the settings. A pool that begins to evict the oldest takes ownership of `ages`. */
void sp_pool_store_settings(sp_pool *p, const sp_settings *settings, const sp_ages *ages);
/* The manager is held, or no longer: nothing can skip the check of that. */
void sp_pool_set_held(sp_pool *p);
/* Makes all further allocs of the pool fail. */
void sp_pool_set_closing(sp_pool *p);
/* Must be called after members of a pool were read or restored. */
void sp_pool_settle(sp_pool *p);
/* Sets the columns that may differ from their first value in idle slots. */
void sp_pool_set_dirty(sp_pool *p, uint64_t columns);
/* The next write to one of these columns sets `near_calls` to 0. */
void sp_await_writes(sp_pool *p, uint64_t columns);
/* Ends the grid in which near objects are found: it is made anew. For changes that neither write a place nor count as a
   life that began. */
static inline void sp_near_end(sp_pool *p) { p->near_calls = 0; }
/* Notes that an object has a parent or child, or a timer, for the first time. */
void sp_pool_set_parents(sp_pool *p);
void sp_pool_set_timers(sp_pool *p);
/* Count an object that is neither live nor idle, or remove it from that count. */
void sp_pool_count_made(sp_pool *p);
void sp_pool_count_destroyed(sp_pool *p);
/* Records a new peak of live objects. */
void sp_pool_set_peak(sp_pool *p, uint32_t live);

/* Returns whether a host asks for what only the owner of a manager may do. */
static inline bool sp_is_refused_to_host(sp_manager *m)
{
  const bool is_refused = m->is_owned && !m->by_owner;
  m->by_owner = false;
  return is_refused;
}

/* Closes the gaps that removed pools left, unless a hook runs. For what goes over all pools. */
static inline void sp_pools_settle(sp_manager *m)
{
  if (m->busy == 0 && m->pool_holes > 0)
    sp_pool_list_close_gaps(m);
}

/* Brackets a hook of the pool: sp_pool_enter and sp_pool_leave, inline. */
static inline void sp_enter(sp_pool *p)
{
  p->busy++;
  p->manager->busy++;
}
static inline void sp_leave(sp_pool *p)
{
  p->busy--;
  p->manager->busy--;
}

/* Must be called after every change of `transitional` or `slot_count`. */
static inline void sp_slots_settle(sp_manager *m)
{
  m->slots.fast_slot_count = m->slots.transitional == 0 ? m->slots.slot_count : 0;
}

/* Bracket a walk that calls the host while it reads the manager: in between every call that would change something of
   it is refused with SP_BUSY, or does nothing. */
void sp_manager_hold(sp_manager *m);
void sp_manager_release(sp_manager *m);

/* Returns why a pool may not change now, or SP_OK. */
static inline sp_result sp_pool_refusal(const sp_pool *p)
{
  return p->manager->held ? SP_BUSY : p->closing ? SP_CLOSED : SP_OK;
}

/* Rejects a pool whose objects have no places. */
static inline sp_result sp_places_check(const sp_pool *p)
{
  return p->desc.spatial ? SP_OK
                         : sp_refuse(&p->manager->log, p->type, "spatial", "is false: its objects have no places");
}

/* Bracket the end of the frame's life: in between it is dying, and hooks of its pool run. */
static inline void sp_dying_begin(sp_dying *frame)
{
  sp_manager *m = frame->pool->manager;
  frame->outer = m->dying;
  m->dying = frame;
  m->dying_depth++;
  m->slots.transitional++;
  m->slots.fast_slot_count = 0;
  sp_enter(frame->pool);
}
static inline void sp_dying_end(const sp_dying *frame)
{
  sp_manager *m = frame->pool->manager;
  m->dying = frame->outer;
  m->dying_depth--;
  m->slots.transitional--;
  sp_slots_settle(m);
  sp_leave(frame->pool);
}

/* Tells options.on_assert that `expression` does not hold; without one, aborts. */
void sp_assert_failed(const sp_manager *m, const char *expression, const char *file, int line);
#define SP_ASSERT(m, e) ((e) ? (void)0 : sp_assert_failed(m, #e, __FILE__, __LINE__))

#endif
