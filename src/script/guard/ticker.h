/*
** Ticks interrupt a thread each time it has used so many seconds of CPU time; time in which it sleeps, waits or is
** stopped does not count. Between two ticks they cost nothing. Ticks come while the thread is busy, so they hardly ever
** interrupt a blocking system call, and most of those are restarted.
**
** A thread has one timer, however many tickers run on it: they share its seat. On Linux the timer sends SIGURG, with
** one handler for the process: see docs/embedding.md. On Windows a second thread stops the first for the moment of a
** tick. Elsewhere sp_ticker_begin returns false.
*/
#ifndef SP_SCRIPT_TICKER_H
#define SP_SCRIPT_TICKER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sp_ticker {
  /* Runs while the thread that ticks stands between two machine instructions: in a signal handler, or on another
     thread. It must not wait for anything. Returns whether more ticks are wanted. */
  bool (*tick)(void *ud);
  void *ud;
  uint32_t seat;           /* of the thread where it began last, counted from 1; 0: none */
  struct sp_ticker *outer; /* whose call waits for the end of this one's; NULL: none */
} sp_ticker;

/* Zeroed but for `tick` and `ud`, a ticker is off. It must not move while it has a seat. */

/* Begins a call: ticks of the calling thread are its own, every `period` seconds of CPU time or more often, until
   sp_ticker_end on the same thread. False, and nothing has begun, when that is impossible: SIGURG has another handler
   or is blocked, which is looked at now and then; there are no timers left; the system has none. */
bool sp_ticker_begin(sp_ticker *t, double period);
void sp_ticker_end(sp_ticker *t);

/* From now on ticks between calls on this thread are its own, until another ticker asks for them or it leaves the
   thread. False as above. */
bool sp_ticker_rest(sp_ticker *t, double period);

/* Call it first on a thread where it may not have rested: no tick of another one reaches it any more. */
void sp_ticker_arrive(sp_ticker *t);

/* Returns the CPU time of the thread that ticks, for `tick` too; of the calling thread before; real time where there is
   no such clock. */
double sp_ticker_seconds(const sp_ticker *t);

/* Turns it off: `tick` is not called any more. May be called on any thread, between two calls. */
void sp_ticker_close(sp_ticker *t);

#endif
