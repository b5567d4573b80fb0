/*
** Writes pictures to files for a player that may not write any. The second wall (wall.h) takes from the player the
** right to open files for writing; what a person asks for still has to be saved: --screenshot, --record, F8, F9. A
** process of its own does that. It is started before the wall is raised, takes a name and bytes through a socket, and
** writes only the files that the command line named, and new ones with the name of a screenshot in the current folder.
*/
#ifndef SP_DEMO_FILE_WRITER_H
#define SP_DEMO_FILE_WRITER_H

#include <sys/types.h>

#include "demo/capture/png.h"

typedef struct file_writer {
  int channel;   /* to the process */
  pid_t process; /* 0: none, the player writes by itself */
} file_writer;

#define FILE_WRITER_NAMES 2

/* The process may write these files besides new screenshots; "" stands for none. */
typedef struct file_writer_names {
  const char *names[FILE_WRITER_NAMES];
} file_writer_names;

/* Starts the process, which must be done before there are threads. False with errno. */
bool file_writer_open(file_writer *s, const file_writer_names *names);

/* Writes `b` to `file`. False: SDL_GetError says why. */
bool file_writer_save(const file_writer *s, const png_bytes *b, const char *file);

/* Ends the process. Safe on a zeroed scribe. */
void file_writer_close(file_writer *s);

/* Runs in the process: answers requests on `channel` until the other end is closed. */
void file_writer_serve(int channel, const file_writer_names *names);

#endif
