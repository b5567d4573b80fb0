/*
** Decodes a program: each call, and what hooks do in it, from the choices of its turn.
*/
#include "model/game.h"

enum { MOST_LIVE = 100 };

/* {== Choices ============================================================ */

static uint32_t below(player *it, uint32_t n) { return choose(&it->choices, n); }

static bool chance(player *it, uint32_t in) { return below(it, in) == 0; }

static uint32_t one_of(player *it, const uint32_t *list, uint32_t count) { return list[below(it, count)]; }

/* Every other game wears its slots out. */
rules decode_rules(choices *from)
{
  static const uint32_t ranges[][2] = {
      {0, 100}, {0, 0}, {1000, 50}, {0x80000000, 0}, {SP_LAST_GENERATION - 24, 0}, {1000, 2},
  };
  rules r = {.in_lua = choose(from, 4) == 0};
  const uint32_t range = choose(from, 6);
  r.first_generation = ranges[range][0];
  r.lives = ranges[range][1];
  r.crowded = choose(from, 5) == 1;
  r.faces = choose(from, 3) == 1;
  r.narrow = choose(from, 2);
  r.starved = choose(from, 5) == 1 && !r.in_lua;
  if (r.in_lua) {
    r.first_generation = r.lives = 0;
  }
  return r;
}

static sp_settings random_settings(player *it)
{
  static const uint32_t limits[] = {SP_UNLIMITED, 0, 1, 3, 8, 8, 30}, idles[] = {SP_UNLIMITED, 0, 3, 10, SP_UNLIMITED};
  sp_settings s = {.prealloc = below(it, it->rules.crowded && chance(it, 3) ? 600 : 7)};
  s.grow = 1 + below(it, 8);
  s.limit = one_of(it, limits, 7);
  s.idle_limit = one_of(it, idles, 5);
  if (s.prealloc > s.limit && !chance(it, 8))
    s.prealloc = s.limit;
  s.overflow = (sp_overflow)below(it, SP_OVERFLOW_COUNT);
  s.order = (sp_order)below(it, SP_ORDER_COUNT);
  return s;
}

/* Next to a power of two of ticks: the wheels turn at some of them. */
static int64_t border(player *it, uint32_t most)
{
  static const uint32_t turns[] = {10, 20, 30, 31};
  uint32_t power = chance(it, 2) ? turns[below(it, 4)] : below(it, most);
  int64_t ticks = ((int64_t)1 << power) + (int64_t)below(it, 3) - 1, units = (int64_t)below(it, 3) - 1;
  int64_t time = ticks * UNITS_PER_TICK + units;
  return time > 0 ? time : 0;
}

static int64_t random_lifetime(player *it)
{
  if (chance(it, 2))
    return chance(it, 8) ? ENDLESS : 0;
  if (chance(it, 10))
    return border(it, 40);
  return 1 + (int64_t)below(it, 4 * 100);
}

/* Small ones have objects on their edges. */
static sp_bounds random_bounds(player *it)
{
  static const sp_outside outsides[] = {SP_OUTSIDE_IGNORE, SP_OUTSIDE_IGNORE, SP_OUTSIDE_RECYCLE,
                                        SP_OUTSIDE_WRAP,   SP_OUTSIDE_BOUNCE, SP_OUTSIDE_CLAMP};
  sp_bounds b = {.y = -1000, .h = 2000};
  const uint32_t most = chance(it, 2) ? 4 : 100, size = most == 4 ? 50 : 150;
  if (chance(it, 3)) {
    b.y = -(float)below(it, most);
    b.h = (float)(1 + below(it, size));
  }
  b.outside = outsides[below(it, 6)];
  b.x = -(float)below(it, most);
  b.w = (float)(1 + below(it, size));
  return b;
}

static sp_motion random_motion(player *it)
{
  static const uint32_t pulls[] = {0, 0, 0, 3};
  sp_motion motion = {.gravity = (float)one_of(it, pulls, 4)};
  if (it->rules.faces)
    motion.face_velocity = chance(it, 2);
  else
    motion.drag = (float)one_of(it, pulls, 4) / 4;
  return motion;
}

static pool_shape random_shape(player *it, int pool)
{
  static const uint32_t sizes[] = {0, 0, 0, 1, 2, 3, 4, 8, 12, 24, 64, 256};
  pool_shape shape = {.settings = random_settings(it)};
  const uint32_t start = below(it, 20);
  shape.start = start;
  shape.live = chance(it, 2);
  shape.keeps = !chance(it, 4);
  shape.detaches = chance(it, 3);
  shape.bounds = random_bounds(it);
  shape.motion = random_motion(it);
  if (chance(it, 3))
    shape.box = (sp_box){(float)(1 + below(it, 60)), (float)(1 + below(it, 12)) / 4};
  if (it->rules.faces && shape.bounds.outside == SP_OUTSIDE_BOUNCE)
    shape.bounds.outside = SP_OUTSIDE_WRAP;
  if (chance(it, 3)) {
    const uint32_t column = below(it, SP_LOOK);
    shape.begin[column] = (float)below(it, 9) - 4;
  }
  shape.fades = start % 3 == 0;
  shape.flipped = chance(it, 2) || it->rules.in_lua; /* own fields of a class are sorted by name */
  if (it->rules.in_lua) {
    shape.hooks = LUA_HOOKS(pool);
  } else {
    shape.hooks = (chance(it, 3) ? 0 : below(it, 1u << HOOK_COUNT)) | 1u << HOOK_CREATE;
    shape.extra = (uint16_t)one_of(it, sizes, 12);
  }
  return shape;
}

/* Of a pool that is added: its settings make sense. */
static pool_shape new_shape(player *it, int pool)
{
  pool_shape shape = random_shape(it, pool);
  if (shape.settings.prealloc > shape.settings.limit)
    shape.settings.prealloc = shape.settings.limit;
  return shape;
}

/* A timer fires at most so often in one update. */
enum { MOST_FIRES = 200 };

/* Units to a tick beside the one at which the last timer or life that is told ends; 0: nothing does. */
static int64_t time_to_end(player *it, const model *m)
{
  uint64_t due = 0;
  uint32_t which = below(it, 8);
  for (const model_timer *t = m->timers; t < m->timers + TIMERS && which > 0; t++)
    if (t->handle && t->due) {
      due = t->due;
      which--;
    }
  for (const model_object *o = m->pools[0].objects; o < m->pools[0].objects + OBJECTS && which > 0; o++)
    if (o->live && o->due) {
      due = o->due;
      which--;
    }
  int64_t ticks = due > m->tick ? (int64_t)(due - m->tick) + (int64_t)below(it, 3) - 1 : 0;
  return ticks * UNITS_PER_TICK;
}

static int64_t random_step(player *it, const model *m)
{
  int64_t most = (int64_t)1 << 39, time;
  time = chance(it, 8) ? border(it, 36) : chance(it, 6) ? time_to_end(it, m) : below(it, 20);
  for (const model_timer *t = m->timers; t < m->timers + TIMERS; t++) {
    int64_t shortest = t->period > UNITS_PER_TICK ? t->period : UNITS_PER_TICK;
    if (t->handle && t->period > 0 && shortest * MOST_FIRES < most)
      most = shortest * MOST_FIRES;
  }
  return time < most ? time : most;
}

static int64_t random_time(player *it, const model *m, op_kind kind)
{
  if (!it->rules.in_lua && chance(it, 24))
    return -1;
  switch (kind) {
  case OP_UPDATE:
    return random_step(it, m);
  case OP_REMAIN:
    return chance(it, 4) ? ENDLESS : chance(it, 8) ? border(it, 40) : below(it, 4 * 200);
  case OP_TIMER:
    return chance(it, 4) ? border(it, 40) : chance(it, 16) ? ENDLESS : below(it, 4 * 60);
  case OP_SLOWLY:
    return chance(it, 16) ? ENDLESS : below(it, 4 * 60);
  default:
    return kind <= OP_TAKE ? random_lifetime(it) : 0;
  }
}

static int64_t random_period(player *it)
{
  int64_t period = chance(it, 2) ? 0 : chance(it, 8) ? border(it, 38) : 1 + below(it, 4 * 30);
  if (chance(it, 24))
    return ENDLESS;
  return period * MOST_FIRES / 4 < it->ahead ? 0 : period;
}

static const struct {
  op_kind in_lua;
  uint32_t weights[2]; /* usually, and now and then */
} kinds[OP_COUNT] = {
#define WEIGHT(kind, name, arguments, in_lua, usual, rare) {OP_##in_lua, {usual, rare}},
    MODEL_CALLS(WEIGHT)
#undef WEIGHT
};

static op_kind random_kind(player *it)
{
  const bool rare = chance(it, it->depth > 0 ? 4 : 16);
  uint32_t sum = 0, kind = 0;
  for (int i = 0; i < OP_COUNT; i++)
    sum += kinds[i].weights[rare];
  for (uint32_t left = below(it, sum); left >= kinds[kind].weights[rare]; kind++)
    left -= kinds[kind].weights[rare];
  return it->rules.in_lua ? kinds[kind].in_lua : (op_kind)kind;
}

static uint32_t limit_of(uint32_t limit) { return limit == 0 ? 0 : limit; }

/* Lua changes some settings of a pool, and a class that is declared again leaves alone what its pool was given. */
static void keep_settings(const player *it, op *o)
{
  const sp_settings now = sp_pool_desc_of(it->pools[o->pool])->settings;
  if (o->kind == OP_CONFIGURE) {
    o->shape.settings.prealloc = now.prealloc;
    o->shape.settings.order = now.order;
  } else if (o->kind == OP_REDEFINE) {
    o->as_set = true;
    o->shape.settings = now;
    o->shape.settings.limit = limit_of(now.limit);
    o->shape.settings.idle_limit = limit_of(now.idle_limit);
  }
}

op decode_opening(player *it)
{
  op o = {.kind = OP_CLOSE, .shape = new_shape(it, 0)};
  for (int i = 1; i < POOLS; i++)
    o.shapes[i - 1] = new_shape(it, i);
  return o;
}

/* Lua has fewer ways: what repeats begins with its period, and so on. */
static void keep_to_lua(const player *it, op *o)
{
  o->other = o->kind == OP_OVERLAPS ? o->other : -1;
  o->pinned &= o->kind != OP_ALLOC_AT;
  o->time = o->kind == OP_TAKE ? 0 : o->period > 0 ? o->period : o->time;
  o->value |= o->kind == OP_SLOWLY;
  keep_settings(it, o);
}

/* Arguments that a call does not need cost no bytes. */
op decode_action(player *it, const model *m)
{
  op o = {.kind = random_kind(it), .other = -1, .pick2 = -1};
  o.pool = (int)below(it, POOLS);
  if (it->depth > 0 && it->walks == 0 && chance(it, 40)) /* a pool whose hook runs is busy, others go */
    o.kind = chance(it, 2) ? OP_REMOVE : OP_CLOSE;
  if (it->walks > 0 && (o.kind == OP_RESTORE || o.kind == OP_SAVE)) /* a walk goes on from where it was */
    o.kind = OP_SNAPSHOT;
  if (o.kind == OP_OVERLAPS || (o.kind == OP_RECYCLE && chance(it, 2)))
    o.other = (int)below(it, POOLS);
  if (model_op_has(o.kind, "T"))
    o.time = random_time(it, m, o.kind);
  if (model_op_has(o.kind, "U"))
    o.period = random_period(it);
  if (model_op_has(o.kind, "O"))
    o.pick = (int)below(it, HISTORY);
  if (o.kind == OP_TIMER && !it->rules.in_lua && chance(it, 6)) /* of the manager itself */
    o.pick = -1;
  if (o.kind == OP_TIMER && !it->rules.in_lua && !chance(it, 4))
    o.tag = (uint64_t)below(it, 250) << 56 | below(it, 3);
  if (o.kind <= OP_TAKE || (o.kind == OP_PARENT && !chance(it, 4)))
    o.pick2 = (int)below(it, HISTORY);
  if (o.kind == OP_STOP)
    o.timer = it->timers[below(it, KNOWN_TIMERS)];
  if (model_op_has(o.kind, "CU"))
    o.count = below(it, 12);
  if (model_op_has(o.kind, "VMX"))
    o.value = (int)below(it, 1000);
  if (model_op_has(o.kind, "B"))
    o.pinned = chance(it, 6);
  if (model_op_has(o.kind, "DA"))
    o.shape = o.kind == OP_REMOVE ? new_shape(it, o.pool) : random_shape(it, o.pool);
  if (it->rules.in_lua)
    keep_to_lua(it, &o);
  return o;
}

/* Some happens only between the calls: managers go. */
op decode_turn(player *it, const model *m)
{
  op o = decode_action(it, m);
  const uint32_t rare = below(it, 256);
  if (rare == 1 || rare == 2)
    o.kind = rare == 1 ? OP_REMOVE : OP_SAVE;
  if (rare == 3 && chance(it, 12))
    o.kind = OP_CLOSE;
  if (o.kind == OP_REMOVE)
    o.shape = new_shape(it, o.pool);
  if (o.kind == OP_CLOSE)
    o = decode_opening(it);
  for (int i = 0; i < POOLS; i++)
    if (sp_pool_live(it->pools[i]) > MOST_LIVE) {
      o.kind = OP_RECYCLE_ALL;
      o.pool = i;
    }
  return o;
}

/* }== */
