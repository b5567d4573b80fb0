/*
** What is near what. Places are gathered once into flat arrays, in the world; hits are gathered too before anybody is
** called, so that a callback may do what it likes. The memory for both is kept from query to query.
*/
#include <math.h>
#include <string.h>

#include "core/state.h"

typedef struct spot {
  float x, y, radius;
  uint32_t next; /* in its cell, plus one */
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

static spot spot_of(const sp_pool *p, sp_ref object)
{
  const sp_manager *m = p->manager;
  uint32_t slot = sp_ref_slot(object);
  const sp_look *look = sp_slot_cell(p, slot, SP_LOOK);
  sp_place place = {*(float *)sp_slot_cell(p, slot, SP_X), *(float *)sp_slot_cell(p, slot, SP_Y), 0};
  if (p->has_kin && sp_slot_parent(m, slot))
    sp_world_place(m, object, &place);
  return (spot){place.x, place.y, fabsf(look->radius * look->scale), 0, object};
}

/* The spots of all live objects, in slot order; their number in `count`. */
static size_t gather_spots(sp_pool *p, scratch *s, uint32_t *count)
{
  size_t at = scratch_room(p->manager, s, sp_live_count(p) * sizeof(spot));
  *count = 0;
  if (at == SIZE_MAX)
    return at;
  spot *spots = (spot *)(s->block + at);
  sp_walk walk = sp_walk_begin(p);
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NONE_REF;) {
    spot one = spot_of(p, object);
    if (isfinite(one.x) && isfinite(one.y) && isfinite(one.radius))
      spots[(*count)++] = one;
  }
  return at;
}

/* }== */

/* {== Nearest and within ================================================= */

static float distance_squared(const spot *a, float x, float y)
{
  return (a->x - x) * (a->x - x) + (a->y - y) * (a->y - y);
}

sp_ref sp_pool_nearest(sp_pool *p, float x, float y, float *distance)
{
  sp_ref nearest = SP_NONE_REF;
  float least = INFINITY;
  sp_walk walk = sp_walk_begin(p);
  for (sp_ref object; p->spatial && (object = sp_walk_next(&walk)) != SP_NONE_REF;) {
    spot one = spot_of(p, object);
    float d = distance_squared(&one, x, y);
    if (d < least) {
      least = d;
      nearest = object;
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
  uint32_t count = 0, hits = 0, calls = 0;
  size_t at = p->spatial && radius >= 0 ? gather_spots(p, &s, &count) : 0;
  if (at == SIZE_MAX && result)
    *result = SP_MEMORY;
  if (count > 0) {
    spot *spots = (spot *)(s.block + at);
    for (uint32_t i = 0; i < count; i++)
      if (distance_squared(&spots[i], x, y) <= radius * radius)
        spots[hits++] = spots[i];
    sp_enter(p);
    calls = call_near(m, spots, hits, fn, ud);
    sp_leave(p);
  }
  return_scratch(m, &s);
  return calls;
}

/* }== */

/* {== Grid =============================================================== */

/* Cells over the others' bounding box, about as many as there are others. */
typedef struct grid {
  float x, y, cell, reach; /* reach: the largest radius among the others */
  uint32_t columns, rows;
  size_t heads; /* offset of the first spot of each cell, plus one */
} grid;

static uint32_t clamp_cell(float at, uint32_t count)
{
  return at > 0 ? at >= (float)(count - 1) ? count - 1 : (uint32_t)at : 0; /* NaN, of infinities, too */
}

static bool build_grid(sp_manager *m, scratch *s, size_t at, uint32_t count, grid *g)
{
  const spot *others = (const spot *)(s->block + at);
  float left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;
  *g = (grid){0};
  for (uint32_t i = 0; i < count; i++) {
    left = fminf(left, others[i].x);
    right = fmaxf(right, others[i].x);
    top = fminf(top, others[i].y);
    bottom = fmaxf(bottom, others[i].y);
    g->reach = fmaxf(g->reach, others[i].radius);
  }
  /* At least a diameter wide, and wide enough that empty space costs no more cells than there are objects. */
  double width = (double)right - left, height = (double)bottom - top;
  double cell = fmax(2.0 * g->reach, sqrt(width * height / count));
  cell = fmax(cell, fmax(width, height) / 4096);
  g->cell = cell > 0 ? (float)cell : 1;
  g->x = left;
  g->y = top;
  g->columns = (uint32_t)(width / g->cell) + 1;
  g->rows = (uint32_t)(height / g->cell) + 1;
  g->heads = scratch_room(m, s, (size_t)g->columns * g->rows * sizeof(uint32_t));
  if (g->heads == SIZE_MAX)
    return false;
  uint32_t *heads = (uint32_t *)(s->block + g->heads);
  spot *spots = (spot *)(s->block + at);
  memset(heads, 0, (size_t)g->columns * g->rows * sizeof *heads);
  for (uint32_t i = count; i > 0; i--) { /* backwards, so that cells list them in slot order */
    spot *one = &spots[i - 1];
    uint32_t column = clamp_cell((one->x - g->x) / g->cell, g->columns);
    uint32_t *head = &heads[clamp_cell((one->y - g->y) / g->cell, g->rows) * g->columns + column];
    one->next = *head;
    *head = i;
  }
  return true;
}

/* }== */

/* {== Overlaps =========================================================== */

typedef struct search {
  sp_manager *m;
  scratch s;
  grid g;
  size_t others;
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

static void search_cell(search *q, const spot *one, uint32_t cell)
{
  uint32_t at = ((const uint32_t *)(q->s.block + q->g.heads))[cell];
  while (at && !q->failed) {
    const spot *other = (const spot *)(q->s.block + q->others) + (at - 1);
    at = other->next;
    bool counted = q->same && other->object <= one->object;
    if (!counted && touch(one, other))
      add_pair(q, one->object, other->object);
  }
}

static void search_around(search *q, const spot *one)
{
  const grid *g = &q->g;
  float reach = one->radius + g->reach;
  uint32_t left = clamp_cell((one->x - reach - g->x) / g->cell, g->columns);
  uint32_t right = clamp_cell((one->x + reach - g->x) / g->cell, g->columns);
  uint32_t top = clamp_cell((one->y - reach - g->y) / g->cell, g->rows);
  uint32_t bottom = clamp_cell((one->y + reach - g->y) / g->cell, g->rows);
  for (uint32_t row = top; row <= bottom; row++)
    for (uint32_t column = left; column <= right; column++)
      search_cell(q, one, row * g->columns + column);
}

static void find_pairs(search *q, sp_pool *p)
{
  sp_walk walk = sp_walk_begin(p);
  for (sp_ref object; !q->failed && (object = sp_walk_next(&walk)) != SP_NONE_REF;) {
    spot one = spot_of(p, object);
    if (isfinite(one.x) && isfinite(one.y) && isfinite(one.radius))
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

uint32_t sp_pool_overlaps(sp_pool *p, sp_pool *other, sp_overlap_fn fn, void *ud, sp_result *result)
{
  sp_manager *m = p->manager;
  search q = {.m = m, .s = take_scratch(m), .same = p == other};
  uint32_t count = 0, calls = 0;
  if (p->spatial && other->spatial && other->manager == m)
    q.others = gather_spots(other, &q.s, &count);
  q.failed = q.others == SIZE_MAX || (count > 0 && !build_grid(m, &q.s, q.others, count, &q.g));
  if (count > 0 && !q.failed)
    find_pairs(&q, p);
  if (q.failed && result)
    *result = SP_MEMORY;
  if (!q.failed) {
    sp_enter(p);
    sp_enter(other);
    calls = call_pairs(&q, fn, ud);
    sp_leave(other);
    sp_leave(p);
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
  p->dirty |= (uint64_t)1 << column;
  for (uint32_t i = 0; i < p->chunk_count; i++)
    for (uint32_t word = p->chunks[i] * SP_CHUNK_WORDS; word < (p->chunks[i] + 1) * SP_CHUNK_WORDS; word++)
      for (uint64_t bits = sp_odd_slots(m, word); bits; bits &= bits - 1) {
        char *at = sp_slot_cell(p, word * 64 + (uint32_t)__builtin_ctzll(bits), column);
        *(float *)(at + offset) += delta;
      }
  return sp_live_count(p);
}

/* }== */
