/*
** Random games with the real core, beside the model of it. A game is a seed and a list of turns: each turn draws its
** call, and what hooks do in it, from numbers of its own, so that any part of the list is a game too. That is what lets
** a failing game be made shorter until it can be read.
*/
#ifndef SP_TESTS_CORE_PLAY_H
#define SP_TESTS_CORE_PLAY_H

#include "support/core_chance.h"
#include "support/core_model.h"
#include "support/core_tape.h"
#include "support/shrink.h"

/* Plays turns `turns` of game `seed` and fails the test at the first difference. With `out`, each call is written down
   as C before it is made. */
void play_game(uint64_t seed, const shrink_item *turns, int count, FILE *out);
/* Plays the first turns of game `seed`, with one call of the allocator refused, counted from 1, or all from that one to
   the end of its turn. Returns how many calls there were; `fail_at` 0: none is refused. */
size_t play_refused(uint64_t seed, int count, size_t fail_at, bool keep_failing);
/* Works like play_game, with a game made of bytes, for a fuzzer. Memory may be refused in it. */
void play_bytes(const uint8_t *bytes, size_t size, FILE *out);

/* {== Inside: core_play.c, core_real.c, core_say.c ======================== */

enum { KNOWN_TIMERS = 16, NAMES = 512 };

typedef struct say {
  FILE *file; /* NULL: nothing is written */
  int depth;
  int named;           /* objects that have a name, o1 and on */
  sp_ref names[NAMES]; /* the last ones */
} say;

typedef struct world {
  core c;
  sp_pool *pools[POOLS];
  core_watcher watchers[POOLS];
  pool_shape shapes[POOLS];
  chance_source chance;
  bool crowded; /* pools may have several chunks */
  bool faces;   /* pools may face their velocity; nothing slows or bounces then: the sign of a zero is no direction */
  bool narrow;  /* without wide vectors */
  int depth, acts; /* hooks on the stack that act; how many more may act in this turn */
  int walks;       /* on the stack: no pool may be removed */
  int queries;
  int64_t ahead; /* units of the update that is going on */
  uint32_t last_generation;
  sp_ref history[HISTORY]; /* references to play with, old ones too */
  sp_timer timers[KNOWN_TIMERS];
  sp_snapshot *snapshot; /* what is restored, with what was known then */
  sp_ref history_then[HISTORY];
  sp_timer timers_then[KNOWN_TIMERS];
  core_tape save; /* the last one */
  say say;
} world;

/* Makes the call, after choosing its objects. */
answer real_do(world *w, op *o);
void real_open_manager(world *w);
void real_close_manager(world *w);
void real_open(world *w, int pool, const pool_shape *shape);
int real_index_of(const world *w, const sp_pool *pool); /* -1: none of them */

/* Records a callback on the tape; it may act. */
event *play_note(int pool, hook_kind hook, sp_ref object, int arg);
sp_hooks play_hooks(unsigned bits, int pool);
void play_on_timer(void *ud, sp_ref object, uint64_t timer);
void play_on_timer_end(void *ud, sp_ref object, uint64_t timer);

/* The call that comes next, what came of it, and what runs inside it. */
void say_call(say *s, const op *o);
void say_answer(say *s, const op *o, const answer *a);
void say_event(say *s, const event *e);
void say_pool(say *s, int pool, const pool_shape *shape);

/* }== */

#endif
