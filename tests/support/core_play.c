/*
** A random game: which calls are made, and hooks that act at random and write on the tape what they saw.
*/
#include "support/core_play.h"

#include <math.h>
#include <string.h>

enum { DEEPEST = 3, MOST_LIVE = 100 };

static world w;
static model naive;

/* {== Chance ============================================================= */

static uint32_t below(uint32_t n) { return chance_below(&w.chance, n); }

static bool chance(uint32_t in) { return below(in) == 0; }

static uint32_t one_of(const uint32_t *list, uint32_t count) { return list[below(count)]; }

static void begin_turn(uint64_t seed, const shrink_item *turn)
{
  w.chance = chance_of_turn(seed, turn->turn);
  w.acts = turn->size;
}

static sp_settings random_settings(void)
{
  static const uint32_t limits[] = {SP_UNLIMITED, 0, 1, 3, 8, 8, 30}, idles[] = {SP_UNLIMITED, 0, 3, 10, SP_UNLIMITED};
  return (sp_settings){.prealloc = below(w.crowded && chance(3) ? 600 : 7),
                       .grow = 1 + below(8),
                       .limit = one_of(limits, 7),
                       .idle_limit = one_of(idles, 5),
                       .overflow = (sp_overflow)below(SP_OVERFLOW_COUNT),
                       .order = (sp_order)below(SP_ORDER_COUNT)};
}

/* Next to a power of two of ticks: the wheels turn at some of them. */
static int64_t border(uint32_t most)
{
  static const uint32_t turns[] = {10, 20, 30, 31};
  uint32_t power = chance(2) ? turns[below(4)] : below(most);
  int64_t ticks = ((int64_t)1 << power) + (int64_t)below(3) - 1, units = (int64_t)below(3) - 1;
  int64_t time = ticks * UNITS_PER_TICK + units;
  return time > 0 ? time : 0;
}

static int64_t random_lifetime(void)
{
  if (chance(2))
    return 0;
  if (chance(10))
    return border(40);
  return chance(12) ? -1 : 1 + (int64_t)below(4 * 100);
}

static sp_bounds random_bounds(void)
{
  static const sp_outside outsides[] = {SP_OUTSIDE_IGNORE, SP_OUTSIDE_IGNORE, SP_OUTSIDE_RECYCLE,
                                        SP_OUTSIDE_WRAP,   SP_OUTSIDE_BOUNCE, SP_OUTSIDE_CLAMP};
  sp_bounds b = {.y = -1000, .h = 2000};
  if (chance(3)) {
    b.y = -(float)below(100);
    b.h = (float)(1 + below(150));
  }
  b.outside = outsides[below(6)];
  b.x = -(float)below(100);
  b.w = (float)(1 + below(150));
  return b;
}

static pool_shape random_shape(void)
{
  static const uint32_t sizes[] = {0, 0, 1, 8, 40, 256}, pulls[] = {0, 0, 0, 3};
  pool_shape shape = {.settings = random_settings(), .start = (int)below(20), .live = chance(2)};
  shape.flipped = chance(2);
  shape.detaches = chance(3);
  shape.hooks = (chance(3) ? 0 : below(1u << HOOK_COUNT)) | 1u << HOOK_CREATE;
  shape.bounds = random_bounds();
  shape.motion = (sp_motion){(float)one_of(pulls, 4), w.faces ? 0 : (float)one_of(pulls, 4) / 4, w.faces && chance(2)};
  if (w.faces && shape.bounds.outside == SP_OUTSIDE_BOUNCE)
    shape.bounds.outside = SP_OUTSIDE_WRAP;
  if (chance(3))
    shape.begin[below(SP_LOOK)] = (float)below(9) - 4;
  shape.extra = (uint16_t)one_of(sizes, 6);
  shape.fades = shape.start % 3 == 0;
  return shape;
}

/* A timer fires at most so often in one update. */
enum { MOST_FIRES = 200 };

/* Units to a tick beside the one at which the last timer or life that is told ends; 0: nothing does. */
static int64_t time_to_end(void)
{
  uint64_t due = 0;
  uint32_t which = below(8);
  for (const model_timer *t = naive.timers; t < naive.timers + TIMERS && which > 0; t++)
    if (t->handle && t->due) {
      due = t->due;
      which--;
    }
  for (const model_object *o = naive.pools[0].objects; o < naive.pools[0].objects + OBJECTS && which > 0; o++)
    if (o->live && o->due) {
      due = o->due;
      which--;
    }
  int64_t ticks = due > naive.tick ? (int64_t)(due - naive.tick) + (int64_t)below(3) - 1 : 0;
  return ticks * UNITS_PER_TICK;
}

static int64_t random_step(void)
{
  int64_t most = (int64_t)1 << 39, time = chance(8) ? border(36) : chance(6) ? time_to_end() : below(20);
  for (const model_timer *t = naive.timers; t < naive.timers + TIMERS; t++) {
    int64_t shortest = t->period > UNITS_PER_TICK ? t->period : UNITS_PER_TICK;
    if (t->handle && t->period > 0 && shortest * MOST_FIRES < most)
      most = shortest * MOST_FIRES;
  }
  return time < most ? time : most;
}

static int64_t random_time(op_kind kind)
{
  int64_t lifetime;
  switch (kind) {
  case OP_UPDATE:
    return random_step();
  case OP_REMAIN:
    return chance(4) ? ENDLESS : chance(8) ? border(40) : below(4 * 200);
  case OP_TIMER:
    return chance(4) ? border(40) : below(4 * 60);
  case OP_SLOWLY:
    return below(4 * 60);
  default:
    lifetime = kind <= OP_TAKE ? random_lifetime() : 0;
    return lifetime < 0 && kind > OP_ALLOC_CELL ? 0 : lifetime;
  }
}

static int64_t random_period(void)
{
  int64_t period = chance(2) ? 0 : chance(8) ? border(38) : 1 + below(4 * 30);
  return period * MOST_FIRES / 4 < w.ahead ? 0 : period;
}

static op_kind random_kind(void)
{
  static const op_kind rare[] = {OP_RECYCLE_ALL, OP_HOOKS, OP_REDEFINE, OP_OVERLAPS, OP_CLOCK,  OP_SLOWLY,
                                 OP_ADD,         OP_WALK,  OP_REDEFINE, OP_SNAPSHOT, OP_RESTORE};
  static const op_kind usual[] = {
      OP_ALLOC,   OP_ALLOC,  OP_ALLOC,   OP_ALLOC,   OP_ALLOC_AT, OP_ALLOC_CELL, OP_COMMIT,    OP_COMMIT,
      OP_CANCEL,  OP_TAKE,   OP_RECYCLE, OP_RECYCLE, OP_RECYCLE,  OP_RECYCLE,    OP_BASE,      OP_UNDO,
      OP_REMAIN,  OP_REMAIN, OP_WRITE,   OP_WRITE,   OP_WRITE,    OP_CHECK,      OP_PARENT,    OP_PARENT,
      OP_TIMER,   OP_TIMER,  OP_STOP,    OP_PREWARM, OP_CLEAR,    OP_TRIM,       OP_CONFIGURE, OP_WITHIN,
      OP_NEAREST, OP_WALK,   OP_UPDATE,  OP_UPDATE,  OP_UPDATE,   OP_UPDATE};
  if (chance(w.depth > 0 ? 4 : 16))
    return rare[below(sizeof rare / sizeof rare[0])];
  return usual[below(sizeof usual / sizeof usual[0])];
}

/* Arguments that a call does not need cost no bytes. */
static op random_op(void)
{
  op o = {.kind = random_kind(), .pool = (int)below(POOLS)};
  if (w.depth > 0 && w.walks == 0 && chance(40)) /* a pool whose hook runs is busy, others go */
    o.kind = chance(2) ? OP_REMOVE : OP_CLOSE;
  if (w.walks > 0 && o.kind == OP_RESTORE) /* a walk goes on from where it was */
    o.kind = OP_SNAPSHOT;
  bool written = o.kind == OP_COMMIT || o.kind == OP_CANCEL || o.kind == OP_WRITE;
  o.other = o.kind == OP_OVERLAPS ? (int)below(POOLS) : 0;
  o.time = random_time(o.kind);
  o.period = o.kind == OP_TIMER ? random_period() : 0;
  o.pick = o.kind > OP_TAKE && o.kind <= OP_TIMER ? (int)below(HISTORY) : 0;
  o.pick2 = o.kind <= OP_TAKE || (o.kind == OP_PARENT && !chance(4)) ? (int)below(HISTORY) : -1;
  o.timer = o.kind == OP_STOP ? w.timers[below(KNOWN_TIMERS)] : 0;
  o.count = o.kind <= OP_TAKE || o.kind >= OP_TIMER ? below(12) : 0;
  o.value = written || o.kind == OP_ALLOC_AT || o.kind >= OP_SLOWLY ? (int)below(1000) : 0;
  o.pinned = (written || o.kind == OP_CLOCK) && chance(6);
  if (o.kind == OP_CONFIGURE || o.kind == OP_HOOKS || o.kind == OP_REDEFINE || o.kind == OP_REMOVE)
    o.shape = random_shape();
  return o;
}

/* Events that only happen between the calls: managers go. */
static op next_op(void)
{
  op o = random_op();
  uint32_t rare = below(256);
  if (rare == 1 || (w.chance.bytes_end && rare < 4)) {
    o.kind = OP_REMOVE;
    o.shape = random_shape();
  }
  if (rare == 2)
    o.kind = OP_SAVE;
  if (rare == 4 && (w.chance.bytes_end || chance(12))) {
    o.kind = OP_CLOSE;
    o.shape = random_shape();
    for (int i = 0; i < POOLS - 1; i++)
      o.shapes[i] = random_shape();
  }
  for (int i = 0; i < POOLS; i++)
    if (sp_pool_live(w.pools[i]) > MOST_LIVE) {
      o.kind = OP_RECYCLE_ALL;
      o.pool = i;
    }
  return o;
}

/* }== */

/* {== Hooks that act at random =========================================== */

static bool may_act(hook_kind hook)
{
  bool quiet = hook == HOOK_END || w.depth >= DEEPEST || naive.written > TAPE / 2;
  return !quiet && w.acts > 0 && chance(w.chance.bytes_end ? 2 : 4);
}

/* A hook that does not do what is asked of it. */
static bool refuses(uint32_t in)
{
  bool does = chance(in) && w.acts > 0;
  w.acts -= does;
  return does;
}

event *play_note(int pool, hook_kind hook, sp_ref object, int arg)
{
  must(naive.written < TAPE);
  event *e = &naive.tape[naive.written++];
  *e = (event){.hook = hook, .pool = pool, .object = object, .arg = arg, .yes = true};
  e->tick = sp_tick(w.c.manager);
  e->number = object ? sp_object_number(w.c.manager, object) : 0;
  if (hook == HOOK_SPAWN)
    e->yes = !refuses(10);
  if (hook == HOOK_RECYCLE)
    e->yes = !refuses(4);
  e->acts = may_act(hook);
  if (e->acts || !e->yes)
    say_event(&w.say, e);
  if (!e->acts)
    return e;
  w.acts--;
  w.depth++;
  w.say.depth++;
  e->op = random_op();
  e->answer = real_do(&w, &e->op);
  w.say.depth--;
  w.depth--;
  return e;
}

static sp_ref saw(core_watcher *it, hook_kind hook, sp_pool *pool, sp_ref object, int arg, double dt)
{
  const int number = (int)(it - w.watchers);
  w.pools[number] = pool; /* it may run before sp_add_pool has returned */
  event *e = play_note(number, hook, object, hook == HOOK_UPDATE ? MODEL_DT((int64_t)(dt * 256)) : arg);
  if (hook != HOOK_OVERFLOW)
    return e->yes;
  sp_walk walk = sp_pool_walk(pool);
  e->victim = chance(3) ? w.history[below(HISTORY)] : sp_walk_next(&walk);
  return e->victim;
}

void play_on_timer(void *ud, sp_ref object, uint64_t timer)
{
  const int at = naive.written;
  (void)ud;
  play_note(real_index_of(&w, sp_owner(w.c.manager, object)), HOOK_TIMER, object, 0);
  naive.tape[at].timer = timer;
}

void play_on_timer_end(void *ud, sp_ref object, uint64_t timer)
{
  (void)ud;
  play_note(real_index_of(&w, sp_owner(w.c.manager, object)), HOOK_TIMER_END, object, 0)->timer = timer;
}

sp_hooks play_hooks(unsigned bits, int pool)
{
  w.watchers[pool].saw = saw;
  return core_watch(&w.watchers[pool], bits | 1u << HOOK_CREATE);
}

/* }== */

/* {== Playing ============================================================ */

static void check_everything(bool objects)
{
  must(naive.read == naive.written && w.depth == 0);
  model_check_manager(&naive, w.c.manager);
  for (int i = 0; i < POOLS; i++) {
    model_check_stats(&naive, i, w.pools[i]);
    if (objects)
      model_check_objects(&naive, i, w.pools[i]);
    must(sp_pool_user(w.pools[i]) == &w.watchers[i] && sp_pool_manager(w.pools[i]) == w.c.manager);
  }
  for (int i = 0; objects && i < HISTORY; i++) {
    int pool;
    must(sp_is_live(w.c.manager, w.history[i]) == (model_find(&naive, w.history[i], &pool) != NULL));
  }
}

/* The first turn of all draws the pools; no hook acts before all of them are there. */
static void open_world(uint32_t last_generation)
{
  w.last_generation = last_generation;
  model_begin(&naive, w.last_generation);
  naive.read = naive.written = 0;
  real_open_manager(&w);
  for (int i = 0; i < POOLS; i++) {
    pool_shape shape = random_shape();
    real_open(&w, i, &shape);
    model_open(&naive, i, &shape);
  }
}

/* One call, by both, and everything compared. False: memory was refused in the middle of it, and the model cannot know
   how far it came; counts are right all the same. */
static bool take_turn(op *o, bool objects)
{
  size_t before = w.c.memory.refused, bytes = w.c.memory.bytes;
  naive.read = naive.written = 0;
  answer real = real_do(&w, o);
  bool refused = w.c.memory.refused > before, nothing = naive.written == 0 && real.result == SP_MEMORY;
  if (refused)
    w.c.memory.fail_at = 0;
  must(!refused || (o->kind != OP_PARENT && o->kind != OP_TIMER) || real.result == SP_MEMORY);
  if (refused && !(nothing && o->time >= 0 && o->kind != OP_PREWARM && o->kind != OP_UPDATE)) {
    core_check(w.c.manager);
    return false;
  }
  if (refused && (o->kind == OP_REDEFINE || o->kind == OP_CONFIGURE))
    must(w.c.memory.bytes == bytes);
  answer expected = refused ? model_do_without_memory(&naive, o) : model_do(&naive, o);
  model_compare(&naive, o, &real, &expected);
  check_everything(objects || refused);
  return true;
}

/* Within the next call memory is refused, once or until its end. */
static bool take_turn_without_memory(op *o)
{
  w.c.memory.keep_failing = chance(2);
  w.c.memory.fail_at = w.c.memory.calls + 1 + below(6);
  bool goes_on = take_turn(o, true);
  w.c.memory.fail_at = 0;
  return goes_on;
}

static void close_world(void)
{
  w.acts = 0;
  naive.written = 0;
  real_close_manager(&w);
}

static op next_of(uint64_t seed, const shrink_item *turn)
{
  begin_turn(seed, turn);
  op o = next_op();
  snprintf(naive.where, sizeof naive.where, "seed %llu, turn %d, %s in pool %d", (unsigned long long)seed, turn->turn,
           model_op_name(o.kind), o.pool);
  return o;
}

/* Every other world wears its slots out. */
static void open_world_of(uint64_t seed) { open_world(seed % 2 ? 0xfffffffe : 200); }

static void begin_game(uint64_t seed, FILE *out)
{
  const shrink_item first = {-1, 0};
  memset(&w, 0, sizeof w);
  w.say.file = out;
  w.crowded = seed % 5 == 3;
  w.faces = seed % 3 == 0;
  w.narrow = seed % 2;
  begin_turn(seed, &first);
  open_world_of(seed);
}

void play_game(uint64_t seed, const shrink_item *turns, int count, FILE *out)
{
  const bool starved = seed % 5 == 4;
  begin_game(seed, out);
  for (int i = 0; i < count; i++) {
    op o = next_of(seed, &turns[i]);
    if (!starved || o.kind >= OP_REMOVE || !chance(12)) {
      take_turn(&o, i % 16 == 0 || out);
    } else if (!take_turn_without_memory(&o)) {
      close_world();
      open_world_of(seed);
    }
    if (i % 256 == 0)
      core_check(w.c.manager);
  }
  check_everything(true);
  close_world();
}

size_t play_refused(uint64_t seed, int count, size_t fail_at, bool keep_failing)
{
  bool going = true;
  begin_game(seed, NULL);
  w.c.memory.calls = 0;
  w.c.memory.fail_at = fail_at;
  w.c.memory.keep_failing = keep_failing;
  for (int i = 0; i < count && going; i++) {
    op o = next_of(seed, &(shrink_item){i, SHRINK_WHOLE});
    going = o.kind >= OP_REMOVE || take_turn(&o, false);
  }
  size_t calls = w.c.memory.calls, refused = w.c.memory.refused;
  must(fail_at == 0 ? refused == 0 : refused > 0);
  close_world();
  return calls;
}

void play_bytes(const uint8_t *bytes, size_t size, FILE *out)
{
  bool going = true;
  memset(&w, 0, sizeof w);
  w.say.file = out;
  w.chance = (chance_source){.bytes = bytes, .bytes_end = bytes + size};
  w.faces = chance(3);
  open_world(chance(2) ? 200 : 0xfffffffe);
  for (int i = 0; w.chance.bytes < w.chance.bytes_end && going; i++) {
    w.acts = (int)below(8);
    op o = next_op();
    snprintf(naive.where, sizeof naive.where, "turn %d, %s in pool %d", i, model_op_name(o.kind), o.pool);
    if (o.kind < OP_REMOVE && w.acts < 7 && chance(12))
      going = take_turn_without_memory(&o);
    else
      take_turn(&o, i % 4 == 0 || out);
  }
  close_world();
}

/* }== */
