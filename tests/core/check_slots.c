/*
** Slots, as tools look at them, and walks over them, whatever is done on the way.
*/
#include "support/core_fixture.h"
#include "support/test.h"

static sp_slot slot_at(const sp_pool *pool, uint32_t number)
{
  sp_slot slot;
  must(sp_pool_slots(pool, number, 1, &slot) == 1);
  return slot;
}

static int count_state(const sp_pool *pool, sp_slot_state state)
{
  sp_slot slots[SP_CHUNK_SLOTS];
  int count = 0;
  uint32_t all = sp_pool_chunks(pool) * SP_CHUNK_SLOTS;
  for (uint32_t first = 0; first < all; first += SP_CHUNK_SLOTS) {
    ck_assert_uint_eq(sp_pool_slots(pool, first, SP_CHUNK_SLOTS, slots), SP_CHUNK_SLOTS);
    for (int i = 0; i < SP_CHUNK_SLOTS; i++)
      count += slots[i].state == state;
  }
  return count;
}

static test_group slots_tests = {"slots"};
static test_group lives = {"lives"};

CORE_TEST(slots_tests, slots_tell_what_lies_in_them)
{
  sp_ref objects[300];
  sp_pool *pool = core_pool(c, "Cube");
  sp_slot unused;
  ck_assert_uint_eq(sp_pool_slots(pool, 0, 1, &unused), 0);
  core_alloc_many(pool, objects, 300);
  core_tick(c, 64);
  core_recycle(c, objects[7]);
  sp_stats s = sp_pool_stats(pool);
  ck_assert_int_eq(count_state(pool, SP_SLOT_LIVE), 299);
  ck_assert_int_eq(count_state(pool, SP_SLOT_IDLE), (int)s.idle);
  ck_assert_int_eq(count_state(pool, SP_SLOT_EMPTY), (int)(sp_pool_chunks(pool) * SP_CHUNK_SLOTS - s.total));
  ck_assert_uint_eq(sp_pool_slot_of(pool, objects[290]), 290);
  ck_assert(slot_at(pool, 290).object == objects[290]);
  ck_assert(slot_at(pool, 290).age == 1);
  ck_assert(slot_at(pool, 7).state == SP_SLOT_IDLE && slot_at(pool, 7).age == 0);
  ck_assert_uint_eq(sp_pool_slots(pool, 5 * SP_CHUNK_SLOTS - 12, 100, (sp_slot[100]){{.age = 0}}), 12);
}

CORE_TEST(slots_tests, a_slot_is_of_its_own_pool_only)
{
  sp_pool *first = core_pool(c, "A"), *second = core_pool(c, "B");
  sp_ref a = core_alloc(first), b = core_alloc(second);
  ck_assert_uint_eq(sp_pool_slot_of(second, b), 0);
  ck_assert_uint_eq(sp_pool_slot_of(second, a), UINT32_MAX);
  ck_assert_uint_eq(sp_pool_slot_of(first, SP_NONE_REF), UINT32_MAX);
  core_recycle(c, a);
  ck_assert_uint_eq(sp_pool_slot_of(first, a), 0); /* where it was */
}

CORE_TEST(lives, looking_counts_as_no_use)
{
  sp_slot slots[SP_CHUNK_SLOTS];
  sp_pool *pool = core_pool(c, "Cube");
  sp_ref object = core_alloc(pool), found;
  core_recycle(c, object);
  sp_pool_slots(pool, 0, SP_CHUNK_SLOTS, slots);
  sp_pool_slot_of(pool, object);
  sp_timers(c->manager, object, NULL);
  sp_children(c->manager, object, &found, 1);
  ck_assert_uint_eq(sp_pool_stats(pool).stale_uses, 0);
}

static void look_while_dying(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  if (core_is(hook, "despawn"))
    log->count += slot_at(pool, sp_pool_slot_of(pool, object)).state == SP_SLOT_ENDING;
}

TEST(slots_tests, a_dying_object_is_ending_and_a_worn_out_slot_is_retired)
{
  core c;
  core_log log = {.act = look_while_dying};
  core_open_with(&c, (sp_options){.last_generation = 2});
  sp_pool *pool = core_pool_logged(&c, "Cube", &log);
  core_recycle(&c, core_alloc(pool));
  ck_assert_int_eq(log.count, 1);
  sp_pool_clear(pool);
  core_alloc(pool); /* keeps the chunk: else it is freed with its slots */
  ck_assert_int_eq(count_state(pool, SP_SLOT_RETIRED), (int)sp_pool_stats(pool).retired);
  core_close(&c);
}

enum { MANY = 600 }; /* more than two chunks */

static int count_rest(sp_walk *walk)
{
  int count = 0;
  while (sp_walk_next(walk) != SP_NONE_REF)
    count++;
  return count;
}

static test_group changes_on_the_way = {"changes on the way"};

CORE_TEST(changes_on_the_way, a_walk_goes_on_when_its_chunk_is_freed)
{
  for (int reuse = 0; reuse < 4; reuse++) {
    sp_pool *pool = core_pool(c, "Cube"), *other = core_pool(c, "Sphere");
    sp_ref objects[MANY];
    core_alloc_many(pool, objects, MANY);
    sp_walk walk = sp_pool_walk(pool);
    for (int i = 0; i < 256 + 10; i++)
      ck_assert_uint_eq(sp_walk_next(&walk), objects[i]);
    for (int i = reuse == 3 ? 256 : 0; i < 512; i++)
      core_recycle(c, objects[i]);
    uint32_t before = sp_pool_chunks(pool);
    sp_pool_clear(pool); /* the chunks of the last object, and those before unless objects live there */
    ck_assert_uint_eq(sp_pool_chunks(pool), before - (reuse == 3 ? 4 : 8));
    if (reuse == 1) /* another pool takes them */
      for (int i = 0; i < 512; i++)
        core_alloc(other);
    if (reuse == 2) /* the pool gets them again */
      for (int i = 0; i < 1000; i++)
        core_alloc(pool);
    for (int i = 512; i < MANY; i++)
      ck_assert_uint_eq(sp_walk_next(&walk), objects[i]);
    ck_assert_uint_eq(sp_walk_next(&walk), SP_NONE_REF);
    core_check(c->manager);
    sp_pool_remove(pool, NULL, NULL);
    sp_pool_remove(other, NULL, NULL);
  }
}

CORE_TEST(changes_on_the_way, a_walk_goes_on_when_other_pools_come_and_go)
{
  sp_pool *before = core_pool(c, "Before"), *pool = core_pool(c, "Cube");
  core_alloc(before);
  sp_ref objects[MANY];
  core_alloc_many(pool, objects, MANY);
  sp_walk walk = sp_pool_walk(pool);
  ck_assert_uint_eq(sp_walk_next(&walk), objects[0]);
  ck_assert_int_eq(sp_pool_remove(before, NULL, NULL), SP_OK); /* the pool moves up in the list */
  core_alloc(core_pool(c, "After"));
  ck_assert_int_eq(count_rest(&walk), MANY - 1);
}

SUITE(slots, &slots_tests, &lives, &changes_on_the_way)
