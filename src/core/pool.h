/*
** The parts of opening, changing, prewarming and removing a pool.
*/
#ifndef SP_CORE_POOL_H
#define SP_CORE_POOL_H

#include "core/chunk.h"
#include "core/state.h"

/* The two halves of removing a pool: what runs hooks, and what frees. */
void sp_pool_empty(sp_pool *p);
void sp_pool_drop(sp_pool *p);
/* Frees a pool with its objects, without hooks. */
void sp_pool_discard(sp_pool *p);

/* Makes one update's share of a prewarm. */
void sp_pool_prewarm_slice(sp_pool *p);

/* Fills the queue of ages, which is in use and has room for all objects. */
void sp_pool_refill_ages(sp_pool *p);

struct sp_change {
  sp_pool *pool;
  bool is_described; /* else only settings change */
  sp_pool_desc desc;
  sp_settings settings;
  sp_layout layout;       /* of `desc` */
  unsigned char **blocks; /* for the pool's chunks; NULL when their cells stay where they are */
  sp_reserved reserved;   /* for a raised prealloc: chunks without objects, which are the pool's already */
  sp_ages ages;           /* when the pool begins to evict the oldest */
  uint32_t prealloc;      /* objects to create, including live ones; 0: none */
};

/* Writes the first values of kept columns into idle objects that have no kept values yet. Cells must have the layout
   `to` already. */
void sp_change_refresh_idle(const sp_pool *p, const sp_layout_change *layouts);

#endif
