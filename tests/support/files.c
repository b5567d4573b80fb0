#include "support/files.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "script/state/platform.h"

const char *test_path(const char *folder, const char *name)
{
  static char paths[8][600];
  static unsigned turn;
  char *path = paths[turn++ % 8];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

void test_write(const char *path, const char *text)
{
  char folder[600];
  snprintf(folder, sizeof folder, "%s", path);
  FILE *file = fopen(path, "wb");
  for (char *slash = strchr(folder + 1, '/'); !file && slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    mkdir(folder, 0700);
    *slash = '/';
  }
  file = file ? file : fopen(path, "wb");
  ck_assert_msg(file != NULL, "%s: %s", path, strerror(errno));
  fputs(text, file);
  fclose(file);
}

bool test_link(const char *target, const char *path)
{
  bool made = symlink(target, path) == 0;
  ck_assert_msg(made || errno == ENOSYS, "%s: %s", path, strerror(errno));
  return made;
}
