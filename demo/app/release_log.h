/*
** Writes the log of a finished game that stops with an error, for its author: versions, the error, earlier messages,
** and the input of the run. It is in the folder of the game's stored data.
*/
#ifndef SP_DEMO_RELEASE_LOG_H
#define SP_DEMO_RELEASE_LOG_H

#include "demo/app/input_log.h"

typedef struct release_log {
  char path[1200];  /* of the text; "": there is no folder */
  char input[1200]; /* of the input, which is written while the game runs */
} release_log;

/* Begins to record input; call it before the game starts. `folder`: see storage_make_folder; NULL: there is none. */
void release_log_open(release_log *it, const char *folder, recorder *r);

/* Writes the text about the error that the game has stopped with. */
void release_log_write(const release_log *it, const input_log *log, const messages *m, SDL_Renderer *renderer);

#endif
