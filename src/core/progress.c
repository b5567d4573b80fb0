/*
** See progress.h.
*/
#include "core/progress.h"

void sp_set_progress(sp_manager *m, sp_progress_fn progress, void *ud)
{
  m->progress = progress;
  m->progress_ud = ud;
}

bool sp_progress_ask(sp_progress *progress)
{
  const sp_manager *m = progress->m;
  progress->spent = 0;
  progress->stopped = progress->stopped || (m->progress && !m->progress(m->progress_ud));
  return !progress->stopped;
}
