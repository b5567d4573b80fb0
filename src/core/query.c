/*
** Gathers the places of a pool's objects, and sorts them into grids and trees. Writes fields of all of them.
*/
#include "core/query.h"

#include <float.h>
#include <math.h>

#include "core/memory.h"
#include "core/parents.h"
#include "core/pool_state.h"

/* {== Progress =========================================================== */

void sp_manager_set_progress(sp_manager *m, sp_progress_fn progress, void *ud)
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

/* {== Positions ========================================================== */

/* It may take long when parents are nested deeply. */
bool sp_positions_of(const sp_pool *p, uint32_t first, uint64_t live, sp_positions *places, sp_progress *progress)
{
  memcpy(places->x, sp_slot_cell(p, first, SP_X), sizeof places->x);
  memcpy(places->y, sp_slot_cell(p, first, SP_Y), sizeof places->y);
  places->live = live;
  for (uint64_t bits = p->has_parents ? live : 0; bits; bits &= bits - 1) {
    uint32_t i = (uint32_t)__builtin_ctzll(bits);
    sp_place place;
    if (!sp_progress_spend(progress, SP_PROGRESS_PARENT * sp_slot_world_place(p->manager, first + i, &place)))
      return false;
    places->x[i] = place.x;
    places->y[i] = place.y;
  }
  return sp_progress_spend(progress, 64);
}

/* x - x is 0 for finite numbers, and NaN for infinities and NaN. */
static uint64_t finite_ones(const sp_positions *places, const float *sizes)
{
  uint8_t finite[64];
  for (uint32_t i = 0; i < 64; i++) {
    float x = places->x[i], y = places->y[i], size = sizes[i];
    finite[i] = (x - x == 0) & (y - y == 0) & (size - size == 0);
  }
  return sp_bits_of(finite);
}

/* The sizes (see sp_shape) of a chunk of slots, never negative. Returns the bits of those that are finite in every
   respect; `wild` receives the bits of those that are so far away, large or small that squares of floats overflow or
   come to nothing. */
static uint64_t sizes_of(const sp_pool *p, uint32_t first, const sp_positions *places, float *sizes, uint64_t *wild)
{
  const sp_look *looks = sp_slot_cell(p, first, SP_LOOK);
  const sp_shape shape = sp_pool_shape(p);
  const float half = sp_shape_reach(&shape);
  uint8_t tame[64];
  for (uint32_t i = 0; i < 64; i++)
    sizes[i] = sp_size_of(&shape, &looks[i]);
  for (uint32_t i = 0; i < 64; i++) { /* one sum tells of all three: also that they are finite */
    float x = places->x[i], y = places->y[i], reach = sizes[i] * half, square = reach * reach;
    tame[i] = (x * x + y * y + square < 1e36f) & ((square > 1e-36f) | (reach == 0));
  }
  *wild = ~sp_bits_of(tame) & places->live;
  return *wild ? finite_ones(places, sizes) : UINT64_MAX;
}

/* }== */

/* {== Bulk writes ======================================================== */

/* Adds `delta` to a float of every live object, or, with `write` false, only checks that no sum that was finite stops
   being so. Returns false if one would. */
SP_PASS bool add_to_all(const sp_pool *p, int column, size_t offset, float delta, bool write)
{
  const sp_column_layout *c = &p->layout.columns[column];
  for (uint32_t i = 0; (i = sp_next_lively(p, i)) < p->chunk_count; i++) {
    const sp_chunk *chunk = sp_chunk_at(p, i);
    for (uint64_t bits = chunk->live; bits; bits &= bits - 1) {
      unsigned char *cell = chunk->base + c->offset + (uint32_t)__builtin_ctzll(bits) * c->size;
      float *at = (float *)(void *)(cell + offset);
      if (write)
        *at += delta;
      else if (!isfinite(*at + delta) && isfinite(*at))
        return false;
    }
  }
  return true;
}

uint32_t sp_pool_add(sp_pool *p, int column, size_t offset, float delta)
{
  bool look = column == SP_LOOK && offset % sizeof(float) == 0 && offset < offsetof(sp_look, layer);
  bool alone =
      offset == 0 && column != SP_LOOK && sp_has_column(p, column) && p->layout.columns[column].size == sizeof(float);
  if (!p->desc.spatial || !(look || alone) || !add_to_all(p, column, offset, delta, false))
    return 0;
  sp_mark_written(p, (uint64_t)1 << column);
  add_to_all(p, column, offset, delta, true);
  return sp_live_count(p);
}

/* }== */

/* {== Circles ============================================================ */

static uint32_t room_for(uint32_t count) { return (count + 2 * SP_AT_ONCE) & ~(SP_AT_ONCE - 1); }

size_t sp_circles_size(uint32_t count) { return (size_t)room_for(count) * 4 * sizeof(float); }

sp_circles sp_circles_at(unsigned char *block, uint32_t count, const sp_shape *shape)
{
  uint32_t room = room_for(count);
  float *numbers = (float *)(void *)block;
  uint32_t *index = (uint32_t *)(numbers + 3 * (size_t)room);
  return (sp_circles){*shape, numbers, numbers + room, numbers + 2 * (size_t)room, index, count};
}

/* Writes zeros past the end: loops may read there, and ignore what they read. */
static void pad(const sp_circles *s)
{
  for (uint32_t i = s->count; i < s->count + SP_AT_ONCE; i++)
    s->x[i] = s->y[i] = s->size[i] = 0;
}

/* Appends the slots of a word whose bits are set. Mostly all are set, and the word is copied as a whole. */
static void gather_word(sp_circles *to, uint32_t *generations, const sp_manager *m, uint32_t first,
                        const sp_positions *places, const float *sizes, uint64_t bits)
{
  const sp_life *life = sp_slot_chunk(m, first)->life;
  uint32_t count = to->count;
  if (bits == UINT64_MAX) {
    memcpy(to->x + count, places->x, sizeof places->x);
    memcpy(to->y + count, places->y, sizeof places->y);
    memcpy(to->size + count, sizes, sizeof places->x);
    for (uint32_t i = 0; i < 64; i++) {
      generations[count + i] = life[i].generation;
      to->index[count + i] = first + i;
    }
    to->count += 64;
    return;
  }
  for (; bits; bits &= bits - 1, count++) {
    uint32_t i = (uint32_t)__builtin_ctzll(bits);
    to->x[count] = places->x[i];
    to->y[count] = places->y[i];
    to->size[count] = sizes[i];
    generations[count] = life[i].generation;
    to->index[count] = first + i;
  }
  to->count = count;
}

bool sp_circles_gather(sp_circles *circles, uint32_t *generations, const sp_pool *p, uint32_t chunk, bool *wild,
                       sp_progress *progress)
{
  uint64_t live;
  sp_pool_live_bits(p, chunk, &live);
  const uint32_t first = p->chunks[chunk] * SP_CHUNK_SLOTS;
  float sizes[64];
  sp_positions places;
  uint64_t wild_bits;
  if (live == 0)
    return true;
  if (!sp_positions_of(p, first, live, &places, progress))
    return false;
  uint64_t bits = live & sizes_of(p, first, &places, sizes, &wild_bits);
  *wild = *wild || (wild_bits & bits) != 0;
  gather_word(circles, generations, p->manager, first, &places, sizes, bits);
  return true;
}

typedef struct span {
  float low, high;
} span;

/* In 64 lanes: with a single smallest number each step would wait for the one before. */
static span range_of_many(const float *numbers, uint32_t count)
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
  return (span){low[0], high[0]};
}

/* Returns the range of at least one number. */
static span range_of(const float *numbers, uint32_t count)
{
  if (count > 64)
    return range_of_many(numbers, count);
  span all = {numbers[0], numbers[0]};
  for (uint32_t i = 1; i < count; i++) {
    all.low = numbers[i] < all.low ? numbers[i] : all.low;
    all.high = numbers[i] > all.high ? numbers[i] : all.high;
  }
  return all;
}

sp_area sp_circles_area(const sp_circles *s, float *size)
{
  span x = range_of(s->x, s->count), y = range_of(s->y, s->count);
  *size = range_of(s->size, s->count).high;
  return (sp_area){x.low, x.high, y.low, y.high, sp_shape_times(&s->shape, *size)};
}

/* }== */

/* {== Grid =============================================================== */

/* {== Cells ============================================================== */

enum { SAMPLE = 32, WORTH_SAMPLING = 512 };

/* The range of a sample without its two lowest and two highest numbers. Branches would be predicted wrong. */
static span range_of_sample(const float *numbers, uint32_t count)
{
  float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (uint32_t i = 0; i < SAMPLE; i++) {
    /* Irregular steps, so that a regular pattern of slots is not mistaken for all. */
    float number = numbers[(uint64_t)(i * 2654435769u) * count >> 32], up = number, down = number;
    for (int k = 0; k < 3; k++) {
      float lower = low[k] < up ? low[k] : up, higher = high[k] > down ? high[k] : down;
      up = low[k] < up ? up : low[k];
      down = high[k] > down ? down : high[k];
      low[k] = lower;
      high[k] = higher;
    }
  }
  return (span){low[2], high[2]};
}

/* The range of most numbers, twice as wide as the sample: a few circles far away must not make all cells large. */
static span range_of_most(const float *numbers, uint32_t count)
{
  span all = range_of(numbers, count);
  if (count < WORTH_SAMPLING)
    return all;
  span most = range_of_sample(numbers, count);
  float margin = most.high * 0.5f - most.low * 0.5f;
  most.low -= margin;
  most.high += margin;
  return (span){most.low > all.low ? most.low : all.low, most.high < all.high ? most.high : all.high};
}

void sp_circle_grid_measure(sp_circle_grid *g, const sp_circles *circles)
{
  uint32_t count = circles->count;
  span x = range_of_most(circles->x, count), y = range_of_most(circles->y, count);
  /* A cell is at least a diameter wide, and so wide that there are not more cells than circles. */
  double width = (double)x.high - x.low, height = (double)y.high - y.low;
  double cell = sqrt(width * height / count), largest = range_of(circles->size, count).high, reach = largest;
  const double half = sp_shape_reach(&circles->shape);
  if (count >= WORTH_SAMPLING)
    reach = fmin(reach, fmax(4.0 * range_of_sample(circles->size, count).high, cell / 2 / half));
  g->reach = (float)reach;
  g->large = reach < largest;
  cell = fmax(cell, 2.0 * reach * half);
  cell = fmax(cell, fmax(width, height) / 4096);
  g->per_cell = (float)(1 / fmax(cell, FLT_MIN));
  g->x = x.low;
  g->y = y.low;
  g->columns = (int32_t)(width * g->per_cell) + 1;
  g->rows = (int32_t)(height * g->per_cell) + 1;
}

static size_t cells_of(const sp_circle_grid *g) { return (size_t)g->columns * (size_t)g->rows; }

size_t sp_circle_grid_size(const sp_circle_grid *g, uint32_t count)
{
  return sp_circles_size(count) + ((cells_of(g) + 4 + count) & ~(size_t)1) * sizeof(uint32_t);
}

/* }== */

/* Circles without a cell are sorted into one behind the last. */
SP_PASS void find_each_cell(const sp_circle_grid *grid, const sp_circles *circles, uint32_t *cells)
{
  const sp_circle_grid g = *grid; /* copies, which the compiler knows are not changed by the writes to `cells` */
  const sp_circles s = *circles;
  for (uint32_t i = 0; i < s.count; i++)
    cells[i] = (uint32_t)(sp_circle_grid_row(&g, s.y[i]) * g.columns + sp_circle_grid_column(&g, s.x[i]));
  for (uint32_t i = 0; g.large && i < s.count; i++)
    cells[i] = s.size[i] > g.reach ? (uint32_t)(g.columns * g.rows) : cells[i];
}

static void find_cells_narrow(const sp_circle_grid *g, const sp_circles *s, uint32_t *cells)
{
  find_each_cell(g, s, cells);
}
static SP_WIDE void find_cells_wide(const sp_circle_grid *g, const sp_circles *s, uint32_t *cells)
{
  find_each_cell(g, s, cells);
}

/* A counting sort: count the circles of each cell, sum up the starts, copy each circle to its place. Counts are kept
   two places ahead, so that the starts are right when all circles are placed. */
void sp_circle_grid_build(sp_circle_grid *g, unsigned char *block, const sp_circles *circles, bool wide)
{
  const size_t cell_count = cells_of(g) + 1;
  const uint32_t count = circles->count;
  g->sorted = sp_circles_at(block, count, &circles->shape);
  uint32_t *starts = (uint32_t *)(void *)(block + sp_circles_size(count)), *cells = starts + cell_count + 2, sum = 0;
  memset(starts, 0, (cell_count + 2) * sizeof *starts);
  (wide ? find_cells_wide : find_cells_narrow)(g, circles, cells);
  for (uint32_t i = 0; i < count; i++)
    starts[cells[i] + 2]++;
  for (size_t i = 2; i < cell_count + 2; i++)
    starts[i] = sum += starts[i];
  const sp_circles to = g->sorted, from = *circles;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = starts[cells[i] + 1]++;
    sp_circles_copy(&to, at, &from, i);
    to.index[at] = i;
  }
  pad(&to);
  g->starts = starts;
  g->large = count - starts[cell_count - 1];
}

/* }== */

/* {== Tree =============================================================== */

/* Nodes of all levels; each level is an eighth of the one below. */
static uint32_t nodes_for(uint32_t count)
{
  return (count / SP_TREE_LEAF + count / (4 * SP_TREE_LEAF) + SP_TREE_LEVELS + 2 * SP_AT_ONCE) & ~(SP_AT_ONCE - 1);
}

/* A circle that is sorted. The first of two lists of these makes room for copies of the circles afterwards. */
typedef struct keyed {
  uint64_t key;
  uint32_t at;
} keyed;

size_t sp_circle_tree_size(uint32_t count)
{
  return (size_t)nodes_for(count) * 5 * sizeof(float) + 2 * sp_circles_size(count);
}

/* Returns the bits of a number, so that greater numbers have greater bits, with a 0 before each. */
static uint64_t spread_bits(float number)
{
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  uint64_t spread = bits >> 31 ? ~bits : bits | 0x80000000u;
  spread = (spread | spread << 16) & 0x0000ffff0000ffffu;
  spread = (spread | spread << 8) & 0x00ff00ff00ff00ffu;
  spread = (spread | spread << 4) & 0x0f0f0f0f0f0f0f0fu;
  spread = (spread | spread << 2) & 0x3333333333333333u;
  return (spread | spread << 1) & 0x5555555555555555u;
}

/* Sorts by eight bits of the keys; equal ones keep their order. Returns false if all have the same: nothing is written
   then. */
static bool sort_by_byte(keyed *to, const keyed *from, uint32_t count, uint32_t shift)
{
  uint32_t next[256] = {0}, sum = 0;
  for (uint32_t i = 0; i < count; i++)
    next[from[i].key >> shift & 255]++;
  if (next[from[0].key >> shift & 255] == count)
    return false;
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t begin = sum;
    sum += next[i];
    next[i] = begin;
  }
  for (uint32_t i = 0; i < count; i++)
    to[next[from[i].key >> shift & 255]++] = from[i];
  return true;
}

/* Sorts circles along a curve that visits neighbours one after the other, at any scale: by the bits of both coordinates
   in turn. Returns false if the query must end. */
static bool sort_along_curve(const sp_circles *s, unsigned char *spare, sp_progress *progress)
{
  const uint32_t count = s->count;
  keyed *from = (keyed *)(void *)spare, *to = (keyed *)(void *)(spare + sp_circles_size(count));
  for (uint32_t i = 0; i < count; i++)
    from[i] = (keyed){spread_bits(s->y[i]) << 1 | spread_bits(s->x[i]), i};
  for (uint32_t shift = 0; shift < 64; shift += 8) {
    if (!sp_progress_spend(progress, SP_PROGRESS_CALL + count))
      return false;
    if (sort_by_byte(to, from, count, shift)) {
      keyed *sorted = to;
      to = from;
      from = sorted;
    }
  }
  const sp_circles copy = sp_circles_at((unsigned char *)to, count, &s->shape);
  for (uint32_t i = 0; i < count; i++) {
    sp_circles_copy(&copy, i, s, from[i].at);
    copy.index[i] = s->index[from[i].at];
  }
  memcpy(s->x, copy.x, count * sizeof *s->x);
  memcpy(s->y, copy.y, count * sizeof *s->y);
  memcpy(s->size, copy.size, count * sizeof *s->size);
  memcpy(s->index, copy.index, count * sizeof *s->index);
  return true;
}

static void add_leaf(sp_circle_tree *t, uint32_t leaf)
{
  const sp_circles some = sp_circle_tree_leaf(t, leaf);
  const sp_area around = sp_circles_area(&some, &t->size[leaf]);
  t->left[leaf] = around.left;
  t->right[leaf] = around.right;
  t->top[leaf] = around.top;
  t->bottom[leaf] = around.bottom;
}

/* Adds the node around up to eight nodes from `first` on. */
static void add_parent(sp_circle_tree *t, uint32_t node, uint32_t first, uint32_t count)
{
  t->left[node] = range_of(t->left + first, count).low;
  t->right[node] = range_of(t->right + first, count).high;
  t->top[node] = range_of(t->top + first, count).low;
  t->bottom[node] = range_of(t->bottom + first, count).high;
  t->size[node] = range_of(t->size + first, count).high;
}

bool sp_circle_tree_build(sp_circle_tree *t, unsigned char *block, const sp_circles *circles, sp_progress *progress)
{
  const size_t room = nodes_for(circles->count);
  float *numbers = (float *)(void *)block;
  *t = (sp_circle_tree){.left = numbers,
                        .right = numbers + room,
                        .top = numbers + 2 * room,
                        .bottom = numbers + 3 * room,
                        .size = numbers + 4 * room,
                        .circles = *circles};
  memset(block, 0, 5 * room * sizeof *numbers); /* loops may read past the last node, and ignore what they read */
  if (!sort_along_curve(circles, (unsigned char *)(numbers + 5 * room), progress))
    return false;
  uint32_t nodes = (circles->count + SP_TREE_LEAF - 1) / SP_TREE_LEAF;
  for (uint32_t i = 0; i < nodes; i++)
    add_leaf(t, i);
  t->first[1] = nodes;
  for (t->levels = 1; t->first[t->levels] - t->first[t->levels - 1] > SP_AT_ONCE; t->levels++) {
    for (uint32_t i = t->first[t->levels - 1]; i < t->first[t->levels]; i += SP_AT_ONCE, nodes++) {
      uint32_t left = t->first[t->levels] - i;
      add_parent(t, nodes, i, left < SP_AT_ONCE ? left : SP_AT_ONCE);
    }
    t->first[t->levels + 1] = nodes;
  }
  return true;
}

/* }== */
