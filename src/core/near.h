/*
** The grid in which the near objects of a pool are found: see near.c.
*/
#ifndef SP_CORE_NEAR_H
#define SP_CORE_NEAR_H

#include "core/state.h"

/* Frees the grid of a pool. */
void sp_near_forget(sp_pool *p);

#endif
