/*
** Bounds: an object that leaves the rectangle of its type is recycled, wrapped, bounced or clamped. Objects with a
** parent are skipped, because their position is relative to it.
*/
#include "core/bounds.h"

#include <math.h>

#include "core/parents.h"
#include "core/pass.h"
#include "core/recycle.h"
#include "core/scratch.h"
#include "core/wide.h"

typedef struct axis {
  float low, high;
  int place, speed; /* columns */
} axis;

static float *cell(const sp_pool *p, uint32_t slot, int column) { return sp_slot_cell(p, slot, column); }

/* Moves x into the range by whole widths. Where x is too far away for that to be exact, it starts again at the edge. */
static float wrapped(float x, float low, float high)
{
  float width = high - low, in = fmodf(x - low, width);
  if (in < 0)
    in += width;
  return in >= 0 && in < width ? low + in : low;
}

/* Reflects x at the edges as often as needed: the result is a triangle wave with a period of two widths. */
static float bounced(float x, float low, float high, bool *turned)
{
  float width = high - low, in = wrapped(x, low, low + 2 * width) - low;
  bool crossed = in > width;
  *turned = crossed;
  return crossed ? low + 2 * width - in : low + in;
}

static void bring_back(const sp_pool *p, uint32_t slot, const axis *a)
{
  float *x = cell(p, slot, a->place), *v = cell(p, slot, a->speed);
  if (*x >= a->low && *x <= a->high)
    return;
  bool turned = false;
  switch (p->bounds.outside) {
  case SP_OUTSIDE_WRAP:
    *x = wrapped(*x, a->low, a->high);
    break;
  case SP_OUTSIDE_BOUNCE:
    *x = bounced(*x, a->low, a->high, &turned);
    if (turned)
      *v = -*v;
    break;
  default:
    *x = *x > a->high ? a->high : a->low;
    *v = 0;
    break;
  }
}

static bool is_outside(const sp_pool *p, uint32_t slot)
{
  const sp_bounds *b = &p->bounds;
  float x = *cell(p, slot, SP_X), y = *cell(p, slot, SP_Y);
  return !(x >= b->x && x <= b->x + b->w && y >= b->y && y <= b->y + b->h);
}

#define PUT_COLUMNS (1u << SP_X | 1u << SP_Y | 1u << SP_VX | 1u << SP_VY)
static void put_back(const sp_pool *p, uint32_t slot)
{
  const sp_bounds *b = &p->bounds;
  bring_back(p, slot, &(axis){b->x, b->x + b->w, SP_X, SP_VX});
  bring_back(p, slot, &(axis){b->y, b->y + b->h, SP_Y, SP_VY});
}

/* Returns whether any slot of a chunk, live or idle, is outside. Mostly none is, and nothing else has to be done. */
SP_PASS bool any_outside(const sp_bounds *b, const float *x, const float *y)
{
  float left = b->x, top = b->y, right = left + b->w, bottom = top + b->h;
  int any = 0;
  for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++)
    any |= !((x[i] >= left) & (x[i] <= right) & (y[i] >= top) & (y[i] <= bottom));
  return any;
}

static bool any_outside_narrow(const sp_bounds *b, const float *x, const float *y) { return any_outside(b, x, y); }
static SP_WIDE bool any_outside_wide(const sp_bounds *b, const float *x, const float *y)
{
  return any_outside(b, x, y);
}

static bool has_outside(const sp_pool *p, uint32_t chunk)
{
  const float *x = cell(p, chunk * SP_CHUNK_SLOTS, SP_X), *y = cell(p, chunk * SP_CHUNK_SLOTS, SP_Y);
  return (p->manager->wide ? any_outside_wide : any_outside_narrow)(&p->bounds, x, y);
}

/* Returns the slots of one word of the live bitmap that are outside, without branches. */
SP_PASS uint64_t outside_of_word(const sp_bounds *b, const float *x, const float *y)
{
  float left = b->x, top = b->y, right = left + b->w, bottom = top + b->h;
  uint8_t out[64];
  for (uint32_t i = 0; i < 64; i++)
    out[i] = !((x[i] >= left) & (x[i] <= right) & (y[i] >= top) & (y[i] <= bottom));
  return sp_bits_of(out);
}

static uint64_t outside_narrow(const sp_bounds *b, const float *x, const float *y) { return outside_of_word(b, x, y); }
static SP_WIDE uint64_t outside_wide(const sp_bounds *b, const float *x, const float *y)
{
  return outside_of_word(b, x, y);
}

static uint64_t live_outside(const sp_pool *p, uint32_t word)
{
  const float *x = cell(p, word * 64, SP_X), *y = cell(p, word * 64, SP_Y);
  uint64_t out = (p->manager->wide ? outside_wide : outside_narrow)(&p->bounds, x, y);
  return out ? out & sp_odd_slots(p->manager, word) : 0;
}

/* {== Back in ============================================================ */

typedef struct put_pass {
  const sp_pool *pool;
  bool any; /* something was outside. Threads set it */
} put_pass;

/* Needs no order: no hook runs, and where an object is put back depends on its own place only. */
static void put_chunks_back(uint32_t begin, uint32_t end, void *pass)
{
  put_pass *it = pass;
  const sp_pool *p = it->pool;
  for (uint32_t i = begin; i < end; i++)
    for (uint32_t word = has_outside(p, p->chunks[i]) ? 0 : SP_CHUNK_WORDS; word < SP_CHUNK_WORDS; word++) {
      uint32_t at = p->chunks[i] * SP_CHUNK_WORDS + word;
      for (uint64_t bits = live_outside(p, at); bits; bits &= bits - 1) {
        uint32_t slot = at * 64 + (uint32_t)__builtin_ctzll(bits);
        if (sp_slot_parent(p->manager, slot))
          continue;
        put_back(p, slot);
        __atomic_store_n(&it->any, true, __ATOMIC_RELAXED);
      }
    }
}

/* }== */

/* {== Recycled =========================================================== */

typedef struct outside_pass {
  const sp_pool *pool;
  uint8_t *outside; /* per chunk of the pool: some slot is. NULL: not known */
} outside_pass;

static void look_at_chunks(uint32_t begin, uint32_t end, void *pass)
{
  const outside_pass *it = pass;
  for (uint32_t i = begin; i < end; i++)
    it->outside[i] = has_outside(it->pool, it->pool->chunks[i]);
}

static void bound_object(sp_pool *p, uint32_t slot)
{
  if (p->bounds.outside == SP_OUTSIDE_RECYCLE) {
    sp_end(p->manager, slot, SP_WHY_OUTSIDE, SP_END_BY_OVERRIDE);
    return;
  }
  sp_mark_written(p, PUT_COLUMNS);
  put_back(p, slot);
}

/* Returns whether a slot of the pool's chunk `i` still has to be handled: a hook of an earlier object may have ended
   this one, moved it back, or given it a parent; objects after `serial` were spawned by hooks, and are handled next
   time. */
static inline bool is_still_outside(const sp_pool *p, uint32_t i, uint32_t slot, uint64_t serial)
{
  const sp_manager *m = p->manager;
  bool ours = i < p->chunk_count && p->chunks[i] == slot >> SP_CHUNK_BITS && sp_slot_is_live(m, slot);
  return ours && m->slots.life[slot].serial <= serial && !sp_slot_parent(m, slot) && is_outside(p, slot);
}

/* Recycles all objects that are outside. Their hooks may do anything, also change the bounds. */
static void recycle_outside(sp_pool *p, const outside_pass *known)
{
  const uint64_t serial = p->manager->serial;
  const uint8_t *outside = known->outside;
  for (uint32_t i = 0; i < p->chunk_count; i++) {
    bool any = outside ? outside[i] : has_outside(p, p->chunks[i]);
    for (uint32_t word = any ? 0 : SP_CHUNK_WORDS; i < p->chunk_count && word < SP_CHUNK_WORDS; word++) {
      uint32_t at = p->chunks[i] * SP_CHUNK_WORDS + word;
      for (uint64_t bits = live_outside(p, at); bits; bits &= bits - 1) {
        uint32_t slot = at * 64 + (uint32_t)__builtin_ctzll(bits);
        if (p->bounds.outside == SP_OUTSIDE_IGNORE)
          return;
        if (!is_still_outside(p, i, slot, serial))
          continue;
        if (!p->view.plain_recycle || p->hooks.on_destroy)
          outside = NULL; /* hooks may move objects */
        bound_object(p, slot);
      }
    }
  }
}

/* Where threads share the work, all chunks are tested first. If memory for that is refused, each chunk is tested when
   its turn comes. */
static void look_and_recycle(sp_pool *p)
{
  sp_manager *m = p->manager;
  outside_pass it = {p, NULL};
  if (!sp_pass_is_split(m, p->chunk_count)) {
    recycle_outside(p, &it);
    return;
  }
  sp_scratch s = sp_scratch_take(m);
  size_t at = sp_scratch_room(m, &s, p->chunk_count);
  if (at != SIZE_MAX) {
    it.outside = s.block + at;
    sp_pass_run(m, p->chunk_count, look_at_chunks, &it);
  }
  recycle_outside(p, &it);
  sp_scratch_return(m, &s);
}

/* }== */

void sp_pool_bound(sp_pool *p)
{
  if (p->bounds.outside == SP_OUTSIDE_RECYCLE) {
    look_and_recycle(p);
    return;
  }
  put_pass it = {p, false};
  sp_pass_run(p->manager, p->chunk_count, put_chunks_back, &it);
  if (it.any)
    sp_mark_written(p, PUT_COLUMNS);
}
