/*
** Plays a game by the functions of C.
*/
#include "core/state.h"
#include "model/game.h"
#include "support/desc.h"

#include <math.h>
#include <string.h>

/* {== Hooks ============================================================== */

/* What a hook is called for can be read, and lives in on_spawn alone. */
static void look_at(sp_pool *pool, sp_ref object, bool lives)
{
  const sp_manager *m = sp_pool_manager(pool);
  const uint32_t slot = sp_pool_slot_of(pool, object);
  const uint64_t bits = live_bits_of(pool, slot / SP_CHUNK_SLOTS);
  must(sp_object_pool(m, object) == pool && sp_object_peek(m, object, SP_X) && sp_object_is_live(m, object) == lives);
  must((bits >> slot % SP_CHUNK_SLOTS & 1) == lives);
  sp_slot seen;
  must(sp_pool_slots(pool, slot, 1, &seen) == 1 && seen.object == object);
  must(seen.state == (lives ? SP_SLOT_LIVE : object >> 32 & 1 ? SP_SLOT_ENDING : SP_SLOT_IDLE));
}

static event *saw(void *ud, hook_kind hook, sp_pool *pool, sp_ref object, int arg)
{
  const watch *w = ud;
  w->it->pools[w->pool] = pool; /* it may run before sp_manager_add_pool has returned */
  if (object)
    look_at(pool, object, hook == HOOK_SPAWN);
  return player_note(w->it, w->pool, hook, object, arg);
}

static void on_create(void *ud, sp_pool *pool, sp_ref object) { saw(ud, HOOK_CREATE, pool, object, 0); }
static void on_reject(void *ud, sp_pool *pool, sp_ref object) { saw(ud, HOOK_REJECT, pool, object, 0); }
static void on_destroy(void *ud, sp_pool *pool, sp_ref object) { saw(ud, HOOK_DESTROY, pool, object, 0); }
static void update_pool(void *ud, sp_pool *pool, double dt)
{
  saw(ud, HOOK_UPDATE, pool, SP_NULL_REF, MODEL_DT((int64_t)(dt * 256)));
}

static sp_ref on_overflow(void *ud, sp_pool *pool)
{
  return player_victim(((const watch *)ud)->it, saw(ud, HOOK_OVERFLOW, pool, SP_NULL_REF, 0));
}

static bool on_spawn(void *ud, sp_pool *pool, sp_ref object, bool fresh)
{
  return saw(ud, HOOK_SPAWN, pool, object, fresh)->yes;
}

static void on_recycle(void *ud, sp_pool *pool, sp_ref object, sp_why why)
{
  if (saw(ud, HOOK_RECYCLE, pool, object, (int)why)->yes)
    sp_object_recycle_base(sp_pool_manager(pool), object); /* what the hook did may have called it already */
}

static void on_despawn(void *ud, sp_pool *pool, sp_ref object, sp_why why)
{
  saw(ud, HOOK_DESPAWN, pool, object, (int)why);
}

static void on_end(void *ud, sp_pool *pool, sp_ref object, sp_why why) { saw(ud, HOOK_END, pool, object, (int)why); }

static sp_pool_hooks hooks_of(player *it, unsigned bits, int pool)
{
  it->watches[pool] = (watch){it, pool};
  return (sp_pool_hooks){.ud = &it->watches[pool],
                         .on_create = on_create,
                         .on_spawn = bits >> HOOK_SPAWN & 1 ? on_spawn : NULL,
                         .recycle = bits >> HOOK_RECYCLE & 1 ? on_recycle : NULL,
                         .on_despawn = bits >> HOOK_DESPAWN & 1 ? on_despawn : NULL,
                         .on_end = bits >> HOOK_END & 1 ? on_end : NULL,
                         .on_reject = bits >> HOOK_REJECT & 1 ? on_reject : NULL,
                         .on_destroy = bits >> HOOK_DESTROY & 1 ? on_destroy : NULL,
                         .on_overflow = bits >> HOOK_OVERFLOW & 1 ? on_overflow : NULL,
                         .update = bits >> HOOK_UPDATE & 1 ? update_pool : NULL};
}

/* Those of the manager are told of the first pool, without an object. */
static event *note_timer(player *it, hook_kind hook, sp_ref object, sp_timer timer, uint64_t tag)
{
  const int pool = object ? player_pool(it, sp_object_pool(it->c.manager, object)) : 0;
  event *e = player_note(it, pool, hook, object, 0);
  e->timer = timer;
  e->tag = tag;
  return e;
}

/* In games in Lua a callback ends its timer now and then, as one that returns false. */
static void on_timer(void *ud, sp_ref object, uint64_t timer, uint64_t tag)
{
  player *it = ud;
  if (!it->is_ahead && !note_timer(it, HOOK_TIMER, object, timer, tag)->yes)
    sp_timer_stop(it->c.manager, timer);
}

static void on_timer_end(void *ud, sp_ref object, uint64_t timer, uint64_t tag)
{
  if (!((const player *)ud)->is_ahead)
    note_timer(ud, HOOK_TIMER_END, object, timer, tag);
}

/* }== */

/* {== Pools and objects ================================================== */

static sp_pool_desc describe(player *it, int pool, const pool_shape *shape, sp_field *fields)
{
  static double kept[POOLS];
  static const sp_curve fade = MODEL_FADE;
  sp_pool_desc desc = test_desc((const char *[]){"A", "B", "C"}[pool]);
  fields[shape->flipped] =
      (sp_field){.name = "value", .initial = &shape->start, .size = sizeof(double), .live = shape->live};
  kept[pool] = MODEL_KEPT(shape);
  fields[!shape->flipped] =
      (sp_field){.name = "kept", .initial = &kept[pool], .size = sizeof(double), .keep = shape->keeps};
  fields[2] = (sp_field){.name = "extra", .size = shape->extra};
  desc.fields = fields;
  desc.field_count = shape->extra > 0 ? 3 : 2;
  desc.curves = &fade;
  desc.curve_count = shape->fades;
  desc.settings = shape->settings;
  desc.on_parent_end = shape->detaches ? SP_PARENT_END_DETACH : SP_PARENT_END_RECYCLE;
  desc.hooks = hooks_of(it, shape->hooks, pool);
  desc.look.radius = MODEL_RADIUS;
  desc.look.layer = MODEL_LAYER(shape->start);
  desc.bounds = shape->bounds;
  desc.box = shape->box;
  desc.motion = shape->motion;
  desc.x = shape->begin[SP_X], desc.y = shape->begin[SP_Y];
  desc.vx = shape->begin[SP_VX], desc.vy = shape->begin[SP_VY];
  desc.ax = shape->begin[SP_AX], desc.ay = shape->begin[SP_AY];
  desc.angle = shape->begin[SP_ANGLE], desc.spin = shape->begin[SP_SPIN];
  return desc;
}

static void open_pool(player *it, int pool, const pool_shape *shape)
{
  sp_field fields[3];
  const int written = it->written;
  sp_result why = SP_RESULT_COUNT;
  it->shapes[pool] = *shape;
  sp_pool_desc desc = describe(it, pool, shape, fields);
  it->pools[pool] = sp_manager_add_pool(it->c.manager, &desc, &why);
  must((why == SP_OK) == (it->pools[pool] != NULL));
  if (why == SP_OK)
    return;
  must(why == SP_MEMORY && it->written == written && !sp_manager_pool(it->c.manager, desc.type));
  it->c.memory.fail_at = 0; /* now it must open */
  it->pools[pool] = core_pool_with(&it->c, &desc);
}

static sp_result redefine(player *it, const op *o)
{
  sp_field fields[3];
  sp_pool_desc desc = describe(it, o->pool, &o->shape, fields);
  pool_shape before = it->shapes[o->pool];
  const sp_settings described = it->pools[o->pool]->described;
  it->shapes[o->pool] = o->shape; /* hooks may run before the call is over */
  sp_result result = sp_pool_redefine(it->pools[o->pool], &desc);
  if (result != SP_OK)
    it->shapes[o->pool] = before;
  else if (o->as_set)
    sp_pool_set_described(it->pools[o->pool], &described);
  return result;
}

static bool write_object(player *it, const op *o, sp_ref object)
{
  sp_manager *m = it->c.manager;
  if (!sp_object_cell(m, object, SP_LOOK))
    return false;
  bool flipped = it->shapes[player_pool(it, sp_object_pool(m, object))].flipped;
  if (MODEL_MOVES(o->value)) {
    *(float *)sp_object_cell(m, object, SP_X) = (float)(o->value % 100);
    *(float *)sp_object_cell(m, object, SP_VX) = (float)(o->value % 7);
  }
  *(float *)sp_object_cell(m, object, MODEL_WRITTEN(o->value)) = MODEL_NUMBER(o->value);
  *(double *)sp_object_cell(m, object, SP_FIELDS + flipped) = o->value;
  *(double *)sp_object_cell(m, object, SP_FIELDS + !flipped) = o->value % 50;
  ((sp_look *)sp_object_cell(m, object, SP_LOOK))->pinned = o->pinned;
  return true;
}

static sp_ref alloc_started(player *it, const op *o, double lifetime, sp_result *why)
{
  const float speed[] = MODEL_SPEED(o->value), *begin = &it->shapes[o->pool].begin[SP_VX];
  const sp_place place = MODEL_PLACE(o->value);
  sp_start start = {.x = place.x, .y = place.y, .angle = place.angle};
  start.vx = o->pinned ? speed[0] : begin[0];
  start.vy = o->pinned ? speed[1] : begin[1];
  start.parent = o->kind == OP_ALLOC_CHILD ? o->second : SP_NULL_REF;
  return sp_pool_alloc(it->pools[o->pool], lifetime, &start, why);
}

/* Nothing else can happen between the two steps. */
static sp_ref alloc_in_steps(player *it, const op *o, double lifetime, sp_result *why, uint32_t *cancelled)
{
  sp_manager *m = it->c.manager;
  sp_pool *pool = it->pools[o->pool];
  sp_ref object = sp_alloc_begin(pool, lifetime, why);
  if (!object)
    return SP_NULL_REF;
  must(write_object(it, o, object) && !sp_object_is_live(m, object));
  must(!sp_alloc_begin(pool, 0, why) && *why == SP_BUSY && sp_manager_update(m, 1) == SP_BUSY);
  must(sp_manager_close(m) == SP_BUSY && sp_pool_remove(pool, NULL, NULL) == SP_BUSY);
  *why = o->kind == OP_COMMIT ? SP_RESULT_COUNT : SP_OK;
  if (o->kind == OP_COMMIT)
    return sp_alloc_commit(m, object, why);
  *cancelled = sp_object_number(m, object);
  sp_alloc_cancel(m, object);
  must(!sp_alloc_commit(m, object, why) && *why == SP_STALE);
  *why = SP_OK;
  return SP_NULL_REF;
}

static sp_ref idle_at(const sp_pool *pool, uint32_t index)
{
  sp_ref idle = sp_pool_idle_after(pool, SP_NULL_REF);
  for (; idle && index > 0; index--)
    idle = sp_pool_idle_after(pool, idle);
  return idle;
}

static sp_ref alloc_base(player *it, const op *o, sp_result *why, uint32_t *cancelled)
{
  sp_pool *pool = it->pools[o->pool];
  const double lifetime = model_seconds(o, o->time);
  if (o->kind == OP_ALLOC)
    return sp_pool_alloc(pool, lifetime, NULL, why);
  if (o->kind == OP_ALLOC_AT || o->kind == OP_ALLOC_CHILD)
    return alloc_started(it, o, lifetime, why);
  if (o->kind == OP_TAKE)
    return sp_pool_take_idle(pool, idle_at(pool, o->count), lifetime, why);
  return alloc_in_steps(it, o, lifetime, why, cancelled);
}

/* In games in Lua the last class overrides alloc: it may refuse the object that its base has given it. */
static sp_ref alloc(player *it, const op *o, sp_result *why, uint32_t *cancelled)
{
  const sp_ref object = alloc_base(it, o, why, cancelled);
  if (!object || !it->rules.in_lua || o->pool < POOLS - 1 || o->kind == OP_TAKE)
    return object;
  if (player_note(it, o->pool, HOOK_ALLOC, object, 0)->yes)
    return object;
  must(sp_alloc_undo(it->c.manager, object) == SP_OK);
  *why = SP_VETOED;
  return SP_NULL_REF;
}

/* As a pool of Lua does it. */
static sp_result recycle_in(sp_pool *pool, sp_ref object)
{
  sp_manager *m = sp_pool_manager(pool);
  return sp_ref_may_be_of(m, object, pool) ? sp_object_recycle(m, object) : SP_FOREIGN;
}

/* Returns the result. */
static sp_result do_object(player *it, op *o, answer *a)
{
  sp_manager *m = it->c.manager;
  switch (o->kind) {
  case OP_RECYCLE:
    return o->other < 0 ? sp_object_recycle(m, o->object) : recycle_in(it->pools[o->other], o->object);
  case OP_BASE:
    return sp_object_recycle_base(m, o->object);
  case OP_UNDO:
    return sp_alloc_undo(m, o->object);
  case OP_REMAIN:
    return sp_object_set_remaining(m, o->object, model_seconds(o, o->time));
  case OP_WRITE:
    return write_object(it, o, o->object) ? SP_OK : SP_STALE;
  case OP_CHECK:
    return sp_object_check(m, o->object);
  case OP_PARENT:
    return sp_object_set_parent(m, o->object, o->second);
  case OP_TIMER:
    o->timer = sp_timer_start(m, o->object, model_seconds(o, o->time), model_seconds(o, o->period), o->tag, &a->result);
    a->count = o->timer != 0;
    if (o->timer)
      it->timers[o->count % KNOWN_TIMERS] = o->timer;
    return a->result;
  default:
    return sp_timer_stop(m, o->timer);
  }
}

typedef struct query {
  player *it;
  int number;
  sp_pair first[2];
  sp_pairs found; /* has room for these */
} query;

static void near(void *ud, sp_ref object)
{
  player *it = ud;
  player_note(it, player_pool(it, sp_object_pool(it->c.manager, object)), HOOK_NEAR, object, 0);
}

static void pair(void *ud, sp_ref object, sp_ref other)
{
  query *q = ud;
  int pool = player_pool(q->it, sp_object_pool(q->it->c.manager, object));
  sp_pairs_add(&q->found, object, other);
  const sp_pair *last = q->found.count <= 2 ? &q->first[q->found.count - 1] : NULL;
  must(!last || (last->object == object && last->other == other));
  player_note(q->it, pool, HOOK_PAIR, object, q->number)->victim = other;
}

static uint32_t walk(player *it, sp_pool *pool)
{
  uint32_t count = 0;
  sp_walk steps = sp_pool_walk(pool);
  it->walks++;
  for (sp_ref object; (object = sp_walk_next(&steps)) != SP_NULL_REF; count++)
    player_note(it, player_pool(it, pool), HOOK_VISIT, object, 0);
  it->walks--;
  return count;
}

/* }== */

/* {== Managers =========================================================== */

static bool go_on(void *ud)
{
  (void)ud;
  return true;
}

static void forget_snapshot(player *it)
{
  sp_snapshot_free(it->snapshot);
  it->snapshot = NULL;
  model_forget_snapshot();
}

static sp_manager_options options_of(player *it)
{
  return TEST_OPTIONS(.lives = it->rules.lives, .on_timer = on_timer, .on_timer_end = on_timer_end, .timer_ud = it);
}

static void prepare_manager(player *it)
{
  sp_manager_set_progress(it->c.manager, go_on, it);
  it->c.manager->wide = it->c.manager->wide && !it->rules.narrow;
}

static void open_all(player *it, const op *shapes)
{
  core_open_from(&it->c, options_of(it), it->rules.first_generation);
  prepare_manager(it);
  player_forget(it, 2);
  for (int i = 0; i < POOLS; i++)
    open_pool(it, i, game_shape(shapes, i));
}

static void close_all(player *it)
{
  forget_snapshot(it);
  free(it->save.bytes);
  it->save = (core_tape){0};
  core_close(&it->c);
}

static sp_result close_manager(player *it, const op *o)
{
  if (it->depth == 0)
    forget_snapshot(it);
  sp_result result = sp_manager_close(it->c.manager);
  if (it->depth > 0)
    return result;
  must(result == SP_OK && test_memory_is_clean(&it->c.memory));
  it->acts = 0; /* no hook acts before all pools are there */
  open_all(it, o);
  return result;
}

static void do_query(player *it, const op *o, answer *a)
{
  sp_pool *pool = it->pools[o->pool];
  float x = (float)(o->value % 100), distance = 0;
  query q = {.it = it};
  q.found = (sp_pairs){q.first, 2, 0};
  switch (o->kind) {
  case OP_ADD:
    a->count = sp_pool_add(pool, o->value % SP_LOOK, 0, (float)o->value);
    break;
  case OP_WITHIN:
    a->count = sp_pool_within(pool, x, 0, (float)o->count, near, it, &a->result);
    break;
  case OP_NEAREST:
    a->object = sp_pool_nearest(pool, x, 0, 0, &distance);
    memcpy(&a->count2, &distance, sizeof distance);
    break;
  case OP_OVERLAPS:
    q.number = ++it->queries;
    a->count = sp_pool_overlaps(pool, it->pools[o->other], pair, &q, &a->result);
    must(q.found.count == a->count);
    break;
  default:
    a->count = walk(it, pool);
  }
}

static sp_result configure(sp_pool *pool, const sp_settings *settings) { return sp_pool_set_settings(pool, settings); }

/* Some updates list what ends in them, and others leave the list alone. */
static sp_result update(player *it, const op *o)
{
  const bool listed = it->depth == 0 && is_listed(o);
  if (it->depth == 0)
    it->ends = (sp_pairs){it->room, o->count, UINT32_MAX};
  if (listed) {
    memset(it->room, 0, sizeof it->room);
    sp_manager_list_ends(it->c.manager, &it->ends);
  }
  sp_result result = sp_manager_update(it->c.manager, model_seconds(o, o->time));
  if (listed)
    sp_manager_list_ends(it->c.manager, NULL);
  must(listed || it->depth > 0 || it->ends.count == UINT32_MAX);
  return result;
}

/* {== Snapshots and saves ================================================ */

static sp_result take(player *it)
{
  sp_result why = SP_RESULT_COUNT;
  sp_snapshot *snapshot = sp_snapshot_take(it->c.manager, it->snapshot, &why);
  must((snapshot != NULL) == (why == SP_OK) && (!snapshot || sp_snapshot_bytes(snapshot) > 0));
  it->snapshot = snapshot ? snapshot : it->snapshot;
  return why;
}

/* A fresh manager of another id, with the pools of the game as they are described today, and objects of its own. */
static void open_twin(player *it, core *twin)
{
  core_open_from(twin, TEST_OPTIONS(.lives = it->rules.lives, .id = 7), it->rules.first_generation);
  for (int i = POOLS - 1; i >= 0; i--) {
    sp_field fields[3];
    sp_pool_desc desc = describe(it, i, &it->shapes[i], fields);
    desc.settings = it->pools[i]->described;
    desc.settings.prealloc = 0;
    desc.hooks = (sp_pool_hooks){0};
    sp_pool *pool = core_pool_with(twin, &desc);
    for (int k = 0; k < 70; k += 1 + i)
      sp_pool_alloc(pool, k % 3, NULL, NULL);
  }
}

/* One turn of a game without hooks. */
static void go_ahead(sp_manager *m, int turn)
{
  sp_manager_update(m, turn * 3 * STEP);
  for (sp_pool *p = NULL; (p = sp_manager_next_pool(m, p)) != NULL;) {
    sp_ref object = sp_pool_alloc(p, turn * STEP, &(sp_start){.x = 1, .vy = 2}, NULL);
    sp_timer_start(m, object, STEP, turn * STEP, 0, NULL);
    sp_walk walk = sp_pool_walk(p);
    sp_object_set_parent(m, object, sp_walk_next(&walk));
    sp_object_recycle(m, sp_walk_next(&walk));
    if (turn == 2)
      sp_pool_trim(p, 1);
  }
}

/* A snapshot is the same in a fresh manager, and goes on in both alike. Then the game goes back to where it was:
   the model knows nothing of this. */
static void compare_with_twin(player *it)
{
  const sp_pool_hooks none = {0};
  core twin;
  open_twin(it, &twin);
  must(sp_snapshot_restore(twin.manager, it->snapshot) == SP_OK);
  core_check(twin.manager);
  const uint64_t hash = sp_manager_hash(it->c.manager);
  must(sp_manager_hash(twin.manager) == hash);
  sp_snapshot *now = sp_snapshot_take(it->c.manager, NULL, NULL);
  must(now);
  it->is_ahead = true;
  for (int i = 0; i < POOLS; i++)
    sp_pool_set_hooks(it->pools[i], &none);
  for (int turn = 1; turn <= 3; turn++) {
    go_ahead(it->c.manager, turn);
    go_ahead(twin.manager, turn);
    must(sp_manager_hash(twin.manager) == sp_manager_hash(it->c.manager));
  }
  must(sp_snapshot_restore(it->c.manager, now) == SP_OK && sp_manager_hash(it->c.manager) == hash);
  for (int i = 0; i < POOLS; i++) {
    const sp_pool_hooks hooks = hooks_of(it, it->shapes[i].hooks, i);
    sp_pool_set_hooks(it->pools[i], &hooks);
  }
  it->is_ahead = false;
  sp_snapshot_free(now);
  core_close(&twin);
}

static sp_result restore(player *it)
{
  if (!it->snapshot)
    return SP_NONE;
  sp_result why = sp_snapshot_restore(it->c.manager, it->snapshot);
  if (why != SP_OK)
    return why;
  core_check(it->c.manager);
  if (!it->rules.starved)
    compare_with_twin(it);
  return SP_OK;
}

/* The game goes on in the manager that was loaded. Its pools have no hooks until they are described again. */
static void move_to(player *it, sp_manager *loaded)
{
  it->c.memory.fail_at = 0;
  sp_manager_discard(it->c.manager);
  it->c.manager = loaded;
  prepare_manager(it);
  for (int i = 0; i < POOLS; i++) {
    sp_field fields[3];
    sp_pool_desc desc = describe(it, i, &it->shapes[i], fields);
    it->pools[i] = sp_manager_pool(loaded, desc.type);
    desc.settings = it->pools[i]->desc.settings;
    const sp_settings described = it->pools[i]->described;
    must(sp_pool_redefine(it->pools[i], &desc) == SP_OK);
    sp_pool_set_described(it->pools[i], &described);
  }
}

static sp_result save(player *it)
{
  it->save.size = it->save.at = 0;
  sp_result why = sp_manager_save(it->c.manager, core_tape_write, &it->save);
  if (why != SP_OK)
    return why;
  sp_manager_options options = options_of(it);
  options.lives = 0; /* those of the save */
  options.id = 1;
  options.memory = test_memory_fn;
  options.memory_ud = &it->c.memory;
  why = SP_RESULT_COUNT;
  sp_manager *loaded = sp_manager_load_from(&options, it->rules.first_generation, core_tape_read, &it->save, &why);
  if (!loaded)
    return why;
  must(sp_manager_hash(loaded) == sp_manager_hash(it->c.manager));
  core_check(loaded);
  move_to(it, loaded);
  return why;
}

/* }== */

static sp_result do_pool(player *it, const op *o, answer *a)
{
  sp_pool *pool = it->pools[o->pool];
  sp_pool_hooks hooks = hooks_of(it, o->shape.hooks, o->pool);
  switch (o->kind) {
  case OP_PREWARM:
    a->count = sp_pool_prewarm_now(pool, o->count, &a->result);
    break;
  case OP_SLOWLY:
    return sp_pool_prewarm(pool, o->count, o->value % 4 ? (uint32_t)(o->value % 4) : UINT32_MAX,
                           model_seconds(o, o->time));
  case OP_RECYCLE_ALL:
    a->count = sp_pool_recycle_all(pool);
    break;
  case OP_CLEAR:
    a->count = sp_pool_trim(pool, 0);
    break;
  case OP_TRIM:
    a->count = sp_pool_trim(pool, sp_pool_desc_of(pool)->settings.prealloc);
    break;
  case OP_CONFIGURE:
    return configure(pool, &o->shape.settings);
  case OP_HOOKS:
    it->shapes[o->pool].hooks = o->shape.hooks;
    sp_pool_set_hooks(pool, &hooks);
    break;
  case OP_REDEFINE:
    return redefine(it, o);
  case OP_CLOCK:
    sp_manager_set_paused(it->c.manager, o->pinned);
    return sp_manager_set_time_scale(it->c.manager, o->time < 0 ? model_no_time(o) : o->value % 4);
  case OP_UPDATE:
    return update(it, o);
  case OP_SNAPSHOT:
    return take(it);
  case OP_RESTORE:
    return restore(it);
  case OP_SAVE:
    return save(it);
  case OP_REMOVE:
    a->result = sp_pool_remove(pool, &a->count, &a->count2);
    if (a->result == SP_OK)
      open_pool(it, o->pool, &o->shape);
    break;
  default:
    return close_manager(it, o);
  }
  return a->result;
}

/* A result is written on success, too. */
static bool writes_result(op_kind kind)
{
  return kind <= OP_TAKE || kind == OP_TIMER || kind == OP_PREWARM || kind == OP_WITHIN || kind == OP_OVERLAPS;
}

static answer call(player *it, op *o)
{
  answer a = {.result = writes_result(o->kind) ? SP_RESULT_COUNT : SP_OK};
  if (o->kind <= OP_TAKE)
    a.object = alloc(it, o, &a.result, &a.count);
  else if (o->kind <= OP_STOP)
    a.result = do_object(it, o, &a);
  else if (o->kind >= OP_ADD && o->kind <= OP_WALK)
    do_query(it, o, &a);
  else
    a.result = do_pool(it, o, &a);
  return a;
}

void player_in_c(player *it)
{
  it->call = call;
  it->open = open_all;
  it->close = close_all;
}
