/*
** Changes a pool in three steps, so that a rejected change has changed nothing: see binding.h, which has the steps for
** several pools.
*/
#ifndef SP_CORE_CHANGE_H
#define SP_CORE_CHANGE_H

#include "core/chunk.h"

struct sp_change {
  sp_pool *pool;
  const sp_pool_desc *desc; /* NULL: only settings change */
  sp_settings settings;
  sp_layout layout;       /* of `desc` */
  unsigned char **blocks; /* for the pool's chunks; NULL when their cells stay where they are */
  sp_room room;           /* for a raised prealloc */
  sp_ages ages;           /* when the pool begins to evict the oldest */
  uint32_t prealloc;      /* objects to create, including live ones; 0: none */
};

/* Writes the first values of kept columns into idle objects that have no kept values yet. Cells must have the layout
   `to` already. */
void sp_change_refresh_idle(const sp_pool *p, const sp_layout *to, const sp_layout *from);

#endif
