/*
** The state of a host beside the pools: it goes into snapshots and saves, and comes back with them or not at all.
*/
#include "support/core_fixture.h"
#include "support/core_tape.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A score of any length, which may refuse to be read, and which looks at the manager meanwhile. */
typedef struct score {
  char text[20000];
  size_t size;
  sp_manager *m; /* is touched, unless NULL */
  bool refuses;
  int reads;
} score;

static void touch(const score *it)
{
  sp_result why = SP_OK;
  if (!it->m)
    return;
  must(!sp_pool_alloc(sp_get_pool(it->m, 0), 0, &why) && why == SP_BUSY && sp_update(it->m, STEP) == SP_BUSY);
  must(sp_set_time_scale(it->m, 2) == SP_BUSY && !sp_snapshot_take(it->m, NULL, &why) && why == SP_BUSY);
}

static size_t size_of(void *ud)
{
  touch(ud);
  return ((score *)ud)->size;
}

static void write_score(void *ud, void *bytes, size_t size)
{
  touch(ud);
  memcpy(bytes, ((score *)ud)->text, size);
}

static bool read_score(void *ud, const void *bytes, size_t size)
{
  score *it = ud;
  touch(it);
  it->reads++;
  if (it->refuses || size > sizeof it->text)
    return false;
  must((bytes == NULL) == (size == 0));
  if (size > 0)
    memcpy(it->text, bytes, size);
  it->size = size;
  return true;
}

static void set(score *it, const char *text) { it->size = (size_t)snprintf(it->text, sizeof it->text, "%s", text); }
static bool is(const score *it, const char *text)
{
  return it->size == strlen(text) && !memcmp(it->text, text, it->size);
}

static sp_options options_with(score *it)
{
  return (sp_options){.host = {.ud = it, .size = size_of, .write = write_score, .read = read_score}};
}

static void open_with(core *c, score *it)
{
  core_open_with(c, options_with(it));
  core_alloc(core_pool(c, "Cube"));
  it->m = c->manager;
}

static test_group kept_tests = {"kept"};
static test_group refused_tests = {"refused"};

/* {== Kept =============================================================== */

TEST(kept_tests, it_goes_back_with_a_snapshot)
{
  static score it, other;
  core c, d;
  open_with(&c, &it);
  open_with(&d, &other);
  set(&it, "7 points");
  const uint64_t hash = sp_hash(c.manager);
  sp_snapshot *s = sp_snapshot_take(c.manager, NULL, NULL);
  set(&it, "a long way from there");
  ck_assert_uint_eq(sp_hash(c.manager), hash); /* which leaves it out */
  ck_assert_int_eq(sp_snapshot_restore(c.manager, s), SP_OK);
  ck_assert(is(&it, "7 points"));
  ck_assert_int_eq(sp_snapshot_restore(d.manager, s), SP_OK);
  ck_assert(is(&other, "7 points"));
  set(&it, "8 points, which are more");
  ck_assert_ptr_eq(sp_snapshot_take(c.manager, s, NULL), s);
  set(&it, "");
  ck_assert_int_eq(sp_snapshot_restore(c.manager, s), SP_OK);
  ck_assert(is(&it, "8 points, which are more"));
  sp_snapshot_free(s);
  core_close(&c);
  core_close(&d);
}

/* Of no byte, of some, and of more than a reader takes at once. */
TESTS(kept_tests, it_comes_back_with_a_save, 3)
{
  static const size_t sizes[] = {0, 8, 20000};
  static score it, loaded;
  core c;
  test_memory memory = {0};
  open_with(&c, &it);
  for (size_t i = 0; i < sizes[_i]; i++)
    it.text[i] = (char)(i * 7);
  it.size = sizes[_i];
  loaded = (score){0};
  set(&loaded, "before");
  core_tape t = core_save(c.manager);
  sp_manager *m = core_load(&t, options_with(&loaded), &memory, NULL);
  ck_assert_ptr_nonnull(m);
  ck_assert_int_eq(loaded.reads, 1);
  ck_assert_uint_eq(loaded.size, sizes[_i]);
  ck_assert_mem_eq(loaded.text, it.text, sizes[_i]);
  core_check(m);
  core_tape again = core_save(m);
  ck_assert_uint_eq(again.size, t.size);
  ck_assert_mem_eq(again.bytes, t.bytes, t.size);
  sp_close(m);
  ck_assert(test_memory_is_clean(&memory));
  free(t.bytes);
  free(again.bytes);
  core_close(&c);
}

/* }== */

/* {== Refused ============================================================ */

TEST(refused_tests, a_host_that_does_not_take_it_back_changes_nothing)
{
  static score it, loaded;
  core c;
  test_memory memory = {0};
  sp_result why = SP_OK;
  open_with(&c, &it);
  set(&it, "then");
  sp_snapshot *s = sp_snapshot_take(c.manager, NULL, NULL);
  core_tape t = core_save(c.manager);
  sp_pool *since = core_pool(&c, "Spark");
  for (int i = 0; i < 600; i++)
    core_alloc(since);
  set(&it, "now");
  uint64_t hash = sp_hash(c.manager);
  it.refuses = loaded.refuses = true;
  ck_assert_int_eq(sp_snapshot_restore(c.manager, s), SP_FAILED);
  ck_assert(is(&it, "now"));
  ck_assert_uint_eq(sp_hash(c.manager), hash);
  core_check(c.manager);
  ck_assert_ptr_null(core_load(&t, options_with(&loaded), &memory, &why));
  ck_assert_int_eq(why, SP_FAILED);
  ck_assert(test_memory_is_clean(&memory));
  sp_snapshot_free(s);
  free(t.bytes);
  core_close(&c);
}

static void hear(void *ud, const char *text) { snprintf(ud, 200, "%s", text); }

TEST(refused_tests, a_host_that_cannot_read_it_is_told)
{
  static const char told[] = "sp_options: host.read is NULL, and there is a state to be read";
  static score it;
  static char said[200];
  core c, without;
  test_memory memory = {0};
  sp_result why = SP_OK;
  open_with(&c, &it);
  core_open_with(&without, (sp_options){.on_log = hear, .log_ud = said});
  core_alloc(core_pool(&without, "Cube"));
  set(&it, "state");
  sp_snapshot *s = sp_snapshot_take(c.manager, NULL, NULL);
  core_tape t = core_save(c.manager);
  uint64_t hash = sp_hash(without.manager);
  ck_assert_int_eq(sp_snapshot_restore(without.manager, s), SP_INVALID);
  ck_assert_str_eq(said, told);
  ck_assert_uint_eq(sp_hash(without.manager), hash);
  said[0] = '\0';
  ck_assert_ptr_null(core_load(&t, (sp_options){.on_log = hear, .log_ud = said}, &memory, &why));
  ck_assert_int_eq(why, SP_INVALID);
  ck_assert_str_eq(said, told);
  ck_assert(test_memory_is_clean(&memory));
  sp_snapshot_free(s);
  free(t.bytes);
  core_close(&c);
  core_close(&without);
}

TEST(refused_tests, a_host_is_told_that_there_was_none)
{
  static score it;
  core c, with;
  test_memory memory = {0};
  core_open(&c);
  core_alloc(core_pool(&c, "Cube"));
  open_with(&with, &it);
  sp_snapshot *s = sp_snapshot_take(c.manager, NULL, NULL);
  core_tape t = core_save(c.manager);
  set(&it, "before");
  ck_assert_int_eq(sp_snapshot_restore(with.manager, s), SP_OK);
  ck_assert(it.reads == 1 && is(&it, ""));
  it.m = NULL;
  sp_manager *m = core_load(&t, options_with(&it), &memory, NULL);
  ck_assert(m && it.reads == 2);
  sp_close(m);
  it.refuses = true;
  ck_assert_ptr_null(core_load(&t, options_with(&it), &memory, NULL));
  ck_assert(test_memory_is_clean(&memory));
  sp_snapshot_free(s);
  free(t.bytes);
  core_close(&c);
  core_close(&with);
}

TEST(refused_tests, a_damaged_save_is_not_read_by_the_host)
{
  static score it, loaded;
  core c;
  test_memory memory = {0};
  open_with(&c, &it);
  set(&it, "of some length");
  core_tape t = core_save(c.manager);
  size_t whole = t.size;
  for (t.size = whole - 40; t.size < whole; t.size++) {
    sp_result why = SP_OK;
    ck_assert_ptr_null(core_load(&t, options_with(&loaded), &memory, &why));
    ck_assert_int_eq(why, SP_DAMAGED);
  }
  for (size_t bit = (whole - 30) * 8; bit < whole * 8; bit++) {
    t.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    ck_assert_ptr_null(core_load(&t, options_with(&loaded), &memory, NULL));
    t.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
  }
  ck_assert_int_eq(loaded.reads, 0);
  ck_assert(test_memory_is_clean(&memory));
  free(t.bytes);
  core_close(&c);
}

/* }== */

SUITE(host_state, &kept_tests, &refused_tests)
