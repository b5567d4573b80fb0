/*
** A naive model of the core: plain arrays, linear searches, whole numbers for time. It gets each call, and a tape of
** what hooks saw and did in it, does the same in its own way, and compares every answer.
**
** Hooks may act: the tape says what each call of a hook did, the model does it at the same place, and so on inside.
*/
#ifndef SP_TESTS_MODEL_H
#define SP_TESTS_MODEL_H

#include "support/core_fixture.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { POOLS = 3, ENDS = 32, OBJECTS = 2048, TAPE = 160000, TIMERS = 1024, HISTORY = 64 };

/* Time is counted in units of 1/256 s, four to a tick. */
enum { UNITS_PER_TICK = 4 };
#define ENDLESS INT64_MAX

/* The callbacks: hooks of pools, and then those that only random games have. */
typedef enum hook_kind {
  HOOK_CREATE,
  HOOK_SPAWN,
  HOOK_RECYCLE,
  HOOK_DESPAWN,
  HOOK_END,
  HOOK_REJECT,
  HOOK_DESTROY,
  HOOK_OVERFLOW,
  HOOK_UPDATE,
  HOOK_COUNT,
  HOOK_TIMER = HOOK_COUNT,
  HOOK_TIMER_END,
  HOOK_NEAR,
  HOOK_PAIR,
  HOOK_ALLOC, /* the override of a class in Lua, after its base */
  HOOK_VISIT
} hook_kind;

/* "create", "spawn" and so on: say.c. */
const char *model_hook_name(hook_kind hook);

/* The calls: a name; the arguments, by letters (say.c); what a game in Lua does instead; and how often it is made, in
   turns and by hooks, which rather change the pools. OP_TAKE and those before it allocate. */
#define MODEL_CALLS(X)                                                                                                 \
  X(ALLOC, "alloc", "PT", ALLOC, 4, 0)                                                                                 \
  X(ALLOC_AT, "alloc_at", "PTVB", ALLOC_AT, 1, 0)                                                                      \
  X(ALLOC_CHILD, "alloc_child", "PTVS", ALLOC, 1, 0)                                                                   \
  X(COMMIT, "commit", "PTVB", COMMIT, 2, 0) /* begin, write, commit */                                                 \
  X(CANCEL, "cancel", "PTVB", COMMIT, 1, 0) /* begin, write, cancel */                                                 \
  X(TAKE, "take", "PTC", TAKE, 1, 0)                                                                                   \
  X(RECYCLE, "recycle", "OW", RECYCLE, 4, 0)                                                                           \
  X(BASE, "recycle_base", "O", RECYCLE, 1, 0)                                                                          \
  X(UNDO, "alloc_undo", "O", RECYCLE, 1, 0)                                                                            \
  X(REMAIN, "set_remaining", "OT", REMAIN, 2, 0)                                                                       \
  X(WRITE, "write", "OVB", WRITE, 3, 0)                                                                                \
  X(CHECK, "check", "O", WRITE, 1, 0)                                                                                  \
  X(PARENT, "set_parent", "OS", PARENT, 2, 0)                                                                          \
  X(TIMER, "timer_start", "OTU", TIMER, 2, 0)                                                                          \
  X(STOP, "timer_stop", "I", TIMER, 1, 0)                                                                              \
  X(PREWARM, "prewarm", "PC", PREWARM, 1, 0)                                                                           \
  X(SLOWLY, "prewarm_slowly", "PCMT", SLOWLY, 0, 1)                                                                    \
  X(RECYCLE_ALL, "recycle_all", "P", RECYCLE_ALL, 0, 1)                                                                \
  X(CLEAR, "clear", "P", CLEAR, 1, 0)                                                                                  \
  X(TRIM, "trim", "P", TRIM, 1, 0)                                                                                     \
  X(CONFIGURE, "configure", "PD", CONFIGURE, 1, 0)                                                                     \
  X(HOOKS, "set_hooks", "PD", CONFIGURE, 0, 1)                                                                         \
  X(REDEFINE, "redefine", "PD", REDEFINE, 0, 2)                                                                        \
  X(ADD, "add", "PV", ADD, 0, 1)                                                                                       \
  X(WITHIN, "within", "PXC", WITHIN, 1, 0)                                                                             \
  X(NEAREST, "nearest", "PX", NEAREST, 1, 0)                                                                           \
  X(OVERLAPS, "overlaps", "PQ", OVERLAPS, 0, 1)                                                                        \
  X(WALK, "walk", "P", WALK, 1, 1)                                                                                     \
  X(CLOCK, "clock", "MBT", CLOCK, 0, 1)                                                                                \
  X(UPDATE, "update", "TC", UPDATE, 4, 0)                                                                              \
  X(SNAPSHOT, "snapshot", "", SNAPSHOT, 0, 1)                                                                          \
  X(RESTORE, "restore", "", RESTORE, 0, 1) /* SP_NONE when no snapshot was taken */                                    \
  X(SAVE, "save", "", SAVE, 0, 1)          /* and load: nothing changes */                                             \
  X(REMOVE, "remove", "PD", REMOVE, 0, 0)  /* and open another in its place */                                         \
  X(CLOSE, "close", "A", CLOSE, 0, 0)      /* and open another manager with other pools */

typedef enum op_kind {
#define KIND(kind, ...) OP_##kind,
  MODEL_CALLS(KIND) OP_COUNT
#undef KIND
} op_kind;

/* The parts of a description of a pool. */
typedef struct pool_shape {
  sp_settings settings;
  unsigned hooks; /* bits of hook_kind */
  double start;   /* what `value` begins with */
  bool live;      /* objects that still have the old start get the new one */
  bool flipped;   /* the own fields the other way round */
  bool keeps;     /* `kept` survives from life to life */
  uint16_t extra; /* bytes of a third field; 0: there is none */
  bool fades;     /* look.a follows MODEL_FADE */
  bool detaches;  /* on_parent_end */
  sp_bounds bounds;
  sp_box box; /* zeros: circles */
  sp_motion motion;
  float begin[SP_LOOK]; /* initial values of the columns SP_X to SP_SPIN */
} pool_shape;

typedef struct op {
  op_kind kind;
  int pool, other;      /* of OP_RECYCLE: the pool that is asked, or -1 */
  int64_t time, period; /* lifetime, remaining time, delay or dt in units; below 0: model_no_time */
  int pick, pick2; /* of the references to play with, below 0: none; `object` and `second` then say which they were */
  sp_ref object, second;
  int owner, owner2; /* the pools that count stale uses of these two, or -1 */
  sp_timer timer;
  uint64_t tag;
  uint32_t count; /* index or number */
  int value;      /* what is written; scale of the clock */
  bool pinned;    /* or paused; of OP_ALLOC_AT and OP_ALLOC_CHILD: it moves */
  bool as_set;    /* OP_REDEFINE: the settings are those that the game has set, and described as before */
  pool_shape shape;
  pool_shape shapes[POOLS - 1]; /* OP_CLOSE: of the other pools */
} op;

typedef struct answer {
  sp_result result;
  sp_ref object;
  uint32_t count, count2; /* of the nearest, the second has the bits of its distance */
  sp_timer timer;
} answer;

/* One call of a hook: what it saw, and what it did. */
typedef struct event {
  hook_kind hook;
  int pool;
  uint32_t number;
  sp_ref object;
  int arg;       /* why, fresh, or which query it was */
  bool yes;      /* spawn: accepted; recycle: the base was called */
  sp_ref victim; /* or the other one of a pair */
  sp_timer timer;
  uint64_t tag; /* of the timer */
  uint64_t tick;
  bool acts;
  op op;
  answer answer;
} event;

typedef struct model_object {
  uint32_t number; /* 0: not in use */
  bool live, dying, based, lived, pinned;
  sp_ref object; /* of the life, while live or dying */
  sp_ref parent;
  sp_why why;      /* while it is dying */
  uint64_t linked; /* to its parent: order of links */
  uint32_t slot, generation;
  uint64_t serial;
  int64_t born, lifetime; /* lifetime 0: without end */
  uint64_t due;           /* tick, 0: none */
  int16_t layer;
  bool marked;            /* the third field has MODEL_MARK in each byte, and not zeros */
  float columns[SP_LOOK]; /* SP_X to SP_SPIN */
  float alpha;            /* NAN: any */
  double value, kept;
} model_object;

typedef struct model_pool {
  pool_shape shape;
  sp_settings described; /* what differs from these in the settings of the shape the game has set */
  bool closing;
  int busy;                             /* hooks, queries, and ends of lives on the stack */
  uint32_t goal, warmed, slowly, slice; /* of prewarming */
  int64_t slow_from;
  uint32_t idle[OBJECTS], idle_count;       /* numbers, as they are going to be used */
  uint32_t vacated[OBJECTS], vacated_count; /* slots that have lost their object, as far as there is room */
  uint32_t making[OBJECTS], making_count;   // slots of objects whose on_create runs
  sp_stats stats;
  uint64_t age;                  /* order of creation */
  model_object objects[OBJECTS]; /* in no order, the first `used` of them */
  int used;
} model_pool;

typedef struct model_timer {
  sp_timer handle; /* 0: not in use */
  sp_ref owner;    /* 0: the manager */
  uint64_t tag;
  int64_t at, period;
  uint64_t due, serial;
} model_timer;

typedef struct model {
  model_pool pools[POOLS];
  model_timer timers[TIMERS];
  uint64_t tick, serial, ages, links, started;
  int64_t spare, scale;
  bool paused;
  uint32_t last_generation, peak;
  int busy, queries;
  bool updating;
  sp_pair ends[ENDS]; /* of the last update, as sp_manager_list_ends has them */
  uint32_t end_count;
  char where[256]; /* for messages */
  const event *tape;
  int written, read;
  bool overrides; /* alloc of the last pool is that of a class in Lua */
} model;

/* A write sets one of the columns SP_X to SP_SPIN, and every other one x to value % 100 and vx to value % 7 before. */
#define MODEL_MOVES(value) ((value) % 2 == 1)
#define MODEL_WRITTEN(value) ((value) / 100 % SP_LOOK)
#define MODEL_NUMBER(value) ((float)((value) % 9 - 4))
/* Where sp_pool_alloc puts an object, and how quick it is where it moves; else it is as quick as its type says. */
#define MODEL_PLACE(value) ((sp_place){(float)(value), (float)((value) % 50), (float)((value) % 3)})
#define MODEL_SPEED(value)                                                                                             \
  {                                                                                                                    \
    (float)((value) % 7), (float)((value) % 5)                                                                         \
  }
#define MODEL_LAYER(start) ((int16_t)((int)(start)-10))
enum { MODEL_MARK = 0x5a, MODEL_RADIUS = 8, MODEL_PAIRS = 1 << 15 };
/* The `dt` of a class update, as far as an event has room for it. */
#define MODEL_DT(units) ((int)((units) % 1000000))
#define MODEL_KEPT(shape) ((shape)->start + 100) /* what the kept field starts with */
#define MODEL_FADE ((sp_curve){.column = SP_LOOK, .offset = offsetof(sp_look, a), .count = 3, .points = {0.5f, 1, 0}})

/* Does `o`; compares nested answers and everything that hooks saw. */
answer model_do(model *m, const op *o);
/* Memory was refused before anything happened: what is the same as before, and what counts. */
answer model_do_without_memory(model *m, const op *o);
/* A manager without pools, and a pool anew. */
void model_begin(model *m, uint32_t last_generation);
void model_open(model *m, int pool, const pool_shape *shape);
/* Fails with `where` unless the two answers are the same. */
void model_compare(const model *m, const op *o, const answer *real, const answer *naive);
/* Of the end of a manager. */
void model_forget_snapshot(void);
/* Compares numbers, orders, fields and times with the real pool. */
void model_check_stats(const model *m, int pool, sp_pool *real);
/* The name of a count that differs; NULL: none does. */
const char *model_stats_differ(const sp_stats *a, const sp_stats *b);
void model_check_objects(model *m, int pool, sp_pool *real);
void model_check_manager(const model *m, sp_manager *real);
model_object *model_find(model *m, sp_ref object, int *pool);
double model_time(const model *m);
const char *model_op_name(op_kind kind);
/* Returns whether a call has one of these arguments. */
bool model_op_has(op_kind kind, const char *letters);
double model_seconds(const op *o, int64_t units);
/* A time that no call takes, for an operation whose time is below 0. */
double model_no_time(const op *o);

/* Write down a call as Lua has it, what came of it, and what runs inside it: say.c. */
void say_arguments(FILE *f, const op *o);
void say_call(FILE *f, const op *o, int depth);
void say_answer(FILE *f, const op *o, const answer *a, int depth);
void say_event(FILE *f, const event *e, int depth);

/* {== Inside the model: objects.c, calls.c, kin.c, time.c ================= */

#define model_differ(m, ...)                                                                                           \
  do {                                                                                                                 \
    char text_[256];                                                                                                   \
    snprintf(text_, sizeof text_, __VA_ARGS__);                                                                        \
    ck_abort_msg("%s: %s", (m)->where, text_);                                                                         \
  } while (0)

/* Two numbers that must be equal. */
#define same(m, pool, what, is, must_be)                                                                               \
  do {                                                                                                                 \
    if ((is) != (must_be))                                                                                             \
      model_differ(m, "pool %d: %s is %.17g, not %.17g", pool, what, (double)(is), (double)(must_be));                 \
  } while (0)

/* The next call of a hook must be this one; what it did is done here too. A number of 0 is any. */
const event *model_expect(model *m, hook_kind hook, int pool, uint32_t number, int arg);
bool model_hears(const model *m, int pool, hook_kind hook);
/* The object of that number. */
model_object *model_at(model_pool *p, uint32_t number);

/* Idle objects. */
uint32_t model_pop_idle(model_pool *p);
void model_drop_idle(model_pool *p, uint32_t index);
uint32_t model_pop_highest(model_pool *p);
/* Brings them into the order of their slots, after a change of `order`. */
void model_sort_idle(model_pool *p);
/* Regions without an object are gone. */
void model_forget_vacated(model_pool *p);
/* Where a slot below all idle ones is vacant, an object is made there, and the highest idle one goes. False: there is
   none. */
bool model_fill_gap(model *m, int pool);
void model_unmake(const model *m, model_pool *p, uint32_t number); /* no hook */
uint32_t model_grow(model *m, int pool, uint32_t wanted);
uint32_t model_prewarm(model *m, int pool, uint32_t count);
uint32_t model_destroy_idle(model *m, int pool, uint32_t keep);

void model_warm_slice(model *m, int pool, int64_t units);

/* Ends. True when the life ended; an override may veto unless `force`. */
bool model_end(model *m, int pool, uint32_t number, sp_why why, bool override, bool force);
void model_despawn(model *m, int pool, uint32_t number, sp_why why);
void model_close_life(model *m, int pool, uint32_t number, sp_why why);
void model_give_back(model *m, int pool, uint32_t number);
/* Gives an object a parent, whose pool is `owner`. */
sp_result model_adopt(model *m, model_object *child, sp_ref parent, int owner);
uint32_t model_recycle_all(model *m, int pool, sp_why why, bool force);
/* OP_UPDATE: time.c. */
answer model_update(model *m, const op *o);
/* The pool that was opened next after the one of age `after`; -1: none. */
int model_next_by_age(const model *m, uint64_t after);
/* The functions of kin.c: parents, timers and queries. */
int64_t model_now(const model *m);
uint64_t model_due(const model *m, int64_t units);
void model_end_timers(model *m, const model_object *o);
void model_end_own_timers(model *m);
void model_end_kin(model *m, sp_ref object);
void model_fire(model *m);
sp_place model_world_place(model *m, const model_object *o);
void model_put(model_object *o, sp_place place);
answer model_query(model *m, const op *o);
answer model_belong(model *m, const op *o);
sp_result model_stale(model *m, sp_ref object, int owner);
/* The child of `parent` that was linked before `last` (NULL: the last one of all). */
const model_object *model_child(model *m, sp_ref parent, const model_object *last);

/* The live object of lowest slot from `slot` on that is not younger than `serial`. */
const model_object *model_walk_next(const model_pool *p, uint32_t slot, uint64_t serial);

/* }== */

#endif
