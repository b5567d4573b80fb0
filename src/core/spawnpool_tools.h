/*
** spawnpool, for tools and for bindings to other languages: what a game does not need. Bindings open an object, fill it
** and commit it, and undo an alloc whose constructor failed; tools show every slot.
*/
#ifndef SPAWNPOOL_TOOLS_H
#define SPAWNPOOL_TOOLS_H

#include "spawnpool.h"

#ifdef __cplusplus
extern "C" {
#endif

/* {== The library ======================================================== */

/* SP_VERSION of the library, which is not that of the header where a program was given another one. */
SP_API const char *sp_version(void);
/* Return static strings, never NULL: "stale", "expired". */
SP_API const char *sp_result_name(sp_result result);
SP_API const char *sp_why_name(sp_why why);

/* {== Managers =========================================================== */

/* True inside a hook, a callback, a query or an update, while an object is open or the manager closes: as SP_BUSY. */
SP_API bool sp_manager_is_busy(const sp_manager *manager);
/* Frees a manager at once without calling hooks or timer callbacks. Also from inside a hook or an update, into which
   the program must not return then; memory in use by a running query stays allocated. NULL is allowed. */
SP_API void sp_manager_discard(sp_manager *manager);
/* The sums over all pools; their peak together is the highest that an update or this call has seen. */
SP_API void sp_manager_stats(const sp_manager *manager, sp_stats *stats);
/* About every 50 us of their own work, sp_pool_within, _nearest and _overlaps call `progress` (NULL: never), which may
   only read. When it returns false they end with SP_INTERRUPTED and the number of calls so far; nearest with 0. */
typedef bool (*sp_progress_fn)(void *ud);
SP_API void sp_manager_set_progress(sp_manager *manager, sp_progress_fn progress, void *ud);

/* For hosts that poll instead of being called back. The list is the host's own memory: `count` pairs were found, the
   first `most` of them are written, and nothing is allocated. */
typedef struct sp_pair {
  sp_ref object, other; /* of an end: what ended, and its sp_why */
} sp_pair;
typedef struct sp_pairs {
  sp_pair *list;
  uint32_t most, count;
} sp_pairs;
/* Adds a pair to an sp_pairs: the `fn` of sp_pool_overlaps, with the list as `ud`. */
SP_API void sp_pairs_add(void *pairs, sp_ref object, sp_ref other);
/* From the next update on, each sp_manager_update begins `ends` anew and lists the lives that end in it, in that order:
   expired, outside, with their parent, or evicted, but not those that a hook recycles. A veto is no end. `ends` must
   stay until the next call of this, which an update must not contain. NULL: no list. */
SP_API void sp_manager_list_ends(sp_manager *manager, sp_pairs *ends);

/* {== Objects ============================================================ */

/* sp_pool_alloc in two steps, to write fields before on_spawn sees them: begin, write, commit or cancel at once. Only
   the field functions may be called in between. sp_alloc_begin is SP_BUSY while another object is open; for an object
   that is not open, commit returns SP_STALE and cancel does nothing. */
SP_API sp_ref sp_alloc_begin(sp_pool *pool, double lifetime, sp_result *result);
SP_API sp_ref sp_alloc_commit(sp_manager *manager, sp_ref object, sp_result *result);
SP_API void sp_alloc_cancel(sp_manager *manager, sp_ref object);
/* Undoes the alloc of an object: like any end of a life, with SP_WHY_CANCELLED, but without hooks.recycle, and not
   counted as alloc or recycle. SP_STALE, SP_BUSY. */
SP_API sp_result sp_alloc_undo(sp_manager *manager, sp_ref object);

/* For hooks.recycle: recycles without the override. Outside of hooks.recycle, a live object is recycled and its
   override is skipped. Else SP_STALE, SP_FOREIGN, or SP_DYING when it was called for this object already. */
SP_API sp_result sp_object_recycle_base(sp_manager *manager, sp_ref object);
/* SP_OK for an object that is live, in a hook, or idle (sp_pool_next_idle); SP_STALE, SP_FOREIGN. Counts a stale use.
 */
SP_API sp_result sp_object_check(sp_manager *manager, sp_ref object);
/* The number of an object within its type, from 1: "Bullet#12". Known for stale references too. */
SP_API uint32_t sp_object_number(const sp_manager *manager, sp_ref object);
/* Age and lifetime in game seconds; a lifetime of 0 has no end. 0 when stale. */
SP_API double sp_object_age(const sp_manager *manager, sp_ref object);
SP_API double sp_object_lifetime(const sp_manager *manager, sp_ref object);
/* The size of an object's box, or of the square around its circle, with its scale. False when it is stale or has no
   place. */
SP_API bool sp_object_box(const sp_manager *manager, sp_ref object, sp_box *box);
/* How many timers a life has; `next` (may be NULL) receives the seconds until the first one is due, or infinity. */
SP_API uint32_t sp_object_timers(const sp_manager *manager, sp_ref object, double *next);
/* Fills `out` with children of a live object, at most `most` of them; returns how many it has. */
SP_API uint32_t sp_object_children(const sp_manager *manager, sp_ref parent, sp_ref *out, uint32_t most);

/* {== Pools ============================================================== */

SP_API void sp_pool_set_hooks(sp_pool *pool, const sp_pool_hooks *hooks); /* replaces the hooks alone */
SP_API bool sp_pool_has_parents(const sp_pool *pool); /* false: no object of the pool ever was a parent or a child */
/* The idle object after `after` (0: the first) in slot order, also when that one is not idle any more. 0 at the end. */
SP_API sp_ref sp_pool_next_idle(const sp_pool *pool, sp_ref after);
/* Adds `delta` to a float of every live object: column SP_X .. SP_SPIN, an own field of 4 bytes, or SP_LOOK at
   `offset`. Returns how many; 0, and nothing is changed, if there is no such float or a sum would not be finite. */
SP_API uint32_t sp_pool_add(sp_pool *pool, int column, size_t offset, float delta);

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
  sp_ref object; /* 0 in a slot that holds none; of an idle one for reading, as sp_pool_next_idle */
  sp_slot_state state;
  float age; /* game seconds; 0 unless live */
} sp_slot;

/* Fills `out` with `count` slots from `first` on, in the order of walks (SP_CHUNK_SLOTS of each chunk); returns how
   many: 0 past the last one. */
SP_API uint32_t sp_pool_slots(const sp_pool *pool, uint32_t first, uint32_t count, sp_slot *out);
/* The index of a reference's slot among these, also of a stale one; UINT32_MAX when it is not of this pool. */
SP_API uint32_t sp_pool_slot_of(const sp_pool *pool, sp_ref object);

/* }== */

#ifdef __cplusplus
}
#endif
#endif
