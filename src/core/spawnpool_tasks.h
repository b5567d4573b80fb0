/*
** spawnpool on the threads of the host. The library starts none: a host that has workers gives these two callbacks, in
** the style of Box2D's, and the passes over large pools are split among them: motion, curves, bounds, sp_pool_add,
** sp_pool_within and sp_pool_nearest. Results are the same, bit for bit, for any number of threads. Hooks, query
** callbacks and everything else run on the thread that called, and no work is left when a call returns.
*/
#ifndef SPAWNPOOL_TASKS_H
#define SPAWNPOOL_TASKS_H

#include "spawnpool.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs the items `begin` .. `end - 1` of a task, on any thread. */
typedef void (*sp_task_fn)(uint32_t begin, uint32_t end, void *task);

/* Arranges calls of fn(begin, end, task) for ranges that together cover 0 .. count - 1, each item once, on any threads,
   including this one; ranges of fewer than `least` items are not worth a thread. Returns a handle for `finish`, or NULL
   when everything is done already. It may not use the manager. */
typedef void *(*sp_enqueue_fn)(sp_task_fn fn, uint32_t count, uint32_t least, void *task, void *ud);
/* Returns when all ranges of the handle are done, and their writes are visible to this thread. */
typedef void (*sp_finish_fn)(void *enqueued, void *ud);

/* The workers of the host. */
typedef struct sp_tasks {
  sp_enqueue_fn enqueue;
  sp_finish_fn finish;
  void *ud;
} sp_tasks;

/* Splits large passes from now on; NULL: no longer. SP_INVALID without either callback; SP_BUSY in hooks and updates.
   With tasks a query calls the progress callback once per pass. */
SP_API sp_result sp_set_tasks(sp_manager *manager, const sp_tasks *tasks);

#ifdef __cplusplus
}
#endif

#endif
