/*
** Bulk motion over columns. Whole chunks are moved, including idle slots: their velocities are 0, so they do not move,
** and the loops need no branches. Columns that were never written are skipped.
*/
#include "core/motion.h"

#include <math.h>

#include "core/angle.h"
#include "core/pass.h"
#include "core/wide.h"

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

/* Moves objects that have a velocity and nothing else. One loop for x and y is a tenth faster than two. */
SP_PASS void fly_straight(float *restrict x, const float *restrict vx, float *restrict y, const float *restrict vy,
                          float dt)
{
  for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++) {
    x[i] += vx[i] * dt;
    y[i] += vy[i] * dt;
  }
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

SP_PASS float *column_at(const sp_pool *p, uint32_t number, int column)
{
  return (float *)(p->manager->slots.bases[number] + p->layout.columns[column].offset);
}

SP_PASS void move_axis(const sp_pool *p, uint32_t number, int x, int v, int a, float dt)
{
  if (p->view.dirty >> a & 1)
    move_accelerated(column_at(p, number, x), column_at(p, number, v), column_at(p, number, a), dt);
  else if (p->view.dirty >> v & 1)
    move_straight(column_at(p, number, x), column_at(p, number, v), dt);
}

SP_PASS void move_place(const sp_pool *p, uint32_t number, float dt)
{
  const uint64_t velocity = 1u << SP_VX | 1u << SP_VY, acceleration = 1u << SP_AX | 1u << SP_AY;
  if ((p->view.dirty & (velocity | acceleration)) == velocity) {
    fly_straight(column_at(p, number, SP_X), column_at(p, number, SP_VX), column_at(p, number, SP_Y),
                 column_at(p, number, SP_VY), dt);
  } else {
    move_axis(p, number, SP_X, SP_VX, SP_AX, dt);
    move_axis(p, number, SP_Y, SP_VY, SP_AY, dt);
  }
}

/* At rest an object keeps facing where it went; idle slots are at rest. Adding zero turns -0, which a bounce leaves
   behind, into 0: else the object would turn from pi to -pi. */
SP_PASS void face_velocity(float *restrict angle, const float *restrict vx, const float *restrict vy)
{
  for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++) {
    float towards = sp_angle(vy[i] + 0.0f, vx[i]);
    bool moves = (vx[i] != 0) | (vy[i] != 0);
    angle[i] = moves ? towards : angle[i];
  }
}

SP_PASS void move_chunk(const sp_pool *p, uint32_t number, float dt)
{
  const sp_motion *motion = &p->motion;
  move_place(p, number, dt);
  if (motion->gravity != 0)
    fall(column_at(p, number, SP_Y), column_at(p, number, SP_VY), p->manager->slots.life + number * SP_CHUNK_SLOTS,
         motion->gravity, dt);
  if (motion->drag > 0) {
    float factor = 1 / (1 + motion->drag * dt);
    slow_down(column_at(p, number, SP_VX), factor);
    slow_down(column_at(p, number, SP_VY), factor);
  }
  if (p->view.dirty >> SP_SPIN & 1)
    move_straight(column_at(p, number, SP_ANGLE), column_at(p, number, SP_SPIN), dt);
  if (motion->face_velocity)
    face_velocity(column_at(p, number, SP_ANGLE), column_at(p, number, SP_VX), column_at(p, number, SP_VY));
}

/* Stops at the first cache line that has one, which is mostly the first line. */
SP_PASS bool has_life(const sp_life *life)
{
  for (uint32_t line = 0; line < SP_CHUNK_SLOTS; line += 4) {
    uint32_t any = 0;
    for (uint32_t i = line; i < line + 4; i++)
      any |= life[i].generation;
    if (any & 1)
      return true;
  }
  return false;
}

typedef struct move_pass {
  const sp_pool *pool;
  float dt;
} move_pass;

SP_PASS void move_chunks(uint32_t begin, uint32_t end, const move_pass *it)
{
  const sp_pool *p = it->pool;
  for (uint32_t i = begin; i < end; i++)
    if (has_life(p->manager->slots.life + p->chunks[i] * SP_CHUNK_SLOTS))
      move_chunk(p, p->chunks[i], it->dt);
}

static void move_narrow(uint32_t begin, uint32_t end, void *it) { move_chunks(begin, end, it); }
static SP_WIDE void move_wide(uint32_t begin, uint32_t end, void *it) { move_chunks(begin, end, it); }

/* }== */

/* Returns the columns that motion writes: alloc must restore them from now on. */
static uint64_t moved_columns(const sp_pool *p)
{
  uint64_t dirty = p->view.dirty, moved = 0;
  if (p->motion.gravity != 0)
    moved |= 1u << SP_Y | 1u << SP_VY;
  if (dirty & (1u << SP_VX | 1u << SP_AX))
    moved |= 1u << SP_X;
  if (dirty & (1u << SP_VY | 1u << SP_AY))
    moved |= 1u << SP_Y;
  if (dirty & 1u << SP_AX)
    moved |= 1u << SP_VX;
  if (dirty & 1u << SP_AY)
    moved |= 1u << SP_VY;
  if (dirty & 1u << SP_SPIN || p->motion.face_velocity)
    moved |= 1u << SP_ANGLE;
  return moved;
}

void sp_pool_move(sp_pool *p, float dt)
{
  if (!(p->view.dirty & SP_MOTION_COLUMNS) && p->motion.gravity == 0)
    return;
  sp_mark_written(p, moved_columns(p));
  sp_pass_run(p->manager, p->chunk_count, p->manager->wide ? move_wide : move_narrow, &(move_pass){p, dt});
}
