/*
** A zip for the reader of games. What is refused is refused in one line; what is read is inside of its folder and of
** the bounds, and has a main.lua.
*/
#include "fuzz/fuzz.h"

#include <stdio.h>
#include <string.h>

#include "demo/app/zip_game.h"

static void check_name(const char *name)
{
  fuzz_check(name[0] != '/' && !strstr(name, "../") && !strpbrk(name, "\\:\n"));
}

static bool check_files(const zip_game *z)
{
  bool has_main = false;
  uint64_t size = 0;
  for (size_t i = 0; i < z->count; i++) {
    const sp_script_file *file = &z->files[i];
    fuzz_check(i == 0 || strcmp(file[-1].name, file->name) < 0);
    fuzz_check(file->source[file->size] == '\0');
    check_name(file->name);
    has_main = has_main || strcmp(file->name, "main.lua") == 0;
    size += file->size;
  }
  fuzz_check(z->files[z->count].name == NULL && size == z->size && size <= (uint64_t)256 << 20);
  return has_main;
}

int fuzz_zip(const uint8_t *data, size_t size)
{
  char path[600], problem[ZIP_GAME_PROBLEM_MOST] = "";
  zip_game z;
  fuzz_write("game.zip", data, size);
  snprintf(path, sizeof path, "%s/game.zip", fuzz_folder());
  if (zip_game_open(&z, path, problem)) {
    fuzz_check(check_files(&z));
    zip_game_close(&z);
  } else {
    fuzz_check(problem[0] != '\0' && !strchr(problem, '\n') && !z.files);
  }
  return 0;
}
