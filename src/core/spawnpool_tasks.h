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

/* {== Workers ============================================================ */

/* Threads that are ready to use, where there are POSIX threads: define SP_WORKERS before including this header. The
   workers of a manager outlive it, or are taken from it by sp_set_tasks(manager, NULL) first. */
#ifdef SP_WORKERS
#include <pthread.h>
#include <string.h>

#define SP_WORKERS_MOST 32 /* threads that sp_workers_start starts at most */

/* The threads and what they work at; it stays where it is while they run. Its members are private. */
typedef struct sp_workers {
  sp_tasks tasks;
  pthread_t threads[SP_WORKERS_MOST];
  int started;
  pthread_mutex_t mutex; /* guards what follows */
  pthread_cond_t begun, done;
  sp_task_fn fn;
  void *task;
  uint32_t count, least, next; /* items: in all, in a range, handed out */
  uint32_t running;            /* ranges */
  int is_stopping;
} sp_workers;

/* Runs the ranges that are left. The mutex is locked. */
static inline void sp_workers_help(sp_workers *w)
{
  while (w->next < w->count) {
    const uint32_t begin = w->next, end = w->count - begin > w->least ? begin + w->least : w->count;
    w->next = end;
    w->running++;
    pthread_mutex_unlock(&w->mutex);
    w->fn(begin, end, w->task);
    pthread_mutex_lock(&w->mutex);
    if (--w->running == 0)
      pthread_cond_signal(&w->done);
  }
}

static inline void *sp_workers_run(void *workers)
{
  sp_workers *w = (sp_workers *)workers;
  pthread_mutex_lock(&w->mutex);
  for (sp_workers_help(w); !w->is_stopping; sp_workers_help(w))
    pthread_cond_wait(&w->begun, &w->mutex);
  pthread_mutex_unlock(&w->mutex);
  return NULL;
}

static inline void *sp_workers_enqueue(sp_task_fn fn, uint32_t count, uint32_t least, void *task, void *workers)
{
  sp_workers *w = (sp_workers *)workers;
  pthread_mutex_lock(&w->mutex);
  w->fn = fn;
  w->task = task;
  w->count = count;
  w->least = least;
  w->next = 0;
  pthread_cond_broadcast(&w->begun);
  pthread_mutex_unlock(&w->mutex);
  return w;
}

static inline void sp_workers_finish(void *enqueued, void *workers)
{
  sp_workers *w = (sp_workers *)workers;
  (void)enqueued;
  pthread_mutex_lock(&w->mutex);
  sp_workers_help(w);
  while (w->running > 0)
    pthread_cond_wait(&w->done, &w->mutex);
  pthread_mutex_unlock(&w->mutex);
}

/* Starts up to `threads` threads; those of sp_manager_update and of queries work besides them. Returns what
   sp_set_tasks takes, for one manager. */
static inline const sp_tasks *sp_workers_start(sp_workers *w, int threads)
{
  memset(w, 0, sizeof *w);
  w->tasks.enqueue = sp_workers_enqueue;
  w->tasks.finish = sp_workers_finish;
  w->tasks.ud = w;
  pthread_mutex_init(&w->mutex, NULL);
  pthread_cond_init(&w->begun, NULL);
  pthread_cond_init(&w->done, NULL);
  while (w->started < threads && w->started < SP_WORKERS_MOST &&
         pthread_create(&w->threads[w->started], NULL, sp_workers_run, w) == 0)
    w->started++;
  return &w->tasks;
}

/* Ends the threads. */
static inline void sp_workers_stop(sp_workers *w)
{
  pthread_mutex_lock(&w->mutex);
  w->is_stopping = 1;
  pthread_cond_broadcast(&w->begun);
  pthread_mutex_unlock(&w->mutex);
  while (w->started > 0)
    pthread_join(w->threads[--w->started], NULL);
  pthread_cond_destroy(&w->begun);
  pthread_cond_destroy(&w->done);
  pthread_mutex_destroy(&w->mutex);
}
#endif

/* }== */

#ifdef __cplusplus
}
#endif

#endif
