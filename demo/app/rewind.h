/*
** Goes back in time. While the timeline is open it controls the game: frames of the last minutes are replayed from the
** checkpoints in the history, without being shown, in time slices of each frame of the window. The game can continue
** from a chosen frame with new input. A marked stretch can be looped, also with edited files.
*/
#ifndef SP_DEMO_REWIND_H
#define SP_DEMO_REWIND_H

#include "demo/app/clocks.h"
#include "demo/app/game.h"
#include "demo/app/overlays.h"
#include "demo/app/trails.h"
#include "demo/capture/stills.h"

/* The action when the target frame is reached. */
typedef enum rewind_then {
  REWIND_SHOW,  /* the frame is shown */
  REWIND_TAKE,  /* the game goes on from there */
  REWIND_PLAY,  /* the stretch begins there, and is played */
  REWIND_EDIT,  /* the stretch begins there, and is played with the edited files */
  REWIND_WHY,   /* what wrote the watched field is known */
  REWIND_TRACED /* the old path was followed: the edited files are loaded */
} rewind_then;

/* Says whether and how the user wants to leave the timeline. */
typedef enum rewind_wish { REWIND_STAY, REWIND_GO_ON, REWIND_CLOSE } rewind_wish;

/* First the objects that it works on, all of which must outlive it; then its state. */
typedef struct rewind_of {
  const options *options;
  report *report;
  window *window;
  game *game;
  hot_reload *hot_reload;
  overlays *overlays;
  input_log *log;
  stills *stills;
  input_queue *own_events;
  bool *paused;
  uint64_t *frame, *steps;  /* counters of the app: played frames that have steps, and their steps */
  double *last;             /* real seconds of the last frame */
  checkpoint present;       /* taken when the timeline was opened */
  checkpoint start, edited; /* the start of the stretch, as recorded and with edited files; free unless known */
  const checkpoint *origin; /* from which the frames are played */
  replay play;
  recorder silent;
  bool shown;                     /* the timeline is open */
  unsigned opened;                /* counts how often it was */
  uint64_t at, first, last_frame; /* frames: the chosen one, the first that can be chosen, and the present */
  uint64_t from, to;              /* the marked stretch; 0: that end is not marked */
  bool backs;                     /* runs backwards while Backspace is held */
  bool goes_on;                   /* and continues when that is released */
  bool wants_play;                /* it plays on from the chosen frame */
  const char *note;               /* for the user, or NULL */
  SDL_Texture *still;             /* shown instead of the game's picture; NULL: that is the chosen frame */
  bool works;                     /* frames are played until `target` */
  bool moved;                     /* the game is in the past */
  bool is_exact;                  /* the game is in the state at the end of play.frame */
  bool has_failed;                /* the edited files, in a replayed frame */
  bool plays;                     /* the stretch, or what follows the chosen frame, is being played */
  uint64_t target;                /* frames */
  uint64_t seen;                  /* frame that the game's picture shows; 0: none of the history */
  uint64_t edit_from, edit_to;
  rewind_then then;
  rewind_wish wish;
  double go_at;    /* real seconds: when the chosen frame is replayed */
  double check_at; /* real seconds: when the files are checked again */
  uint64_t files, changed_files;
  sp_watch *watch; /* of the field that was asked for last; NULL: none */
  trails paths;    /* before the edit and after it */
} rewind_of;

/* Returns whether the game can go back in time now. */
bool rewind_can(const rewind_of *of);

/* Opens the timeline and pauses the game, or closes it; on failure a notice says why. `now`: real seconds. */
void rewind_open(rewind_of *of, double now);

/* Runs the game backwards while Backspace is held; it continues from there when the key is released. A game that has
   stopped with an error begins a second before the error. */
void rewind_run_back(rewind_of *of, double now);

/* Opens the timeline `seconds` of game time before the end of the replay that was played. */
void rewind_open_before_end(rewind_of *of, double seconds, double now);

/* Chooses the frame nearest to `frame`, and stops playing. */
void rewind_choose(rewind_of *of, double frame);

/* Plays the frames before the chosen one again, and watches a field, "Bullet#12.vx"; opens the timeline if it is not
   shown. False, and a notice says why, when that is not possible. NULL: ends the search. */
bool rewind_ask_why(rewind_of *of, const char *field, double now);

/* Returns whether the search is over: of->watch has what was found. */
bool rewind_knows_why(const rewind_of *of);

/* Marks a stretch, which is played in a loop when it has both ends; 0: that end is not marked. */
void rewind_mark(rewind_of *of, uint64_t from, uint64_t to);

/* Asks to close the timeline: to go on from the chosen frame, or in the present. */
void rewind_leave(rewind_of *of, bool go_on);

/* Returns how much of the frames that are played again is done, from 0 to 1; below 0: none are. */
double rewind_progress(const rewind_of *of);

/* Replays frames for a time slice, if necessary. Returns whether the timeline controls the game: then the frame that
   has begun must not run. */
bool rewind_holds(rewind_of *of, double now);

/* Closes the timeline, if it is shown, and restores the present. */
void rewind_return(rewind_of *of);

/* Runs Lua as sp_script_eval does; `ud` is the rewind_of. While the timeline is shown, changes to the game are undone
   afterwards, because replayed frames would lack them. */
sp_eval rewind_eval(void *ud, const char *lua);

/* Draws what belongs below the overlays, in points: a still of the chosen frame, or the paths of objects.
   `ud` is the rewind_of. */
void rewind_draw_below(void *ud, graphics *g);

void rewind_close(rewind_of *of);

/* {== --synctest ========================================================= */

/* Goes back after each frame, plays it again with the same input, and compares the two results. It finds what a game,
   or the player, keeps outside of what going back restores. */
typedef struct synctest {
  rewind_of *of;                      /* plays the frames again; NULL: nothing is tested */
  checkpoint before;                  /* the end of the frame before */
  uint64_t frames, differing, inputs; /* frames that were played again; those that differ; events that were heard */
  bool has_failed;                    /* memory was refused */
} synctest;

/* Call these before a frame begins and after it has ended. `of` must be as it is while no timeline is open. */
void synctest_begin_frame(synctest *s);
void synctest_end_frame(synctest *s);

/* Prints the result; returns whether every frame came out the same. */
bool synctest_print_result(const synctest *s);
void synctest_close(synctest *s); /* a zeroed one is closed */

/* }== */

#endif
