/*
** Finds the nearest object of a pool, and those within a radius. The first searches look at every live object. When a
** few have found nothing changed, the places are sorted into a grid, and the next ones look only around theirs. It
** serves until a place is written, a life begins, or the pool changes in another way: mostly until the next update.
** Hits are gathered before the first callback runs, so callbacks may do anything.
*/
#include "core/near.h"

#include <math.h>

#include "core/memory.h"
#include "core/pool_state.h"
#include "core/query.h"

/* One search. */
typedef struct query {
  sp_pool *pool;
  float x, y, radius;
  sp_shape shape;
  sp_progress progress;
} query;

typedef struct near_one {
  double least; /* the square of the distance; infinite: none */
  uint32_t slot;
} near_one;

static query query_of(sp_pool *p, float x, float y, float radius)
{
  const sp_shape shape = p->desc.box.w > 0 ? sp_pool_shape(p) : (sp_shape){0, 0, 0}; /* of a circle the centre counts */
  return (query){p, x, y, radius, shape, {.m = p->manager}};
}

/* Moves a distance on one axis from the centre of a box to its edge: 0 inside, NaN for a size that is NaN. */
static inline double beyond(double distance, double half)
{
  double outside = fabs(distance) - half;
  return outside <= 0 ? 0 : outside;
}

/* Returns the square of the distance to an object, or to its box. In doubles, so that no square of a float overflows or
   underflows. */
static inline double distance_to(const query *q, float x, float y, float size)
{
  double dx = beyond((double)x - q->x, q->shape.w * size), dy = beyond((double)y - q->y, q->shape.h * size);
  return dx * dx + dy * dy;
}

/* The size counts where objects are boxes. */
static inline float size_of(const query *q, const sp_look *look)
{
  return q->shape.w > 0 ? sp_size_of(&q->shape, look) : 0;
}

/* Rejects a centre or a distance that makes no sense. Infinity is any distance. */
static sp_result query_check(const query *q, const char *what, float reach)
{
  sp_log *log = &q->pool->manager->log;
  const char *type = q->pool->type;
  sp_result valid = sp_places_check(q->pool);
  if (valid == SP_OK)
    valid = sp_finite_check(log, type, "x", q->x);
  if (valid == SP_OK)
    valid = sp_finite_check(log, type, "y", q->y);
  return valid == SP_OK && !(reach >= 0) ? sp_refuse(log, type, what, "is negative or NaN: it takes a distance")
                                         : valid;
}

/* {== The grid of a pool ================================================= */

/* Fewer objects are searched faster one by one; and so many searches must find nothing changed before it is built. */
enum { WORTH_A_GRID = 256, CALLS_BEFORE = 4 };

/* Squares and sums of numbers up to this keep their order in floats. */
#define LARGEST_IN_GRID 1e18f

/* Rounding moves an object by less than this part of a cell. */
#define ROUNDED 1e-3

/* The cells of a chunk when the grid was built: those that C programs have pointers to may be written by them, which
   tells nobody. */
typedef struct seen {
  float x[SP_CHUNK_SLOTS], y[SP_CHUNK_SLOTS], size[SP_CHUNK_SLOTS];
  uint32_t number;
} seen;

/* One block of memory: this, the grid, and what was seen. */
typedef struct sp_near {
  size_t size;
  sp_circle_grid grid; /* the index of a circle is its slot */
  seen *seen;
  uint32_t seen_count;
} sp_near;

void sp_near_forget(sp_pool *p)
{
  if (p->near)
    sp_memory_free(&p->manager->memory, p->near, p->near->size);
  p->near = NULL;
  p->near_calls = 0;
}

static uint64_t lives_begun(const sp_pool *p) { return p->recycles + sp_live_count(p); }

/* The columns whose writes end a grid. */
static uint64_t columns_of(const query *q) { return 1u << SP_X | 1u << SP_Y | (q->shape.w > 0 ? 1u << SP_LOOK : 0u); }

static void see(const query *q, uint32_t number, seen *to)
{
  const uint32_t first = number * SP_CHUNK_SLOTS;
  const sp_look *looks = sp_slot_cell(q->pool, first, SP_LOOK);
  memcpy(to->x, sp_slot_cell(q->pool, first, SP_X), sizeof to->x);
  memcpy(to->y, sp_slot_cell(q->pool, first, SP_Y), sizeof to->y);
  for (uint32_t i = 0; i < SP_CHUNK_SLOTS; i++)
    to->size[i] = size_of(q, &looks[i]);
  to->number = number;
}

/* Returns whether a pool whose cells are written by pointers still has them as they were seen. */
static bool is_as_seen(query *q)
{
  const sp_near *n = q->pool->near;
  for (uint32_t i = 0; i < n->seen_count; i++) {
    const seen *then = &n->seen[i];
    const uint32_t first = then->number * SP_CHUNK_SLOTS;
    if (memcmp(then->x, sp_slot_cell(q->pool, first, SP_X), sizeof then->x) != 0 ||
        memcmp(then->y, sp_slot_cell(q->pool, first, SP_Y), sizeof then->y) != 0)
      return false;
    const sp_look *looks = sp_slot_cell(q->pool, first, SP_LOOK);
    for (uint32_t k = 0; q->shape.w > 0 && k < SP_CHUNK_SLOTS; k++) {
      const float size = size_of(q, &looks[k]);
      if (memcmp(&size, &then->size[k], sizeof size) != 0)
        return false;
    }
  }
  return sp_progress_spend(&q->progress, n->seen_count * 8);
}

/* Gathers the objects of a chunk whose place is finite, dying and beginning ones too: whether they are live is asked
   when they are found. False when a number is so large that cells would not be in order. */
static bool gather_chunk(const query *q, const sp_chunk *chunk, uint32_t number, sp_circles *to)
{
  const uint32_t first = number * SP_CHUNK_SLOTS;
  const float *x = sp_slot_cell(q->pool, first, SP_X), *y = sp_slot_cell(q->pool, first, SP_Y);
  const sp_look *looks = sp_slot_cell(q->pool, first, SP_LOOK);
  for (uint64_t bits = chunk->live; bits; bits &= bits - 1) {
    const uint32_t i = (uint32_t)__builtin_ctzll(bits), at = to->count;
    const float size = size_of(q, &looks[i]);
    if (!isfinite(x[i]) || !isfinite(y[i]) || isnan(size))
      continue;
    if (fabsf(x[i]) > LARGEST_IN_GRID || fabsf(y[i]) > LARGEST_IN_GRID ||
        size * sp_shape_reach(&q->shape) > LARGEST_IN_GRID)
      return false;
    to->x[at] = x[i];
    to->y[at] = y[i];
    to->size[at] = size;
    to->index[at] = first + i;
    to->count++;
  }
  return true;
}

/* Returns whether there is one at least. */
static bool gather_places(query *q, sp_circles *to)
{
  const sp_pool *p = q->pool;
  for (uint32_t k = 0; (k = sp_next_lively(p, k)) < p->chunk_count; k++)
    if (!gather_chunk(q, sp_chunk_at(p, k), p->chunks[k], to) || !sp_progress_spend(&q->progress, SP_CHUNK_SLOTS))
      return false;
  return to->count > 0;
}

/* Takes memory for a grid, and for what is to be seen of `chunks` chunks; the memory of the last one, if that is
   enough. */
static sp_near *near_block(sp_pool *p, size_t grid, uint32_t chunks)
{
  const size_t size = sizeof(sp_near) + grid + chunks * sizeof(seen);
  if (!p->near || p->near->size < size) {
    sp_near_forget(p);
    if (!(p->near = sp_memory_resize(&p->manager->memory, NULL, 0, size)))
      return NULL;
    p->near->size = size;
  }
  p->near->seen = (seen *)(void *)((unsigned char *)(p->near + 1) + grid);
  p->near->seen_count = 0;
  return p->near;
}

static bool build(query *q, const sp_circles *circles, uint32_t chunks)
{
  sp_pool *p = q->pool;
  const bool is_watched = p->exposed & columns_of(q);
  sp_circle_grid grid;
  sp_circle_grid_measure(&grid, circles);
  sp_near *n = near_block(p, sp_circle_grid_size(&grid, circles->count), is_watched ? chunks : 0);
  if (!n)
    return false;
  sp_circle_grid_build(&grid, (unsigned char *)(n + 1), circles, p->manager->wide);
  for (uint32_t i = 0; i < circles->count; i++)
    grid.sorted.index[i] = circles->index[grid.sorted.index[i]];
  n->grid = grid;
  for (uint32_t k = 0; is_watched && (k = sp_next_lively(p, k)) < p->chunk_count; k++)
    see(q, p->chunks[k], &n->seen[n->seen_count++]);
  return sp_progress_spend(&q->progress, 4 * circles->count);
}

/* Sorts the places of now. False when there is no memory, when numbers are too large, or when the query must end. */
static bool sort_places(query *q)
{
  sp_pool *p = q->pool;
  uint32_t count = 0, chunks = 0;
  for (uint32_t k = 0; (k = sp_next_lively(p, k)) < p->chunk_count; k++, chunks++)
    count += (uint32_t)__builtin_popcountll(sp_chunk_at(p, k)->live);
  sp_scratch s = sp_scratch_take(p->manager);
  const size_t at = sp_scratch_room(p->manager, &s, sp_circles_size(count));
  bool is_built = false;
  if (at != SIZE_MAX) {
    sp_circles all = sp_circles_at(s.block + at, count, &q->shape);
    all.count = 0;
    is_built = gather_places(q, &all) && build(q, &all, chunks);
  }
  sp_scratch_return(p->manager, &s);
  return is_built;
}

/* Returns the grid of the places as they are; NULL: look at all of them. A child's place is its parent's affair, so a
   pool with families has none. */
static const sp_near *grid_of(query *q)
{
  sp_pool *p = q->pool;
  if (p->has_parents || sp_live_count(p) < WORTH_A_GRID)
    return NULL;
  if (p->near_lives != lives_begun(p) || (p->near_calls > CALLS_BEFORE && !is_as_seen(q)))
    p->near_calls = 0;
  p->near_lives = lives_begun(p);
  if (p->near_calls == 0)
    sp_await_writes(p, columns_of(q));
  if (p->near_calls == CALLS_BEFORE && !sort_places(q)) {
    p->near_calls = 0;
    return NULL;
  }
  return p->near_calls++ < CALLS_BEFORE ? NULL : p->near;
}

/* The width and height of a cell. */
static double cell_width(const sp_near *n) { return 1 / (double)n->grid.per_cell; }

/* Returns the column, or row, of a number that need not be in the grid. */
static int32_t cell_at(double cells, int32_t count)
{
  return cells < 0 ? 0 : cells < count ? (int32_t)cells : count - 1;
}

/* A rectangle of cells. */
typedef struct cell_block {
  int32_t left, right, top, bottom;
} cell_block;

/* Returns the cells in which objects can lie that are within `reach` of a place, on each axis. */
static cell_block block_around(const sp_near *n, const query *q, double reach)
{
  const sp_circle_grid *g = &n->grid;
  const double x = ((double)q->x - g->x) * g->per_cell, y = ((double)q->y - g->y) * g->per_cell;
  const double wide = (reach + (double)g->reach * sp_shape_reach(&q->shape)) * g->per_cell + ROUNDED;
  return (cell_block){cell_at(x - wide, g->columns), cell_at(x + wide, g->columns), cell_at(y - wide, g->rows),
                      cell_at(y + wide, g->rows)};
}

/* }== */

/* {== Nearest ============================================================ */

/* Returns the positions whose squared distance is less than `least`. */
static uint64_t nearer_than(const sp_positions *places, const double *distances, double least)
{
  uint8_t nearer[64];
  for (uint32_t i = 0; i < 64; i++)
    nearer[i] = distances[i] < least; /* false for NaN */
  return sp_bits_of(nearer) & places->live;
}

/* distances[i] is that to place i of a chunk with life. Returns false if the query must end. */
static bool distances_of_chunk(query *q, uint32_t first, uint64_t live, sp_positions *places, double *distances)
{
  const sp_pool *p = q->pool;
  const sp_look *looks = sp_slot_cell(p, first, SP_LOOK);
  float sizes[64] = {0};
  if (!sp_positions_of(p, first, live, places, &q->progress))
    return false;
  for (uint32_t i = 0; q->shape.w > 0 && i < 64; i++)
    sizes[i] = size_of(q, &looks[i]);
  for (uint32_t i = 0; i < 64; i++)
    distances[i] = distance_to(q, places->x[i], places->y[i], sizes[i]);
  return true;
}

/* `*nearer` receives the bits of a chunk's objects whose squared distance is less than `least`, and `distances` all of
   them. Returns false if the query must end. */
static bool nearer_of_chunk(query *q, uint32_t chunk, double least, double *distances, uint64_t *nearer)
{
  sp_positions places;
  *nearer = 0;
  sp_pool_live_bits(q->pool, chunk, &places.live);
  if (places.live == 0)
    return true;
  if (!distances_of_chunk(q, q->pool->chunks[chunk] * SP_CHUNK_SLOTS, places.live, &places, distances))
    return false;
  *nearer = nearer_than(&places, distances, least);
  return true;
}

/* Finds the nearest object of a chunk, the first one of several, if it is nearer than `one`. Returns false if the query
   must end. */
static bool nearest_of_chunk(query *q, uint32_t chunk, near_one *one)
{
  double distances[64];
  uint64_t bits;
  if (!nearer_of_chunk(q, chunk, one->least, distances, &bits))
    return false;
  for (; bits; bits &= bits - 1) {
    const uint32_t i = (uint32_t)__builtin_ctzll(bits);
    if (distances[i] < one->least)
      *one = (near_one){distances[i], q->pool->chunks[chunk] * SP_CHUNK_SLOTS + i};
  }
  return true;
}

static void nearest_of_all(query *q, near_one *one)
{
  const sp_pool *p = q->pool;
  for (uint32_t k = 0; (k = sp_next_lively(p, k)) < p->chunk_count; k++)
    if (!nearest_of_chunk(q, k, one))
      break;
}

/* Looks at some of what is sorted; objects of the same distance come in any order here. Returns false if the query must
   end. */
static bool nearest_of_some(query *q, const sp_circles *sorted, uint32_t from, uint32_t end, near_one *one)
{
  for (uint32_t i = from; i < end; i++) {
    const double distance = distance_to(q, sorted->x[i], sorted->y[i], sorted->size[i]);
    const uint32_t slot = sorted->index[i];
    if ((distance < one->least || (distance == one->least && slot < one->slot)) &&
        sp_slot_is_live(q->pool->manager, slot))
      *one = (near_one){distance, slot};
  }
  return sp_progress_spend(&q->progress, end - from + 1);
}

/* Looks at the cells that are `away` cells from the middle, on one axis or both. */
static bool nearest_of_ring(query *q, const sp_near *n, cell_block middle, int32_t away, near_one *one)
{
  const sp_circle_grid *g = &n->grid;
  const int32_t left = middle.left - away, right = middle.right + away;
  const int32_t first = left < 0 ? 0 : left, last = right < g->columns ? right : g->columns - 1;
  for (int32_t row = middle.top - away; row <= middle.bottom + away; row++) {
    if (row < 0 || row >= g->rows)
      continue;
    const uint32_t *starts = g->starts + (size_t)row * (size_t)g->columns;
    if (row == middle.top - away || row == middle.bottom + away) {
      if (!nearest_of_some(q, &g->sorted, starts[first], starts[last + 1], one))
        return false;
      continue;
    }
    if (left >= 0 && !nearest_of_some(q, &g->sorted, starts[left], starts[left + 1], one))
      return false;
    if (right < g->columns && !nearest_of_some(q, &g->sorted, starts[right], starts[right + 1], one))
      return false;
  }
  return true;
}

/* Returns a distance that no object in a cell further away than `away` comes below; infinite: there is none. */
static double least_beyond(const query *q, const sp_near *n, cell_block middle, int32_t away)
{
  const sp_circle_grid *g = &n->grid;
  const double cell = cell_width(n);
  double least = (double)INFINITY;
  if (middle.left - away > 0)
    least = fmin(least, q->x - (g->x + (middle.left - away) * cell));
  if (middle.right + away < g->columns - 1)
    least = fmin(least, g->x + (middle.right + away + 1) * cell - q->x);
  if (middle.top - away > 0)
    least = fmin(least, q->y - (g->y + (middle.top - away) * cell));
  if (middle.bottom + away < g->rows - 1)
    least = fmin(least, g->y + (middle.bottom + away + 1) * cell - q->y);
  return fmax(least - ROUNDED * cell - (double)g->reach * sp_shape_reach(&q->shape), 0);
}

static void nearest_in_grid(query *q, const sp_near *n, near_one *one)
{
  const sp_circles *sorted = &n->grid.sorted;
  const int32_t column = cell_at(((double)q->x - n->grid.x) * n->grid.per_cell, n->grid.columns);
  const int32_t row = cell_at(((double)q->y - n->grid.y) * n->grid.per_cell, n->grid.rows);
  const cell_block middle = {column, column, row, row};
  if (!nearest_of_some(q, sorted, sorted->count - n->grid.large, sorted->count, one))
    return;
  for (int32_t away = 0;; away++) {
    const double beyond_it = least_beyond(q, n, middle, away);
    if (!nearest_of_ring(q, n, middle, away, one) || beyond_it == (double)INFINITY ||
        beyond_it * beyond_it > one->least)
      return;
  }
}

sp_ref sp_pool_nearest(sp_pool *p, float x, float y, float within, float *distance)
{
  query q = query_of(p, x, y, 0);
  near_one one = {(double)INFINITY, 0};
  const bool is_valid = query_check(&q, "within", within) == SP_OK;
  const sp_near *grid = is_valid ? grid_of(&q) : NULL;
  if (grid)
    nearest_in_grid(&q, grid, &one);
  else if (is_valid && !q.progress.stopped)
    nearest_of_all(&q, &one);
  bool is_near = within == 0 || one.least <= (double)within * (double)within;
  double least = q.progress.stopped || !is_near ? (double)INFINITY : one.least;
  if (distance)
    *distance = (float)sqrt(least);
  return least < INFINITY ? sp_ref_make(p->manager, one.slot) : SP_NULL_REF;
}

/* }== */

/* {== Within ============================================================= */

/* Hits, in scratch memory: it grows with them. */
typedef struct found_list {
  sp_scratch memory;
  uint32_t count;
  bool is_refused; /* there was no memory */
} found_list;

static bool add_hit(query *q, found_list *to, uint32_t slot)
{
  const size_t at = sp_scratch_room(q->pool->manager, &to->memory, sizeof(sp_ref));
  to->is_refused = at == SIZE_MAX;
  if (to->is_refused)
    return false;
  *(sp_ref *)(void *)(to->memory.block + at) = sp_ref_make(q->pool->manager, slot);
  to->count++;
  return true;
}

/* Objects whose size is no finite number never are. */
static bool is_in_reach(const query *q, double distance, uint32_t slot)
{
  const sp_pool *p = q->pool;
  const sp_shape shape = sp_pool_shape(p);
  return distance <= (double)q->radius * q->radius && isfinite(sp_size_of(&shape, sp_slot_cell(p, slot, SP_LOOK)));
}

static bool within_of_chunk(query *q, uint32_t chunk, found_list *to)
{
  const uint32_t first = q->pool->chunks[chunk] * SP_CHUNK_SLOTS;
  double distances[64];
  uint64_t bits;
  if (!nearer_of_chunk(q, chunk, nextafter((double)q->radius * q->radius, (double)INFINITY), distances, &bits))
    return false;
  for (; bits; bits &= bits - 1) {
    const uint32_t i = (uint32_t)__builtin_ctzll(bits);
    if (is_in_reach(q, distances[i], first + i) && !add_hit(q, to, first + i))
      return false;
  }
  return true;
}

static void within_of_all(query *q, found_list *to)
{
  const sp_pool *p = q->pool;
  for (uint32_t k = 0; (k = sp_next_lively(p, k)) < p->chunk_count; k++)
    if (!within_of_chunk(q, k, to))
      return;
}

static bool within_of_some(query *q, const sp_circles *sorted, uint32_t from, uint32_t end, found_list *to)
{
  for (uint32_t i = from; i < end; i++) {
    const double distance = distance_to(q, sorted->x[i], sorted->y[i], sorted->size[i]);
    const uint32_t slot = sorted->index[i];
    if (is_in_reach(q, distance, slot) && sp_slot_is_live(q->pool->manager, slot) && !add_hit(q, to, slot))
      return false;
  }
  return sp_progress_spend(&q->progress, end - from + 1);
}

/* Sorts into the order of slots; cells hold theirs in that order. */
static void sort_hits(sp_ref *list, uint32_t count)
{
  static const uint32_t gaps[] = {1750, 701, 301, 132, 57, 23, 10, 4, 1};
  for (size_t k = 0; k < sizeof gaps / sizeof *gaps; k++)
    for (uint32_t i = gaps[k], at; i < count; i++) {
      const sp_ref one = list[i];
      for (at = i; at >= gaps[k] && sp_ref_slot(list[at - gaps[k]]) > sp_ref_slot(one); at -= gaps[k])
        list[at] = list[at - gaps[k]];
      list[at] = one;
    }
}

static void within_in_grid(query *q, const sp_near *n, const cell_block *around, found_list *to)
{
  const sp_circle_grid *g = &n->grid;
  for (int32_t row = around->top; row <= around->bottom; row++) {
    const uint32_t *starts = g->starts + (size_t)row * (size_t)g->columns;
    if (!within_of_some(q, &g->sorted, starts[around->left], starts[around->right + 1], to))
      return;
  }
  if (within_of_some(q, &g->sorted, g->sorted.count - g->large, g->sorted.count, to))
    sort_hits((sp_ref *)(void *)to->memory.block, to->count);
}

/* Where the circle covers many of the cells, the order of slots is worth more than the grid. */
static bool is_small(const sp_near *n, const cell_block *around)
{
  const int64_t covered = (int64_t)(around->right - around->left + 1) * (around->bottom - around->top + 1);
  return covered * 8 <= (int64_t)n->grid.columns * n->grid.rows;
}

/* Gathers references to the objects that are within, in slot order. */
static sp_result gather_within(query *q, found_list *to)
{
  const sp_near *grid = grid_of(q);
  const cell_block around = grid ? block_around(grid, q, q->radius) : (cell_block){0, 0, 0, 0};
  to->memory = sp_scratch_take(q->pool->manager);
  if (grid && is_small(grid, &around))
    within_in_grid(q, grid, &around, to);
  else if (!q->progress.stopped)
    within_of_all(q, to);
  return q->progress.stopped ? SP_INTERRUPTED : to->is_refused ? SP_MEMORY : SP_OK;
}

static uint32_t call_near(const sp_ref *list, uint32_t count, sp_object_fn fn, void *ud, sp_progress *progress)
{
  const sp_manager *m = progress->m;
  uint32_t calls = 0;
  for (uint32_t i = 0; i < count && sp_progress_spend(progress, SP_PROGRESS_CALL); i++)
    if (sp_ref_is_live(m, list[i])) {
      fn(ud, list[i]);
      calls++;
    }
  return calls;
}

uint32_t sp_pool_within(sp_pool *p, float x, float y, float radius, sp_object_fn fn, void *ud, sp_result *result)
{
  query q = query_of(p, x, y, radius);
  found_list found = {0};
  uint32_t calls = 0;
  sp_result why = query_check(&q, "radius", radius);
  if (why == SP_OK && !fn)
    why = sp_refuse(&p->manager->log, p->type, "fn", "is NULL");
  sp_tell(result, why);
  if (why != SP_OK || sp_live_count(p) == 0)
    return 0;
  why = gather_within(&q, &found);
  if (why == SP_OK) {
    sp_enter(p);
    calls = call_near((sp_ref *)(void *)found.memory.block, found.count, fn, ud, &q.progress);
    sp_leave(p);
    why = q.progress.stopped ? SP_INTERRUPTED : SP_OK;
  }
  sp_tell(result, why);
  sp_scratch_return(p->manager, &found.memory);
  return calls;
}

const sp_ref *sp_pool_list_within(sp_pool *p, float x, float y, float radius, uint32_t *count, sp_result *result)
{
  query q = query_of(p, x, y, radius);
  found_list found = {0};
  *count = 0;
  *result = query_check(&q, "radius", radius);
  if (*result != SP_OK || sp_live_count(p) == 0)
    return NULL;
  *result = gather_within(&q, &found);
  sp_scratch_return(p->manager, &found.memory);
  if (*result == SP_OK)
    *count = found.count;
  return p->manager->scratch;
}

/* }== */
