/*
** Managers: what they can be opened with, how they close, and that two never meet.
*/
#include "core/state.h"
#include "support/core_fixture.h"
#include "support/test.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static test_group opening = {"opening"};
static test_group inside = {"inside"};

TEST(opening, the_defaults_need_nothing)
{
  sp_result why = SP_FAILED;
  sp_manager *m = sp_open(NULL, &why);
  ck_assert_int_eq(why, SP_OK);
  ck_assert_double_eq(sp_step(m), SP_DEFAULT_STEP);
  ck_assert_double_eq(sp_time(m), 0);
  ck_assert_uint_eq(sp_tick(m), 0);
  sp_stats s = sp_total_stats(m);
  ck_assert_uint_eq(s.live + s.idle + s.total + s.peak, 0);
  ck_assert_uint_gt(s.bytes, 0);
  ck_assert_int_eq(sp_close(m), SP_OK);
  ck_assert_int_eq(sp_close(NULL), SP_OK);
}

TEST(opening, the_extremes_of_the_options_work)
{
  static const sp_options extremes[] = {
      {.step = 1e-6}, {.step = 1000}, {.id = 255}, {.first_generation = 0xfffffffc}, {.last_generation = 2}};
  for (size_t i = 0; i < sizeof extremes / sizeof extremes[0]; i++) {
    core c;
    core_open_with(&c, extremes[i]);
    sp_pool *pool = core_pool(&c, "Cube");
    sp_ref brief = sp_pool_alloc(pool, sp_step(c.manager), NULL), most = sp_pool_alloc(pool, SP_MAX_LIFETIME, NULL);
    core_tick(&c, 1);
    ck_assert(!sp_is_live(c.manager, brief));
    ck_assert(sp_is_live(c.manager, most));
    core_close(&c);
  }
}

/* Only the generations tell such managers apart: see sp_options.id. */
TEST(opening, managers_of_one_id_are_told_apart_by_generations)
{
  const uint32_t middle = 1u << 4;
  core a, b;
  core_open_with(&a, (sp_options){.id = 3, .last_generation = middle});
  core_open_with(&b, (sp_options){.id = 3, .first_generation = middle});
  sp_pool *of_a = core_pool(&a, "Cube"), *of_b = core_pool(&b, "Cube");
  for (int i = 0; i < 1000; i++) {
    sp_ref in_a = core_alloc(of_a), in_b = core_alloc(of_b);
    ck_assert_uint_eq(sp_recycle(a.manager, in_b), SP_STALE);
    ck_assert_uint_eq(sp_recycle(b.manager, in_a), SP_STALE);
    ck_assert_ptr_null(sp_cell(a.manager, in_b, SP_X));
    core_recycle(&a, in_a);
    core_recycle(&b, in_b);
  }
  ck_assert_uint_gt(sp_pool_stats(of_a).retired, 0);
  core_close(&a);
  core_close(&b);
}

/* {== Edges that a test can reach only from inside ======================= */

POOL_TEST(inside, a_manager_without_a_free_slot_refuses_like_one_without_memory)
{
  sp_pool_prewarm(pool, SP_CHUNK_SLOTS * 8, NULL); /* as many chunk numbers as are reserved at first */
  for (int i = 0; i < SP_CHUNK_SLOTS * 8; i++)
    core_alloc(pool);
  ck_assert_uint_eq(c->manager->chunk_count, c->manager->chunk_capacity);
  /* As if all chunk numbers were given out. */
  uint32_t real = c->manager->chunk_count;
  c->manager->chunk_count = SP_MAX_SLOTS / SP_CHUNK_SLOTS;
  sp_result why = core_refusal(pool, 0);
  c->manager->chunk_count = real;
  ck_assert_int_eq(why, SP_MEMORY);
  core_alloc(pool);
}

typedef struct broken {
  int count, line;
  const char *expression, *file;
} broken;

static void note_broken(void *ud, const char *expression, const char *file, int line)
{
  broken *b = ud;
  *b = (broken){b->count + 1, line, expression, file};
}

TEST(inside, a_broken_invariant_is_reported_to_the_hook)
{
  test_memory memory = {0};
  broken b = {0};
  sp_options options = {.memory = test_memory_fn, .memory_ud = &memory, .on_assert = note_broken, .assert_ud = &b};
  sp_manager *m = sp_open(&options, NULL);
  ck_assert_int_eq(b.count, 0);
  m->memory.bytes++; /* a byte that nobody holds */
  ck_assert_int_eq(sp_close(m), SP_OK);
  ck_assert_int_eq(b.count, 1);
  ck_assert_ptr_nonnull(strstr(b.expression, "bytes"));
  ck_assert_ptr_nonnull(strstr(b.file, "manager.c"));
  ck_assert_int_gt(b.line, 0);
  ck_assert(test_memory_is_clean(&memory));
}

TEST(inside, without_a_hook_a_broken_invariant_aborts)
{
  pid_t child = fork();
  ck_assert_msg(child >= 0, errno == ENOSYS ? "'fork' not supported" : "fork has failed");
  if (child == 0) {
    signal(SIGABRT, SIG_DFL);
    sp_manager *m = sp_open(NULL, NULL);
    m->memory.bytes++;
    sp_close(m);
    _exit(0);
  }
  int status = 0;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static void keep_idle(core_log *log, const char *hook, sp_pool *pool, sp_ref object)
{
  (void)pool;
  if (core_is(hook, "reject"))
    log->object = object;
}

TEST(opening, a_manager_that_follows_another_knows_none_of_its_references)
{
  core_log log = {.act = keep_idle};
  uint32_t next = 0;
  sp_ref old[8] = {0};
  int count = 0;
  for (int round = 0; round < 3; round++) {
    core c;
    core_open_with(&c, (sp_options){.id = 3, .first_generation = next});
    sp_pool_desc desc = test_desc("Cube");
    desc.settings.idle_limit = SP_NO_OBJECTS;
    desc.hooks = core_hooks_all(&log);
    sp_pool *pool = core_pool_with(&c, &desc);
    core_recycle(&c, core_alloc(pool));
    sp_ref live = core_alloc(pool);
    for (int i = 0; i < count; i++) {
      ck_assert_int_eq(sp_check(c.manager, old[i]), SP_STALE);
      ck_assert_int_eq(sp_recycle(c.manager, old[i]), SP_STALE);
    }
    next = sp_next_generation(c.manager);
    core_close(&c);
    old[count++] = live;
    old[count++] = log.object; /* as a hook has seen it, idle, while the manager closed */
  }
  const sp_options used_up = {.first_generation = SP_LAST_GENERATION - 2};
  sp_manager *m = sp_open(&used_up, NULL);
  sp_pool_alloc(sp_add_pool(m, &(sp_pool_desc){.type = "Cube"}, NULL), 0, NULL);
  ck_assert_uint_eq(sp_next_generation(m), SP_LAST_GENERATION);
  sp_close(m);
}

static void count_timer(void *ud, sp_ref object, uint64_t timer)
{
  (void)object, (void)timer;
  ++*(int *)ud;
}

TEST(opening, discard_frees_everything_and_calls_nothing)
{
  core_log log = {0};
  int timers = 0;
  core c;
  core_open_with(&c, (sp_options){.on_timer = count_timer, .on_timer_end = count_timer, .timer_ud = &timers});
  sp_pool_desc desc = test_desc("Cube");
  desc.hooks = core_hooks_all(&log);
  desc.settings.overflow = SP_OVERFLOW_OLDEST;
  sp_pool *pool = core_pool_with(&c, &desc);
  sp_ref object = sp_pool_alloc(pool, 1, NULL), child = core_alloc(pool);
  ck_assert_int_eq(sp_set_parent(c.manager, child, object), SP_OK);
  ck_assert_uint_ne(sp_timer_start(c.manager, object, 1, 1, NULL), 0);
  ck_assert(!sp_is_busy(c.manager));
  sp_pool_alloc_begin(pool, 0, NULL);
  ck_assert(sp_is_busy(c.manager));
  ck_assert_int_eq(sp_close(c.manager), SP_BUSY);
  core_log_take(&log);
  sp_discard(c.manager);
  sp_discard(NULL);
  ck_assert_str_eq(core_log_take(&log), "");
  ck_assert_int_eq(timers, 0);
  ck_assert_uint_eq(c.memory.bytes, 0);
}

/* }== */

SUITE(manager, &opening, &inside)
