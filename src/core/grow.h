/*
** Makes and destroys idle objects.
*/
#ifndef SP_CORE_GROW_H
#define SP_CORE_GROW_H

#include "core/state.h"

/* Creates up to `wanted` idle objects; returns how many. `result` (may be NULL) receives the reason if there are fewer.
   */
uint32_t sp_grow(sp_pool *p, uint32_t wanted, sp_result *result);
/* Destroys idle objects until `keep` are left; returns how many. */
uint32_t sp_destroy_idle(sp_pool *p, uint32_t keep);
/* Destroys the object of a slot that has just left the idle list or its life. */
void sp_object_drop(sp_pool *p, uint32_t slot);

#endif
