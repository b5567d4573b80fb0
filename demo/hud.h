/*
** The overlays that only show: F2's counts of the pools, and F1's list of keys.
*/
#ifndef SP_DEMO_HUD_H
#define SP_DEMO_HUD_H

#include "core/spawnpool.h"
#include "demo/panel.h"
#include "demo/reloads.h"
#include "demo/stats.h"

typedef struct hud {
  const reloads *reloads; /* NULL: not told of */
  stats_meter meter;
  double ms; /* median frame, as shown: renewed with the meter, so that it can be read */
} hud;

/* Frame rate and milliseconds, how the last reload went, then one line per pool: type, live, idle, peak. `now` is real time in seconds. */
void hud_draw(hud *h, graphics *g, const sp_manager *pools, const stats *s, double now);

/* The keys, in the middle of the window. */
void hud_help(graphics *g);

#endif
