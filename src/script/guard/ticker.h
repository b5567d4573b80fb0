/*
** A ticker interrupts one thread each time it has used so many seconds of CPU time; time in which it sleeps, waits or
** is stopped does not count. Between two ticks it costs nothing. Ticks come while the thread is busy, so they hardly
** ever interrupt a blocking system call, and most of those are restarted.
**
** On Linux the ticker uses SIGURG, with one handler for the process: see docs/embedding.md. On Windows a second thread
** stops the first for the moment of a tick. Elsewhere sp_ticker_start returns false.
*/
#ifndef SP_SCRIPT_TICKER_H
#define SP_SCRIPT_TICKER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct sp_ticker {
  /* Runs while the thread that ticks stands between two machine instructions: in a signal handler, or on another
     thread. It must not wait for anything. */
  void (*tick)(void *ud);
  void *ud;
  volatile sig_atomic_t on;
  unsigned long thread; /* the thread that ticks; 0: none */
  void *own;            /* of the system: its timer */
  int64_t looked;       /* when sp_ticker_is_on looked last, by a coarse clock */
  uint32_t looks;       /* how often it has, while that was seldom */
} sp_ticker;

/* Zeroed but for `tick` and `ud`, a ticker is off. It must not move while it is on. */

/* Returns whether it ticks on the calling thread. Looks now and then whether the program has taken or blocked SIGURG:
   in each of the first 256 calls, and then in one of each few milliseconds. */
bool sp_ticker_is_on(sp_ticker *t);

/* Ticks on the calling thread, and on no other, every `period` seconds of its CPU time. False, and off, when that is
   impossible: SIGURG has another handler or is blocked, there are no timers left, or the system has none. */
bool sp_ticker_start(sp_ticker *t, double period);

/* Turns it off until it is started again. May be called by `tick`. */
void sp_ticker_pause(sp_ticker *t);

/* Returns the CPU time of the thread that ticks, for `tick` too; of the calling thread while it is off; real time where
   there is no such clock. */
double sp_ticker_seconds(const sp_ticker *t);

/* Turns it off permanently: not even a pending tick is delivered. */
void sp_ticker_close(sp_ticker *t);

#endif
