/*
** A player that runs while its game is edited: starts the program on a folder, waits for what it says, ends it.
**
**   edit_write("main.lua", "...");
**   edit_start("--headless --realtime");
**   edit_await("ready");
**   edit_end(0);
*/
#ifndef SP_TESTS_EDIT_RUN_H
#define SP_TESTS_EDIT_RUN_H

#include <signal.h>

/* A checked fixture: a folder with an empty game, and its end; a player that is still there is killed. */
void edit_open(void);
void edit_close(void);

/* The path of a file of the game. One of four buffers. */
const char *edit_path(const char *name);

/* Writes a file of the game in place. */
void edit_write(const char *name, const char *text);

/* Starts the player on the game, for 3600 frames at most: `before` (variables of its environment) may be "". */
void edit_start(const char *before, const char *flags);

/* Waits until the player has said `text`, on either stream, after what was waited for before. Fails when it ends first,
   or says nothing of that kind for a minute. */
void edit_await(const char *text);

/* Waits until it ends by itself, or asks it to; it must end with `status`. */
void edit_await_end(int status);
void edit_end(int status);
void edit_signal(int number);

/* All that it has said, with the game's folder as it is. Good until the next call. */
const char *edit_said(void);

/* A number of the last line of its --stats, once it has ended. */
long edit_stat(const char *name);

#endif
