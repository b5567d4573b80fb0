/*
** Finds the objects near a position. Hits are gathered before the first callback runs, so callbacks may do anything.
*/
#include "core/query.h"

#include <math.h>

#include "core/life.h"
#include "core/memory.h"
#include "core/pool.h"

/* {== Nearest and within ================================================= */

/* One query over a pool. Runs chunk by chunk; on several threads if there is no progress callback. */
typedef struct query {
  const sp_pool *pool;
  float x, y, radius;
  sp_progress progress;
  struct near_one *nearest; /* per chunk */
  uint64_t *within;         /* per chunk */
} query;

typedef struct near_one {
  double least; /* the square of the distance; infinite: none */
  uint32_t slot;
} near_one;

/* Returns the positions whose squared distance is less than `least`. */
static uint64_t nearer_than(const sp_positions *positions, const double *distances, double least)
{
  uint8_t nearer[64];
  for (uint32_t i = 0; i < 64; i++)
    nearer[i] = distances[i] < least; /* false for NaN */
  return sp_bits_of(nearer) & positions->live;
}

/* Moves a distance on one axis from the centre of a box to its edge: 0 inside, NaN for a size that is NaN. */
static inline double beyond(double distance, double half)
{
  double outside = fabs(distance) - half;
  return outside <= 0 ? 0 : outside;
}

/* distances[i] is the square of the distance from `x`, `y` to place i, or to the box there. In doubles, so that no
   square of a float overflows or underflows. */
static void distances_to(const sp_pool *p, uint32_t first, const sp_positions *positions, float x, float y,
                         double *restrict distances)
{
  const sp_look *looks = sp_slot_cell(p, first, SP_LOOK);
  const sp_shape shape = sp_pool_shape(p);
  float sizes[64] = {0};
  for (uint32_t i = 0; shape.w > 0 && i < 64; i++)
    sizes[i] = sp_size_of(&shape, &looks[i]);
  for (uint32_t i = 0; i < 64; i++) {
    double dx = (double)positions->x[i] - x, dy = (double)positions->y[i] - y;
    dx = beyond(dx, shape.w * sizes[i]);
    dy = beyond(dy, shape.h * sizes[i]);
    distances[i] = dx * dx + dy * dy;
  }
}

/* Finds the nearest object of a chunk, the first one of several, if it is nearer than `one`. Returns false if the query
   must end. */
static bool nearest_of_chunk(const query *q, uint32_t chunk, near_one *one, sp_progress *progress)
{
  const sp_pool *p = q->pool;
  const uint64_t live = *sp_pool_live_bits(p, chunk);
  const uint32_t first = p->seats[chunk].chunk * SP_CHUNK_SLOTS;
  double distances[64];
  sp_positions positions;
  if (live == 0)
    return true;
  if (!sp_positions_of(p, first, live, &positions, progress))
    return false;
  distances_to(p, first, &positions, q->x, q->y, distances);
  for (uint64_t bits = nearer_than(&positions, distances, one->least); bits; bits &= bits - 1) {
    uint32_t i = (uint32_t)__builtin_ctzll(bits);
    if (distances[i] < one->least)
      *one = (near_one){distances[i], first + i};
  }
  return true;
}

/* Returns the live objects of a chunk that are within. Objects whose size is NaN never are. */
static uint64_t within_of_chunk(const sp_pool *p, uint32_t first, const sp_positions *positions, sp_place at,
                                float radius)
{
  double distances[64], most = (double)radius * radius;
  float sizes[64];
  uint8_t near[64];
  distances_to(p, first, positions, at.x, at.y, distances);
  for (uint32_t i = 0; i < 64; i++)
    near[i] = distances[i] <= most;
  uint64_t bits = sp_bits_of(near) & positions->live, wild;
  return bits ? bits & sp_positions_sizes(p, first, positions, sizes, &wild) : 0;
}

/* Sets one bit per slot. Returns false if the query must end. */
static bool search_chunk(const query *q, uint32_t chunk, uint64_t *within, sp_progress *progress)
{
  const sp_pool *p = q->pool;
  const uint64_t live = *sp_pool_live_bits(p, chunk);
  const uint32_t first = p->seats[chunk].chunk * SP_CHUNK_SLOTS;
  sp_positions positions;
  *within = 0;
  if (live == 0)
    return true;
  if (!sp_positions_of(p, first, live, &positions, progress))
    return false;
  *within = within_of_chunk(p, first, &positions, (sp_place){q->x, q->y, 0}, q->radius);
  return true;
}

/* Searches chunks on any thread. One chunk is too little work for the host's progress callback, which must run on the
   thread that asked. */
static void query_chunks(uint32_t begin, uint32_t end, void *pass)
{
  const query *q = pass;
  for (uint32_t k = begin; k < end; k++) {
    sp_progress progress = {.m = q->progress.m};
    if (q->nearest) {
      q->nearest[k] = (near_one){(double)INFINITY, 0};
      nearest_of_chunk(q, k, &q->nearest[k], &progress);
    } else {
      search_chunk(q, k, &q->within[k], &progress);
    }
  }
}

/* Places of children take their parents' chains, which are not looked at on several threads. */
static bool is_split(const query *q)
{
  return !q->pool->has_parents && sp_is_split(q->progress.m, q->pool->chunk_count);
}

static void run_split(query *q)
{
  sp_parallel_for(q->progress.m, q->pool->chunk_count, query_chunks, q);
  sp_progress_ask(&q->progress);
}

static near_one nearest_in_order(query *q)
{
  near_one one = {(double)INFINITY, 0};
  const sp_pool *p = q->pool;
  for (uint32_t k = 0; (k = sp_next_lively(p, k, p->chunk_count)) < p->chunk_count; k++)
    if (!nearest_of_chunk(q, k, &one, &q->progress))
      break;
  return one;
}

static near_one nearest_split(query *q)
{
  near_one one = {(double)INFINITY, 0};
  run_split(q);
  for (uint32_t k = 0; k < q->pool->chunk_count; k++)
    one = q->nearest[k].least < one.least ? q->nearest[k] : one;
  return one;
}

sp_ref sp_pool_nearest(sp_pool *p, float x, float y, float *distance)
{
  sp_manager *m = p->manager;
  query q = {.pool = p, .x = x, .y = y, .progress = {.m = m}};
  near_one one = {(double)INFINITY, 0};
  if (p->spatial) {
    sp_scratch s = sp_scratch_take(m);
    size_t at = is_split(&q) ? sp_scratch_room(m, &s, p->chunk_count * sizeof *q.nearest) : SIZE_MAX;
    q.nearest = at != SIZE_MAX ? (near_one *)(void *)(s.block + at) : NULL;
    one = q.nearest ? nearest_split(&q) : nearest_in_order(&q);
    sp_scratch_return(m, &s);
  }
  double least = q.progress.stopped ? (double)INFINITY : one.least;
  if (distance)
    *distance = (float)sqrt(least);
  return least < INFINITY ? sp_ref_make(m, one.slot) : SP_NONE_REF;
}

static uint32_t add_hits(const query *q, uint32_t chunk, uint64_t within, sp_ref *hits)
{
  uint32_t count = 0, first = q->pool->seats[chunk].chunk * SP_CHUNK_SLOTS;
  for (uint64_t bits = within; bits; bits &= bits - 1)
    hits[count++] = sp_ref_make(q->progress.m, first + (uint32_t)__builtin_ctzll(bits));
  return count;
}

/* Lists the hits in slot order, and returns their number. */
static uint32_t gather_within(query *q, sp_ref *hits)
{
  const sp_pool *p = q->pool;
  uint32_t count = 0;
  uint64_t within;
  if (q->within)
    run_split(q);
  for (uint32_t k = 0; (k = sp_next_lively(p, k, p->chunk_count)) < p->chunk_count && !q->progress.stopped; k++)
    if (q->within)
      count += add_hits(q, k, q->within[k], hits + count);
    else if (search_chunk(q, k, &within, &q->progress))
      count += add_hits(q, k, within, hits + count);
  return count;
}

static uint32_t call_near(const sp_ref *hits, uint32_t count, sp_near_fn fn, void *ud, sp_progress *progress)
{
  const sp_manager *m = progress->m;
  uint32_t calls = 0;
  for (uint32_t i = 0; i < count && sp_progress_spend(progress, SP_PROGRESS_CALL); i++)
    if (sp_ref_is_live(m, hits[i])) {
      fn(ud, hits[i]);
      calls++;
    }
  return calls;
}

uint32_t sp_pool_within(sp_pool *p, float x, float y, float radius, sp_near_fn fn, void *ud, sp_result *result)
{
  sp_manager *m = p->manager;
  sp_tell(result, SP_OK);
  if (!p->spatial || !(radius >= 0) || !isfinite(x) || !isfinite(y) || sp_live_count(p) == 0)
    return 0;
  sp_scratch s = sp_scratch_take(m);
  query q = {.pool = p, .x = x, .y = y, .radius = radius, .progress = {.m = m}};
  sp_result why = SP_MEMORY;
  uint32_t calls = 0;
  size_t at = sp_scratch_room(m, &s, sp_live_count(p) * sizeof(sp_ref));
  size_t bits = is_split(&q) ? sp_scratch_room(m, &s, p->chunk_count * sizeof *q.within) : SIZE_MAX;
  if (at != SIZE_MAX) {
    sp_ref *hits = (sp_ref *)(s.block + at);
    q.within = bits != SIZE_MAX ? (uint64_t *)(void *)(s.block + bits) : NULL;
    uint32_t count = gather_within(&q, hits);
    sp_enter(p);
    calls = q.progress.stopped ? 0 : call_near(hits, count, fn, ud, &q.progress);
    sp_leave(p);
    why = q.progress.stopped ? SP_INTERRUPTED : SP_OK;
  }
  sp_tell(result, why);
  sp_scratch_return(m, &s);
  return calls;
}

/* }== */

/* {== Bulk writes ======================================================== */

typedef struct addition {
  sp_pool *pool;
  int column;
  size_t offset;
  float delta;
  bool overflows; /* some sum that was finite does not stay finite. Threads set it */
} addition;

/* Adds, or with `write` false only checks whether the sums stay finite. */
SP_PASS void add_to_chunks(uint32_t begin, uint32_t end, addition *it, bool write)
{
  const sp_pool *p = it->pool;
  const sp_column_layout *c = &p->layout.columns[it->column];
  for (uint32_t i = begin; (i = sp_next_lively(p, i, end)) < end; i++) {
    const sp_chunk *chunk = sp_chunk_at(p, i);
    for (uint64_t bits = sp_odd_slots(chunk); bits; bits &= bits - 1) {
      unsigned char *cell = chunk->base + c->offset + (uint32_t)__builtin_ctzll(bits) * c->size;
      float *at = (float *)(void *)(cell + it->offset);
      if (write) {
        *at += it->delta;
      } else if (!isfinite(*at + it->delta) && isfinite(*at)) {
        __atomic_store_n(&it->overflows, true, __ATOMIC_RELAXED);
        return;
      }
    }
  }
}

static void look_at_sums(uint32_t begin, uint32_t end, void *it) { add_to_chunks(begin, end, it, false); }
static void write_sums(uint32_t begin, uint32_t end, void *it) { add_to_chunks(begin, end, it, true); }

uint32_t sp_pool_add(sp_pool *p, int column, size_t offset, float delta)
{
  bool look = column == SP_LOOK && offset % sizeof(float) == 0 && offset < offsetof(sp_look, layer);
  bool alone =
      offset == 0 && column != SP_LOOK && sp_has_column(p, column) && p->layout.columns[column].size == sizeof(float);
  if (!p->spatial || !(look || alone))
    return 0;
  addition it = {p, column, offset, delta, false};
  sp_parallel_for(p->manager, p->chunk_count, look_at_sums, &it);
  if (it.overflows)
    return 0;
  sp_mark_written(p, (uint64_t)1 << column);
  sp_parallel_for(p->manager, p->chunk_count, write_sums, &it);
  return sp_live_count(p);
}

/* }== */

/* {== Positions ========================================================== */

bool sp_positions_of(const sp_pool *p, uint32_t first, uint64_t live, sp_positions *positions, sp_progress *progress)
{
  memcpy(positions->x, sp_slot_cell(p, first, SP_X), sizeof positions->x);
  memcpy(positions->y, sp_slot_cell(p, first, SP_Y), sizeof positions->y);
  positions->live = live;
  for (uint64_t bits = p->has_parents ? live : 0; bits; bits &= bits - 1) {
    uint32_t i = (uint32_t)__builtin_ctzll(bits);
    sp_place place;
    if (!sp_progress_spend(progress, SP_PROGRESS_PARENT * sp_slot_world_place(p->manager, first + i, &place)))
      return false;
    positions->x[i] = place.x;
    positions->y[i] = place.y;
  }
  return sp_progress_spend(progress, 64);
}

/* x - x is 0 for finite numbers, and NaN for infinities and NaN. */
static uint64_t finite_ones(const sp_positions *positions, const float *sizes)
{
  uint8_t finite[64];
  for (uint32_t i = 0; i < 64; i++) {
    float x = positions->x[i], y = positions->y[i], size = sizes[i];
    finite[i] = (x - x == 0) & (y - y == 0) & (size - size == 0);
  }
  return sp_bits_of(finite);
}

uint64_t sp_positions_sizes(const sp_pool *p, uint32_t first, const sp_positions *positions, float *sizes,
                            uint64_t *wild)
{
  const sp_look *looks = sp_slot_cell(p, first, SP_LOOK);
  const sp_shape shape = sp_pool_shape(p);
  const float half = sp_shape_reach(&shape);
  uint8_t tame[64];
  for (uint32_t i = 0; i < 64; i++)
    sizes[i] = sp_size_of(&shape, &looks[i]);
  for (uint32_t i = 0; i < 64; i++) { /* one sum tells of all three: also that they are finite */
    float x = positions->x[i], y = positions->y[i], reach = sizes[i] * half, square = reach * reach;
    tame[i] = (x * x + y * y + square < 1e36f) & ((square > 1e-36f) | (reach == 0));
  }
  *wild = ~sp_bits_of(tame) & positions->live;
  return *wild ? finite_ones(positions, sizes) : UINT64_MAX;
}

/* }== */

/* {== Progress =========================================================== */

void sp_set_progress(sp_manager *m, sp_progress_fn progress, void *ud)
{
  m->progress = progress;
  m->progress_ud = ud;
}

bool sp_progress_ask(sp_progress *progress)
{
  const sp_manager *m = progress->m;
  progress->spent = 0;
  progress->stopped = progress->stopped || (m->progress && !m->progress(m->progress_ud));
  return !progress->stopped;
}

/* }== */
