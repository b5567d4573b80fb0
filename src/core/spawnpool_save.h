/*
** spawnpool: snapshots, saves and hashes of a whole manager. Included by spawnpool.h; there is no need to include it.
*/
#ifndef SPAWNPOOL_SAVE_H
#define SPAWNPOOL_SAVE_H

#include "spawnpool.h"

#ifdef __cplusplus
extern "C" {
#endif

/* {== Snapshots ========================================================== */

/* All that a manager knows at one moment: objects and their cells, references, idle order, ends of lives, timers,
   parents, the clock, and statistics. It may outlive the manager. */
typedef struct sp_snapshot sp_snapshot;

/* Copies that into `reuse`, or into a new snapshot when that is NULL; ends by sp_snapshot_free. A snapshot that is used
   again allocates nothing, unless there is more to hold than ever before. NULL, and `reuse` is as it was: SP_BUSY from
   inside a hook, a callback or an update, and while an object is open; SP_MEMORY. */
SP_API sp_snapshot *sp_snapshot_take(sp_manager *manager, sp_snapshot *reuse, sp_result *result);

/* Puts all of it back: references that were live or stale are so again, and what happens from here on happens as it did
   then, bit for bit. No hook runs. Descriptions stay as they are now, as if sp_pool_redefine had followed: settings,
   hooks, motion, bounds; of fields that have changed, those of the same name and size get their cells back, others
   their initial value. Pools that were not there then are empty afterwards. The manager may be another one with the
   same options, such as one that plays the same game ahead. Nothing has changed after SP_FOREIGN: its id, step or
   generations differ; SP_INVALID: a pool of the snapshot is not there, or has gained or lost its place; SP_BUSY as
   above; SP_MEMORY. */
SP_API sp_result sp_snapshot_restore(sp_manager *manager, const sp_snapshot *snapshot);

SP_API void sp_snapshot_free(sp_snapshot *snapshot); /* NULL is fine */
/* Memory that it holds, from the manager's memory hook; not counted among the manager's own. */
SP_API size_t sp_snapshot_bytes(const sp_snapshot *snapshot);

/* Equal for equal states, on every machine, however memory came to be laid out: of all that a snapshot holds but
   statistics, ids and first generations. Fields of 1, 2, 4 or 8 bytes count as numbers, others as bytes. Linear in
   objects. */
SP_API uint64_t sp_hash(const sp_manager *manager);

/* {== Saves ============================================================== */

/* The same as bytes, for files: with a version and a checksum, little-endian, equal on every machine. Fields of 1, 2, 4
   or 8 bytes are saved as numbers, others as bytes. `write` returns false when it cannot write. SP_BUSY as above;
   SP_FAILED when `write` did; SP_INVALID when a type or a field has a name of SP_SAVE_NAME_MOST bytes or more. */
#define SP_SAVE_NAME_MOST 256
typedef bool (*sp_write_fn)(void *ud, const void *bytes, size_t size);
SP_API sp_result sp_save(const sp_manager *manager, sp_write_fn write, void *ud);

/* A manager as it was saved, with pools as they were described then, but for hooks and `user`. To go on with today's
   types, give each pool its description by sp_pool_redefine: fields of the same name and size keep what they held, new
   ones have their initial value, and options.on_log is told of those that are gone.
   `read` fills `bytes` and returns how many there were, 0 at the end; it may be asked for more than the save has. Of
   `options` (may be NULL) step, id and range of generations are those of the save where they are 0. Another step is
   SP_INVALID; another id, or first generation, is given to every reference, also to those in fields that are declared
   so (sp_field.ref). NULL, and nothing is left behind: SP_DAMAGED, SP_NEWER, SP_INVALID or SP_MEMORY. */
typedef size_t (*sp_read_fn)(void *ud, void *bytes, size_t size);
SP_API sp_manager *sp_load(const sp_options *options, sp_read_fn read, void *ud, sp_result *result);

#ifdef __cplusplus
}
#endif
#endif
