/*
** Writes pictures to files for a player that may not write any. The second wall (wall.h) takes from the player the
** right to open files for writing; what a person asks for still has to be saved: --screenshot, --record, F8, F9. A
** process of its own does that. It is started before the wall is raised, takes a name and bytes through a socket, and
** writes only the files that the command line named, and new ones with the name of a screenshot in the current folder.
*/
#ifndef SP_DEMO_SCRIBE_H
#define SP_DEMO_SCRIBE_H

#include <sys/types.h>

#include "demo/png.h"

typedef struct scribe {
  int channel;   /* to the process */
  pid_t process; /* 0: none, the player writes by itself */
} scribe;

#define SCRIBE_NAMES 2

/* The process may write these files besides new screenshots; "" stands for none. */
typedef struct scribe_names {
  const char *names[SCRIBE_NAMES];
} scribe_names;

/* Starts the process, which must be done before there are threads. False with errno. */
bool scribe_open(scribe *s, const scribe_names *names);

/* Writes `b` to `file`. False: SDL_GetError says why. */
bool scribe_save(const scribe *s, const png_bytes *b, const char *file);

/* Ends the process. Safe on a zeroed scribe. */
void scribe_close(scribe *s);

/* Runs in the process: answers requests on `channel` until the other end is closed. */
void scribe_serve(int channel, const scribe_names *names);

#endif
