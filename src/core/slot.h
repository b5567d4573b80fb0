/*
** What lies in a slot.
*/
#ifndef SP_CORE_SLOT_H
#define SP_CORE_SLOT_H

#include "core/state.h"

/* Game seconds since the life in `slot` began. */
/* Game time at which the life in `slot` began. */
double sp_slot_birth(const sp_manager *m, uint32_t slot);
double sp_slot_age(const sp_manager *m, uint32_t slot);

#endif
