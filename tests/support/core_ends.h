/*
** When lives end, by a naive list: what is done goes through here, and of every life that ends by itself the list must
** say that it is the next one, and that this is its tick. Time is counted in whole units of 1/256 s, four to a tick.
**
**   ends e;
**   ends_open(&e);
**   sp_ref object = ends_alloc(&e, WITH_HOOKS, 4 * 100);
**   ends_update(&e, 4 * 100);                      -- every end on the way is checked, and that none is missing
**   ends_close(&e);
*/
#ifndef SP_TESTS_CORE_ENDS_H
#define SP_TESTS_CORE_ENDS_H

#include "support/core_fixture.h"

enum { UNITS = 256, TICK = 4, TURN = 1024 * TICK }; /* in a second; of a tick; of a turn of the wheel */
#define NEVER INT64_MAX

/* Lives end in one order in all pools, also among those that tell nobody. */
enum { WITH_HOOKS, LAST_FIRST, WITHOUT_HOOKS, ENDS_POOLS };

typedef struct ends_life {
  sp_ref object;
  int pool;
  uint64_t birth;         /* counts lives */
  uint64_t due;           /* tick; UINT64_MAX: without end */
  int64_t born, lifetime; /* lifetime 0: without end */
} ends_life;

typedef struct ends ends;
struct ends {
  core c;
  sp_pool *pools[ENDS_POOLS];
  ends_life *lives; /* in no order */
  int count, room;
  int64_t now; /* units */
  uint64_t births, expired;
  void (*act)(ends *e, sp_ref object); /* called in the hook of each life that ends by itself */
  bool loose; /* what ends at one tick may do so in any order: order takes memory, which is refused */
  uint64_t random;
  int left; /* the test's own */
};

/* The memory must be zero, but for c.memory, which may be told to refuse. */
void ends_open(ends *e);
void ends_close(ends *e);
void ends_open_pool(ends *e, int pool);
void ends_remove_pool(ends *e, int pool);

/* A life of so many units, 0 for one without end; SP_NONE_REF, and nothing changed, when memory is refused. */
sp_ref ends_alloc(ends *e, int pool, int64_t units);
void ends_recycle(ends *e, sp_ref object);
/* False, and nothing changed, when memory is refused. NEVER: without end. */
bool ends_set(ends *e, sp_ref object, int64_t units);
void ends_update(ends *e, int64_t units);
void ends_ticks(ends *e, int ticks); /* one update for each */
/* The times that can be asked for, of all lives. */
void ends_check_times(const ends *e);

/* Random numbers from 0 to n - 1; a pool; a life, or SP_NONE_REF when there is none; units to live, often some that end
   with another life, or close to a turn or a round of the wheel. */
uint32_t ends_below(ends *e, uint32_t n);
int ends_any_pool(ends *e);
sp_ref ends_any(ends *e);
int64_t ends_any_units(ends *e);

#endif
