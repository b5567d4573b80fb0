/*
** Where the games lie is known from where the player lies: beside its folder when it was installed, whatever the prefix
** was, and in the tree when it was built there. What lies in the current folder comes first.
*/
#include "demo/shipped.h"

#include <SDL.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

bool shipped_find(const char *name, char *path, size_t size)
{
  bool found = false;
  if (name[0] == '\0' || name[0] == '.' || strchr(name, '/') || access(name, F_OK) == 0)
    return false;
  char *above = SDL_GetBasePath();
  if (!above)
    return false;
  go_up(above);
  for (size_t i = 0; !found && i < sizeof places / sizeof *places; i++)
    found = is_game(above, places[i], name, path, size);
  SDL_free(above);
  return found;
}
