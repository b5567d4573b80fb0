/*
** Changes of a pool while memory is refused: at every call, one or all from there on, and by a cap. A refused change
** leaves everything as it was, which a dump and a twin that was refused nothing tell. The change and its undo go
** through once memory is there.
*/
#include "core/binding.h"
#include "support/core_fixture.h"
#include "support/test.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* {== Dumps ============================================================== */

typedef struct dump {
  char *text;
  size_t size;
  FILE *file;
} dump;

static void dump_begin(dump *d)
{
  *d = (dump){0};
  d->file = open_memstream(&d->text, &d->size);
  ck_assert_ptr_nonnull(d->file);
}

static void write_bytes(FILE *f, const void *bytes, size_t size)
{
  for (size_t i = 0; bytes && i < size; i++)
    fprintf(f, "%02x", ((const unsigned char *)bytes)[i]);
  fputc(' ', f);
}

/* `sizes`: of the own fields. */
static void write_slot(FILE *f, sp_manager *m, const sp_slot *slot, const size_t *sizes)
{
  fprintf(f, "\n%d %llx %a ", slot->state, (unsigned long long)slot->object, (double)slot->age);
  if (!slot->object)
    return;
  for (int column = SP_X; column < SP_LOOK; column++)
    write_bytes(f, sp_peek(m, slot->object, column), sizeof(float));
  write_bytes(f, sp_peek(m, slot->object, SP_LOOK), sizeof(sp_look));
  for (int i = 0; sizes[i]; i++)
    write_bytes(f, sp_peek(m, slot->object, SP_FIELDS + i), sizes[i]);
  double next = 0;
  uint32_t timers = sp_timers(m, slot->object, &next);
  fprintf(f, "%a %a %u %a %llx %u", sp_lifetime(m, slot->object), sp_remaining(m, slot->object), timers, next,
          (unsigned long long)sp_parent(m, slot->object), sp_children(m, slot->object, NULL, 0));
}

static void write_pool(FILE *f, sp_pool *pool, const size_t *sizes)
{
  const sp_settings s = sp_pool_settings(pool);
  const sp_stats t = sp_pool_stats(pool);
  fprintf(f, "\n%s: %u %u %u %u %d %d\n", sp_pool_type(pool), s.prealloc, s.grow, s.limit, s.idle_limit, s.overflow,
          s.order);
  fprintf(f, "%u %u %u %u %a %zu ", t.live, t.idle, t.total, t.peak, t.peak_time, t.bytes);
  const uint64_t counts[] = {t.allocs, t.recycles, t.expired, t.refused, t.evicted, t.vetoed, t.created, t.destroyed};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    fprintf(f, "%llu ", (unsigned long long)counts[i]);
  fprintf(f, "%u %u\nidle", t.prewarm_done, t.prewarm_wanted);
  for (uint32_t i = 0; i < t.idle; i++)
    fprintf(f, " %llx", (unsigned long long)sp_pool_idle_at(pool, i));
  sp_slot slot;
  for (uint32_t i = 0; sp_pool_slots(pool, i, 1, &slot); i++)
    write_slot(f, sp_pool_manager(pool), &slot, sizes);
}

static dump dump_of(core *c, const size_t *sizes)
{
  dump d;
  dump_begin(&d);
  fprintf(d.file, "%zu bytes in %zu blocks, tick %llu", c->memory.bytes, c->memory.blocks,
          (unsigned long long)sp_tick(c->manager));
  for (uint32_t i = 0; i < sp_count_pools(c->manager); i++)
    write_pool(d.file, sp_get_pool(c->manager, i), sizes);
  fclose(d.file);
  return d;
}

static void check_same(const dump *a, const dump *b, const char *what, size_t n)
{
  if (a->size == b->size && memcmp(a->text, b->text, a->size) == 0)
    return;
  size_t at = 0, line = 0;
  for (; a->text[at] == b->text[at]; at++)
    line = a->text[at] == '\n' ? at + 1 : line;
  ck_abort_msg("%s, call %zu: %.300s\nis: %.300s", what, n, a->text + line, b->text + line);
}

/* }== */

/* {== Edits ============================================================== */

static const int one = 1, five = 5, nine = 9;
static const double half = 0.5;

static const sp_field first[] = {
    {"a", &one, 4, false, false}, {"b", &half, 8, true, false}, {"t", &five, 4, false, true}};
static const sp_field renamed[] = {
    {"c", &nine, 4, false, false}, {"b", NULL, 8, true, false}, {"t", &nine, 4, false, true}};
static const sp_field retuned[] = {
    {"a", &nine, 4, true, false}, {"b", &half, 8, false, false}, {"t", &nine, 4, false, true}};
static const sp_curve fade = {.column = SP_LOOK, .offset = offsetof(sp_look, a), .count = 2, .points = {1, 0}};

typedef struct edit {
  const char *name;
  const sp_field *fields;
  int field_count;
  size_t sizes[4];
  sp_settings settings;
  bool rich;      /* curves, bounds, motion, hooks */
  bool configure; /* only the settings change */
} edit;

static const edit base = {"base", first, 3, {4, 8, 4}, {40, 7, 900, 300, SP_OVERFLOW_REFUSE, SP_ORDER_FIFO},
                          false,  false};
static const edit edits[] = {
    {"a field renamed, everything else too",
     renamed,
     3,
     {4, 8, 4},
     {2000, 9, 5000, SP_UNLIMITED, SP_OVERFLOW_OLDEST, SP_ORDER_LIFO},
     true,
     false},
    {"the same cells", retuned, 3, {4, 8, 4}, {1400, 1, 1500, 800, SP_OVERFLOW_OLDEST, SP_ORDER_LIFO}, true, false},
    {"no fields, few objects", NULL, 0, {0}, {41, 7, 5, 3, SP_OVERFLOW_GROW, SP_ORDER_FIFO}, true, false},
    {"settings", first, 3, {4, 8, 4}, {1500, 2, 4000, 2000, SP_OVERFLOW_OLDEST, SP_ORDER_LIFO}, false, true},
    {"fields only", renamed, 2, {4, 8}, {40, 7, 900, 300, SP_OVERFLOW_REFUSE, SP_ORDER_FIFO}, false, false},
};
enum { EDITS = sizeof edits / sizeof *edits };

/* A manager and its twin, which has memory all the time. */
typedef struct pair {
  core c;
  core_log log; /* its hooks count themselves */
  sp_pool *pool;
} pair;

static void count_hook(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  (void)hook, (void)pool, (void)object;
  log->count++;
}

static sp_pool_desc description(pair *p, const edit *e)
{
  sp_pool_desc desc = test_desc("Cube");
  desc.fields = e->fields;
  desc.field_count = e->field_count;
  desc.settings = e->settings;
  desc.hooks = core_hooks(&p->log);
  desc.vx = 1;
  if (e->rich) {
    desc.hooks = core_hooks_all(&p->log);
    desc.curves = &fade;
    desc.curve_count = 1;
    desc.bounds = (sp_bounds){0, 0, 100, 100, SP_OUTSIDE_WRAP};
    desc.motion = (sp_motion){10, 0.1f, true};
    desc.on_parent_end = SP_PARENT_END_DETACH;
    desc.vx = 0;
    desc.vy = 3;
  }
  return desc;
}

static sp_result apply(pair *p, const edit *e)
{
  sp_pool_desc desc = description(p, e);
  return e->configure ? sp_pool_configure(p->pool, &desc.settings) : sp_pool_redefine(p->pool, &desc);
}

/* Lives of all kinds, some over: three chunks, of which the last has room. */
static void open_pair(pair *p)
{
  *p = (pair){.log = {.act = count_hook, .only = "none"}};
  core_open(&p->c);
  core_pool(&p->c, "Sphere");
  sp_pool_desc desc = description(p, &base);
  p->pool = core_pool_with(&p->c, &desc);
  sp_ref objects[600];
  for (int i = 0; i < 600; i++) {
    sp_ref object = objects[i] = sp_pool_alloc(p->pool, i % 3 * 20, NULL);
    must(object);
    *core_float(&p->c, object, SP_X) = (float)i;
    *(double *)sp_cell(p->c.manager, object, SP_FIELDS + 1) = i;
    *(int *)sp_cell(p->c.manager, object, SP_FIELDS + 2) = i % 4 ? 5 : i;
    if (i % 10 == 9)
      must(sp_set_parent(p->c.manager, object, objects[i - 5]) == SP_OK);
    if (i % 7 == 6)
      must(sp_timer_start(p->c.manager, object, i, 1, NULL));
  }
  for (int i = 0; i < 600; i += 4)
    sp_recycle(p->c.manager, objects[i * 7 % 600]);
  core_tick(&p->c, 3);
}

/* What follows tells what no dump can: who is evicted first, what idle objects begin with. */
static void play_on(pair *p)
{
  for (int i = 0; i < 2000; i++) {
    sp_pool_alloc(p->pool, i % 5 ? 0 : 1, NULL);
    if (i % 50 == 0)
      core_tick(&p->c, 1);
  }
}

static void check_pair(pair *a, pair *b, const edit *e, size_t n)
{
  core_check(a->c.manager);
  dump of_a = dump_of(&a->c, e->sizes), of_b = dump_of(&b->c, e->sizes);
  check_same(&of_b, &of_a, e->name, n);
  ck_assert_int_eq(a->log.count, b->log.count);
  free(of_a.text);
  free(of_b.text);
}

/* }== */

/* {== What idle objects begin with ======================================= */

static void name_some(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  (void)log;
  if (core_is(hook, "create") && sp_object_number(sp_pool_manager(pool), object) % 2)
    *(int *)sp_cell(sp_pool_manager(pool), object, SP_FIELDS) = 77;
}

static void redefine(core_log *log, sp_pool *pool, const int *initial, bool keep, int extra)
{
  sp_pool_desc desc = test_desc("Cube");
  const sp_field two[] = {{"a", initial, 4, keep, false}, {"b", NULL, 4, false, false}};
  desc.fields = two;
  desc.field_count = 1 + extra;
  desc.hooks = core_hooks(log);
  desc.settings = sp_pool_settings(pool);
  ck_assert_int_eq(sp_pool_redefine(pool, &desc), SP_OK);
}

static int value_of(core *c, sp_ref object) { return *(const int *)sp_peek(c->manager, object, SP_FIELDS); }

static test_group each = {"refused", .timeout = 60};
static test_group open_and_cap = {"open and cap"};

/* Whether cells move or not (_i), the first life of an object begins with the value that its field has by then, unless
   on_create has given it another; and a field that is kept from now on begins with its value, too. */
TESTS(each, idle_objects_keep_what_is_theirs_and_begin_anew_with_the_rest, 2)
{
  core c;
  core_log log = {.act = name_some, .only = "none"};
  core_open(&c);
  sp_pool_desc desc = test_desc("Cube");
  desc.fields = first;
  desc.field_count = 1;
  desc.settings.prealloc = 300;
  desc.hooks = core_hooks(&log);
  sp_pool *pool = core_pool_with(&c, &desc);
  sp_ref object = core_alloc(pool);
  *(int *)sp_cell(c.manager, object, SP_FIELDS) = 5;
  core_recycle(&c, object); /* it is the last one in the ring */
  redefine(&log, pool, &nine, true, _i);
  for (int i = 1; i < 300; i++)
    must(value_of(&c, core_alloc(pool)) == 9); /* no life has kept what on_create wrote into a plain field */
  object = core_alloc(pool);
  ck_assert_int_eq(value_of(&c, object), 9);
  *(int *)sp_cell(c.manager, object, SP_FIELDS) = 5;
  core_recycle(&c, object);
  ck_assert_uint_eq(sp_pool_prewarm(pool, 400, NULL), 100);
  redefine(&log, pool, &one, true, 1 - _i);
  ck_assert_int_eq(value_of(&c, core_alloc(pool)), 5); /* kept by its life */
  for (int i = 0; i < 100; i++) {
    object = core_alloc(pool);
    must(value_of(&c, object) == (sp_object_number(c.manager, object) % 2 ? 77 : 1));
  }
  core_close(&c);
}

/* }== */

/* {== Refused at each call =============================================== */

/* Applies `e` to a pool that is as `now` says, with each of its calls refused in turn, until it goes through. */
static size_t refuse_until_done(pair *p, const edit *now, const edit *e, bool keep_failing)
{
  size_t n = 0;
  for (sp_result why = SP_MEMORY; why == SP_MEMORY;) {
    dump before = dump_of(&p->c, now->sizes);
    int hooks = p->log.count;
    p->c.memory.fail_at = p->c.memory.calls + ++n;
    p->c.memory.keep_failing = keep_failing;
    why = apply(p, e);
    p->c.memory.fail_at = 0;
    ck_assert(why == SP_OK || why == SP_MEMORY);
    if (why == SP_MEMORY) {
      dump after = dump_of(&p->c, now->sizes);
      check_same(&before, &after, e->name, n);
      ck_assert_int_eq(p->log.count, hooks);
      core_check(p->c.manager);
      free(after.text);
    }
    free(before.text);
  }
  return n - 1;
}

TESTS(each, a_change_that_is_refused_at_any_call_changes_nothing, 2 * EDITS)
{
  const edit *e = &edits[_i / 2];
  pair a, b;
  open_pair(&a);
  open_pair(&b);
  size_t refused = refuse_until_done(&a, &base, e, _i % 2);
  ck_assert_uint_ge(refused, e->settings.prealloc > 41 ? 6 : 3);
  ck_assert_int_eq(apply(&b, e), SP_OK);
  check_pair(&a, &b, e, refused);
  const sp_settings s = sp_pool_settings(a.pool);
  ck_assert_mem_eq(&s, &e->settings, sizeof s);
  refuse_until_done(&a, e, &base, _i % 2); /* the undo */
  ck_assert_int_eq(apply(&b, &base), SP_OK);
  check_pair(&a, &b, &base, 0);
  refuse_until_done(&a, &base, e, _i % 2);
  ck_assert_int_eq(apply(&b, e), SP_OK);
  play_on(&a);
  play_on(&b);
  check_pair(&a, &b, e, 0);
  core_close(&a.c);
  core_close(&b.c);
}

TEST(open_and_cap, a_pool_that_is_not_opened_calls_no_hook)
{
  pair p = {.log = {.act = count_hook, .only = "none"}};
  core_open(&p.c);
  core_alloc(core_pool(&p.c, "Sphere"));
  sp_pool_desc desc = description(&p, &edits[0]);
  size_t n = 0, none[1] = {0};
  for (sp_result why = SP_MEMORY; why == SP_MEMORY;) {
    dump before = dump_of(&p.c, none);
    why = SP_OK;
    p.c.memory.fail_at = p.c.memory.calls + ++n;
    sp_pool *pool = sp_add_pool(p.c.manager, &desc, &why);
    p.c.memory.fail_at = 0;
    ck_assert_int_eq(why, pool ? SP_OK : SP_MEMORY);
    ck_assert_int_eq(p.log.count, pool ? 2000 : 0);
    dump after = dump_of(&p.c, none);
    if (!pool)
      check_same(&before, &after, "sp_add_pool", n);
    free(before.text);
    free(after.text);
  }
  ck_assert_uint_gt(n, 10);
  core_close(&p.c);
}

/* }== */

/* {== Refused by a cap =================================================== */

typedef struct capped {
  test_memory memory;
  size_t most;
} capped;

static void *capped_fn(void *ud, void *ptr, size_t old_size, size_t new_size)
{
  capped *c = ud;
  size_t old = ptr ? old_size : 0;
  if (new_size > old && c->memory.bytes - old + new_size > c->most)
    return NULL;
  return test_memory_fn(&c->memory, ptr, old_size, new_size);
}

/* A change that is refused holds none of what it had made on the way, and what undoes it needs next to nothing. */
TEST(open_and_cap, an_undo_needs_no_memory_that_the_refused_change_has_taken)
{
  capped cap = {.most = (size_t)64 << 20};
  sp_manager *m = sp_open(&(sp_options){.memory = capped_fn, .memory_ud = &cap, .step = STEP}, NULL);
  ck_assert_ptr_nonnull(m);
  pair p = {.log = {.act = count_hook, .only = "none"}};
  sp_pool_desc desc = description(&p, &base), wanted = desc;
  sp_pool *pool = sp_add_pool(m, &desc, NULL);
  ck_assert_ptr_nonnull(pool);
  for (int i = 0; i < 600; i++)
    *(double *)sp_cell(m, sp_pool_alloc(pool, 0, NULL), SP_FIELDS + 1) = i;
  int hooks = p.log.count;
  size_t bytes = cap.memory.bytes;
  wanted.fields = renamed;
  wanted.settings = (sp_settings){4000000, 1, SP_UNLIMITED, SP_UNLIMITED, SP_OVERFLOW_OLDEST, SP_ORDER_FIFO};
  for (int i = 0; i < 3; i++) {
    cap.most = (size_t)64 << 20;
    ck_assert_int_eq(sp_pool_redefine(pool, &wanted), SP_MEMORY);
    ck_assert_int_eq(sp_pool_configure(pool, &wanted.settings), SP_MEMORY);
    ck_assert_uint_eq(cap.memory.bytes, bytes);
    ck_assert_int_eq(p.log.count, hooks);
    cap.most = bytes + 200; /* for the names and first values of three fields */
    ck_assert_int_eq(sp_pool_redefine(pool, &desc), SP_OK);
    ck_assert_uint_eq(cap.memory.bytes, bytes);
  }
  for (uint32_t i = 0; i < 600; i++) {
    sp_slot slot;
    ck_assert_uint_eq(sp_pool_slots(pool, i, 1, &slot), 1);
    must(*(const double *)sp_peek(m, slot.object, SP_FIELDS + 1) == (double)i);
  }
  cap.most = (size_t)64 << 20;
  wanted.settings.prealloc = 1000;
  ck_assert_int_eq(sp_pool_redefine(pool, &wanted), SP_OK);
  ck_assert_uint_eq(sp_pool_stats(pool).total, 1000);
  ck_assert_int_eq(sp_close(m), SP_OK);
  ck_assert(test_memory_is_clean(&cap.memory));
}

/* As a binding changes several pools: both need chunks, and the second one those after the first one's. */
CORE_TEST(open_and_cap, changes_of_two_pools_are_made_together_or_cancelled)
{
  static const sp_field field = {.name = "hp", .size = 8};
  sp_pool *pools[2] = {core_pool(c, "Cube"), core_pool(c, "Sphere")};
  sp_pool_desc descs[2] = {test_desc("Cube"), test_desc("Sphere")};
  sp_change *changes[2];
  sp_ref object = core_alloc(pools[0]);
  const size_t before = sp_total_stats(c->manager).bytes;
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < 2; i++) {
      sp_result why = SP_OK;
      descs[i].fields = &field;
      descs[i].field_count = 1;
      descs[i].settings.prealloc = 3000;
      changes[i] = sp_change_new(pools[i], &descs[i], &why);
      ck_assert_msg(changes[i] != NULL, "%s", sp_result_text(why));
    }
    ck_assert_ptr_null(sp_cell(c->manager, object, SP_FIELDS));
    for (int i = 0; i < 2 && round == 0; i++)
      sp_change_cancel(changes[i]);
    ck_assert(round == 1 || sp_total_stats(c->manager).bytes == before);
  }
  uint32_t made[2];
  for (int i = 0; i < 2; i++)
    made[i] = sp_change_commit(changes[i]);
  for (int i = 0; i < 2; i++) {
    sp_change_settle(pools[i], made[i]);
    ck_assert_uint_eq(sp_pool_stats(pools[i]).total, 3000);
  }
  ck_assert_ptr_nonnull(sp_cell(c->manager, object, SP_FIELDS));
  core_check(c->manager);
}

/* }== */

SUITE(changes, &each, &open_and_cap)
