#include "core/circles.h"

#include <float.h>

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

void sp_circles_pad(const sp_circles *s)
{
  for (uint32_t i = s->count; i < s->count + SP_AT_ONCE; i++)
    s->x[i] = s->y[i] = s->size[i] = 0;
}

/* Appends the slots of a word whose bits are set. Mostly all are set, and the word is copied as a whole. */
static void gather_word(sp_circles *to, uint32_t *generations, const sp_manager *m, uint32_t first,
                        const sp_positions *positions, const float *sizes, uint64_t bits)
{
  const sp_life *life = sp_slot_chunk(m, first)->life;
  uint32_t count = to->count;
  if (bits == UINT64_MAX) {
    memcpy(to->x + count, positions->x, sizeof positions->x);
    memcpy(to->y + count, positions->y, sizeof positions->y);
    memcpy(to->size + count, sizes, sizeof positions->x);
    for (uint32_t i = 0; i < 64; i++) {
      generations[count + i] = life[i].generation;
      to->index[count + i] = first + i;
    }
    to->count += 64;
    return;
  }
  for (; bits; bits &= bits - 1, count++) {
    uint32_t i = (uint32_t)__builtin_ctzll(bits);
    to->x[count] = positions->x[i];
    to->y[count] = positions->y[i];
    to->size[count] = sizes[i];
    generations[count] = life[i].generation;
    to->index[count] = first + i;
  }
  to->count = count;
}

bool sp_circles_gather(sp_circles *circles, uint32_t *generations, const sp_pool *p, uint32_t chunk, bool *wild,
                       sp_progress *progress)
{
  const uint64_t live = *sp_pool_live_bits(p, chunk);
  const uint32_t first = p->seats[chunk].chunk * SP_CHUNK_SLOTS;
  float sizes[64];
  sp_positions positions;
  uint64_t wild_bits;
  if (live == 0)
    return true;
  if (!sp_positions_of(p, first, live, &positions, progress))
    return false;
  uint64_t bits = live & sp_positions_sizes(p, first, &positions, sizes, &wild_bits);
  *wild = *wild || (wild_bits & bits) != 0;
  gather_word(circles, generations, p->manager, first, &positions, sizes, bits);
  return true;
}

/* In 64 lanes: with a single smallest number each step would wait for the one before. */
static sp_range range_of_many(const float *numbers, uint32_t count)
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
  return (sp_range){low[0], high[0]};
}

sp_range sp_range_of(const float *numbers, uint32_t count)
{
  if (count > 64)
    return range_of_many(numbers, count);
  sp_range range = {numbers[0], numbers[0]};
  for (uint32_t i = 1; i < count; i++) {
    range.low = numbers[i] < range.low ? numbers[i] : range.low;
    range.high = numbers[i] > range.high ? numbers[i] : range.high;
  }
  return range;
}

sp_area sp_circles_area(const sp_circles *s, float *size)
{
  sp_range x = sp_range_of(s->x, s->count), y = sp_range_of(s->y, s->count);
  *size = sp_range_of(s->size, s->count).high;
  return (sp_area){x.low, x.high, y.low, y.high, sp_shape_times(&s->shape, *size)};
}

/* }== */

/* {== Grid =============================================================== */

/* {== Cells ============================================================== */

enum { SAMPLE = 32, WORTH_SAMPLING = 512 };

/* The range of a sample without its two lowest and two highest numbers. Branches would be predicted wrong. */
static sp_range range_of_sample(const float *numbers, uint32_t count)
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
  return (sp_range){low[2], high[2]};
}

/* The range of most numbers, twice as wide as the sample: a few circles far away must not make all cells large. */
static sp_range range_of_most(const float *numbers, uint32_t count)
{
  sp_range all = sp_range_of(numbers, count);
  if (count < WORTH_SAMPLING)
    return all;
  sp_range most = range_of_sample(numbers, count);
  float margin = most.high * 0.5f - most.low * 0.5f;
  most.low -= margin;
  most.high += margin;
  return (sp_range){most.low > all.low ? most.low : all.low, most.high < all.high ? most.high : all.high};
}

void sp_circle_grid_measure(sp_circle_grid *g, const sp_circles *circles)
{
  uint32_t count = circles->count;
  sp_range x = range_of_most(circles->x, count), y = range_of_most(circles->y, count);
  /* A cell is at least a diameter wide, and so wide that there are not more cells than circles. */
  double width = (double)x.high - x.low, height = (double)y.high - y.low;
  double cell = sqrt(width * height / count), largest = sp_range_of(circles->size, count).high, reach = largest;
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
  sp_circles_pad(&to);
  g->starts = starts;
  g->large = count - starts[cell_count - 1];
}

/* }== */

/* {== Tree =============================================================== */

enum { CELLS = 64, SPOTS_PER_CELL = 8, COLUMNS = 7 };

/* Neighbouring children hold more than SP_TREE_LEAF circles together, so there are seldom more nodes than this. When
   there are, the remaining nodes stay larger leaves. */
static uint32_t nodes_for(uint32_t count) { return (count / 2 + CELLS + 2 * SP_AT_ONCE) & ~(SP_AT_ONCE - 1); }

size_t sp_circle_tree_size(uint32_t count)
{
  return (size_t)nodes_for(count) * COLUMNS * sizeof(float) + sp_circles_size(count) +
         (((size_t)count + 7) & ~(size_t)7);
}

typedef struct builder {
  sp_circle_tree *t;
  sp_circles spare; /* receives circles while they are sorted */
  uint8_t *cells;   /* of circles */
} builder;

/* How a node is cut: into `columns` times `rows` cells. In doubles: the difference of two floats may be too large for a
   float. */
typedef struct cut {
  double left, top, per_x, per_y; /* cells per unit */
  uint32_t columns, rows;
} cut;

static void add_node(sp_circle_tree *t, uint32_t first, uint32_t count)
{
  const uint32_t node = t->nodes++;
  const sp_circles some = sp_circles_from(&t->circles, first, count);
  const sp_area area = sp_circles_area(&some, &t->size[node]);
  t->left[node] = area.left;
  t->right[node] = area.right;
  t->top[node] = area.top;
  t->bottom[node] = area.bottom;
  t->first[node] = first;
  t->count[node] = count;
}

/* {== Cutting ============================================================ */

/* Cells are halved along the axis on which they are longer, until there are enough. */
static cut cut_of(const sp_circle_tree *t, uint32_t node)
{
  uint32_t wanted = t->count[node] / SPOTS_PER_CELL;
  double width = (double)t->right[node] - t->left[node], height = (double)t->bottom[node] - t->top[node];
  cut c = {.left = t->left[node], .top = t->top[node], .columns = 1, .rows = 1};
  while (2 * c.columns * c.rows <= (wanted < CELLS ? wanted : CELLS))
    *(width / c.columns >= height / c.rows ? &c.columns : &c.rows) *= 2;
  c.per_x = width > 0 ? c.columns / width : 0;
  c.per_y = height > 0 ? c.rows / height : 0;
  return c;
}

static inline uint32_t cell_at(double at, uint32_t count) { return (uint32_t)at < count ? (uint32_t)at : count - 1; }

/* Finds the cell of each circle. `ends` receives the number of circles up to the end of each cell. */
static void find_ends(const builder *b, const cut *c, uint32_t first, uint32_t count, uint32_t *ends)
{
  const sp_circles *s = &b->t->circles;
  uint32_t sum = 0;
  memset(ends, 0, CELLS * sizeof *ends);
  for (uint32_t i = first; i < first + count; i++)
    b->cells[i] = (uint8_t)(cell_at((s->y[i] - c->top) * c->per_y, c->rows) * c->columns +
                            cell_at((s->x[i] - c->left) * c->per_x, c->columns));
  for (uint32_t i = first; i < first + count; i++)
    ends[b->cells[i]]++;
  for (uint32_t i = 0; i < CELLS; i++)
    ends[i] = sum += ends[i];
}

/* Circles of one cell keep their order. */
static void sort_by_cell(builder *b, uint32_t first, uint32_t count, const uint32_t *ends)
{
  const sp_circles *s = &b->t->circles, *spare = &b->spare;
  uint32_t next[CELLS];
  for (uint32_t i = 0; i < CELLS; i++)
    next[i] = first + (i > 0 ? ends[i - 1] : 0);
  for (uint32_t i = first; i < first + count; i++) {
    uint32_t at = next[b->cells[i]]++;
    sp_circles_copy(spare, at, s, i);
    spare->index[at] = s->index[i];
  }
  memcpy(s->x + first, spare->x + first, count * sizeof *s->x);
  memcpy(s->y + first, spare->y + first, count * sizeof *s->y);
  memcpy(s->size + first, spare->size + first, count * sizeof *s->size);
  memcpy(s->index + first, spare->index + first, count * sizeof *s->index);
}

/* Cells with circles become children. Neighbours that have few circles together become one child. */
static void add_children(sp_circle_tree *t, uint32_t first, uint32_t cells, const uint32_t *ends)
{
  uint32_t begin = 0;
  for (uint32_t i = 0; i < cells; i++)
    if (ends[i] > begin && (i + 1 == cells || ends[i + 1] - begin > SP_TREE_LEAF)) {
      add_node(t, first + begin, ends[i] - begin);
      begin = ends[i];
    }
}

static void cut_node(builder *b, uint32_t node)
{
  sp_circle_tree *t = b->t;
  uint32_t first = t->first[node], count = t->count[node], ends[CELLS], child = t->nodes;
  if (count <= SP_TREE_LEAF || t->room - t->nodes < CELLS)
    return;
  cut c = cut_of(t, node);
  find_ends(b, &c, first, count, ends);
  for (uint32_t i = 0; i < c.columns * c.rows; i++)
    if (ends[i] == count && (i == 0 || ends[i - 1] == 0))
      return; /* all circles are in one cell */
  sort_by_cell(b, first, count, ends);
  add_children(t, first, c.columns * c.rows, ends);
  t->first[node] = child;
  t->count[node] = (t->nodes - child) | SP_TREE_INNER;
}

/* }== */

/* Loops may read past the last node, and ignore what they read. */
static void pad(const sp_circle_tree *t)
{
  for (uint32_t i = t->nodes; i < t->nodes + SP_AT_ONCE; i++)
    t->left[i] = t->right[i] = t->top[i] = t->bottom[i] = t->size[i] = 0;
}

bool sp_circle_tree_build(sp_circle_tree *t, unsigned char *block, const sp_circles *circles, sp_progress *progress)
{
  const size_t room = nodes_for(circles->count);
  float *numbers = (float *)(void *)block;
  uint32_t *counts = (uint32_t *)(void *)(numbers + 5 * room);
  unsigned char *spare = (unsigned char *)(counts + 2 * room);
  *t = (sp_circle_tree){.left = numbers,
                        .right = numbers + room,
                        .top = numbers + 2 * room,
                        .bottom = numbers + 3 * room,
                        .size = numbers + 4 * room,
                        .first = counts,
                        .count = counts + room,
                        .room = (uint32_t)room - SP_AT_ONCE,
                        .circles = *circles};
  builder b = {t, sp_circles_at(spare, circles->count, &circles->shape), spare + sp_circles_size(circles->count)};
  add_node(t, 0, circles->count);
  uint32_t node = 0;
  for (uint32_t depth = 1; depth < SP_TREE_DEPTH && node < t->nodes; depth++)
    for (uint32_t end = t->nodes; node < end; node++) {
      if (!sp_progress_spend(progress, SP_PROGRESS_CALL + t->count[node]))
        return false;
      cut_node(&b, node);
    }
  pad(t);
  return true;
}

/* }== */
