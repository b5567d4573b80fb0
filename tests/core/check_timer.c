/*
** Timers: they belong to one life, fire on their tick, and die with it.
*/
#include "support/core_fixture.h"
#include "support/test.h"

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
static test_group refused_tests = {"refused"};

CORE_TEST(refused_tests, a_timer_needs_no_callback)
{
  sp_ref object = core_alloc(core_pool(c, "Cube"));
  sp_timer_start(c->manager, object, STEP, 0, NULL);
  sp_timer_start(c->manager, object, STEP, STEP, NULL);
  core_tick(c, 5);
  core_recycle(c, object);
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

SUITE(timer, &firing, &edges, &refused_tests)
