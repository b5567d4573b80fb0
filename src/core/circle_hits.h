/*
** Tests one circle against eight spots, or one box against eight tree nodes: the inner loops of sp_pool_overlaps, in
** three versions. All eight are always computed: where few circles touch, a mispredicted branch costs more than eight
** sums.
*/
#ifndef SP_CORE_CIRCLE_HITS_H
#define SP_CORE_CIRCLE_HITS_H

#include "core/spot_tree.h"

typedef struct sp_circle {
  float x, y, radius;
} sp_circle;

/* Returns bits: bit k of sp_hit_spots is set if the circle touches spot `at` + k, of sp_hit_nodes if circles in the
   box may touch spots of node `at` + k. Rounding keeps the order of sums, so a node never misses a spot that
   sp_hit_spots would report. */
typedef uint32_t sp_hit_spots(const sp_spots *spots, sp_circle c, uint32_t at);
typedef uint32_t sp_hit_nodes(const sp_spot_tree *t, const sp_box *box, uint32_t at);

/* {== Any machine; numbers of any size =================================== */

/* `real` is float, or double where squares of floats would overflow or underflow. */
#define SP_CIRCLE_HITS(name, real)                                                                                     \
  static inline uint32_t name##_spots(const sp_spots *spots, sp_circle c, uint32_t at)                                 \
  {                                                                                                                    \
    const float *xs = spots->x + at, *ys = spots->y + at, *radii = spots->radius + at;                                 \
    uint8_t hit[SP_AT_ONCE];                                                                                           \
    for (uint32_t k = 0; k < SP_AT_ONCE; k++) {                                                                        \
      real dx = (real)c.x - xs[k], dy = (real)c.y - ys[k], reach = (real)c.radius + radii[k];                          \
      hit[k] = dx * dx + dy * dy < reach * reach;                                                                      \
    }                                                                                                                  \
    return sp_bits_of_eight(hit);                                                                                      \
  }                                                                                                                    \
  static inline uint32_t name##_nodes(const sp_spot_tree *t, const sp_box *box, uint32_t at)                           \
  {                                                                                                                    \
    const float *left = t->left + at, *right = t->right + at, *top = t->top + at, *bottom = t->bottom + at;            \
    const float *radii = t->radius + at;                                                                               \
    uint8_t near[SP_AT_ONCE];                                                                                          \
    for (uint32_t k = 0; k < SP_AT_ONCE; k++) {                                                                        \
      real before = (real)left[k] - box->right, after = (real)box->left - right[k],                                    \
           dx = before > after ? before : after;                                                                       \
      real above = (real)top[k] - box->bottom, below = (real)box->top - bottom[k], dy = above > below ? above : below; \
      real reach = (real)box->radius + radii[k];                                                                       \
      dx = dx > 0 ? dx : 0;                                                                                            \
      dy = dy > 0 ? dy : 0;                                                                                            \
      near[k] = dx * dx + dy * dy < reach * reach;                                                                     \
    }                                                                                                                  \
    return sp_bits_of_eight(near);                                                                                     \
  }

SP_CIRCLE_HITS(sp_narrow, float)
SP_CIRCLE_HITS(sp_exact, double)

/* }== */

/* {== Wide vectors: the same results as sp_narrow ========================= */

#ifdef SP_HAS_WIDE
typedef float sp_eight __attribute__((vector_size(32)));

SP_PASS SP_WIDE sp_eight sp_eight_at(const float *numbers)
{
  sp_eight found;
  memcpy(&found, numbers, sizeof found);
  return found;
}

SP_PASS SP_WIDE uint32_t sp_eight_less(sp_eight a, sp_eight b)
{
  return (uint32_t)__builtin_ia32_movmskps256((sp_eight)(a < b));
}

/* As vectors by hand: compilers unroll a loop of eight before they vectorise it, and their way from flags to bits is as
   long as the sums. */
static inline SP_WIDE uint32_t sp_wide_spots(const sp_spots *spots, sp_circle c, uint32_t at)
{
  sp_eight dx = c.x - sp_eight_at(spots->x + at);
  sp_eight dy = c.y - sp_eight_at(spots->y + at);
  sp_eight reach = c.radius + sp_eight_at(spots->radius + at);
  return sp_eight_less(dx * dx + dy * dy, reach * reach);
}

SP_PASS SP_WIDE sp_eight sp_eight_gap(const float *lows, const float *highs, float low, float high)
{
  sp_eight none = {0}, gap = __builtin_ia32_maxps256(sp_eight_at(lows) - high, low - sp_eight_at(highs));
  return __builtin_ia32_maxps256(gap, none);
}

static inline SP_WIDE uint32_t sp_wide_nodes(const sp_spot_tree *t, const sp_box *box, uint32_t at)
{
  sp_eight dx = sp_eight_gap(t->left + at, t->right + at, box->left, box->right);
  sp_eight dy = sp_eight_gap(t->top + at, t->bottom + at, box->top, box->bottom);
  sp_eight reach = box->radius + sp_eight_at(t->radius + at);
  return sp_eight_less(dx * dx + dy * dy, reach * reach);
}
#else
#define sp_wide_spots sp_narrow_spots
#define sp_wide_nodes sp_narrow_nodes
#endif

/* }== */

#endif
