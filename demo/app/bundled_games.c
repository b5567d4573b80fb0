/*
** The games are found relative to the player: beside its folder when it is installed, in the source tree when it was
** built there. Files in the current folder take precedence.
*/
#include "demo/app/bundled_games.h"

#include <SDL.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "demo/support/nearest_name.h"

static const char *const places[] = {"share/spawnpool/scripts", "scripts"};

static bool is_game(const char *above, const char *place, const char *name, char *path, size_t size)
{
  int length = snprintf(path, size, "%s/%s/%s/main.lua", above, place, name);
  if (length < 0 || (size_t)length >= size || access(path, R_OK) != 0)
    return false;
  path[(size_t)length - strlen("/main.lua")] = '\0';
  return true;
}

/* "/usr/local/bin/" becomes "/usr/local". */
static void go_up(char *folder)
{
  for (int i = 0; i < 2; i++) {
    char *slash = strrchr(folder, '/');
    if (slash)
      *slash = '\0';
  }
}

/* Returns whether `name` can be that of a bundled game: no path, and no file in the current folder. */
static bool is_bare(const char *name)
{
  return name[0] != '\0' && name[0] != '.' && !strchr(name, '/') && access(name, F_OK) != 0;
}

/* Returns the parent of the player's folder, to be freed by SDL_free; NULL when it is unknown. */
static char *find_above(void)
{
  char *above = SDL_GetBasePath();
  if (above)
    go_up(above);
  return above;
}

bool bundled_games_find(const char *name, char *path, size_t size)
{
  bool found = false;
  char *above = is_bare(name) ? find_above() : NULL;
  for (size_t i = 0; above && !found && i < sizeof places / sizeof *places; i++)
    found = is_game(above, places[i], name, path, size);
  SDL_free(above);
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

static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

/* Adds the games in `above`/`place`. */
static void add_games(bundled_games *games, const char *above, const char *place)
{
  char path[BUNDLED_GAMES_PATH];
  struct dirent **found = NULL;
  int length = snprintf(games->folder, sizeof games->folder, "%s/%s", above, place);
  bool fits = length > 0 && (size_t)length < sizeof games->folder;
  int count = fits ? scandir(games->folder, &found, is_visible, alphasort) : 0;
  for (int i = 0; i < count; i++) {
    const char *name = found[i]->d_name;
    bundled_game *game = &games->list[games->count];
    if (games->count < BUNDLED_GAMES_MOST && strlen(name) < sizeof game->name &&
        is_game(above, place, name, path, sizeof path - strlen("/main.lua"))) {
      memcpy(game->name, name, strlen(name) + 1);
      read_about(strcat(path, "/main.lua"), game->about, sizeof game->about);
      games->count++;
    }
    free(found[i]);
  }
  free(found);
}

void bundled_games_list(bundled_games *games)
{
  char *above = find_above();
  games->count = 0;
  for (size_t i = 0; above && games->count == 0 && i < sizeof places / sizeof *places; i++)
    add_games(games, above, places[i]);
  SDL_free(above);
}

const char *bundled_games_nearest(const bundled_games *games, const char *name)
{
  nearest_name near = nearest_name_of(name);
  for (int i = 0; is_bare(name) && i < games->count; i++)
    nearest_name_offer(&near, games->list[i].name);
  return near.name;
}

/* }== */
