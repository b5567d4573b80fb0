/*
** Curves over life.
*/
#ifndef SP_CORE_CURVE_H
#define SP_CORE_CURVE_H

#include "core/state.h"

/* One update of all objects of a pool. */
void sp_pool_bend(sp_pool *p);
/* A life begins: at the first points. */
void sp_life_bend(sp_pool *p, uint32_t slot);

#endif
