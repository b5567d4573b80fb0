/*
** A game: a program of bytes is decoded to calls, which are made by the functions of C, in some games by those of Lua
** too, and by the naive model. After every call the results, what hooks saw, counts and hashes must be the same.
*/
#ifndef SP_TESTS_GAME_H
#define SP_TESTS_GAME_H

#include "model/model.h"
#include "model/program.h"
#include "support/core_tape.h"

/* Plays a program and fails the test at the first difference. With `out`, each call is written there before it is
   made. */
void game_play(const program *p, FILE *out);

/* {== Inside: game.c, decode.c, play_c.c, play_lua.c ====================== */

enum { KNOWN_TIMERS = 16 };

/* What the first record says. */
typedef struct rules {
  bool crowded; /* pools may have several chunks */
  bool faces;   /* pools may face their velocity; nothing slows or bounces then: the sign of a zero is no direction */
  bool narrow;  /* without wide vectors */
  bool starved; /* memory is refused now and then */
  bool in_lua;  /* only what both interfaces have; classes have the hooks of LUA_HOOKS */
  uint32_t first_generation, lives; /* of a slot; 0: as many as there are */
} rules;

/* The hooks of the pools A, B and C in a game in Lua. The class of A has none, so that its objects take the shortest
   ways. The model needs HOOK_CREATE, and an overflow function is a setting. */
#define LUA_HOOKS(pool)                                                                                                \
  (1u << HOOK_CREATE | 1u << HOOK_OVERFLOW |                                                                           \
   ((pool) == 0 ? 0                                                                                                    \
                : (1u << HOOK_SPAWN | 1u << HOOK_DESPAWN | 1u << HOOK_RECYCLE) |                                       \
                      ((pool) == 1 ? 0 : 1u << HOOK_REJECT | 1u << HOOK_DESTROY | 1u << HOOK_UPDATE)))

/* Whose hooks they are. */
typedef struct watch {
  struct player *it;
  int pool;
} watch;

/* The name that a reference had when it was made; number 0: it is not known. */
typedef struct known_name {
  int pool;
  uint32_t number;
} known_name;

/* One of those that play on the library. */
typedef struct player {
  core c; /* that of Lua counts no memory */
  sp_pool *pools[POOLS];
  pool_shape shapes[POOLS];
  watch watches[POOLS];
  rules rules;
  choices choices; /* of the turn */
  int depth, acts; /* hooks on the stack that act; how many more may act in this turn */
  int walks;       /* on the stack: no pool may be removed */
  int queries;
  unsigned configured;       /* bits of pools whose settings are being changed: Lua does that one after the other */
  int64_t ahead;             /* units of the update that is going on */
  sp_ref history[HISTORY];   /* references to play with, old ones too */
  known_name names[HISTORY]; /* theirs */
  sp_timer timers[KNOWN_TIMERS];
  bool is_ahead;         /* of the model: callbacks are not told */
  sp_snapshot *snapshot; /* what is restored, with what was known then */
  sp_ref history_then[HISTORY];
  known_name names_then[HISTORY];
  sp_timer timers_then[KNOWN_TIMERS];
  core_tape save; /* the last one */
  sp_pair room[ENDS];
  sp_pairs ends; /* of the last update that listed them */
  struct lua_State *L;
  FILE *out;                                         /* NULL: calls are not written down */
  FILE *errors;                                      /* of Lua; NULL: they are not written down */
  answer (*call)(struct player *it, op *o);          /* makes the call */
  void (*open)(struct player *it, const op *shapes); /* a manager, and pools of these shapes: see game_shape */
  void (*close)(struct player *it);
  int written;
  event tape[TAPE]; /* last: it is never cleared */
} player;

/* Set up the functions of a player. */
void player_in_c(player *it);
void player_in_lua(player *it);

/* Some updates list what ends in them. */
static inline bool is_listed(const op *o) { return o->kind == OP_UPDATE && o->time % 2; }

/* The shape of pool `index` in an operation that opens all pools. */
static inline const pool_shape *game_shape(const op *o, int index) { return index ? &o->shapes[index - 1] : &o->shape; }

/* Takes the first record, the next call of the game, and one that a hook makes. `m` is the model before the turn. */
rules decode_rules(choices *from);
op decode_opening(player *it);
op decode_turn(player *it, const model *m);
op decode_action(player *it, const model *m);

/* Forgets all references, of a manager that is closed; in their place are some of the manager with this number. */
void player_forget(player *it, unsigned id);
/* Records a callback on the tape; it may act. */
event *player_note(player *it, int pool, hook_kind hook, sp_ref object, int arg);
/* Returns what on_overflow returns. */
sp_ref player_victim(player *it, event *e);
int player_pool(const player *it, const sp_pool *pool); /* its index; -1: none of them */
/* Prints the references that the player in Lua has: a stale one never has another's name. */
void player_print(const player *it);

/* }== */

#endif
