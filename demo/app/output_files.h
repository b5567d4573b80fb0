/*
** What a run leaves behind: statistics, screenshots, films, and the lines that tell how far it is. Everything that
** cannot be written is one line on stderr and in the window, and the caller decides what that means.
*/
#ifndef SP_DEMO_OUTPUT_FILES_H
#define SP_DEMO_OUTPUT_FILES_H

#include "demo/app/game.h"
#include "demo/capture/file_writer.h"
#include "demo/capture/film.h"
#include "demo/capture/progress.h"
#include "demo/support/stats.h"
#include "demo/ui/notice.h"

#define BACKGROUND ((SDL_Color){18, 19, 27, 255}) /* of every picture */

/* Outputs are taken from these, and the writer writes their pictures. All must outlive the outputs. */
typedef struct output_files_of {
  const game *game;
  const window *window;
  const file_writer *writer;
  notice *notice;
} output_files_of;

typedef struct output_files {
  const options *options;
  output_files_of of;
  FILE *stats_file; /* NULL: none */
  film film;
  char film_file[OPTIONS_FILE_MOST]; /* where it is written to */
  progress progress;
} output_files;

/* `o` must outlive it. False, with one line in `error`, when the file for the statistics cannot be opened. */
bool output_files_open(output_files *out, const options *o, const output_files_of *of, char *error, size_t error_size);
void output_files_close(output_files *out);

/* The run begins at `now`, real time in seconds. */
void output_files_start(output_files *out, double now);

/* A line of statistics, if they were asked for. False when it could not be written. */
bool output_files_stats(output_files *out, const stats *s, const stats_line *line);

/* After frame number `frame`: maybe a line on stderr. */
void output_files_progress(output_files *out, uint64_t frame, double now);

/* What is on the renderer goes to `file`, or to one with a name of its own when that is NULL; then a notice says so. */
bool output_files_screenshot(output_files *out, const char *file, double now);

/* The last seconds are to be written, to a file with a name of its own; a notice says so when there is nothing. */
void output_files_request_film(output_files *out, double now);

/* Another frame of the film, if one is being written; a notice says when it is saved. False when it cannot be. */
bool output_files_film(output_files *out, double now);

/* The whole film at once, to the file that --record named. False when it cannot be saved. */
bool output_files_record(output_files *out, double now);

#endif
