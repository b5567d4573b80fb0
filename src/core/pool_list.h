/*
** The pools of a manager.
*/
#ifndef SP_CORE_POOL_LIST_H
#define SP_CORE_POOL_LIST_H

#include "core/state.h"

/*
** A restored snapshot may be older than a pool. The host still has its address, but the pool must count for nothing: it
** is absent, in the list behind the others, where only sp_find_pool looks. Its first use makes it as sp_add_pool did.
*/

/* Appends a pool; false when memory is refused. */
bool sp_pool_list_add(sp_manager *m, sp_pool *p);
/* Make an absent pool the last one that is present; make the last one that is present absent. */
void sp_pool_list_join(sp_pool *p);
void sp_pool_list_leave(sp_pool *p);
void sp_pool_list_join_all(sp_manager *m);
/* Exchanges a pool with the one at `index`. */
void sp_pool_list_move(sp_pool *p, uint32_t index);
/* Makes the first `count` pools present and all others absent. */
void sp_pool_list_restore(sp_manager *m, uint32_t count);
/* Removes a pool. While a hook runs, its place in the list stays empty. */
void sp_pool_list_remove(sp_pool *p);
/* Moves pools into the places of those that were taken out. No hook may run. */
void sp_pool_list_close_gaps(sp_manager *m);

#endif
