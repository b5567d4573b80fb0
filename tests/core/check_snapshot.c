/*
** Snapshots: a manager that is put back goes on as it did, whatever happened meanwhile; and the hash, which is another
** one for whatever differs.
*/
#include <math.h>
#include <stdlib.h>

#include "support/core_fixture.h"
#include "support/core_tape.h"
#include "support/test.h"

static test_group snapshots = {"snapshots"};
static test_group hashes = {"hashes"};

/* Rollback meets this when a type is used for the first time. */
CORE_TEST(snapshots, give_back_a_pool_made_since_which_counts_for_nothing_until_it_is_used_again)
{
  static const sp_pool_desc then = TEST_DESC_INIT(.type = "Then"),
                            since = TEST_DESC_INIT(.type = "Since", .settings.prealloc = 70, .settings.grow = 3);
  sp_manager *m = c->manager;
  core_alloc(core_pool_with(c, &then));
  sp_snapshot *s = sp_snapshot_take(m, NULL, NULL);
  const uint64_t before = sp_manager_hash(m);
  sp_pool *pool = core_pool_with(c, &since);
  const sp_ref first = core_alloc(pool);
  const uint64_t after = sp_manager_hash(m);
  sp_snapshot *both = sp_snapshot_take(m, NULL, NULL);
  ck_assert(sp_snapshot_restore(m, s) == SP_OK && sp_manager_hash(m) == before && count_pools(m) == 1);
  ck_assert(sp_manager_pool(m, "Since") == pool && sp_stats_of(pool).total == 0);
  ck_assert(sp_pool_set_settings(pool, &since.settings) == SP_OK && sp_manager_hash(m) == before);
  c->memory.fail_at = c->memory.calls + 1;
  c->memory.keep_failing = true;
  ck_assert_int_eq(core_refusal(pool, 0), SP_MEMORY);
  ck_assert_int_eq(sp_pool_prewarm(pool, 10, 1, 0), SP_MEMORY);
  ck_assert(sp_manager_hash(m) == before && count_pools(m) == 1);
  c->memory.fail_at = 0;
  ck_assert(core_alloc(pool) == first && sp_stats_of(pool).total == 70 && sp_manager_hash(m) == after);
  ck_assert_int_eq(sp_snapshot_restore(m, s), SP_OK);
  ck_assert(sp_snapshot_restore(m, both) == SP_OK && sp_manager_hash(m) == after);
  ck_assert_int_eq(sp_snapshot_restore(m, s), SP_OK);
  ck_assert_int_eq(sp_pool_remove(pool, NULL, NULL), SP_OK);
  core_pool(c, "New");
  ck_assert_str_eq(sp_pool_desc_of(pool_at(m, 1))->type, "New");
  sp_snapshot_free(s);
  sp_snapshot_free(both);
}

POOL_TEST(snapshots, count_references_that_were_taken_back_as_given_out)
{
  sp_snapshot *s = sp_snapshot_take(c->manager, NULL, NULL);
  for (int i = 0; i < 100; i++)
    core_recycle(c, core_alloc(pool));
  uint32_t next = sp_next_generation(c->manager);
  ck_assert_int_eq(sp_snapshot_restore(c->manager, s), SP_OK);
  ck_assert_uint_eq(sp_next_generation(c->manager), next);
  sp_snapshot_free(s);
}

TEST(snapshots, outlive_their_manager_and_are_refused_where_they_do_not_fit)
{
  core b, other;
  sp_manager *first = sp_manager_open_from(&TEST_OPTIONS(.id = 1, .step = STEP), 0, NULL);
  core_open(&b);
  core_open_with(&other, TEST_OPTIONS(.id = 2, .lives = 9));
  const sp_pool_desc desc = test_desc("Cube");
  sp_ref object = sp_pool_alloc(sp_manager_add_pool(first, &desc, NULL), 1, NULL, NULL);
  sp_snapshot *s = sp_snapshot_take(first, NULL, NULL);
  sp_manager_close(first);
  core_alloc(core_pool(&other, "Cube"));
  const uint64_t hash = sp_manager_hash(other.manager);
  ck_assert(sp_snapshot_restore(other.manager, s) == SP_FOREIGN && sp_manager_hash(other.manager) == hash);
  ck_assert_int_eq(sp_snapshot_restore(b.manager, s), SP_INVALID); /* it has no such pool */
  sp_pool *flat = core_pool_with(&b, &TEST_DESC(.type = "Cube"));
  ck_assert_int_eq(sp_snapshot_restore(b.manager, s), SP_INVALID); /* and here it has no place */
  sp_pool_remove(flat, NULL, NULL);
  core_pool(&b, "Cube");
  ck_assert_int_eq(sp_snapshot_restore(b.manager, s), SP_OK);
  ck_assert_double_eq(sp_object_remaining(b.manager, object), 1);
  sp_snapshot_free(s);
  sp_snapshot_free(NULL);
  core_close(&b);
  core_close(&other);
}

/* So many objects with ends, timers and parents, in two pools. */
static void populate(core *c, int count)
{
  sp_pool *pools[] = {core_pool(c, "Plain"), core_pool(c, "Spark")};
  sp_ref last = SP_NULL_REF;
  for (int i = 0; i < count; i++) {
    sp_ref object = sp_pool_alloc(pools[i % 2], i % 3 * (i % 70) * STEP, NULL, NULL);
    must(object && (i % 5 || sp_timer_start(c->manager, object, i % 40 * STEP, i % 3 * STEP, 0, NULL)));
    sp_object_set_parent(c->manager, object, i % 4 ? SP_NULL_REF : last);
    last = object;
  }
  core_tick(c, 7);
}

/* From some point on the allocator refuses, later each time, until all goes well. A manager that has failed keeps what
   it got until then and asks for less the next time, so each time it is a new one. */
CORE_TEST(snapshots, change_nothing_when_memory_is_refused)
{
  populate(c, 700);
  sp_snapshot *s = sp_snapshot_take(c->manager, NULL, NULL);
  sp_result why = SP_MEMORY;
  int refusals = 0;
  for (; why == SP_MEMORY; refusals++) {
    core other;
    core_open(&other);
    populate(&other, 0);
    uint64_t hash = sp_manager_hash(other.manager);
    other.memory.fail_at = other.memory.calls + (size_t)refusals + 1;
    other.memory.keep_failing = true;
    why = sp_snapshot_restore(other.manager, s);
    ck_assert_uint_eq(sp_manager_hash(other.manager), why == SP_OK ? sp_manager_hash(c->manager) : hash);
    core_close(&other);
  }
  ck_assert(why == SP_OK && refusals > 5);
  sp_snapshot_free(s);
}

/* The wheel still lists lives that were recycled, in chunks that no pool has any more. */
TEST(snapshots, know_the_chunks_of_all_that_the_wheel_lists)
{
  core there, here;
  core_open_with(&there, TEST_OPTIONS(.id = 7));
  core_open_with(&here, TEST_OPTIONS(.id = 7));
  sp_pool *pool = core_pool(&there, "Cube");
  core_pool(&here, "Cube");
  sp_ref far[300];
  for (int i = 0; i < 300; i++)
    far[i] = sp_pool_alloc(pool, 0.1, NULL, NULL);
  sp_pool_recycle_all(pool);
  sp_pool_trim(pool, 0);
  must(sp_pool_alloc(pool, 0.1, NULL, NULL));
  sp_snapshot *s = sp_snapshot_take(there.manager, NULL, NULL);
  core_tape tape = core_save(there.manager);
  sp_manager *loaded = core_load(&tape, TEST_OPTIONS(.id = 7), NULL, NULL);
  sp_manager *managers[] = {here.manager, loaded};
  for (int i = 0; i < 2; i++) {
    ck_assert_int_eq(sp_snapshot_restore(managers[i], s), SP_OK);
    ck_assert_uint_eq(sp_manager_hash(managers[i]), sp_manager_hash(there.manager));
    must(sp_manager_update(managers[i], 1) == SP_OK && sp_pool_live(sp_manager_pool(managers[i], "Cube")) == 0);
    must(sp_pool_prewarm(sp_manager_pool(managers[i], "Cube"), 300, 0, 0) == SP_OK);
    for (int k = 0; k < 300; k++)
      must(sp_pool_alloc(sp_manager_pool(managers[i], "Cube"), 0, NULL, NULL));
    for (int k = 0; k < 300; k++)
      must(!sp_object_is_live(managers[i], far[k])); /* what was stale is so for ever */
  }
  sp_snapshot_free(s);
  sp_manager_close(loaded);
  free(tape.bytes);
  core_close(&there);
  core_close(&here);
}

/* A manager that has had other lives before, so that generations begin later in it. */
TEST(snapshots, go_on_in_a_manager_of_another_id_with_all_references_moved)
{
  static const sp_field fields[] = {{.name = "next", .size = 8, .ref = true}};
  core there, here;
  core_open_with(&there, TEST_OPTIONS(.id = 3));
  core_open_from(&here, TEST_OPTIONS(.id = 9), 100);
  const sp_pool_desc desc =
      TEST_DESC(.type = "Cube", .spatial = true, .fields = fields, .field_count = 1,
                .settings = {.grow = 4, .limit = 9, .idle_limit = 9, .overflow = SP_OVERFLOW_OLDEST});
  sp_pool *pools[] = {core_pool_with(&there, &desc), core_pool_with(&here, &desc)};
  sp_ref objects[4];
  core_alloc_many(pools[0], objects, 4);
  core_recycle(&there, objects[3]);
  *(sp_ref *)sp_object_cell(there.manager, objects[0], SP_FIELDS) = objects[1];
  *(sp_ref *)sp_object_cell(there.manager, objects[1], SP_FIELDS) = objects[3];
  must(sp_object_set_parent(there.manager, objects[2], objects[0]) == SP_OK);
  must(sp_timer_start(there.manager, objects[0], 1, 0, 0, NULL));
  sp_snapshot *s = sp_snapshot_take(there.manager, NULL, NULL);
  ck_assert_int_eq(sp_snapshot_restore(here.manager, s), SP_OK);
  ck_assert_uint_eq(sp_manager_hash(here.manager), sp_manager_hash(there.manager));
  sp_walk walk = sp_pool_walk(pools[1]);
  const sp_ref first = sp_walk_next(&walk), second = sp_walk_next(&walk), third = sp_walk_next(&walk);
  ck_assert(first && first != objects[0] && third && !sp_walk_next(&walk));
  ck_assert_uint_eq(*(const sp_ref *)sp_object_peek(here.manager, first, SP_FIELDS), second);
  const sp_ref stale = *(const sp_ref *)sp_object_peek(here.manager, second, SP_FIELDS);
  ck_assert_int_eq(sp_object_recycle(here.manager, stale), SP_STALE);
  ck_assert_uint_eq(sp_object_parent(here.manager, third), first);
  for (int i = 0; i < 20; i++) { /* the oldest ones are evicted in the same order */
    must(sp_pool_alloc(pools[0], i, NULL, NULL) && sp_pool_alloc(pools[1], i, NULL, NULL));
    must(sp_manager_update(there.manager, STEP) == SP_OK && sp_manager_update(here.manager, STEP) == SP_OK);
    ck_assert_uint_eq(sp_manager_hash(here.manager), sp_manager_hash(there.manager));
  }
  sp_snapshot_free(s);
  core_close(&there);
  core_close(&here);
}

POOL_TEST(snapshots, put_back_the_settings_that_the_game_has_set_and_leave_those_of_the_description)
{
  sp_settings settings = sp_pool_desc_of(pool)->settings;
  core_recycle(c, core_alloc(pool));
  settings.limit = 50;
  settings.overflow = SP_OVERFLOW_OLDEST;
  must(sp_pool_set_settings(pool, &settings) == SP_OK);
  core_alloc(pool);
  sp_snapshot *s = sp_snapshot_take(c->manager, NULL, NULL);
  core_tape tape = core_save(c->manager);
  const uint64_t hash = sp_manager_hash(c->manager);
  settings = (sp_settings){.grow = 7, .limit = 60, .idle_limit = 0, .order = SP_ORDER_LIFO};
  must(sp_pool_set_settings(pool, &settings) == SP_OK && sp_manager_hash(c->manager) != hash);
  c->memory.fail_at = c->memory.calls + 1;
  c->memory.keep_failing = true;
  ck_assert_int_eq(sp_snapshot_restore(c->manager, s), SP_MEMORY); /* for the queue of ages */
  ck_assert_uint_eq(sp_pool_desc_of(pool)->settings.limit, 60);
  c->memory.fail_at = 0;
  sp_pool_desc desc = *sp_pool_desc_of(pool);
  desc.settings = (sp_settings){.grow = 3, .limit = 70, .idle_limit = SP_UNLIMITED};
  must(sp_pool_redefine(pool, &desc) == SP_OK && sp_snapshot_restore(c->manager, s) == SP_OK);
  settings = sp_pool_desc_of(pool)->settings;
  ck_assert(settings.limit == 50 && settings.overflow == SP_OVERFLOW_OLDEST && settings.grow == 3);
  sp_manager *loaded = core_load(&tape, TEST_OPTIONS(), NULL, NULL);
  ck_assert_uint_eq(sp_manager_hash(loaded), hash);
  sp_manager_close(loaded);
  free(tape.bytes);
  sp_snapshot_free(s);
}

/* A host that uses the snapshot that its state is written to or read from. */
typedef struct meddler {
  sp_manager *manager, *other;
  sp_snapshot *snapshot;
  sp_result why;
} meddler;

static void meddle(meddler *it)
{
  it->why = SP_OK;
  if (!it->snapshot)
    return;
  sp_snapshot_free(it->snapshot);
  must(!sp_snapshot_take(it->other, it->snapshot, &it->why) && it->why == SP_BUSY);
  it->why = sp_snapshot_restore(it->other, it->snapshot);
}

static size_t meddle_size(void *ud) { return meddle(ud), 4; }
static void meddle_write(void *ud, void *bytes, size_t size) { memset(bytes, 0, size), meddle(ud); }
static bool meddle_read(void *ud, const void *bytes, size_t size) { return meddle(ud), bytes && size == 4; }

/* Acceleration that was written meanwhile, to 0, makes one more pass: it changes no bit of what had bounced. */
CORE_TEST(snapshots, go_on_alike_whatever_was_written_since)
{
  sp_pool_desc desc = test_desc("Ball");
  desc.bounds = (sp_bounds){0, 0, 10, 10, SP_OUTSIDE_BOUNCE};
  sp_pool *pool = core_pool_with(c, &desc);
  const sp_ref ball = core_alloc_at(pool, 15, 5), other = core_alloc(pool);
  sp_snapshot *s = sp_snapshot_take(c->manager, NULL, NULL);
  uint64_t hash[2];
  for (int i = 0; i < 2; i++) {
    ck_assert_int_eq(sp_snapshot_restore(c->manager, s), SP_OK);
    core_tick(c, 2);
    hash[i] = sp_manager_hash(c->manager);
    ck_assert(core_peek(c, ball, SP_X) == 5 && !signbit(core_peek(c, ball, SP_VX)));
    *(float *)sp_object_cell(c->manager, other, SP_AX) = 0;
  }
  ck_assert_uint_eq(hash[0], hash[1]);
  sp_snapshot_free(s);
}

TEST(snapshots, are_busy_in_the_callbacks_of_the_state_of_the_host)
{
  core c, other;
  meddler it = {0};
  core_open_with(&c, TEST_OPTIONS(.host = {&it, meddle_size, meddle_write, meddle_read}));
  core_open(&other);
  it.manager = c.manager;
  it.other = other.manager;
  it.snapshot = sp_snapshot_take(c.manager, NULL, NULL);
  sp_result why = SP_OK;
  ck_assert(sp_snapshot_take(c.manager, it.snapshot, &why) == it.snapshot && it.why == SP_BUSY);
  it.why = SP_OK;
  ck_assert(sp_snapshot_restore(c.manager, it.snapshot) == SP_OK && it.why == SP_BUSY);
  sp_snapshot_free(it.snapshot);
  core_close(&c);
  core_close(&other);
}

/* Every byte of a cell, in each row of a chunk that is not full; and values that are exchanged. */
POOL_TEST(hashes, every_member_of_a_look_and_every_place_counts)
{
  sp_ref objects[7];
  core_alloc_many(pool, objects, 7);
  for (int i = 0; i < 7; i++)
    *(float *)sp_object_cell(c->manager, objects[i], SP_X) = (float)i;
  const uint64_t before = sp_manager_hash(c->manager);
  for (int i = 0; i < 7; i++) {
    for (int column = SP_X; column < SP_LOOK; column++) {
      float *cell = sp_object_cell(c->manager, objects[i], column);
      float *next = sp_object_cell(c->manager, objects[(i + 1) % 7], column);
      const float was = *cell, other = *next;
      *cell = 9;
      ck_assert_uint_ne(sp_manager_hash(c->manager), before);
      *cell = other, *next = was;
      ck_assert(was == other || sp_manager_hash(c->manager) != before);
      *cell = was, *next = other;
    }
    unsigned char *look = sp_object_cell(c->manager, objects[i], SP_LOOK);
    for (size_t k = 0; k < offsetof(sp_look, reserved); k++) {
      look[k] ^= 1;
      ck_assert_msg(sp_manager_hash(c->manager) != before, "object %d, byte %zu of its look", i, k);
      look[k] ^= 1;
    }
  }
  ck_assert_uint_eq(sp_manager_hash(c->manager), before);
}

TEST(hashes, see_the_one_object_that_lives_among_chunks_at_rest)
{
  core k;
  core_open(&k);
  sp_pool *pool = core_pool_with(&k, &TEST_DESC(.type = "Big", .spatial = true));
  ck_assert_uint_eq(sp_pool_prewarm_now(pool, 8 * SP_CHUNK_SLOTS, NULL), 8 * SP_CHUNK_SLOTS);
  sp_snapshot *s = sp_snapshot_take(k.manager, NULL, NULL);
  for (uint32_t chunk = 0; chunk < 8; chunk++) {
    sp_ref idle = sp_pool_idle_after(pool, SP_NULL_REF);
    for (uint32_t i = 0; i < chunk * SP_CHUNK_SLOTS; i++)
      idle = sp_pool_idle_after(pool, idle);
    const sp_ref object = sp_pool_take_idle(pool, idle, 0, NULL);
    const uint64_t before = sp_manager_hash(k.manager);
    *(float *)sp_object_cell(k.manager, object, SP_X) = 9;
    ck_assert_msg(sp_manager_hash(k.manager) != before, "chunk %u", chunk);
    ck_assert_int_eq(sp_snapshot_restore(k.manager, s), SP_OK);
  }
  sp_snapshot_free(s);
  core_close(&k);
}

POOL_TEST(hashes, see_a_prewarm_that_is_to_come)
{
  const uint64_t before = sp_manager_hash(c->manager);
  ck_assert_int_eq(sp_pool_prewarm(pool, 10, 1, 5), SP_OK);
  ck_assert_uint_ne(sp_manager_hash(c->manager), before);
}

SUITE(snapshot, &snapshots, &hashes)
