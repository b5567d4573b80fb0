/*
** The input of a run: recorded while it is played, or read from the file of --replay. A file can be replayed as far as
** it was written, even after a crash.
*/
#ifndef SP_DEMO_INPUT_LOG_H
#define SP_DEMO_INPUT_LOG_H

#include "demo/app/game.h"
#include "demo/app/recorder.h"
#include "demo/support/report.h"

/* Gives the game recorded input: each frame gets its recorded events, steps and window size. */
typedef struct replay {
  bool is_on;
  recording recording;
  game *game;
  recorder *recorder; /* may record the replay, with hashes of the current code */
  size_t next;        /* index of the next entry */
  size_t next_clock;  /* index from which the next reading of a clock is searched */
  double last_clock;  /* that was returned */
  uint64_t frame;     /* the current frame, or the last one */
  int steps;
  window window; /* the window as the game sees it; only its size is used */
  uint64_t hashes, differing;
  uint64_t same_to; /* frame of the last hash that was as recorded */
  uint64_t first;   /* first frame that differs; 0: none so far */
  bool is_edited;   /* the game was edited since it was recorded: differences are expected */
  bool edits;       /* else, if it was edited while it was: edits are made again, and `files` are those of the time */
  bool has_polled;  /* this has been done in the current frame */
  recording_files files;
  bool is_quiet;    /* nothing is printed */
  bool is_reported; /* the first difference was reported */
  bool has_ended;   /* the game has ended, as in the recording */
  sp_watch *watch;  /* of a field; NULL: none */
} replay;

typedef struct input_log {
  const options *options;
  recorder recorder;
  replay replay;        /* of --replay; current input does not reach the game then */
  history history;      /* closed: the game cannot go back */
  replay *past;         /* replays frames of the history; NULL: the game is in the present */
  recording_head head;  /* of the run */
  char name[200];       /* of the game */
  uint64_t clock_frame; /* the last frame in which a clock was read, */
  unsigned clocks;      /* how often, */
  messages *messages;
  int owed;     /* steps of the replay that are due; negative: it is ahead */
  bool rests;   /* the replay is paused */
  bool failed;  /* the file could not be written to the end */
  bool hurries; /* the replay runs as fast as it can, up to its end */
} input_log;

/* {== The run ============================================================ */

/* Reads the file of --replay, and changes the options to what was recorded; changes them for --record-input, too.
   Prints what is different since then. False, with one line in `error`, when the file cannot be read, or is the input
   of another game. `o` must outlive the log. */
bool input_log_load(input_log *l, options *o, char *error, size_t error_size);

/* Opens the file of --record-input, and the history. False, with one line in `error`, when it cannot be written. */
bool input_log_open(input_log *l, game *it, messages *m, char *error, size_t error_size);

/* Starts the game, runs the Lua code of --exec, and replays the entries before the first frame. False when a text of
   --exec failed. */
bool input_log_start_game(input_log *l, const window *w, report *r);

/* Returns why the recording of this run, as it is kept in memory, cannot be written; NULL: it can. */
const char *input_log_problem(const input_log *l);

/* Writes it up to the end of frame `last`, or to an error that has stopped the game before: a file for --replay.
   `with_state`: the game is there; the recording ends with a hash of it. */
void input_log_write(input_log *l, FILE *out, uint64_t last, bool with_state);

/* Ends the recording, or prints the result of the replay. Returns whether the run was as recorded, as far as it was
   compared. */
bool input_log_end(input_log *l);
void input_log_close(input_log *l);

/* }== */

/* {== The window ========================================================= */

/* Fits the game's view into the window. A replayed game sees the window that was recorded. */
void input_log_fit(const input_log *l, const window *w);
/* Does the same, and calls the game's resized() if the size has changed. */
void input_log_resize(input_log *l, const window *w);
/* Does the same when the settings of main.lua were read. */
void input_log_fit_settings(input_log *l, const window *w);

/* Returns the view that shows the game's picture in the window: that of a replay is scaled to fit. */
game_view input_log_shown(const input_log *l, const window *w);

/* }== */

/* {== Frames ============================================================= */

/* Adds steps that have become due; returns whether a frame is due. Frames of a replay have their recorded steps. */
bool input_log_add_due(input_log *l, int steps);

/* Returns whether a replay is behind: its next frame runs at once, and need not be shown. */
bool input_log_is_late(const input_log *l);

/* Begins a frame, before its events are handled. */
void input_log_new_frame(input_log *l);

/* Returns the number of steps that the frame runs: `steps`, 0 while the game is paused (`runs` is false), or those of
   the replay; negative when the frame does not run, because the replay is paused or at its end, which sets `*ended`. */
int input_log_begin_frame(input_log *l, bool runs, int steps, bool *ended);

/* Ends a frame. `second`: a second of game time ended in it; `played`, `steps`: frames that had steps, and their steps,
   so far. */
void input_log_end_frame(input_log *l, bool second, uint64_t played, uint64_t steps);

/* Returns a checkpoint at the end of this frame, without the state of the game. */
checkpoint input_log_state(const input_log *l, uint64_t played, uint64_t steps);

/* Call it when edited files were loaded, `at_once` on request: a replay goes on with those on the disk, and differences
   from the recording are expected. */
void input_log_reload(input_log *l, bool at_once);

/* }== */

/* {== Replaying ========================================================== */

/* Begins a frame: passes its input to the game and sets `steps`. False at the end of the recording. */
bool replay_begin_frame(replay *r);

/* Continues from the end of another frame, to whose checkpoint the game was restored. */
void replay_seek(replay *r, const checkpoint *at);

/* }== */

#endif
