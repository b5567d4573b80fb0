/*
** Saves: a game goes on from its bytes as it would have gone on, bytes that are not whole are refused, and the state of
** a host comes back with them, and with a snapshot, or not at all. The suite `fuzz` has saves that were made to harm.
*/
#include "support/core_fixture.h"
#include "support/core_tape.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* {== Whole saves ======================================================== */

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

static test_group whole = {"whole"};

CORE_TEST(whole, references_follow_an_id_and_a_range_of_generations)
{
  sp_field target = {.name = "target", .size = sizeof(sp_ref), .ref = true};
  sp_pool_desc desc = test_desc("Cube");
  desc.fields = &target;
  desc.field_count = 1;
  sp_pool *pool = core_pool_with(c, &desc);
  sp_ref parent = core_alloc(pool), child = core_alloc(pool);
  sp_object_set_parent(c->manager, child, parent);
  *(sp_ref *)sp_object_cell(c->manager, parent, SP_FIELDS) = child;
  *(sp_ref *)sp_object_cell(c->manager, child, SP_FIELDS) = 177u << 24 | (sp_ref)1 << 32; /* of another manager */
  core_tape t = core_save(c->manager);
  sp_manager_close(
      sp_manager_open(&TEST_OPTIONS(.id = 177), NULL)); /* so that generations begin later; no other test has this id */
  sp_manager *m = core_load(&t, TEST_OPTIONS(.id = 177), NULL, NULL);
  ck_assert_ptr_nonnull(m);
  const sp_ref further = ((sp_ref)2 << 32) + ((sp_ref)176 << 24), moved = child + further;
  ck_assert(sp_object_is_live(m, moved) && !sp_object_is_live(m, child));
  ck_assert_uint_eq(sp_object_parent(m, moved), parent + further);
  ck_assert_uint_eq(*(const sp_ref *)sp_object_peek(m, parent + further, SP_FIELDS), moved);
  ck_assert_uint_eq(*(const sp_ref *)sp_object_peek(m, moved, SP_FIELDS), SP_NULL_REF);
  core_check(m);
  sp_manager_close(m);
  free(t.bytes);
}

/* Of managers that did not ask for an id, which has no part in the bytes. What others have kept stays readable: the
   size and the checksum are those of every version. */
TEST(whole, the_bytes_depend_on_the_game_alone)
{
  static const unsigned char head[] = {'s', 'p', 'a', 'w', 'n', 's', 'a', 'v', 6, 0, 0, 0, 0, 0, 0, 0, 0};
  static const sp_field fields[] = {{.name = "bytes", .size = 3}, {.name = "self", .size = 8, .ref = true}};
  core_tape tapes[2];
  for (int i = 0; i < 2; i++) {
    sp_manager *m = sp_manager_open(NULL, NULL);
    sp_pool *p = sp_manager_add_pool(m, &TEST_DESC(.type = "A", .fields = fields, .field_count = 2), NULL);
    sp_ref object = sp_pool_alloc(p, 0, NULL, NULL);
    *(sp_ref *)sp_object_cell(m, object, SP_FIELDS + 1) = object;
    tapes[i] = core_save(m);
    sp_manager_close(m);
  }
  ck_assert_uint_eq(tapes[0].size, tapes[1].size);
  ck_assert_mem_eq(tapes[0].bytes, tapes[1].bytes, tapes[0].size);
  ck_assert_mem_eq(tapes[0].bytes, head, sizeof head);
  uint64_t sum = 0;
  for (size_t i = 0; i < 8; i++)
    sum |= (uint64_t)tapes[0].bytes[tapes[0].size - 8 + i] << 8 * i;
  ck_assert_msg(tapes[0].size == 456 && sum == 0xd0ab2f2601b2fbbbu, "%zu bytes, sum %llx", tapes[0].size,
                (unsigned long long)sum);
  free(tapes[0].bytes);
  free(tapes[1].bytes);
}

/* As many as there may be. What has been loaded moves and fades as the saved one does. */
CORE_TEST(whole, all_fields_and_curves_are_saved)
{
  static const sp_curve curves[] = {
      {.column = SP_LOOK, .offset = offsetof(sp_look, a), .count = 3, .points = {1, 0.25f, 0}},
      {.column = SP_SPIN, .count = 2, .points = {0, 8}}};
  char names[SP_MAX_FIELDS][8];
  sp_field fields[SP_MAX_FIELDS];
  for (int i = 0; i < SP_MAX_FIELDS; i++) {
    snprintf(names[i], sizeof names[i], "f%d", i);
    fields[i] = (sp_field){.name = names[i], .size = (uint16_t)(1 + i), .keep = i % 2 == 1};
  }
  sp_pool_desc desc = TEST_DESC(.type = "Spark", .spatial = true, .fields = fields, .field_count = SP_MAX_FIELDS);
  desc.curves = curves;
  desc.curve_count = 2;
  desc.motion = (sp_motion){.gravity = 9, .drag = 0.5f};
  sp_ref object = sp_pool_alloc(core_pool_with(c, &desc), 2, NULL, NULL);
  for (int i = 0; i < SP_MAX_FIELDS; i++)
    memset(sp_object_cell(c->manager, object, SP_FIELDS + i), 200 + i, fields[i].size);
  core_tape t = core_save(c->manager);
  sp_manager *m = core_load(&t, TEST_OPTIONS(.size = sizeof(sp_manager_options)), NULL, NULL);
  ck_assert_ptr_nonnull(m);
  for (int step = 0; step < 3; step++) {
    ck_assert_uint_eq(sp_manager_hash(m), sp_manager_hash(c->manager));
    ck_assert(sp_manager_update(m, 0.5) == SP_OK && sp_manager_update(c->manager, 0.5) == SP_OK);
  }
  core_check(m);
  sp_manager_close(m);
  free(t.bytes);
}

typedef struct unit {
  sp_ref friend;
  int32_t hp;
  int8_t kind; /* and padding */
  float place[2];
} unit;
static const sp_field_member unit_members[] = {{SP_TYPE_FLOAT, offsetof(unit, place), 2},
                                               {SP_TYPE_INT8, offsetof(unit, kind), 0},
                                               {SP_TYPE_REF, offsetof(unit, friend), 1},
                                               {SP_TYPE_INT32, offsetof(unit, hp), 1}};

static void set_unit(core *c, sp_ref object, int junk, const unit *value)
{
  unit *u = sp_object_cell(c->manager, object, SP_FIELDS);
  memset(u, junk, sizeof *u);
  u->friend = value->friend;
  u->hp = value->hp;
  u->kind = value->kind;
  memcpy(u->place, value->place, sizeof u->place);
}

/* The first of two units, which is a friend of the other one. */
static sp_ref open_units(core *c, int junk, sp_manager_options options)
{
  const unit first = {.hp = 100};
  const sp_field field = {.name = "u",
                          .size = sizeof first,
                          .initial = &first,
                          .live = true,
                          .members = unit_members,
                          .member_count = COUNT(unit_members)};
  core_open_with(c, options);
  sp_pool *pool = core_pool_with(c, &TEST_DESC(.type = "Unit", .fields = &field, .field_count = 1));
  const sp_ref one = core_alloc(pool), other = core_alloc(pool);
  set_unit(c, one, junk, &(unit){other, -7, 3, {0.5f, -2}});
  set_unit(c, other, junk, &first);
  return one;
}

static void expect_unit(sp_manager *m)
{
  sp_walk walk = sp_pool_walk(sp_manager_pool(m, "Unit"));
  const unit *u = sp_object_peek(m, sp_walk_next(&walk), SP_FIELDS);
  ck_assert(u->friend && u->friend == sp_walk_next(&walk));
  ck_assert(u->hp == -7 && u->kind == 3 && u->place[0] == 0.5f && u->place[1] == -2);
}

typedef struct heard {
  uint64_t tag;
  sp_ref object;
  int fired, ended;
} heard;

static void hear_timer(void *ud, sp_ref object, sp_timer number, uint64_t tag)
{
  heard *h = ud;
  (void)number;
  h->tag = tag;
  h->object = object;
  h->fired++;
}

static void hear_end(void *ud, sp_ref object, sp_timer number, uint64_t tag)
{
  heard *h = ud;
  (void)number;
  h->tag = h->fired > 0 && h->tag == tag && h->object == object ? tag : 0;
  h->ended++;
}

/* Of an object, or of the manager (_i: 1): by the manager itself, one that was loaded, and one that was restored. */
TESTS(whole, timers_give_back_their_tag, 2)
{
  const uint64_t tag = 0xfedcba9876543210u;
  heard h[3] = {{0}};
  core c, d;
  core_open_with(&c, TEST_OPTIONS(.on_timer = hear_timer, .on_timer_end = hear_end, .timer_ud = &h[0]));
  core_open_with(&d, TEST_OPTIONS(.on_timer = hear_timer, .on_timer_end = hear_end, .timer_ud = &h[2]));
  const sp_ref object = _i ? SP_NULL_REF : core_alloc(core_pool(&c, "Cube"));
  core_pool(&d, "Cube");
  sp_timer_stop(c.manager, sp_timer_start(c.manager, object, 1, 0, 5, NULL)); /* its record is used again */
  ck_assert_int_eq(h[0].ended, 1);
  h[0] = (heard){.tag = 1};
  const uint64_t hash = sp_manager_hash(c.manager);
  must(sp_timer_start(c.manager, object, STEP, 0, tag, NULL));
  ck_assert_uint_ne(sp_manager_hash(c.manager), hash);
  core_tape t = core_save(c.manager);
  const sp_manager_options options = TEST_OPTIONS(.on_timer = hear_timer, .on_timer_end = hear_end, .timer_ud = &h[1]);
  sp_manager *m = core_load(&t, options, NULL, NULL);
  sp_snapshot *s = sp_snapshot_take(c.manager, NULL, NULL);
  ck_assert_int_eq(_i ? SP_OK : sp_snapshot_restore(d.manager, s), SP_OK);
  must(!_i || sp_timer_start(d.manager, SP_NULL_REF, STEP, 0, tag, NULL));
  ck_assert(sp_manager_update(c.manager, STEP) == SP_OK && sp_manager_update(m, STEP) == SP_OK);
  ck_assert_int_eq(sp_manager_update(d.manager, STEP), SP_OK);
  for (int i = 0; i < 3; i++)
    ck_assert(h[i].tag == tag && (h[i].object == SP_NULL_REF) == (_i == 1) && h[i].fired == 1 && h[i].ended == 1);
  sp_manager_close(m);
  sp_snapshot_free(s);
  free(t.bytes);
  core_close(&c);
  core_close(&d);
}

/* Padding counts for nothing, and references among them are moved to another id. */
TEST(whole, fields_that_are_structs_go_by_their_members)
{
  core c, d;
  const sp_ref one = open_units(&c, 0x55, TEST_OPTIONS(.id = 3));
  open_units(&d, 0, TEST_OPTIONS(.id = 300));
  ck_assert_uint_eq(sp_manager_hash(c.manager), sp_manager_hash(d.manager));
  core_tape t = core_save(c.manager), u = core_save(d.manager);
  ck_assert(t.size == u.size && sp_pool_desc_of(pool_at(d.manager, 0))->fields[0].members[0].count == 2);
  sp_manager *m = core_load(&t, TEST_OPTIONS(.id = 301), NULL, NULL);
  expect_unit(m);
  ck_assert_uint_eq(sp_manager_hash(m), sp_manager_hash(c.manager));
  sp_snapshot *s = sp_snapshot_take(c.manager, NULL, NULL);
  core_recycle(&d, pool_at(d.manager, 0) ? sp_next_live(d.manager, UINT64_MAX, SP_NULL_REF) : 0);
  ck_assert_int_eq(sp_snapshot_restore(d.manager, s), SP_OK);
  expect_unit(d.manager);
  ck_assert_uint_eq(sp_manager_hash(d.manager), sp_manager_hash(c.manager));
  const unit tuned = {.hp = 200};
  sp_field field = sp_pool_desc_of(pool_at(c.manager, 0))->fields[0];
  field.initial = &tuned;
  ck_assert_int_eq(
      sp_pool_redefine(pool_at(c.manager, 0), &TEST_DESC(.type = "Unit", .fields = &field, .field_count = 1)), SP_OK);
  const unit *first = sp_object_peek(c.manager, one, SP_FIELDS);
  ck_assert(first->hp == -7 && ((const unit *)sp_object_peek(c.manager, first->friend, SP_FIELDS))->hp == 200);
  sp_manager_close(m);
  sp_snapshot_free(s);
  free(t.bytes);
  free(u.bytes);
  core_close(&c);
  core_close(&d);
}

/* A save, or a snapshot (_i). */
TESTS(whole, what_was_kept_yesterday_has_the_fields_of_today, 2)
{
  static const sp_field old[] = {{.name = "hp", .size = 4}, {.name = "gone", .size = 8}};
  static const uint32_t first = 9;
  static const sp_field new[] = {{.name = "added", .size = 4, .initial = &first}, {.name = "hp", .size = 4}};
  core c;
  *core_said = 0;
  core_open(&c);
  sp_pool_desc desc = test_desc("Cube");
  desc.fields = old;
  desc.field_count = 2;
  sp_pool *pool = core_pool_with(&c, &desc);
  sp_ref object = core_alloc(pool);
  core_alloc(pool);
  *(uint32_t *)sp_object_cell(c.manager, object, SP_FIELDS) = 42;
  core_tape t = core_save(c.manager);
  sp_snapshot *s = sp_snapshot_take(c.manager, NULL, NULL);
  sp_manager *m = _i ? c.manager : core_load(&t, TEST_OPTIONS(.on_log = core_hear), NULL, NULL);
  sp_pool *there = sp_manager_pool(m, "Cube");
  core_recycle(&c, object);
  sp_walk live = sp_pool_walk(there);
  object = _i ? object : sp_walk_next(&live); /* a load may change references */
  desc.fields = new;
  ck_assert_int_eq(sp_pool_redefine(there, &desc), SP_OK);
  ck_assert_int_eq(_i ? sp_snapshot_restore(m, s) : SP_OK, SP_OK);
  ck_assert_uint_eq(*(const uint32_t *)sp_object_peek(m, object, SP_FIELDS), 9);
  ck_assert_uint_eq(*(const uint32_t *)sp_object_peek(m, object, SP_FIELDS + 1), 42);
  ck_assert_str_eq(core_said, _i ? "" : "Cube: field gone is gone: its value is dropped in 2 live objects");
  desc.field_count = 1; /* from now on it is a pool like any other */
  ck_assert_int_eq(sp_pool_redefine(there, &desc), SP_OK);
  core_check(m);
  sp_snapshot_free(s);
  if (!_i)
    sp_manager_close(m);
  free(t.bytes);
  core_close(&c);
}

/* }== */

/* {== Refusals =========================================================== */

static test_group refused = {"refused"};

static sp_timer timer; /* of the manager that is meddled with */

/* Tries to change a manager that is saved. */
static void meddle(sp_manager *m)
{
  sp_pool *pool = pool_at(m, 0);
  sp_walk walk = sp_pool_walk(pool);
  const sp_ref cube = sp_walk_next(&walk);
  const sp_pool_desc desc = test_desc("Cube"), other = test_desc("Other");
  const sp_settings settings = sp_pool_desc_of(pool)->settings;
  sp_result why[8] = {SP_OK};
  must(sp_manager_is_busy(m) && sp_object_is_live(m, cube) && sp_object_cell(m, cube, SP_X));
  must(sp_pool_alloc(pool, 0, NULL, &why[0]) == SP_NULL_REF && sp_pool_alloc(pool, 5, NULL, &why[1]) == SP_NULL_REF);
  must(sp_alloc_begin(pool, 0, &why[2]) == SP_NULL_REF);
  must(sp_pool_take_idle(pool, sp_pool_idle_after(pool, SP_NULL_REF), 0, &why[3]) == SP_NULL_REF);
  must(sp_pool_prewarm_now(pool, 100000, &why[4]) == 0);
  must(sp_timer_start(m, cube, 1, 0, 0, &why[5]) == 0 && !sp_manager_add_pool(m, &other, &why[6]));
  must(!sp_snapshot_take(m, NULL, &why[7]));
  for (int i = 0; i < 8; i++)
    must(why[i] == SP_BUSY);
  must(sp_object_recycle(m, cube) == SP_BUSY && sp_object_recycle_base(m, cube) == SP_BUSY);
  must(sp_alloc_undo(m, cube) == SP_BUSY && sp_timer_stop(m, timer) == SP_BUSY);
  must(sp_object_set_remaining(m, cube, 3) == SP_BUSY && sp_object_set_parent(m, cube, SP_NULL_REF) == SP_BUSY);
  must(sp_pool_set_settings(pool, &settings) == SP_BUSY && sp_pool_redefine(pool, &desc) == SP_BUSY);
  must(sp_pool_prewarm(pool, 100, 1, 0) == SP_BUSY && sp_manager_set_time_scale(m, 2) == SP_BUSY);
  must(sp_pool_remove(pool, NULL, NULL) == SP_BUSY && sp_manager_update(m, STEP) == SP_BUSY &&
       sp_manager_close(m) == SP_BUSY);
  must(sp_pool_recycle_all(pool) + sp_pool_trim(pool, 0) + sp_pool_trim(pool, 5) == 0);
}

typedef struct meddler {
  core_tape tape;
  sp_manager *m;
} meddler;

static bool meddle_and_write(void *ud, const void *bytes, size_t size)
{
  meddler *it = ud;
  meddle(it->m);
  return core_tape_write(&it->tape, bytes, size);
}

/* An object with a child, and a timer unless it was refused; an idle one; and the host, unless it is NULL. */
static void open_tiny(core *c, core_host *host)
{
  const sp_manager_options options = TEST_OPTIONS(.host = host ? core_host_state(host) : (sp_host_state){0});
  core_open_with(c, options);
  sp_pool *pool = core_pool(c, "Cube");
  sp_ref parent = core_alloc(pool);
  sp_object_set_parent(c->manager, core_alloc(pool), parent);
  timer = sp_timer_start(c->manager, parent, 1, 1, 7, NULL);
  core_recycle(c, sp_pool_alloc(pool, 3, NULL, NULL));
}

/* Nor while a host is asked for its state, or given it. */
TEST(refused, a_writer_cannot_touch_what_it_saves)
{
  static core_host host;
  core c;
  open_tiny(&c, &host);
  for (int i = 0; i < 3000; i++)
    core_alloc(pool_at(c.manager, 0));
  sp_pool_prewarm(pool_at(c.manager, 0), 3100, 0, 0);
  meddler it = {.m = c.manager};
  core_tape plain = core_save(c.manager);
  const uint64_t hash = sp_manager_hash(c.manager);
  host = (core_host){.look = meddle, .manager = c.manager};
  ck_assert_int_eq(sp_manager_save(c.manager, meddle_and_write, &it), SP_OK);
  ck_assert_uint_eq(it.tape.size, plain.size);
  ck_assert_mem_eq(it.tape.bytes, plain.bytes, plain.size);
  sp_snapshot *s = sp_snapshot_take(c.manager, NULL, NULL);
  ck_assert(sp_snapshot_restore(c.manager, s) == SP_OK && host.reads == 1 && sp_manager_hash(c.manager) == hash);
  ck_assert_uint_gt(sp_stats_of(pool_at(c.manager, 0)).refused, 0); /* counted as other refusals are */
  sp_snapshot_free(s);
  free(plain.bytes);
  free(it.tape.bytes);
  core_close(&c);
}

static void expect_refused(core_tape *t, core_host *host, sp_result expected, const char *what, size_t where)
{
  test_memory memory = {0};
  sp_result why = SP_OK;
  sp_manager *m = core_load(t, TEST_OPTIONS(.host = core_host_state(host)), &memory, &why);
  ck_assert_msg(!m && why == expected, "%s %zu: %s", what, where, m ? "loaded" : sp_result_name(why));
  ck_assert(test_memory_is_clean(&memory) && host->reads == 0);
}

TEST(refused, a_save_that_is_cut_off_or_has_a_bit_flipped_is_refused_before_the_host_reads)
{
  static core_host host;
  core c;
  host = (core_host){.size = 20};
  open_tiny(&c, &host);
  core_tape t = core_save(c.manager);
  const size_t size = t.size;
  for (t.size = 0; t.size < size; t.size++)
    expect_refused(&t, &host, SP_DAMAGED, "cut at", t.size);
  for (size_t bit = 0; bit < size * 8; bit++) {
    t.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    const bool is_version = bit / 8 >= 8 && bit / 8 < 12;
    const bool is_newer = is_version && (t.bytes[8] > 5 || t.bytes[9] + t.bytes[10] + t.bytes[11] > 0);
    expect_refused(&t, &host, is_newer ? SP_NEWER : SP_DAMAGED, "bit", bit);
    t.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
  }
  free(t.bytes);
  core_close(&c);
}

TEST(refused, other_refusals_have_their_reason)
{
  core c;
  open_tiny(&c, NULL);
  core_tape t = core_save(c.manager), full = {.most = 100};
  sp_result why = SP_OK;
  char name[SP_MAX_SAVE_NAME + 1];
  memset(name, 'x', SP_MAX_SAVE_NAME);
  name[SP_MAX_SAVE_NAME] = '\0';
  ck_assert(!core_load(&t, TEST_OPTIONS(.step = 0.5), NULL, &why) && why == SP_INVALID);
  ck_assert_int_eq(sp_manager_save(c.manager, core_tape_write, &full), SP_FAILED); /* the disk is full */
  const sp_field field = {.name = name, .size = 1};
  sp_pool *pool = core_pool_with(&c, &TEST_DESC(.type = "A", .fields = &field, .field_count = 1));
  ck_assert_int_eq(sp_manager_save(c.manager, core_tape_write, &full), SP_INVALID);
  sp_pool_remove(pool, NULL, NULL);
  core_pool(&c, name);
  ck_assert_int_eq(sp_manager_save(c.manager, core_tape_write, &full), SP_INVALID);
  free(t.bytes);
  free(full.bytes);
  core_close(&c);
}

/* }== */

/* {== A host ============================================================= */

static test_group hosts = {"hosts"};

static void set(core_host *it, const char *text)
{
  it->size = strlen(text);
  memcpy(it->bytes, text, it->size);
}

static bool is(const core_host *it, const char *text)
{
  return it->size == strlen(text) && memcmp(it->bytes, text, it->size) == 0;
}

TEST(hosts, have_their_state_back_with_a_snapshot_of_any_manager_and_with_a_save)
{
  static core_host it, other;
  core c, d;
  it = other = (core_host){.size = 0};
  open_tiny(&c, &it);
  open_tiny(&d, &other);
  set(&it, "7 points");
  const uint64_t hash = sp_manager_hash(c.manager);
  sp_snapshot *s = sp_snapshot_take(c.manager, NULL, NULL);
  set(&it, "a long way from there");
  ck_assert_uint_eq(sp_manager_hash(c.manager), hash); /* which leaves it out */
  ck_assert(sp_snapshot_restore(c.manager, s) == SP_OK && is(&it, "7 points"));
  ck_assert(sp_snapshot_restore(d.manager, s) == SP_OK && is(&other, "7 points"));
  set(&it, "8 points, which are more");
  ck_assert_ptr_eq(sp_snapshot_take(c.manager, s, NULL), s);
  it.size = sizeof it.bytes; /* more than a reader takes at once */
  core_tape t = core_save(c.manager);
  sp_manager *m = core_load(&t, TEST_OPTIONS(.host = core_host_state(&other)), NULL, NULL);
  ck_assert(m && other.reads == 2 && other.size == it.size && memcmp(other.bytes, it.bytes, it.size) == 0);
  ck_assert(sp_snapshot_restore(c.manager, s) == SP_OK && is(&it, "8 points, which are more"));
  sp_manager_close(m);
  free(t.bytes);
  sp_snapshot_free(s);
  core_close(&c);
  core_close(&d);
}

/* One that refuses its state, one that cannot read (_i: 1), and one that is told that there was none (_i: 2). */
TESTS(hosts, that_do_not_take_a_state_back_change_nothing, 3)
{
  static const char no_reader[] = "sp_manager_options: host.read is NULL, and there is a state to be read";
  static core_host it, loaded;
  test_memory memory = {0};
  core c, d;
  sp_result why = SP_OK;
  core_said[0] = '\0';
  it = loaded = (core_host){.size = 4};
  open_tiny(&c, _i == 2 ? NULL : &it);
  sp_snapshot *s = sp_snapshot_take(c.manager, NULL, NULL);
  core_tape t = core_save(c.manager);
  sp_manager_options options = TEST_OPTIONS(.host = _i == 1 ? (sp_host_state){0} : core_host_state(&loaded));
  options.on_log = core_hear;
  core_open_with(&d, options);
  core_alloc(core_pool(&d, "Cube"));
  loaded.refuses = true;
  uint64_t hash = sp_manager_hash(d.manager);
  ck_assert_int_eq(sp_snapshot_restore(d.manager, s), _i == 1 ? SP_INVALID : SP_FAILED);
  ck_assert(sp_manager_hash(d.manager) == hash && loaded.size == 4);
  core_check(d.manager);
  ck_assert_ptr_null(core_load(&t, options, &memory, &why));
  ck_assert(why == (_i == 1 ? SP_INVALID : SP_FAILED) && test_memory_is_clean(&memory));
  ck_assert_str_eq(core_said, _i == 1 ? no_reader : "");
  loaded.refuses = false;
  ck_assert(_i != 2 || (sp_snapshot_restore(d.manager, s) == SP_OK && loaded.size == 0 && loaded.reads == 3));
  sp_snapshot_free(s);
  free(t.bytes);
  core_close(&c);
  core_close(&d);
}

/* }== */

SUITE(save, &whole, &refused, &hosts)
