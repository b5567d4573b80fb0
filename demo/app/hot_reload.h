/*
** Hot reload in the player: once per frame the script and the assets check their files. Counts the results and keeps
** the last one for display.
*/
#ifndef SP_DEMO_HOT_RELOAD_H
#define SP_DEMO_HOT_RELOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "demo/draw/assets.h"
#include "demo/support/stats.h"
#include "script/script.h"

typedef struct hot_reload {
  sp_script *script;
  assets *const *assets; /* assets of all kinds */
  size_t kinds;
  report *report;
  bool watches; /* false: files are checked only on request */
  bool requested;
  uint64_t done, refused, reverted;
  sp_poll_result last;       /* result of the last poll that did something, or SP_POLL_NOTHING */
  const assets *line_source; /* the assets that reported the last line; NULL: the script */
  assets_result loaded;      /* result of the last poll of the assets */
} hot_reload;

/* The script must outlive it. */
void hot_reload_open(hot_reload *it, sp_script *script, bool watches);

/* Adds assets to be checked: `kinds` of them, each NULL or open. Results are reported to `r`. */
void hot_reload_add_assets(hot_reload *it, assets *const *list, size_t kinds, report *r);

/* Makes the next poll reload all that differs, settled or not, and what was refused before. */
void hot_reload_request(hot_reload *it);

/* Call once per frame, between frames. `now`: real time in seconds. The script reports what happened. */
sp_poll_result hot_reload_poll(hot_reload *it, double now);

/* Returns the line that the last reload reported, or "". */
const char *hot_reload_line(const hot_reload *it);

/* Works like assets_problem, for the first kind that has a problem. */
const char *hot_reload_problem(const hot_reload *it, const char **consequence);

/* Writes the counts into a line of statistics. */
void hot_reload_count(const hot_reload *it, stats_line *line);

#endif
