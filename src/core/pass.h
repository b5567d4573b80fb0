/*
** Passes over the chunks of a pool, which the host's threads may share. No item of a pass reads or writes what another
** one writes, so the order of the items does not matter.
*/
#ifndef SP_CORE_PASS_H
#define SP_CORE_PASS_H

#include "core/state.h"

/* Chunks of a range that is worth a thread: some microseconds of the quickest pass. */
#define SP_PASS_LEAST 16u

/* True when a pass over so many chunks is split. */
static inline bool sp_pass_is_split(const sp_manager *m, uint32_t chunks)
{
  return m->tasks.enqueue != NULL && chunks >= 2 * SP_PASS_LEAST;
}

/* Calls fn(begin, end, pass) for ranges of 0 .. chunks - 1, and returns when all are done. */
static inline void sp_pass_run(const sp_manager *m, uint32_t chunks, sp_task_fn fn, void *pass)
{
  void *enqueued = NULL;
  if (sp_pass_is_split(m, chunks))
    enqueued = m->tasks.enqueue(fn, chunks, SP_PASS_LEAST, pass, m->tasks.ud);
  else
    fn(0, chunks, pass);
  if (enqueued)
    m->tasks.finish(enqueued, m->tasks.ud);
}

#endif
