#include "core/busy.h"

void sp_pool_enter(sp_pool *p) { sp_enter(p); }
void sp_pool_leave(sp_pool *p) { sp_leave(p); }

bool sp_slot_is_unsettled(const sp_manager *m, uint32_t slot)
{
  for (const sp_dying *frame = m->dying; frame; frame = frame->outer)
    if (frame->slot == slot)
      return true;
  return m->opening && sp_ref_slot(m->opening) == slot;
}
