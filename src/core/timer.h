/*
** Timers of lives, and of the manager.
*/
#ifndef SP_CORE_TIMER_H
#define SP_CORE_TIMER_H

#include "core/state.h"

/* Returns the record at `index`, which must be less than timer_capacity. */
static inline sp_timer_record *sp_timer_at(const sp_manager *m, uint32_t index)
{
  return &m->timers[index / SP_CHUNK_SLOTS].records[index % SP_CHUNK_SLOTS];
}

/* Returns whether a record is in use: its generation is odd then. */
static inline bool sp_timer_is_used(const sp_timer_record *timer) { return timer->life.generation & 1; }

/* Returns the seconds until a timer is due. */
static inline double sp_timer_wait(const sp_manager *m, const sp_timer_record *timer)
{
  return timer->from + (double)timer->fired * timer->period - m->time;
}

/* Calls on_timer for the record at `index`, which is due; ends it, or arms it again. */
void sp_timer_fire(sp_manager *m, uint32_t index);
/* Returns where the list of a slot's timers begins; NULL when its chunk has none and `make` is false, or memory is
   refused. */
uint32_t *sp_timer_first(sp_manager *m, uint32_t slot, bool make);
/* Ends all timers of the life in `slot`. */
void sp_timers_end(sp_manager *m, uint32_t slot);
/* Ends all timers of the manager itself. */
void sp_manager_timers_end(sp_manager *m);
void sp_timers_free(sp_manager *m);
/* Makes room for `capacity` records. Returns false when memory is refused. */
bool sp_timers_reserve(sp_manager *m, uint32_t capacity);
/* Goes along all records in lists: returns the one after `at`, both plus one and 0 at either end. Free ones come first,
   then those of each life; `slot`, 0 at first, is where to look on. */
uint32_t sp_timers_next(const sp_manager *m, uint32_t at, uint32_t *slot);
/* Makes room for one more timer that is due, in a record that exists; false when memory is refused. */
bool sp_timer_reserve(sp_manager *m, uint32_t index);
/* Frees the records from `first` on; `free_timer` is the first one of those that are free already, plus one. */
void sp_timers_restore(sp_manager *m, uint32_t first, uint32_t free_timer);

#endif
