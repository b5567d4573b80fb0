/*
** The pools of a manager.
*/
#ifndef SP_CORE_POOL_LIST_H
#define SP_CORE_POOL_LIST_H

#include "core/state.h"

/* Appends a pool; false when memory is refused. */
bool sp_pool_list_add(sp_manager *m, sp_pool *p);
/* Takes a pool out. While a hook runs its place stays, empty. */
void sp_pool_list_remove(sp_pool *p);
void sp_pool_list_close_gaps(sp_manager *m);
/* Closes the gaps, unless a hook runs. */
static inline void sp_pool_list_settle(sp_manager *m)
{
  if (m->busy == 0 && m->pool_holes > 0)
    sp_pool_list_close_gaps(m);
}

/* sp_pool_enter, inline. sp_pool_leave settles the list when the last hook is over. */
static inline void sp_enter(sp_pool *p)
{
  p->busy++;
  p->manager->busy++;
}

#endif
