/*
** Bulk motion over columns. Whole chunks are moved, including idle slots: their velocities are 0, so they do not move,
** and the loops need no branches. Columns that were never written are skipped.
*/
#include "core/motion.h"

#include <math.h>

#include "core/angle.h"
#include "core/chunk.h"
#include "core/parents.h"
#include "core/recycle.h"
#include "core/simd.h"

/* {== Loops ============================================================== */

/* Exact for constant acceleration, whatever the step: x += (v + a dt / 2) dt, v += a dt. */
SP_PASS void move_accelerated(float *restrict x, float *restrict v, const float *restrict a, float dt)
{
  for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++) {
    x[i] += (v[i] + a[i] * (dt * 0.5f)) * dt;
    v[i] += a[i] * dt;
  }
}

SP_PASS void move_straight(float *restrict x, const float *restrict v, float dt)
{
  for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++)
    x[i] += v[i] * dt;
}

SP_PASS void slow_down(float *v, float factor)
{
  for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++)
    v[i] *= factor;
}

/* Gravity pulls at live slots only: idle ones rest. */
SP_PASS void fall(float *restrict y, float *restrict v, const sp_life *restrict life, float gravity, float dt)
{
  for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++) {
    float g = (float)(int32_t)(life[i].generation & 1) * gravity; /* signed: quicker to convert */
    y[i] += g * (dt * 0.5f) * dt;
    v[i] += g * dt;
  }
}

/* }== */

/* {== Chunks ============================================================= */

SP_PASS float *column_at(const sp_pool *p, const sp_chunk *chunk, int column)
{
  return (float *)(void *)(chunk->base + p->layout.columns[column].offset);
}

SP_PASS void move_axis(const sp_pool *p, const sp_chunk *chunk, int x, int v, int a, float dt)
{
  if (p->dirty >> a & 1)
    move_accelerated(column_at(p, chunk, x), column_at(p, chunk, v), column_at(p, chunk, a), dt);
  else if (p->dirty >> v & 1)
    move_straight(column_at(p, chunk, x), column_at(p, chunk, v), dt);
}

/* At rest an object keeps facing where it went; idle slots are at rest. Adding zero turns -0, which a game may write,
   into 0: else the object would turn from pi to -pi. */
SP_PASS void face_velocity(float *restrict angle, const float *restrict vx, const float *restrict vy)
{
  for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++) {
    float towards = sp_angle(vy[i] + 0.0f, vx[i]);
    bool moves = (vx[i] != 0) | (vy[i] != 0);
    angle[i] = moves ? towards : angle[i];
  }
}

SP_PASS void move_chunk(const sp_pool *p, const sp_chunk *chunk, float dt)
{
  const sp_motion *motion = &p->desc.motion;
  move_axis(p, chunk, SP_X, SP_VX, SP_AX, dt);
  move_axis(p, chunk, SP_Y, SP_VY, SP_AY, dt);
  if (motion->gravity != 0)
    fall(column_at(p, chunk, SP_Y), column_at(p, chunk, SP_VY), chunk->life, motion->gravity, dt);
  if (motion->drag > 0) {
    float factor = 1 / (1 + motion->drag * dt);
    slow_down(column_at(p, chunk, SP_VX), factor);
    slow_down(column_at(p, chunk, SP_VY), factor);
  }
  if (p->dirty >> SP_SPIN & 1)
    move_straight(column_at(p, chunk, SP_ANGLE), column_at(p, chunk, SP_SPIN), dt);
  if (motion->face_velocity)
    face_velocity(column_at(p, chunk, SP_ANGLE), column_at(p, chunk, SP_VX), column_at(p, chunk, SP_VY));
}

SP_PASS void move_chunks(sp_pool *p, float dt)
{
  for (uint32_t i = 0; (i = sp_next_lively(p, i)) < p->chunk_count; i++)
    if (sp_chunk_has_life(p, i))
      move_chunk(p, sp_chunk_at(p, i), dt);
}

static void move_narrow(sp_pool *p, float dt) { move_chunks(p, dt); }
static SP_WIDE void move_wide(sp_pool *p, float dt) { move_chunks(p, dt); }

/* }== */

/* Returns the columns that motion writes: alloc must restore them from now on. */
static uint64_t moved_columns(const sp_pool *p)
{
  uint64_t dirty = p->dirty, moved = 0;
  if (p->desc.motion.gravity != 0)
    moved |= 1u << SP_Y | 1u << SP_VY;
  if (dirty & (1u << SP_VX | 1u << SP_AX))
    moved |= 1u << SP_X;
  if (dirty & (1u << SP_VY | 1u << SP_AY))
    moved |= 1u << SP_Y;
  if (dirty & 1u << SP_AX)
    moved |= 1u << SP_VX;
  if (dirty & 1u << SP_AY)
    moved |= 1u << SP_VY;
  if (dirty & 1u << SP_SPIN || p->desc.motion.face_velocity)
    moved |= 1u << SP_ANGLE;
  return moved;
}

void sp_pool_move(sp_pool *p, float dt)
{
  if (!(p->dirty & SP_MOTION_COLUMNS) && p->desc.motion.gravity == 0)
    return;
  sp_mark_written(p, moved_columns(p));
  (p->manager->wide ? move_wide : move_narrow)(p, dt);
}

/* {== Curves ============================================================= */

static void note_bent(sp_pool *p)
{
  for (int i = 0; i < p->desc.curve_count; i++)
    sp_mark_written(p, (uint64_t)1 << p->desc.curves[i].column);
}

/* At its first points. */
void sp_life_apply_curves(sp_pool *p, uint32_t slot)
{
  note_bent(p);
  for (int i = 0; i < p->desc.curve_count; i++) {
    const sp_curve *curve = &p->desc.curves[i];
    char *cell = sp_slot_cell(p, slot, curve->column);
    *(float *)(cell + curve->offset) = curve->points[0];
  }
}

/* The shares of the slots of a chunk; the bits of those that live and have a lifetime. */
SP_PASS uint64_t shares_of_chunk(const sp_manager *m, const sp_chunk *chunk, float *restrict shares)
{
  double births[SP_CHUNK_SLOTS], time = m->time, step = m->step, rate = m->rate;
  uint8_t timed[SP_CHUNK_SLOTS];
  for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++)
    memcpy(&births[i], &chunk->life[i].serial, sizeof births[i]);
  for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++) {
    double age = time - sp_birth(births[i], step, rate);
    float share = (float)(age / chunk->terms[i].lifetime);
    share = share > 0 ? share : 0;
    shares[i] = share < 1 ? share : 1;
  }
  for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++)
    timed[i] = (chunk->life[i].generation & 1) & (chunk->life[i].due != 0);
  return sp_bits_of(timed);
}

/* The stretches between two points one after the other, each for the shares from its first point on. */
SP_PASS void follow(const sp_curve *curve, const float *restrict shares, float *restrict values)
{
  const float *points = curve->points;
  int last = curve->count - 1;
  float begin = points[0], rise = points[1] - begin, end = points[last];
  for (uint32_t i = 0; i < 64; i++)
    values[i] = begin + rise * (shares[i] * (float)last);
  for (int from = 1; from < last; from++) {
    begin = points[from];
    rise = points[from + 1] - begin;
    for (uint32_t i = 0; i < 64; i++) {
      float on = shares[i] * (float)last - (float)from, value = begin + rise * on;
      values[i] = on >= 0 ? value : values[i];
    }
  }
  for (uint32_t i = 0; i < 64; i++)
    values[i] = shares[i] < 1 ? values[i] : end;
}

SP_PASS void write_chunk(const sp_pool *p, const sp_curve *curve, const sp_chunk *chunk, uint64_t bits,
                         const float *values)
{
  const sp_column_layout *c = &p->layout.columns[curve->column];
  unsigned char *cells = chunk->base + c->offset + curve->offset;
  for (; bits; bits &= bits - 1) {
    uint32_t i = (uint32_t)__builtin_ctzll(bits);
    *(float *)(void *)(cells + i * c->size) = values[i];
  }
}

SP_PASS void bend_chunks(const sp_pool *p)
{
  float shares[SP_CHUNK_SLOTS], values[SP_CHUNK_SLOTS];
  for (uint32_t i = 0; (i = sp_next_lively(p, i)) < p->chunk_count; i++) {
    const sp_chunk *chunk = sp_chunk_at(p, i);
    uint64_t bits = chunk->terms ? shares_of_chunk(p->manager, chunk, shares) : 0;
    for (int k = 0; bits && k < p->desc.curve_count; k++) {
      follow(&p->desc.curves[k], shares, values);
      write_chunk(p, &p->desc.curves[k], chunk, bits, values);
    }
  }
}

static void bend_narrow(const sp_pool *p) { bend_chunks(p); }
static SP_WIDE void bend_wide(const sp_pool *p) { bend_chunks(p); }

void sp_pool_bend(sp_pool *p)
{
  note_bent(p);
  (p->manager->wide ? bend_wide : bend_narrow)(p);
}

/* }== */

/* {== Outside ============================================================= */

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
  switch (p->desc.bounds.outside) {
  case SP_OUTSIDE_WRAP:
    *x = wrapped(*x, a->low, a->high);
    break;
  case SP_OUTSIDE_BOUNCE:
    *x = bounced(*x, a->low, a->high, &turned);
    if (turned)
      *v = 0 - *v; /* never -0, which only some of the passes that follow would turn into 0 */
    break;
  default:
    *x = *x > a->high ? a->high : a->low;
    *v = 0;
    break;
  }
}

/* Returns the range of the centres that are inside. That of a box ends a half extent before the edges; or behind them,
   for policies that let it leave as a whole. */
static axis axis_of(const sp_pool *p, float low, float size, float half, int place, int speed)
{
  bool leaves = p->desc.bounds.outside == SP_OUTSIDE_RECYCLE || p->desc.bounds.outside == SP_OUTSIDE_WRAP;
  float margin = leaves ? -half : half, high = low + size - margin, middle = low + size / 2;
  low += margin;
  return low <= high ? (axis){low, high, place, speed} : (axis){middle, middle, place, speed};
}

static void axes_of(const sp_pool *p, uint32_t slot, axis *x, axis *y)
{
  const sp_bounds *b = &p->desc.bounds;
  const sp_shape shape = sp_pool_shape(p);
  const float size = p->desc.box.w > 0 ? sp_size_of(&shape, sp_slot_cell(p, slot, SP_LOOK)) : 0;
  *x = axis_of(p, b->x, b->w, shape.w * size, SP_X, SP_VX);
  *y = axis_of(p, b->y, b->h, shape.h * size, SP_Y, SP_VY);
}

static bool is_outside(const sp_pool *p, uint32_t slot)
{
  axis across, down;
  float x = *cell(p, slot, SP_X), y = *cell(p, slot, SP_Y);
  axes_of(p, slot, &across, &down);
  return !(x >= across.low && x <= across.high && y >= down.low && y <= down.high);
}

#define PUT_COLUMNS (1u << SP_X | 1u << SP_Y | 1u << SP_VX | 1u << SP_VY)
static void put_back(const sp_pool *p, uint32_t slot)
{
  axis x, y;
  axes_of(p, slot, &x, &y);
  bring_back(p, slot, &x);
  bring_back(p, slot, &y);
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

/* Of boxes each has a range of its own. */
static uint64_t live_outside(const sp_pool *p, uint32_t position)
{
  const sp_chunk *chunk = sp_chunk_at(p, position);
  const float *x = column_at(p, chunk, SP_X), *y = column_at(p, chunk, SP_Y);
  const uint32_t first = p->chunks[position] * SP_CHUNK_SLOTS;
  if (p->desc.box.w == 0) {
    uint64_t out = (p->manager->wide ? outside_wide : outside_narrow)(&p->desc.bounds, x, y);
    return out ? out & chunk->live : 0;
  }
  uint64_t outside = 0;
  for (uint64_t bits = chunk->live; bits; bits &= bits - 1)
    outside |= is_outside(p, first + (uint32_t)__builtin_ctzll(bits)) ? bits & (0 - bits) : 0;
  return outside;
}

/* Needs no order: no hook runs, and where an object is put back depends on its own place only. */
static void put_all_back(sp_pool *p)
{
  for (uint32_t i = 0; (i = sp_next_lively(p, i)) < p->chunk_count; i++)
    for (uint64_t bits = live_outside(p, i); bits; bits &= bits - 1) {
      uint32_t slot = p->chunks[i] * SP_CHUNK_SLOTS + (uint32_t)__builtin_ctzll(bits);
      if (sp_slot_parent(p->manager, slot))
        continue;
      sp_mark_written(p, PUT_COLUMNS);
      put_back(p, slot);
    }
}

static void bound_object(sp_pool *p, uint32_t slot)
{
  if (p->desc.bounds.outside == SP_OUTSIDE_RECYCLE) {
    sp_end(p->manager, slot, SP_WHY_OUTSIDE, SP_END_BY_OVERRIDE);
    return;
  }
  sp_mark_written(p, PUT_COLUMNS);
  put_back(p, slot);
}

/* Returns whether a slot still has to be handled: a hook of an earlier object may have ended this one, moved it back,
   or given it a parent; objects after `serial` were spawned by hooks, and are handled next time. */
static inline bool is_still_outside(const sp_pool *p, uint32_t slot, uint64_t serial)
{
  const sp_manager *m = p->manager;
  bool ours = sp_slot_pool(m, slot) == p && sp_slot_is_live(m, slot);
  return ours && sp_slot_life(m, slot)->serial <= serial && !sp_slot_parent(m, slot) && is_outside(p, slot);
}

/* Recycles all objects that are outside. Their hooks may do anything, also change the bounds, and free chunks. */
static void recycle_outside(sp_pool *p)
{
  const uint64_t serial = p->manager->serial;
  for (uint32_t i = 0, number; (i = sp_next_lively(p, i)) < p->chunk_count; i = sp_chunk_position_after(p, number)) {
    number = p->chunks[i];
    for (uint64_t bits = live_outside(p, i); bits; bits &= bits - 1) {
      uint32_t slot = number * SP_CHUNK_SLOTS + (uint32_t)__builtin_ctzll(bits);
      if (p->desc.bounds.outside == SP_OUTSIDE_IGNORE)
        return;
      if (is_still_outside(p, slot, serial))
        bound_object(p, slot);
    }
  }
}

void sp_pool_bound(sp_pool *p)
{
  if (p->desc.bounds.outside == SP_OUTSIDE_RECYCLE)
    recycle_outside(p);
  else
    put_all_back(p);
}

/* }== */
