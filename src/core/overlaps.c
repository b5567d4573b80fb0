/*
** Finds the pairs of circles and boxes that overlap, one of each pool. The other pool's shapes are sorted into a grid,
** and each one of the first pool is tested against the cells around it. Shapes that are too large for the cells go into
** a tree. Where the grid fails (clusters, many objects in one place) the remaining searches use a tree of all.
**
** Everything is copied before the first visit, so a callback may do anything. Pairs are visited as they are found, so
** memory is linear in the number of objects even when every pair overlaps.
*/
#include <math.h>

#include "core/memory.h"
#include "core/parents.h"
#include "core/pool_state.h"
#include "core/query.h"

/* {== Search ============================================================= */

/* The live objects of a pool, as they were when the query began. */
typedef struct gathered {
  sp_circles circles; /* `index` is the slot */
  uint32_t *generations;
} gathered;

typedef struct search {
  sp_manager *m;
  sp_pair_fn visit;
  void *ud;
  uint32_t visits;
  bool same; /* the pool is searched for pairs with itself: each is visited once */
  bool wild; /* squares of floats may overflow or underflow */
  gathered ours, others;
  sp_circle_grid grid;
  int64_t credit;                       /* how many more circles crowded cells may cost */
  sp_circles chosen;                    /* those of ours that search a tree; `index` is their number */
  unsigned char *our_tree, *other_tree; /* memory */
  sp_progress progress;
} search;

/* The result of testing eight circles. A result without hits is stored too, and overwritten by the next one: that is
   cheaper than a mispredicted branch. */
typedef struct find {
  uint32_t one, at, hits; /* our number; first circle and bits, as in query.h */
} find;

#define MOST_FINDS 256u

typedef struct finds {
  const uint32_t *index; /* of the circles that are searched */
  uint32_t count;
  uint32_t batches; /* how often the list was emptied */
  find list[MOST_FINDS];
} finds;

/* The grid may test so many circles in crowded cells before it gives up: it must be cheap beside building a tree,
   beside searching one, and beside visiting pairs. */
enum { CREDIT_PER_OTHER = 8, CREDIT_PER_OBJECT = 64, CREDIT_PER_FIND = 32 };

static inline sp_ref object_of(const sp_manager *m, const gathered *of, uint32_t i)
{
  return (sp_ref)of->generations[i] << 32 | m->slots.id_bits | of->circles.index[i];
}

/* Visits all pairs of `found` and empties it. Returns false if the query must end. Out of line, because the loops that
   rarely call it need the registers. */
static __attribute__((noinline)) bool visit_finds(search *q, finds *found)
{
  const sp_manager *m = q->m;
  for (const find *it = found->list; it < found->list + found->count; it++) {
    const sp_ref object = object_of(m, &q->ours, it->one);
    if (!sp_progress_spend(&q->progress, SP_PROGRESS_CALL))
      return false;
    for (uint32_t hits = it->hits; hits; hits &= hits - 1) {
      uint32_t index = found->index[it->at + (uint32_t)__builtin_ctz(hits)];
      const sp_ref other = object_of(m, &q->others, index);
      if ((!q->same || index > it->one) && sp_ref_is_live(m, object) && sp_ref_is_live(m, other)) {
        q->visits++;
        q->visit(q->ud, object, other);
      }
    }
  }
  q->credit += (int64_t)found->count * CREDIT_PER_FIND;
  found->count = 0;
  found->batches++;
  return true;
}

/* Returns the hits among the circles `first` to `end`. Only the first eight are tested. */
SP_PASS uint32_t hit_eight(const sp_circles *circles, sp_hit_circles *hit, sp_circle c, uint32_t first, uint32_t end)
{
  uint32_t left = end - first;
  return hit(circles, c, first) & (left < SP_AT_ONCE ? (1u << left) - 1 : 0xffu);
}

/* Tests all circles from `first` to `end`. Returns false if the query must end. */
SP_PASS bool hit_along(search *q, const sp_circles *circles, sp_hit_circles *hit, finds *found, sp_circle c,
                       uint32_t one, uint32_t first, uint32_t end)
{
  for (uint32_t at = first; at < end; at += SP_AT_ONCE) {
    uint32_t hits = hit_eight(circles, hit, c, at, end);
    found->list[found->count] = (find){one, at, hits};
    found->count += hits != 0;
    if (found->count == MOST_FINDS && !visit_finds(q, found))
      return false;
    if (!sp_progress_spend(&q->progress, SP_AT_ONCE))
      return false;
  }
  return true;
}

/* }== */

/* {== Grid =============================================================== */

/* Limits of the fast loop, and of what is free of charge: rows around an object, circles in the cells of one row. */
#define MANY_ROWS 16
#define MANY_SPOTS 64u

/* The cells around 64 objects of the first pool ("ours"). */
typedef struct area {
  uint32_t from, count; /* of ours */
  int32_t left[64], right[64], top[64], bottom[64];
} area;

/* How far apart on each axis two shapes can overlap, rounded up: a cell is never missed because a sum was rounded. */
typedef struct extent {
  float x, y;
} extent;

SP_PASS extent reach_of(sp_shape one, const sp_shape *most)
{
  float radii = one.radius + most->radius;
  return (extent){(one.w + most->w + radii) * SP_CIRCLE_MARGIN, (one.h + most->h + radii) * SP_CIRCLE_MARGIN};
}

SP_PASS void cells_around(const sp_circle_grid *g, const sp_circles *ours, area *a)
{
  const float *x = ours->x + a->from, *y = ours->y + a->from;
  const sp_shape most = sp_shape_times(&g->sorted.shape, g->reach);
  for (uint32_t i = 0; i < a->count; i++) {
    const extent r = reach_of(sp_circle_of(ours, a->from + i).half, &most);
    a->left[i] = sp_circle_grid_column(g, x[i] - r.x);
    a->right[i] = sp_circle_grid_column(g, x[i] + r.x);
    a->top[i] = sp_circle_grid_row(g, y[i] - r.y);
    a->bottom[i] = sp_circle_grid_row(g, y[i] + r.y);
  }
}

static void choose(search *q, uint32_t one)
{
  sp_circles_copy(&q->chosen, q->chosen.count, &q->ours.circles, one);
  q->chosen.index[q->chosen.count++] = one;
}

static bool can_afford(search *q, uint32_t one, uint32_t circles)
{
  int64_t left = q->credit + (int64_t)one * CREDIT_PER_OBJECT - circles;
  if (left < 0)
    return false;
  q->credit -= circles;
  return true;
}

/* The fast loop, without calls: one test of eight covers the cells of a row. Starts at number `i` of the area. Stops at
   the first object that needs more, or when `found` may have no room for another object, and returns its number. */
SP_PASS uint32_t hit_near(const sp_circle_grid *g, const sp_circles *ours, sp_hit_circles *hit, const area *a,
                          finds *found, uint32_t i)
{
  uint32_t filled = found->count;
  for (; i < a->count && filled < MOST_FINDS - MANY_ROWS; i++) {
    const uint32_t one = a->from + i, before = filled;
    const sp_circle c = sp_circle_of(ours, one);
    const uint32_t *starts = g->starts + (size_t)a->top[i] * (size_t)g->columns;
    for (int32_t rows = a->bottom[i] - a->top[i]; rows >= 0; rows--, starts += g->columns) {
      uint32_t first = starts[a->left[i]], end = starts[a->right[i] + 1];
      if (end - first > SP_AT_ONCE || rows >= MANY_ROWS) {
        found->count = before;
        return i;
      }
      uint32_t hits = hit_eight(&g->sorted, hit, c, first, end);
      found->list[filled] = (find){one, first, hits};
      filled += hits != 0;
    }
  }
  found->count = filled;
  return i;
}

/* Searches for one object that may need any number of tests, or is left to the tree. Returns false if the query
   must end. */
SP_PASS bool hit_far(search *q, sp_hit_circles *hit, const area *a, finds *found, uint32_t i)
{
  const sp_circle_grid *g = &q->grid;
  const uint32_t one = a->from + i, before = found->count, batch = found->batches;
  const sp_circle c = sp_circle_of(&q->ours.circles, one);
  const int32_t rows = a->bottom[i] - a->top[i] + 1, columns = a->right[i] - a->left[i] + 1;
  bool afford = rows <= MANY_ROWS || can_afford(q, one, (uint32_t)(rows * columns));
  for (int32_t row = a->top[i]; afford && row <= a->bottom[i]; row++) {
    const uint32_t *starts = g->starts + (size_t)row * (size_t)g->columns;
    uint32_t first = starts[a->left[i]], end = starts[a->right[i] + 1];
    if (end - first > MANY_SPOTS && found->batches == batch)
      afford = can_afford(q, one, end - first);
    if (afford && !hit_along(q, &g->sorted, hit, found, c, one, first, end))
      return false;
  }
  if (!afford) {
    found->count = before;
    choose(q, one);
  }
  return true;
}

SP_PASS bool search_grid(search *q, sp_hit_circles *hit)
{
  const sp_circle_grid g = q->grid;
  const sp_circles ours = q->ours.circles;
  finds found;
  area a;
  found.count = found.batches = 0;
  found.index = g.sorted.index;
  for (a.from = 0; a.from < ours.count; a.from += 64) {
    a.count = ours.count - a.from < 64 ? ours.count - a.from : 64;
    cells_around(&g, &ours, &a);
    if (!sp_progress_spend(&q->progress, a.count * 8))
      return false;
    for (uint32_t i = 0; (i = hit_near(&g, &ours, hit, &a, &found, i)) < a.count;)
      if (found.count >= MOST_FINDS - MANY_ROWS ? !visit_finds(q, &found) : !hit_far(q, hit, &a, &found, i++))
        return false;
  }
  return visit_finds(q, &found);
}

/* }== */

/* {== Trees ============================================================== */

/* Returns bits: which of the eight nodes of a level from number `at` on may have what touches something in the area. */
SP_PASS uint32_t near_nodes(const sp_circle_tree *t, sp_hit_nodes *hit, const sp_area *around, uint32_t level,
                            uint32_t at)
{
  const uint32_t node = t->first[level] + at, left = t->first[level + 1] - node;
  return hit(t, around, node) & (left < SP_AT_ONCE ? (1u << left) - 1 : 0xffu);
}

/* Tests two leaves against each other. Returns false if the query must end. */
SP_PASS bool search_leaf(search *q, const sp_circle_tree *ours, uint32_t our_leaf, const sp_circle_tree *others,
                         uint32_t leaf, sp_hit_circles *hit, finds *found)
{
  const sp_circles mine = sp_circle_tree_leaf(ours, our_leaf), circles = others->circles;
  const uint32_t first = leaf * SP_TREE_LEAF, end = first + sp_circle_tree_leaf(others, leaf).count;
  for (uint32_t i = 0; i < mine.count; i++)
    if (!hit_along(q, &circles, hit, found, sp_circle_of(&mine, i), mine.index[i], first, end))
      return false;
  return true;
}

/* Finds the leaves that are near one of ours. Neighbours search together: the way down is hard to predict. */
SP_PASS bool search_from(search *q, const sp_circle_tree *ours, uint32_t our_leaf, const sp_circle_tree *others,
                         sp_hit_circles *circles, sp_hit_nodes *nodes, finds *found)
{
  const sp_area around = sp_circle_tree_area(ours, our_leaf);
  uint32_t level = others->levels - 1, at[SP_TREE_LEVELS], near[SP_TREE_LEVELS]; /* nodes that must still be entered */
  at[level] = 0;
  near[level] = near_nodes(others, nodes, &around, level, 0);
  for (;;) {
    for (; near[level] == 0; level++)
      if (level + 1 == others->levels)
        return true;
    const uint32_t node = at[level] + (uint32_t)__builtin_ctz(near[level]);
    near[level] &= near[level] - 1;
    if (level == 0 ? !search_leaf(q, ours, our_leaf, others, node, circles, found)
                   : !sp_progress_spend(&q->progress, SP_AT_ONCE))
      return false;
    if (level > 0) {
      at[--level] = node * SP_AT_ONCE;
      near[level] = near_nodes(others, nodes, &around, level, at[level]);
    }
  }
}

/* Searches `count` of the sorted circles for the chosen ones of ours. Returns false if the query must end. */
SP_PASS bool search_trees(search *q, uint32_t first, uint32_t count, sp_hit_circles *circles, sp_hit_nodes *nodes)
{
  const sp_circles some = sp_circles_from(&q->grid.sorted, first, count);
  sp_circle_tree ours, others;
  finds found;
  found.index = some.index;
  found.count = found.batches = 0;
  if (!sp_circle_tree_build(&others, q->other_tree, &some, &q->progress) ||
      !sp_circle_tree_build(&ours, q->our_tree, &q->chosen, &q->progress))
    return false;
  for (uint32_t leaf = 0; leaf < ours.first[1]; leaf++)
    if (!search_from(q, &ours, leaf, &others, circles, nodes, &found))
      return false;
  return visit_finds(q, &found);
}

/* Searches all circles that have a cell, for those of ours that the grid left. */
SP_PASS bool search_rest(search *q, sp_hit_circles *circles, sp_hit_nodes *nodes)
{
  return q->chosen.count == 0 || search_trees(q, 0, q->grid.sorted.count - q->grid.large, circles, nodes);
}

/* Returns bits: bit i says whether our object `from` + i may touch something in the area. */
SP_PASS uint64_t near_area(const sp_circles *ours, uint32_t from, uint32_t count, const sp_area *around)
{
  const sp_area a = *around;
  const float *x = ours->x + from, *y = ours->y + from;
  uint8_t near[64] = {0};
  for (uint32_t i = 0; i < count; i++) {
    const extent r = reach_of(sp_circle_of(ours, from + i).half, &a.most);
    near[i] = (x[i] + r.x >= a.left) & (x[i] - r.x <= a.right) & (y[i] + r.y >= a.top) & (y[i] - r.y <= a.bottom);
  }
  return sp_bits_of(near);
}

/* Searches the circles that are too large for the grid. */
SP_PASS bool search_large(search *q, sp_hit_circles *circles, sp_hit_nodes *nodes)
{
  const sp_circles ours = q->ours.circles;
  const uint32_t first = q->grid.sorted.count - q->grid.large;
  if (q->grid.large == 0)
    return true;
  const sp_circles some = sp_circles_from(&q->grid.sorted, first, q->grid.large);
  float size;
  const sp_area around = sp_circles_area(&some, &size);
  q->chosen.count = 0;
  for (uint32_t from = 0; from < ours.count; from += 64) {
    uint32_t count = ours.count - from < 64 ? ours.count - from : 64;
    if (!sp_progress_spend(&q->progress, count))
      return false;
    for (uint64_t bits = near_area(&ours, from, count, &around); bits; bits &= bits - 1)
      choose(q, from + (uint32_t)__builtin_ctzll(bits));
  }
  return q->chosen.count == 0 || search_trees(q, first, q->grid.large, circles, nodes);
}

/* }== */

/* One search for each way of comparing. */
#define SEARCH(name, attribute)                                                                                        \
  static attribute bool search_##name(search *q)                                                                       \
  {                                                                                                                    \
    return search_grid(q, sp_##name##_circles) && search_rest(q, sp_##name##_circles, sp_##name##_nodes) &&            \
           search_large(q, sp_##name##_circles, sp_##name##_nodes);                                                    \
  }

SEARCH(narrow, )
SEARCH(narrow_box, )
SEARCH(exact, )
#ifdef SP_HAS_WIDE
SEARCH(wide, SP_WIDE)
SEARCH(wide_box, SP_WIDE)
#else
#define search_wide search_narrow
#define search_wide_box search_narrow_box
#endif

/* {== Overlaps =========================================================== */

/* Returns the bytes of scratch memory that a gathered pool takes. */
static size_t gathered_size(const sp_pool *p)
{
  return sp_circles_size(sp_live_count(p)) + ((size_t)sp_live_count(p) + 1) / 2 * 8;
}

static gathered gathered_at(unsigned char *block, const sp_pool *p, uint32_t count)
{
  const sp_shape shape = sp_pool_shape(p);
  gathered g = {.circles = sp_circles_at(block, sp_live_count(p), &shape)};
  g.generations = (uint32_t *)(void *)(block + sp_circles_size(sp_live_count(p)));
  g.circles.count = count;
  return g;
}

/* Copies the live objects of a pool. Returns false if the query must end. */
static bool gather(search *q, gathered *g, const sp_pool *p)
{
  for (uint32_t k = 0; (k = sp_next_lively(p, k)) < p->chunk_count; k++)
    if (!sp_circles_gather(&g->circles, g->generations, p, k, &q->wild, &q->progress))
      return false;
  return true;
}

/* Returns false when memory is refused, or if the query must end. */
static bool prepare_search(search *q, sp_scratch *s, const sp_pool *p, const sp_pool *other)
{
  size_t size = gathered_size(p), at = sp_scratch_room(q->m, s, (q->same ? 0 : gathered_size(other)) + size);
  if (at == SIZE_MAX)
    return false;
  q->ours = gathered_at(s->block + at, p, 0);
  q->others = gathered_at(s->block + at + (q->same ? 0 : size), other, 0);
  if (!gather(q, &q->others, other) || (!q->same && !gather(q, &q->ours, p)))
    return false;
  uint32_t ours = q->same ? q->others.circles.count : q->ours.circles.count, others = q->others.circles.count;
  if (ours == 0 || others == 0)
    return true;
  sp_circle_grid_measure(&q->grid, &q->others.circles);
  size_t grid = sp_circle_grid_size(&q->grid, others), chosen = sp_circles_size(ours);
  size_t our_tree = sp_circle_tree_size(ours), other_tree = sp_circle_tree_size(others);
  size_t rest = sp_scratch_room(q->m, s, grid + chosen + our_tree + other_tree);
  if (rest == SIZE_MAX)
    return false;
  q->ours = gathered_at(s->block + at, p, ours); /* the block may have moved */
  q->others = gathered_at(s->block + at + (q->same ? 0 : size), other, others);
  q->chosen = sp_circles_at(s->block + rest + grid, ours, &q->ours.circles.shape);
  q->chosen.count = 0;
  q->our_tree = s->block + rest + grid + chosen;
  q->other_tree = q->our_tree + our_tree;
  q->credit = (int64_t)others * CREDIT_PER_OTHER;
  sp_circle_grid_build(&q->grid, s->block + rest, &q->others.circles, q->m->wide);
  return true;
}

static bool run(search *q, sp_scratch *s, const sp_pool *p, const sp_pool *other)
{
  if (!prepare_search(q, s, p, other))
    return false;
  if (q->ours.circles.count == 0 || q->others.circles.count == 0)
    return true;
  if (q->wild)
    return search_exact(q);
  if (p->desc.box.w > 0 || other->desc.box.w > 0)
    return q->m->wide ? search_wide_box(q) : search_narrow_box(q);
  return q->m->wide ? search_wide(q) : search_narrow(q);
}

uint32_t sp_pool_overlaps(sp_pool *p, sp_pool *other, sp_pair_fn fn, void *ud, sp_result *result)
{
  sp_manager *m = p->manager;
  sp_result valid = sp_places_check(p->desc.spatial ? other : p);
  if (valid == SP_OK && other->manager != m)
    valid = sp_refuse(&m->log, other->type, "manager", "is not that of the other pool");
  if (valid == SP_OK && !fn)
    valid = sp_refuse(&m->log, p->type, "fn", "is NULL");
  sp_tell(result, valid);
  if (valid != SP_OK)
    return 0;
  sp_scratch s = sp_scratch_take(m);
  search q = {.m = m, .visit = fn, .ud = ud, .same = p == other, .progress = {.m = m}};
  sp_enter(p);
  sp_enter(other);
  bool done = run(&q, &s, p, other);
  sp_leave(other);
  sp_leave(p);
  if (!done)
    sp_tell(result, q.progress.stopped ? SP_INTERRUPTED : SP_MEMORY);
  sp_scratch_return(m, &s);
  return q.visits;
}

/* }== */

/* {== Separation ========================================================= */

/* Where the exact place still overlaps by a rounding, so much further ends it: also for circles of a crowd, which would
   otherwise hand the rounding on for ever. */
#define FURTHER (1 + 1.0 / 4096)

typedef struct separation {
  sp_manager *m;
  uint32_t pairs;
} separation;

typedef struct body {
  float *x, *y;
  double w, h, radius; /* half the extents */
} body;

static body body_of(const sp_manager *m, uint32_t slot)
{
  float *floats = sp_slot_floats(m, slot);
  const sp_look *look = sp_slot_cell(sp_slot_pool(m, slot), slot, SP_LOOK);
  const sp_shape shape = sp_pool_shape(sp_slot_pool(m, slot));
  const double scale = fabs((double)look->scale), radius = shape.radius > 0 ? look->radius : 0;
  return (body){&SP_FLOAT(floats, SP_X), &SP_FLOAT(floats, SP_Y), shape.w * scale, shape.h * scale,
                fabs(radius * scale)};
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

/* How two bodies overlap, and the shortest way out: a unit vector from the first one's edge to the second one's. It
   lies along an axis unless a circle meets a circle or a corner. */
typedef struct contact {
  double x, y;        /* from centre to centre */
  double w, h, reach; /* sums of extents and radii */
  double out_x, out_y;
  bool is_slight; /* boxes overlap by so little that rounding could hand it on in a row of them */
} contact;

/* Returns the sign of a distance between centres; of 0 that of the chosen direction. */
static double side_of(double distance, double chosen) { return distance < 0 || (distance == 0 && chosen < 0) ? -1 : 1; }

/* Finds the way out. False when the bodies do not overlap. */
static bool find_way_out(contact *c, uint32_t slot, uint32_t other)
{
  const double beside_x = fabs(c->x) - c->w, beside_y = fabs(c->y) - c->h;
  const bool round = (c->w == 0 && c->h == 0) || (beside_x > 0 && beside_y > 0);
  double apart = round ? sqrt(beside_x * beside_x + beside_y * beside_y) : fmax(beside_x, beside_y);
  if (!(apart < c->reach))
    return false;
  choose_direction(slot, other, &c->out_x, &c->out_y);
  if (!round) {
    bool along_x = beside_x >= beside_y;
    c->out_x = along_x ? side_of(c->x, c->out_x) : 0;
    c->out_y = along_x ? 0 : side_of(c->y, c->out_y);
    c->is_slight = c->reach - apart < ((along_x ? c->w : c->h) + c->reach) * (FURTHER - 1);
  } else if (apart > 0) {
    c->out_x = copysign(beside_x, c->x) / apart;
    c->out_y = copysign(beside_y, c->y) / apart;
  }
  return true;
}

/* Returns how far apart the centres are on an axis when both have been pushed out, or `now` for an axis along which
   they are not. */
static double pushed(double out, double half, double reach, double now)
{
  return out != 0 ? copysign(half, out) + out * reach : now;
}

/* Moves both, by as much each, until they only touch; with a `factor` of more than 1, further. False when a place would
   not be finite: nothing has moved then. */
static bool place_apart(const body *a, const body *b, const contact *c, double factor)
{
  double middle_x = ((double)*a->x + *b->x) / 2, middle_y = ((double)*a->y + *b->y) / 2;
  double x = pushed(c->out_x, c->w * factor, c->reach * factor, c->x) / 2;
  double y = pushed(c->out_y, c->h * factor, c->reach * factor, c->y) / 2;
  float ax = (float)(middle_x - x), ay = (float)(middle_y - y);
  float bx = (float)(middle_x + x), by = (float)(middle_y + y);
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
  const sp_shape one = {(float)a->w, (float)a->h, (float)a->radius};
  const sp_shape other = {(float)b->w, (float)b->h, (float)b->radius};
  return sp_narrow_box_touch(fabsf(*a->x - *b->x), fabsf(*a->y - *b->y), one, other, 1);
}

static void push_pair(void *ud, sp_ref object, sp_ref other)
{
  separation *s = ud;
  const uint32_t first = sp_ref_slot(object), second = sp_ref_slot(other);
  if (sp_slot_parent(s->m, first) || sp_slot_parent(s->m, second))
    return;
  const body a = body_of(s->m, first), b = body_of(s->m, second);
  contact c = {
      .x = (double)*b.x - *a.x, .y = (double)*b.y - *a.y, .w = a.w + b.w, .h = a.h + b.h, .reach = a.radius + b.radius};
  if (!find_way_out(&c, first, second) || !place_apart(&a, &b, &c, c.is_slight ? FURTHER : 1))
    return;
  if (touch(&a, &b))
    place_apart(&a, &b, &c, FURTHER);
  s->pairs++;
}

uint32_t sp_pool_separate(sp_pool *p, sp_pool *other, sp_result *result)
{
  separation s = {.m = p->manager};
  sp_tell(result, SP_OK);
  if (!p->desc.spatial || !other->desc.spatial)
    return 0;
  sp_mark_written(p, 1u << SP_X | 1u << SP_Y);
  sp_mark_written(other, 1u << SP_X | 1u << SP_Y);
  sp_pool_overlaps(p, other, push_pair, &s, result);
  return s.pairs;
}

/* }== */
