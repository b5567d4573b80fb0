/*
** Common parts of queries: the progress callback of the manager, which is called now and then and may end the query;
** and circles as arrays of their numbers, for vector loops: sorted into a grid, or into a tree for distances of any
** scale. Boxes are stored as circles are: their extents are those of a box of size 1, times a size.
*/
#ifndef SP_CORE_QUERY_H
#define SP_CORE_QUERY_H

#include "core/simd.h"
#include "core/state.h"

/* Units of work between two questions. A unit takes a few nanoseconds; a call of a visitor, or a parent in the chain of
   one, counts for more. A question every 50 us or so costs nothing and is soon enough for any watchdog. */
#define SP_PROGRESS_UNITS 16384u
#define SP_PROGRESS_CALL 16u
#define SP_PROGRESS_PARENT 8u

typedef struct sp_progress {
  const sp_manager *m;
  uint32_t spent; /* since the last question */
  bool stopped;   /* the callback has returned false */
} sp_progress;

/* Asks the callback. Returns false if the query must end. */
bool sp_progress_ask(sp_progress *progress);

/* Counts `units` of work, less than 2^31. Returns false if the query must end. */
static inline bool sp_progress_spend(sp_progress *progress, uint32_t units)
{
  progress->spent += units;
  return progress->spent < SP_PROGRESS_UNITS || sp_progress_ask(progress);
}

/* The places of a chunk's objects in the world. */
typedef struct sp_positions {
  float x[SP_CHUNK_SLOTS], y[SP_CHUNK_SLOTS];
  uint64_t live; /* bit i: position i is that of a live object; others are undefined */
} sp_positions;

/* Of a pool whose objects have a place: of the chunk with the slots from `first` on; `live` are its bits. Counts the
   work. Returns false if the query must end. */
bool sp_positions_of(const sp_pool *p, uint32_t first, uint64_t live, sp_positions *places, sp_progress *progress);

/* Loops test so many circles at once, and may read so many past the end. */
#define SP_AT_ONCE 8u

typedef struct sp_circles {
  sp_shape shape; /* of all */
  float *x, *y, *size;
  uint32_t *index; /* the slot of a gathered circle; of a sorted one, the number of the gathered one */
  uint32_t count;
} sp_circles;

/* Sums of floats are rounded. Where they only preselect circles, the reach is this much larger. */
#define SP_CIRCLE_MARGIN 1.000001f

/* Bytes that `count` circles take, the padding included; a multiple of 8. */
size_t sp_circles_size(uint32_t count);
/* Such circles in a block of memory, which is not touched. */
sp_circles sp_circles_at(unsigned char *block, uint32_t count, const sp_shape *shape);
/* Appends the live objects of a chunk whose place and size are finite, in slot order; there must be room. Sets `wild`
   when some are so far away, large or small that squares of floats overflow or underflow. Returns false if the query
   must end. */
bool sp_circles_gather(sp_circles *circles, uint32_t *generations, const sp_pool *p, uint32_t chunk, bool *wild,
                       sp_progress *progress);

/* Copies the circle at `i`, without its index, to `at`. */
static inline void sp_circles_copy(const sp_circles *to, uint32_t at, const sp_circles *from, uint32_t i)
{
  to->x[at] = from->x[i];
  to->y[at] = from->y[i];
  to->size[at] = from->size[i];
}

/* Returns a view of `count` circles from `first` on. */
static inline sp_circles sp_circles_from(const sp_circles *s, uint32_t first, uint32_t count)
{
  return (sp_circles){s->shape, s->x + first, s->y + first, s->size + first, s->index + first, count};
}

/* Bounding box of centres, and the largest extents around them. */
typedef struct sp_area {
  float left, right, top, bottom;
  sp_shape most;
} sp_area;

/* Returns the area of at least one circle; `size` receives the largest. */
sp_area sp_circles_area(const sp_circles *circles, float *size);

/* The cells cover the box of most circles, and there are about as many cells as circles. Circles outside are in the
   nearest cell. */
typedef struct sp_circle_grid {
  float x, y, per_cell; /* per_cell: cells per unit */
  float reach;          /* the largest size in a cell; larger circles have no cell */
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

/* Circles in an order in which neighbours follow each other, sixteen to a leaf; and above them, level by level, nodes
   of up to eight. As arrays of their numbers: the leaves first, the highest level last. */
#define SP_TREE_LEAF 16u
#define SP_TREE_LEVELS 8u
typedef struct sp_circle_tree {
  float *left, *right, *top, *bottom, *size;  /* box of the centres, largest size */
  uint32_t levels, first[SP_TREE_LEVELS + 1]; /* nodes of each level, and the end of the last one */
  sp_circles circles;
} sp_circle_tree;

_Static_assert(SP_MAX_SLOTS <= SP_TREE_LEAF << 3 * SP_TREE_LEVELS, "there are levels enough");

/* Bytes that a tree of `count` circles needs besides the circles themselves; a multiple of 8. */
size_t sp_circle_tree_size(uint32_t count);
/* Builds the tree in such a block, and sorts `circles` for it. Returns false if the query must end. */
bool sp_circle_tree_build(sp_circle_tree *tree, unsigned char *block, const sp_circles *circles, sp_progress *progress);

/* Returns the circles of a leaf. */
static inline sp_circles sp_circle_tree_leaf(const sp_circle_tree *t, uint32_t leaf)
{
  const uint32_t first = leaf * SP_TREE_LEAF, left = t->circles.count - first;
  return sp_circles_from(&t->circles, first, left < SP_TREE_LEAF ? left : SP_TREE_LEAF);
}

/* Returns the extents of an object of this size. */
SP_PASS sp_shape sp_shape_times(const sp_shape *shape, float size)
{
  return (sp_shape){shape->w * size, shape->h * size, shape->radius * size};
}

/* The area of a node. */
static inline sp_area sp_circle_tree_area(const sp_circle_tree *t, uint32_t node)
{
  return (sp_area){t->left[node], t->right[node], t->top[node], t->bottom[node],
                   sp_shape_times(&t->circles.shape, t->size[node])};
}

typedef struct sp_circle {
  float x, y;
  sp_shape half; /* extents */
} sp_circle;

SP_PASS sp_circle sp_circle_of(const sp_circles *s, uint32_t i)
{
  return (sp_circle){s->x[i], s->y[i], sp_shape_times(&s->shape, s->size[i])};
}

/* Returns bits: bit k of sp_hit_circles is set if the circle touches circle `at` + k, of sp_hit_nodes if circles in the
   area may touch circles of node `at` + k. Rounding keeps the order of sums, so a node never misses a circle that
   sp_hit_circles would report. */
typedef uint32_t sp_hit_circles(const sp_circles *circles, sp_circle c, uint32_t at);
typedef uint32_t sp_hit_nodes(const sp_circle_tree *t, const sp_area *area, uint32_t at);

/* {== Any machine; numbers of any size =================================== */

/* `real` is float, or double where squares of floats would overflow or underflow. `boxes` is 0 where both are circles:
   then only radii count. `dx` and `dy` are the distances of the centres on both axes; what remains of them beside the
   boxes must be shorter than the radii, or nothing may remain on either axis. */
#define SP_CIRCLE_HITS(name, real, boxes)                                                                              \
  SP_PASS bool name##_touch(real dx, real dy, sp_shape one, sp_shape shape, float size)                                \
  {                                                                                                                    \
    real reach = (real)one.radius + (boxes ? shape.radius * size : size);                                              \
    if (!boxes)                                                                                                        \
      return dx * dx + dy * dy < reach * reach;                                                                        \
    dx -= (real)one.w + shape.w * size;                                                                                \
    dy -= (real)one.h + shape.h * size;                                                                                \
    bool inside = (dx < 0) & (dy < 0);                                                                                 \
    dx = dx > 0 ? dx : 0;                                                                                              \
    dy = dy > 0 ? dy : 0;                                                                                              \
    return inside | (dx * dx + dy * dy < reach * reach);                                                               \
  }                                                                                                                    \
  static inline uint32_t name##_circles(const sp_circles *circles, sp_circle c, uint32_t at)                           \
  {                                                                                                                    \
    const float *xs = circles->x + at, *ys = circles->y + at, *sizes = circles->size + at;                             \
    const sp_shape shape = circles->shape;                                                                             \
    uint8_t hit[SP_AT_ONCE];                                                                                           \
    for (uint32_t k = 0; k < SP_AT_ONCE; k++) {                                                                        \
      real dx = (real)c.x - xs[k], dy = (real)c.y - ys[k];                                                             \
      dx = boxes && dx < 0 ? -dx : dx;                                                                                 \
      dy = boxes && dy < 0 ? -dy : dy;                                                                                 \
      hit[k] = name##_touch(dx, dy, c.half, shape, sizes[k]);                                                          \
    }                                                                                                                  \
    return sp_bits_of_eight(hit);                                                                                      \
  }                                                                                                                    \
  static inline uint32_t name##_nodes(const sp_circle_tree *t, const sp_area *area, uint32_t at)                       \
  {                                                                                                                    \
    const float *left = t->left + at, *right = t->right + at, *top = t->top + at, *bottom = t->bottom + at;            \
    const float *sizes = t->size + at;                                                                                 \
    const sp_shape shape = t->circles.shape;                                                                           \
    uint8_t near[SP_AT_ONCE];                                                                                          \
    for (uint32_t k = 0; k < SP_AT_ONCE; k++) {                                                                        \
      real before = (real)left[k] - area->right, after = (real)area->left - right[k],                                  \
           dx = before > after ? before : after;                                                                       \
      real above = (real)top[k] - area->bottom, below = (real)area->top - bottom[k],                                   \
           dy = above > below ? above : below;                                                                         \
      dx = boxes || dx > 0 ? dx : 0;                                                                                   \
      dy = boxes || dy > 0 ? dy : 0;                                                                                   \
      near[k] = name##_touch(dx, dy, area->most, shape, sizes[k]);                                                     \
    }                                                                                                                  \
    return sp_bits_of_eight(near);                                                                                     \
  }

SP_CIRCLE_HITS(sp_narrow, float, 0)
SP_CIRCLE_HITS(sp_narrow_box, float, 1)
SP_CIRCLE_HITS(sp_exact, double, 1)

/* }== */

/* {== Wide vectors: the same results as sp_narrow ======================== */

#ifdef SP_HAS_WIDE
typedef float sp_eight __attribute__((vector_size(32)));
typedef int32_t sp_eight_flags __attribute__((vector_size(32)));

SP_PASS SP_WIDE sp_eight sp_eight_at(const float *numbers)
{
  sp_eight found;
  memcpy(&found, numbers, sizeof found);
  return found;
}

SP_PASS SP_WIDE sp_eight sp_eight_greater(sp_eight a, sp_eight b) { return __builtin_ia32_maxps256(a, b); }

/* As vectors by hand: compilers unroll a loop of eight before they vectorise it, and their way from flags to bits is as
   long as the sums. */
SP_PASS SP_WIDE uint32_t sp_wide_touch(sp_eight dx, sp_eight dy, sp_shape one, sp_shape shape, sp_eight sizes,
                                       bool boxes)
{
  const sp_eight none = {0};
  sp_eight_flags inside = {0};
  sp_eight reach = one.radius + (boxes ? shape.radius * sizes : sizes);
  if (boxes) {
    dx -= one.w + shape.w * sizes;
    dy -= one.h + shape.h * sizes;
    inside = (dx < none) & (dy < none);
    dx = sp_eight_greater(dx, none);
    dy = sp_eight_greater(dy, none);
  }
  return (uint32_t)__builtin_ia32_movmskps256((sp_eight)(inside | (dx * dx + dy * dy < reach * reach)));
}

SP_PASS SP_WIDE uint32_t sp_wide_hits(const sp_circles *circles, sp_circle c, uint32_t at, bool boxes)
{
  sp_eight dx = c.x - sp_eight_at(circles->x + at), dy = c.y - sp_eight_at(circles->y + at);
  dx = boxes ? sp_eight_greater(dx, -dx) : dx;
  dy = boxes ? sp_eight_greater(dy, -dy) : dy;
  return sp_wide_touch(dx, dy, c.half, circles->shape, sp_eight_at(circles->size + at), boxes);
}

SP_PASS SP_WIDE sp_eight sp_eight_gap(const float *lows, const float *highs, float low, float high, bool boxes)
{
  sp_eight none = {0}, gap = sp_eight_greater(sp_eight_at(lows) - high, low - sp_eight_at(highs));
  return boxes ? gap : sp_eight_greater(gap, none);
}

SP_PASS SP_WIDE uint32_t sp_wide_near(const sp_circle_tree *t, const sp_area *area, uint32_t at, bool boxes)
{
  sp_eight dx = sp_eight_gap(t->left + at, t->right + at, area->left, area->right, boxes);
  sp_eight dy = sp_eight_gap(t->top + at, t->bottom + at, area->top, area->bottom, boxes);
  return sp_wide_touch(dx, dy, area->most, t->circles.shape, sp_eight_at(t->size + at), boxes);
}

static inline SP_WIDE uint32_t sp_wide_circles(const sp_circles *circles, sp_circle c, uint32_t at)
{
  return sp_wide_hits(circles, c, at, false);
}
static inline SP_WIDE uint32_t sp_wide_box_circles(const sp_circles *circles, sp_circle c, uint32_t at)
{
  return sp_wide_hits(circles, c, at, true);
}
static inline SP_WIDE uint32_t sp_wide_nodes(const sp_circle_tree *t, const sp_area *area, uint32_t at)
{
  return sp_wide_near(t, area, at, false);
}
static inline SP_WIDE uint32_t sp_wide_box_nodes(const sp_circle_tree *t, const sp_area *area, uint32_t at)
{
  return sp_wide_near(t, area, at, true);
}
#endif

/* }== */

#endif
