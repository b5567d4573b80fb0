/*
** Moves all objects of a pool.
*/
#ifndef SP_CORE_MOTION_H
#define SP_CORE_MOTION_H

#include "core/state.h"

/* Moves all objects by `dt` seconds. */
void sp_pool_move(sp_pool *p, float dt);

#endif
