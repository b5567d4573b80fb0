/*
** In the place of app/zip_game.c: a page unpacks zips itself (page/src/archive.js), and plays the files.
*/
#include "demo/app/zip_game.h"

#include <stdio.h>

bool zip_game_is(const char *path) { return (void)path, false; }

bool zip_game_open(zip_game *z, const char *path, char problem[ZIP_GAME_PROBLEM_MOST])
{
  *z = (zip_game){0};
  snprintf(problem, ZIP_GAME_PROBLEM_MOST, "%.400s: a page opens zips itself", path);
  return false;
}

void zip_game_close(zip_game *z) { (void)z; }
