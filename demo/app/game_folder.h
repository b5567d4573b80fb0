/*
** The folder of a game: its name and a hash of its Lua files, by which recordings identify it; and those of bundled
** games, which are found by their bare names: `spawnpool shooter` plays one wherever the player is installed.
*/
#ifndef SP_DEMO_GAME_FOLDER_H
#define SP_DEMO_GAME_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "script/script.h"
#include "script/state/platform.h"

#define GAME_PATH_MOST 4096

/* Writes the last part of the path, of the current folder for "."; a zip without its ending. */
void game_folder_name(const char *path, char *name, size_t size);

/* Returns a hash of the names and contents of all .lua files in the game's folder; for a game that is a single file, of
   that file and the files in pools/ beside it; of `given`, if that is not NULL: then the game is in memory. Links and
   hidden folders are skipped. */
uint64_t game_folder_hash(const char *path, const sp_script_file *given);

/* Calls `fn` for each of these files of a game's folder, by its path and its name in the folder: "pools/Bullet.lua". */
typedef void (*game_text_fn)(void *ud, const char *path, const char *name);
void game_folder_each_text(const char *path, game_text_fn fn, void *ud);

/* Reads an open file, and closes it; -1 is none. Returns its content, from malloc, with a zero behind it; NULL, with
   errno, when it cannot be read, or is larger than `most`. */
char *game_folder_read(int file, size_t most, size_t *size);

/* Returns whether another folder lies at this path than the one with these facts; false for zeros. */
bool game_folder_is_replaced(const char *path, const sp_facts *was);

/* {== Bundled games ====================================================== */

#define BUNDLED_GAMES_MOST 32

typedef struct bundled_game {
  char name[64];
  char about[192]; /* the first sentence of its main.lua, without the name; or "" */
} bundled_game;

typedef struct bundled_games {
  char folder[GAME_PATH_MOST]; /* contains the folders of the games */
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

/* }== */

#endif
