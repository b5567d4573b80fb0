/*
** The games are found relative to the player: beside its folder when it is installed, in the source tree when it was
** built there. Files in the current folder take precedence.
*/
#include "demo/app/bundled_games.h"

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/support/platform.h"
#include "demo/support/strings.h"

/* Paths relative to a folder that is `up` levels above the player's. `make BUILD=build/clang` puts the player two
   levels below the tree. */
static const struct {
  const char *path;
  int up;
} places[] = {{"share/spawnpool/scripts", 1}, {"scripts", 1}, {"scripts", 0}, {"scripts", 2}};

enum { PLACES = sizeof places / sizeof *places };

static bool is_game(const char *above, const char *place, const char *name, char *path, size_t size)
{
  int length = snprintf(path, size, "%s/%s/%s/main.lua", above, place, name);
  if (length < 0 || (size_t)length >= size || !platform_may_read(path))
    return false;
  path[(size_t)length - strlen("/main.lua")] = '\0';
  return true;
}

/* Returns whether `name` can be that of a bundled game: no path, and no file in the current folder. */
static bool is_bare(const char *name)
{
  return name[0] != '\0' && name[0] != '.' && !strchr(name, '/') && !platform_exists(name);
}

/* Returns the base folder of place `i`, to be freed by SDL_free; NULL when it is unknown. For a player in
   "/usr/local/bin/" it is "/usr/local" or "/usr/local/bin". */
static char *find_base(int i)
{
  char *base = SDL_GetBasePath();
  if (!base)
    return NULL;
  platform_slashes(base);
  for (int up = 0; up <= places[i].up; up++) {
    char *slash = strrchr(base, '/');
    if (slash)
      *slash = '\0';
  }
  return base;
}

bool bundled_games_find(const char *name, char *path, size_t size)
{
  bool found = false;
  for (int i = 0; is_bare(name) && !found && i < PLACES; i++) {
    char *base = find_base(i);
    found = base && is_game(base, places[i].path, name, path, size);
    SDL_free(base);
  }
  return found;
}

/* {== All of them ========================================================= */

/* Writes the first sentence of the comment that begins the file: "-- NAME: what it is. More." */
static void read_about(const char *path, char *about, size_t size)
{
  char text[512];
  FILE *file = fopen(path, "rb");
  size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0, filled = 0;
  if (file)
    fclose(file);
  text[length] = '\0';
  const char *colon = strncmp(text, "-- ", 3) == 0 ? strstr(text, ": ") : NULL;
  for (const char *at = colon ? colon + 2 : ""; *at && filled + 2 < size; at++) {
    bool wraps = strncmp(at, "\n-- ", 4) == 0;
    about[filled++] = (char)(wraps ? ' ' : *at);
    at += wraps ? 3 : 0;
    if (*at == '\n' || strchr(".?!", *at))
      break;
  }
  about[filled] = '\0';
}

static int by_name(const void *a, const void *b)
{
  return strcmp(((const bundled_game *)a)->name, ((const bundled_game *)b)->name);
}

/* Adds the games in `above`/`place`. */
static void add_games(bundled_games *games, const char *above, const char *place)
{
  char path[BUNDLED_GAMES_PATH];
  int length = snprintf(games->folder, sizeof games->folder, "%s/%s", above, place);
  bool fits = length > 0 && (size_t)length < sizeof games->folder;
  sp_folder_stream *found = fits ? sp_folder_stream_open(games->folder) : NULL;
  for (const char *name; found && (name = sp_folder_stream_next(found, NULL)) != NULL;) {
    bundled_game *game = &games->list[games->count];
    if (name[0] != '.' && games->count < BUNDLED_GAMES_MOST && strlen(name) < sizeof game->name &&
        is_game(above, place, name, path, sizeof path - strlen("/main.lua"))) {
      memcpy(game->name, name, strlen(name) + 1);
      read_about(strcat(path, "/main.lua"), game->about, sizeof game->about);
      games->count++;
    }
  }
  sp_folder_stream_close(found);
  qsort(games->list, (size_t)games->count, sizeof *games->list, by_name);
}

void bundled_games_list(bundled_games *games)
{
  games->count = 0;
  for (int i = 0; games->count == 0 && i < PLACES; i++) {
    char *base = find_base(i);
    if (base)
      add_games(games, base, places[i].path);
    SDL_free(base);
  }
}

const char *bundled_games_nearest(const bundled_games *games, const char *name)
{
  nearest_name near = nearest_name_of(name);
  for (int i = 0; is_bare(name) && i < games->count; i++)
    nearest_name_offer(&near, games->list[i].name);
  return near.name;
}

/* }== */
