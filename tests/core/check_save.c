/*
** Saves: a game goes on from its bytes as it would have gone on, and bytes that are not whole are refused.
*/
#include "support/core_fixture.h"
#include "support/core_tape.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* {== Whole saves ======================================================== */

static test_group whole_tests = {"whole"};
static test_group refused_tests = {"refused"};
static test_group hostile = {"hostile"};

TEST(whole_tests, references_follow_an_id_and_a_range_of_generations)
{
  core c;
  core_open(&c);
  sp_field target = {.name = "target", .size = sizeof(sp_ref), .ref = true};
  sp_pool_desc desc = test_desc("Cube");
  desc.fields = &target;
  desc.field_count = 1;
  sp_pool *pool = core_pool_with(&c, &desc);
  sp_ref parent = core_alloc(pool), child = core_alloc(pool);
  sp_set_parent(c.manager, child, parent);
  *(sp_ref *)sp_cell(c.manager, parent, SP_FIELDS) = child;
  *(sp_ref *)sp_cell(c.manager, child, SP_FIELDS) = 9u << 24 | (sp_ref)1 << 32; /* of another manager */
  core_tape t = core_save(c.manager);
  sp_result why = SP_OK;
  sp_manager *m = core_load(&t, (sp_options){.id = 9, .first_generation = 1000}, NULL, &why);
  ck_assert_ptr_nonnull(m);
  sp_ref moved = child + ((sp_ref)1000 << 32) + ((sp_ref)8 << 24);
  ck_assert(sp_is_live(m, moved));
  ck_assert(!sp_is_live(m, child));
  ck_assert_uint_eq(sp_parent(m, moved), parent + ((sp_ref)1000 << 32) + ((sp_ref)8 << 24));
  ck_assert_uint_eq(*(const sp_ref *)sp_peek(m, sp_parent(m, moved), SP_FIELDS), moved);
  ck_assert_uint_eq(*(const sp_ref *)sp_peek(m, moved, SP_FIELDS), SP_NONE_REF);
  *(sp_ref *)sp_cell(c.manager, child, SP_FIELDS) = SP_NONE_REF;
  ck_assert_uint_eq(sp_hash(m), sp_hash(c.manager));
  core_check(m);
  sp_close(m);
  free(t.bytes);
  core_close(&c);
}

/* The first bytes of every save, and the size of one that holds this: what others may have kept must stay readable. */
TEST(whole_tests, the_bytes_do_not_depend_on_the_machine)
{
  static const unsigned char head[] = {'s', 'p', 'a', 'w', 'n', 's', 'a', 'v', 2, 0, 0, 0, 1, 0, 0, 0, 0};
  static const double pi = 3.25;
  sp_field field = {.name = "pi", .initial = &pi, .size = 8};
  sp_pool_desc desc = test_desc("Cube");
  desc.fields = &field;
  desc.field_count = 1;
  core c;
  core_open(&c);
  core_alloc(core_pool_with(&c, &desc));
  core_tape t = core_save(c.manager);
  ck_assert_mem_eq(t.bytes, head, sizeof head);
  uint64_t sum = 0;
  for (size_t i = 0; i < 8; i++)
    sum |= (uint64_t)t.bytes[t.size - 8 + i] << 8 * i;
  ck_assert_msg(t.size == 807 && sum == 0xbabc5c001840320fu, "%zu bytes, sum %llx", t.size, (unsigned long long)sum);
  free(t.bytes);
  core_close(&c);
}

TEST(whole_tests, an_id_that_was_not_asked_for_is_not_among_the_bytes)
{
  static const sp_field field = {.name = "self", .size = sizeof(sp_ref), .ref = true};
  core_tape tapes[2];
  for (int i = 0; i < 2; i++) {
    sp_manager *m = sp_open(NULL, NULL);
    sp_pool *p = sp_add_pool(m, &(sp_pool_desc){.type = "A", .fields = &field, .field_count = 1}, NULL);
    sp_ref object, *cell = sp_pool_alloc_cell(p, 0, SP_FIELDS, &object, NULL);
    *cell = object;
    tapes[i] = core_save(m);
    sp_close(m);
  }
  ck_assert_uint_eq(tapes[0].size, tapes[1].size);
  ck_assert_mem_eq(tapes[0].bytes, tapes[1].bytes, tapes[0].size);
  sp_manager *loaded = core_load(&tapes[0], (sp_options){0}, NULL, NULL);
  sp_walk walk = sp_pool_walk(sp_get_pool(loaded, 0));
  const sp_ref object = sp_walk_next(&walk);
  ck_assert_uint_eq(*(const sp_ref *)sp_peek(loaded, object, SP_FIELDS), object);
  sp_close(loaded);
  free(tapes[0].bytes);
  free(tapes[1].bytes);
}

typedef struct told {
  int count;
  char text[256];
} told;

static void hear(void *ud, const char *text)
{
  told *t = ud;
  t->count++;
  snprintf(t->text, sizeof t->text, "%s", text);
}

/* A save, or a snapshot (_i). */
TESTS(whole_tests, what_was_kept_yesterday_has_the_fields_of_today, 2)
{
  static const sp_field old[] = {{.name = "hp", .size = 4}, {.name = "gone", .size = 8}};
  static const uint32_t first = 9;
  static const sp_field new[] = {{.name = "added", .size = 4, .initial = &first}, {.name = "hp", .size = 4}};
  core c;
  told heard = {0};
  core_open(&c);
  sp_pool_desc desc = test_desc("Cube");
  desc.fields = old;
  desc.field_count = 2;
  sp_pool *pool = core_pool_with(&c, &desc);
  sp_ref object = core_alloc(pool);
  core_alloc(pool);
  *(uint32_t *)sp_cell(c.manager, object, SP_FIELDS) = 42;
  core_tape t = core_save(c.manager);
  sp_snapshot *s = sp_snapshot_take(c.manager, NULL, NULL);
  sp_manager *m = _i ? c.manager : core_load(&t, (sp_options){.on_log = hear, .log_ud = &heard}, NULL, NULL);
  sp_pool *there = sp_find_pool(m, "Cube");
  core_recycle(&c, object);
  desc.fields = new;
  ck_assert_int_eq(sp_pool_redefine(there, &desc), SP_OK);
  ck_assert_int_eq(_i ? sp_snapshot_restore(m, s) : SP_OK, SP_OK);
  ck_assert_uint_eq(*(const uint32_t *)sp_peek(m, object, SP_FIELDS), 9);
  ck_assert_uint_eq(*(const uint32_t *)sp_peek(m, object, SP_FIELDS + 1), 42);
  ck_assert_str_eq(heard.text, _i ? "" : "Cube: field gone is gone: its value is dropped in 2 live objects");
  desc.field_count = 1; /* from now on it is a pool like any other */
  ck_assert_int_eq(sp_pool_redefine(there, &desc), SP_OK);
  ck_assert_int_eq(heard.count, _i ? 0 : 1);
  core_check(m);
  sp_snapshot_free(s);
  if (!_i)
    sp_close(m);
  free(t.bytes);
  core_close(&c);
}

/* As many as there may be, of every size that is written in a way of its own; what has been loaded moves and fades as
   the saved one does. */
TEST(whole_tests, fields_of_every_size_and_curves_are_saved)
{
  static const uint16_t sizes[] = {1, 2, 3, 4, 8, 16};
  static const unsigned char first[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  static char names[SP_MAX_FIELDS][8];
  sp_field fields[SP_MAX_FIELDS];
  for (int i = 0; i < SP_MAX_FIELDS; i++) {
    snprintf(names[i], sizeof names[i], "f%d", i);
    fields[i] = (sp_field){.name = names[i], .initial = first, .size = sizes[i % 6], .keep = i % 5 == 0};
  }
  const sp_curve curves[] = {
      {.column = SP_LOOK, .offset = offsetof(sp_look, a), .count = 3, .points = {1, 0.25f, 0}},
      {.column = SP_SPIN, .count = 2, .points = {0, 8}},
  };
  core c;
  core_open(&c);
  sp_pool_desc desc = test_desc("Spark");
  desc.fields = fields;
  desc.field_count = SP_MAX_FIELDS;
  desc.curves = curves;
  desc.curve_count = 2;
  desc.motion = (sp_motion){.gravity = 9, .drag = 0.5f};
  desc.settings.order = SP_ORDER_LIFO;
  sp_ref object = sp_pool_alloc(core_pool_with(&c, &desc), 2, NULL);
  for (int i = 0; i < SP_MAX_FIELDS; i++)
    memset(sp_cell(c.manager, object, SP_FIELDS + i), 200 + i, fields[i].size);
  core_tape t = core_save(c.manager);
  sp_manager *m = core_load(&t, (sp_options){0}, NULL, NULL);
  ck_assert_ptr_nonnull(m);
  for (int step = 0; step < 3; step++) {
    ck_assert_uint_eq(sp_hash(m), sp_hash(c.manager));
    sp_update(m, 0.5);
    sp_update(c.manager, 0.5);
  }
  ck_assert_float_eq(((const sp_look *)sp_peek(m, object, SP_LOOK))->a, 0.125f);
  ck_assert_int_eq(sp_recycle(m, object), SP_OK);
  sp_ref next = sp_pool_alloc(sp_get_pool(m, 0), 0, NULL);
  for (int i = 0; i < SP_MAX_FIELDS; i++) {
    const void *saved = sp_peek(c.manager, object, SP_FIELDS + i);
    ck_assert_mem_eq(sp_peek(m, next, SP_FIELDS + i), fields[i].keep ? saved : first, fields[i].size);
  }
  ck_assert_ptr_null(sp_cell(m, next, SP_FIELDS + SP_MAX_FIELDS));
  core_check(m);
  sp_close(m);
  free(t.bytes);
  core_close(&c);
}

/* }== */

/* {== Refusals =========================================================== */

/* A writer that tries to change the manager while it is saved. */
typedef struct meddler {
  core_tape tape;
  sp_manager *m;
  sp_pool *pool;
  sp_ref cube, idle;
  sp_timer timer;
} meddler;

static void meddle(meddler *it)
{
  sp_manager *m = it->m;
  sp_result why[8] = {SP_OK};
  sp_settings settings = sp_pool_settings(it->pool);
  sp_pool_desc desc = test_desc("Cube"), other = test_desc("Other");
  must(sp_is_busy(m) && sp_is_live(m, it->cube) && sp_cell(m, it->cube, SP_X));
  must(sp_pool_alloc(it->pool, 0, &why[0]) == SP_NONE_REF && sp_pool_alloc(it->pool, 5, &why[1]) == SP_NONE_REF);
  must(sp_pool_alloc_begin(it->pool, 0, &why[2]) == SP_NONE_REF);
  must(sp_pool_take(it->pool, it->idle, 0, &why[3]) == SP_NONE_REF);
  must(sp_pool_prewarm(it->pool, 100000, &why[4]) == 0);
  must(sp_timer_start(m, it->cube, 1, 0, &why[5]) == 0 && !sp_add_pool(m, &other, &why[6]));
  must(!sp_snapshot_take(m, NULL, &why[7]));
  for (int i = 0; i < 8; i++)
    must(why[i] == SP_BUSY);
  must(sp_recycle(m, it->cube) == SP_BUSY && sp_recycle_base(m, it->cube) == SP_BUSY);
  must(sp_alloc_undo(m, it->cube) == SP_BUSY && sp_timer_stop(m, it->timer) == SP_BUSY);
  must(sp_set_remaining(m, it->cube, 3) == SP_BUSY && sp_set_parent(m, it->cube, SP_NONE_REF) == SP_BUSY);
  must(sp_pool_configure(it->pool, &settings) == SP_BUSY && sp_pool_redefine(it->pool, &desc) == SP_BUSY);
  must(sp_pool_prewarm_slowly(it->pool, 100, 1, 0) == SP_BUSY && sp_set_time_scale(m, 2) == SP_BUSY);
  must(sp_pool_remove(it->pool, NULL, NULL) == SP_BUSY && sp_update(m, STEP) == SP_BUSY && sp_close(m) == SP_BUSY);
  must(sp_pool_recycle_all(it->pool) + sp_pool_clear(it->pool) + sp_pool_trim(it->pool) == 0);
}

static bool meddle_and_write(void *ud, const void *bytes, size_t size)
{
  meddler *it = ud;
  meddle(it);
  return core_tape_write(&it->tape, bytes, size);
}

static void pass_by(void *ud, sp_ref object, uint64_t timer) { (void)ud, (void)object, (void)timer; }

TEST(refused_tests, a_writer_cannot_touch_what_it_saves)
{
  core c;
  core_open_with(&c, (sp_options){.on_timer = pass_by});
  meddler it = {.m = c.manager, .pool = core_pool(&c, "Cube")};
  for (int i = 0; i < 3000; i++)
    core_alloc(it.pool);
  it.cube = core_alloc(it.pool);
  it.idle = core_alloc(it.pool);
  core_recycle(&c, it.idle);
  it.idle = sp_pool_idle_at(it.pool, 0);
  it.timer = sp_timer_start(c.manager, it.cube, 1, 0, NULL);
  core_tape plain = core_save(c.manager);
  sp_stats before = sp_pool_stats(it.pool);
  ck_assert_int_eq(sp_save(c.manager, meddle_and_write, &it), SP_OK);
  ck_assert_uint_eq(it.tape.size, plain.size);
  ck_assert_mem_eq(it.tape.bytes, plain.bytes, plain.size);
  ck_assert_uint_gt(sp_pool_stats(it.pool).refused, before.refused); /* counted as other refusals are */
  core_recycle(&c, it.cube);                                         /* and all is as it was */
  ck_assert_uint_ne(sp_pool_alloc(it.pool, 0, NULL), SP_NONE_REF);
  ck_assert_int_eq(sp_update(c.manager, STEP), SP_OK);
  free(plain.bytes);
  free(it.tape.bytes);
  core_close(&c);
}

static core_tape small_save(void)
{
  core c;
  core_open(&c);
  core_populate(&c, 60);
  core_tape t = core_save(c.manager);
  core_close(&c);
  return t;
}

/* An object with a timer and a child, and an idle one. */
static core_tape tiny_save(void)
{
  core c;
  core_open(&c);
  sp_pool *pool = core_pool(&c, "Cube");
  sp_ref parent = core_alloc(pool);
  sp_set_parent(c.manager, core_alloc(pool), parent);
  sp_timer_start(c.manager, parent, 1, 1, NULL);
  core_recycle(&c, sp_pool_alloc(pool, 3, NULL));
  core_tape t = core_save(c.manager);
  core_close(&c);
  return t;
}

static void refused(core_tape *t, sp_result expected, const char *what, size_t where)
{
  test_memory memory = {0};
  sp_result why = SP_OK;
  sp_manager *m = core_load(t, (sp_options){0}, &memory, &why);
  ck_assert_msg(!m && why == expected, "%s %zu: %s", what, where, m ? "loaded" : sp_result_name(why));
  ck_assert(test_memory_is_clean(&memory));
}

TEST(refused_tests, a_save_that_is_cut_off_is_refused)
{
  core_tape t = tiny_save();
  size_t whole = t.size;
  for (t.size = 0; t.size < whole; t.size++)
    refused(&t, SP_DAMAGED, "cut at", t.size);
  free(t.bytes);
}

TEST(refused_tests, a_save_with_a_bit_flipped_is_refused)
{
  core_tape t = tiny_save();
  for (size_t bit = 0; bit < t.size * 8; bit++) {
    t.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    bool is_version = bit / 8 >= 8 && bit / 8 < 12;
    refused(&t, is_version && t.bytes[8] + t.bytes[9] + t.bytes[10] + t.bytes[11] > 1 ? SP_NEWER : SP_DAMAGED, "bit",
            bit);
    t.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
  }
  free(t.bytes);
}

static uint64_t mixed(uint64_t x)
{
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/* Somebody who knows the checksum: what is loaded then may be another game, but it is a sound one. */
TESTS(hostile, a_hostile_save_is_refused_or_sound, 2)
{
  core_tape t = _i ? small_save() : tiny_save();
  int loaded = 0, times = _i ? 300 : 4000;
  for (uint64_t i = 0; i < (uint64_t)times; i++) {
    size_t at = 12 + mixed(i * 3 + (uint64_t)_i) % (t.size - 20);
    unsigned char before = t.bytes[at];
    t.bytes[at] = (unsigned char)(i % 3 == 0 ? 255 : i % 3 == 1 ? 0 : mixed(i));
    core_tape_sum(&t);
    test_memory memory = {0};
    sp_manager *m = core_load(&t, (sp_options){0}, &memory, NULL);
    if (m) {
      core_check(m);
      for (int k = 0; k < 30; k++)
        sp_update(m, STEP);
      core_check(m);
      ck_assert_int_eq(sp_close(m), SP_OK);
      loaded++;
    }
    ck_assert(test_memory_is_clean(&memory));
    t.bytes[at] = before;
  }
  ck_assert_int_gt(loaded, times / 8);
  free(t.bytes);
}

TEST(refused_tests, other_refusals_have_their_reason)
{
  core_tape t = small_save(), full = {.most = 100};
  sp_result why = SP_OK;
  ck_assert_ptr_null(core_load(&t, (sp_options){.step = 0.5}, NULL, &why));
  ck_assert_int_eq(why, SP_INVALID);
  core c;
  core_open(&c);
  char name[SP_SAVE_NAME_MOST + 1];
  memset(name, 'x', SP_SAVE_NAME_MOST);
  name[SP_SAVE_NAME_MOST] = '\0';
  ck_assert_int_eq(sp_save(c.manager, core_tape_write, &full), SP_FAILED); /* the disk is full */
  sp_pool_desc desc = test_desc("Cube");
  desc.fields = &(sp_field){.name = name, .size = 1};
  desc.field_count = 1;
  sp_pool *pool = core_pool_with(&c, &desc);
  ck_assert_int_eq(sp_save(c.manager, core_tape_write, &full), SP_INVALID);
  ck_assert_int_eq(sp_pool_remove(pool, NULL, NULL), SP_OK);
  core_pool(&c, name);
  ck_assert_int_eq(sp_save(c.manager, core_tape_write, &full), SP_INVALID);
  free(t.bytes);
  free(full.bytes);
  core_close(&c);
}

/* }== */

SUITE(save, &whole_tests, &refused_tests, &hostile)
