/*
** A change of a pool in three steps, so that one which is refused changes nothing at all, and several can be made
** together or not at all:
**
**   prepare   checks the change and reserves all memory for it. Nothing can be seen of that, and no hook runs.
**   commit    makes the change. It cannot fail, and no hook runs. Or cancel, which gives everything back.
**   settle    destroys surplus idle objects and makes those of a raised prealloc. Hooks run, and may do anything.
**
** Between prepare and commit or cancel the manager must not be used otherwise. Changes are committed in the order in
** which they were prepared.
*/
#ifndef SP_CORE_CHANGE_H
#define SP_CORE_CHANGE_H

#include "core/state.h"

typedef struct sp_change {
  sp_pool *pool;
  const sp_pool_desc *desc; /* NULL: only settings change */
  sp_settings settings;
  sp_layout layout;       /* of `desc` */
  unsigned char **blocks; /* for the pool's chunks; NULL when their cells stay where they are */
  sp_room room;           /* for a raised prealloc */
  sp_ages ages;           /* when the pool begins to evict the oldest */
  uint32_t prealloc;      /* to be made, live ones included; 0: none */
} sp_change;

/* `desc` and what it points to must stay until the change is committed. SP_CLOSED, SP_INVALID or SP_MEMORY: then there
   is nothing to cancel. */
sp_result sp_change_prepare(sp_change *change, sp_pool *pool, const sp_pool_desc *desc);
/* The same of settings alone. */
sp_result sp_change_prepare_settings(sp_change *change, sp_pool *pool, const sp_settings *settings);
void sp_change_cancel(sp_change *change);
void sp_change_commit(sp_change *change);
/* Needs `pool` and `prealloc` of the change only. */
void sp_change_settle(const sp_change *change);

#endif
