/*
** Hot reload as the player does it: once per frame the script looks at its files, and events of the system make it look
** early. What came of that is counted, and the outcome of the last one is kept for those who show it.
*/
#ifndef SP_DEMO_RELOADS_H
#define SP_DEMO_RELOADS_H

#include <stdbool.h>
#include <stdint.h>

#include "demo/stats.h"
#include "demo/wake.h"
#include "script/script.h"

typedef struct reloads {
  sp_script *script;
  wake *wake;       /* NULL: no events; the script's own looks find everything, a little later */
  double listen_at; /* when the system is asked for events */
  unsigned serial;  /* of the folders that are listened to */
  bool watches;     /* false: files are looked at only when asked */
  bool asked;
  uint64_t done, refused, reverted;
  sp_poll_result last; /* of the last poll in which something happened, or SP_POLL_NOTHING */
} reloads;

/* For events the system is asked only after this many seconds: to stop that again takes as long as a short run in all. */
#define RELOADS_LISTEN_AFTER 0.25

/* `now`, here and below: real time, seconds. The script must outlive it, and `it` must not move. Close it in any case; a
   zeroed one is closed. */
void reloads_open(reloads *it, sp_script *script, bool watches, double now);
void reloads_close(reloads *it);

/* The next poll runs all that differs, settled or not, and what was refused. */
void reloads_ask(reloads *it);

/* Once per frame, between frames. What happened was reported by the script. */
sp_poll_result reloads_poll(reloads *it, double now);

/* What the last one said, or "". */
const char *reloads_line(const reloads *it);

/* What has been counted so far, into a line of statistics. */
void reloads_count(const reloads *it, stats_line *line);

#endif
