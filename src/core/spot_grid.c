/*
** See spot_grid.h.
*/
#include "core/spot_grid.h"

#include <float.h>

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

/* The range of most numbers, twice as wide as the sample: a few spots far away must not make all cells large. */
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

void sp_spot_grid_measure(sp_spot_grid *g, const sp_spots *spots)
{
  uint32_t count = spots->count;
  sp_range x = range_of_most(spots->x, count), y = range_of_most(spots->y, count);
  /* A cell is at least a diameter wide, and so wide that there are not more cells than spots. */
  double width = (double)x.high - x.low, height = (double)y.high - y.low;
  double cell = sqrt(width * height / count), largest = sp_range_of(spots->radius, count).high, reach = largest;
  if (count >= WORTH_SAMPLING)
    reach = fmin(reach, fmax(4.0 * range_of_sample(spots->radius, count).high, cell / 2));
  g->reach = (float)reach;
  g->large = reach < largest;
  cell = fmax(cell, 2.0 * reach);
  cell = fmax(cell, fmax(width, height) / 4096);
  g->per_cell = (float)(1 / fmax(cell, FLT_MIN));
  g->x = x.low;
  g->y = y.low;
  g->columns = (int32_t)(width * g->per_cell) + 1;
  g->rows = (int32_t)(height * g->per_cell) + 1;
}

static size_t cells_of(const sp_spot_grid *g) { return (size_t)g->columns * (size_t)g->rows; }

size_t sp_spot_grid_size(const sp_spot_grid *g, uint32_t count)
{
  return sp_spots_size(count) + ((cells_of(g) + 4 + count) & ~(size_t)1) * sizeof(uint32_t);
}

/* }== */

/* Spots without a cell are sorted into one behind the last. */
SP_PASS void find_each_cell(const sp_spot_grid *grid, const sp_spots *spots, uint32_t *cells)
{
  const sp_spot_grid g = *grid; /* copies, which the compiler knows are not changed by the writes to `cells` */
  const sp_spots s = *spots;
  for (uint32_t i = 0; i < s.count; i++)
    cells[i] = (uint32_t)(sp_spot_grid_row(&g, s.y[i]) * g.columns + sp_spot_grid_column(&g, s.x[i]));
  for (uint32_t i = 0; g.large && i < s.count; i++)
    cells[i] = s.radius[i] > g.reach ? (uint32_t)(g.columns * g.rows) : cells[i];
}

static void find_cells_narrow(const sp_spot_grid *g, const sp_spots *s, uint32_t *cells)
{
  find_each_cell(g, s, cells);
}
static SP_WIDE void find_cells_wide(const sp_spot_grid *g, const sp_spots *s, uint32_t *cells)
{
  find_each_cell(g, s, cells);
}

/* A counting sort: count the spots of each cell, sum up the starts, copy each spot to its place. Counts are kept two
   places ahead, so that the starts are right when all spots are placed. */
void sp_spot_grid_build(sp_spot_grid *g, unsigned char *block, const sp_spots *spots, bool wide)
{
  const size_t cell_count = cells_of(g) + 1;
  const uint32_t count = spots->count;
  g->sorted = sp_spots_at(block, count);
  uint32_t *starts = (uint32_t *)(void *)(block + sp_spots_size(count)), *cells = starts + cell_count + 2, sum = 0;
  memset(starts, 0, (cell_count + 2) * sizeof *starts);
  (wide ? find_cells_wide : find_cells_narrow)(g, spots, cells);
  for (uint32_t i = 0; i < count; i++)
    starts[cells[i] + 2]++;
  for (size_t i = 2; i < cell_count + 2; i++)
    starts[i] = sum += starts[i];
  const sp_spots to = g->sorted, from = *spots;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = starts[cells[i] + 1]++;
    sp_spots_copy(&to, at, &from, i);
    to.index[at] = i;
  }
  sp_spots_pad(&to);
  g->starts = starts;
  g->large = count - starts[cell_count - 1];
}
