/*
** Timers: they belong to one life, fire on their tick, and die with it.
*/
#include "support/core_fixture.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What the callbacks saw: "t" for each fire and "e" for each end, with the number of the object. */
typedef struct heard {
  char text[2048];
  sp_manager *manager;
  sp_timer last;
  void (*act)(struct heard *h, sp_ref object, sp_timer timer);
  sp_ref object;
} heard;

static void write_down(heard *h, char what, sp_ref object)
{
  size_t used = strlen(h->text);
  snprintf(h->text + used, sizeof h->text - used, "%s%c%u", used ? " " : "", what,
           sp_object_number(h->manager, object));
}

static void on_timer(void *ud, sp_ref object, sp_timer timer)
{
  heard *h = ud;
  must(sp_is_live(h->manager, object));
  write_down(h, 't', object);
  h->last = timer;
  if (h->act)
    h->act(h, object, timer);
}

static void on_timer_end(void *ud, sp_ref object, sp_timer timer)
{
  heard *h = ud;
  write_down(h, 'e', object);
  must(sp_timer_stop(h->manager, timer) == SP_NONE);
}

static void open_with_timers(core *c, heard *h)
{
  *h = (heard){.text = ""};
  core_open_with(c, (sp_options){.on_timer = on_timer, .on_timer_end = on_timer_end, .timer_ud = h});
  h->manager = c->manager;
}

static void check_heard(heard *h, const char *expected)
{
  ck_assert_str_eq(h->text, expected);
  h->text[0] = 0;
}

static sp_timer start(core *c, sp_ref object, double ticks, double period)
{
  sp_result why = SP_OK;
  sp_timer timer = sp_timer_start(c->manager, object, ticks * STEP, period * STEP, &why);
  ck_assert_msg(timer != 0, "%s", sp_result_text(why));
  return timer;
}

static test_group firing = {"firing"};
static test_group edges = {"edges"};
static test_group jumps = {"jumps"};
static test_group refused_tests = {"refused"};

TEST(firing, a_period_never_drifts)
{
  core c;
  heard h;
  open_with_timers(&c, &h);
  sp_ref object = core_alloc(core_pool(&c, "Cube"));
  sp_timer timer = start(&c, object, 2.5, 2.5); /* due at 2.5, 5, 7.5, 10: on ticks 3, 5, 8, 10 */
  static const int fires[] = {0, 0, 1, 0, 1, 0, 0, 1, 0, 1};
  for (int i = 0; i < 10; i++) {
    core_tick(&c, 1);
    check_heard(&h, fires[i] ? "t1" : "");
  }
  ck_assert_int_eq(sp_timer_stop(c.manager, timer), SP_OK);
  check_heard(&h, "e1");
  ck_assert_int_eq(sp_timer_stop(c.manager, timer), SP_NONE);
  start(&c, object, 1, 0.1); /* at most once per tick */
  core_tick(&c, 3);
  check_heard(&h, "t1 t1 t1");
  core_close(&c);
}

TEST(refused_tests, a_timer_that_makes_no_sense_is_refused)
{
  core c;
  heard h;
  open_with_timers(&c, &h);
  sp_pool *pool = core_pool(&c, "Cube");
  sp_ref object = core_alloc(pool), stale = core_alloc(pool);
  core_recycle(&c, stale);
  static const double bad[] = {-1, (double)NAN, (double)INFINITY, 1.01e11};
  sp_result why = SP_OK;
  for (int i = 0; i < 4; i++) {
    ck_assert_uint_eq(sp_timer_start(c.manager, object, bad[i], 0, &why), 0);
    ck_assert_int_eq(why, SP_INVALID);
    ck_assert_uint_eq(sp_timer_start(c.manager, object, 1, bad[i], NULL), 0);
  }
  ck_assert_uint_eq(sp_timer_start(c.manager, stale, 1, 0, &why), 0);
  ck_assert_int_eq(why, SP_STALE);
  ck_assert_uint_eq(sp_timer_start(c.manager, sp_pool_idle_at(pool, 0), 1, 0, &why), 0);
  ck_assert_int_eq(why, SP_STALE);
  ck_assert_uint_eq(sp_timer_start(c.manager, SP_NONE_REF, 1, 0, &why), 0);
  ck_assert_int_eq(why, SP_FOREIGN);
  static const sp_timer none[] = {0, 1, 17, UINT64_MAX, (sp_timer)5 << 32 | 1, (sp_timer)1 << 32};
  for (int i = 0; i < 6; i++)
    ck_assert_int_eq(sp_timer_stop(c.manager, none[i]), SP_NONE);
  core_close(&c);
}

CORE_TEST(refused_tests, a_timer_needs_no_callback)
{
  sp_ref object = core_alloc(core_pool(c, "Cube"));
  sp_timer_start(c->manager, object, STEP, 0, NULL);
  sp_timer_start(c->manager, object, STEP, STEP, NULL);
  core_tick(c, 5);
  core_recycle(c, object);
}

TEST(firing, many_timers_of_many_lives_fire_in_order_of_starting)
{
  core c;
  heard h;
  open_with_timers(&c, &h);
  sp_pool *pool = core_pool(&c, "Cube");
  sp_ref objects[300];
  core_alloc_many(pool, objects, 300);
  for (int i = 0; i < 300; i++)
    start(&c, objects[i], i < 4 ? 1 : 1025, 0);
  core_tick(&c, 1);
  check_heard(&h, "t1 e1 t2 e2 t3 e3 t4 e4");
  for (int i = 0; i < 300; i++)
    core_recycle(&c, objects[i]);
  h.text[0] = 0;
  core_tick(&c, 1100);
  check_heard(&h, "");
  core_close(&c);
}

typedef struct fires {
  sp_manager *manager;
  struct {
    sp_ref object;
    double time;
  } list[400];
  int count;
} fires;

TEST(edges, a_life_without_timers_ends_beside_those_that_have_some)
{
  core c;
  heard h;
  core_log log = {.only = "end"};
  open_with_timers(&c, &h);
  sp_pool_desc desc = test_desc("Cube");
  desc.hooks = core_hooks_all(&log);
  sp_pool *pool = core_pool_with(&c, &desc);
  sp_ref objects[SP_CHUNK_SLOTS + 1];
  core_alloc_many(pool, objects, SP_CHUNK_SLOTS + 1); /* the last one lies in a chunk of its own */
  start(&c, objects[0], 2, 0);
  core_recycle(&c, objects[SP_CHUNK_SLOTS]);
  core_recycle(&c, objects[1]);
  check_heard(&h, "");
  core_tick(&c, 2);
  check_heard(&h, "t1 e1");
  sp_timer next = start(&c, objects[2], 2, 0);                                       /* has the place of the last one */
  ck_assert_int_eq(sp_timer_stop(c.manager, h.last), SP_NONE);                       /* over */
  ck_assert_int_eq(sp_timer_stop(c.manager, h.last + ((sp_timer)9 << 32)), SP_NONE); /* of nobody yet */
  ck_assert_int_eq(sp_timer_stop(c.manager, next), SP_OK);
  core_close(&c);
}

/* Ticks are kept as 32 bits, of which 0 means none. */
TEST(edges, a_timer_is_at_most_a_tick_late_where_the_tick_overflows)
{
  core c;
  heard h;
  open_with_timers(&c, &h);
  sp_ref object = core_alloc(core_pool(&c, "Cube"));
  ck_assert_int_eq(sp_update(c.manager, 4294967290.0 * STEP), SP_OK);
  ck_assert_uint_eq(sp_tick(c.manager), 4294967290u);
  for (int ticks = 5; ticks < 8; ticks++) /* the one in the middle is due at 2^32 */
    start(&c, object, ticks, 0);
  core_tick(&c, 5);
  check_heard(&h, "t1 e1");
  core_tick(&c, 2);
  check_heard(&h, "t1 e1 t1 e1");
  core_close(&c);
}

/* Links keep 32 bits of a tick: what is too far ahead for that wakes up in between. */
TEST(firing, a_timer_far_ahead_fires_on_its_tick)
{
  static const double around[] = {-2, -1, 0, 1, 2, 1000, 2147483647, 2147483648.0};
  core c;
  heard h;
  open_with_timers(&c, &h);
  sp_ref object = core_alloc(core_pool(&c, "Cube"));
  for (size_t i = 0; i < sizeof around / sizeof *around; i++) {
    double ticks = 2147483648.0 + around[i];
    start(&c, object, ticks, 0);
    ck_assert_int_eq(sp_update(c.manager, (ticks - 1) * STEP), SP_OK);
    check_heard(&h, "");
    core_tick(&c, 1);
    check_heard(&h, "t1 e1");
  }
  core_close(&c);
}

static void close_all(heard *h, sp_ref object, sp_timer timer)
{
  (void)timer;
  ck_assert_int_eq(sp_close(h->manager), SP_BUSY);
  ck_assert_int_eq(sp_update(h->manager, 1), SP_BUSY);
  ck_assert_int_eq(sp_pool_remove(sp_owner(h->manager, object), NULL, NULL), SP_BUSY);
}

static void on_timer_end_act(void *ud, sp_ref object, sp_timer timer)
{
  heard *h = ud;
  write_down(h, 'e', object);
  close_all(h, object, timer);
}

TEST(firing, no_callback_of_a_timer_can_close_update_or_remove_its_pool)
{
  core c;
  heard h = {.act = close_all};
  core_open_with(&c, (sp_options){.on_timer = on_timer, .on_timer_end = on_timer_end_act, .timer_ud = &h});
  h.manager = c.manager;
  sp_ref object = core_alloc(core_pool(&c, "Cube"));
  start(&c, object, 1, 0);
  core_tick(&c, 1);
  check_heard(&h, "t1 e1");
  ck_assert_int_eq(sp_timer_stop(c.manager, start(&c, object, 1, 0)), SP_OK);
  check_heard(&h, "e1");
  start(&c, object, 1, 0);
  core_recycle(&c, object);
  check_heard(&h, "e1");
  core_close(&c);
}

TEST(refused_tests, memory_that_is_refused_starts_no_timer)
{
  core c;
  heard h;
  open_with_timers(&c, &h);
  sp_pool *pool = core_pool(&c, "Cube");
  sp_ref object = core_alloc(pool);
  sp_result why = SP_OK;
  for (size_t i = 0; i < 3; i++) { /* the table of the chunk, the records, the wheel: each is kept once it is there */
    c.memory.fail_at = c.memory.calls + 1 + (i > 0);
    ck_assert_uint_eq(sp_timer_start(c.manager, object, STEP, 0, &why), 0);
    ck_assert_int_eq(why, SP_MEMORY);
  }
  ck_assert_uint_eq(c.memory.refused, 3);
  c.memory.fail_at = 0;
  start(&c, object, 1, 1);
  core_tick(&c, 1);
  check_heard(&h, "t1");
  core_close(&c);
}

SUITE(timer, &firing, &edges, &jumps, &refused_tests)
