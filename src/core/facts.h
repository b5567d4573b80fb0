/*
** Cached facts of a pool: which steps its alloc and recycle can skip. Their inputs are set by the functions below,
** sp_pool_set_hooks and sp_note_written, so no caller has to update them; a restore and a load set all of them, as
** members of the pool, and sp_pool_set_dirty last.
*/
#ifndef SP_CORE_FACTS_H
#define SP_CORE_FACTS_H

#include "core/state.h"

/* Copies the parts of a description that are neither storage nor settings. */
void sp_pool_set_behaviour(sp_pool *p, const sp_pool_desc *desc);
/* Sets resolved settings (sp_settings_resolve). A pool that begins to evict the oldest takes ownership of `ages`. */
void sp_pool_set_settings(sp_pool *p, const sp_settings *settings, const sp_ages *ages);
/* The manager is held, or no longer: nothing can skip the check of that. */
void sp_pool_set_held(sp_pool *p);
/* Makes all further allocs of the pool fail. */
void sp_pool_set_closing(sp_pool *p);
/* Sets the columns that may differ from their first value in idle slots. */
void sp_pool_set_dirty(sp_pool *p, uint64_t columns);
/* Notes that an object has a parent or child, or a timer, for the first time. */
void sp_pool_set_parents(sp_pool *p);
void sp_pool_set_timers(sp_pool *p);
/* Count an object that is neither live nor idle, or remove it from that count. */
void sp_pool_count_made(sp_pool *p);
void sp_pool_count_destroyed(sp_pool *p);
/* Records a new peak of live objects. */
void sp_pool_set_peak(sp_pool *p, uint32_t live);

#endif
