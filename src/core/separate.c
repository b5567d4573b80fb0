/*
** Pushes overlapping circles apart. Pairs are those of sp_pool_overlaps, in its order; each is tested again at the
** current positions of its two objects, so that a pair that an earlier push has separated is not pushed again.
*/
#include <math.h>

#include "core/parents.h"
#include "core/pool_list.h"

/* Where the exact place still overlaps by a rounding, so much further ends it: also for circles of a crowd, which would
   otherwise hand the rounding on for ever. */
#define FURTHER (1 + 1.0 / 4096)

typedef struct separation {
  sp_manager *m;
  uint32_t pairs;
} separation;

typedef struct body {
  float *x, *y;
  double radius;
} body;

static body body_of(const sp_manager *m, uint32_t slot)
{
  float *floats = sp_slot_floats(m, slot);
  const sp_look *look = sp_slot_cell(sp_slot_pool(m, slot), slot, SP_LOOK);
  return (body){&SP_FLOAT(floats, SP_X), &SP_FLOAT(floats, SP_Y), fabs((double)look->radius * look->scale)};
}

/* A direction for two objects in one place: objects of one pile go different ways. */
static void choose_direction(uint32_t slot, uint32_t other, double *x, double *y)
{
  static const double ways[8][2] = {{1, 0},
                                    {0.38268343236508977, 0.92387953251128674},
                                    {-0.70710678118654752, 0.70710678118654752},
                                    {-0.92387953251128674, -0.38268343236508977},
                                    {0, -1},
                                    {0.92387953251128674, -0.38268343236508977},
                                    {0.70710678118654752, 0.70710678118654752},
                                    {-0.38268343236508977, 0.92387953251128674}};
  const double *way = ways[(slot * 3 + other) % 8];
  *x = way[0];
  *y = way[1];
}

/* Moves both along the unit vector x, y until their centres are `distance` apart. False when a place would not be
   finite: nothing has moved then. */
static bool place_apart(const body *a, const body *b, double x, double y, double distance)
{
  double middle_x = ((double)*a->x + *b->x) / 2, middle_y = ((double)*a->y + *b->y) / 2, half = distance / 2;
  float ax = (float)(middle_x - x * half), ay = (float)(middle_y - y * half);
  float bx = (float)(middle_x + x * half), by = (float)(middle_y + y * half);
  if (!isfinite(ax) || !isfinite(ay) || !isfinite(bx) || !isfinite(by))
    return false;
  *a->x = ax;
  *a->y = ay;
  *b->x = bx;
  *b->y = by;
  return true;
}

/* The test of sp_pool_overlaps, in floats as there. */
static bool touch(const body *a, const body *b)
{
  float dx = *a->x - *b->x, dy = *a->y - *b->y, reach = (float)a->radius + (float)b->radius;
  return dx * dx + dy * dy < reach * reach;
}

static void push_pair(void *ud, sp_ref object, sp_ref other)
{
  separation *s = ud;
  const uint32_t first = sp_ref_slot(object), second = sp_ref_slot(other);
  if (sp_slot_parent(s->m, first) || sp_slot_parent(s->m, second))
    return;
  const body a = body_of(s->m, first), b = body_of(s->m, second);
  double x = (double)*b.x - *a.x, y = (double)*b.y - *a.y, reach = a.radius + b.radius;
  double distance = sqrt(x * x + y * y);
  if (!(distance < reach))
    return;
  if (distance > 0) {
    x /= distance;
    y /= distance;
  } else {
    choose_direction(first, second, &x, &y);
  }
  if (!place_apart(&a, &b, x, y, reach))
    return;
  if (touch(&a, &b))
    place_apart(&a, &b, x, y, reach * FURTHER);
  s->pairs++;
}

uint32_t sp_pool_separate(sp_pool *p, sp_pool *other, sp_result *result)
{
  separation s = {.m = p->manager};
  if (!p->spatial || !other->spatial)
    return 0;
  sp_mark_written(p, 1u << SP_X | 1u << SP_Y);
  sp_mark_written(other, 1u << SP_X | 1u << SP_Y);
  sp_pool_overlaps(p, other, push_pair, &s, result);
  return s.pairs;
}
