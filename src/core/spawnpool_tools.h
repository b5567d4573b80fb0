/*
** spawnpool, for tools and for bindings to other languages: what a game does not need. Bindings undo an alloc whose
** constructor failed, and open managers one after the other under one id; tools show every slot.
*/
#ifndef SPAWNPOOL_TOOLS_H
#define SPAWNPOOL_TOOLS_H

#include "spawnpool.h"

#ifdef __cplusplus
extern "C" {
#endif

/* {== Managers and objects =============================================== */

/* True inside a hook, a callback, a query or an update, while an object is open or the manager closes: as SP_BUSY. */
SP_API bool sp_manager_is_busy(const sp_manager *manager);
/* The `first_generation` for a successor of this manager with the same id: all references of this manager, including
   those that it creates while it closes, are stale there. At `last_generation` there can be no successor. */
SP_API uint32_t sp_next_generation(const sp_manager *manager);

/* Undoes the alloc of an object. Like any end of a life, also for its children and timers, but without hooks.recycle
   and on_despawn, and not counted as alloc or recycle. Or SP_STALE. */
SP_API sp_result sp_alloc_undo(sp_manager *manager, sp_ref object);

/* The number of an object within its type, from 1: "Bullet#12". Known for stale references too. */
SP_API uint32_t sp_object_number(const sp_manager *manager, sp_ref object);
SP_API bool sp_pool_has_parents(const sp_pool *pool); /* false: no object of the pool ever was a parent or a child */

/* {== Slots ============================================================== */

/* The state of a slot: empty, with an idle object, a live one, one that is spawning or dying, or never used again. */
typedef enum sp_slot_state {
  SP_SLOT_EMPTY,
  SP_SLOT_IDLE,
  SP_SLOT_LIVE,
  SP_SLOT_ENDING,
  SP_SLOT_RETIRED,
  SP_SLOT_STATE_COUNT
} sp_slot_state;

/* A slot of a pool, for a tool that shows all of them. */
typedef struct sp_slot {
  sp_ref object; /* 0 in a slot that holds none; of an idle one for reading, as sp_pool_idle_at */
  sp_slot_state state;
  float age; /* game seconds; 0 unless live */
} sp_slot;

/* Fills `out` with `count` slots from `first` on, in the order of walks (a pool has sp_pool_chunks * SP_CHUNK_SLOTS);
   returns how many. */
SP_API uint32_t sp_pool_slots(const sp_pool *pool, uint32_t first, uint32_t count, sp_slot *out);
/* The index of a reference's slot among these, also of a stale one; UINT32_MAX when it is not of this pool. */
SP_API uint32_t sp_pool_slot_of(const sp_pool *pool, sp_ref object);
/* How many timers a life has; `next` (may be NULL) receives the seconds until the first one is due, or infinity. */
SP_API uint32_t sp_object_timers(const sp_manager *manager, sp_ref object, double *next);
/* Fills `out` with children of a live object, at most `most` of them; returns how many it has. */
SP_API uint32_t sp_object_children(const sp_manager *manager, sp_ref parent, sp_ref *out, uint32_t most);

/* }== */

#ifdef __cplusplus
}
#endif
#endif
