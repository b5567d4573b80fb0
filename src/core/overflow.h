/*
** The overflow policy of a pool at its limit.
*/
#ifndef SP_CORE_OVERFLOW_H
#define SP_CORE_OVERFLOW_H

#include "core/state.h"

/* The pool is at its limit: makes room by its policy. True when one more object may live. */
bool sp_make_room(sp_pool *p);

#endif
