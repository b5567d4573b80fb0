/*
** What happens outside the bounds of a type.
*/
#ifndef SP_CORE_BOUNDS_H
#define SP_CORE_BOUNDS_H

#include "core/state.h"

/* One update of all objects of a pool. */
void sp_pool_bound(sp_pool *p);

#endif
