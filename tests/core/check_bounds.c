/*
** Beyond plain motion: gravity, drag, facing, curves over life, and what happens at the edge of the world.
*/
#include "support/core_fixture.h"
#include "support/test.h"

#include <math.h>
#include <stddef.h>

static float get(const core *c, sp_ref object, int column)
{
  return *(const float *)sp_peek(c->manager, object, column);
}

static sp_ref moving(core *c, sp_pool *pool, float x, float y, float vx, float vy)
{
  sp_ref object = sp_pool_alloc_at(pool, 0, &(sp_place){x, y, 0}, NULL);
  ck_assert_uint_ne(object, SP_NONE_REF);
  *core_float(c, object, SP_VX) = vx;
  *core_float(c, object, SP_VY) = vy;
  return object;
}

/* {== Motion ============================================================= */

static test_group motion_tests = {"motion"};
static test_group bounds_tests = {"bounds"};
static test_group curves_tests = {"curves"};
static test_group refused = {"refused"};

CORE_TEST(motion_tests, gravity_pulls_what_lives)
{
  sp_pool_desc desc = test_desc("Cube");
  desc.motion.gravity = 64;
  desc.settings.prealloc = 2;
  sp_pool *pool = core_pool_with(c, &desc);
  core_tick(c, 3);
  sp_ref object = core_alloc(pool);
  for (int i = 0; i < 64; i++)
    core_tick(c, 1);
  ck_assert_float_eq(get(c, object, SP_VY), 64);
  ck_assert_float_eq(get(c, object, SP_Y), 32);
  ck_assert_float_eq(get(c, sp_pool_idle_at(pool, 0), SP_Y), 0); /* idle ones do not fall */
  core_recycle(c, object);
  core_tick(c, 1);
  ck_assert_float_eq(get(c, sp_pool_take(pool, sp_pool_idle_at(pool, 1), 0, NULL), SP_VY), 0);
}

CORE_TEST(motion_tests, drag_slows_by_a_share)
{
  sp_pool_desc desc = test_desc("Cube");
  desc.motion.drag = 64;
  sp_ref object = moving(c, core_pool_with(c, &desc), 0, 0, 128, -64);
  core_tick(c, 1); /* a drag of 64 a second halves it per tick of 1/64 */
  ck_assert_float_eq(get(c, object, SP_X), 2);
  ck_assert_float_eq(get(c, object, SP_VX), 64);
  ck_assert_float_eq(get(c, object, SP_VY), -32);
}

CORE_TEST(motion_tests, objects_face_where_they_go)
{
  sp_pool_desc desc = test_desc("Cube");
  desc.motion.face_velocity = true;
  sp_pool *pool = core_pool_with(c, &desc);
  sp_ref object = moving(c, pool, 0, 0, 0, 5), still = sp_pool_alloc_at(pool, 0, &(sp_place){0, 0, 1}, NULL);
  core_tick(c, 1);
  ck_assert_float_eq(get(c, object, SP_ANGLE), atan2f(5, 0));
  ck_assert_float_eq(get(c, still, SP_ANGLE), 1);
  *core_float(c, object, SP_VY) = 0;
  core_tick(c, 1);
  ck_assert_float_eq(get(c, object, SP_ANGLE), atan2f(5, 0)); /* at rest it keeps its way */
  core_recycle(c, object);
  ck_assert_float_eq(get(c, core_alloc(pool), SP_ANGLE), 0);
}

/* }== */

/* {== Bounds ============================================================= */

static sp_pool *bounded(core *c, sp_outside outside, core_log *log)
{
  sp_pool_desc desc = test_desc("Cube");
  desc.bounds = (sp_bounds){10, 20, 100, 50, outside};
  if (log)
    desc.hooks = core_hooks_all(log);
  return core_pool_with(c, &desc);
}

typedef struct trip {
  sp_outside outside;
  float x, y, vx, vy; /* before one second */
  float end_x, end_y, end_vx, end_vy;
} trip;

static const trip trips[] = {
    {SP_OUTSIDE_IGNORE, 100, 30, 60, 0, 160, 30, 60, 0},   {SP_OUTSIDE_WRAP, 100, 30, 60, 0, 60, 30, 60, 0},
    {SP_OUTSIDE_WRAP, 20, 30, -60, -30, 60, 50, -60, -30}, {SP_OUTSIDE_WRAP, 20, 30, 1000, 0, 20, 30, 1000, 0},
    {SP_OUTSIDE_WRAP, 110, 30, 0, 0, 110, 30, 0, 0}, /* the edge is inside */
    {SP_OUTSIDE_BOUNCE, 100, 30, 60, 0, 60, 30, -60, 0},   {SP_OUTSIDE_BOUNCE, 20, 30, -60, 60, 60, 50, 60, -60},
    {SP_OUTSIDE_BOUNCE, 60, 30, 200, 0, 60, 30, 200, 0}, /* there and back */
    {SP_OUTSIDE_CLAMP, 100, 30, 60, -60, 110, 20, 0, 0},   {SP_OUTSIDE_CLAMP, 100, 30, 5, 60, 105, 70, 5, 0},
    {SP_OUTSIDE_CLAMP, 20, 30, -60, 0, 10, 30, 0, 0},
};

TEST(bounds_tests, what_leaves_the_bounds_comes_back_as_its_type_says)
{
  for (size_t i = 0; i < sizeof trips / sizeof trips[0]; i++) {
    const trip *t = &trips[i];
    core c;
    core_open(&c);
    sp_ref object = moving(&c, bounded(&c, t->outside, NULL), t->x, t->y, t->vx, t->vy);
    sp_update(c.manager, 1);
    ck_assert_msg(get(&c, object, SP_X) == t->end_x && get(&c, object, SP_Y) == t->end_y, "trip %zu ends at %g, %g", i,
                  (double)get(&c, object, SP_X), (double)get(&c, object, SP_Y));
    ck_assert_msg(get(&c, object, SP_VX) == t->end_vx && get(&c, object, SP_VY) == t->end_vy,
                  "trip %zu leaves at %g, %g", i, (double)get(&c, object, SP_VX), (double)get(&c, object, SP_VY));
    core_close(&c);
  }
}

TEST(bounds_tests, what_is_nowhere_comes_back_too)
{
  for (int outside = SP_OUTSIDE_WRAP; outside < SP_OUTSIDE_COUNT; outside++) {
    static const float nowhere[] = {NAN, INFINITY, -INFINITY, 1e38f, -1e38f};
    for (int i = 0; i < 5; i++) {
      core c;
      core_open(&c);
      sp_ref object = moving(&c, bounded(&c, (sp_outside)outside, NULL), nowhere[i], 30, 0, 0);
      sp_update(c.manager, 0);
      ck_assert(get(&c, object, SP_X) >= 10 && get(&c, object, SP_X) <= 110);
      core_close(&c);
    }
  }
}

static void keep_even(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  if (core_is(hook, "recycle"))
    log->veto = sp_object_number(sp_pool_manager(pool), object) % 2 == 0;
  if (core_is(hook, "despawn")) { /* somebody new outside: next time */
    sp_ref newcomer = sp_pool_alloc_at(pool, 0, &(sp_place){-5, 0, 0}, NULL);
    must(newcomer != SP_NONE_REF);
  }
}

CORE_TEST(bounds_tests, outside_may_mean_recycled)
{
  core_log log = {.only = "despawn"};
  sp_pool *pool = bounded(c, SP_OUTSIDE_RECYCLE, &log);
  sp_ref inside = moving(c, pool, 50, 50, 0, 0), leaver = moving(c, pool, 50, 50, 64 * 100, 0);
  core_tick(c, 1);
  ck_assert(sp_is_live(c->manager, inside));
  ck_assert(!sp_is_live(c->manager, leaver));
  ck_assert_str_eq(core_log_take(&log), "despawn 2 outside");
  for (int i = 0; i < 299; i++)
    moving(c, pool, 0, 0, 0, 0);
  log.act = keep_even;
  log.only = "none";
  sp_update(c->manager, 0);
  ck_assert_uint_eq(sp_pool_live(pool), 300); /* who went was replaced */
  ck_assert_uint_gt(sp_pool_stats(pool).vetoed, 100);
  ck_assert(sp_is_live(c->manager, inside));
  log.act = NULL;
  log.veto = false;
  sp_update(c->manager, 0);
  ck_assert_uint_eq(sp_pool_live(pool), 1);
  core_close(c);
}

static void clear_all(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  (void)object;
  if (core_is(hook, "despawn") && log->depth == 1 && log->count++ == 0) {
    sp_pool_recycle_all(pool);
    sp_pool_clear(pool);
  }
}

CORE_TEST(bounds_tests, a_hook_may_empty_the_pool_that_is_being_bounded)
{
  core_log log = {.act = clear_all, .only = "none"};
  sp_pool *pool = bounded(c, SP_OUTSIDE_RECYCLE, &log);
  for (int i = 0; i < 700; i++)
    moving(c, pool, i == 300 ? 0 : 50, 50, 0, 0);
  sp_update(c->manager, 0);
  ck_assert_uint_eq(sp_pool_live(pool), 0);
  core_close(c);
}

static void move_others(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  (void)object;
  sp_manager *m = sp_pool_manager(pool);
  const sp_ref *others = log->data;
  if (!core_is(hook, "despawn") || log->count++ > 0)
    return;
  *(float *)sp_cell(m, others[0], SP_X) = 50;            /* back inside */
  must(sp_recycle(m, others[1]) == SP_OK);               /* gone */
  must(sp_set_parent(m, others[2], others[0]) == SP_OK); /* no longer the world's */
  log->object = sp_pool_alloc_at(pool, 0, &(sp_place){-70, 50, 0}, NULL);
}

/* Opens a core with so many objects that the next update recycles. */
static sp_pool *open_outside(core *c, core_log *log, float y, sp_ref *objects, int count)
{
  core_open(c);
  sp_pool *pool = bounded(c, SP_OUTSIDE_RECYCLE, log);
  for (int i = 0; i < count; i++)
    objects[i] = moving(c, pool, -50, y, 0, 0);
  return pool;
}

TEST(bounds_tests, a_hook_decides_anew_who_is_outside)
{
  core c;
  core_log log = {.act = move_others, .only = "despawn"};
  sp_ref objects[4];
  open_outside(&c, &log, 50, objects, 4);
  log.data = objects + 1;
  sp_update(c.manager, 0);
  ck_assert_str_eq(core_log_take(&log), "despawn 1 outside, despawn 3 recycled");
  ck_assert(sp_is_live(c.manager, objects[1]));
  ck_assert(sp_is_live(c.manager, objects[3]));
  ck_assert(sp_is_live(c.manager, log.object)); /* it came too late for this update */
  sp_update(c.manager, 0);
  ck_assert(!sp_is_live(c.manager, log.object));
  core_close(&c);
}

static void lift_bounds(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  (void)object;
  if (!core_is(hook, "despawn") || log->count++ > 0)
    return;
  sp_pool_desc desc = test_desc("Cube");
  desc.hooks = core_hooks_all(log);
  must(sp_pool_redefine(pool, &desc) == SP_OK);
}

TEST(bounds_tests, a_hook_that_removes_the_bounds_ends_the_pass)
{
  core c;
  core_log log = {.act = lift_bounds, .only = "none"};
  sp_ref objects[400];
  sp_pool *pool = open_outside(&c, &log, 170, objects, 400);
  sp_update(c.manager, 0);
  ck_assert_uint_eq(sp_pool_live(pool), 399);
  for (int i = 1; i < 400; i++)
    must(*core_float(&c, objects[i], SP_X) == -50 && *core_float(&c, objects[i], SP_Y) == 170);
  core_close(&c);
}

CORE_TEST(bounds_tests, a_hair_outside_wraps_to_an_edge_and_not_beyond)
{
  sp_pool *pool = bounded(c, SP_OUTSIDE_WRAP, NULL);
  sp_ref object = moving(c, pool, nextafterf(10, 0), 50, 0, 0); /* a width further on is the far edge, rounded */
  sp_update(c->manager, 0);
  ck_assert_float_eq(get(c, object, SP_X), 10);
}

/* Empties the first chunk, whose place in the list the others then take. */
static void clear_first(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  (void)object;
  if (!core_is(hook, "despawn") || log->depth > 1 || log->count++ > 0)
    return;
  const sp_ref *objects = log->data;
  for (int i = 0; i < SP_CHUNK_SLOTS; i++)
    must(sp_recycle(sp_pool_manager(pool), objects[i]) == SP_OK);
  sp_pool_clear(pool);
}

TEST(bounds_tests, chunks_that_go_meanwhile_put_nothing_off_beyond_the_next_update)
{
  for (int chunks = 2; chunks <= 3; chunks++) {
    core c;
    core_log log = {.act = clear_first, .only = "none"};
    static sp_ref objects[3 * SP_CHUNK_SLOTS];
    core_open(&c);
    sp_pool *pool = bounded(&c, SP_OUTSIDE_RECYCLE, &log);
    int count = chunks * SP_CHUNK_SLOTS;
    for (int i = 0; i < count; i++)
      objects[i] = moving(&c, pool, i == 300 || i == 301 || i == 600 ? 0 : 50, 50, 0, 0);
    log.data = objects;
    sp_update(c.manager, 0);
    ck_assert(!sp_is_live(c.manager, objects[300]));
    sp_update(c.manager, 0);
    for (int i = 0; i < count; i++)
      must(sp_is_live(c.manager, objects[i]) == (i >= SP_CHUNK_SLOTS && i != 300 && i != 301 && i != 600));
    core_check(c.manager);
    core_close(&c);
  }
}

CORE_TEST(bounds_tests, children_are_left_to_their_parents)
{
  sp_pool *pool = bounded(c, SP_OUTSIDE_CLAMP, NULL);
  sp_ref parent = moving(c, pool, 50, 50, 0, 0), child = moving(c, pool, -5, 0, 0, 0);
  sp_set_parent(c->manager, child, parent);
  core_tick(c, 1);
  ck_assert_float_eq(get(c, child, SP_X), -5);
}

/* }== */

/* {== Curves ============================================================= */

CORE_TEST(curves_tests, curves_follow_the_share_of_life_that_is_over)
{
  const sp_curve curves[] = {{.column = SP_LOOK, .offset = offsetof(sp_look, a), .count = 2, .points = {1, 0}},
                             {.column = SP_SPIN, .offset = 0, .count = 3, .points = {0, 8, 4}}};
  sp_pool_desc desc = test_desc("Spark");
  desc.curves = curves;
  desc.curve_count = 2;
  sp_pool *pool = core_pool_with(c, &desc);
  sp_ref object = sp_pool_alloc(pool, 8 * STEP, NULL), endless = core_alloc(pool);
  static const float spins[] = {0, 2, 4, 6, 8, 7, 6, 5};
  for (int i = 1; i < 8; i++) {
    core_tick(c, 1);
    ck_assert_float_eq(((const sp_look *)sp_peek(c->manager, object, SP_LOOK))->a, 1 - (float)i / 8);
    ck_assert_float_eq(get(c, object, SP_SPIN), spins[i]);
  }
  ck_assert_float_eq(((const sp_look *)sp_peek(c->manager, endless, SP_LOOK))->a, 1);
  sp_set_remaining(c->manager, object, 0);
  sp_update(c->manager, STEP / 2); /* all of it is over, though it has not ended */
  ck_assert_float_eq(((const sp_look *)sp_peek(c->manager, object, SP_LOOK))->a, 0);
  core_tick(c, 1);
  sp_ref again = sp_pool_alloc(pool, 1, NULL);
  ck_assert_float_eq(((const sp_look *)sp_peek(c->manager, again, SP_LOOK))->a, 1);
}

/* }== */

/* {== Descriptions ======================================================= */

typedef struct nonsense {
  sp_motion motion;
  sp_bounds bounds;
  sp_curve curve;
  int curve_count, parent_end;
} nonsense;

static const nonsense cases[] = {
    {.motion = {.gravity = NAN}},
    {.motion = {.gravity = INFINITY}},
    {.motion = {.drag = -1}},
    {.motion = {.drag = NAN}},
    {.motion = {.drag = INFINITY}},
    {.bounds = {0, 0, 1, 1, SP_OUTSIDE_COUNT}},
    {.bounds = {0, 0, 1, 1, (sp_outside)-1}},
    {.bounds = {0, 0, 0, 1, SP_OUTSIDE_WRAP}},
    {.bounds = {0, 0, 1, -1, SP_OUTSIDE_WRAP}},
    {.bounds = {NAN, 0, 1, 1, SP_OUTSIDE_CLAMP}},
    {.bounds = {0, INFINITY, 1, 1, SP_OUTSIDE_CLAMP}},
    {.bounds = {0, 0, INFINITY, 1, SP_OUTSIDE_RECYCLE}},
    {.bounds = {0, 0, 1, NAN, SP_OUTSIDE_BOUNCE}},
    {.curve_count = -1},
    {.curve_count = SP_MAX_CURVES + 1},
    {.curve_count = 1, .curve = {SP_X, 0, 1, {1, 2}}},
    {.curve_count = 1, .curve = {SP_X, 0, SP_MAX_POINTS + 1, {1, 2}}},
    {.curve_count = 1, .curve = {SP_X, 4, 2, {1, 2}}},
    {.curve_count = 1, .curve = {-1, 0, 2, {1, 2}}},
    {.curve_count = 1, .curve = {SP_FIELDS, 0, 2, {1, 2}}},
    {.curve_count = 1, .curve = {SP_LOOK, 3, 2, {1, 2}}},
    {.curve_count = 1, .curve = {SP_LOOK, offsetof(sp_look, layer), 2, {1, 2}}},
    {.curve_count = 1, .curve = {SP_LOOK, 65532, 2, {1, 2}}},
    {.curve_count = 1, .curve = {SP_X, 0, 2, {1, NAN}}},
    {.parent_end = SP_PARENT_END_COUNT},
    {.parent_end = -1},
};

CORE_TEST(refused, motion_that_makes_no_sense_is_refused)
{
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    sp_pool_desc desc = test_desc("Odd");
    desc.motion = cases[i].motion;
    desc.bounds = cases[i].bounds;
    desc.curves = &cases[i].curve;
    desc.curve_count = cases[i].curve_count;
    desc.on_parent_end = (sp_parent_end)cases[i].parent_end;
    sp_result why = SP_OK;
    ck_assert_msg(!sp_add_pool(c->manager, &desc, &why), "case %zu was taken", i);
    ck_assert_int_eq(why, SP_INVALID);
  }
  sp_pool_desc desc = test_desc("Odd");
  desc.curve_count = 1; /* but none given */
  ck_assert_ptr_null(sp_add_pool(c->manager, &desc, NULL));
  desc.spatial = false;
  desc.curve_count = 0;
  ck_assert_ptr_nonnull(sp_add_pool(c->manager, &desc, NULL));
}

/* }== */

CORE_TEST(bounds_tests, what_was_put_back_begins_where_its_type_says)
{
  static const sp_outside outside[] = {SP_OUTSIDE_WRAP, SP_OUTSIDE_BOUNCE, SP_OUTSIDE_CLAMP};
  for (int i = 0; i < 3; i++) {
    sp_pool_desc desc = test_desc((const char *[]){"A", "B", "C"}[i]);
    desc.x = 130;
    desc.settings.order = SP_ORDER_LIFO;
    desc.bounds = (sp_bounds){0, 0, 100, 100, outside[i]};
    sp_pool *pool = core_pool_with(c, &desc);
    sp_ref object = core_alloc(pool);
    core_tick(c, 1);
    ck_assert_float_le(get(c, object, SP_X), 100);
    core_recycle(c, object);
    ck_assert_float_eq(get(c, core_alloc(pool), SP_X), 130);
  }
}

SUITE(bounds, &motion_tests, &bounds_tests, &curves_tests, &refused)
