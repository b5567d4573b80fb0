/*
** See core_steps.h.
*/
#include "fuzz/core_steps.h"

#include <math.h>
#include <string.h>

/* {== Pools ============================================================== */

void step_prewarm(place *p)
{
  static const uint32_t counts[] = {0, 1, 5, 33, 257, UINT32_MAX};
  sp_result why = SP_OK;
  uint32_t made = sp_pool_prewarm(p->pool, fuzz_of(p->in, counts), &why);
  fuzz_check(why < SP_RESULT_COUNT && made <= SP_MAX_SLOTS);
}

void step_prewarm_slowly(place *p)
{
  static const uint32_t counts[] = {0, 1, 5, 33, 257, UINT32_MAX};
  uint32_t count = fuzz_of(p->in, counts), slice = fuzz_of(p->in, counts);
  sp_pool_prewarm_slowly(p->pool, count, slice, core_seconds_of(p->in));
}

void step_clear(place *p)
{
  uint32_t done = fuzz_byte(p->in) & 1 ? sp_pool_clear(p->pool) : sp_pool_trim(p->pool);
  fuzz_check(done <= SP_MAX_SLOTS);
}

/* A refused change has run no hook, so that the pool is there; and nothing of it has changed. */
static void check_refused(const place *p, const sp_settings *settings, const sp_stats *stats)
{
  sp_settings s = sp_pool_settings(p->pool);
  sp_stats now = sp_pool_stats(p->pool);
  fuzz_check(memcmp(&s, settings, sizeof s) == 0);
  fuzz_check(now.live == stats->live && now.idle == stats->idle && now.bytes == stats->bytes);
  fuzz_check(now.created == stats->created && now.destroyed == stats->destroyed);
  fuzz_check(now.prewarm_done == stats->prewarm_done && now.prewarm_wanted == stats->prewarm_wanted);
}

void step_configure(place *p)
{
  sp_settings before = sp_pool_settings(p->pool), s = core_settings_of(p->in);
  sp_stats stats = sp_pool_stats(p->pool);
  if (sp_pool_configure(p->pool, &s) != SP_OK)
    check_refused(p, &before, &stats);
}

void step_set_hooks(place *p)
{
  sp_hooks hooks = core_hooks_of(p->w, p->side, p->index);
  sp_pool_set_hooks(p->pool, &hooks);
}

void step_redefine(place *p)
{
  desc_room room;
  sp_pool_desc desc = core_desc_of(p->w, p->side, p->index, &room);
  sp_settings before = sp_pool_settings(p->pool);
  sp_stats stats = sp_pool_stats(p->pool);
  sp_result result = sp_pool_redefine(p->pool, &desc);
  fuzz_check(result < SP_RESULT_COUNT && sp_pool_manager(p->pool) == p->m);
  if (result != SP_OK)
    check_refused(p, &before, &stats);
}

void step_open(place *p)
{
  desc_room room;
  sp_result why = SP_OK;
  bool known = p->pool != NULL;
  sp_pool_desc desc = core_desc_of(p->w, p->side, p->index, &room);
  desc.user = p->s;
  sp_pool *pool = sp_add_pool(p->m, &desc, &why);
  fuzz_check((pool == NULL) == (why != SP_OK) && !(known && pool));
  if (known)
    return;
  p->s->pools[p->index] = pool;
  fuzz_check(!pool || (sp_pool_user(pool) == p->s && sp_find_pool(p->m, desc.type) == pool));
}

void step_remove(place *p)
{
  uint32_t recycled = 0, destroyed = 0;
  if (p->s->walked[p->index])
    return;
  p->s->walked[p->index]++; /* hooks may try, and be refused, but the pointer is not theirs to forget */
  sp_result result = sp_pool_remove(p->pool, &recycled, &destroyed);
  p->s->walked[p->index]--;
  fuzz_check(result == SP_OK || result == SP_BUSY);
  if (result == SP_OK)
    p->s->pools[p->index] = NULL;
}

void step_close(place *p)
{
  for (int i = 0; i < POOLS; i++)
    if (p->s->walked[i])
      return;
  if (p->w->depth > 1) {
    fuzz_check(p->s->hooks == 0 || sp_close(p->m) == SP_BUSY);
    return;
  }
  core_world_close(p->w, p->side);
  core_world_open(p->w, p->side);
}

void step_memory(place *p)
{
  test_memory *memory = &p->s->memory;
  uint8_t bits = fuzz_byte(p->in);
  memory->fail_at = bits ? memory->calls + 1 + bits / 8 : 0;
  memory->keep_failing = bits & 1;
}

/* }== */

/* {== Fields and places ================================================== */

void step_write(place *p)
{
  sp_ref object = core_object_of(p->w, NULL);
  int column = (int)fuzz_below(p->in, SP_LOOK + 1);
  void *cell = sp_cell(p->m, object, column);
  float value = core_float_of(p->in);
  fuzz_check(!cell || cell == sp_peek(p->m, object, column));
  if (cell && column < SP_LOOK)
    memcpy(cell, &value, sizeof value);
  else if (cell)
    *(sp_look *)cell = (sp_look){.scale = value, .radius = -value, .pinned = fuzz_byte(p->in) & 1};
}

/* Own fields of any size, but for the mark. */
void step_write_field(place *p)
{
  sp_ref object = core_object_of(p->w, NULL);
  void *cell = sp_cell(p->m, object, MARK + 1 + (int)fuzz_below(p->in, 8));
  if (cell)
    memset(cell, fuzz_byte(p->in), 1);
  fuzz_check(!sp_cell(p->m, object, -1) && !sp_cell(p->m, object, SP_FIELDS + SP_MAX_FIELDS));
}

void step_column(place *p)
{
  uint32_t chunk = fuzz_below(p->in, 4);
  int column = (int)fuzz_below(p->in, SP_LOOK);
  if (chunk >= sp_pool_chunks(p->pool))
    return;
  const void *peek = sp_pool_peek(p->pool, chunk, column);
  float *cells = sp_pool_column(p->pool, chunk, column), value = core_float_of(p->in);
  fuzz_check(cells == peek);
  for (int i = 0; cells && i < SP_CHUNK_SLOTS; i++)
    if (sp_pool_live_bits(p->pool, chunk)[i / 64] >> i % 64 & 1)
      cells[i] = value + (float)i;
}

void step_add(place *p)
{
  static const size_t offsets[] = {0, 4, 16, 20, 24, 2, 28, 400, SIZE_MAX};
  int column = (int)fuzz_below(p->in, SP_FIELDS + 3) - 1;
  size_t offset = fuzz_of(p->in, offsets);
  uint32_t done = sp_pool_add(p->pool, column, offset, core_float_of(p->in));
  fuzz_check(done == 0 || done == sp_pool_live(p->pool));
}

void step_parent(place *p)
{
  sp_ref child = core_object_of(p->w, NULL), parent = core_object_of(p->w, NULL), some[4];
  sp_result result = sp_set_parent(p->m, child, parent);
  fuzz_check(result != SP_OK || sp_parent(p->m, child) == parent);
  uint32_t children = sp_children(p->m, parent, some, 4);
  for (uint32_t i = 0; i < children && i < 4; i++)
    fuzz_check(sp_parent(p->m, some[i]) == parent);
  fuzz_check(children == 0 || sp_pool_has_kin(sp_owner(p->m, parent)));
}

void step_world_place(place *p)
{
  sp_place at;
  sp_ref object = core_object_of(p->w, NULL);
  if (sp_world_place(p->m, object, &at))
    fuzz_check(sp_peek(p->m, object, SP_X) != NULL);
}

/* }== */

/* {== Questions ========================================================== */

void step_check(place *p)
{
  sp_ref object = core_object_of(p->w, NULL);
  sp_result result = sp_check(p->m, object);
  const sp_pool *owner = sp_owner(p->m, object);
  fuzz_check(result == SP_OK || result == SP_STALE || result == SP_FOREIGN);
  fuzz_check(!sp_is_live(p->m, object) || (result == SP_OK && owner));
  fuzz_check((sp_object_number(p->m, object) > 0) >= sp_is_live(p->m, object));
  for (uint32_t i = 0; i < sp_count_pools(p->m); i++) {
    uint32_t slot = sp_pool_slot_of(sp_get_pool(p->m, i), object);
    fuzz_check((slot != UINT32_MAX) == (sp_get_pool(p->m, i) == owner));
  }
}

void step_walk(place *p)
{
  sp_walk walk = sp_pool_walk(p->pool);
  uint32_t last = 0, count = 0;
  p->s->walked[p->index]++;
  for (sp_ref object; (object = sp_walk_next(&walk)) != 0; count++) {
    uint32_t slot = (uint32_t)object & (SP_MAX_SLOTS - 1);
    fuzz_check(sp_is_live(p->m, object) && (count == 0 || slot > last));
    last = slot;
    if (p->w->depth < DEEPEST && fuzz_below(p->in, 3) == 2)
      core_step(p->w);
  }
  p->s->walked[p->index]--;
}

static void on_near(void *ud, sp_ref object)
{
  place *p = ud;
  fuzz_check(sp_is_live(p->m, object));
  if (p->w->depth < DEEPEST && fuzz_below(p->in, 3) == 2)
    core_step(p->w);
}

static void on_overlap(void *ud, sp_ref object, sp_ref other)
{
  const place *p = ud;
  fuzz_check(object != other && sp_is_live(p->m, other));
  on_near(ud, object);
}

void step_near(place *p)
{
  float x = core_float_of(p->in), y = core_float_of(p->in), radius = core_float_of(p->in), distance = -1;
  sp_ref nearest = sp_pool_nearest(p->pool, x, y, &distance);
  fuzz_check(!nearest || (sp_is_live(p->m, nearest) && distance >= 0));
  sp_result why = SP_OK;
  p->s->walked[p->index]++;
  sp_pool_within(p->pool, x, y, radius, on_near, p, &why);
  p->s->walked[p->index]--;
}

/* Where all of them touch there are very many pairs. */
static bool is_patient(void *ud) { return ++*(int *)ud < 60; }

void step_overlaps(place *p)
{
  int other = (int)fuzz_below(p->in, POOLS), asked = 0;
  sp_result why = SP_OK;
  if (!p->s->pools[other])
    return;
  p->s->walked[p->index]++;
  p->s->walked[other]++;
  sp_set_progress(p->m, is_patient, &asked);
  sp_pool_overlaps(p->pool, p->s->pools[other], on_overlap, p, &why);
  sp_set_progress(p->m, NULL, NULL);
  fuzz_check(why == SP_OK || why == SP_MEMORY || why == SP_INTERRUPTED);
  p->s->walked[p->index]--;
  p->s->walked[other]--;
}

void step_names(place *p)
{
  sp_result result = (sp_result)fuzz_below(p->in, SP_RESULT_COUNT + 2);
  fuzz_check(sp_result_name(result) && sp_result_text(result));
  fuzz_check(sp_why_name((sp_why)fuzz_below(p->in, SP_WHY_COUNT + 2)) != NULL);
  fuzz_check(!sp_find_pool(p->m, "no such") && !sp_get_pool(p->m, UINT32_MAX));
  sp_slot some[3];
  fuzz_check(!p->pool || sp_pool_slots(p->pool, UINT32_MAX - fuzz_below(p->in, 2), 3, some) == 0);
}

/* }== */
