/*
** What a run leaves behind: statistics, screenshots, films, and the lines that tell how far it is. Everything that
** cannot be written is one line on stderr and in the window, and the caller decides what that means.
*/
#ifndef SP_DEMO_OUTPUTS_H
#define SP_DEMO_OUTPUTS_H

#include "demo/film.h"
#include "demo/game.h"
#include "demo/notice.h"
#include "demo/progress.h"
#include "demo/scribe.h"
#include "demo/stats.h"

#define BACKGROUND ((SDL_Color){18, 19, 27, 255}) /* of every picture */

/* Outputs are taken from these, and the scribe writes their pictures. All must outlive the outputs. */
typedef struct outputs_of {
  const game *game;
  const window *window;
  const scribe *scribe;
  notice *notice;
} outputs_of;

typedef struct outputs {
  const options *options;
  outputs_of of;
  FILE *stats_file; /* NULL: none */
  film film;
  char film_file[OPTIONS_FILE_MOST]; /* where it is written to */
  progress progress;
} outputs;

/* `o` must outlive it. False, with one line in `error`, when the file for the statistics cannot be opened. */
bool outputs_open(outputs *out, const options *o, const outputs_of *of, char *error, size_t error_size);
void outputs_close(outputs *out);

/* The run begins at `now`, real time in seconds. */
void outputs_start(outputs *out, double now);

/* A line of statistics, if they were asked for. False when it could not be written. */
bool outputs_stats(outputs *out, const stats *s, const stats_line *line);

/* After frame number `frame`: maybe a line on stderr. */
void outputs_progress(outputs *out, uint64_t frame, double now);

/* What is on the renderer goes to `file`, or to one with a name of its own when that is NULL; then a notice says so. */
bool outputs_screenshot(outputs *out, const char *file, double now);

/* The last seconds are to be written, to a file with a name of its own; a notice says so when there is nothing. */
void outputs_ask_film(outputs *out, double now);

/* Another frame of the film, if one is being written; a notice says when it is saved. False when it cannot be. */
bool outputs_film(outputs *out, double now);

/* The whole film at once, to the file that --record named. False when it cannot be saved. */
bool outputs_record(outputs *out, double now);

#endif
