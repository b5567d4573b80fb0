/*
** The rate is measured since the last line, and the remaining time is estimated from it.
*/
#include "demo/capture/progress.h"

#include <inttypes.h>
#include <stdio.h>

void progress_start(progress *p, bool on_terminal, double now)
{
  *p = (progress){now, on_terminal ? PROGRESS_SOON : PROGRESS_LATE, 0};
}

bool progress_line(progress *p, double now, uint64_t frame, uint64_t frames, double seconds, char line[PROGRESS_MOST])
{
  double rate;
  int used;
  if (p->every == 0 || now - p->last < p->every)
    return false;
  rate = (double)(frame - p->last_frame) / (now - p->last);
  used = snprintf(line, PROGRESS_MOST, "frame %" PRIu64, frame);
  if (frames != UINT64_MAX)
    used += snprintf(line + used, PROGRESS_MOST - (size_t)used, " of %" PRIu64 " (%.0f%%)", frames,
                     100 * (double)frame / (double)frames);
  used += snprintf(line + used, PROGRESS_MOST - (size_t)used, ", %.0f a second, %.0f s of game time", rate, seconds);
  if (frames != UINT64_MAX && rate > 0)
    snprintf(line + used, PROGRESS_MOST - (size_t)used, ", about %.0f s to go", (double)(frames - frame) / rate);
  p->last = now;
  p->last_frame = frame;
  return true;
}
