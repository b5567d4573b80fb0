/*
** Gathers the world positions of the objects of 64 slots into arrays, for loops without branches.
*/
#ifndef SP_CORE_PLACES_H
#define SP_CORE_PLACES_H

#include "core/progress.h"
#include "core/wide.h"

typedef struct sp_places {
  float x[64], y[64];
  uint64_t live; /* bit i: position i is that of a live object; others are undefined */
} sp_places;

/* Of a pool whose objects have a place; `live` are the bits of the word. Counts the work. Returns false if the query
   must end: it may take long when parents are nested deeply. */
bool sp_places_of(const sp_pool *p, uint32_t word, uint64_t live, sp_places *places, sp_progress *progress);

/* distances[i] is the square of the distance between place i and `x`, `y`. In doubles, so that no square of a float
   overflows or underflows. */
SP_PASS void sp_places_apart(const sp_places *places, float x, float y, double *restrict distances)
{
  for (uint32_t i = 0; i < 64; i++) {
    double dx = (double)places->x[i] - x, dy = (double)places->y[i] - y;
    distances[i] = dx * dx + dy * dy;
  }
}

/* The radii of a word of slots as drawn, never negative. Returns the bits of those that are finite in every respect;
   `wild` receives the bits of those that are so far away, large or small that squares of floats overflow
   or come to nothing. */
uint64_t sp_places_radii(const sp_pool *p, uint32_t word, const sp_places *places, float *radii, uint64_t *wild);

#endif
