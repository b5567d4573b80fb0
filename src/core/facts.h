/*
** Cached facts of a pool: what its alloc and recycle can leave out. Whatever they follow from is set by the functions
** below, sp_pool_set_hooks and sp_note_written, and nowhere else: no caller has to bring them up to date.
*/
#ifndef SP_CORE_FACTS_H
#define SP_CORE_FACTS_H

#include "core/state.h"

/* Takes over what of a description is neither storage nor settings. */
void sp_pool_set_behaviour(sp_pool *p, const sp_pool_desc *desc);
/* Settings as sp_settings_resolve makes them. A pool that begins to evict the oldest takes over `ages`. */
void sp_pool_set_settings(sp_pool *p, const sp_settings *settings, const sp_ages *ages);
/* The pool hands out nothing any more. */
void sp_pool_set_closing(sp_pool *p);
/* The columns that may differ from their first value in idle slots. */
void sp_pool_set_dirty(sp_pool *p, uint64_t columns);
/* An object has a parent, a child, or a timer for the first time. */
void sp_pool_set_parents(sp_pool *p);
void sp_pool_set_timers(sp_pool *p);
/* One more object, or one less, that is neither live nor idle as yet. */
void sp_pool_count_made(sp_pool *p);
void sp_pool_count_destroyed(sp_pool *p);
/* More objects live than ever before. */
void sp_pool_set_peak(sp_pool *p, uint32_t live);

/* The part of a pool's past that these follow from, as a snapshot or a save holds it. */
typedef struct sp_pool_past {
  uint32_t made, loose, peak;
  double peak_time;
  uint64_t dirty;
  bool has_parents, has_timers;
} sp_pool_past;
/* Gives the pool another past. */
void sp_pool_set_past(sp_pool *p, const sp_pool_past *past);

#endif
