/*
** The world that the target `core` plays in: two managers with up to four pools each, hooks that go on reading the
** program, an allocator that fails on demand, and what is remembered of objects: a shadow to compare with.
*/
#ifndef SP_TESTS_FUZZ_CORE_WORLD_H
#define SP_TESTS_FUZZ_CORE_WORLD_H

#include "fuzz/fuzz.h"
#include "support/memory.h"

enum { SIDES = 2, POOLS = 4, THINGS = 48, TIMERS = 16, DEEPEST = 3 };
enum { MARK = SP_FIELDS }; /* the first own field of every type: what we wrote into each life */

typedef struct world world;

/* A life that we have seen begin. */
typedef struct thing {
  sp_ref object; /* 0: none */
  int side, pool;
  uint32_t mark;
  bool dead;
  double due; /* when it ends by itself at the latest; infinity: nobody knows */
} thing;

/* User data of the hooks of one pool. */
typedef struct seat {
  world *w;
  int side, pool;
} seat;

typedef struct half {
  test_memory memory;
  sp_manager *manager;
  sp_pool *pools[POOLS]; /* NULL: not open */
  seat seats[POOLS];
  bool vetoes[POOLS]; /* it has had an override of recycle */
  int walked[POOLS];  /* walks and queries on the stack: the pool must not go */
  int hooks;          /* on the stack */
  double most_ahead;  /* seconds that one update may advance: short periods fire often */
} half;

struct world {
  fuzz_input in;
  half sides[SIDES];
  thing things[THINGS];
  unsigned seen; /* lives so far: the next mark, and where it is remembered */
  struct {
    int side;
    sp_timer timer;
  } timers[TIMERS];
  sp_ref current; /* object of the innermost hook */
  int depth;      /* steps inside steps */
};

/* One step of the program: what hooks do too. */
void core_step(world *w);

/* {== Choices ============================================================ */

/* No two of them in one expression: which of them reads first is the compiler's choice. */
float core_float_of(fuzz_input *in);
void core_floats_of(fuzz_input *in, float *out, int count);
/* Seconds: none, some, far too many, less than nothing, or no number. */
double core_seconds_of(fuzz_input *in);
sp_settings core_settings_of(fuzz_input *in);
sp_hooks core_hooks_of(world *w, int side, int pool);
/* A description of the type `pool`, now and then one that makes no sense. Fields and curves lie in `room`. */
typedef struct desc_room {
  sp_field fields[8];
  sp_curve curves[3];
} desc_room;
sp_pool_desc core_desc_of(world *w, int side, int pool, desc_room *room);
/* A reference: of a thing, of the object of the hook, idle, none, or broken. `known` (may be NULL) is its thing. */
sp_ref core_object_of(world *w, thing **known);

/* }== */

void core_world_open(world *w, int side);
/* Closes a manager, which must give back every byte, and forgets its things. */
void core_world_close(world *w, int side);

/* A life has begun: its own fields are as at the start. Writes its mark. */
void core_remember(world *w, int side, int pool, sp_ref object, double lifetime);
/* Between two steps: every thing is what it was, or stale for ever. */
void core_check_things(world *w, bool all);

#endif
