/*
** A change of a pool in three steps, so that one which is refused changes nothing at all: see binding.h, which has the
** steps for several pools.
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
  uint32_t prealloc;      /* to be made, live ones included; 0: none */
};

/* Gives idle objects of a pool, whose cells are those of `to` already, the first values of kept columns where they keep
   none yet. */
void sp_change_refresh_idle(const sp_pool *p, const sp_layout *to, const sp_layout *from);

#endif
