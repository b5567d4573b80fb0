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

static uint32_t below(uint32_t n)
{
  w.random = w.random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(w.random >> 33) % n;
}

static bool chance(uint32_t in) { return below(in) == 0; }

static uint32_t one_of(const uint32_t *list, uint32_t count) { return list[below(count)]; }

/* The numbers of one turn have nothing to do with those of the turns before. */
static void begin_turn(uint64_t seed, const shrink_item *turn)
{
  uint64_t x = seed * 0x9e3779b97f4a7c15u + (uint64_t)(unsigned)turn->turn * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  w.random = x ^ x >> 31;
  w.acts = turn->size;
}

static sp_settings random_settings(void)
{
  static const uint32_t limits[] = {0, 1, 3, 8, 8, 30, SP_UNLIMITED}, idles[] = {0, 3, 10, SP_UNLIMITED, SP_UNLIMITED};
  return (sp_settings){.prealloc = below(7),
                       .grow = 1 + below(8),
                       .limit = one_of(limits, 7),
                       .idle_limit = one_of(idles, 5),
                       .overflow = (sp_overflow)below(SP_OVERFLOW_COUNT),
                       .order = (sp_order)below(SP_ORDER_COUNT)};
}

static int64_t random_lifetime(void)
{
  if (chance(2))
    return 0;
  return chance(10) ? (int64_t)256 * 1000000 : chance(12) ? -1 : 1 + (int64_t)below(4 * 100);
}

static pool_shape random_shape(void)
{
  pool_shape shape = {.settings = random_settings(), .start = (int)below(20), .live = chance(2)};
  shape.flipped = chance(2);
  shape.detaches = chance(3);
  shape.hooks = (chance(3) ? 0 : below(1u << HOOK_COUNT)) | 1u << HOOK_CREATE;
  return shape;
}

static int64_t random_time(op_kind kind)
{
  int64_t lifetime = random_lifetime();
  switch (kind) {
  case OP_UPDATE:
    return below(20);
  case OP_REMAIN:
    return chance(4) ? ENDLESS : below(4 * 200);
  case OP_TIMER:
  case OP_SLOWLY:
    return below(4 * 60);
  default:
    return lifetime < 0 && kind > OP_ALLOC_CELL ? 0 : lifetime;
  }
}

static op_kind random_kind(void)
{
  static const op_kind rare[] = {OP_RECYCLE_ALL, OP_HOOKS, OP_REDEFINE, OP_OVERLAPS, OP_CLOCK, OP_SLOWLY, OP_ADD};
  static const op_kind usual[] = {
      OP_ALLOC,   OP_ALLOC,  OP_ALLOC,   OP_ALLOC,   OP_ALLOC_AT, OP_ALLOC_CELL, OP_COMMIT,    OP_COMMIT,
      OP_CANCEL,  OP_TAKE,   OP_RECYCLE, OP_RECYCLE, OP_RECYCLE,  OP_RECYCLE,    OP_BASE,      OP_UNDO,
      OP_REMAIN,  OP_REMAIN, OP_WRITE,   OP_WRITE,   OP_WRITE,    OP_CHECK,      OP_PARENT,    OP_PARENT,
      OP_TIMER,   OP_TIMER,  OP_STOP,    OP_PREWARM, OP_CLEAR,    OP_TRIM,       OP_CONFIGURE, OP_WITHIN,
      OP_NEAREST, OP_WALK,   OP_UPDATE,  OP_UPDATE,  OP_UPDATE,   OP_UPDATE};
  if (chance(24))
    return rare[below(sizeof rare / sizeof rare[0])];
  return usual[below(sizeof usual / sizeof usual[0])];
}

static op random_op(void)
{
  op o = {.kind = random_kind(), .pool = (int)below(POOLS), .other = (int)below(POOLS)};
  o.time = random_time(o.kind);
  o.period = chance(2) ? 0 : 1 + below(4 * 30);
  o.pick = (int)below(HISTORY);
  o.pick2 = chance(4) ? -1 : (int)below(HISTORY);
  o.timer = w.timers[below(KNOWN_TIMERS)];
  o.count = below(12);
  o.value = (int)below(1000);
  o.pinned = chance(6);
  o.shape = random_shape();
  return o;
}

/* What only happens between the calls: pools and managers go. */
static op next_op(void)
{
  op o = random_op();
  if (chance(300))
    o.kind = OP_REMOVE;
  if (chance(3000)) {
    o.kind = OP_CLOSE;
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
  bool quiet = hook == HOOK_END || hook == HOOK_TIMER_END || w.depth >= DEEPEST || naive.written > TAPE / 2;
  return chance(4) && !quiet && w.acts > 0;
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

static int number_of(const void *ud) { return *(const int *)ud; }

static void on_create(void *ud, sp_pool *pool, sp_ref object)
{
  w.pools[number_of(ud)] = pool; /* it may run before sp_pool_open has returned */
  play_note(number_of(ud), HOOK_CREATE, object, 0);
}

static bool on_spawn(void *ud, sp_pool *pool, sp_ref object, bool fresh)
{
  (void)pool;
  return play_note(number_of(ud), HOOK_SPAWN, object, fresh)->yes;
}

static void on_recycle(void *ud, sp_pool *pool, sp_ref object, sp_why why)
{
  if (play_note(number_of(ud), HOOK_RECYCLE, object, (int)why)->yes)
    sp_recycle_base(sp_pool_manager(pool), object); /* what the hook did may have called it already */
}

static void on_despawn(void *ud, sp_pool *pool, sp_ref object, sp_why why)
{
  (void)pool;
  play_note(number_of(ud), HOOK_DESPAWN, object, (int)why);
}

static void on_end(void *ud, sp_pool *pool, sp_ref object, sp_why why)
{
  (void)pool;
  play_note(number_of(ud), HOOK_END, object, (int)why);
}

static void on_reject(void *ud, sp_pool *pool, sp_ref object)
{
  (void)pool;
  play_note(number_of(ud), HOOK_REJECT, object, 0);
}

static void on_destroy(void *ud, sp_pool *pool, sp_ref object)
{
  (void)pool;
  play_note(number_of(ud), HOOK_DESTROY, object, 0);
}

static sp_ref on_overflow(void *ud, sp_pool *pool)
{
  event *e = play_note(number_of(ud), HOOK_OVERFLOW, SP_NONE_REF, 0);
  sp_walk it = sp_walk_begin(pool);
  e->victim = chance(3) ? w.history[below(HISTORY)] : sp_walk_next(&it);
  return e->victim;
}

static void update(void *ud, sp_pool *pool, double dt)
{
  (void)pool;
  (void)dt;
  play_note(number_of(ud), HOOK_UPDATE, SP_NONE_REF, 0);
}

void play_on_timer(void *ud, sp_ref object, uint64_t timer)
{
  const int at = naive.written;
  (void)ud;
  play_note(real_index_of(&w, sp_pool_of(w.c.manager, object)), HOOK_TIMER, object, 0);
  naive.tape[at].timer = timer;
}

void play_on_timer_end(void *ud, sp_ref object, uint64_t timer)
{
  (void)ud;
  play_note(real_index_of(&w, sp_pool_of(w.c.manager, object)), HOOK_TIMER_END, object, 0)->timer = timer;
}

sp_hooks play_hooks(unsigned bits, int pool)
{
  sp_hooks h = {.ud = &w.numbers[pool], .on_create = on_create};
  h.on_spawn = bits >> HOOK_SPAWN & 1 ? on_spawn : NULL;
  h.recycle = bits >> HOOK_RECYCLE & 1 ? on_recycle : NULL;
  h.on_despawn = bits >> HOOK_DESPAWN & 1 ? on_despawn : NULL;
  h.on_end = bits >> HOOK_END & 1 ? on_end : NULL;
  h.on_reject = bits >> HOOK_REJECT & 1 ? on_reject : NULL;
  h.on_destroy = bits >> HOOK_DESTROY & 1 ? on_destroy : NULL;
  h.on_overflow = bits >> HOOK_OVERFLOW & 1 ? on_overflow : NULL;
  h.update = bits >> HOOK_UPDATE & 1 ? update : NULL;
  return h;
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
    must(sp_pool_user(w.pools[i]) == &w.numbers[i] && sp_pool_manager(w.pools[i]) == w.c.manager);
  }
  for (int i = 0; objects && i < HISTORY; i++) {
    int pool;
    must(sp_is_live(w.c.manager, w.history[i]) == (model_find(&naive, w.history[i], &pool) != NULL));
  }
}

static void open_world(uint64_t seed, FILE *out)
{
  const shrink_item first = {-1, 0}; /* no hook acts before all pools are there */
  memset(&w, 0, sizeof w);
  w.say.file = out;
  w.last_generation = seed % 2 ? 0xfffffffe : 200; /* every other world wears its slots out */
  model_begin(&naive, w.last_generation);
  naive.read = naive.written = 0;
  real_open_manager(&w);
  begin_turn(seed, &first);
  for (int i = 0; i < POOLS; i++) {
    pool_shape shape = random_shape();
    w.numbers[i] = i;
    real_open(&w, i, &shape);
    model_open(&naive, i, &shape);
  }
}

void play_game(uint64_t seed, const shrink_item *turns, int count, FILE *out)
{
  open_world(seed, out);
  for (int i = 0; i < count; i++) {
    begin_turn(seed, &turns[i]);
    op o = next_op();
    snprintf(naive.where, sizeof naive.where, "seed %llu, turn %d, %s in pool %d", (unsigned long long)seed,
             turns[i].turn, model_op_name(o.kind), o.pool);
    naive.read = naive.written = 0;
    answer real = real_do(&w, &o), expected = model_do(&naive, &o);
    model_compare(&naive, &o, &real, &expected);
    check_everything(i % 16 == 0 || out);
    if (i % 256 == 0)
      core_check(w.c.manager);
  }
  check_everything(true);
  naive.written = 0;
  core_close(&w.c);
}

/* }== */
