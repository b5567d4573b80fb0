/*
** Motion, curves over life and bounds: what an update does for all objects of a pool.
*/
#ifndef SP_CORE_MOTION_H
#define SP_CORE_MOTION_H

#include "core/state.h"

/* Moves all objects by `dt` seconds. */
void sp_pool_move(sp_pool *p, float dt);

/* Runs one update for all objects of a pool. */
void sp_pool_bend(sp_pool *p);
/* Sets the fields of a life that begins to the first points of their curves. */
void sp_life_apply_curves(sp_pool *p, uint32_t slot);

/* Runs one update for all objects of a pool. */
void sp_pool_bound(sp_pool *p);

#endif
