/*
** Curves over life.
*/
#ifndef SP_CORE_CURVE_H
#define SP_CORE_CURVE_H

#include "core/state.h"

/* Runs one update for all objects of a pool. */
void sp_pool_bend(sp_pool *p);
/* Sets the fields of a life that begins to the first points of their curves. */
void sp_life_bend(sp_pool *p, uint32_t slot);

#endif
