/*
** A bug as a file: the game and the input of a run in one zip, which every player plays again to its end. F9 writes one;
** a finished game that stops with an error leaves one beside its log, in the folder of its stored data.
*/
#ifndef SP_DEMO_BUG_H
#define SP_DEMO_BUG_H

#include "demo/app/input_log.h"

#define BUG_PROBLEM_MOST 256

/* Makes the zip of this run up to the end of frame `last`; with_state: the game is there. The caller frees it. NULL:
   `problem` has one line, or "" when the page has taken over the files. */
void *bug_make(input_log *l, const messages *m, uint64_t last, bool with_state, size_t *size,
               char problem[BUG_PROBLEM_MOST]);

/* {== The log of a finished game ========================================= */

typedef struct release_log {
  char path[1200]; /* of the text; "": there is no folder */
} release_log;

/* Begins to record input; call it before the game starts. `folder`: see storage_make_folder; NULL: there is none. */
void release_log_open(release_log *it, const char *folder, recorder *r);

/* Writes the text about the error that the game has stopped with, for its author: versions, the error, earlier
   messages, and the input of the run, which --replay plays; and the bug file. */
void release_log_write(const release_log *it, input_log *l, const messages *m, SDL_Renderer *renderer);

/* }== */

#endif
