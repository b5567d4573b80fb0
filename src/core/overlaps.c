/*
** Which objects of two pools touch. Those of the other pool are sorted into a grid; around each of ours, row after row,
** eight neighbours are looked at in one go, hit or not: where hardly anybody touches, a wrong guess of the processor
** costs more than eight sums. Pairs are gathered before anybody is called.
*/
#include <float.h>
#include <math.h>

#include "core/places.h"
#include "core/progress.h"
#include "core/scratch.h"

typedef struct pair {
  sp_ref object, other;
} pair;

/* {== Spots ============================================================== */

#define AT_ONCE 8u

/* Live objects in slot order: four arrays of `room` items in the scratch memory. */
typedef struct spots {
  size_t at; /* offset */
  uint32_t room, count;
} spots;

typedef struct spot_arrays {
  float *x, *y, *radius;
  uint32_t *slot;
} spot_arrays;

static spot_arrays arrays_of(const sp_scratch *s, const spots *of)
{
  float *x = (float *)(s->block + of->at);
  return (spot_arrays){x, x + of->room, x + 2 * of->room, (uint32_t *)(x + 3 * of->room)};
}

/* With some to spare, for loops that look at several at once. False when memory is refused. */
static bool make_room(sp_manager *m, sp_scratch *s, uint32_t count, spots *made)
{
  made->room = (count + 2 * AT_ONCE) & ~(AT_ONCE - 1);
  made->count = 0;
  made->at = sp_scratch_room(m, s, (size_t)made->room * 4 * sizeof(float));
  return made->at != SIZE_MAX;
}

/* Those of a word whose bits are set. Mostly that is everybody, and nothing has to be picked out. */
static uint32_t take_word(const spot_arrays *to, uint32_t count, const sp_places *places, const float *radii,
                          uint32_t first, uint64_t bits)
{
  if (bits == UINT64_MAX) {
    memcpy(to->x + count, places->x, sizeof places->x);
    memcpy(to->y + count, places->y, sizeof places->y);
    memcpy(to->radius + count, radii, sizeof places->x);
    for (uint32_t i = 0; i < 64; i++)
      to->slot[count + i] = first + i;
    return count + 64;
  }
  for (; bits; bits &= bits - 1, count++) {
    uint32_t i = (uint32_t)__builtin_ctzll(bits);
    to->x[count] = places->x[i];
    to->y[count] = places->y[i];
    to->radius[count] = radii[i];
    to->slot[count] = first + i;
  }
  return count;
}

static bool gather_spots(const sp_pool *p, sp_scratch *s, spots *found)
{
  if (!make_room(p->manager, s, sp_live_count(p), found))
    return false;
  spot_arrays to = arrays_of(s, found);
  float radii[64];
  sp_places places;
  for (uint32_t k = 0; k < p->chunk_count; k++) {
    const uint64_t *live = sp_chunk_live(p, k);
    for (uint32_t w = 0; w < SP_CHUNK_WORDS; w++) {
      uint32_t word = p->chunks[k] * SP_CHUNK_WORDS + w;
      sp_places_of(p, word, live[w], &places);
      uint64_t bits = live[w] & sp_places_radii(p, word, &places, radii);
      found->count = take_word(&to, found->count, &places, radii, word * 64, bits);
    }
  }
  return true;
}

/* }== */

/* {== Grid =============================================================== */

/* Cells over the others' bounding box, about as many as there are others. The others are sorted by cell, row after row,
   so that the cells of a row that are near something lie side by side. */
typedef struct grid {
  float x, y, per_cell, reach; /* per_cell: cells per unit; reach: the largest radius among the others */
  int32_t columns, rows;
  size_t starts; /* offset: where each cell begins among the sorted, and where the last one ends */
  spots sorted;
} grid;

/* What is no number comes out as 0. In this form it needs no branch. */
SP_PASS int32_t clamp_cell(float at, int32_t count)
{
  float last = (float)(count - 1);
  at = at > 0 ? at : 0;
  at = at < last ? at : last;
  return (int32_t)at;
}

typedef struct range {
  float low, high;
} range;

/* In lanes of 64, for one smallest number so far makes each wait for the one before. */
static range range_of(const float *numbers, uint32_t count)
{
  float low[64], high[64];
  for (uint32_t i = 0; i < 64; i++)
    low[i] = high[i] = numbers[0];
  for (uint32_t from = 0; from < count; from += 64) {
    const float *some = numbers + from;
    uint32_t end = count - from < 64 ? count - from : 64;
    for (uint32_t i = 0; i < end; i++) {
      low[i] = some[i] < low[i] ? some[i] : low[i];
      high[i] = some[i] > high[i] ? some[i] : high[i];
    }
  }
  for (uint32_t i = 1; i < 64; i++) {
    low[0] = low[i] < low[0] ? low[i] : low[0];
    high[0] = high[i] > high[0] ? high[i] : high[0];
  }
  return (range){low[0], high[0]};
}

static void measure(grid *g, const spot_arrays *others, uint32_t count)
{
  range x = range_of(others->x, count), y = range_of(others->y, count);
  g->reach = range_of(others->radius, count).high;
  /* At least a diameter wide, and wide enough that empty space costs no more cells than there are objects. */
  double width = (double)x.high - x.low, height = (double)y.high - y.low;
  double cell = fmax(2.0 * g->reach, sqrt(width * height / count));
  cell = fmax(cell, fmax(width, height) / 4096);
  g->per_cell = (float)(1 / fmax(cell, FLT_MIN));
  g->x = x.low;
  g->y = y.low;
  g->columns = (int32_t)(width * g->per_cell) + 1;
  g->rows = (int32_t)(height * g->per_cell) + 1;
}

/* Counting sort: how many in each cell, where each begins, and each spot to its place. `cells` has room for one number
   per spot; `starts` for one per cell and two more: counted two further on, a start has become right once all before it
   are placed. */
static void sort_spots(const grid *g, const spot_arrays *from, const spot_arrays *to, uint32_t count, uint32_t *starts,
                       uint32_t *cells)
{
  uint32_t cell_count = (uint32_t)g->columns * (uint32_t)g->rows, sum = 0;
  memset(starts, 0, (cell_count + 2) * sizeof *starts);
  for (uint32_t i = 0; i < count; i++)
    cells[i] = (uint32_t)(clamp_cell((from->y[i] - g->y) * g->per_cell, g->rows) * g->columns +
                          clamp_cell((from->x[i] - g->x) * g->per_cell, g->columns));
  for (uint32_t i = 0; i < count; i++)
    starts[cells[i] + 2]++;
  for (uint32_t i = 2; i < cell_count + 2; i++)
    starts[i] = sum += starts[i];
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = starts[cells[i] + 1]++;
    to->x[at] = from->x[i];
    to->y[at] = from->y[i];
    to->radius[at] = from->radius[i];
    to->slot[at] = from->slot[i];
  }
  for (uint32_t i = count; i < count + AT_ONCE; i++) { /* nobody touches these */
    to->x[i] = to->y[i] = to->radius[i] = NAN;
    to->slot[i] = 0;
  }
}

static bool build_grid(sp_manager *m, sp_scratch *s, const spots *others, grid *g)
{
  spot_arrays from = arrays_of(s, others);
  measure(g, &from, others->count);
  g->starts = sp_scratch_room(m, s, ((size_t)g->columns * (size_t)g->rows + 2) * sizeof(uint32_t));
  if (g->starts == SIZE_MAX || !make_room(m, s, others->count, &g->sorted))
    return false;
  size_t cells = sp_scratch_room(m, s, others->count * sizeof(uint32_t)), used = s->used;
  if (cells == SIZE_MAX)
    return false;
  spot_arrays to = arrays_of(s, &g->sorted);
  from = arrays_of(s, others);
  sort_spots(g, &from, &to, others->count, (uint32_t *)(s->block + g->starts), (uint32_t *)(s->block + cells));
  g->sorted.count = others->count;
  s->used = used;
  return true;
}

/* }== */

/* {== Search ============================================================= */

typedef struct search {
  sp_manager *m;
  sp_scratch s;
  spots ours, others;
  grid g;
  size_t pairs; /* offset of the hits, the last in the scratch memory */
  size_t count, room;
  bool same; /* a pool with itself: each pair once */
  sp_progress progress;
} search;

/* Everything that the inner loops use, found anew when the memory has moved. */
typedef struct view {
  spot_arrays ours, sorted;
  const uint32_t *starts;
  pair *pairs;
} view;

static view view_of(const search *q)
{
  return (view){arrays_of(&q->s, &q->ours), arrays_of(&q->s, &q->g.sorted),
                (const uint32_t *)(q->s.block + q->g.starts), (pair *)(q->s.block + q->pairs)};
}

/* The cells around one of ours. */
typedef struct area {
  int32_t left[64], right[64], top[64], bottom[64];
} area;

SP_PASS void look_around(const grid *g, const spot_arrays *ours, uint32_t from, uint32_t count, area *a)
{
  const float *x = ours->x + from, *y = ours->y + from, *radius = ours->radius + from;
  for (uint32_t i = 0; i < count; i++) {
    float reach = radius[i] + g->reach;
    a->left[i] = clamp_cell((x[i] - reach - g->x) * g->per_cell, g->columns);
    a->right[i] = clamp_cell((x[i] + reach - g->x) * g->per_cell, g->columns);
    a->top[i] = clamp_cell((y[i] - reach - g->y) * g->per_cell, g->rows);
    a->bottom[i] = clamp_cell((y[i] + reach - g->y) * g->per_cell, g->rows);
  }
}

/* Bit k: ours number `one` touches the sorted spot `at` + k. */
typedef uint32_t look_fn(const view *v, uint32_t one, uint32_t at);

static inline uint32_t look_narrow(const view *v, uint32_t one, uint32_t at)
{
  float x = v->ours.x[one], y = v->ours.y[one], radius = v->ours.radius[one];
  const float *xs = v->sorted.x + at, *ys = v->sorted.y + at, *radii = v->sorted.radius + at;
  uint8_t hit[AT_ONCE];
  for (uint32_t k = 0; k < AT_ONCE; k++) {
    float reach = radius + radii[k];
    hit[k] = (x - xs[k]) * (x - xs[k]) + (y - ys[k]) * (y - ys[k]) < reach * reach;
  }
  return sp_bits_of_eight(hit);
}

#ifdef SP_HAS_WIDE
typedef float eight __attribute__((vector_size(32)));

SP_PASS SP_WIDE eight eight_at(const float *numbers)
{
  eight found;
  memcpy(&found, numbers, sizeof found);
  return found;
}

/* The same sums, as vectors: compilers take a loop of eight apart before they see that it is one, and their way from
   flags to bits is as long as the sums. */
static inline SP_WIDE uint32_t look_wide(const view *v, uint32_t one, uint32_t at)
{
  eight dx = v->ours.x[one] - eight_at(v->sorted.x + at);
  eight dy = v->ours.y[one] - eight_at(v->sorted.y + at);
  eight reach = v->ours.radius[one] + eight_at(v->sorted.radius + at);
  return (uint32_t)__builtin_ia32_movmskps256((eight)(dx * dx + dy * dy < reach * reach));
}
#else
#define look_wide look_narrow
#endif

/* What a look found. Looks without a hit are written too, and overwritten by the next: cheaper than to guess. */
typedef struct find {
  uint32_t one, at, hits; /* as in look_fn */
} find;

#define MOST_FINDS 256u

typedef struct finds {
  find list[MOST_FINDS];
  uint32_t count;
} finds;

/* Room for the pairs of all finds there can be. False when memory is refused. */
static bool make_pair_room(search *q)
{
  size_t least = q->count + MOST_FINDS * AT_ONCE, want = q->room * 2 > least ? q->room * 2 : least;
  if (q->room >= least)
    return true;
  if (sp_scratch_room(q->m, &q->s, (want - q->room) * sizeof(pair)) == SIZE_MAX)
    return false;
  q->room = want;
  return true;
}

/* Empties `found`. The memory may move. Out of line: the loop that calls it once in a while needs the registers. */
static __attribute__((noinline)) bool add_pairs(search *q, finds *found)
{
  if (!make_pair_room(q))
    return false;
  const view v = view_of(q);
  for (uint32_t i = 0; i < found->count; i++) {
    const find *it = &found->list[i];
    sp_ref object = sp_ref_make(q->m, v.ours.slot[it->one]);
    for (uint32_t hits = it->hits; hits; hits &= hits - 1) {
      sp_ref other = sp_ref_make(q->m, v.sorted.slot[it->at + (uint32_t)__builtin_ctz(hits)]);
      if (!(q->same && other <= object))
        v.pairs[q->count++] = (pair){object, other};
    }
  }
  found->count = 0;
  return true;
}

/* Cells side by side, whose spots are `first` up to `end`. At least one look, for a loop that mostly does not repeat. */
SP_PASS bool search_cells(search *q, view *v, look_fn *look, finds *found, uint32_t one, uint32_t first, uint32_t end)
{
  uint32_t at = first;
  do {
    uint32_t hits = look(v, one, at), left = end - at;
    if (!sp_progress_spend(&q->progress, AT_ONCE))
      return false;
    hits &= left < AT_ONCE ? (1u << left) - 1 : ~0u;
    found->list[found->count] = (find){one, at, hits};
    found->count += hits != 0;
    if (found->count == MOST_FINDS) {
      if (!add_pairs(q, found))
        return false;
      *v = view_of(q);
    }
    at += AT_ONCE;
  } while (at < end);
  return true;
}

SP_PASS bool search_all(search *q, look_fn *look)
{
  const grid g = q->g;
  const uint32_t all = q->ours.count;
  view v = view_of(q);
  finds found;
  area a;
  found.count = 0;
  for (uint32_t from = 0; from < all; from += 64) {
    uint32_t count = all - from < 64 ? all - from : 64;
    look_around(&g, &v.ours, from, count, &a);
    for (uint32_t i = 0; i < count; i++)
      for (int32_t row = a.top[i]; row <= a.bottom[i]; row++) {
        const uint32_t *starts = v.starts + row * g.columns;
        if (!search_cells(q, &v, look, &found, from + i, starts[a.left[i]], starts[a.right[i] + 1]))
          return false;
      }
  }
  return add_pairs(q, &found);
}

static bool search_narrow(search *q) { return search_all(q, look_narrow); }
static SP_WIDE bool search_wide(search *q) { return search_all(q, look_wide); }

/* }== */

/* {== Overlaps =========================================================== */

static uint32_t call_pairs(search *q, sp_overlap_fn fn, void *ud)
{
  const pair *hits = (const pair *)(q->s.block + q->pairs);
  uint32_t calls = 0;
  for (size_t i = 0; i < q->count && sp_progress_spend(&q->progress, SP_PROGRESS_CALL); i++)
    if (sp_ref_is_live(q->m, hits[i].object) && sp_ref_is_live(q->m, hits[i].other)) {
      fn(ud, hits[i].object, hits[i].other);
      calls++;
    }
  return calls;
}

/* Everything up to the pairs; false when memory is refused, or the progress callback says stop. */
static bool find_pairs(search *q, sp_pool *p, sp_pool *other)
{
  if (!p->spatial || !other->spatial || other->manager != q->m)
    return true;
  if (!gather_spots(other, &q->s, &q->others))
    return false;
  q->ours = q->others;
  if (!q->same && !gather_spots(p, &q->s, &q->ours))
    return false;
  if (q->ours.count == 0 || q->others.count == 0)
    return true;
  if (!build_grid(q->m, &q->s, &q->others, &q->g))
    return false;
  q->pairs = q->s.used;
  return q->m->wide ? search_wide(q) : search_narrow(q);
}

uint32_t sp_pool_overlaps(sp_pool *p, sp_pool *other, sp_overlap_fn fn, void *ud, sp_result *result)
{
  sp_manager *m = p->manager;
  search q = {.m = m, .s = sp_scratch_take(m), .same = p == other, .progress = {.m = m}};
  uint32_t calls = 0;
  bool found = find_pairs(&q, p, other);
  if (found) {
    sp_enter(p);
    sp_enter(other);
    calls = q.count > 0 ? call_pairs(&q, fn, ud) : 0;
    sp_leave(other);
    sp_leave(p);
  }
  if (result && (q.progress.stopped || !found))
    *result = q.progress.stopped ? SP_INTERRUPTED : SP_MEMORY;
  sp_scratch_return(m, &q.s);
  return calls;
}

/* }== */
