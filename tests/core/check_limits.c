/*
** Contracts at their limits, where random games do not come: references of any bits, columns that no pool has, numbers
** that are none, pools without places, worn out slots, and descriptions of zeros.
*/
#include "core/angle.h"
#include "core/binding.h"
#include "support/core_fixture.h"
#include "support/test.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

static sp_pool *flat_pool(core *c, const sp_field *fields, int count)
{
  sp_pool_desc desc = TEST_DESC(.type = "Order", .fields = fields, .field_count = count);
  desc.vx = desc.motion.gravity = 64;
  desc.settings.limit = 2;
  desc.settings.overflow = SP_OVERFLOW_OLDEST;
  return core_pool_with(c, &desc);
}

/* {== References ========================================================= */

static test_group references = {"references"};

/* Every call refuses it, and counts it unless it is foreign. */
static void refuse_everywhere(core *c, sp_pool *pool, sp_ref object, sp_result expected)
{
  sp_manager *m = c->manager;
  const sp_stats before = sp_stats_of(pool);
  sp_result why[2] = {SP_OK, SP_OK};
  ck_assert(!sp_object_is_live(m, object) && !sp_object_cell(m, object, SP_X) && !sp_object_peek(m, object, SP_X));
  ck_assert(sp_object_check(m, object) == expected && sp_object_recycle(m, object) == expected);
  ck_assert(sp_object_recycle_base(m, object) == expected && sp_object_set_remaining(m, object, 1) == expected);
  ck_assert_int_eq(sp_alloc_undo(m, object), SP_STALE);
  ck_assert(!sp_alloc_commit(m, object, &why[0]) && !sp_pool_take_idle(pool, object, 0, &why[1]));
  ck_assert(why[0] == SP_STALE && why[1] == SP_NONE);
  sp_alloc_cancel(m, object);
  ck_assert(sp_object_age(m, object) == 0 && sp_object_lifetime(m, object) == 0 && sp_object_remaining(m, object) == 0);
  const sp_stats after = sp_stats_of(pool);
  ck_assert(after.live == before.live && after.idle == before.idle);
  ck_assert_int_eq(after.double_recycles == before.double_recycles, expected == SP_FOREIGN);
  ck_assert(expected != SP_FOREIGN || (!sp_object_pool(m, object) && sp_object_number(m, object) == 0));
}

TEST(references, of_any_bits_are_refused_by_every_call)
{
  core c, other;
  core_open(&c);
  core_open_with(&other, TEST_OPTIONS(.id = 2));
  sp_pool *pool = core_pool(&c, "Cube");
  refuse_everywhere(&c, pool, SP_NULL_REF, SP_FOREIGN); /* also while nothing exists */
  const sp_ref mine = core_alloc(pool), foreign = core_alloc(core_pool(&other, "Cube"));
  const sp_ref none[] = {SP_NULL_REF,
                         UINT64_MAX,
                         foreign,
                         mine | (sp_ref)UINT32_MAX << 32,
                         mine | (SP_MAX_SLOTS - 1),    /* no such slot */
                         mine | 4 * SP_CHUNK_SLOTS};   /* just past the end */
  const sp_ref stale[] = {mine | (SP_CHUNK_SLOTS - 1), /* never made */
                          mine + ((sp_ref)2 << 32),    /* a life to come */
                          mine | (sp_ref)((1u << SP_WINDOW_BITS) - 1) << 32};
  for (size_t i = 0; i < COUNT(none); i++)
    refuse_everywhere(&c, pool, none[i], SP_FOREIGN);
  for (size_t i = 0; i < COUNT(stale); i++)
    refuse_everywhere(&c, pool, stale[i], SP_STALE);
  for (uint64_t i = 0, x = 88172645463325252u; i < 100000; i++, x = x * 6364136223846793005u + 1442695040888963407u) {
    const sp_ref guess = i % 2 ? x : (x & ~(uint64_t)UINT32_MAX) | 1u << 24 | (x >> 20 & 511);
    must(guess == mine || (!sp_object_is_live(c.manager, guess) && sp_object_recycle(c.manager, guess) != SP_OK));
    must(sp_timer_stop(c.manager, x) == SP_NONE);
  }
  sp_result why = SP_OK;
  ck_assert(!sp_pool_take_idle(pool, mine, 0, &why) && why == SP_NONE); /* it is not idle */
  ck_assert_uint_eq(sp_pool_slot_of(core_pool(&c, "Other"), mine), UINT32_MAX);
  ck_assert(sp_object_is_live(c.manager, mine) && sp_object_is_live(other.manager, foreign));
  core_recycle(&c, mine);
  sp_pool_trim(pool, 0);
  ck_assert_uint_eq(sp_object_number(c.manager, mine), 1); /* also when its slot is gone */
  core_close(&c);
  core_close(&other);
}

TEST(references, are_of_no_pool_once_their_chunk_has_another_one_and_count_for_nobody)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube");
  sp_ref old[2] = {core_alloc(pool), core_alloc(pool)};
  core_recycle(&c, old[0]);
  old[0] = core_alloc(pool);
  core_recycle(&c, old[0]);
  core_recycle(&c, old[1]);
  sp_pool_trim(pool, 0);
  sp_pool *next = core_pool(&c, "Sphere");
  const sp_ref object = core_alloc(next);
  core_recycle(&c, object);
  for (int way = 0; way < 2; way++) {
    for (int i = 0; i < 2; i++) {
      ck_assert(sp_object_recycle(c.manager, old[i]) == SP_STALE && !sp_object_pool(c.manager, old[i]));
      ck_assert(sp_object_check(c.manager, old[i]) == SP_STALE);
    }
    ck_assert(sp_stats_of(next).stale_uses + sp_stats_of(next).double_recycles == 0 &&
              sp_stats_of(pool).stale_uses == 0);
    ck_assert_ptr_eq(sp_object_pool(c.manager, object), next);
    sp_snapshot *s = sp_snapshot_take(c.manager, NULL, NULL);
    must(sp_snapshot_restore(c.manager, s) == SP_OK);
    sp_snapshot_free(s);
  }
  core_close(&c);
}

TEST(references, to_a_slot_that_is_worn_out_stay_stale_whoever_has_its_chunk)
{
  core c;
  core_open_with(&c, TEST_OPTIONS(.lives = 1));
  sp_pool_desc desc = test_desc("Cube");
  desc.settings.grow = 1;
  sp_pool *pool = core_pool_with(&c, &desc);
  sp_ref keeper = core_alloc(pool), object = core_alloc(pool), idle = object + ((sp_ref)1 << 32);
  core_recycle(&c, object);
  sp_slot slots[3];
  ck_assert_uint_eq(sp_pool_slots(pool, 0, 3, slots), 3);
  ck_assert(slots[0].state == SP_SLOT_LIVE && slots[1].state == SP_SLOT_RETIRED && slots[2].state == SP_SLOT_EMPTY);
  ck_assert_uint_eq(sp_next_generation(c.manager), 4);
  core_recycle(&c, keeper);
  sp_pool_trim(pool, 0);
  sp_pool *other = core_pool(&c, "Sphere"); /* gets the chunk, but not its worn out slots */
  ck_assert_uint_eq((uint32_t)core_alloc(other) & (SP_MAX_SLOTS - 1), 2);
  refuse_everywhere(&c, other, idle, SP_STALE); /* what on_destroy was given */
  refuse_everywhere(&c, other, object, SP_STALE);
  core_close(&c);
}

/* }== */

/* {== Columns and numbers ================================================ */

static test_group values = {"values"};

CORE_TEST(values, columns_that_do_not_exist_have_no_cells)
{
  static const int none[] = {-1, INT32_MIN, INT32_MAX, SP_X, SP_LOOK, SP_FIELDS + 1, SP_FIELDS + SP_MAX_FIELDS, 64};
  static const sp_field field = {.name = "a", .size = 4};
  sp_pool *pool = flat_pool(c, &field, 1);
  sp_ref object = core_alloc(pool);
  for (size_t i = 0; i < COUNT(none); i++) {
    ck_assert(!sp_object_cell(c->manager, object, none[i]) && !sp_object_peek(c->manager, object, none[i]));
    ck_assert(!sp_pool_column(pool, 0, none[i]) && !sp_pool_peek_column(pool, 0, none[i]));
    ck_assert_uint_eq(sp_pool_add(pool, none[i], 0, 1), 0);
  }
  ck_assert_ptr_nonnull(sp_object_cell(c->manager, object, SP_FIELDS));
  for (int i = 0; i < 2; i++) {
    const uint32_t past = i ? UINT32_MAX : 1;
    ck_assert(!sp_pool_column(pool, past, SP_FIELDS) && !sp_pool_peek_column(pool, past, SP_FIELDS));
    uint64_t bits = 1;
    ck_assert(!sp_pool_live_bits(pool, past, &bits) && bits == 0);
  }
}

POOL_TEST(values, sums_of_what_is_no_float_or_would_be_no_number_change_nothing)
{
  static const size_t offsets[] = {offsetof(sp_look, layer), 3, SIZE_MAX, SIZE_MAX - 3};
  const sp_ref object = core_alloc(pool);
  for (size_t i = 0; i < COUNT(offsets); i++)
    ck_assert_uint_eq(sp_pool_add(pool, SP_LOOK, offsets[i], 1), 0);
  ck_assert_uint_eq(sp_pool_add(pool, SP_X, 0, INFINITY) + sp_pool_add(pool, SP_X, 0, NAN), 0);
  ck_assert_float_eq(core_peek(c, object, SP_X), 0);
}

/* The games have other times that no call takes. */
POOL_TEST(values, the_longest_times_are_taken_and_longer_ones_are_not)
{
  sp_manager *m = c->manager;
  sp_result why = SP_FAILED;
  sp_ref object = sp_pool_alloc(pool, SP_MAX_LIFETIME, NULL, NULL);
  ck_assert_double_eq(sp_object_lifetime(m, object), SP_MAX_LIFETIME);
  ck_assert_int_eq(sp_pool_prewarm(pool, SP_MAX_SLOTS + 1, 1, 0), SP_INVALID);
  ck_assert(sp_timer_start(m, SP_NULL_REF, 1, 0, 0, &why) != 0 && why == SP_OK);
  ck_assert_int_eq(sp_manager_set_time_scale(m, 1e6), SP_OK);
  ck_assert_int_eq(sp_manager_set_time_scale(m, 1.001e6), SP_INVALID);
  ck_assert_int_eq(sp_manager_update(m, SP_MAX_LIFETIME), SP_INVALID); /* times a million */
}

TEST(values, that_are_nowhere_come_back_into_the_bounds)
{
  const float nowhere[] = {NAN, INFINITY, -INFINITY, 1e38f, nextafterf(10, 0)}; /* the last one wraps, rounded */
  for (int outside = SP_OUTSIDE_WRAP; outside < SP_OUTSIDE_COUNT; outside++) {
    core c;
    core_open(&c);
    sp_pool_desc desc = test_desc("Cube");
    desc.bounds = (sp_bounds){10, 20, 100, 50, (sp_outside)outside};
    sp_pool *pool = core_pool_with(&c, &desc);
    for (size_t i = 0; i < COUNT(nowhere); i++) {
      sp_ref object = core_alloc_at(pool, 0, 30);
      *(float *)sp_object_cell(c.manager, object, SP_X) = nowhere[i];
      sp_manager_update(c.manager, 0);
      ck_assert(core_peek(&c, object, SP_X) >= 10 && core_peek(&c, object, SP_X) <= 110);
    }
    core_close(&c);
  }
}

TEST(values, that_are_angles_are_those_of_the_c_library)
{
  static const float odd[] = {0.0f, -0.0f, 1, -1, 3, -3, 0.4f, -0.3f, 1e-44f, 1e30f, INFINITY, -INFINITY};
  for (size_t i = 0; i < COUNT(odd); i++)
    for (size_t k = 0; k < COUNT(odd); k++)
      if (odd[i] != 0 || odd[k] != 0)
        ck_assert_float_eq_tol(sp_angle(odd[i], odd[k]), atan2f(odd[i], odd[k]), 3e-7f);
}

/* }== */

/* {== Pools ============================================================== */

static test_group pools = {"pools"};

/* Of pools that have nothing else to do at an alloc: a field that is kept or begins anew, in each order (_i). */
TESTS(pools, cells_begin_as_they_must_whatever_an_alloc_can_skip, 6)
{
  static const uint64_t first[2] = {7, 7};
  const bool keep = _i & 1;
  const sp_field field = {.name = "bytes", .initial = first, .size = sizeof first, .keep = keep};
  sp_pool_desc desc = TEST_DESC(.type = "Cube", .fields = &field, .field_count = 1, .settings.prealloc = 200);
  sp_ref objects[100] = {0};
  uint64_t written[256];
  core c;
  core_open(&c);
  desc.settings.order = (sp_order)(_i / 2);
  sp_pool *pool = core_pool_with(&c, &desc);
  for (int i = 0; i < 256; i++)
    written[i] = first[0];
  for (uint64_t i = 0; i < 20000; i++) {
    sp_ref *object = &objects[i * 7919 % 100];
    const double lifetime = i % 4 == 0 ? (double)(1 + i % 50) * STEP : 0;
    must(!sp_object_is_live(c.manager, *object) || sp_object_recycle(c.manager, *object) == SP_OK);
    *object = sp_pool_alloc(pool, lifetime, NULL, NULL);
    uint64_t *cell = sp_object_cell(c.manager, *object, SP_FIELDS);
    const uint32_t slot = sp_pool_slot_of(pool, *object);
    must(cell && cell == sp_object_peek(c.manager, *object, SP_FIELDS) && slot < 256);
    must(sp_object_is_live(c.manager, *object) && sp_object_lifetime(c.manager, *object) == lifetime);
    must(cell[0] == (keep ? written[slot] : first[0]) && cell[1] == cell[0]);
    cell[0] = cell[1] = written[slot] = i;
    if (i % 10 == 0)
      core_tick(&c, 1);
  }
  ck_assert_uint_gt(sp_stats_of(pool).expired, 500);
  ck_assert(sp_stats_of(pool).total == 200 && sp_stats_of(pool).allocs == 20000);
  core_close(&c);
}

static void ignore_near(void *ud, sp_ref object) { ck_abort_msg("%p: %u is near", ud, (unsigned)object); }
static void ignore_pair(void *ud, sp_ref object, sp_ref other) { ignore_near(ud, object + other); }

static sp_look *look_of(core *c, sp_ref object) { return sp_object_cell(c->manager, object, SP_LOOK); }

/* Whichever pointer took it back: a new one, that of the column, or, from the next tick on, one that was kept. */
POOL_TEST(pools, evict_an_object_whose_pin_was_taken_back)
{
  enum { MANY = 100 };
  sp_ref objects[MANY];
  sp_look *kept;
  sp_settings settings = sp_pool_desc_of(pool)->settings;
  settings.limit = MANY;
  settings.overflow = SP_OVERFLOW_OLDEST;
  ck_assert_int_eq(sp_pool_set_settings(pool, &settings), SP_OK);
  core_alloc_many(pool, objects, MANY);
  for (int i = 0; i < MANY - 1; i++)
    look_of(c, objects[i])->pinned = 1;
  kept = look_of(c, objects[40]);
  core_alloc(pool);
  ck_assert(!sp_object_is_live(c->manager, objects[MANY - 1]));
  look_of(c, objects[70])->pinned = 0;
  core_alloc(pool);
  ck_assert(!sp_object_is_live(c->manager, objects[70]));
  ((sp_look *)sp_pool_column(pool, 0, SP_LOOK))[sp_ref_slot(objects[50]) % SP_CHUNK_SLOTS].pinned = 0;
  core_alloc(pool);
  ck_assert(!sp_object_is_live(c->manager, objects[50]));
  kept->pinned = 0;
  core_tick(c, 1);
  core_alloc(pool);
  ck_assert(!sp_object_is_live(c->manager, objects[40]));
}

CORE_TEST(pools, without_places_do_not_move_are_not_found_and_evict_all_the_same)
{
  static const char first[64] = "no byte of this may be taken for a part of a look, or a place";
  static const sp_field field = {.name = "x", .size = sizeof first, .initial = first};
  sp_place place;
  sp_pool *flat = flat_pool(c, &field, 1), *cubes = core_pool(c, "Cube");
  const sp_ref order = sp_pool_alloc(flat, 0, &(sp_start){1, 2, 3, 4, 5, 0}, NULL);
  const sp_ref cube = sp_pool_alloc(cubes, 0, NULL, NULL);
  sp_result why = SP_OK;
  ck_assert(!sp_pool_alloc(flat, 0, &(sp_start){.parent = cube}, &why) && why == SP_INVALID);
  core_tick(c, 3);
  ck_assert_mem_eq(sp_object_peek(c->manager, order, SP_FIELDS), first, sizeof first);
  ck_assert(core_peek(c, cube, SP_X) == 0 && !sp_object_world(c->manager, order, &place));
  ck_assert_int_eq(sp_object_set_parent(c->manager, order, cube), SP_INVALID);
  ck_assert_int_eq(sp_object_set_parent(c->manager, cube, order), SP_INVALID);
  ck_assert_uint_eq(sp_pool_overlaps(cubes, flat, ignore_pair, NULL, NULL), 0);
  ck_assert_uint_eq(sp_pool_overlaps(flat, cubes, ignore_pair, NULL, NULL), 0);
  ck_assert_uint_eq(sp_pool_within(flat, 0, 0, INFINITY, ignore_near, NULL, NULL), 0);
  ck_assert(!sp_pool_nearest(flat, 0, 0, 0, NULL) && !sp_pool_desc_of(flat)->spatial &&
            sp_pool_desc_of(cubes)->spatial);
  ck_assert_uint_eq(sp_pool_add(flat, SP_FIELDS, 0, 1), 0);
  core_alloc(flat);
  core_alloc(flat);
  ck_assert(!sp_object_is_live(c->manager, order));
}

/* After a peak of 64,000 of which 1,000 are left, and a few times as many have come and gone. A pool that keeps them
   all (_i 0), one that keeps a few, and one that was trimmed. */
TESTS(pools, hold_together_what_lives_after_a_peak, 3)
{
  enum { PEAK = 64000, LEFT = 1000 };
  static sp_ref live[PEAK];
  uint32_t count = PEAK, seed = 1, chunks = 0;
  uint64_t bits;
  core c;
  core_open(&c);
  sp_pool *pool = core_pool_with(&c, &TEST_DESC(.type = "Spark", .settings.idle_limit = _i == 1 ? 100 : SP_UNLIMITED));
  for (uint32_t i = 0; i < PEAK; i++)
    live[i] = core_alloc(pool);
  for (uint32_t i = 0; i < PEAK - LEFT + 8 * LEFT; i++) {
    const uint32_t k = (seed = seed * 1664525 + 1013904223) / 64 % count;
    must(sp_object_recycle(c.manager, live[k]) == SP_OK);
    live[k] = count > LEFT ? live[--count] : core_alloc(pool);
    if (_i == 2 && count == LEFT && chunks++ == 0)
      must(sp_pool_trim(pool, 0) > 0);
  }
  chunks = 0;
  for (uint32_t i = 0; sp_pool_live_bits(pool, i, &bits); i++)
    chunks += bits != 0;
  ck_assert_uint_le(chunks, LEFT / SP_CHUNK_SLOTS + 4);
  ck_assert_uint_eq(sp_pool_live(pool), LEFT);
  core_check(c.manager);
  core_close(&c);
}

CORE_TEST(pools, know_their_type_user_and_settings)
{
  char type[] = "Cube";
  sp_pool *pool = core_pool_with(c, &TEST_DESC(.type = type, .user = c));
  memset(type, 'x', sizeof type - 1);
  ck_assert_str_eq(sp_pool_desc_of(pool)->type, "Cube"); /* a copy */
  ck_assert_ptr_eq(sp_pool_desc_of(pool)->user, c);
  const sp_settings unlimited = {0, SP_DEFAULT_GROW, SP_UNLIMITED, SP_UNLIMITED, SP_OVERFLOW_REFUSE, SP_ORDER_COMPACT};
  const sp_settings none = {0, SP_DEFAULT_GROW, 0, 0, SP_OVERFLOW_REFUSE, SP_ORDER_COMPACT};
  sp_settings now = sp_pool_desc_of(pool)->settings;
  ck_assert_mem_eq(&now, &unlimited, sizeof now);
  ck_assert_int_eq(sp_pool_set_settings(pool, &none), SP_OK);
  now = sp_pool_desc_of(pool)->settings;
  ck_assert_mem_eq(&now, &none, sizeof now);
  ck_assert_int_eq(core_refusal(pool, 0), SP_FULL);
}

CORE_TEST(pools, of_defaults_are_visible_white_and_without_limits_and_every_zero_is_a_zero)
{
  const sp_look standard = {1, 1, 1, 1, 1, 8, 0, 0, 1, 0, {0}}, nothing = {0};
  for (int i = 0; i < 2; i++) {
    sp_pool_desc desc = sp_pool_defaults("Cube");
    desc.spatial = true;
    ck_assert(desc.size == sizeof desc && desc.settings.limit == SP_UNLIMITED && desc.settings.grow == SP_DEFAULT_GROW);
    if (i)
      desc.look = nothing;
    sp_pool *pool = core_pool_with(c, &desc);
    ck_assert_mem_eq(sp_object_peek(c->manager, core_alloc(pool), SP_LOOK), i ? &nothing : &standard, sizeof(sp_look));
    sp_pool_remove(pool, NULL, NULL);
  }
}

/* A program that was compiled with an older header has a shorter struct: what lies behind it is not touched. */
CORE_TEST(pools, take_the_defaults_for_what_a_shorter_description_lacks)
{
  union {
    sp_pool_desc desc;
    unsigned char bytes[sizeof(sp_pool_desc)];
  } of;
  const size_t size = offsetof(sp_pool_desc, hooks);
  memset(&of, 0xa5, sizeof of);
  sp_pool_desc_init(&of.desc, size);
  for (size_t i = size; i < sizeof of; i++)
    ck_assert_uint_eq(of.bytes[i], 0xa5);
  of.desc.type = "Old";
  sp_pool *pool = sp_manager_add_pool(c->manager, &of.desc, NULL);
  ck_assert(pool && core_alloc(pool) && !sp_pool_desc_of(pool)->user && !sp_pool_desc_of(pool)->hooks.on_spawn);
}

POOL_TEST(pools, open_a_life_whose_end_and_parent_are_set_before_it_begins)
{
  sp_ref parent = sp_alloc_begin(pool, 0, NULL);
  ck_assert_int_eq(sp_object_set_remaining(c->manager, parent, 2 * STEP), SP_OK);
  sp_alloc_commit(c->manager, parent, NULL);
  sp_ref child = sp_alloc_begin(pool, 0, NULL);
  ck_assert_int_eq(sp_object_set_parent(c->manager, child, parent), SP_OK);
  sp_alloc_cancel(c->manager, child);
  for (int i = 0; i < 40; i++) /* somebody else gets the slot */
    ck_assert_uint_eq(sp_object_parent(c->manager, core_alloc(pool)), SP_NULL_REF);
  core_tick(c, 1);
  ck_assert(sp_object_is_live(c->manager, parent));
  core_tick(c, 1);
  ck_assert(!sp_object_is_live(c->manager, parent) && sp_pool_live(pool) == 40);
}

/* }== */

SUITE(limits, &references, &values, &pools)
