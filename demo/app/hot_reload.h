/*
** Hot reload as the player does it: once per frame the script looks at its files, the assets at theirs, and events of
** the system make them look early. What came of that is counted, and the outcome of the last one is kept for those who
** show it.
*/
#ifndef SP_DEMO_HOT_RELOAD_H
#define SP_DEMO_HOT_RELOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "demo/app/folder_events.h"
#include "demo/draw/assets.h"
#include "demo/support/stats.h"
#include "script/script.h"

typedef struct hot_reload {
  sp_script *script;
  assets *const *assets; /* of all kinds */
  size_t kinds;
  report *report;
  folder_events *events; /* NULL: no events; the script's own looks find everything, a little later */
  double listen_at;      /* when the system is requested for events */
  unsigned serial;       /* of the folders that are listened to */
  bool watches;          /* false: files are looked at only when requested */
  bool requested;
  uint64_t done, refused, reverted;
  sp_poll_result last;       /* of the last poll in which something happened, or SP_POLL_NOTHING */
  const assets *line_source; /* that reported the last line; NULL: the script did */
  assets_result loaded;      /* what the last poll made of the assets */
} hot_reload;

/* For events the system is requested only after this many seconds: to stop that again takes as long as a short run in
   all. */
#define HOT_RELOAD_LISTEN_AFTER 0.25

/* `now`, here and below: real time, seconds. The script must outlive it, and `it` must not move. Close it in any case;
   a zeroed one is closed. */
void hot_reload_open(hot_reload *it, sp_script *script, bool watches, double now);
void hot_reload_close(hot_reload *it);

/* Assets to look at as well: `kinds` of them, each NULL or open, whenever it is polled. What comes of it goes to
   `r`. */
void hot_reload_add_assets(hot_reload *it, assets *const *list, size_t kinds, report *r);

/* The next poll runs all that differs, settled or not, and what was refused. */
void hot_reload_request(hot_reload *it);

/* Once per frame, between frames. What happened was reported by the script. */
sp_poll_result hot_reload_poll(hot_reload *it, double now);

/* What the last one line_source, or "". */
const char *hot_reload_line(const hot_reload *it);

/* As assets_problem, of the first kind that has one. */
const char *hot_reload_problem(const hot_reload *it, const char **consequence);

/* What has been counted so far, into a line of statistics. */
void hot_reload_count(const hot_reload *it, stats_line *line);

#endif
