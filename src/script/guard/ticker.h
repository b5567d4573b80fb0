/*
** A ticker interrupts one thread each time it has used so many seconds of CPU time; time in which it sleeps, waits or
** is stopped does not count. Between two ticks it costs nothing. Ticks come while the thread is busy, so they hardly
** ever interrupt a blocking system call, and most of those are restarted. Linux only; elsewhere sp_ticker_start
** returns false.
**
** The ticker uses SIGURG, with one handler for the process. See docs/embedding.md.
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
  long thread; /* the thread that ticks; 0: none */
  timer_t timer;
#endif
} sp_ticker;

/* Zeroed but for `tick` and `ud`, a ticker is off. It must not move while it is on. */

/* Returns whether it ticks on the calling thread. */
bool sp_ticker_is_on(const sp_ticker *t);

/* Ticks on the calling thread, and on no other, every `period` seconds of its CPU time. False, and off, when that is
   impossible: SIGURG has another handler or is blocked, there are no timers left, or this is not Linux. A program that
   takes or blocks the signal later stops the ticks. */
bool sp_ticker_start(sp_ticker *t, double period);

/* Turns it off until it is started again. May be called by `tick`. */
void sp_ticker_pause(sp_ticker *t);

/* Turns it off permanently: not even a pending tick is delivered. */
void sp_ticker_close(sp_ticker *t);

#endif
