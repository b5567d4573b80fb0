/*
** Where live objects came from: how many of each type, by the line that allocated them, those that are there longest
** first. A game that is traced knows that of each object; they are gone through in slices, and the list is that of the
** last complete round.
*/
#ifndef SP_DEMO_ORIGINS_H
#define SP_DEMO_ORIGINS_H

#include "core/spawnpool.h"
#include "script/inspect.h"

#define ORIGINS_MOST 64 /* lines that are told apart in one round; objects from others are left out */

typedef struct origin {
  char type[48], site[192];
  uint32_t count;
  float oldest;  /* seconds */
  sp_ref object; /* the oldest one */
} origin;

typedef struct origins {
  origin list[ORIGINS_MOST], next[ORIGINS_MOST]; /* what is known; what this round has found */
  int count, next_count;
  uint32_t pool, slot; /* where the round goes on */
} origins;

/* A zeroed one is empty. Goes on by a slice: once per frame. */
void origins_step(origins *it, sp_script *script, const sp_manager *pools);

#endif
