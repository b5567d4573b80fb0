/*
** A thread of its own stops the watched one for a moment at each tick, which is then between two machine instructions
** as in a signal handler. It wakes in real time; the watched thread's CPU time is what `tick` asks for.
*/
#include "script/guard/ticker.h"

#ifdef _WIN32

#include <stdlib.h>
#include <windows.h>

/* Shared with the ticking thread. `mutex` orders ticks and pauses; `wakes` ends its wait. */
typedef struct own {
  sp_ticker *ticker;
  HANDLE watched, ticking, wakes;
  volatile LONG milliseconds; /* between two ticks; 0: none */
  volatile LONG quits;
} own;

/* {== The ticking thread ================================================= */

/* The watched thread may have any lock of the process: nothing in between may wait for one. */
static void tick_once(own *o)
{
  if (SuspendThread(o->watched) == (DWORD)-1)
    return;
  CONTEXT context = {.ContextFlags = CONTEXT_CONTROL};
  GetThreadContext(o->watched, &context); /* returns once it really stands still */
  if (o->ticker->on)
    o->ticker->tick(o->ticker->ud);
  ResumeThread(o->watched);
}

static DWORD WINAPI run(void *ud)
{
  own *o = ud;
  while (!o->quits) {
    DWORD wait = o->milliseconds ? (DWORD)o->milliseconds : INFINITE;
    if (WaitForSingleObject(o->wakes, wait) == WAIT_TIMEOUT && !o->quits)
      tick_once(o);
  }
  return 0;
}

/* }== */

/* {== The ticker ========================================================= */

static void free_own(own *o)
{
  if (o->ticking)
    CloseHandle(o->ticking);
  if (o->wakes)
    CloseHandle(o->wakes);
  if (o->watched)
    CloseHandle(o->watched);
  free(o);
}

static own *make_own(sp_ticker *t)
{
  own *o = calloc(1, sizeof *o);
  if (!o)
    return NULL;
  HANDLE process = GetCurrentProcess();
  o->ticker = t;
  o->wakes = CreateEventW(NULL, FALSE, FALSE, NULL);
  if (!o->wakes ||
      !DuplicateHandle(process, GetCurrentThread(), process, &o->watched, 0, FALSE, DUPLICATE_SAME_ACCESS) ||
      !(o->ticking = CreateThread(NULL, 0, run, o, 0, NULL))) {
    free_own(o);
    return NULL;
  }
  SetThreadPriority(o->ticking, THREAD_PRIORITY_ABOVE_NORMAL); /* the watched one may use all of a processor */
  return o;
}

static void set_period(own *o, double seconds)
{
  LONG milliseconds = (LONG)(seconds * 1e3);
  InterlockedExchange(&o->milliseconds, milliseconds > 0 ? milliseconds : 1);
  SetEvent(o->wakes);
}

bool sp_ticker_is_on(const sp_ticker *t) { return t->on && t->thread == GetCurrentThreadId(); }

bool sp_ticker_start(sp_ticker *t, double period)
{
  if (t->thread && t->thread != GetCurrentThreadId())
    sp_ticker_close(t);
  if (!t->thread && !(t->own = make_own(t)))
    return false;
  t->thread = GetCurrentThreadId();
  t->on = 1;
  set_period(t->own, period);
  return true;
}

/* Called by `tick`, this is the ticking thread, which reads the period next. */
void sp_ticker_pause(sp_ticker *t)
{
  own *o = t->own;
  t->on = 0;
  if (o)
    InterlockedExchange(&o->milliseconds, 0);
}

void sp_ticker_close(sp_ticker *t)
{
  own *o = t->own;
  t->on = 0;
  if (!t->thread)
    return;
  InterlockedExchange(&o->quits, 1);
  SetEvent(o->wakes);
  WaitForSingleObject(o->ticking, INFINITE);
  free_own(o);
  t->own = NULL;
  t->thread = 0;
}

static double in_seconds(FILETIME t)
{
  return (double)((unsigned long long)t.dwHighDateTime << 32 | t.dwLowDateTime) * 1e-7;
}

double sp_ticker_seconds(const sp_ticker *t)
{
  const own *o = t->own;
  FILETIME begin, end, system, user;
  bool ours = !o || t->thread == GetCurrentThreadId() || GetCurrentThreadId() != GetThreadId(o->ticking);
  if (!GetThreadTimes(ours ? GetCurrentThread() : o->watched, &begin, &end, &system, &user))
    return (double)GetTickCount64() * 1e-3;
  return in_seconds(system) + in_seconds(user);
}

/* }== */

#endif
