/*
** The lines of code that allocated the live objects, in games with `trace`: the number of objects of each type per
** line, longest-living first. Objects are examined in slices, and the list is that of the last complete round.
*/
#ifndef SP_DEMO_ALLOC_SITES_H
#define SP_DEMO_ALLOC_SITES_H

#include "core/spawnpool.h"
#include "script/host/inspect.h"

#define ALLOC_SITES_MOST 64 /* lines per round; objects of further lines are left out */

typedef struct alloc_site {
  char type[48], site[192];
  uint32_t count;
  float oldest;  /* seconds */
  sp_ref object; /* the oldest one */
} alloc_site;

typedef struct alloc_sites {
  alloc_site list[ALLOC_SITES_MOST], next[ALLOC_SITES_MOST]; /* the last round; the current round */
  int count, next_count;
  uint32_t pool, slot; /* position of the current round */
} alloc_sites;

/* Examines the next slice: call it once per frame. A zeroed one is empty. */
void alloc_sites_step(alloc_sites *it, sp_script *script, const sp_manager *pools);

#endif
