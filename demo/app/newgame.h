/*
** `spawnpool init DIR`: a small game to begin with, that plays and is fun to change, with the files that editors want.
*/
#ifndef SP_DEMO_NEWGAME_H
#define SP_DEMO_NEWGAME_H

#include <stddef.h>

typedef struct newgame_file {
  const char *name; /* in the game's folder */
  const unsigned char *data;
  size_t size;
} newgame_file;

/* The Makefile makes it of demo/newgame; a NULL name ends it. */
extern const newgame_file newgame_files[];

/* Makes the game in `folder`, which must not exist or be empty, and says what it has made. Returns the exit code of the
   program. */
int newgame_make(const char *folder);

#endif
