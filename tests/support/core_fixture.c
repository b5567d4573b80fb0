#include "support/core_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* {== Managers, pools, objects ============================================ */

char core_said[600];

void core_hear(void *ud, const char *text)
{
  (void)ud;
  snprintf(core_said, sizeof core_said, "%s", text);
}

void core_open_with(core *c, sp_manager_options options) { core_open_from(c, options, 0); }

void core_open_from(core *c, sp_manager_options options, uint32_t first_generation)
{
  *c = (core){0};
  options.on_log = core_hear;
  options.memory = test_memory_fn;
  options.memory_ud = &c->memory;
  options.step = options.step != 0 ? options.step : STEP;
  options.id = options.id != 0 ? options.id : 1; /* references are the same in every game */
  sp_result why = SP_FAILED;
  const bool is_binding = options.id < 256; /* keeps account of its ids itself */
  c->manager = is_binding ? sp_manager_open_from(&options, first_generation, &why) : sp_manager_open(&options, &why);
  must(why == SP_OK && c->manager); /* may run on any thread */
}

void core_open(core *c) { core_open_with(c, TEST_OPTIONS(.size = sizeof(sp_manager_options))); }

void core_close(core *c)
{
  core_check(c->manager);
  ck_assert_uint_eq(sp_total_of(c->manager).bytes, c->memory.bytes);
  ck_assert_int_eq(sp_manager_close(c->manager), SP_OK);
  ck_assert_msg(test_memory_is_clean(&c->memory), "%zu bytes in %zu blocks left, %zu sizes wrong", c->memory.bytes,
                c->memory.blocks, c->memory.wrong_sizes);
  c->manager = NULL;
}

sp_pool *core_pool_with(core *c, const sp_pool_desc *desc)
{
  sp_result why = SP_OK;
  sp_pool *pool = sp_manager_add_pool(c->manager, desc, &why);
  if (!pool)
    ck_abort_msg("%s: %s", desc->type, sp_result_text(why));
  return pool;
}

sp_pool *core_pool(core *c, const char *type)
{
  sp_pool_desc desc = test_desc(type);
  return core_pool_with(c, &desc);
}

sp_ref core_alloc(sp_pool *pool)
{
  sp_result why = SP_OK;
  sp_ref object = sp_pool_alloc(pool, 0, NULL, &why);
  if (object == SP_NULL_REF)
    ck_abort_msg("%s: %s", sp_pool_desc_of(pool)->type, sp_result_text(why));
  return object;
}

sp_ref core_alloc_at(sp_pool *pool, float x, float y)
{
  sp_ref object = sp_pool_alloc(pool, 0, &(sp_start){.x = x, .y = y}, NULL);
  must(object != SP_NULL_REF);
  return object;
}

void core_alloc_many(sp_pool *pool, sp_ref *objects, int count)
{
  for (int i = 0; i < count; i++)
    objects[i] = core_alloc(pool);
}

sp_result core_refusal(sp_pool *pool, double lifetime)
{
  sp_result why = SP_OK;
  ck_assert_uint_eq(sp_pool_alloc(pool, lifetime, NULL, &why), SP_NULL_REF);
  return why;
}

void core_recycle(core *c, sp_ref object) { must(sp_object_recycle(c->manager, object) == SP_OK); }

void core_tick(core *c, int ticks)
{
  sp_result result = SP_OK;
  for (int i = 0; i < ticks && result == SP_OK; i++)
    result = sp_manager_update(c->manager, sp_clock_of(c->manager).step);
  ck_assert_int_eq(result, SP_OK);
}

float core_peek(const core *c, sp_ref object, int column)
{
  const float *cell = sp_object_peek(c->manager, object, column);
  ck_assert_ptr_nonnull(cell);
  return *cell;
}

/* }== */

/* {== What must always hold =============================================== */

static uint32_t count_bits(const sp_pool *pool)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < sp_pool_chunks(pool); i++) {
    const uint64_t bits = live_bits_of(pool, i);
    for (uint32_t s = 0; s < SP_CHUNK_SLOTS; s++)
      count += (bits >> s & 1) != 0;
  }
  return count;
}

static uint32_t count_walk(sp_pool *pool)
{
  uint32_t count = 0, last = 0;
  sp_walk walk = sp_pool_walk(pool);
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NULL_REF; count++) {
    must(sp_object_is_live(sp_pool_manager(pool), object));
    must(sp_object_pool(sp_pool_manager(pool), object) == pool);
    must(count == 0 || ((uint32_t)object & (SP_MAX_SLOTS - 1)) > last);
    last = (uint32_t)object & (SP_MAX_SLOTS - 1);
  }
  return count;
}

/* Every slot is of one kind, and every idle one is in the list of idle ones, once. */
static void check_slots(sp_pool *pool)
{
  const sp_manager *m = sp_pool_manager(pool);
  uint32_t count = sp_pool_chunks(pool) * SP_CHUNK_SLOTS, kinds[SP_SLOT_STATE_COUNT] = {0};
  sp_slot *slots = calloc(count + 1u, sizeof *slots);
  must(slots && sp_pool_slots(pool, 0, count + 1u, slots) == count);
  for (uint32_t i = 0; i < count; i++) {
    kinds[slots[i].state]++;
    must(!slots[i].object || sp_pool_slot_of(pool, slots[i].object) == i);
  }
  must(kinds[SP_SLOT_LIVE] == sp_pool_live(pool) && kinds[SP_SLOT_IDLE] == sp_stats_of(pool).idle);
  must(kinds[SP_SLOT_ENDING] == 0);
  uint32_t idle = 0;
  for (sp_ref object = 0; (object = sp_pool_idle_after(pool, object)) != SP_NULL_REF; idle++) {
    uint32_t at = sp_pool_slot_of(pool, object);
    must(at < count && slots[at].state == SP_SLOT_IDLE && !sp_object_is_live(m, object) &&
         sp_object_pool(m, object) == pool);
    slots[at].state = SP_SLOT_EMPTY; /* not to be seen again */
  }
  must(idle == sp_stats_of(pool).idle);
  free(slots);
}

static void check_pool(sp_pool *pool)
{
  sp_stats s = sp_stats_of(pool);
  ck_assert_uint_eq(s.live, sp_pool_live(pool));
  ck_assert_uint_eq(s.idle, sp_stats_of(pool).idle);
  ck_assert_uint_eq(s.total, s.live + s.idle);
  ck_assert_uint_eq(s.allocs - s.recycles, s.live);
  ck_assert_uint_eq(s.created - s.destroyed, s.total);
  ck_assert_uint_ge(s.peak, s.live);
  ck_assert_uint_le(s.expired + s.evicted, s.recycles);
  ck_assert_uint_eq(count_bits(pool), s.live);
  ck_assert_uint_eq(count_walk(pool), s.live);
  check_slots(pool);
  must(sp_manager_pool(sp_pool_manager(pool), sp_pool_desc_of(pool)->type) == pool);
}

void core_check(const sp_manager *m)
{
  sp_stats all = sp_total_of(m), sum = {0};
  for (uint32_t i = 0; i < count_pools(m); i++) {
    check_pool(pool_at(m, i));
    sp_stats s = sp_stats_of(pool_at(m, i));
    sum.live += s.live;
    sum.idle += s.idle;
    sum.bytes += s.bytes;
  }
  ck_assert_ptr_null(pool_at(m, count_pools(m)));
  ck_assert_uint_eq(all.live, sum.live);
  ck_assert_uint_eq(all.idle, sum.idle);
  ck_assert_uint_eq(all.total, all.live + all.idle);
  ck_assert_uint_ge(all.peak, all.live);
  ck_assert_uint_gt(all.bytes, sum.bytes);
}

/* }== */
