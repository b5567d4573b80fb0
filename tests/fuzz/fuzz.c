/*
** See fuzz.h.
*/
#include "fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/process.h"

_Noreturn void fuzz_failed(const char *what, const char *file, int line)
{
  fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
  abort();
}

double fuzz_patience(void) { return strcmp(test_tool(), "valgrind") == 0 ? 1 : 0.03; }

static char folder[300];

static void remove_folder(void) { test_folder_remove(folder); }

const char *fuzz_file(const char *name, const void *bytes, size_t size)
{
  if (!folder[0])
    fuzz_check(test_folder_make(folder, sizeof folder) && atexit(remove_folder) == 0);
  const char *path = test_path(folder, name);
  test_write(path, ""); /* makes folders */
  FILE *f = fopen(path, "wb");
  fuzz_check(f && fwrite(bytes, 1, size, f) == size && fclose(f) == 0);
  return path;
}
