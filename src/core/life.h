/*
** What other files call of those that begin, move and end lives: recycle.c, parents.c, timer.c, motion.c.
*/
#ifndef SP_CORE_LIFE_H
#define SP_CORE_LIFE_H

#include "core/state.h"

/* Takes a slot back whose life is over, but for its generation. */
void sp_slot_release(sp_pool *p, uint32_t slot);
/* How the hook `recycle` of a pool, its override, takes part in the end of a life. */
typedef enum sp_end_by {
  SP_END_BY_OVERRIDE, /* it decides, and may veto */
  SP_END_BY_FORCE,    /* it is called, but cannot veto */
  SP_END_BY_BASE      /* it is not called */
} sp_end_by;

/* Ends the life in `slot`, which must be live. Returns SP_OK or SP_VETOED. Hooks run. */
sp_result sp_end(sp_manager *m, uint32_t slot, sp_why why, sp_end_by by);
/* sp_end of a life whose time has come: SP_WHY_EXPIRED, SP_END_BY_OVERRIDE. */
void sp_expire(sp_manager *m, uint32_t slot);

/* Computes where a slot is in the world; its pool must have a place. Returns how many parents it is inside. */
uint32_t sp_slot_world_place(const sp_manager *m, uint32_t slot, sp_place *world);
/* Unlinks the life in `slot`, which ends: its children end or go on as their pools say. */
void sp_parents_end(sp_pool *p, uint32_t slot);
/* Makes the object in `child` the first child of that in `parent`. Returns false when memory is refused. */
bool sp_parents_link(sp_manager *m, uint32_t child, uint32_t parent);
/* Returns the last child of a slot, plus one; 0: it has none. */
uint32_t sp_last_child(const sp_manager *m, uint32_t slot);
/* Goes along all children: returns the one after `at`, slots plus one and 0 at either end. Children come before their
   own, and the last of a parent first, as they have to be linked. `root`, 0 at first, is where to look on. */
uint32_t sp_next_child(const sp_manager *m, uint32_t at, uint32_t *root);
/* Returns the parent of a slot, or 0. */
static inline sp_ref sp_slot_parent(const sp_manager *m, uint32_t slot)
{
  const sp_family *family = sp_slot_lives(m, slot)->family;
  return family ? family[slot & SP_CHUNK_MASK].parent : SP_NONE_REF;
}

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

/* Moves all objects by `dt` seconds. */
void sp_pool_move(sp_pool *p, float dt);

/* Runs one update for all objects of a pool. */
void sp_pool_bend(sp_pool *p);
/* Sets the fields of a life that begins to the first points of their curves. */
void sp_life_apply_curves(sp_pool *p, uint32_t slot);

/* Runs one update for all objects of a pool. */
void sp_pool_bound(sp_pool *p);

#endif
