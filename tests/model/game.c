/*
** Plays a program: each call by every player and by the model, and everything compared. Hooks act as the program says,
** and write on the tape of their player what they saw.
*/
#include "model/game.h"

#include <string.h>

enum { DEEPEST = 3 };
#define FOREIGN ((sp_ref)1 << 32 | (sp_ref)77 << 24)

static player in_c, in_lua;
static model naive;

/* {== Hooks that act ===================================================== */

/* Hooks that do nothing: the last moment of a life, and in games in Lua those that Lua does not call. */
static bool is_quiet(const player *it, int pool, hook_kind hook)
{
  bool is_in_c_alone = (hook == HOOK_CREATE && pool == 0) || hook == HOOK_TIMER_END;
  return hook == HOOK_END || (is_in_c_alone && it->rules.in_lua);
}

static bool may_act(player *it, int pool, hook_kind hook)
{
  bool quiet = is_quiet(it, pool, hook) || hook == HOOK_ALLOC || it->depth >= DEEPEST || it->written > TAPE / 8;
  return !quiet && it->acts > 0 && choose(&it->choices, 3) == 0;
}

/* A hook that does not do what is asked of it. */
static bool refuses(player *it, uint32_t in)
{
  bool does = choose(&it->choices, in) == 0 && it->acts > 0;
  it->acts -= does;
  return does;
}

static bool accepts(player *it, hook_kind hook)
{
  if (hook == HOOK_SPAWN || hook == HOOK_RECYCLE || hook == HOOK_ALLOC)
    return !refuses(it, hook == HOOK_RECYCLE ? 4 : 10);
  return !(hook == HOOK_TIMER && it->rules.in_lua && refuses(it, 4));
}

static answer make_call(player *it, op *o);

event *player_note(player *it, int pool, hook_kind hook, sp_ref object, int arg)
{
  must(it->written < TAPE);
  event *e = &it->tape[it->written++];
  *e = (event){.hook = hook, .pool = pool, .object = object, .arg = arg};
  e->tick = sp_clock_of(it->c.manager).tick;
  e->number = object ? sp_object_number(it->c.manager, object) : 0;
  e->yes = accepts(it, hook);
  e->acts = may_act(it, pool, hook);
  if (it->out && (e->acts || !e->yes))
    say_event(it->out, e, it->depth);
  if (!e->acts)
    return e;
  it->acts--;
  it->depth++;
  e->op = decode_action(it, &naive);
  e->answer = make_call(it, &e->op);
  it->depth--;
  return e;
}

sp_ref player_victim(player *it, event *e)
{
  sp_walk walk = sp_pool_walk(it->pools[e->pool]);
  e->victim = choose(&it->choices, 3) == 0 ? it->history[choose(&it->choices, HISTORY)] : sp_walk_next(&walk);
  return e->victim;
}

int player_pool(const player *it, const sp_pool *pool)
{
  for (int i = 0; i < POOLS; i++)
    if (pool && it->pools[i] == pool)
      return i;
  return -1;
}

void player_forget(player *it, unsigned id)
{
  memset(it->history, 0, sizeof it->history);
  memset(it->names, 0, sizeof it->names);
  memset(it->timers, 0, sizeof it->timers);
  it->queries = 0;
  for (unsigned i = 0; i < 8; i++)
    it->history[i] = (sp_ref)(2 * i + 1) << 32 | (sp_ref)id << 24 | i;
}

/* What is known of the library's objects after a call. */
static void remember(player *it, const op *o, const answer *a)
{
  if (o->kind <= OP_TAKE && a->object) {
    it->history[o->pick2 % HISTORY] = a->object;
    it->names[o->pick2 % HISTORY] = (known_name){o->pool, sp_object_number(it->c.manager, a->object)};
  }
  if (a->result != SP_OK || (o->kind != OP_SNAPSHOT && o->kind != OP_RESTORE))
    return;
  const bool back = o->kind == OP_RESTORE;
  memcpy(back ? it->history : it->history_then, back ? it->history_then : it->history, sizeof it->history);
  memcpy(back ? it->names : it->names_then, back ? it->names_then : it->names, sizeof it->names);
  memcpy(back ? it->timers : it->timers_then, back ? it->timers_then : it->timers, sizeof it->timers);
}

/* Inside an update the scale changes only to what leaves whole units of it. */
static int scale_in_hook(const player *it, int wanted)
{
  const int scale = (int)sp_clock_of(it->c.manager).time_scale;
  return wanted == 0 ? 0 : scale == 1 && wanted == 2 ? 2 : scale;
}

/* Makes a call, after choosing its objects. */
static answer make_call(player *it, op *o)
{
  if (o->kind == OP_CLOCK && it->depth > 0)
    o->value = scale_in_hook(it, o->value % 4);
  o->object = o->pick < 0 ? SP_NULL_REF : it->history[o->pick];
  if (!o->object && it->rules.in_lua && o->kind == OP_TIMER)
    o->object = FOREIGN; /* without an object it would be a timer of the manager */
  o->second = o->pick2 < 0 ? SP_NULL_REF : it->history[o->pick2];
  o->owner = player_pool(it, sp_object_pool(it->c.manager, o->object));
  o->owner2 = player_pool(it, sp_object_pool(it->c.manager, o->second));
  if (it->out)
    say_call(it->out, o, it->depth);
  if (o->kind == OP_UPDATE && o->time > it->ahead)
    it->ahead = o->time;
  const unsigned configured = it->configured;
  const bool is_change = o->kind == OP_CONFIGURE || o->kind == OP_REDEFINE;
  if (is_change && it->rules.in_lua && configured >> o->pool & 1)
    o->kind = OP_WRITE;
  if (o->kind == OP_CONFIGURE)
    it->configured |= 1u << o->pool;
  const answer a = it->call(it, o);
  it->configured = configured;
  it->ahead = it->depth == 0 ? 0 : it->ahead;
  remember(it, o, &a);
  if (it->out)
    say_answer(it->out, o, &a, it->depth);
  return a;
}

/* }== */

/* {== Comparing ========================================================== */

/* The numbers of the managers differ, and where generations begin; the hash compares those. */
static uint32_t slot_of(sp_ref object) { return (uint32_t)object & (SP_MAX_SLOTS - 1); }

static void compare_answers(const op *o, const answer *c, const answer *lua)
{
  const char *name = model_op_name(o->kind);
  const bool is_closed = c->result == SP_CLOSED; /* of a count Lua says 0 then */
  same(&naive, o->pool, name, lua->result == SP_OK && !is_closed, c->result == SP_OK);
  if (lua->result != SP_FAILED && !is_closed) /* an error was raised */
    same(&naive, o->pool, name, lua->result, c->result);
  same(&naive, o->pool, name, slot_of(lua->object), slot_of(c->object));
  same(&naive, o->pool, name, lua->count, c->count);
  same(&naive, o->pool, name, lua->count2, c->count2);
}

/* Quiet hooks are left out, and the numbers of queries, which Lua does not know. */
static void compare_tapes(void)
{
  int k = 0;
  for (int i = 0; i < in_c.written; i++) {
    const event *c = &in_c.tape[i], *lua = &in_lua.tape[k];
    const char *name = model_hook_name(c->hook);
    if (is_quiet(&in_c, c->pool, c->hook))
      continue;
    if (k++ == in_lua.written)
      model_differ(&naive, "%s of %d#%u does not run", name, c->pool, c->number);
    same(&naive, c->pool, name, lua->hook, c->hook);
    same(&naive, c->pool, name, lua->pool, c->pool);
    same(&naive, c->pool, name, lua->number, c->number);
    same(&naive, c->pool, name, c->hook == HOOK_PAIR ? 0 : lua->arg, c->hook == HOOK_PAIR ? 0 : c->arg);
    same(&naive, c->pool, name, lua->tick, c->tick);
    same(&naive, c->pool, name, lua->acts, c->acts);
    if (c->acts)
      compare_answers(&c->op, &c->answer, &lua->answer);
  }
  same(&naive, -1, "the number of hooks", in_lua.written, k);
}

static void compare_players(const op *o, const answer *c, const answer *lua)
{
  strcat(naive.where, ", in Lua");
  compare_tapes();
  compare_answers(o, c, lua);
  for (int i = 0; i < POOLS; i++) {
    sp_stats a = sp_stats_of(in_c.pools[i]), b = sp_stats_of(in_lua.pools[i]);
    a.stale_uses = b.stale_uses = a.double_recycles = b.double_recycles = 0; /* Lua looks before it calls */
    a.refused = b.refused = 0;
    const char *name = model_stats_differ(&a, &b);
    if (name)
      model_differ(&naive, "pool %d: %s is another number", i, name);
  }
  if (sp_manager_hash(in_c.c.manager) != sp_manager_hash(in_lua.c.manager))
    model_differ(&naive, "the hash is another one");
}

static void check_everything(bool objects)
{
  must(naive.read == in_c.written && in_c.depth == 0);
  model_check_manager(&naive, in_c.c.manager);
  for (int i = 0; i < POOLS; i++) {
    model_check_stats(&naive, i, in_c.pools[i]);
    if (objects)
      model_check_objects(&naive, i, in_c.pools[i]);
    must(sp_pool_manager(in_c.pools[i]) == in_c.c.manager);
  }
  for (int i = 0; objects && i < HISTORY; i++) {
    int pool;
    must(sp_object_is_live(in_c.c.manager, in_c.history[i]) == (model_find(&naive, in_c.history[i], &pool) != NULL));
  }
}

static void compare_ends(void)
{
  if (in_c.ends.count != naive.end_count)
    model_differ(&naive, "%u ends are listed, not %u", in_c.ends.count, naive.end_count);
  for (uint32_t i = 0; i < ENDS && i < naive.end_count; i++)
    if (i >= in_c.ends.most)
      must(in_c.room[i].object == SP_NULL_REF);
    else if (in_c.room[i].object != naive.ends[i].object || in_c.room[i].other != naive.ends[i].other)
      model_differ(&naive, "another end is listed at %u", i);
}

/* }== */

/* {== Playing ============================================================ */

static void begin_turn(player *it, const program *p, size_t index)
{
  it->choices = program_record(p, index);
  it->acts = (int)choose(&it->choices, 32);
  it->written = 0;
}

/* Returns the shapes of the pools. */
static op open_player(player *it, const program *p, FILE *out, void (*prepare)(player *))
{
  memset(it, 0, offsetof(player, tape));
  prepare(it);
  it->out = out;
  it->choices = program_record(p, 0);
  it->rules = decode_rules(&it->choices);
  const op shapes = decode_opening(it);
  it->open(it, &shapes);
  return shapes;
}

static void open_game(const program *p, FILE *out)
{
  const op shapes = open_player(&in_c, p, out, player_in_c);
  if (in_c.rules.in_lua)
    open_player(&in_lua, p, NULL, player_in_lua);
  in_lua.errors = out;
  const uint32_t first = in_c.rules.first_generation, lives = in_c.rules.lives;
  model_begin(&naive, lives ? first + 2 * lives : (first | ((1u << SP_WINDOW_BITS) - 1)) - 1);
  naive.overrides = in_c.rules.in_lua;
  naive.tape = in_c.tape;
  naive.read = 0;
  naive.written = in_c.written;
  for (int i = 0; i < POOLS; i++)
    model_open(&naive, i, game_shape(&shapes, i));
}

static void close_game(void)
{
  in_c.acts = in_lua.acts = 0;
  in_c.written = in_lua.written = 0;
  in_c.close(&in_c);
  if (in_c.rules.in_lua)
    in_lua.close(&in_lua);
}

/* False: memory was refused in the middle of the call, and the model cannot know how far it came; counts are right all
   the same. */
static bool play_in_c(op *o, answer *real, answer *expected, bool *refused)
{
  test_memory *memory = &in_c.c.memory;
  const size_t before = memory->refused;
  const uint32_t chunks = sp_pool_chunks(in_c.pools[o->pool]);
  *real = make_call(&in_c, o);
  *refused = memory->refused > before;
  const uint64_t evicted = sp_stats_of(in_c.pools[o->pool]).evicted - naive.pools[o->pool].stats.evicted;
  bool nothing = in_c.written == 0 && evicted == 0 && real->result == SP_MEMORY;
  const bool is_change = o->kind == OP_CONFIGURE || o->kind == OP_REDEFINE;
  must(!nothing || !is_change || sp_pool_chunks(in_c.pools[o->pool]) == chunks);
  must(!*refused || (o->kind != OP_PARENT && o->kind != OP_TIMER) || real->result == SP_MEMORY);
  if (*refused && !(nothing && o->time >= 0 && o->kind != OP_PREWARM && o->kind != OP_UPDATE)) {
    core_check(in_c.c.manager);
    return false;
  }
  naive.read = 0;
  naive.written = in_c.written;
  *expected = *refused ? model_do_without_memory(&naive, o) : model_do(&naive, o);
  return true;
}

/* Calls of the allocator are refused in some turns, and in all that make many: one, or all from one on. */
static void starve(op_kind kind)
{
  test_memory *memory = &in_c.c.memory;
  const uint32_t most = kind == OP_SAVE ? 100 : kind == OP_REMOVE ? 12 : 6;
  if (most == 6 && choose(&in_c.choices, 6) != 0)
    return;
  memory->keep_failing = choose(&in_c.choices, 2) == 0;
  memory->fail_at = memory->calls + 1 + choose(&in_c.choices, most);
}

/* Plays one turn; false as above. */
static bool play_turn(const program *p, size_t index, bool objects)
{
  answer real, expected, lua = {0};
  bool refused;
  begin_turn(&in_c, p, index);
  op o = decode_turn(&in_c, &naive);
  snprintf(naive.where, sizeof naive.where, "turn %d, %s in pool %d", (int)index, model_op_name(o.kind), o.pool);
  if (in_c.rules.starved && o.kind != OP_CLOSE)
    starve(o.kind);
  if (in_c.rules.in_lua) {
    begin_turn(&in_lua, p, index);
    op same = decode_turn(&in_lua, &naive);
    lua = make_call(&in_lua, &same);
  }
  const bool goes_on = play_in_c(&o, &real, &expected, &refused);
  in_c.c.memory.fail_at = 0;
  if (!goes_on)
    return false;
  model_compare(&naive, &o, &real, &expected);
  check_everything(objects || refused);
  if (is_listed(&o) && real.result == SP_OK)
    compare_ends();
  if (in_c.rules.in_lua)
    compare_players(&o, &real, &lua);
  if (in_c.rules.in_lua && objects)
    player_print(&in_lua);
  return true;
}

void game_play(const program *p, FILE *out)
{
  open_game(p, out);
  for (size_t i = 1; i < p->count; i++) {
    if (!play_turn(p, i, i % 16 == 0 || out)) {
      close_game();
      open_game(p, out);
    }
    if (i % 256 == 0)
      core_check(in_c.c.manager);
  }
  in_c.written = naive.read = 0;
  check_everything(true);
  close_game();
}

/* }== */
