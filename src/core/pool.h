/*
** The parts of opening, prewarming and removing a pool.
*/
#ifndef SP_CORE_POOL_H
#define SP_CORE_POOL_H

#include "core/state.h"

/* Returns how many objects a prewarm to `count` may still make under these settings. */
uint32_t sp_prewarm_room(const sp_pool *p, const sp_settings *settings, uint32_t count);
/* The two halves of removing a pool: what runs hooks, and what frees. */
void sp_pool_empty(sp_pool *p);
void sp_pool_drop(sp_pool *p);
/* Frees a pool with its objects, without hooks. */
void sp_pool_discard(sp_pool *p);

/* Makes one update's share of a prewarm. */
void sp_pool_prewarm_slice(sp_pool *p);

#endif
