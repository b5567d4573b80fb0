#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* SIGEV_THREAD_ID, gettid */
#endif

#include "script/guard/ticker.h"

#include <time.h>

#include "script/state/platform.h"

#if defined(__linux__) || defined(_WIN32)

#include <stdatomic.h>

/* {== Seats ==============================================================
** A tick carries a ticket, never a pointer: the number of a seat, and above it how often that seat was taken. So one
** that comes late, when its ticker has moved to another thread or its state was closed there, leads nowhere. */

enum { SEATS = 1024, CALLS_A_LOOK = 256 };
#define CHANGING UINT32_MAX

typedef struct seat {
  _Atomic uint32_t users;        /* tickers; 0: it is free; CHANGING: it is being taken or left */
  _Atomic uint32_t ticket;       /* 0: it was never taken, nor any after it */
  _Atomic uint32_t ticking;      /* ticks that are being handled */
  _Atomic(unsigned long) thread; /* 0: one that has ended */
  _Atomic(sp_ticker *) running;  /* of the innermost call on the thread */
  _Atomic(sp_ticker *) between;  /* who wants the ticks between calls */
  _Atomic(bool) on;              /* the timer runs, with this period: */
  double period;                 /* seconds */
  unsigned long process;         /* a fork has none of the timers */
  void *timer;                   /* the system's */
  int64_t looked;                /* moment of the last look at the signal, by a coarse clock */
  uint32_t calls;                /* begun so far */
} seat;

/* All that threads share, beside the signal's handler. */
static seat seats[SEATS];

/* These are the system's. The timer of a seat can only be made on its thread. set_timer: 0 stops it; false when its
   thread has ended. */
static unsigned long this_thread(void);
static unsigned long this_process(void);
static bool can_tick(void);
static bool make_timer(seat *s);
static bool set_timer(seat *s, double seconds);
static bool timer_is_alive(const seat *s);
static void free_timer(seat *s);
static int64_t coarse_moment(void);
static void give_way(void);

static seat *seat_of(const sp_ticker *t) { return t->seat ? &seats[t->seat - 1] : NULL; }

/* Handles a tick, on the thread of its seat or while that stands still. */
static void deliver(uint32_t ticket)
{
  seat *s = &seats[ticket % SEATS];
  s->ticking++;
  if (s->ticket == ticket) {
    sp_ticker *t = s->running;
    t = t ? t : s->between;
    if (!t || !t->tick(t->ud)) {
      s->on = false;
      set_timer(s, 0);
    }
  }
  s->ticking--;
}

static bool take(seat *s, unsigned long thread)
{
  uint32_t users = s->users;
  if (s->thread != thread || s->process != this_process())
    return false;
  while (users != 0 && users != CHANGING)
    if (atomic_compare_exchange_weak(&s->users, &users, users + 1))
      return true;
  return false;
}

/* Makes a free seat one of the calling thread. False when there are no timers left. */
static bool set_up(seat *s, uint32_t index, unsigned long thread)
{
  s->ticket = s->ticket == 0 ? index + SEATS : s->ticket + SEATS;
  s->running = s->between = NULL;
  s->on = false;
  s->process = this_process();
  s->calls = 0;
  const bool made = make_timer(s);
  s->thread = made ? thread : 0;
  s->users = made ? 1 : 0;
  return made;
}

/* Gives the ticker the seat of the calling thread. */
static seat *join(sp_ticker *t)
{
  const unsigned long thread = this_thread();
  for (uint32_t i = 0; i < SEATS && seats[i].ticket != 0 && !t->seat; i++)
    t->seat = take(&seats[i], thread) ? i + 1 : 0;
  for (uint32_t i = 0; i < SEATS && !t->seat; i++) {
    uint32_t users = 0;
    if (!atomic_compare_exchange_strong(&seats[i].users, &users, CHANGING))
      continue;
    if (!set_up(&seats[i], i, thread))
      break;
    t->seat = i + 1;
  }
  return seat_of(t);
}

/* Once its ticker is out of reach, a tick that was already being handled may still use it: that is waited for. It runs
   on the thread of the seat, which is another one then. */
static void leave(sp_ticker *t)
{
  seat *s = seat_of(t);
  sp_ticker *between = t;
  if (!s)
    return;
  if (s->running == t)
    s->running = t->outer;
  const bool was_between = atomic_compare_exchange_strong(&s->between, &between, NULL);
  uint32_t users = s->users;
  while (!atomic_compare_exchange_weak(&s->users, &users, users == 1 ? CHANGING : users - 1)) {
  }
  const bool is_last = users == 1, is_ours = s->process == this_process();
  if (is_last)
    s->ticket += SEATS;
  while ((is_last || was_between) && is_ours && s->ticking > 0)
    give_way();
  if (is_last) {
    if (is_ours)
      free_timer(s);
    s->thread = 0;
    s->users = 0;
  }
  t->seat = 0;
}

/* Returns whether the seat of the calling thread still ticks, which is looked at in the first calls, in one of each few
   milliseconds, and in every 256th: system calls for each call would be dear. */
static bool still_ticks(seat *s)
{
  const int64_t moment = coarse_moment();
  if (s->calls++ >= CALLS_A_LOOK && s->calls % CALLS_A_LOOK != 0 && s->looked == moment)
    return true;
  s->looked = moment;
  return can_tick() && (!s->on || timer_is_alive(s));
}

/* Makes the timer of the seat run with this period, or a shorter one. */
static bool start(seat *s, double period)
{
  if (s->on && s->period <= period)
    return true;
  s->on = true;
  s->period = period;
  if (set_timer(s, period))
    return true;
  s->on = false;
  s->thread = 0; /* another thread has got the number of one that has ended */
  return false;
}

/* }== */

/* {== The ticker ========================================================= */

/* Returns the seat of the calling thread, which the ticker has from now on; NULL: it has none. */
static seat *sit_down(sp_ticker *t)
{
  seat *s = seat_of(t);
  if (s && s->thread == this_thread() && still_ticks(s))
    return s;
  leave(t);
  return can_tick() ? join(t) : NULL;
}

bool sp_ticker_begin(sp_ticker *t, double period)
{
  for (int attempt = 0; attempt < 2; attempt++) {
    seat *s = sit_down(t);
    if (!s)
      return false;
    t->outer = s->running;
    s->running = t;
    if (start(s, period))
      return true;
    leave(t);
  }
  return false;
}

void sp_ticker_end(sp_ticker *t)
{
  if (t->seat)
    seats[t->seat - 1].running = t->outer;
}

bool sp_ticker_rest(sp_ticker *t, double period)
{
  if (!sp_ticker_begin(t, period))
    return false;
  seat_of(t)->between = t;
  sp_ticker_end(t);
  return true;
}

void sp_ticker_arrive(sp_ticker *t)
{
  if (t->seat && seats[t->seat - 1].thread != this_thread())
    leave(t);
}

void sp_ticker_close(sp_ticker *t) { leave(t); }

/* }== */

#endif

#if defined(__linux__)

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

#define TICK SIGURG /* ignored by default, so that hardly a program uses it */

/* {== Linux: a timer on the clock of the thread, and a signal ============ */

static unsigned long this_thread(void) { return (unsigned long)gettid(); }
static unsigned long this_process(void) { return (unsigned long)getpid(); }
static void give_way(void) { sched_yield(); }

static int64_t coarse_moment(void)
{
  struct timespec now = {0};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void on_signal(int number, siginfo_t *info, void *unused)
{
  (void)number;
  (void)unused;
  const int error = errno;
  if (info->si_code == SI_TIMER)
    deliver((uint32_t)info->si_value.sival_int);
  errno = error;
}

static bool is_ours(const struct sigaction *action)
{
  return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == on_signal;
}

/* Installs the handler, which is never removed: other threads may tick. */
static bool can_tick(void)
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

static bool make_timer(seat *s)
{
  struct sigevent event;
  timer_t timer;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = TICK;
  event.sigev_value.sival_int = (int)s->ticket;
  event.sigev_notify_thread_id = gettid();
  if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0)
    return false;
  s->timer = timer;
  return true;
}

static bool set_timer(seat *s, double seconds)
{
  struct itimerspec time;
  time.it_interval.tv_sec = (time_t)seconds;
  time.it_interval.tv_nsec = (long)((seconds - (double)time.it_interval.tv_sec) * 1e9);
  time.it_value = time.it_interval;
  return timer_settime(s->timer, 0, &time, NULL) == 0;
}

/* A running timer has some time left, unless its thread has ended. */
static bool timer_is_alive(const seat *s)
{
  struct itimerspec time = {{0}, {0}};
  return timer_gettime(s->timer, &time) == 0 && (time.it_value.tv_sec != 0 || time.it_value.tv_nsec != 0);
}

static void free_timer(seat *s) { timer_delete(s->timer); }

/* }== */

#elif defined(_WIN32)

#include <stdlib.h>
#include <windows.h>

/* {== Windows: a second thread =========================================== */

/* It stops the watched thread for a moment at each tick, which is then between two machine instructions as in a signal
   handler. It wakes in real time; the watched thread's CPU time is what `tick` asks for. `wakes` ends its wait. */
typedef struct own {
  uint32_t ticket;
  HANDLE watched, ticking, wakes;
  volatile LONG milliseconds; /* between two ticks; 0: none */
  volatile LONG quits;
} own;

static unsigned long this_thread(void) { return GetCurrentThreadId(); }
static unsigned long this_process(void) { return 0; }
static bool can_tick(void) { return true; }
static void give_way(void) { SwitchToThread(); }
static int64_t coarse_moment(void) { return 0; }

/* The watched thread may have any lock of the process: nothing in between may wait for one. */
static void tick_once(own *o)
{
  if (SuspendThread(o->watched) == (DWORD)-1)
    return;
  CONTEXT context = {.ContextFlags = CONTEXT_CONTROL};
  GetThreadContext(o->watched, &context); /* returns once it really stands still */
  deliver(o->ticket);
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

static bool make_timer(seat *s)
{
  own *o = calloc(1, sizeof *o);
  if (!o)
    return false;
  HANDLE process = GetCurrentProcess();
  o->ticket = s->ticket;
  o->wakes = CreateEventA(NULL, FALSE, FALSE, NULL);
  if (!o->wakes ||
      !DuplicateHandle(process, GetCurrentThread(), process, &o->watched, 0, FALSE, DUPLICATE_SAME_ACCESS) ||
      !(o->ticking = CreateThread(NULL, 0, run, o, 0, NULL))) {
    free_own(o);
    return false;
  }
  SetThreadPriority(o->ticking, THREAD_PRIORITY_ABOVE_NORMAL); /* the watched one may use all of a processor */
  s->timer = o;
  return true;
}

/* Called by a tick, this is the ticking thread, which reads the period next. */
static bool set_timer(seat *s, double seconds)
{
  own *o = s->timer;
  LONG milliseconds = (LONG)(seconds * 1e3);
  InterlockedExchange(&o->milliseconds, seconds > 0 && milliseconds == 0 ? 1 : milliseconds);
  if (seconds > 0)
    SetEvent(o->wakes);
  return true;
}

/* Thread ids are not used again while a handle of the thread is open. */
static bool timer_is_alive(const seat *s) { return s->timer != NULL; }

static void free_timer(seat *s)
{
  own *o = s->timer;
  InterlockedExchange(&o->quits, 1);
  SetEvent(o->wakes);
  WaitForSingleObject(o->ticking, INFINITE);
  free_own(o);
  s->timer = NULL;
}

static double in_seconds(FILETIME t)
{
  return (double)((unsigned long long)t.dwHighDateTime << 32 | t.dwLowDateTime) * 1e-7;
}

double sp_ticker_seconds(const sp_ticker *t)
{
  const own *o = t->seat ? seats[t->seat - 1].timer : NULL;
  FILETIME begin, end, system, user;
  bool is_tick = o && GetCurrentThreadId() == GetThreadId(o->ticking);
  if (!GetThreadTimes(is_tick ? o->watched : GetCurrentThread(), &begin, &end, &system, &user))
    return (double)GetTickCount64() * 1e-3;
  return in_seconds(system) + in_seconds(user);
}

/* }== */

#else /* macOS, the BSDs and a page have no timers in the CPU time of a thread: the watchdog counts instructions */

bool sp_ticker_begin(sp_ticker *t, double period) { return (void)t, (void)period, false; }
void sp_ticker_end(sp_ticker *t) { (void)t; }
bool sp_ticker_rest(sp_ticker *t, double period) { return (void)t, (void)period, false; }
void sp_ticker_arrive(sp_ticker *t) { (void)t; }
void sp_ticker_close(sp_ticker *t) { (void)t; }

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
