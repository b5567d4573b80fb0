/*
** Bundled games by their bare names: `spawnpool shooter` plays one wherever the player is installed.
*/
#ifndef SP_DEMO_BUNDLED_GAMES_H
#define SP_DEMO_BUNDLED_GAMES_H

#include <stdbool.h>
#include <stddef.h>

#define BUNDLED_GAMES_MOST 32
#define BUNDLED_GAMES_PATH 4096

typedef struct bundled_game {
  char name[64];
  char about[192]; /* the first sentence of its main.lua, without the name; or "" */
} bundled_game;

typedef struct bundled_games {
  char folder[BUNDLED_GAMES_PATH]; /* contains the folders of the games */
  int count;
  bundled_game list[BUNDLED_GAMES_MOST]; /* by name */
} bundled_games;

/* Finds all bundled games. */
void bundled_games_list(bundled_games *games);

/* Writes the folder of the bundled game `name` into `path`. False when `name` is a path, a file of that name exists
   here, or there is no such game. */
bool bundled_games_find(const char *name, char *path, size_t size);

/* Returns the game in `games` that `name` is a likely misspelling of, or NULL. */
const char *bundled_games_nearest(const bundled_games *games, const char *name);

#endif
