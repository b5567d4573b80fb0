/*
** A bug as a file: the game and the input of a run in one zip, which every player plays again to its end. F9 writes
** one; a finished game that stops with an error leaves one beside its log, in the folder of its stored data.
*/
#ifndef SP_DEMO_BUG_H
#define SP_DEMO_BUG_H

#include "demo/app/input_log.h"
#include "demo/capture/file_writer.h"

/* Writes a new file in the current folder, and says so. Call it while the events of a frame are handled: that is left
   out. with_state: the game is not in the past. */
void bug_save(input_log *l, messages *m, bool with_state, const file_writer *writer);

/* {== The log of a finished game ========================================= */

typedef struct release_log {
  char path[1200]; /* of the text; "": there is no folder */
} release_log;

/* Names the text in `folder`, see storage_make_folder; NULL: there is none. Returns its path. */
const char *release_log_open(release_log *it, const char *folder);

/* Writes the text about the error that the game has stopped with, for its author: versions, the error, earlier
   messages, and the input of the run, which --replay plays; and the bug file. */
void release_log_write(const release_log *it, input_log *l, const messages *m, SDL_Renderer *renderer);

/* }== */

#endif
