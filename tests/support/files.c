#include "support/files.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
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

char *test_read_all(FILE *file, size_t *size)
{
  fseek(file, 0, SEEK_END);
  long length = ftell(file);
  char *text = calloc((size_t)length + 1, 1);
  if (!text)
    abort(); /* also outside of tests, where nothing can be asserted */
  rewind(file);
  *size = fread(text, 1, (size_t)length, file);
  fclose(file);
  return text;
}

char *test_read_file(const char *path)
{
  size_t size;
  FILE *file = fopen(path, "rb");
  return file ? test_read_all(file, &size) : NULL;
}

bool test_link(const char *target, const char *path)
{
  bool made = symlink(target, path) == 0;
  ck_assert_msg(made || errno == ENOSYS, "%s: %s", path, strerror(errno));
  return made;
}

static bool is_folder(const char *path)
{
  sp_facts facts;
  return sp_facts_of_path(path, false, &facts) && facts.kind == SP_KIND_FOLDER;
}

bool test_folder_remove(const char *path)
{
  char below[SP_PATH_MOST];
  bool folder = is_folder(path);
  if (folder)
    chmod(path, S_IRWXU); /* a test may have closed it */
  sp_folder_stream *list = folder ? sp_folder_stream_open(path) : NULL;
  if (!list)
    return unlink(path) == 0 || errno == ENOENT || rmdir(path) == 0;
  bool fine = true;
  for (const char *name; fine && (name = sp_folder_stream_next(list, NULL)) != NULL;)
    fine = snprintf(below, sizeof below, "%s/%s", path, name) < (int)sizeof below && test_folder_remove(below);
  int error = errno;
  sp_folder_stream_close(list);
  errno = error;
  return fine && rmdir(path) == 0;
}
