/*
** A ticker interrupts one thread after every so many seconds that the thread has computed: time in which it sleeps,
** waits or is stopped does not count. Between two ticks it costs nothing. Ticks come while the thread is busy, so a
** call that waits (a poll, a delay) is next to never cut short by one, and most others are restarted. Linux only, so
** far: elsewhere none can be started, and who wants one must do without.
*/
#ifndef SP_SCRIPT_TICKER_H
#define SP_SCRIPT_TICKER_H

#include <signal.h>
#include <stdbool.h>
#include <time.h>

typedef struct sp_ticker {
  /* Runs inside a signal handler on the thread that ticks. */
  void (*tick)(void *ud);
  void *ud;
  volatile sig_atomic_t on;
#ifdef __linux__
  long thread; /* that ticks; 0: none */
  timer_t timer;
#endif
} sp_ticker;

/* Zeroed but for `tick` and `ud`, a ticker is off. It must not move while it is on. */

/* Whether it ticks, on this very thread. */
bool sp_ticker_is_on(const sp_ticker *t);

/* Ticks on this thread, and on no other any more, every `period` seconds of its time. False, and off, where that is not
   to be had: the signal (SIGURG) has another's handler or is blocked, there are no timers left, or this is no Linux.
   Who takes or blocks the signal later takes the ticks with it. */
bool sp_ticker_start(sp_ticker *t, double period);

/* Off until it is started again. May be called by `tick`. */
void sp_ticker_pause(sp_ticker *t);

/* Off for good: no tick comes any more, not even one that was on its way. */
void sp_ticker_close(sp_ticker *t);

#endif
