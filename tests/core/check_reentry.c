/*
** Re-entry: every hook may alloc and recycle anything, anywhere, and cannot remove what it runs in.
*/
#include "support/core_fixture.h"

/* {== Re-entry =========================================================== */

enum { HOOKS = 8 };
static char *const all_hooks[HOOKS] = {"create", "spawn",   "recycle",  "despawn",
                                       "reject", "destroy", "overflow", "update"};

typedef struct scene {
  sp_pool *pools[2];
  sp_ref kept[2]; /* one live object of each pool */
  const char *hook;
} scene;

/* In the hook of the day: alloc and recycle in both pools, walk, take, prewarm, trim, read, clear. */
static void do_everything(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  scene *s = log->data;
  sp_manager *m = sp_pool_manager(pool);
  (void)object;
  if (!core_is(hook, s->hook) || log->depth > 1)
    return;
  log->count++;
  for (int i = 0; i < 2; i++) {
    sp_ref brief = sp_pool_alloc(s->pools[i], STEP, NULL), endless = sp_pool_alloc(s->pools[i], 0, NULL);
    sp_recycle(m, endless);
    sp_recycle(m, s->kept[i]);
    s->kept[i] = sp_pool_alloc(s->pools[i], 0, NULL);
    sp_pool_take(s->pools[i], sp_pool_idle_at(s->pools[i], 0), STEP, NULL);
    sp_pool_prewarm(s->pools[i], 3, NULL);
    sp_walk walk = sp_pool_walk(s->pools[i]);
    for (sp_ref each; (each = sp_walk_next(&walk)) != SP_NONE_REF;)
      if (each != s->kept[i] && each != brief)
        sp_set_remaining(m, each, 2 * STEP);
    sp_pool_trim(s->pools[i]);
    if (log->count % 3 == 0)
      sp_pool_recycle_all(s->pools[i]);
    sp_pool_clear(s->pools[i]);
  }
}

static void run_scene(const char *hook, sp_overflow overflow, sp_order order)
{
  core c;
  core_log log = {.only = "none"};
  core_open(&c);
  sp_pool_desc desc = test_desc("Cube");
  desc.settings = (sp_settings){2, 3, 3, 2, overflow, order};
  desc.hooks = core_hooks_all(&log);
  scene s = {.hook = hook};
  s.pools[0] = core_pool_with(&c, &desc);
  desc.type = "Sphere";
  s.pools[1] = core_pool_with(&c, &desc);
  log.data = &s;
  log.act = do_everything;
  for (int round = 0; round < 60; round++) {
    sp_ref object = sp_pool_alloc(s.pools[round % 2], 0, NULL);
    sp_pool_alloc(s.pools[round % 2], round % 5 * STEP, NULL);
    log.victim = round % 3 ? object : s.kept[round % 2];
    if (round % 4 == 0)
      sp_recycle(c.manager, object);
    sp_update(c.manager, round % 3 * STEP);
    sp_walk walk = sp_pool_walk(s.pools[round % 2]);
    for (int i = 0; i < round % 4; i++)
      sp_recycle(c.manager, sp_walk_next(&walk));
    if (round % 5 == 0)
      sp_pool_clear(s.pools[round % 2]);
    core_check(c.manager);
  }
  ck_assert_msg(log.count > 0, "%s never ran, overflow %d, order %d", hook, overflow, order);
  ck_assert_int_eq(log.depth, 0);
  core_close(&c);
}

START_TEST(every_hook_may_do_everything_in_every_pool)
{
  for (int i = 0; i < HOOKS; i++)
    for (int order = 0; order < SP_ORDER_COUNT; order++)
      for (int overflow = 0; overflow < SP_OVERFLOW_COUNT; overflow++)
        if (overflow == SP_OVERFLOW_FUNCTION || !core_is(all_hooks[i], "overflow"))
          run_scene(all_hooks[i], (sp_overflow)overflow, (sp_order)order);
}
END_TEST

static void alloc_in_create(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  (void)object;
  if (core_is(hook, "create") && log->count-- > 0)
    log->object = sp_pool_alloc(pool, 0, &log->result);
}

START_TEST(a_hook_of_creation_that_allocs_does_not_break_the_limit)
{
  core c;
  core_open(&c);
  for (int overflow = 0; overflow < SP_OVERFLOW_COUNT; overflow++) {
    core_log log = {.act = alloc_in_create, .count = 1, .only = "none"};
    sp_pool_desc desc = test_desc("Cube");
    desc.settings = (sp_settings){0, 1, 1, SP_UNLIMITED, (sp_overflow)overflow, SP_ORDER_FIFO};
    desc.hooks = core_hooks_all(&log);
    sp_pool *pool = core_pool_with(&c, &desc);
    sp_result why = SP_OK;
    sp_ref object = sp_pool_alloc(pool, 0, &why);
    if (overflow == SP_OVERFLOW_OLDEST) { /* the inner one came first, so it goes */
      ck_assert(sp_is_live(c.manager, object));
      ck_assert(!sp_is_live(c.manager, log.object));
    } else if (overflow == SP_OVERFLOW_GROW) {
      ck_assert(sp_is_live(c.manager, object) && sp_is_live(c.manager, log.object));
    } else {
      ck_assert_int_eq(why, SP_FULL);
      ck_assert(sp_is_live(c.manager, log.object));
    }
    ck_assert_uint_eq(sp_pool_live(pool), overflow == SP_OVERFLOW_GROW ? 2 : 1);
    core_check(c.manager);
    sp_pool_remove(pool, NULL, NULL);
  }
  core_close(&c);
}
END_TEST

static void refill(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  (void)object;
  if (core_is(hook, "destroy") && log->count-- > 0)
    sp_recycle(sp_pool_manager(pool), sp_pool_alloc(pool, 0, NULL));
}

START_TEST(clear_ends_although_a_hook_refills_the_pool)
{
  core c;
  core_log log = {.act = refill, .count = 1000, .only = "none"};
  core_open(&c);
  sp_pool *pool = core_pool_logged(&c, "Cube", &log);
  sp_pool_prewarm(pool, 5, NULL);
  ck_assert_uint_eq(sp_pool_clear(pool), 5);
  ck_assert_int_ge(log.count, 990);
  ck_assert_uint_eq(sp_pool_stats(pool).destroyed, 5);
  ck_assert_int_eq(sp_pool_remove(pool, NULL, NULL), SP_OK);
  core_close(&c);
}
END_TEST

/* }== */

/* {== What a hook may not do ============================================= */

static void try_to_remove(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  sp_manager *m = sp_pool_manager(pool);
  uint32_t untouched = 77;
  (void)object;
  ck_assert_msg(sp_pool_remove(pool, &untouched, &untouched) == SP_BUSY, "removed in %s", hook);
  ck_assert_msg(sp_close(m) == SP_BUSY, "closed in %s", hook);
  ck_assert_msg(sp_update(m, 1) == SP_BUSY, "updated in %s", hook);
  ck_assert_uint_eq(untouched, 77);
  log->count++;
}

START_TEST(no_hook_can_remove_its_pool_close_or_update)
{
  core c;
  core_log log = {.act = try_to_remove, .only = "none"};
  core_open(&c);
  sp_pool_desc desc = test_desc("Cube");
  desc.settings = (sp_settings){0, 1, 1, SP_NO_OBJECTS, SP_OVERFLOW_FUNCTION, SP_ORDER_FIFO};
  desc.hooks = core_hooks_all(&log);
  desc.hooks.on_end = NULL;
  sp_pool *pool = core_pool_with(&c, &desc);
  sp_ref object = core_alloc(pool);
  core_refusal(pool, 0);
  core_tick(&c, 1);
  core_recycle(&c, object);
  ck_assert_int_eq(log.count, 8);
  core_alloc(pool);
  core_close(&c); /* also while it closes */
  ck_assert_int_eq(log.count, 8 + 6);
}
END_TEST

static void remove_other(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  sp_manager *m = sp_pool_manager(pool);
  sp_pool *other = sp_find_pool(m, "Sphere");
  (void)object;
  if (!core_is(hook, log->data) || !other)
    return;
  ck_assert_int_eq(sp_pool_remove(other, NULL, NULL), SP_OK);
  ck_assert_ptr_null(sp_find_pool(m, "Sphere"));
  ck_assert_uint_eq(sp_count_pools(m), 2);
  sp_pool_desc desc = test_desc("Ring");
  ck_assert_ptr_nonnull(sp_add_pool(m, &desc, NULL));
  ck_assert_ptr_eq(sp_get_pool(m, 2), sp_find_pool(m, "Ring"));
  log->count++;
}

START_TEST(a_hook_may_remove_and_open_other_pools)
{
  static char *const hooks[] = {"create", "spawn", "despawn", "update"};
  for (int i = 0; i < 4; i++) {
    core c;
    core_log log = {.act = remove_other, .only = "none", .data = hooks[i]};
    core_open(&c);
    sp_pool *last = NULL, *other = core_pool(&c, "Sphere"), *pool = core_pool_logged(&c, "Cube", &log);
    last = core_pool(&c, "Last");
    for (int k = 0; k < 5; k++)
      sp_pool_alloc(other, STEP, NULL); /* their timers come to nothing */
    sp_pool_alloc(last, STEP, NULL);
    sp_pool_alloc(pool, STEP, NULL);
    core_tick(&c, 2);
    ck_assert_int_eq(log.count, 1);
    ck_assert_uint_eq(sp_count_pools(c.manager), 3);
    ck_assert_ptr_eq(sp_get_pool(c.manager, 0), pool);
    ck_assert_ptr_eq(sp_get_pool(c.manager, 1), last);
    ck_assert_uint_eq(sp_pool_stats(last).expired, 1);
    core_close(&c);
  }
}
END_TEST

static void disturb_closing(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  sp_manager *m = sp_pool_manager(pool);
  sp_pool_desc desc = test_desc("New");
  sp_result why = SP_OK;
  (void)object;
  if (!core_is(hook, "despawn"))
    return;
  ck_assert_int_eq(core_refusal(pool, 0), SP_CLOSED);
  ck_assert_uint_eq(sp_pool_prewarm(pool, 5, &why), 0);
  ck_assert_int_eq(why, SP_CLOSED);
  ck_assert_int_eq(core_refusal(pool, -1), SP_CLOSED);
  sp_pool *next = sp_find_pool(m, "Later");
  if (next) { /* the whole manager closes */
    ck_assert_ptr_null(sp_add_pool(m, &desc, &why));
    ck_assert_int_eq(why, SP_CLOSED);
    ck_assert_int_eq(core_refusal(next, 0), SP_CLOSED);
    ck_assert_int_eq(sp_pool_remove(next, NULL, NULL), SP_BUSY);
    ck_assert_int_eq(sp_recycle(m, log->object), SP_OK); /* but lives may end */
  }
  log->count++;
}

static void look_at_first(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  sp_pool *first = log->data;
  (void)object;
  if (!core_is(hook, "despawn") && !core_is(hook, "destroy"))
    return;
  ck_assert_ptr_eq(sp_find_pool(sp_pool_manager(pool), "First"), first);
  ck_assert_uint_eq(sp_pool_live(first), 0);
  ck_assert_int_eq(core_refusal(first, 0), SP_CLOSED);
  log->count++;
}

START_TEST(hooks_may_look_at_every_pool_while_the_manager_closes)
{
  core c;
  core_log log = {.act = look_at_first, .only = "none"};
  core_open(&c);
  log.data = core_pool(&c, "First");
  core_alloc(log.data);
  core_alloc(core_pool_logged(&c, "Second", &log));
  core_close(&c);
  ck_assert_int_eq(log.count, 2);
}
END_TEST

START_TEST(a_pool_that_goes_takes_nothing_more)
{
  core c;
  core_log log = {.act = disturb_closing, .only = "none"};
  core_open(&c);
  sp_pool *pool = core_pool_logged(&c, "Cube", &log);
  core_alloc(pool);
  ck_assert_int_eq(sp_pool_remove(pool, NULL, NULL), SP_OK);
  pool = core_pool_logged(&c, "Cube", &log);
  core_alloc(pool);
  log.object = core_alloc(core_pool(&c, "Later"));
  core_close(&c);
  ck_assert_int_eq(log.count, 2);
}
END_TEST

/* }== */

Suite *sp_suite_reentry(void)
{
  Suite *suite = suite_create("reentry");
  core_case(suite, "everything", every_hook_may_do_everything_in_every_pool,
            a_hook_of_creation_that_allocs_does_not_break_the_limit, clear_ends_although_a_hook_refills_the_pool);
  core_case(suite, "refused", no_hook_can_remove_its_pool_close_or_update, a_hook_may_remove_and_open_other_pools,
            hooks_may_look_at_every_pool_while_the_manager_closes, a_pool_that_goes_takes_nothing_more);
  return suite;
}
