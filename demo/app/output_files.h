/*
** The output of a run: statistics, screenshots, and lines of progress. A failure to write is reported in one
** line on stderr and in the window; the caller decides about the consequences.
*/
#ifndef SP_DEMO_OUTPUT_FILES_H
#define SP_DEMO_OUTPUT_FILES_H

#include "demo/app/game.h"
#include "demo/app/messages.h"
#include "demo/capture/file_writer.h"
#include "demo/capture/progress.h"
#include "demo/support/stats.h"

#define BACKGROUND ((SDL_Color){18, 19, 27, 255}) /* background of every picture */

/* Sources of the output, and the writer of its pictures. All must outlive the output_files. */
typedef struct output_files_of {
  const game *game;
  const window *window;
  const file_writer *writer;
  messages *messages;
} output_files_of;

typedef struct output_files {
  const options *options;
  output_files_of of;
  FILE *stats_file; /* NULL: none */
  progress progress;
} output_files;

/* `o` must outlive it. False, with one line in `error`, when the file for the statistics cannot be opened. */
bool output_files_open(output_files *out, const options *o, const output_files_of *of, char *error, size_t error_size);
void output_files_close(output_files *out);

/* The run begins at `now`, real time in seconds. */
void output_files_start(output_files *out, double now);

/* Writes a line of statistics, if --stats is set. False when it could not be written. */
bool output_files_stats(output_files *out, const stats *s, const stats_line *line);

/* Prints a line of progress on stderr if one is due after frame `frame`. */
void output_files_progress(output_files *out, uint64_t frame, double now);

/* Saves what is on the renderer to `file`, or to a new file if that is NULL, which a notice then names. */
bool output_files_screenshot(output_files *out, const char *file, double now);

/* Starts the process that writes pictures, if there will be any and the second wall keeps this process from it. Call it
   before threads are started. False on failure. */
bool output_files_open_writer(const options *o, file_writer *writer);

#endif
