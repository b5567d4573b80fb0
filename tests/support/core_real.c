/*
** The real side of a random game: each operation as the call that it stands for.
*/
#include "core/state.h"
#include "support/core_play.h"
#include "support/desc.h"

#include <math.h>
#include <string.h>

int real_index_of(const world *w, const sp_pool *pool)
{
  for (int i = 0; i < POOLS; i++)
    if (pool && w->pools[i] == pool)
      return i;
  return -1;
}

static const sp_curve fade = MODEL_FADE;

static sp_pool_desc describe(world *w, int pool, const pool_shape *shape, sp_field *fields)
{
  static const int kept = MODEL_KEPT;
  sp_pool_desc desc = test_desc((const char *[]){"A", "B", "C"}[pool]);
  fields[shape->flipped] = (sp_field){"value", &shape->start, sizeof(int), false, shape->live, false};
  fields[!shape->flipped] = (sp_field){"kept", &kept, sizeof(int), true, false, false};
  fields[2] = (sp_field){.name = "extra", .size = shape->extra};
  desc.fields = fields;
  desc.field_count = shape->extra > 0 ? 3 : 2;
  desc.curves = &fade;
  desc.curve_count = shape->fades;
  desc.settings = test_settings(shape->settings);
  desc.on_parent_end = shape->detaches ? SP_PARENT_END_DETACH : SP_PARENT_END_RECYCLE;
  desc.hooks = play_hooks(shape->hooks, pool);
  desc.user = &w->watchers[pool];
  desc.look.radius = MODEL_RADIUS;
  desc.bounds = shape->bounds;
  desc.motion = shape->motion;
  desc.x = shape->begin[SP_X], desc.y = shape->begin[SP_Y];
  desc.vx = shape->begin[SP_VX], desc.vy = shape->begin[SP_VY];
  desc.ax = shape->begin[SP_AX], desc.ay = shape->begin[SP_AY];
  desc.angle = shape->begin[SP_ANGLE], desc.spin = shape->begin[SP_SPIN];
  return desc;
}

void real_open(world *w, int pool, const pool_shape *shape)
{
  sp_field fields[3];
  const size_t calls = w->c.memory.calls, fail_at = w->c.memory.fail_at;
  w->c.memory.fail_at = 0; /* it must open */
  w->shapes[pool] = *shape;
  sp_pool_desc desc = describe(w, pool, shape, fields);
  if (w->say.file)
    say_pool(&w->say, pool, shape);
  w->pools[pool] = core_pool_with(&w->c, &desc);
  w->c.memory.calls = calls;
  w->c.memory.fail_at = fail_at;
}

static sp_result redefine(world *w, const op *o)
{
  sp_field fields[3];
  sp_pool_desc desc = describe(w, o->pool, &o->shape, fields);
  pool_shape before = w->shapes[o->pool];
  w->shapes[o->pool] = o->shape; /* hooks may run before the call is over */
  sp_result result = sp_pool_redefine(w->pools[o->pool], &desc);
  if (result != SP_OK)
    w->shapes[o->pool] = before;
  return result;
}

static bool write_object(world *w, const op *o, sp_ref object)
{
  sp_manager *m = w->c.manager;
  if (!sp_cell(m, object, SP_LOOK))
    return false;
  bool flipped = w->shapes[real_index_of(w, sp_owner(m, object))].flipped;
  if (MODEL_MOVES(o->value)) {
    *(float *)sp_cell(m, object, SP_X) = (float)(o->value % 100);
    *(float *)sp_cell(m, object, SP_VX) = (float)(o->value % 7);
  }
  *(float *)sp_cell(m, object, MODEL_WRITTEN(o->value)) = MODEL_NUMBER(o->value);
  *(int *)sp_cell(m, object, SP_FIELDS + flipped) = o->value;
  *(int *)sp_cell(m, object, SP_FIELDS + !flipped) += o->value % 3;
  ((sp_look *)sp_cell(m, object, SP_LOOK))->pinned = o->pinned;
  return true;
}

static sp_ref alloc_cell(world *w, const op *o, double lifetime, sp_result *why)
{
  sp_ref object = SP_NONE_REF;
  int column = MODEL_COLUMN(o->count);
  unsigned char *bytes = sp_pool_alloc_cell(w->pools[o->pool], lifetime, column, &object, why);
  must(object ? bytes == sp_peek(w->c.manager, object, column) : bytes == NULL);
  for (int i = 0; object && column == SP_FIELDS + 2 && i < w->shapes[o->pool].extra; i++) {
    must(bytes[i] == 0); /* as every life begins */
    bytes[i] = 0x5a;
  }
  return object;
}

static sp_ref alloc(world *w, const op *o, sp_result *why, uint32_t *cancelled)
{
  sp_pool *pool = w->pools[o->pool];
  double lifetime = (double)o->time / 256;
  if (o->kind == OP_ALLOC)
    return sp_pool_alloc(pool, lifetime, why);
  if (o->kind == OP_ALLOC_AT)
    return sp_pool_alloc_at(pool, lifetime, &MODEL_PLACE(o->value), why);
  if (o->kind == OP_ALLOC_CELL)
    return alloc_cell(w, o, lifetime, why);
  if (o->kind == OP_TAKE)
    return sp_pool_take(pool, sp_pool_idle_at(pool, o->count), lifetime, why);
  sp_ref object = sp_pool_alloc_begin(pool, lifetime, why);
  if (!object)
    return SP_NONE_REF;
  must(write_object(w, o, object));
  if (o->kind == OP_COMMIT)
    return sp_alloc_commit(w->c.manager, object, why);
  *cancelled = sp_object_number(w->c.manager, object);
  sp_alloc_cancel(w->c.manager, object);
  return SP_NONE_REF;
}

static void do_alloc(world *w, const op *o, answer *a)
{
  uint32_t at = (uint32_t)o->pick2 % HISTORY;
  a->object = alloc(w, o, &a->result, &a->count);
  if (a->object)
    w->history[at] = a->object;
}

static void do_object(world *w, op *o, answer *a)
{
  sp_manager *m = w->c.manager;
  switch (o->kind) {
  case OP_RECYCLE:
    if (sp_owner(m, o->object) && o->object % 2 == 0)
      a->result = sp_pool_recycle(sp_owner(m, o->object), o->object);
    else
      a->result = sp_recycle(m, o->object);
    break;
  case OP_BASE:
    a->result = sp_recycle_base(m, o->object);
    break;
  case OP_UNDO:
    a->result = sp_alloc_undo(m, o->object);
    break;
  case OP_REMAIN:
    a->result = sp_set_remaining(m, o->object, o->time == ENDLESS ? (double)INFINITY : (double)o->time / 256);
    break;
  case OP_WRITE:
    a->result = write_object(w, o, o->object) ? SP_OK : SP_STALE;
    break;
  case OP_CHECK:
    a->result = sp_check(m, o->object);
    break;
  case OP_PARENT:
    a->result = sp_set_parent(m, o->object, o->second);
    break;
  case OP_TIMER:
    o->timer = sp_timer_start(m, o->object, (double)o->time / 256, (double)o->period / 256, &a->result);
    a->count = o->timer != 0;
    if (o->timer)
      w->timers[o->count % KNOWN_TIMERS] = o->timer;
    break;
  default:
    a->result = sp_timer_stop(m, o->timer);
  }
}

typedef struct query {
  world *w;
  int number;
  sp_pairs found; /* without room: it counts */
} query;

static void near(void *ud, sp_ref object)
{
  world *w = ud;
  play_note(real_index_of(w, sp_owner(w->c.manager, object)), HOOK_NEAR, object, 0);
}

static void pair(void *ud, sp_ref object, sp_ref other)
{
  query *q = ud;
  int pool = real_index_of(q->w, sp_owner(q->w->c.manager, object));
  sp_list_pair(&q->found, object, other);
  play_note(pool, HOOK_PAIR, object, q->number)->victim = other;
}

static uint32_t walk(world *w, sp_pool *pool)
{
  uint32_t count = 0;
  sp_walk it = sp_pool_walk(pool);
  w->walks++;
  for (sp_ref object; (object = sp_walk_next(&it)) != SP_NONE_REF; count++)
    play_note(real_index_of(w, pool), HOOK_VISIT, object, 0);
  w->walks--;
  return count;
}

static void forget_snapshot(world *w)
{
  sp_snapshot_free(w->snapshot);
  w->snapshot = NULL;
  model_forget_snapshot();
}

void real_close_manager(world *w)
{
  forget_snapshot(w);
  free(w->save.bytes);
  w->save = (core_tape){0};
  core_close(&w->c);
}

static sp_result close_manager(world *w, const op *o)
{
  if (w->depth == 0)
    forget_snapshot(w);
  sp_result result = sp_close(w->c.manager);
  if (w->depth > 0)
    return result;
  must(result == SP_OK && test_memory_is_clean(&w->c.memory));
  w->acts = 0; /* no hook acts before all pools are there */
  real_open_manager(w);
  for (int i = 0; i < POOLS; i++)
    real_open(w, i, i ? &o->shapes[i - 1] : &o->shape);
  return result;
}

static void do_query(world *w, const op *o, answer *a)
{
  sp_pool *pool = w->pools[o->pool];
  float x = (float)(o->value % 100), distance = 0;
  query q = {.w = w};
  switch (o->kind) {
  case OP_ADD:
    a->count = sp_pool_add(pool, SP_X, 0, (float)o->value);
    break;
  case OP_WITHIN:
    a->count = sp_pool_within(pool, x, 0, (float)o->count, near, w, &a->result);
    break;
  case OP_NEAREST:
    a->object = sp_pool_nearest(pool, x, 0, &distance);
    memcpy(&a->count2, &distance, sizeof distance);
    break;
  case OP_OVERLAPS:
    q.number = ++w->queries;
    a->count = sp_pool_overlaps(pool, w->pools[o->other], pair, &q, &a->result);
    must(q.found.count == a->count);
    break;
  default:
    a->count = walk(w, pool);
  }
}

static sp_result configure(sp_pool *pool, const sp_settings *settings)
{
  const sp_settings s = test_settings(*settings);
  return sp_pool_configure(pool, &s);
}

/* An update that lists what ends in it: nothing else is any different. */
static sp_result update_listed(world *w, const op *o)
{
  sp_pair room[32];
  sp_pairs ends = {room, 32, 0};
  sp_list_ends(w->c.manager, &ends);
  sp_result result = sp_update(w->c.manager, (double)o->time / 256);
  for (uint32_t i = 0; i < ends.count && i < ends.most; i++)
    must(room[i].object != SP_NONE_REF && room[i].other < SP_WHY_COUNT && !sp_is_live(w->c.manager, room[i].object));
  sp_list_ends(w->c.manager, NULL);
  return result;
}

/* {== Snapshots and saves ================================================ */

static sp_result take(world *w)
{
  sp_result why = SP_OK;
  sp_snapshot *snapshot = sp_snapshot_take(w->c.manager, w->snapshot, &why);
  if (!snapshot)
    return why;
  must(sp_snapshot_bytes(snapshot) > 0);
  w->snapshot = snapshot;
  memcpy(w->history_then, w->history, sizeof w->history);
  memcpy(w->timers_then, w->timers, sizeof w->timers);
  return SP_OK;
}

static sp_result restore(world *w)
{
  if (!w->snapshot)
    return SP_NONE;
  sp_result why = sp_snapshot_restore(w->c.manager, w->snapshot);
  if (why != SP_OK)
    return why;
  core_check(w->c.manager);
  memcpy(w->history, w->history_then, sizeof w->history);
  memcpy(w->timers, w->timers_then, sizeof w->timers);
  return SP_OK;
}

static sp_result save(world *w)
{
  w->save.size = w->save.at = 0;
  sp_result why = sp_save(w->c.manager, core_tape_write, &w->save);
  if (why != SP_OK)
    return why;
  sp_options options = {.memory = test_memory_fn, .memory_ud = &w->c.memory};
  sp_manager *loaded = sp_load(&options, core_tape_read, &w->save, &why);
  if (!loaded)
    return why;
  must(sp_hash(loaded) == sp_hash(w->c.manager));
  core_check(loaded);
  sp_discard(loaded);
  return SP_OK;
}

/* }== */

static void do_pool(world *w, const op *o, answer *a)
{
  sp_pool *pool = w->pools[o->pool];
  sp_hooks hooks = play_hooks(o->shape.hooks, o->pool);
  switch (o->kind) {
  case OP_PREWARM:
    a->count = sp_pool_prewarm(pool, o->count, &a->result);
    break;
  case OP_SLOWLY:
    a->result = sp_pool_prewarm_slowly(pool, o->count, (uint32_t)(o->value % 4), (double)o->time / 256);
    break;
  case OP_RECYCLE_ALL:
    a->count = sp_pool_recycle_all(pool);
    break;
  case OP_CLEAR:
    a->count = sp_pool_clear(pool);
    break;
  case OP_TRIM:
    a->count = sp_pool_trim(pool);
    break;
  case OP_CONFIGURE:
    a->result = configure(pool, &o->shape.settings);
    break;
  case OP_HOOKS:
    sp_pool_set_hooks(pool, &hooks);
    break;
  case OP_REDEFINE:
    a->result = redefine(w, o);
    break;
  case OP_CLOCK:
    a->result = sp_set_time_scale(w->c.manager, o->value % 4);
    sp_set_paused(w->c.manager, o->pinned);
    break;
  case OP_UPDATE:
    w->ahead = o->time > w->ahead ? o->time : w->ahead;
    a->result = w->depth == 0 && o->time % 2 ? update_listed(w, o) : sp_update(w->c.manager, (double)o->time / 256);
    w->ahead = w->depth == 0 ? 0 : w->ahead;
    break;
  case OP_SNAPSHOT:
    a->result = take(w);
    break;
  case OP_RESTORE:
    a->result = restore(w);
    break;
  case OP_SAVE:
    a->result = save(w);
    break;
  case OP_REMOVE:
    a->result = sp_pool_remove(pool, &a->count, &a->count2);
    if (a->result == SP_OK)
      real_open(w, o->pool, &o->shape);
    break;
  default:
    a->result = close_manager(w, o);
  }
}

answer real_do(world *w, op *o)
{
  answer a = {.result = SP_OK};
  o->object = w->history[o->pick];
  o->second = o->pick2 < 0 ? SP_NONE_REF : w->history[o->pick2];
  o->owner = real_index_of(w, sp_owner(w->c.manager, o->object));
  o->owner2 = real_index_of(w, sp_owner(w->c.manager, o->second));
  say_call(&w->say, o);
  if (o->kind <= OP_TAKE)
    do_alloc(w, o, &a);
  else if (o->kind <= OP_STOP)
    do_object(w, o, &a);
  else if (o->kind >= OP_ADD && o->kind <= OP_WALK)
    do_query(w, o, &a);
  else
    do_pool(w, o, &a);
  say_answer(&w->say, o, &a);
  return a;
}

static bool go_on(void *ud)
{
  (void)ud;
  return true;
}

void real_open_manager(world *w)
{
  sp_options options = {
      .last_generation = w->last_generation, .on_timer = play_on_timer, .on_timer_end = play_on_timer_end};
  core_open_with(&w->c, options);
  sp_set_progress(w->c.manager, go_on, w);
  w->c.manager->wide = w->c.manager->wide && !w->narrow;
  memset(w->history, 0, sizeof w->history);
  memset(w->timers, 0, sizeof w->timers);
  w->queries = 0;
  for (int i = 0; i < 8; i++)
    w->history[i] = (sp_ref)(2 * i + 1) << 32 | 2u << 24 | (sp_ref)i; /* foreign ones */
}
