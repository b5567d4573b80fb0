/*
** Going back in time. The timeline holds the game: frames of the last minutes are played again from the moments that
** the history has kept, without being shown, a slice in each frame of the window. From a chosen frame the game goes on,
** with new input. A stretch can be played again and again, and with edited files.
*/
#ifndef SP_DEMO_REWIND_H
#define SP_DEMO_REWIND_H

#include "demo/app/game.h"
#include "demo/app/hot_reload.h"
#include "demo/app/overlays.h"
#include "demo/app/tape.h"
#include "demo/capture/film.h"
#include "demo/capture/stills.h"
#include "demo/ui/trail.h"

/* Says what happens once the target is reached. */
typedef enum rewind_then {
  REWIND_SHOW,  /* the frame is shown */
  REWIND_TAKE,  /* the game goes on from there */
  REWIND_PLAY,  /* the stretch begins there, and is played */
  REWIND_EDIT,  /* the stretch begins there, and is played with the edited files */
  REWIND_TRACED /* the old path was followed: the edited files are loaded */
} rewind_then;

/* What it works on, all of which must outlive it; then what it is doing. */
typedef struct rewind_of {
  const options *options;
  report *report;
  window *window;
  game *game;
  hot_reload *hot_reload;
  overlays *overlays;
  tape *tape;
  film *film;
  stills *stills;
  bool *paused;
  uint64_t *frame, *steps; /* that were played: frames with steps, and their steps */
  double *last;            /* real seconds of the last frame */
  moment present;          /* in which the timeline was opened */
  moment start, edited;    /* the begin of the stretch, as it was and with edited files; free unless they are known */
  const moment *origin;    /* from which the frames are played */
  replay play;
  recorder silent;
  bool works;      /* frames are played until `target` */
  bool moved;      /* the game is not in the present */
  bool is_exact;   /* the game is as it was at the end of play.frame */
  bool plays;      /* the stretch, or what follows the chosen frame, is being played */
  uint64_t target; /* frames */
  uint64_t seen;   /* that the game's picture shows; 0: none of them */
  uint64_t edit_from, edit_to;
  rewind_then then;
  timeline_action wanted; /* TIMELINE_GO or TIMELINE_CLOSE, when a key has asked for it */
  double go_at;           /* real seconds: when the chosen frame is played */
  double check_at;        /* real seconds: when the files are looked at again */
  uint64_t files, changed_files;
  int mouse_x, mouse_y;
  sp_ref traced; /* the object whose path is drawn; 0: none */
  trail old_path, new_path;
  trail *path; /* that is being followed, or NULL */
} rewind_of;

/* Returns whether the game can go back now. */
bool rewind_can(const rewind_of *of);

/* Opens the timeline, and pauses the game; or a notice says why there is none. `now`: real seconds. */
void rewind_open(rewind_of *of, double now);

/* Backspace is held from now on: the game runs backwards until it is released, and continues from there. A game that
   has stopped with an error begins a second before it. */
void rewind_run_back(rewind_of *of, double now);

/* Handles an event while the timeline is shown. True when the event was used. */
bool rewind_event(rewind_of *of, const SDL_Event *event, double now);

/* Returns whether the timeline holds the game: the frame that has begun does not run. Plays a slice of what is to be
   played. */
bool rewind_holds(rewind_of *of, double now);

/* Closes the timeline, if it is shown: the game is in the present. */
void rewind_return(rewind_of *of);

/* Draws the paths of the traced object; `ud` is the rewind_of. */
void rewind_draw_paths(void *ud, graphics *g);

void rewind_close(rewind_of *of);

#endif
