/*
** For systems without timers in the CPU time of a thread: macOS, the BSDs, and a page in a browser, which has no such
** clock either. The watchdog counts instructions there.
*/
#include "script/guard/ticker.h"

#if !defined(__linux__) && !defined(_WIN32)

#include <time.h>

#include "script/state/platform.h"

bool sp_ticker_is_on(const sp_ticker *t) { return t->on; }

bool sp_ticker_start(sp_ticker *t, double period)
{
  (void)t;
  (void)period;
  return false;
}

void sp_ticker_pause(sp_ticker *t) { t->on = 0; }

void sp_ticker_close(sp_ticker *t) { t->on = 0; }

double sp_ticker_seconds(const sp_ticker *t)
{
  (void)t;
#ifdef CLOCK_THREAD_CPUTIME_ID
  struct timespec now;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0)
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
#endif
  return (double)sp_clock_nanoseconds() * 1e-9;
}

#endif
