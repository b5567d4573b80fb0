/*
** The inline calls are the calls: the same game is played through both, and every answer is the same.
*/
#include "core/spawnpool_inline.h"
#include "support/core_fixture.h"
#include "support/test.h"

#include <string.h>

enum { POOLS = 6, HISTORY = 300, OPERATIONS = 60000, KEPT = SP_FIELDS, RESET };

/* Two managers: the first is played with calls, the second with their inline versions. */
typedef struct twins {
  core c[2];
  sp_pool *pools[2][POOLS];
  sp_ref history[HISTORY];
  uint32_t despawns[2];
  uint64_t random;
} twins;

static uint32_t draw(twins *t, uint32_t below)
{
  t->random ^= t->random << 13;
  t->random ^= t->random >> 7;
  t->random ^= t->random << 17;
  return (uint32_t)((t->random >> 32) * below >> 32);
}

static void count_despawn(void *ud, sp_pool *pool, sp_ref object, sp_why why)
{
  (void)why;
  ++*(uint32_t *)ud;
  must(!sp_inline_is_live(sp_pool_manager(pool), object));
  must(sp_inline_recycle(sp_pool_manager(pool), object) == SP_DYING);
}

static void open_twin(twins *t, int twin)
{
  static const sp_settings settings[POOLS] = {
      {.prealloc = 50},
      {.prealloc = 50, .order = SP_ORDER_LIFO},
      {.limit = 20, .order = SP_ORDER_LIFO},
      {.idle_limit = 10, .grow = 3},
      {.limit = 30, .overflow = SP_OVERFLOW_OLDEST},
      {.prealloc = 20, .order = SP_ORDER_LIFO}, /* with a hook */
  };
  const int seven = 7;
  const sp_field fields[] = {{"kept", NULL, 24, true, false}, {"reset", &seven, sizeof seven, false, false}};
  core_open_with(&t->c[twin], (sp_options){.last_generation = 60});
  for (int i = 0; i < POOLS; i++) {
    sp_pool_desc desc = {.type = (const char *[]){"A", "B", "C", "D", "E", "F"}[i], .settings = settings[i]};
    desc.fields = fields;
    desc.field_count = i % 2 ? 2 : 1;
    if (i == POOLS - 1)
      desc.hooks = (sp_hooks){.ud = &t->despawns[twin], .on_despawn = count_despawn};
    t->pools[twin][i] = core_pool_with(&t->c[twin], &desc);
  }
}

static sp_ref alloc_both(twins *t, int pool)
{
  double lifetime = draw(t, 4) ? 0 : draw(t, 30) * STEP;
  sp_pool *one = t->pools[0][pool], *other = t->pools[1][pool];
  sp_result why[2] = {SP_OK, SP_OK};
  sp_ref object[2] = {SP_NONE_REF, SP_NONE_REF};
  if (draw(t, 2)) {
    object[0] = sp_pool_alloc(one, lifetime, &why[0]);
    object[1] = sp_inline_alloc(other, lifetime, &why[1]);
  } else {
    int column = draw(t, 20) ? KEPT + (int)draw(t, 2) : (int)draw(t, 100) - 20;
    const unsigned char *cell = sp_pool_alloc_cell(one, lifetime, column, &object[0], &why[0]);
    const unsigned char *same = sp_inline_alloc_cell(other, lifetime, column, &object[1], &why[1]);
    must(!cell == !same && (!cell || memcmp(cell, same, column == KEPT ? 24 : 4) == 0));
    must(same == sp_peek(t->c[1].manager, object[1], column));
  }
  must(object[0] == object[1] && why[0] == why[1]);
  return object[0];
}

/* An object of any time, now and then a foreign one, or none. */
static void use_both(twins *t, sp_ref object)
{
  sp_manager *one = t->c[0].manager, *other = t->c[1].manager;
  int column = draw(t, 20) ? KEPT + (int)draw(t, 2) : (int)draw(t, 100) - 20;
  uint32_t value = draw(t, 1000);
  must(sp_is_live(one, object) == sp_inline_is_live(other, object));
  if (draw(t, 3) == 0) {
    void *cell = sp_cell(one, object, column), *same = sp_inline_cell(other, object, column);
    must(!cell == !same && same == sp_peek(other, object, column));
    must(!cell || (memcmp(cell, same, 4) == 0 && memcpy(cell, &value, 4) && memcpy(same, &value, 4)));
  } else {
    must(sp_recycle(one, object) == sp_inline_recycle(other, object));
  }
}

static void compare(twins *t)
{
  must(t->despawns[0] == t->despawns[1]);
  for (int i = 0; i < POOLS; i++) {
    sp_stats one = sp_pool_stats(t->pools[0][i]), other = sp_pool_stats(t->pools[1][i]);
    must(one.live == other.live && one.idle == other.idle && one.peak == other.peak && one.allocs == other.allocs);
    must(one.recycles == other.recycles && one.expired == other.expired && one.retired == other.retired);
    must(one.double_recycles == other.double_recycles && one.refused == other.refused);
    for (uint32_t k = 0; k < one.idle; k++)
      must(sp_pool_idle_at(t->pools[0][i], k) == sp_pool_idle_at(t->pools[1][i], k));
  }
  for (int i = 0; i < HISTORY; i++)
    must(sp_age(t->c[0].manager, t->history[i]) == sp_age(t->c[1].manager, t->history[i]) &&
         sp_lifetime(t->c[0].manager, t->history[i]) == sp_lifetime(t->c[1].manager, t->history[i]));
  core_check(t->c[1].manager);
}

static test_group layout = {"layout"};
static test_group twins_case = {"twins"};

TESTS(twins_case, inline_calls_answer_as_the_calls_do, 4)
{
  static twins t;
  t = (twins){.random = 88172645463325252u + (uint64_t)_i};
  open_twin(&t, 0);
  open_twin(&t, 1);
  for (int i = 0; i < OPERATIONS; i++) {
    sp_ref *it = &t.history[draw(&t, HISTORY)];
    if (draw(&t, 500) == 0)
      for (int k = 0; k < 2; k++)
        must(sp_update(t.c[k].manager, STEP) == SP_OK);
    else if (!sp_is_live(t.c[0].manager, *it) && draw(&t, 2))
      *it = alloc_both(&t, (int)draw(&t, POOLS));
    else if (draw(&t, 50))
      use_both(&t, *it);
    else if (draw(&t, 2))
      use_both(&t, *it ^ (sp_ref)1 << draw(&t, 64));
    else
      use_both(&t, sp_pool_idle_at(t.pools[0][1], draw(&t, 50)));
    if (i % 1000 == 0)
      compare(&t);
  }
  ck_assert_uint_gt(sp_pool_stats(t.pools[1][1]).retired, 0); /* slots were worn out */
  for (int k = 0; k < 2; k++)
    core_close(&t.c[k]);
}

/* Nothing but the layout: a pool whose alloc and recycle have nothing to do but what is inline. */
CORE_TEST(layout, the_common_case_is_inline)
{
  sp_pool *pool = core_pool_with(c, &(sp_pool_desc){.type = "Plain", .settings.prealloc = 100});
  sp_ref first = core_alloc(pool), objects[8];
  core_recycle(c, first); /* there was a peak of one */
  const sp_inline_pool *p = (const sp_inline_pool *)(const void *)pool;
  ck_assert_uint_eq(sp_inline_layout_1(), SP_INLINE_LAYOUT);
  ck_assert(p->bare_recycle && sp_inline_is_ready(p, 0, 0));
  core_alloc_many(pool, objects, 8);
  for (int i = 0; i < 8; i++)
    core_recycle(c, objects[i]);
  for (int i = 0; i < 8; i++) {
    ck_assert(sp_inline_is_ready(p, 0, 0));
    objects[i] = sp_inline_alloc(pool, 0, NULL);
    ck_assert_uint_ne(sp_inline_slot((const sp_inline_manager *)(const void *)c->manager, objects[i]), UINT32_MAX);
  }
  ck_assert(!sp_inline_is_ready(p, 0, 0)); /* a new peak is to be counted */
}

CORE_TEST(layout, inline_calls_note_what_other_calls_go_by)
{
  const int seven = 7;
  const sp_field field = {"reset", &seven, sizeof seven, false, false};
  sp_pool *pool = core_pool_with(
      c, &(sp_pool_desc){.type = "Plain", .fields = &field, .field_count = 1, .settings = {.order = SP_ORDER_LIFO}});
  sp_ref one = core_alloc(pool), other = core_alloc(pool), third = core_alloc(pool);
  core_recycle(c, other);
  core_recycle(c, third);
  sp_walk walk = sp_pool_walk(pool);
  ck_assert_uint_ne(sp_inline_alloc(pool, 0, NULL), SP_NONE_REF);
  ck_assert_uint_eq(sp_walk_next(&walk), one);
  ck_assert_uint_eq(sp_walk_next(&walk), SP_NONE_REF); /* the other one began later */
  *(int *)sp_inline_cell(c->manager, one, SP_FIELDS) = 8;
  ck_assert_int_eq(sp_inline_recycle(c->manager, one), SP_OK);
  one = sp_inline_alloc(pool, 0, NULL);
  ck_assert_int_eq(*(const int *)sp_peek(c->manager, one, SP_FIELDS), 7);
}

SUITE(inline, &layout, &twins_case)
