/*
** The contents of a slot.
*/
#ifndef SP_CORE_SLOT_H
#define SP_CORE_SLOT_H

#include "core/state.h"

/* Game time at which the life in `slot` began. */
static inline double sp_slot_birth(const sp_manager *m, uint32_t slot)
{
  double time;
  memcpy(&time, &m->slots.life[slot].serial, sizeof time);
  return sp_birth(time, m->step, m->rate);
}

/* Game seconds since then. */
static inline double sp_slot_age(const sp_manager *m, uint32_t slot)
{
  double age = m->time - sp_slot_birth(m, slot);
  return age > 0 ? age : 0;
}

#endif
