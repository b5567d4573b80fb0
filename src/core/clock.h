/*
** Ticks and seconds.
*/
#ifndef SP_CORE_CLOCK_H
#define SP_CORE_CLOCK_H

#include "core/state.h"

/* Return the ticks until `seconds` have passed; as a whole number, rounded up, at least 1. A small tolerance absorbs
   the rounding error of 1/60. */
static inline double sp_ticks_until(const sp_manager *m, double seconds) { return (m->spare + seconds) * m->rate; }
static inline uint32_t sp_whole_ticks(double ticks) /* below 2^31 */
{
  uint32_t whole = (uint32_t)(int32_t)(ticks + (1 - 1e-6));
  return whole + (whole == 0);
}

/* Returns the tick at which `seconds` from now have passed. */
static inline uint64_t sp_due_tick(const sp_manager *m, double seconds)
{
  double ticks = sp_ticks_until(m, seconds);
  return m->tick + (ticks < 1e9 ? sp_whole_ticks(ticks) : (uint64_t)ceil(ticks - 1e-6));
}
/* Reserves memory for the end of one life in any slot. False when out of memory. */
static inline bool sp_lives_reserve(sp_manager *m)
{
  bool ready = sp_wheel_is_ready(&m->lives, m->slots.reach);
  return ready || sp_wheel_reserve(&m->lives, &m->memory, m->chunk_capacity * SP_CHUNK_SLOTS);
}

/* Lets the life in `slot` end by itself `seconds` from now. Needs sp_lives_reserve. */
static inline void sp_life_set_end(sp_manager *m, uint32_t slot, double lifetime, double seconds)
{
  sp_wheel_set(&m->lives, slot, lifetime, sp_due_tick(m, seconds));
}

#endif
