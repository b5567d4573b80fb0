/*
** Where live objects came from: how many of each type, by the line that allocated them, those that are there longest
** first. A game that is traced knows that of each object; they are gone through in slices, and the list is that of the
** last complete round.
*/
#ifndef SP_DEMO_ALLOC_SITES_H
#define SP_DEMO_ALLOC_SITES_H

#include "core/spawnpool.h"
#include "script/host/inspect.h"

#define ALLOC_SITES_MOST 64 /* lines that are told apart in one round; objects from others are left out */

typedef struct alloc_site {
  char type[48], site[192];
  uint32_t count;
  float oldest;  /* seconds */
  sp_ref object; /* the oldest one */
} alloc_site;

typedef struct alloc_sites {
  alloc_site list[ALLOC_SITES_MOST], next[ALLOC_SITES_MOST]; /* what is known; what this round has found */
  int count, next_count;
  uint32_t pool, slot; /* where the round goes on */
} alloc_sites;

/* A zeroed one is empty. Goes on by a slice: once per frame. */
void alloc_sites_step(alloc_sites *it, sp_script *script, const sp_manager *pools);

#endif
