/*
** What is near what. Places are gathered once into flat arrays, in the world; hits are gathered too before anybody is
** called, so that a callback may do what it likes. The memory for both is kept from query to query.
*/
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/state.h"

typedef struct spot {
  float x, y, radius;
  uint32_t cell; /* of the grid */
  sp_ref object;
} spot;

typedef struct pair {
  sp_ref object, other;
} pair;

/* {== Scratch memory ===================================================== */

typedef struct scratch {
  unsigned char *block;
  size_t size, used;
} scratch;

/* A query inside a callback of another finds no scratch and makes its own. */
static scratch take_scratch(sp_manager *m)
{
  scratch s = {m->scratch, m->scratch_size, 0};
  m->scratch = NULL;
  m->scratch_size = 0;
  return s;
}

static void return_scratch(sp_manager *m, scratch *s)
{
  if (s->size > m->scratch_size) {
    sp_memory_free(&m->memory, m->scratch, m->scratch_size);
    m->scratch = s->block;
    m->scratch_size = s->size;
  } else {
    sp_memory_free(&m->memory, s->block, s->size);
  }
}

/* Offset of `size` bytes more, aligned to 8; SIZE_MAX when memory is refused. Blocks move: keep offsets. */
static size_t scratch_room(sp_manager *m, scratch *s, size_t size)
{
  size_t at = s->used, need = at + ((size + 7) & ~(size_t)7);
  if (need > s->size) {
    size_t want = s->size * 2 > need ? s->size * 2 : need;
    unsigned char *block = sp_memory_resize(&m->memory, s->block, s->size, want);
    if (!block)
      return SIZE_MAX;
    s->block = block;
    s->size = want;
  }
  s->used = need;
  return at;
}

/* }== */

/* {== Spots ============================================================== */

/* The columns of one chunk that say where things are. */
typedef struct places {
  const float *x, *y;
  const sp_look *look;
} places;

static places places_of(const sp_pool *p, uint32_t number)
{
  uint32_t slot = number * SP_CHUNK_SLOTS;
  return (places){sp_slot_cell(p, slot, SP_X), sp_slot_cell(p, slot, SP_Y), sp_slot_cell(p, slot, SP_LOOK)};
}

static spot spot_at(const sp_pool *p, const places *at, uint32_t slot)
{
  const sp_manager *m = p->manager;
  uint32_t i = slot & SP_CHUNK_MASK;
  sp_place place = {at->x[i], at->y[i], 0};
  if (p->has_kin && sp_slot_parent(m, slot))
    sp_world_place(m, sp_ref_make(m, slot), &place);
  return (spot){place.x, place.y, fabsf(at->look[i].radius * at->look[i].scale), 0, sp_ref_make(m, slot)};
}

static float distance_squared(const spot *a, float x, float y)
{
  return (a->x - x) * (a->x - x) + (a->y - y) * (a->y - y);
}

typedef struct circle {
  float x, y, radius;
} circle;

static bool holds(const circle *c, const spot *one)
{
  return distance_squared(one, c->x, c->y) <= c->radius * c->radius;
}

/* The spots of all live objects, or of those that `where` holds, in slot order; their number in `count`. */
static size_t gather_spots(const sp_pool *p, scratch *s, const circle *where, uint32_t *count)
{
  const sp_manager *m = p->manager;
  size_t at = scratch_room(p->manager, s, sp_live_count(p) * sizeof(spot));
  *count = 0;
  if (at == SIZE_MAX)
    return at;
  spot *spots = (spot *)(s->block + at);
  for (uint32_t k = 0; k < p->chunk_count; k++) {
    uint32_t first = p->chunks[k] * SP_CHUNK_SLOTS;
    places here = places_of(p, p->chunks[k]);
    for (uint32_t slot = first; slot < first + SP_CHUNK_SLOTS; slot++) {
      if (!sp_slot_is_live(m, slot))
        continue;
      spot one = spot_at(p, &here, slot);
      if ((!where || holds(where, &one)) && isfinite(one.x) && isfinite(one.y) && isfinite(one.radius))
        spots[(*count)++] = one;
    }
  }
  return at;
}

/* }== */

/* {== Nearest and within ================================================= */

sp_ref sp_pool_nearest(sp_pool *p, float x, float y, float *distance)
{
  const sp_manager *m = p->manager;
  sp_ref nearest = SP_NONE_REF;
  float least = INFINITY;
  for (uint32_t k = 0; p->spatial && k < p->chunk_count; k++) {
    uint32_t first = p->chunks[k] * SP_CHUNK_SLOTS;
    places here = places_of(p, p->chunks[k]);
    for (uint32_t slot = first; slot < first + SP_CHUNK_SLOTS; slot++) {
      if (!sp_slot_is_live(m, slot))
        continue;
      spot one = spot_at(p, &here, slot);
      float d = distance_squared(&one, x, y);
      if (d < least) {
        least = d;
        nearest = one.object;
      }
    }
  }
  if (distance)
    *distance = sqrtf(least);
  return nearest;
}

static uint32_t call_near(sp_manager *m, const spot *spots, uint32_t count, sp_near_fn fn, void *ud)
{
  uint32_t calls = 0;
  for (uint32_t i = 0; i < count; i++)
    if (sp_ref_is_live(m, spots[i].object)) {
      fn(ud, spots[i].object);
      calls++;
    }
  return calls;
}

uint32_t sp_pool_within(sp_pool *p, float x, float y, float radius, sp_near_fn fn, void *ud, sp_result *result)
{
  sp_manager *m = p->manager;
  scratch s = take_scratch(m);
  circle where = {x, y, radius};
  uint32_t count = 0, calls = 0;
  size_t at = p->spatial && radius >= 0 ? gather_spots(p, &s, &where, &count) : 0;
  if (at == SIZE_MAX && result)
    *result = SP_MEMORY;
  if (count > 0) {
    sp_enter(p);
    calls = call_near(m, (const spot *)(s.block + at), count, fn, ud);
    sp_leave(p);
  }
  return_scratch(m, &s);
  return calls;
}

/* }== */

/* {== Grid =============================================================== */

/* Cells over the others' bounding box, about as many as there are others. The others are sorted by cell, row after row,
   so that the cells of a row that are near something lie side by side. */
typedef struct grid {
  float x, y, per_cell, reach; /* per_cell: cells per unit; reach: the largest radius among the others */
  uint32_t columns, rows;
  size_t starts; /* offset: where each cell begins among the sorted, and where the last one ends */
  size_t sorted; /* offset of the sorted spots */
} grid;

static uint32_t clamp_cell(float at, uint32_t count)
{
  return at > 0 ? at >= (float)(count - 1) ? count - 1 : (uint32_t)at : 0; /* NaN, of infinities, too */
}

static void measure(grid *g, const spot *others, uint32_t count)
{
  float left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;
  *g = (grid){0};
  for (uint32_t i = 0; i < count; i++) {
    left = others[i].x < left ? others[i].x : left;
    right = others[i].x > right ? others[i].x : right;
    top = others[i].y < top ? others[i].y : top;
    bottom = others[i].y > bottom ? others[i].y : bottom;
    g->reach = others[i].radius > g->reach ? others[i].radius : g->reach;
  }
  /* At least a diameter wide, and wide enough that empty space costs no more cells than there are objects. */
  double width = (double)right - left, height = (double)bottom - top;
  double cell = fmax(2.0 * g->reach, sqrt(width * height / count));
  cell = fmax(cell, fmax(width, height) / 4096);
  g->per_cell = (float)(1 / fmax(cell, FLT_MIN));
  g->x = left;
  g->y = top;
  g->columns = (uint32_t)(width * g->per_cell) + 1;
  g->rows = (uint32_t)(height * g->per_cell) + 1;
}

/* Counting sort: how many in each cell, where each begins, and each spot to its place. */
static void sort_spots(const grid *g, unsigned char *block, size_t at, uint32_t count)
{
  uint32_t *starts = (uint32_t *)(block + g->starts), cells = g->columns * g->rows, sum = 0;
  spot *others = (spot *)(block + at), *sorted = (spot *)(block + g->sorted);
  memset(starts, 0, (cells + 1) * sizeof *starts);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t column = clamp_cell((others[i].x - g->x) * g->per_cell, g->columns);
    others[i].cell = clamp_cell((others[i].y - g->y) * g->per_cell, g->rows) * g->columns + column;
    starts[others[i].cell]++;
  }
  for (uint32_t i = 0; i <= cells; i++) {
    uint32_t here = starts[i];
    starts[i] = sum;
    sum += here;
  }
  for (uint32_t i = 0; i < count; i++)
    sorted[starts[others[i].cell]++] = others[i];
  /* Every start has become the next one's: one step back. */
  memmove(starts + 1, starts, cells * sizeof *starts);
  starts[0] = 0;
}

static bool build_grid(sp_manager *m, scratch *s, size_t at, uint32_t count, grid *g)
{
  measure(g, (const spot *)(s->block + at), count);
  g->starts = scratch_room(m, s, ((size_t)g->columns * g->rows + 1) * sizeof(uint32_t));
  g->sorted = g->starts == SIZE_MAX ? SIZE_MAX : scratch_room(m, s, count * sizeof(spot));
  if (g->sorted == SIZE_MAX)
    return false;
  sort_spots(g, s->block, at, count);
  return true;
}

/* }== */

/* {== Overlaps =========================================================== */

typedef struct search {
  sp_manager *m;
  scratch s;
  grid g;
  size_t pairs; /* offset of the hits; they grow at the end of the scratch */
  uint32_t count;
  bool same; /* a pool with itself: each pair once */
  bool failed;
} search;

static void add_pair(search *q, sp_ref object, sp_ref other)
{
  size_t at = scratch_room(q->m, &q->s, sizeof(pair));
  if (at == SIZE_MAX) {
    q->failed = true;
    return;
  }
  if (q->count == 0)
    q->pairs = at;
  *(pair *)(q->s.block + at) = (pair){object, other};
  q->count++;
}

static bool touch(const spot *a, const spot *b)
{
  float reach = a->radius + b->radius;
  return distance_squared(a, b->x, b->y) < reach * reach;
}

/* Cells `first` to `last` of one row. */
static void search_cells(search *q, const spot *one, uint32_t first, uint32_t last)
{
  const uint32_t *starts = (const uint32_t *)(q->s.block + q->g.starts);
  uint32_t end = starts[last + 1];
  for (uint32_t at = starts[first]; at < end && !q->failed; at++) {
    const spot *other = (const spot *)(q->s.block + q->g.sorted) + at; /* adding a pair may move the block */
    if (touch(one, other) && !(q->same && other->object <= one->object))
      add_pair(q, one->object, other->object);
  }
}

static void search_around(search *q, const spot *one)
{
  const grid *g = &q->g;
  float reach = one->radius + g->reach;
  uint32_t left = clamp_cell((one->x - reach - g->x) * g->per_cell, g->columns);
  uint32_t right = clamp_cell((one->x + reach - g->x) * g->per_cell, g->columns);
  uint32_t top = clamp_cell((one->y - reach - g->y) * g->per_cell, g->rows);
  uint32_t bottom = clamp_cell((one->y + reach - g->y) * g->per_cell, g->rows);
  for (uint32_t row = top; row <= bottom; row++)
    search_cells(q, one, row * g->columns + left, row * g->columns + right);
}

static void find_pairs(search *q, size_t at, uint32_t count)
{
  for (uint32_t i = 0; i < count && !q->failed; i++) {
    spot one = ((const spot *)(q->s.block + at))[i];
    search_around(q, &one);
  }
}

static uint32_t call_pairs(search *q, sp_overlap_fn fn, void *ud)
{
  uint32_t calls = 0;
  for (uint32_t i = 0; i < q->count; i++) {
    pair hit = ((const pair *)(q->s.block + q->pairs))[i];
    if (sp_ref_is_live(q->m, hit.object) && sp_ref_is_live(q->m, hit.other)) {
      fn(ud, hit.object, hit.other);
      calls++;
    }
  }
  return calls;
}

/* Everything up to the pairs; false when memory is refused. */
static bool search_pools(search *q, sp_pool *p, sp_pool *other)
{
  uint32_t count = 0, other_count = 0;
  if (!p->spatial || !other->spatial || other->manager != q->m)
    return true;
  size_t others = gather_spots(other, &q->s, NULL, &other_count);
  size_t ours = others == SIZE_MAX || q->same ? others : gather_spots(p, &q->s, NULL, &count);
  if (ours == SIZE_MAX)
    return false;
  if (q->same)
    count = other_count;
  if (count == 0 || other_count == 0)
    return true;
  if (!build_grid(q->m, &q->s, others, other_count, &q->g))
    return false;
  find_pairs(q, ours, count);
  return !q->failed;
}

uint32_t sp_pool_overlaps(sp_pool *p, sp_pool *other, sp_overlap_fn fn, void *ud, sp_result *result)
{
  sp_manager *m = p->manager;
  search q = {.m = m, .s = take_scratch(m), .same = p == other};
  uint32_t calls = 0;
  if (search_pools(&q, p, other)) {
    sp_enter(p);
    sp_enter(other);
    calls = call_pairs(&q, fn, ud);
    sp_leave(other);
    sp_leave(p);
  } else if (result) {
    *result = SP_MEMORY;
  }
  return_scratch(m, &q.s);
  return calls;
}

/* }== */

/* {== Bulk writes ======================================================== */

uint32_t sp_pool_add(sp_pool *p, int column, size_t offset, float delta)
{
  sp_manager *m = p->manager;
  bool look = column == SP_LOOK && offset % sizeof(float) == 0 && offset < offsetof(sp_look, layer);
  if (!p->spatial || !(look || (column >= SP_X && column < SP_LOOK && offset == 0)))
    return 0;
  sp_mark_written(p, (uint64_t)1 << column);
  for (uint32_t i = 0; i < p->chunk_count; i++)
    for (uint32_t word = p->chunks[i] * SP_CHUNK_WORDS; word < (p->chunks[i] + 1) * SP_CHUNK_WORDS; word++)
      for (uint64_t bits = sp_odd_slots(m, word); bits; bits &= bits - 1) {
        char *at = sp_slot_cell(p, word * 64 + (uint32_t)__builtin_ctzll(bits), column);
        *(float *)(at + offset) += delta;
      }
  return sp_live_count(p);
}

/* }== */
