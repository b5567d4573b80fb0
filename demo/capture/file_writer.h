/*
** Files that the player writes: completely or not at all, and pictures for a player that may not write files. The
** second wall (wall.h) removes the right to create files, but --screenshot and F8 still have to save pictures. A
** separate process does that. It is started before the wall is raised, receives names and bytes through a socket, and
** writes only the file that the command line named, and new screenshots and bug files in the current folder. Systems
** without a second wall have no such process.
**
** Descriptors that are opened beforehand could not do it: a picture replaces the old one by renaming, and F8 makes new
** names. Both need the right to create files in a folder, and with that a game could write there what it likes.
*/
#ifndef SP_DEMO_FILE_WRITER_H
#define SP_DEMO_FILE_WRITER_H

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>

#define ATOMIC_FILE_NAME_MOST 1024 /* bytes of a file name, including the terminator */

typedef struct file_writer {
  int channel;  /* socket to the process */
  long process; /* 0: none, the player writes the files */
} file_writer;

/* Starts the process, which may write `named` ("": nothing) besides files with new names. Call it before threads are
   started. False with errno. */
bool file_writer_open(file_writer *s, const char *named);

/* Writes the name of a new file in the current folder: `name` without odd characters, the time, and `ending`, which is
   ".png" or ".zip". */
void file_writer_new_name(char *file, size_t size, const char *name, const char *ending);

/* Writes `size` bytes to `file`, completely or not at all. False: SDL_GetError says why. */
bool file_writer_save(const file_writer *s, const char *file, const void *bytes, size_t size);

/* Ends the process. Safe on a zeroed file_writer. */
void file_writer_close(file_writer *s);

/* Runs in the process: answers requests on `channel` until the other end is closed. */
void file_writer_serve(int channel, const char *named);

/* {== Screenshots ========================================================
** Pictures as PNG: what is on the renderer, saved; and any picture, in memory. */

/* Returns an encoded picture, to be freed by free, and its size. NULL: SDL_GetError says why. */
void *screenshot_encode(SDL_Surface *picture, size_t *size);

/* Saves what was drawn and not yet presented. False: `error` then holds one line. */
bool screenshot_save(SDL_Renderer *renderer, const file_writer *writer, const char *file, char *error,
                     size_t error_size);

/* }== */

#endif
