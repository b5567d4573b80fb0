/*
** A naive model of the core: plain arrays, linear searches, whole numbers for time. It is told what was asked of the
** real thing and what its hooks saw and did (the tape), does the same in its own way, and compares every answer.
**
** Hooks may act: the tape says what each call of a hook did, the model does it at the same place, and so on inside.
*/
#ifndef SP_TESTS_CORE_MODEL_H
#define SP_TESTS_CORE_MODEL_H

#include "support/core_fixture.h"

#include <stdio.h>

enum { POOLS = 3, OBJECTS = 2048, TAPE = 40000 };

/* Time is counted in units of 1/256 s, four to a tick. */
enum { UNITS_PER_TICK = 4 };
#define ENDLESS INT64_MAX

typedef enum op_kind {
  OP_ALLOC,
  OP_ALLOC_AT,
  OP_COMMIT, /* begin, write, commit */
  OP_CANCEL, /* begin, write, cancel */
  OP_TAKE,
  OP_RECYCLE,
  OP_UNDO,
  OP_REMAIN,
  OP_WRITE,
  OP_PREWARM,
  OP_RECYCLE_ALL,
  OP_CLEAR,
  OP_TRIM,
  OP_CONFIGURE,
  OP_UPDATE,
  OP_REMOVE, /* and open another in its place */
  OP_COUNT
} op_kind;

typedef struct op {
  op_kind kind;
  int pool;
  int64_t time; /* lifetime, remaining time or dt in units; lifetime < 0: prewarm */
  sp_ref object;
  uint32_t count; /* index or number */
  int value;      /* what is written */
  bool pinned;
  sp_settings settings;
  unsigned hooks; /* OP_REMOVE: bits of hook_kind of the new pool */
} op;

typedef struct answer {
  sp_result result;
  uint32_t number; /* of the object that was handed out, 0: none */
  sp_ref object;
  uint32_t count, count2;
} answer;

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
  HOOK_COUNT
} hook_kind;

/* One call of a hook: what it saw, and what it did. */
typedef struct event {
  hook_kind hook;
  int pool;
  uint32_t number;
  sp_ref object;
  int arg;  /* why, or fresh */
  bool yes; /* spawn: accepted; recycle: the base was called */
  sp_ref victim;
  bool acts;
  op op;
  answer answer;
} event;

typedef struct model_object {
  uint32_t number; /* 0: not in use */
  bool live, dying, lived, pinned;
  sp_ref object; /* of the life, while live or dying */
  uint32_t slot, generation;
  uint64_t serial;
  int64_t born, lifetime; /* lifetime 0: without end */
  uint64_t due;           /* tick, 0: none */
  float x, vx;
  int value, kept;
} model_object;

typedef struct model_pool {
  unsigned hooks;
  sp_settings settings;
  bool closing;
  uint32_t idle[OBJECTS], idle_count, rested; /* numbers, longest idle first; LIFO: so many may be reused */
  sp_stats stats;
  uint64_t age;                  /* order of creation */
  model_object objects[OBJECTS]; /* in no order, the first `used` of them */
  int used;
} model_pool;

typedef struct model {
  model_pool pools[POOLS];
  uint64_t tick, serial, ages;
  int64_t spare;
  uint32_t last_generation;
  int busy;
  event tape[TAPE];
  int written, read;
  char where[256]; /* for messages */
} model;

#define MODEL_VALUE 7 /* what the own fields start with */

/* Does `o`; compares nested answers and everything that hooks saw. */
answer model_do(model *m, const op *o);
/* Opens pool `o->pool` anew. */
void model_open(model *m, const op *o);
/* Fails with `where` unless the two answers are the same. */
void model_compare(const model *m, const op *o, const answer *real, const answer *naive);
/* Compares numbers, orders, fields and times with the real pool. */
void model_check_stats(const model *m, int pool, sp_pool *real);
void model_check_objects(const model *m, int pool, sp_pool *real);
model_object *model_find(model *m, sp_ref object, int *pool);
double model_time(const model *m);
const char *model_op_name(op_kind kind);

/* {== Inside the model: core_model.c for core_model_use.c ================ */

#define model_differ(m, ...)                                                                                           \
  do {                                                                                                                 \
    char text_[256];                                                                                                   \
    snprintf(text_, sizeof text_, __VA_ARGS__);                                                                        \
    ck_abort_msg("%s: %s", (m)->where, text_);                                                                         \
  } while (0)

/* The next call of a hook must be this one; what it did is done here too. A number of 0 is any. */
const event *model_expect(model *m, hook_kind hook, int pool, uint32_t number, int arg);
bool model_hears(const model *m, int pool, hook_kind hook);
/* The object of that number. */
model_object *model_at(model_pool *p, uint32_t number);

/* Idle objects. */
uint32_t model_pop_idle(model_pool *p);
void model_drop_idle(model_pool *p, uint32_t index);
uint32_t model_grow(model *m, int pool, uint32_t wanted);
uint32_t model_prewarm(model *m, int pool, uint32_t count);
uint32_t model_destroy_idle(model *m, int pool, uint32_t keep);

/* Ends. True when the life ended; an override may veto unless `force`. */
bool model_end(model *m, int pool, uint32_t number, sp_why why, bool force);
void model_close_life(model *m, int pool, uint32_t number, sp_why why);
void model_give_back(model *m, int pool, uint32_t number);
uint32_t model_recycle_all(model *m, int pool, sp_why why, bool force);
/* The live object of lowest slot from `slot` on that is not younger than `serial`. */
const model_object *model_walk_next(const model_pool *p, uint32_t slot, uint64_t serial);

/* }== */

#endif
