/*
** The steps of the target `core` that are about pools, fields and questions; those about lives and time are in
** fuzz_core.c. A place is where a step takes place: a manager, and one of its pools.
*/
#ifndef SP_TESTS_FUZZ_CORE_STEPS_H
#define SP_TESTS_FUZZ_CORE_STEPS_H

#include "fuzz/core_world.h"

/* What a step works on. */
typedef struct place {
  world *w;
  fuzz_input *in;
  half *s;
  sp_manager *m;
  sp_pool *pool; /* NULL for steps that need none */
  int side, index;
} place;

void step_prewarm(place *p);
void step_prewarm_slowly(place *p);
void step_clear(place *p);
void step_configure(place *p);
void step_set_hooks(place *p);
void step_redefine(place *p);
void step_open(place *p);
void step_remove(place *p);
void step_close(place *p);
void step_memory(place *p);
void step_write(place *p);
void step_write_field(place *p);
void step_column(place *p);
void step_add(place *p);
void step_parent(place *p);
void step_world_place(place *p);
void step_check(place *p);
void step_walk(place *p);
void step_near(place *p);
void step_overlaps(place *p);
void step_names(place *p);

#endif
