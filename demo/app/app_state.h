/*
** The state of the player while it runs a game, shared by its frame (app.c), its events (app_events.c) and its window
** (app_window.c).
*/
#ifndef SP_DEMO_APP_STATE_H
#define SP_DEMO_APP_STATE_H

#include "demo/app/hot_reload.h"
#include "demo/app/interrupt.h"
#include "demo/app/output_files.h"
#include "demo/app/overlays.h"
#include "demo/app/rewind.h"
#include "demo/app/synctest.h"
#include "demo/app/tape.h"
#include "demo/support/clock.h"
#include "demo/support/stats.h"
#include "script/state/platform.h"

typedef struct app {
  const options *options; /* `given` */
  options given;
  report report;
  interrupt interrupt;
  window window;
  game game;
  hot_reload hot_reload;
  game_clock clock;
  double last; /* real time of the last clock reading */
  uint64_t frame, steps;
  double draw_ms; /* CPU time of the last drawing, until it is presented */
  stats stats;
  stats_meter meter, whole; /* for the next line of statistics, and for the whole run */
  overlays overlays;
  file_writer file_writer;
  output_files output_files;
  sp_facts folder; /* of the game, if the second wall lets this very one be read; else zeros */
  tape tape;
  rewind_of rewind;
  synctest synctest;
  stills stills;
  bool opened; /* by app_open: there is a game */
  bool paused, step_once, screenshot_requested, ended;
  bool unfocused;         /* another window has the focus */
  double check_folder_at; /* real time of the next check of the game's folder */
  bool folder_replaced;   /* it was reported that another folder has taken its place */
  bool stop_reported;     /* the message about a stopped script was printed */
  bool sized;             /* the window has the size that the game asks for */
  int code;
} app;

/* Returns real seconds. */
static inline double app_now(void)
{
  return (double)SDL_GetPerformanceCounter() / (double)SDL_GetPerformanceFrequency();
}

#endif
