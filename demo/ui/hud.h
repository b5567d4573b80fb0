/*
** Overlays without input: pool statistics (F2) and the list of keys (F1).
*/
#ifndef SP_DEMO_HUD_H
#define SP_DEMO_HUD_H

#include "core/spawnpool.h"
#include "demo/support/stats.h"
#include "demo/ui/hud_history.h"
#include "demo/ui/panel.h"

typedef enum hud_level { HUD_OFF, HUD_COMPACT, HUD_FULL } hud_level;

/* The reloads so far. */
typedef struct hud_reloads {
  uint64_t done;
  sp_poll_result last; /* SP_POLL_NOTHING: none yet */
  const char *line;    /* the line of the last one; owned by the caller */
} hud_reloads;

typedef struct hud {
  hud_level level;
  hud_reloads reloads; /* set by the caller before each drawing */
  sp_script *script;   /* NULL: Lua is not shown */
  stats_meter meter;
  double p50, p99, lua_bytes; /* as shown: updated with the meter, slowly enough to be read */
  hud_history history;
  uint32_t first, shown, all; /* pools: the first one that is shown, how many are, how many there are */
  SDL_FRect area;             /* of what was drawn last, in points */
  float mouse_x, mouse_y;
} hud;

/* A zeroed one is closed. The script must outlive it, and may be NULL. */
void hud_open(hud *h, sp_script *script);
void hud_close(hud *h);

/* Switches from off to compact, full, and off again. When it is off, nothing is drawn, recorded or timed. */
void hud_next(hud *h);

/* Compact shows frame rate and times, the last reload, then one line per pool: type, live, idle, peak, limit, and a
   bar of them. Full adds curves over the last five seconds, events per second, the time in functions of the class, and
   how often its file was loaded. `now` is real time in seconds. */
void hud_draw(hud *h, graphics *g, const sp_manager *pools, const stats *s, double now);

/* Shows the next pools where not all fit, and the first ones after the last. */
void hud_page(hud *h);

/* Scrolls the pools with the wheel over the HUD, where not all fit. True when the event was consumed. */
bool hud_event(hud *h, const SDL_Event *event);

/* Draws the list of keys in the middle of the window. */
void hud_help(graphics *g);

#endif
