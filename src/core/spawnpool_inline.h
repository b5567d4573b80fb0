/*
** spawnpool, the calls of the innermost loop as inline functions: alloc, recycle, is_live and cell. Each has the
** parameters, results and checks of the call of spawnpool.h, and leaves everything but the common case to that call, so
** both kinds may be mixed. It saves the call and lets the compiler keep things in registers.
**
** The functions read and write the two structs below, which are the beginning of a manager and of a pool. They are
** layout SP_INLINE_LAYOUT. A library with another layout has no sp_inline_layout_1, and a program that was compiled for
** this one cannot be linked with it, or started: it must be compiled again. Programs that do without this header never
** depend on the layout. Touch the structs through these functions only.
*/
#ifndef SPAWNPOOL_INLINE_H
#define SPAWNPOOL_INLINE_H

#include "spawnpool.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SP_INLINE_LAYOUT 1
/* Returns SP_INLINE_LAYOUT. */
SP_API uint32_t sp_inline_layout_1(void);

#ifdef __cplusplus
}
#endif

#if defined(__GNUC__) || defined(__clang__)

/* The library's own types have the same members in the same places. */
#define SP_INLINE_VIEW __attribute__((may_alias))
#define SP_INLINE_LIKELY(e) __builtin_expect(!!(e), 1)

/* {== Layout 1 =========================================================== */

/* A slot. */
typedef struct SP_INLINE_VIEW sp_inline_life {
  uint64_t serial;     /* orders the lives of a manager */
  uint32_t generation; /* odd: live. A reference has it in its upper half */
  uint32_t due;        /* the tick at which the life ends; 0: none */
} sp_inline_life;

/* A column of a pool: a cell is at chunk + offset + index * size. */
typedef struct SP_INLINE_VIEW sp_inline_column {
  uint32_t offset, initial;
  uint32_t size;    /* 0: the pool has no such column */
  uint64_t written; /* not in `dirty` yet: the first write must be noted */
} sp_inline_column;

typedef struct SP_INLINE_VIEW sp_inline_pool {
  void *user;
  const sp_inline_column *columns;
  uint64_t dirty; /* columns that alloc must restore */
  bool plain_recycle;
  uint32_t unused;
  struct sp_inline_manager *manager;
  uint32_t *ring;             /* idle slots; those from `head` to `tail`, modulo mask + 1 */
  uint32_t mask, head, tail;  /* alloc takes the one at `head`; recycle adds at `tail` */
  bool lifo;                  /* recycle adds in front of `head` */
  uint32_t floor, near_floor; /* with more than `near_floor` idle slots alloc has nothing else to do */
  bool bare_recycle;          /* recycle has nothing else to do */
  uint64_t recycles;
} sp_inline_pool;

typedef struct SP_INLINE_VIEW sp_inline_manager {
  sp_inline_life *life;    /* per slot */
  unsigned char **chunks;  /* per SP_CHUNK_SLOTS slots: where their columns are */
  sp_inline_pool **owners; /* per SP_CHUNK_SLOTS slots: the pool */
  uint64_t *made;
  uint32_t origin; /* lower half of a reference to slot 0 */
  uint32_t reach, unsettled;
  uint32_t settled;         /* slots below it with odd generations are live */
  uint64_t serial;          /* of the life that began last */
  uint32_t last_generation; /* its slot is not used again */
} sp_inline_manager;

/* Makes the linker look for the layout. */
static uint32_t (*const sp_inline_needs)(void) __attribute__((used)) = sp_inline_layout_1;

/* }== */

/* {== Calls ============================================================== */

/* The cell of a slot. */
static inline void *sp_inline_at(const sp_inline_manager *m, const sp_inline_column *c, uint32_t slot)
{
  return m->chunks[slot / SP_CHUNK_SLOTS] + c->offset + slot % SP_CHUNK_SLOTS * c->size;
}

/* True when nothing but the slots is to be looked at: no limit, peak or hook, and memory that is near. */
static inline bool sp_inline_is_ready(const sp_inline_pool *p, double lifetime, uint64_t written)
{
  return lifetime == 0 && p->tail - p->head > p->near_floor && (p->dirty | written) == 0;
}

/* Begins a life in the slot that is next. */
static inline uint32_t sp_inline_begin(sp_inline_pool *p, sp_ref *object)
{
  sp_inline_manager *m = p->manager;
  uint32_t slot = p->ring[p->head++ & p->mask], generation;
  sp_inline_life *life = &m->life[slot];
  generation = life->generation + 1;
  life->serial = ++m->serial;
  life->generation = generation;
  life->due = 0;
  *object = (sp_ref)generation << 32 | m->origin | slot;
  return slot;
}

/* sp_pool_alloc. */
static inline sp_ref sp_inline_alloc(sp_pool *pool, double lifetime, sp_result *result)
{
  sp_inline_pool *p = (sp_inline_pool *)pool;
  sp_ref object;
  if (!SP_INLINE_LIKELY(sp_inline_is_ready(p, lifetime, 0)))
    return sp_pool_alloc(pool, lifetime, result);
  sp_inline_begin(p, &object);
  return object;
}

/* sp_pool_alloc_cell. */
static inline void *sp_inline_alloc_cell(sp_pool *pool, double lifetime, int column, sp_ref *object, sp_result *result)
{
  sp_inline_pool *p = (sp_inline_pool *)pool;
  bool known = (unsigned)column < SP_FIELDS + SP_MAX_FIELDS;
  const sp_inline_column *c = &p->columns[known ? column : 0];
  if (!SP_INLINE_LIKELY(known && c->size != 0 && sp_inline_is_ready(p, lifetime, c->written)))
    return sp_pool_alloc_cell(pool, lifetime, column, object, result);
  return sp_inline_at(p->manager, c, sp_inline_begin(p, object));
}

/* The slot of an object that is surely live; UINT32_MAX when that takes another look. */
static inline uint32_t sp_inline_slot(const sp_inline_manager *m, sp_ref object)
{
  uint32_t slot = (uint32_t)object - m->origin, generation = (uint32_t)(object >> 32);
  bool live = slot < m->settled && m->life[slot].generation == generation && (generation & 1);
  return SP_INLINE_LIKELY(live) ? slot : UINT32_MAX;
}

/* sp_is_live. */
static inline bool sp_inline_is_live(const sp_manager *manager, sp_ref object)
{
  return sp_inline_slot((const sp_inline_manager *)manager, object) != UINT32_MAX || sp_is_live(manager, object);
}

/* sp_cell. */
static inline void *sp_inline_cell(sp_manager *manager, sp_ref object, int column)
{
  const sp_inline_manager *m = (const sp_inline_manager *)manager;
  uint32_t slot = sp_inline_slot(m, object);
  if (SP_INLINE_LIKELY(slot != UINT32_MAX && (unsigned)column < SP_FIELDS + SP_MAX_FIELDS)) {
    const sp_inline_pool *p = m->owners[slot / SP_CHUNK_SLOTS];
    const sp_inline_column *c = &p->columns[column];
    if (SP_INLINE_LIKELY(c->size != 0 && (c->written & ~p->dirty) == 0))
      return sp_inline_at(m, c, slot);
  }
  return sp_cell(manager, object, column);
}

/* sp_recycle. */
static inline sp_result sp_inline_recycle(sp_manager *manager, sp_ref object)
{
  sp_inline_manager *m = (sp_inline_manager *)manager;
  uint32_t slot = sp_inline_slot(m, object), generation = (uint32_t)(object >> 32) + 1, at;
  sp_inline_pool *p;
  if (!SP_INLINE_LIKELY(slot != UINT32_MAX && generation < m->last_generation))
    return sp_recycle(manager, object);
  p = m->owners[slot / SP_CHUNK_SLOTS];
  if (!SP_INLINE_LIKELY(p->bare_recycle))
    return sp_recycle(manager, object);
  m->life[slot].generation = generation;
  p->recycles++;
  at = p->lifo ? --p->head : p->tail++;
  p->ring[at & p->mask] = slot;
  return SP_OK;
}

/* }== */

#else

/* A compiler for which these are the calls. */
#define sp_inline_alloc sp_pool_alloc
#define sp_inline_alloc_cell sp_pool_alloc_cell
#define sp_inline_is_live sp_is_live
#define sp_inline_cell sp_cell
#define sp_inline_recycle sp_recycle

#endif

#endif
