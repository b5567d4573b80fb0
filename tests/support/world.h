/*
** A game that depends on its manager alone: what a step does is drawn from its number, and what hooks and timers do is
** decided by the objects. Two managers in the same state go the same way.
*/
#ifndef SP_TESTS_CORE_WORLD_H
#define SP_TESTS_CORE_WORLD_H

#include "support/core_fixture.h"

/* Three pools. What a step does depends on its number only; what hooks and timers do, on the objects. */
enum { CUBES, SPARKS, PLAIN, POOLS };

typedef struct world {
  core c;
  sp_pool *pools[POOLS];
} world;

void world_open(world *w);
/* Does the same with a manager that has the pools already: sets their hooks again. */
void world_adopt(world *w, sp_manager *manager);
/* Called by the timers of a manager; options.timer_ud is the world. */
void world_fire(void *ud, sp_ref object, uint64_t timer);
void world_step(world *w, uint64_t step);
/* A well mixed number. */
uint64_t world_mixed(uint64_t x);

#endif
