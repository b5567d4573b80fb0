/*
** Shared parts of the tests of the core: a manager on the counting allocator, and a check of all invariants.
**
**   core c;
**   core_open(&c);
**   sp_pool *cubes = core_pool(&c, "Cube");
**   ...
**   core_close(&c);                              -- checks the counts, closes, and no byte may be left
*/
#ifndef SP_TESTS_CORE_FIXTURE_H
#define SP_TESTS_CORE_FIXTURE_H

#include "core/binding.h"
#include "support/desc.h"
#include "support/memory.h"
#include "support/test.h"

/* One tick of a test manager: a power of two, so that times can be compared exactly. */
#define STEP (1.0 / 64)

/* An assert for loops: ck_assert tells the runner where it is each time, which takes longer than what is tested. */
#define must(e)                                                                                                        \
  do {                                                                                                                 \
    if (!(e))                                                                                                          \
      ck_abort_msg("not so: %s", #e);                                                                                  \
  } while (0)

/* A test of its own manager `c`, which is checked and closed at the end; the second with a pool of the type Cube. A
   test whose hooks use its local variables closes the manager itself. */
#define CORE_TEST(group, name)                                                                                         \
  static void name##_in(core *c);                                                                                      \
  TEST(group, name)                                                                                                    \
  {                                                                                                                    \
    core c;                                                                                                            \
    core_open(&c);                                                                                                     \
    name##_in(&c);                                                                                                     \
    if (c.manager)                                                                                                     \
      core_close(&c);                                                                                                  \
  }                                                                                                                    \
  static void name##_in(__attribute__((unused)) core *c)

#define POOL_TEST(group, name)                                                                                         \
  static void name##_with(core *c, sp_pool *pool);                                                                     \
  CORE_TEST(group, name) { name##_with(c, core_pool(c, "Cube")); }                                                     \
  static void name##_with(__attribute__((unused)) core *c, __attribute__((unused)) sp_pool *pool)

typedef struct core {
  test_memory memory;
  sp_manager *manager;
} core;

/* The last line that a manager has logged; and what notes it. */
extern char core_said[600];
void core_hear(void *ud, const char *text);

void core_open(core *c);
/* `options` may set anything but the memory and the log; a step of 0 becomes STEP. */
void core_open_with(core *c, sp_manager_options options);
/* Its slots begin at this generation. */
void core_open_from(core *c, sp_manager_options options, uint32_t first_generation);
void core_close(core *c);

/* Pools: with the defaults; as described. They must open. */
sp_pool *core_pool(core *c, const char *type);
sp_pool *core_pool_with(core *c, const sp_pool_desc *desc);

/* Objects that must come: one, one in a place, and `count` of them. */
sp_ref core_alloc(sp_pool *pool);
sp_ref core_alloc_at(sp_pool *pool, float x, float y);
void core_alloc_many(sp_pool *pool, sp_ref *objects, int count);
/* The reason why alloc(pool, lifetime) is refused. */
sp_result core_refusal(sp_pool *pool, double lifetime);
/* Recycles, which must work. */
void core_recycle(core *c, sp_ref object);
/* `ticks` updates of one step each. */
void core_tick(core *c, int ticks);

/* The value of a cell. */
float core_peek(const core *c, sp_ref object, int column);

/* Everything that holds between any two calls: counts against each other, against walks, bits and bytes. */
void core_check(const sp_manager *manager);

#endif
