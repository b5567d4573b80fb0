/*
** Everything that the player draws over the game: HUD, inspector, notice, console, key list, and the error screen of a
** stopped script. They share one batch, which is filled for every frame that is shown.
*/
#ifndef SP_DEMO_OVERLAYS_H
#define SP_DEMO_OVERLAYS_H

#include "demo/app/game.h"
#include "demo/ui/console.h"
#include "demo/ui/hud.h"
#include "demo/ui/inspector.h"
#include "demo/ui/notice.h"
#include "demo/ui/timeline.h"

typedef struct overlays {
  const options *options;
  game *game;
  const hot_reload *reload;
  graphics graphics; /* draws into `batch` */
  batch batch;
  hud hud;
  inspector inspector;
  notice notice;
  console console;
  timeline timeline;
  void (*draw_paths)(void *ud, graphics *g); /* draws over the game while the timeline is shown; may be NULL */
  void *paths_ud;
  bool help_shown;
  bool shows_asset_error; /* the notice shows an error of an asset */
  bool shows_rejected;    /* the notice shows that a file is still rejected */
} overlays;

/* All arguments must outlive it. A zeroed one may be closed. */
void overlays_open(overlays *o, const options *given, game *it, const hot_reload *r, const window *w);
void overlays_close(overlays *o);

/* Call it when the game was restored to a moment: clears all cached data about its pools. */
void overlays_rewound(overlays *o);

/* Uses the sprites and fonts that the game has now: call it whenever they were loaded. */
void overlays_use_graphics(overlays *o);

/* Shows a report in the console, and as a notice unless the console is open. */
void overlays_report(overlays *o, sp_report kind, const char *message, double now);

/* Removes the error of the notice. That of an asset or of a rejected file is back with the next poll while it holds. */
void overlays_clear_error(overlays *o);

/* Shows in the notice why a reload of code or assets failed, until that is fixed. `result` is that of the code. */
void overlays_report_reload(overlays *o, const hot_reload *r, sp_poll_result result);

/* Passes an event to the console, then to the inspector, then to the HUD. True when one of them consumed it. */
bool overlays_event(overlays *o, const SDL_Event *event);

/* Copies the error that is shown, if there is one, to the clipboard, with the text of stderr. */
void overlays_copy_error(overlays *o, double now);

/* Closes the topmost overlay that Esc closes; false when none is open. */
bool overlays_dismiss(overlays *o);

/* Fills the batch. `paused`: why the game is paused, or NULL; `bare`: without the notice, for a screenshot. */
void overlays_draw(overlays *o, const draw_view *view, const stats *s, const char *paused, bool bare, double now);

#endif
