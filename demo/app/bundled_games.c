/*
** The games are found relative to the player: beside its folder when it is installed, in the source tree when it was
** built there. Files in the current folder take precedence.
*/
#include "demo/app/bundled_games.h"

#include <SDL.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "demo/support/edit_distance.h"

#define PATH_MOST 4096
#define MISTYPED_MOST 2u /* letters; with more it is another word */

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

/* Finds the nearest name in one folder. */
static bool look_for_nearest(const char *folder, const char *name, char *nearest, size_t size)
{
  unsigned best = MISTYPED_MOST + 1;
  const struct dirent *entry;
  DIR *dir = opendir(folder);
  while (dir && (entry = readdir(dir)) != NULL) {
    unsigned distance = edit_distance(name, entry->d_name);
    if (entry->d_name[0] != '.' && distance < best && strlen(entry->d_name) < size) {
      best = distance;
      memcpy(nearest, entry->d_name, strlen(entry->d_name) + 1);
    }
  }
  if (dir)
    closedir(dir);
  return best <= MISTYPED_MOST;
}

bool bundled_games_nearest(const char *name, char *nearest, size_t size)
{
  bool found = false;
  char folder[PATH_MOST], *above = is_bare(name) ? find_above() : NULL;
  for (size_t i = 0; above && !found && i < sizeof places / sizeof *places; i++) {
    int length = snprintf(folder, sizeof folder, "%s/%s", above, places[i]);
    found = length > 0 && (size_t)length < sizeof folder && look_for_nearest(folder, name, nearest, size);
  }
  SDL_free(above);
  return found;
}
