/*
** Timers: they belong to one life, fire on their tick, and die with it.
*/
#include "support/core_fixture.h"

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

START_TEST(a_timer_fires_once_on_its_tick)
{
  core c;
  heard h;
  open_with_timers(&c, &h);
  sp_ref object = core_alloc(core_pool(&c, "Cube"));
  sp_timer timer = start(&c, object, 3, 0);
  core_tick(&c, 2);
  check_heard(&h, "");
  core_tick(&c, 1);
  check_heard(&h, "t1 e1");
  ck_assert_uint_eq(h.last, timer);
  core_tick(&c, 2000);
  check_heard(&h, "");
  start(&c, object, 0, 0); /* at once: the next tick */
  core_tick(&c, 1);
  check_heard(&h, "t1 e1");
  core_close(&c);
}
END_TEST

START_TEST(a_period_never_drifts)
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
END_TEST

START_TEST(timers_die_with_the_life)
{
  core c;
  heard h;
  open_with_timers(&c, &h);
  sp_pool_desc desc = test_desc("Cube");
  desc.settings.grow = 1;
  sp_pool *pool = core_pool_with(&c, &desc);
  sp_ref object = core_alloc(pool);
  for (int i = 0; i < 3; i++)
    start(&c, object, 2, 1);
  core_recycle(&c, object);
  check_heard(&h, "e1 e1 e1");
  sp_ref next = core_alloc(pool); /* the same slot */
  core_tick(&c, 10);
  check_heard(&h, "");
  start(&c, next, 100, 0);
  sp_alloc_undo(c.manager, next);
  check_heard(&h, "e1");
  start(&c, sp_pool_alloc(pool, 2 * STEP, NULL), 1, 1);
  core_tick(&c, 5);
  ck_assert_uint_ge(strlen(h.text), 5); /* once or twice, then the end */
  ck_assert_ptr_nonnull(strstr(h.text, "t1"));
  ck_assert_ptr_nonnull(strstr(h.text, "e1"));
  h.text[0] = 0;
  start(&c, core_alloc(pool), 5, 5);
  core_close(&c);
  check_heard(&h, "e1");
}
END_TEST

static void stop_self(heard *h, sp_ref object, sp_timer timer)
{
  (void)object;
  ck_assert_int_eq(sp_timer_stop(h->manager, timer), SP_OK);
}

static void recycle_self(heard *h, sp_ref object, sp_timer timer)
{
  (void)timer;
  ck_assert_int_eq(sp_recycle(h->manager, object), SP_OK);
}

static void start_another(heard *h, sp_ref object, sp_timer timer)
{
  (void)timer;
  h->act = NULL;
  ck_assert_uint_ne(sp_timer_start(h->manager, object, STEP, 0, NULL), 0);
}

static void replace_self(heard *h, sp_ref object, sp_timer timer)
{
  stop_self(h, object, timer);
  start_another(h, object, timer);
}

static void remove_pool(heard *h, sp_ref object, sp_timer timer)
{
  (void)timer;
  ck_assert_int_eq(sp_pool_remove(sp_owner(h->manager, object), NULL, NULL), SP_BUSY);
  ck_assert_int_eq(sp_update(h->manager, 1), SP_BUSY);
}

START_TEST(a_callback_may_do_anything)
{
  static const struct {
    void (*act)(heard *h, sp_ref object, sp_timer timer);
    double period;
    const char *expected; /* after three ticks */
  } cases[] = {
      {stop_self, 0, "t1 e1"},      {stop_self, 1, "t1 e1"},           {recycle_self, 0, "t1 e1"},
      {recycle_self, 1, "t1 e1"},   {start_another, 0, "t1 e1 t1 e1"}, {replace_self, 1, "t1 e1 t1 e1"},
      {remove_pool, 1, "t1 t1 t1"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    core c;
    heard h;
    open_with_timers(&c, &h);
    sp_ref object = core_alloc(core_pool(&c, "Cube"));
    h.act = cases[i].act;
    start(&c, object, 1, cases[i].period);
    core_tick(&c, 3);
    check_heard(&h, cases[i].expected);
    h.act = NULL;
    core_close(&c);
  }
}
END_TEST

START_TEST(a_timer_that_makes_no_sense_is_refused)
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
END_TEST

START_TEST(a_timer_needs_no_callback)
{
  core c;
  core_open(&c);
  sp_ref object = core_alloc(core_pool(&c, "Cube"));
  sp_timer_start(c.manager, object, STEP, 0, NULL);
  sp_timer_start(c.manager, object, STEP, STEP, NULL);
  core_tick(&c, 5);
  core_recycle(&c, object);
  core_close(&c);
}
END_TEST

START_TEST(many_timers_of_many_lives_fire_in_order_of_starting)
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
END_TEST

typedef struct fires {
  sp_manager *manager;
  struct {
    sp_ref object;
    double time;
  } list[400];
  int count;
} fires;

static void note_fire(void *ud, sp_ref object, sp_timer timer)
{
  fires *f = ud;
  (void)timer;
  must(f->count < 400);
  f->list[f->count].object = object;
  f->list[f->count++].time = sp_time(f->manager);
}

/* Timers alone, without any lifetime, up to many turns of the wheel ahead; updates of `jump` ticks. */
static void play_timers(fires *f, uint32_t jump)
{
  core c;
  uint32_t x = 5;
  f->count = 0;
  core_open_with(&c, (sp_options){.on_timer = note_fire, .timer_ud = f});
  f->manager = c.manager;
  sp_pool *pool = core_pool(&c, "Cube");
  core_tick(&c, 1000);
  for (int i = 0; i < 300; i++) {
    x = x * 1664525 + 1013904223;
    uint32_t far = i % 3 == 0 ? 100000 : i % 3 == 1 ? 2100 : 40;
    start(&c, core_alloc(pool), 1 + (x >> 8) % far, 0);
  }
  for (uint32_t tick = 0; tick < 100100; tick += jump)
    sp_update(c.manager, jump * STEP);
  core_close(&c);
}

START_TEST(a_jump_fires_the_timers_that_steps_fire_at_the_same_times)
{
  static const uint32_t jumps[] = {3, 700, 1024, 5000, 100100};
  static fires stepped, jumped;
  play_timers(&stepped, 1);
  ck_assert_int_eq(stepped.count, 300);
  play_timers(&jumped, jumps[_i]);
  ck_assert_int_eq(jumped.count, 300);
  for (int i = 0; i < 300; i++) {
    ck_assert_uint_eq(jumped.list[i].object, stepped.list[i].object);
    ck_assert_double_eq(jumped.list[i].time, stepped.list[i].time);
  }
}
END_TEST

START_TEST(a_life_without_timers_ends_beside_those_that_have_some)
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
END_TEST

/* Ticks are kept as 32 bits, of which 0 means none. */
START_TEST(a_timer_is_at_most_a_tick_late_where_the_tick_overflows)
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
END_TEST

START_TEST(a_timer_may_wait_for_years)
{
  core c;
  heard h;
  open_with_timers(&c, &h);
  sp_ref object = core_alloc(core_pool(&c, "Cube"));
  const double years = 3e8; /* seconds: nearly ten */
  start(&c, object, years / STEP, 0);
  start(&c, object, 5, years / STEP);
  core_tick(&c, 5);
  check_heard(&h, "t1");
  ck_assert_int_eq(sp_update(c.manager, years - 6 * STEP), SP_OK);
  check_heard(&h, "");
  core_tick(&c, 1);
  check_heard(&h, "t1 e1");
  core_tick(&c, 4);
  check_heard(&h, "");
  core_tick(&c, 1);
  check_heard(&h, "t1");
  core_close(&c);
}
END_TEST

/* Links keep 32 bits of a tick: what is too far ahead for that wakes up in between. */
START_TEST(a_timer_far_ahead_fires_on_its_tick)
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
END_TEST

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

START_TEST(no_callback_of_a_timer_can_close_update_or_remove_its_pool)
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
END_TEST

START_TEST(memory_that_is_refused_starts_no_timer)
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
END_TEST

Suite *sp_suite_timer(void)
{
  Suite *suite = suite_create("timer");
  core_case(suite, "firing", a_timer_fires_once_on_its_tick, a_period_never_drifts, timers_die_with_the_life,
            a_callback_may_do_anything, a_timer_may_wait_for_years, a_timer_far_ahead_fires_on_its_tick,
            no_callback_of_a_timer_can_close_update_or_remove_its_pool,
            many_timers_of_many_lives_fire_in_order_of_starting);
  core_case(suite, "edges", a_life_without_timers_ends_beside_those_that_have_some,
            a_timer_is_at_most_a_tick_late_where_the_tick_overflows);
  TCase *jumps = tcase_create("jumps");
  tcase_add_loop_test(jumps, a_jump_fires_the_timers_that_steps_fire_at_the_same_times, 0, 5);
  suite_add_tcase(suite, jumps);
  core_case(suite, "refused", a_timer_that_makes_no_sense_is_refused, a_timer_needs_no_callback,
            memory_that_is_refused_starts_no_timer);
  return suite;
}
