/*
** Queries that can take long count their work, and ask the manager's progress callback now and then whether to go on.
*/
#ifndef SP_CORE_PROGRESS_H
#define SP_CORE_PROGRESS_H

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

#endif
