/*
** Going back in time: the game is started again, and what was recorded is played up to the chosen frame without being
** shown. From there it goes on, with new input; a recording goes on there, too.
*/
#ifndef SP_DEMO_REWIND_H
#define SP_DEMO_REWIND_H

#include "demo/app/game.h"
#include "demo/app/hot_reload.h"
#include "demo/app/overlays.h"
#include "demo/app/tape.h"
#include "demo/capture/film.h"

/* What it works on; all must outlive it. */
typedef struct rewind_of {
  const options *options;
  report *report;
  window *window;
  game *game;
  hot_reload *hot_reload;
  overlays *overlays;
  tape *tape;
  bool *paused;
  uint64_t *frame, *steps; /* that were played: frames with steps, and their steps */
  film *film;
  double *last; /* real seconds of the last frame */
  bool *ended;
  bool failed;  /* the game could not be opened again: the player ends */
  bool moved;   /* the game is not at the frame in which the timeline was opened */
  double go_at; /* real seconds: when the chosen frame is shown; 0: it is */
} rewind_of;

/* Opens the timeline, and pauses the game; or a notice says that nothing is recorded. `now`: real seconds. */
void rewind_open(rewind_of *of, double now);

/* Handles an event while the timeline is shown: Enter continues from the end of the chosen frame. True when the event
   was used. */
bool rewind_event(rewind_of *of, const SDL_Event *event, double now);

/* Edited files were loaded: the chosen frame is played again. */
void rewind_reload(rewind_of *of, double now);

/* Returns whether the timeline holds the game: the frame that has begun does not run. Shows the chosen frame once the
   choice has rested. */
bool rewind_holds(rewind_of *of, double now);

#endif
