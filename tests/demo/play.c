/*
** See play.h.
*/
#include "demo/play.h"

#include <stdio.h>

char play_folder[256];
test_process play_run;

void play_open(void)
{
  ck_assert(test_folder_make(play_folder, sizeof play_folder));
  play_run = (test_process){.out = NULL};
}

void play_close(void)
{
  if (play_run.out)
    test_process_free(&play_run);
  test_folder_remove(play_folder);
}

const char *play_path(const char *name)
{
  static char paths[4][512];
  static unsigned turn;
  char *path = paths[turn++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", play_folder, name);
  return path;
}

void play_write(const char *name, const char *content)
{
  char path[512];
  FILE *file;
  snprintf(path, sizeof path, "%s/%s", play_folder, name);
  file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fputs(content, file);
  fclose(file);
}
