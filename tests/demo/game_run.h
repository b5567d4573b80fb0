/*
** What tests of games share: runs of the player without a window, and the numbers of its --stats.
*/
#ifndef SP_TESTS_GAME_RUN_H
#define SP_TESTS_GAME_RUN_H

#include "support/process.h"

#define PLAY SP_BUILD_DIR "/spawnpool --headless "
#define PATIENCE 120   /* seconds, for one run: sanitizers take their time */
#define PATH_MOST 1024 /* bytes of a file name */

/* Plays a game that must end well, and say nothing but that a type has no class; free with test_process_free. */
test_process game_run(const char *path, const char *flags);

/* The pools in the line of this frame, from `"pools":[` to its end; to be freed. */
char *gamerun_pools(const char *lines, int frame);

/* A number of a pool, in a text that gamerun_pools gave. */
long gamerun_number(const char *pools, const char *type, const char *name);

/* The bytes of a file, with a final NUL; to be freed. The test fails when it cannot be read. */
char *gamerun_read(const char *path, size_t *size);
void gamerun_write(const char *path, const char *text, size_t length);

#endif
