/*
** spawnpool: snapshots, saves and hashes of a whole manager. Included by spawnpool.h; there is no need to include it.
*/
#ifndef SPAWNPOOL_SAVE_H
#define SPAWNPOOL_SAVE_H

#include "spawnpool.h"

#ifdef __cplusplus
extern "C" {
#endif

/* {== The state of the host ============================================== */

/* The state of sp_manager_options.host is a part of every snapshot and save of the manager: `size` and `write` are
   called to make one. `read` is called last, when nothing else can fail: if it returns false, the call is SP_FAILED and
   nothing has changed. From a snapshot or save without such a state it gets NULL; where there is one and `read` is
   NULL, the call is SP_INVALID. Inside of all three, whatever would change something of the manager is SP_BUSY, and so
   is the snapshot: sp_snapshot_free does nothing. The bytes are kept as they lie: for other machines fix their byte
   order, and expect references among them unchanged.
   sp_manager_hash leaves them out: bytes may differ that mean the same. */

/* {== Snapshots ========================================================== */

/* A copy of a manager's whole state: objects and their cells, references, idle order, ends of lives, timers, parents,
   the clock, and statistics. It may outlive the manager. */
typedef struct sp_snapshot sp_snapshot;

/* Copies the state into `reuse`, or into a new snapshot when that is NULL; free it by sp_snapshot_free. A reused
   snapshot allocates memory only when the state is larger than ever before. Returns NULL, with `reuse` unchanged:
   SP_BUSY from inside a hook, a callback or an update, and while an object is open; SP_MEMORY. */
SP_API sp_snapshot *sp_snapshot_take(sp_manager *manager, sp_snapshot *reuse, sp_result *result);

/* Restores the state: references that were live or stale then are so again, and the same calls have the same results,
   bit for bit. No hook runs. Descriptions do not change, as if sp_pool_redefine had followed: hooks, motion, bounds,
   and settings; but a setting that sp_pool_set_settings had changed is restored, prealloc apart. Of fields that have
   changed, those of the same name and size get their cells back, others their initial value. Pools created since have
   no objects and count for nothing, in sp_manager_hash and sp_manager_next_pool too, until an object is allocated or
   prewarmed in them, which begins as sp_manager_add_pool did. The manager may be another one with the same options and
   pools, such as one that plays the same game ahead: if its id differs, or has had other managers, references are
   moved, also those in fields declared as references. A reference that was made after the snapshot is stale, and may
   name another life once the game goes on. Nothing has changed after SP_FOREIGN: its step or lives differ; SP_FULL:
   its id has no such generations left; SP_INVALID: a pool of the snapshot was removed, or has gained or lost its
   position, or the host has no `read`; SP_FAILED: its `read` refused; SP_BUSY as above; SP_MEMORY. */
SP_API sp_result sp_snapshot_restore(sp_manager *manager, const sp_snapshot *snapshot);

SP_API void sp_snapshot_free(sp_snapshot *snapshot); /* NULL is allowed */
/* The size of its memory, which comes from the manager's memory hook and is not counted as the manager's own. */
SP_API size_t sp_snapshot_bytes(const sp_snapshot *snapshot);

/* A number that is equal for equal states, on every machine and for any layout of memory. It covers the contents of a
   snapshot except statistics, ids, first generations, and the state of the host. Linear in objects. */
SP_API uint64_t sp_manager_hash(const sp_manager *manager);

/* {== Saves ============================================================== */

/* Writes the state as bytes, for files: with a version and a checksum, little-endian, the same on every machine. Of
   fields sp_field says how. `write` returns false when it cannot write; it may look at the manager, but whatever would
   change something of it is SP_BUSY there. SP_BUSY as above; SP_FAILED when `write` failed; SP_INVALID when a type or a
   field has a name of SP_MAX_SAVE_NAME bytes or more; SP_MEMORY. */
#define SP_MAX_SAVE_NAME 256 /* names of types and fields are shorter */
typedef bool (*sp_write_fn)(void *ud, const void *bytes, size_t size);
SP_API sp_result sp_manager_save(const sp_manager *manager, sp_write_fn write, void *ud);

/* Opens a manager as it was saved, with its pools as they were described then, but without hooks and `user`. Then give
   each pool its current description by sp_pool_redefine: fields of the same name and size keep their values, new ones
   have their initial value, and options.on_log names those that are gone, with the number of their live objects. `read`
   fills `bytes` and returns how many it read, 0 at the end; it may be called for more than the save has. `options` may
   be NULL; where its step, id or lives are 0, those of the save are used. Another step is SP_INVALID; another id, or
   one that was given before, changes every reference, including those in fields declared as references (sp_field.ref).
   Returns NULL, with nothing left behind: SP_DAMAGED, SP_NEWER, SP_INVALID, SP_FULL or SP_MEMORY; SP_FAILED when the
   host's `read` refused. */
typedef size_t (*sp_read_fn)(void *ud, void *bytes, size_t size);
SP_API sp_manager *sp_manager_load(const sp_manager_options *options, sp_read_fn read, void *ud, sp_result *result);

#ifdef __cplusplus
}
#endif
#endif
