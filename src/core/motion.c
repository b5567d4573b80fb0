/*
** Bulk motion over columns. Whole chunks are moved, idle slots too: those rest (velocities are 0), so nothing happens to
** them, and the loops stay free of branches. Columns that nobody ever wrote are left out.
*/
#include "core/state.h"

/* Exact for constant acceleration, whatever the step: x += (v + a dt / 2) dt, v += a dt. */
static void move_accelerated(float *restrict x, float *restrict v, const float *restrict a, float dt)
{
  for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++) {
    x[i] += (v[i] + a[i] * (dt * 0.5f)) * dt;
    v[i] += a[i] * dt;
  }
}

static void move_straight(float *restrict x, const float *restrict v, float dt)
{
  for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++)
    x[i] += v[i] * dt;
}

static bool has_live(const sp_pool *p, uint32_t number)
{
  const uint64_t *alive = p->manager->alive + number * SP_CHUNK_WORDS;
  uint64_t any = 0;
  for (uint32_t i = 0; i < SP_CHUNK_WORDS; i++)
    any |= alive[i];
  return any != 0;
}

static float *column_at(const sp_pool *p, uint32_t number, int column)
{
  return (float *)(p->manager->chunks[number].base + p->layout.columns[column].offset);
}

static void move_axis(sp_pool *p, uint32_t number, int x, int v, int a, float dt)
{
  if (p->dirty >> a & 1)
    move_accelerated(column_at(p, number, x), column_at(p, number, v), column_at(p, number, a), dt);
  else if (p->dirty >> v & 1)
    move_straight(column_at(p, number, x), column_at(p, number, v), dt);
}

/* A column that moves is written: alloc must restore it from now on. */
static uint64_t moved_columns(uint64_t dirty)
{
  uint64_t moved = 0;
  if (dirty & (1u << SP_VX | 1u << SP_AX))
    moved |= 1u << SP_X;
  if (dirty & (1u << SP_VY | 1u << SP_AY))
    moved |= 1u << SP_Y;
  if (dirty & 1u << SP_AX)
    moved |= 1u << SP_VX;
  if (dirty & 1u << SP_AY)
    moved |= 1u << SP_VY;
  if (dirty & 1u << SP_SPIN)
    moved |= 1u << SP_ANGLE;
  return moved;
}

void sp_pool_move(sp_pool *p, float dt)
{
  if (!(p->dirty & SP_MOTION_COLUMNS))
    return;
  p->dirty |= moved_columns(p->dirty);
  for (uint32_t i = 0; i < p->chunk_count; i++) {
    uint32_t number = p->chunks[i];
    if (!has_live(p, number))
      continue;
    move_axis(p, number, SP_X, SP_VX, SP_AX, dt);
    move_axis(p, number, SP_Y, SP_VY, SP_AY, dt);
    if (p->dirty >> SP_SPIN & 1)
      move_straight(column_at(p, number, SP_ANGLE), column_at(p, number, SP_SPIN), dt);
  }
}
