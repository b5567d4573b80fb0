#include "core/busy.h"

#include "core/facts.h"

void sp_pool_enter(sp_pool *p) { sp_enter(p); }
void sp_pool_leave(sp_pool *p) { sp_leave(p); }

static void set_held(sp_manager *m, bool held)
{
  m->held = held;
  m->slots.unsettled += held ? 1 : UINT32_MAX; /* no reference is surely live: recycle takes another look */
  sp_slots_settle(m);
  for (uint32_t i = 0; i < m->pool_count; i++)
    if (m->pools[i])
      sp_pool_set_held(m->pools[i]);
}

void sp_manager_hold(sp_manager *m)
{
  m->busy++;
  set_held(m, true);
}

void sp_manager_release(sp_manager *m)
{
  set_held(m, false);
  m->busy--;
  sp_pools_settle(m);
}

bool sp_slot_is_unsettled(const sp_manager *m, uint32_t slot)
{
  for (const sp_dying *frame = m->dying; frame; frame = frame->outer)
    if (frame->slot == slot)
      return true;
  return m->opening && sp_ref_slot(m->opening) == slot;
}
