/*
** Bundled games by their bare names: `spawnpool shooter` plays one wherever the player is installed.
*/
#ifndef SP_DEMO_BUNDLED_GAMES_H
#define SP_DEMO_BUNDLED_GAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the folder of the bundled game `name` into `path`. False when `name` is a path, a file of that name exists
   here, or there is no such game. */
bool bundled_games_find(const char *name, char *path, size_t size);

/* Writes the name of the game that `name` is a likely misspelling of. False when there is none. */
bool bundled_games_nearest(const char *name, char *nearest, size_t size);

#endif
