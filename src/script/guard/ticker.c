#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* SIGEV_THREAD_ID, gettid */
#endif

#include "script/guard/ticker.h"

#include <time.h>

#include "script/state/platform.h"

#if defined(__linux__)

#include <errno.h>
#include <string.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* Ignored by default, so that a late tick without a handler is harmless. */
#define TICK SIGURG
#define LOOKS_AT_FIRST 256

/* {== The signal ========================================================= */

static void on_signal(int number, siginfo_t *info, void *unused)
{
  (void)number;
  (void)unused;
  int error = errno;
  sp_ticker *t = info->si_value.sival_ptr;
  if (info->si_code == SI_TIMER && t->on)
    t->tick(t->ud);
  errno = error;
}

static bool is_ours(const struct sigaction *action)
{
  return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == on_signal;
}

/* The handler is never removed: other tickers may use it. */
static bool listen(void)
{
  struct sigaction action;
  sigset_t blocked;
  if (pthread_sigmask(SIG_BLOCK, NULL, &blocked) != 0 || sigismember(&blocked, TICK))
    return false;
  if (sigaction(TICK, NULL, &action) != 0)
    return false;
  if (is_ours(&action))
    return true;
  if ((action.sa_flags & SA_SIGINFO) || (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN))
    return false;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  return sigaction(TICK, &action, NULL) == 0;
}

/* Ignoring the signal for a moment drops pending ticks on every thread. Ticks of other tickers may be lost too,
   which their next ones make up for. */
static void drop_pending(void)
{
  struct sigaction ignored, ours;
  memset(&ignored, 0, sizeof ignored);
  sigemptyset(&ignored.sa_mask);
  ignored.sa_handler = SIG_IGN;
  if (sigaction(TICK, NULL, &ours) == 0 && is_ours(&ours) && sigaction(TICK, &ignored, NULL) == 0)
    sigaction(TICK, &ours, NULL);
}

/* }== */

/* {== The timer ========================================================== */

static void set_timer(sp_ticker *t, double seconds)
{
  struct itimerspec time;
  time.it_interval.tv_sec = (time_t)seconds;
  time.it_interval.tv_nsec = (long)((seconds - (double)time.it_interval.tv_sec) * 1e9);
  time.it_value = time.it_interval;
  timer_settime(t->own, 0, &time, NULL);
}

/* A timer on a thread's clock can only be created by that thread. gettid also detects a forked child, which has no
   timers. */
static bool make_timer(sp_ticker *t)
{
  struct sigevent event;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = TICK;
  event.sigev_value.sival_ptr = t;
  event.sigev_notify_thread_id = gettid();
  timer_t timer;
  if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0)
    return false;
  t->own = timer;
  t->thread = (unsigned long)gettid();
  return true;
}

/* Two system calls for each call into Lua would be dear. */
static bool is_time_to_look(sp_ticker *t)
{
  struct timespec now = {0};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  int64_t moment = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
  if (t->looks == LOOKS_AT_FIRST && t->looked == moment)
    return false;
  t->looks += t->looks < LOOKS_AT_FIRST;
  t->looked = moment;
  return true;
}

bool sp_ticker_is_on(sp_ticker *t)
{
  return t->on && t->thread == (unsigned long)gettid() && (!is_time_to_look(t) || listen());
}

bool sp_ticker_start(sp_ticker *t, double period)
{
  if (t->thread && t->thread != (unsigned long)gettid())
    sp_ticker_close(t);
  if (!listen() || (!t->thread && !make_timer(t))) {
    sp_ticker_close(t);
    return false;
  }
  t->on = 1;
  set_timer(t, period);
  return true;
}

void sp_ticker_pause(sp_ticker *t)
{
  t->on = 0;
  set_timer(t, 0);
}

void sp_ticker_close(sp_ticker *t)
{
  t->on = 0;
  if (!t->thread)
    return;
  timer_delete(t->own);
  t->thread = 0;
  drop_pending();
}

/* }== */

#elif defined(_WIN32)

#include <stdlib.h>
#include <windows.h>

/* A thread of its own stops the watched one for a moment at each tick, which is then between two machine instructions
   as in a signal handler. It wakes in real time; the watched thread's CPU time is what `tick` asks for. `wakes` ends
   its wait. */
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
  o->wakes = CreateEventA(NULL, FALSE, FALSE, NULL);
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

bool sp_ticker_is_on(sp_ticker *t) { return t->on && t->thread == GetCurrentThreadId(); }

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

#else /* macOS, the BSDs and a page have no timers in the CPU time of a thread: the watchdog counts instructions */

bool sp_ticker_is_on(sp_ticker *t) { return t->on; }

bool sp_ticker_start(sp_ticker *t, double period) { return (void)t, (void)period, false; }

void sp_ticker_pause(sp_ticker *t) { t->on = 0; }

void sp_ticker_close(sp_ticker *t) { t->on = 0; }

#endif

#ifndef _WIN32

double sp_ticker_seconds(const sp_ticker *t)
{
  (void)t; /* a tick runs on its thread */
#ifdef CLOCK_THREAD_CPUTIME_ID
  struct timespec now;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0)
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
#endif
  return (double)sp_clock_nanoseconds() * 1e-9;
}

#endif
