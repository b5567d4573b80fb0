/*
** Brackets around operations on the C stack: hooks, lives that end, and the life that opens. Inside of them no pool is
** freed, no manager closes, and the slots of those lives are not live, although their generations are odd.
*/
#ifndef SP_CORE_BUSY_H
#define SP_CORE_BUSY_H

#include "core/pool_list.h"

/* Closes the gaps that removed pools left, unless a hook runs. */
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
  sp_pools_settle(p->manager);
}

/* Must be called after every change of `unsettled` or `reach`. */
static inline void sp_slots_settle(sp_manager *m) { m->slots.settled = m->slots.unsettled == 0 ? m->slots.reach : 0; }

/* Bracket a walk that calls the host while it reads the manager: in between every call that would change something of
   it is refused with SP_BUSY, or does nothing. */
void sp_manager_hold(sp_manager *m);
void sp_manager_release(sp_manager *m);

/* Returns why a pool may not change now, or SP_OK. */
static inline sp_result sp_pool_refusal(const sp_pool *p)
{
  return p->manager->held ? SP_BUSY : p->closing ? SP_CLOSED : SP_OK;
}

/* Bracket the end of the frame's life: in between it is dying, and hooks of its pool run. */
static inline void sp_dying_begin(sp_dying *frame)
{
  sp_manager *m = frame->pool->manager;
  frame->outer = m->dying;
  m->dying = frame;
  m->slots.unsettled++;
  m->slots.settled = 0;
  sp_enter(frame->pool);
}
static inline void sp_dying_end(const sp_dying *frame)
{
  sp_manager *m = frame->pool->manager;
  m->dying = frame->outer;
  m->slots.unsettled--;
  sp_slots_settle(m);
  sp_leave(frame->pool);
}

#endif
