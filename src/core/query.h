/*
** Common parts of queries: positions of the objects of 64 slots in arrays, for loops without branches, and the progress
** callback of the manager, which is called now and then and may end the query.
*/
#ifndef SP_CORE_QUERY_H
#define SP_CORE_QUERY_H

#include "core/simd.h"
#include "core/state.h"

/* Units of work between two questions. A unit takes a few nanoseconds; a call of a visitor, or a parent in the chain of
   one, counts for more. A question every 50 us or so costs nothing and is soon enough for any watchdog. */
#define SP_PROGRESS_UNITS 16384u
#define SP_PROGRESS_CALL 16u
#define SP_PROGRESS_PARENT 8u

typedef struct sp_progress {
  const sp_manager *m;
  uint32_t spent; /* since the last question */
  bool stopped;   /* the callback has returned false */
} sp_progress;

/* Asks the callback. Returns false if the query must end. */
bool sp_progress_ask(sp_progress *progress);

/* Counts `units` of work, less than 2^31. Returns false if the query must end. */
static inline bool sp_progress_spend(sp_progress *progress, uint32_t units)
{
  progress->spent += units;
  return progress->spent < SP_PROGRESS_UNITS || sp_progress_ask(progress);
}

typedef struct sp_positions {
  float x[64], y[64];
  uint64_t live; /* bit i: position i is that of a live object; others are undefined */
} sp_positions;

/* Of a pool whose objects have a place: of the chunk with the slots from `first` on; `live` are its bits. Counts the
   work. Returns false if the query must end: it may take long when parents are nested deeply. */
bool sp_positions_of(const sp_pool *p, uint32_t first, uint64_t live, sp_positions *positions, sp_progress *progress);

/* The sizes (see sp_shape) of a chunk of slots, never negative. Returns the bits of those that are finite in every
   respect; `wild` receives the bits of those that are so far away, large or small that squares of floats overflow or
   come to nothing. */
uint64_t sp_positions_sizes(const sp_pool *p, uint32_t first, const sp_positions *positions, float *sizes,
                            uint64_t *wild);

#endif
