/*
** See spot_tree.h. Nodes are made level by level. Spots that are all equal cannot be cut, and need not be: a circle
** that touches one touches all of them.
*/
#include "core/spot_tree.h"

enum { CELLS = 64, SPOTS_PER_CELL = 8, COLUMNS = 7 };

/* Neighbouring children hold more than SP_TREE_LEAF spots together, so there are seldom more nodes than this. When
   there are, the remaining nodes stay larger leaves. */
static uint32_t nodes_for(uint32_t count) { return (count / 2 + CELLS + 2 * SP_AT_ONCE) & ~(SP_AT_ONCE - 1); }

size_t sp_spot_tree_size(uint32_t count)
{
  return (size_t)nodes_for(count) * COLUMNS * sizeof(float) + sp_spots_size(count) + (((size_t)count + 7) & ~(size_t)7);
}

typedef struct builder {
  sp_spot_tree *t;
  sp_spots spare; /* receives spots while they are sorted */
  uint8_t *cells; /* of spots */
} builder;

/* How a node is cut: into `columns` times `rows` cells. In doubles: the difference of two floats may be too large for a
   float. */
typedef struct cut {
  double left, top, per_x, per_y; /* cells per unit */
  uint32_t columns, rows;
} cut;

static void add_node(sp_spot_tree *t, uint32_t first, uint32_t count)
{
  const uint32_t node = t->nodes++;
  const sp_spots some = sp_spots_from(&t->spots, first, count);
  const sp_box box = sp_spots_box(&some);
  t->left[node] = box.left;
  t->right[node] = box.right;
  t->top[node] = box.top;
  t->bottom[node] = box.bottom;
  t->radius[node] = box.radius;
  t->first[node] = first;
  t->count[node] = count;
}

/* {== Cutting ============================================================ */

/* Cells are halved along the axis on which they are longer, until there are enough. */
static cut cut_of(const sp_spot_tree *t, uint32_t node)
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

/* Finds the cell of each spot. `ends` receives the number of spots up to the end of each cell. */
static void find_ends(const builder *b, const cut *c, uint32_t first, uint32_t count, uint32_t *ends)
{
  const sp_spots *s = &b->t->spots;
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

/* Spots of one cell keep their order. */
static void sort_by_cell(builder *b, uint32_t first, uint32_t count, const uint32_t *ends)
{
  const sp_spots *s = &b->t->spots, *spare = &b->spare;
  uint32_t next[CELLS];
  for (uint32_t i = 0; i < CELLS; i++)
    next[i] = first + (i > 0 ? ends[i - 1] : 0);
  for (uint32_t i = first; i < first + count; i++) {
    uint32_t at = next[b->cells[i]]++;
    sp_spots_copy(spare, at, s, i);
    spare->index[at] = s->index[i];
  }
  memcpy(s->x + first, spare->x + first, count * sizeof *s->x);
  memcpy(s->y + first, spare->y + first, count * sizeof *s->y);
  memcpy(s->radius + first, spare->radius + first, count * sizeof *s->radius);
  memcpy(s->index + first, spare->index + first, count * sizeof *s->index);
}

/* Cells with spots become children. Neighbours that have few spots together become one child. */
static void add_children(sp_spot_tree *t, uint32_t first, uint32_t cells, const uint32_t *ends)
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
  sp_spot_tree *t = b->t;
  uint32_t first = t->first[node], count = t->count[node], ends[CELLS], child = t->nodes;
  if (count <= SP_TREE_LEAF || t->room - t->nodes < CELLS)
    return;
  cut c = cut_of(t, node);
  find_ends(b, &c, first, count, ends);
  for (uint32_t i = 0; i < c.columns * c.rows; i++)
    if (ends[i] == count && (i == 0 || ends[i - 1] == 0))
      return; /* all spots are in one cell */
  sort_by_cell(b, first, count, ends);
  add_children(t, first, c.columns * c.rows, ends);
  t->first[node] = child;
  t->count[node] = (t->nodes - child) | SP_TREE_INNER;
}

/* }== */

/* Loops may read past the last node, and ignore what they read. */
static void pad(const sp_spot_tree *t)
{
  for (uint32_t i = t->nodes; i < t->nodes + SP_AT_ONCE; i++)
    t->left[i] = t->right[i] = t->top[i] = t->bottom[i] = t->radius[i] = 0;
}

bool sp_spot_tree_build(sp_spot_tree *t, unsigned char *block, const sp_spots *spots, sp_progress *progress)
{
  const size_t room = nodes_for(spots->count);
  float *numbers = (float *)(void *)block;
  uint32_t *counts = (uint32_t *)(void *)(numbers + 5 * room);
  unsigned char *spare = (unsigned char *)(counts + 2 * room);
  *t = (sp_spot_tree){.left = numbers,
                      .right = numbers + room,
                      .top = numbers + 2 * room,
                      .bottom = numbers + 3 * room,
                      .radius = numbers + 4 * room,
                      .first = counts,
                      .count = counts + room,
                      .room = (uint32_t)room - SP_AT_ONCE,
                      .spots = *spots};
  builder b = {t, sp_spots_at(spare, spots->count), spare + sp_spots_size(spots->count)};
  add_node(t, 0, spots->count);
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
