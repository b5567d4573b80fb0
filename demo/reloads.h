/*
** Hot reload as the player does it: once per frame the script looks at its files, the assets at theirs, and events of
** the system make them look early. What came of that is counted, and the outcome of the last one is kept for those who
** show it.
*/
#ifndef SP_DEMO_RELOADS_H
#define SP_DEMO_RELOADS_H

#include <stdbool.h>
#include <stdint.h>

#include "demo/assets.h"
#include "demo/stats.h"
#include "demo/wake.h"
#include "script/script.h"

typedef struct reloads {
  sp_script *script;
  assets *const *assets; /* of all kinds */
  size_t kinds;
  report *report;
  wake *wake;       /* NULL: no events; the script's own looks find everything, a little later */
  double listen_at; /* when the system is asked for events */
  unsigned serial;  /* of the folders that are listened to */
  bool watches;     /* false: files are looked at only when asked */
  bool asked;
  uint64_t done, refused, reverted;
  sp_poll_result last;  /* of the last poll in which something happened, or SP_POLL_NOTHING */
  const assets *said;   /* that reported the last line; NULL: the script did */
  assets_result loaded; /* what the last poll made of the assets */
} reloads;

/* For events the system is asked only after this many seconds: to stop that again takes as long as a short run in
   all. */
#define RELOADS_LISTEN_AFTER 0.25

/* `now`, here and below: real time, seconds. The script must outlive it, and `it` must not move. Close it in any case;
   a zeroed one is closed. */
void reloads_open(reloads *it, sp_script *script, bool watches, double now);
void reloads_close(reloads *it);

/* Assets to look at as well: `kinds` of them, each NULL or open, whenever it is polled. What comes of it goes to
   `r`. */
void reloads_add_assets(reloads *it, assets *const *list, size_t kinds, report *r);

/* The next poll runs all that differs, settled or not, and what was refused. */
void reloads_ask(reloads *it);

/* Once per frame, between frames. What happened was reported by the script. */
sp_poll_result reloads_poll(reloads *it, double now);

/* What the last one said, or "". */
const char *reloads_line(const reloads *it);

/* As assets_problem, of the first kind that has one. */
const char *reloads_problem(const reloads *it, const char **consequence);

/* What has been counted so far, into a line of statistics. */
void reloads_count(const reloads *it, stats_line *line);

#endif
