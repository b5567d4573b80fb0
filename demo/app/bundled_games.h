/*
** The games that came with the player, by their bare names: `spawnpool shooter` plays one wherever it was installed to.
*/
#ifndef SP_DEMO_BUNDLED_GAMES_H
#define SP_DEMO_BUNDLED_GAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the folder of the game `name` that came with the player into `path`. False when `name` is a path, or there is
   something of that name here, or no such game came along. */
bool bundled_games_find(const char *name, char *path, size_t size);

/* Writes the name of one that `name` may have been meant for. False when there is none. */
bool bundled_games_nearest(const char *name, char *nearest, size_t size);

#endif
