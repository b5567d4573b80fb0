/*
** Applies the bounds of a type to its objects.
*/
#ifndef SP_CORE_BOUNDS_H
#define SP_CORE_BOUNDS_H

#include "core/state.h"

/* Runs one update for all objects of a pool. */
void sp_pool_bound(sp_pool *p);

#endif
