/*
** The command line: one table of options is used for parsing, for the help text and for suggestions. Nothing is
** printed and nothing is opened here.
*/
#ifndef SP_DEMO_OPTIONS_H
#define SP_DEMO_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "demo/capture/file_writer.h"
#include "script/host/why.h"
#include "script/script.h"

/* Exit codes of the program. */
enum { APP_FINE = 0, APP_SCRIPT_ERROR = 1, APP_USAGE = 2 };

#define OPTIONS_NO_END UINT64_MAX /* frames: until the user quits */
#define OPTIONS_FILE_MOST ATOMIC_FILE_NAME_MOST
#define OPTIONS_MEMORY                                                                                                 \
  ((size_t)1024 << 20)          /* bytes, if --memory is not given: a memory leak ends before the machine suffers */
#define OPTIONS_SIZE_MOST 16384 /* pixels of a side; no renderer does more */
#define OPTIONS_EXEC_MOST 64    /* texts to run */

typedef struct options {
  const char *path; /* folder with main.lua, or a .lua file */
  int game_argc;    /* arguments after "--", for load(args) */
  char **game_argv;
  uint64_t frames;
  uint64_t seed;
  bool seeded; /* --seed was given */
  bool sized;  /* --size was given */
  bool full_screen;
  int width, height;
  char screenshot[OPTIONS_FILE_MOST];   /* "": none */
  uint64_t screenshot_frame;            /* 0: the last one */
  char sound[OPTIONS_FILE_MOST];        /* "": sound goes to the device */
  char record_input[OPTIONS_FILE_MOST]; /* "": none */
  char replay[OPTIONS_FILE_MOST];
  char bisect_input[OPTIONS_FILE_MOST];
  const char *why;             /* the field whose writes are listed, NULL: none */
  sp_watched watched;          /* the same */
  uint64_t at;                 /* frame: its writes up to that; 0: to the end */
  int64_t start_time;          /* set by the program, for input that is recorded or replayed: see sp_script_options */
  bool real_clocks;            /* likewise: see sp_script_options; what clocks return is recorded */
  bool bug;                    /* likewise: the recording is that of a bug file, */
  bool is_own;                 /* which is the game itself */
  double step;                 /* likewise; 0: the default */
  bool as_recorded;            /* likewise: with the files that were recorded, in place of those of now */
  const sp_script_file *files; /* likewise: the game is compiled into the program; `path` only names it */
  double patience;             /* set by the program: see sp_script_options; 0: the default */
  double start_patience;       /* likewise */
  double budget;               /* likewise: real seconds for the steps of a frame, the rest is dropped; 0: no limit */
  bool guest;                  /* likewise: in the page of another, which ends the run and sets `full_screen` */
  const char *stats;           /* NULL: none; "-": stdout */
  size_t memory;               /* bytes */
  const char *exec[OPTIONS_EXEC_MOST]; /* texts of Lua to run once the game is loaded */
  int exec_count;
  bool headless, realtime, trust, trace, help, version, licenses;
  bool check;                              /* check the game, play nothing but its recordings */
  int (*at_save)(const struct options *o); /* runs in a process of its own after each save; NULL: nothing does */
  bool accept;                             /* their hashes are recorded again */
  bool tested;                             /* set by the program: a recording is played in silence */
  bool init;                               /* `path` is a folder to create a new game in */
  const char *kind;                        /* of that game; "": the first one of the guide */
  bool pack;                               /* pack the game at `path`; play nothing */
  const char *pack_for;                    /* the systems, "zip,linux"; "": all */
  const char *out;                         /* the folder for what is packed; NULL: "dist" */
  bool games;                              /* list the bundled games, play nothing */
  bool gallery;                            /* no PATH: show the bundled games, and play the chosen ones */
  bool walled;                             /* set by the program: the second wall may be raised, see wall.h */
  bool release;                            /* the game is finished: no development keys, no watching, no timeline */
  bool synctest;                           /* each frame is played twice */
  bool no_timeline;                        /* input is not kept: the game cannot go back */
  bool no_watch;                           /* files are checked only on request */
  bool pause_on_reload;                    /* with a window */
  char error[512];                         /* what was wrong, one line */
} options;

/* Reads the arguments of main() into `o`. False when they are invalid: `o->error` then says why. Pointers in `o`
   point into `argv`. --help, --version and --licenses need no PATH; without one, options
   of the window and of every game ask for the gallery. */
bool options_parse(options *o, int argc, char **argv);

/* Writes the text of --help. */
void options_help(FILE *out);

/* Writes the title of the window: the last part of the path, of the current folder for ".". */
void options_title(const options *o, char *title, size_t size);

/* Returns whether input is recorded or replayed, or each frame: the run can be repeated. */
bool options_are_repeatable(const options *o);

/* Returns whether the run is recorded as it is played, for the timeline, for bug files and for the log of a finished
   game: clocks stay real. */
bool options_are_recorded(const options *o);

/* Returns whether the game can go back in time: it has a window, unless --no-timeline or --trust is given, or
   --synctest is. */
bool options_have_timeline(const options *o);

/* Returns whether a stopped script stays in its window, or waits for a fix with --realtime; and the sentence that says
   so. */
bool options_wait_for_fix(const options *o);
const char *options_meanwhile(const options *o);

/* Returns the same options with a seed: that of --seed; else headless runs are always equal, and others never are. */
options options_seeded(const options *given);

#endif
