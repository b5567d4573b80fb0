/*
** Writes pictures for a player that may not write files. The second wall (wall.h) removes the right to create files,
** but --screenshot, --record, F8 and F9 still have to save pictures. A separate process does that. It is started before
** the wall is raised, receives names and bytes through a socket, and writes only the files that the command line named
** and new screenshots in the current folder. Systems without a second wall have no such process.
**
** Descriptors that are opened beforehand could not do it: a picture replaces the old one by renaming, and F8 makes new
** names. Both need the right to create files in a folder, and with that a game could write there what it likes.
*/
#ifndef SP_DEMO_FILE_WRITER_H
#define SP_DEMO_FILE_WRITER_H

#include "demo/capture/png.h"

typedef struct file_writer {
  int channel;  /* socket to the process */
  long process; /* 0: none, the player writes the files */
} file_writer;

#define FILE_WRITER_NAMES 2

/* The files that the process may write besides new screenshots; "": none. */
typedef struct file_writer_names {
  const char *names[FILE_WRITER_NAMES];
} file_writer_names;

/* Starts the process. Call it before threads are started. False with errno. */
bool file_writer_open(file_writer *s, const file_writer_names *names);

/* Writes `b` to `file`. False: SDL_GetError says why. */
bool file_writer_save(const file_writer *s, const png_bytes *b, const char *file);

/* Ends the process. Safe on a zeroed file_writer. */
void file_writer_close(file_writer *s);

/* Runs in the process: answers requests on `channel` until the other end is closed. */
void file_writer_serve(int channel, const file_writer_names *names);

#endif
