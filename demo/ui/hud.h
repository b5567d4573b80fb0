/*
** The overlays that only show: F2's numbers of the pools, and F1's list of keys.
*/
#ifndef SP_DEMO_HUD_H
#define SP_DEMO_HUD_H

#include "core/spawnpool.h"
#include "demo/support/stats.h"
#include "demo/ui/hud_history.h"
#include "demo/ui/panel.h"

typedef enum hud_level { HUD_OFF, HUD_COMPACT, HUD_FULL } hud_level;

/* How reloading goes. */
typedef struct hud_reloads {
  uint64_t done;
  sp_poll_result last; /* SP_POLL_NOTHING: not told of */
  const char *line;    /* what the last one said; kept by the caller */
} hud_reloads;

typedef struct hud {
  hud_level level;
  hud_reloads reloads; /* set by the caller before each drawing */
  sp_script *script;   /* NULL: nothing of Lua is told of */
  stats_meter meter;
  double p50, p99, lua_bytes; /* as shown: renewed with the meter, so that they can be read */
  hud_history history;
} hud;

/* A zeroed one is closed, and works without the script, which must outlive it. */
void hud_open(hud *h, sp_script *script);
void hud_close(hud *h);

/* Off, compact, full, and off again. Off, nothing is drawn, remembered or timed. */
void hud_next(hud *h);

/* Compact: frame rate and milliseconds, how the last reload went, then one line per pool: type, live, idle, peak,
   limit, and a bar of them. Full: curves over the last five seconds too, what happens per second, the time in functions
   of the class, and how often its file was loaded. `now` is real time in seconds. */
void hud_draw(hud *h, graphics *g, const sp_manager *pools, const stats *s, double now);

/* The keys, in the middle of the window. */
void hud_help(graphics *g);

#endif
