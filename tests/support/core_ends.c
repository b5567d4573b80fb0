#include "support/core_ends.h"
#include "support/desc.h"

#include <math.h>
#include <stdlib.h>

uint32_t ends_below(ends *e, uint32_t n)
{
  e->random = e->random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(e->random >> 33) % n;
}

int ends_any_pool(ends *e)
{
  uint32_t chance = ends_below(e, 4);
  return chance < ENDS_POOLS ? (int)chance : WITH_HOOKS;
}

sp_ref ends_any(ends *e) { return e->count ? e->lives[ends_below(e, (uint32_t)e->count)].object : SP_NONE_REF; }

int64_t ends_any_units(ends *e)
{
  static const int64_t turns[] = {1, 2, 3, 4, 1023, 1024, 1025};
  int64_t hair = ends_below(e, TICK), ticks = turns[ends_below(e, 7)] * 1024 + ends_below(e, 5) - 2;
  const ends_life *other = e->count ? &e->lives[ends_below(e, (uint32_t)e->count)] : NULL;
  if (ends_below(e, 2) && other && other->due != UINT64_MAX && (int64_t)other->due > e->now / TICK + 1)
    return (int64_t)other->due * TICK - e->now - hair;
  if (ends_below(e, 3))
    ticks = 1 + (int64_t)ends_below(e, 4u << ends_below(e, 11));
  return ticks * TICK - hair;
}

/* {== The list ============================================================ */

static bool comes_before(const ends_life *a, const ends_life *b)
{
  return a->due != b->due ? a->due < b->due : a->birth < b->birth;
}

static ends_life *find(ends *e, sp_ref object)
{
  for (int i = 0; i < e->count; i++)
    if (e->lives[i].object == object)
      return &e->lives[i];
  return NULL;
}

static void forget(ends *e, ends_life *life) { *life = e->lives[--e->count]; }

static uint64_t due_of(const ends *e, int64_t units)
{
  uint64_t tick = (uint64_t)(e->now / TICK), due = (uint64_t)((e->now + units + TICK - 1) / TICK);
  due = due > tick ? due : tick + 1;
  return (uint32_t)due ? due : due + 1; /* once in 2^32 ticks one tick late */
}

/* The life in hand ends now: all that come before it have ended, those that come after it have not. */
static void check_order(const ends *e, const ends_life *life)
{
  for (int i = 0; i < e->count; i++)
    if (&e->lives[i] != life && !(e->loose && e->lives[i].due == life->due))
      must(sp_is_live(e->c.manager, e->lives[i].object) == comes_before(life, &e->lives[i]));
}

static void on_despawn(void *ud, sp_pool *pool, sp_ref object, sp_why why)
{
  ends *e = ud;
  if (why != SP_WHY_EXPIRED)
    return;
  ends_life *life = find(e, object);
  must(life && e->pools[life->pool] == pool && life->due == sp_tick(e->c.manager));
  e->now = (int64_t)life->due * TICK;
  check_order(e, life);
  forget(e, life);
  e->expired++;
  if (e->act)
    e->act(e, object);
}

/* What ended without a word, and what should have ended. */
static void settle(ends *e)
{
  uint64_t tick = sp_tick(e->c.manager);
  for (int i = e->count; i-- > 0;) {
    must(sp_is_live(e->c.manager, e->lives[i].object) == (e->lives[i].due > tick));
    if (e->lives[i].due > tick)
      continue;
    must(e->lives[i].pool == WITHOUT_HOOKS);
    forget(e, &e->lives[i]);
    e->expired++;
  }
}

/* }== */

/* {== Open and close ====================================================== */

void ends_open(ends *e)
{
  sp_options options = {.memory = test_memory_fn, .memory_ud = &e->c.memory, .step = STEP};
  for (int tries = 0; !e->c.manager && tries < 2; tries++)
    e->c.manager = sp_open(&options, NULL);
  must(e->c.manager);
  for (int pool = 0; pool < ENDS_POOLS; pool++)
    ends_open_pool(e, pool);
}

void ends_open_pool(ends *e, int pool)
{
  sp_pool_desc desc = test_desc((const char *[]){"Hooks", "Last", "Plain"}[pool]);
  desc.spatial = false;
  desc.settings.grow = 1;
  desc.settings.order = pool == LAST_FIRST ? SP_ORDER_LIFO : SP_ORDER_FIFO;
  if (pool != WITHOUT_HOOKS)
    desc.hooks = (sp_hooks){.ud = e, .on_despawn = on_despawn};
  bool starving = e->c.memory.keep_failing;
  e->c.memory.keep_failing = false; /* one call may be refused */
  e->pools[pool] = NULL;
  for (int tries = 0; !e->pools[pool] && tries < 2; tries++)
    e->pools[pool] = sp_add_pool(e->c.manager, &desc, NULL);
  must(e->pools[pool]);
  e->c.memory.keep_failing = starving;
}

void ends_remove_pool(ends *e, int pool)
{
  for (int i = e->count; i-- > 0;)
    if (e->lives[i].pool == pool)
      forget(e, &e->lives[i]);
  must(sp_pool_remove(e->pools[pool], NULL, NULL) == SP_OK);
}

void ends_close(ends *e)
{
  settle(e);
  uint64_t expired = 0;
  for (int pool = 0; pool < ENDS_POOLS; pool++)
    expired += sp_pool_stats(e->pools[pool]).expired;
  ck_assert_uint_le(expired, e->expired); /* pools that were removed have taken their counts along */
  free(e->lives);
  core_close(&e->c);
}

/* }== */

/* {== Use ================================================================= */

sp_ref ends_alloc(ends *e, int pool, int64_t units)
{
  sp_result why = SP_OK;
  sp_ref object = sp_pool_alloc(e->pools[pool], (double)units / UNITS, &why);
  if (!object) {
    must(why == SP_MEMORY);
    return SP_NONE_REF;
  }
  if (e->count == e->room) {
    e->room = e->room ? e->room * 2 : 64;
    e->lives = realloc(e->lives, (size_t)e->room * sizeof *e->lives);
    must(e->lives);
  }
  e->lives[e->count++] = (ends_life){.object = object,
                                     .pool = pool,
                                     .birth = ++e->births,
                                     .due = units ? due_of(e, units) : UINT64_MAX,
                                     .born = e->now,
                                     .lifetime = units};
  return object;
}

void ends_recycle(ends *e, sp_ref object)
{
  ends_life *life = find(e, object);
  bool lives = sp_is_live(e->c.manager, object);
  must(lives == (sp_recycle(e->c.manager, object) == SP_OK));
  if (lives)
    forget(e, life);
}

bool ends_set(ends *e, sp_ref object, int64_t units)
{
  ends_life *life = find(e, object);
  bool lives = sp_is_live(e->c.manager, object);
  sp_result result = sp_set_remaining(e->c.manager, object, units == NEVER ? (double)INFINITY : (double)units / UNITS);
  must(lives ? result == SP_OK || (result == SP_MEMORY && units != NEVER) : result == SP_STALE);
  if (result == SP_OK) {
    life->due = units == NEVER ? UINT64_MAX : due_of(e, units);
    life->lifetime = units == NEVER ? 0 : e->now - life->born + units;
  }
  return result != SP_MEMORY;
}

void ends_update(ends *e, int64_t units)
{
  int64_t then = e->now + units;
  must(sp_update(e->c.manager, (double)units / UNITS) == SP_OK);
  e->now = then;
  must(sp_tick(e->c.manager) == (uint64_t)(then / TICK) && sp_time(e->c.manager) == (double)then / UNITS);
  settle(e);
}

void ends_ticks(ends *e, int ticks)
{
  for (int i = 0; i < ticks; i++)
    ends_update(e, TICK);
}

void ends_check_times(const ends *e)
{
  sp_manager *m = e->c.manager;
  /* Each life that begins takes the last bit of the time: after weeks of play that shows when many begin at once. */
  const double hair = e->now < (int64_t)1000000 * UNITS ? 1e-300 : 1e-4;
  for (int i = 0; i < e->count; i++) {
    const ends_life *life = &e->lives[i];
    int64_t left = life->born + life->lifetime - e->now;
    double remaining = sp_remaining(m, life->object);
    must(fabs(sp_age(m, life->object) - (double)(e->now - life->born) / UNITS) < hair);
    must(fabs(sp_lifetime(m, life->object) - (double)life->lifetime / UNITS) < hair);
    if (life->due == UINT64_MAX)
      must(isinf(remaining));
    else
      must(fabs(remaining - (left > 0 ? (double)left / UNITS : 0)) < hair);
  }
}

/* }== */
