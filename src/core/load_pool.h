/*
** Reads the pools of a save: their descriptions and counters.
*/
#ifndef SP_CORE_LOAD_POOL_H
#define SP_CORE_LOAD_POOL_H

#include "core/load.h"

/* Reads a look. */
void sp_load_look(sp_reader *r, sp_look *look);
/* Opens all pools of the save, still without objects. */
void sp_load_pools(sp_loader *l);

#endif
