/*
** The overflow policy of a pool at its limit.
*/
#ifndef SP_CORE_OVERFLOW_H
#define SP_CORE_OVERFLOW_H

#include "core/state.h"

/* Makes room by the policy of the pool, which must be at its limit. Returns true when one more object may live. */
bool sp_make_room(sp_pool *p);

#endif
