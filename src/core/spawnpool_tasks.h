/*
** spawnpool on the threads of the host. The library starts none: a host that has workers gives these two callbacks, in
** the style of Box2D's, and the passes over large pools are split among them: motion, curves, bounds, sp_pool_add,
** sp_pool_within and sp_pool_nearest. What comes out is the same, bit for bit, for any number of threads. Hooks, query
** callbacks and everything else run on the thread that called, and no work is left when a call returns.
*/
#ifndef SPAWNPOOL_TASKS_H
#define SPAWNPOOL_TASKS_H

#include "spawnpool.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Does the items from `begin` up to, without, `end` of a task, on any thread. */
typedef void (*sp_task_fn)(uint32_t begin, uint32_t end, void *task);

/* Has fn(begin, end, task) called for ranges that together cover 0 .. count - 1, each item once, on whichever threads,
   also this one; ranges of fewer than `least` items are not worth a thread. Returns something for `finish`, or NULL
   when all is done already. It may not use the manager. */
typedef void *(*sp_enqueue_fn)(sp_task_fn fn, uint32_t count, uint32_t least, void *task, void *ud);
/* Returns when all ranges of what `enqueue` returned are done, and their writes are seen by this thread. */
typedef void (*sp_finish_fn)(void *enqueued, void *ud);

typedef struct sp_tasks {
  sp_enqueue_fn enqueue;
  sp_finish_fn finish;
  void *ud;
} sp_tasks;

/* From now on large passes are split. NULL: they no longer are. SP_INVALID without either callback; SP_BUSY in hooks
   and updates. With tasks a query asks the progress callback once per pass. */
SP_API sp_result sp_set_tasks(sp_manager *manager, const sp_tasks *tasks);

#ifdef __cplusplus
}
#endif

#endif
