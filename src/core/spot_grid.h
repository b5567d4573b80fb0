/*
** A grid of spots. They are sorted by cell, row by row, so that neighbouring cells of a row lie side by side.
*/
#ifndef SP_CORE_SPOT_GRID_H
#define SP_CORE_SPOT_GRID_H

#include "core/spots.h"

/* The cells cover the box of most spots, and there are about as many cells as spots. Spots outside are in the nearest
   cell. */
typedef struct sp_spot_grid {
  float x, y, per_cell; /* per_cell: cells per unit */
  float reach;          /* the largest radius in a cell; larger spots have no cell */
  int32_t columns, rows;
  uint32_t *starts; /* where each cell begins in `sorted`, and where the last one ends */
  sp_spots sorted;  /* spots without a cell come last */
  uint32_t large;   /* how many have no cell */
} sp_spot_grid;

/* Chooses the cells for `spots`, of which there must be one at least. */
void sp_spot_grid_measure(sp_spot_grid *grid, const sp_spots *spots);
/* Bytes that the grid needs then; a multiple of 8. */
size_t sp_spot_grid_size(const sp_spot_grid *grid, uint32_t count);
/* Sorts a copy of `spots` into the cells. `wide` as in the manager. */
void sp_spot_grid_build(sp_spot_grid *grid, unsigned char *block, const sp_spots *spots, bool wide);

/* NaN becomes 0. This form needs no branch. */
SP_PASS int32_t sp_spot_grid_clamp(float at, int32_t count)
{
  float last = (float)(count - 1);
  at = at > 0 ? at : 0;
  at = at < last ? at : last;
  return (int32_t)at;
}
SP_PASS int32_t sp_spot_grid_column(const sp_spot_grid *grid, float x)
{
  return sp_spot_grid_clamp((x - grid->x) * grid->per_cell, grid->columns);
}
SP_PASS int32_t sp_spot_grid_row(const sp_spot_grid *grid, float y)
{
  return sp_spot_grid_clamp((y - grid->y) * grid->per_cell, grid->rows);
}

#endif
