/*
** Circles as arrays of their numbers, for vector loops: sorted into a grid, or into a tree for distances of any scale.
*/
#ifndef SP_CORE_CIRCLES_H
#define SP_CORE_CIRCLES_H

#include "core/query.h"

/* Loops test so many circles at once, and may read so many past the end. */
#define SP_AT_ONCE 8u

typedef struct sp_circles {
  float *x, *y, *radius;
  uint32_t *index; /* the slot of a gathered circle; of a sorted one, the number of the gathered one */
  uint32_t count;
} sp_circles;

/* Sums of floats are rounded. Where they only preselect circles, the reach is this much larger. */
#define SP_CIRCLE_MARGIN 1.000001f

/* Bytes that `count` circles take, the padding included; a multiple of 8. */
size_t sp_circles_size(uint32_t count);
/* Such circles in a block of memory, which is not touched. */
sp_circles sp_circles_at(unsigned char *block, uint32_t count);
/* Writes zeros past the end: loops may read there, and ignore what they read. */
void sp_circles_pad(const sp_circles *circles);

/* Appends the live objects of a chunk whose place and radius are finite, in slot order; there must be room. Sets `wild`
   when some are so far away, large or small that squares of floats overflow or underflow. Returns false if the query
   must end. */
bool sp_circles_gather(sp_circles *circles, uint32_t *generations, const sp_pool *p, uint32_t chunk, bool *wild,
                       sp_progress *progress);

/* Copies the circle at `i`, without its index, to `at`. */
static inline void sp_circles_copy(const sp_circles *to, uint32_t at, const sp_circles *from, uint32_t i)
{
  to->x[at] = from->x[i];
  to->y[at] = from->y[i];
  to->radius[at] = from->radius[i];
}

/* Returns a view of `count` circles from `first` on. */
static inline sp_circles sp_circles_from(const sp_circles *s, uint32_t first, uint32_t count)
{
  return (sp_circles){s->x + first, s->y + first, s->radius + first, s->index + first, count};
}

typedef struct sp_range {
  float low, high;
} sp_range;

/* Returns the range of at least one number. */
sp_range sp_range_of(const float *numbers, uint32_t count);

/* Bounding box of circle centres, and the largest radius. */
typedef struct sp_box {
  float left, right, top, bottom, radius;
} sp_box;

/* Returns the box of at least one circle. */
sp_box sp_circles_box(const sp_circles *circles);

/* The cells cover the box of most circles, and there are about as many cells as circles. Circles outside are in the
   nearest cell. */
typedef struct sp_circle_grid {
  float x, y, per_cell; /* per_cell: cells per unit */
  float reach;          /* the largest radius in a cell; larger circles have no cell */
  int32_t columns, rows;
  uint32_t *starts;  /* where each cell begins in `sorted`, and where the last one ends */
  sp_circles sorted; /* circles without a cell come last */
  uint32_t large;    /* how many have no cell */
} sp_circle_grid;

/* Chooses the cells for `circles`, of which there must be one at least. */
void sp_circle_grid_measure(sp_circle_grid *grid, const sp_circles *circles);
/* Bytes that the grid needs then; a multiple of 8. */
size_t sp_circle_grid_size(const sp_circle_grid *grid, uint32_t count);
/* Sorts a copy of `circles` into the cells. `wide` as in the manager. */
void sp_circle_grid_build(sp_circle_grid *grid, unsigned char *block, const sp_circles *circles, bool wide);

/* NaN becomes 0. This form needs no branch. */
SP_PASS int32_t sp_circle_grid_clamp(float at, int32_t count)
{
  float last = (float)(count - 1);
  at = at > 0 ? at : 0;
  at = at < last ? at : last;
  return (int32_t)at;
}
SP_PASS int32_t sp_circle_grid_column(const sp_circle_grid *grid, float x)
{
  return sp_circle_grid_clamp((x - grid->x) * grid->per_cell, grid->columns);
}
SP_PASS int32_t sp_circle_grid_row(const sp_circle_grid *grid, float y)
{
  return sp_circle_grid_clamp((y - grid->y) * grid->per_cell, grid->rows);
}

#define SP_TREE_LEAF 16u   /* so many circles are not cut further */
#define SP_TREE_DEPTH 128u /* levels at most: enough for all scales of floats */

/* Nodes as arrays of their numbers. Node 0 is the root; the children of a node follow each other. */
typedef struct sp_circle_tree {
  float *left, *right, *top, *bottom, *radius; /* box of the centres, largest radius */
  uint32_t *first, *count;                     /* of circles; or of children, with SP_TREE_INNER */
  uint32_t nodes, room;
  sp_circles circles; /* in the order of the leaves */
} sp_circle_tree;

#define SP_TREE_INNER 0x80000000u /* flag in `count`: the node has children */

/* Bytes that a tree of `count` circles needs besides the circles themselves; a multiple of 8. */
size_t sp_circle_tree_size(uint32_t count);
/* Builds the tree in such a block, and sorts `circles` for it. Returns false if the query must end. */
bool sp_circle_tree_build(sp_circle_tree *tree, unsigned char *block, const sp_circles *circles, sp_progress *progress);

/* The box of a node. */
static inline sp_box sp_circle_tree_box(const sp_circle_tree *t, uint32_t node)
{
  return (sp_box){t->left[node], t->right[node], t->top[node], t->bottom[node], t->radius[node]};
}

typedef struct sp_circle {
  float x, y, radius;
} sp_circle;

/* Returns bits: bit k of sp_hit_circles is set if the circle touches circle `at` + k, of sp_hit_nodes if circles in the
   box may touch circles of node `at` + k. Rounding keeps the order of sums, so a node never misses a circle that
   sp_hit_circles would report. */
typedef uint32_t sp_hit_circles(const sp_circles *circles, sp_circle c, uint32_t at);
typedef uint32_t sp_hit_nodes(const sp_circle_tree *t, const sp_box *box, uint32_t at);

/* {== Any machine; numbers of any size =================================== */

/* `real` is float, or double where squares of floats would overflow or underflow. */
#define SP_CIRCLE_HITS(name, real)                                                                                     \
  static inline uint32_t name##_circles(const sp_circles *circles, sp_circle c, uint32_t at)                           \
  {                                                                                                                    \
    const float *xs = circles->x + at, *ys = circles->y + at, *radii = circles->radius + at;                           \
    uint8_t hit[SP_AT_ONCE];                                                                                           \
    for (uint32_t k = 0; k < SP_AT_ONCE; k++) {                                                                        \
      real dx = (real)c.x - xs[k], dy = (real)c.y - ys[k], reach = (real)c.radius + radii[k];                          \
      hit[k] = dx * dx + dy * dy < reach * reach;                                                                      \
    }                                                                                                                  \
    return sp_bits_of_eight(hit);                                                                                      \
  }                                                                                                                    \
  static inline uint32_t name##_nodes(const sp_circle_tree *t, const sp_box *box, uint32_t at)                         \
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

/* {== Wide vectors: the same results as sp_narrow ======================== */

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
static inline SP_WIDE uint32_t sp_wide_circles(const sp_circles *circles, sp_circle c, uint32_t at)
{
  sp_eight dx = c.x - sp_eight_at(circles->x + at);
  sp_eight dy = c.y - sp_eight_at(circles->y + at);
  sp_eight reach = c.radius + sp_eight_at(circles->radius + at);
  return sp_eight_less(dx * dx + dy * dy, reach * reach);
}

SP_PASS SP_WIDE sp_eight sp_eight_gap(const float *lows, const float *highs, float low, float high)
{
  sp_eight none = {0}, gap = __builtin_ia32_maxps256(sp_eight_at(lows) - high, low - sp_eight_at(highs));
  return __builtin_ia32_maxps256(gap, none);
}

static inline SP_WIDE uint32_t sp_wide_nodes(const sp_circle_tree *t, const sp_box *box, uint32_t at)
{
  sp_eight dx = sp_eight_gap(t->left + at, t->right + at, box->left, box->right);
  sp_eight dy = sp_eight_gap(t->top + at, t->bottom + at, box->top, box->bottom);
  sp_eight reach = box->radius + sp_eight_at(t->radius + at);
  return sp_eight_less(dx * dx + dy * dy, reach * reach);
}
#else
#define sp_wide_circles sp_narrow_circles
#define sp_wide_nodes sp_narrow_nodes
#endif

/* }== */

#endif
