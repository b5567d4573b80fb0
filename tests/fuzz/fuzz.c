/*
** See fuzz.h.
*/
#include "fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/process.h"

/* {== Bytes ============================================================== */

bool fuzz_more(const fuzz_input *in) { return in->at < in->end; }

uint8_t fuzz_byte(fuzz_input *in) { return fuzz_more(in) ? *in->at++ : 0; }

uint32_t fuzz_below(fuzz_input *in, uint32_t n) { return fuzz_byte(in) % n; }

/* }== */

/* {== What must hold ===================================================== */

_Noreturn void fuzz_failed(const char *what, const char *file, int line)
{
  fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
  abort();
}

double fuzz_patience(void) { return strcmp(test_tool(), "valgrind") == 0 ? 1 : 0.03; }

/* }== */

/* {== Files ============================================================== */

static char folder[300];

static void remove_folder(void) { test_folder_remove(folder); }

const char *fuzz_folder(void)
{
  if (!folder[0])
    fuzz_check(test_folder_make(folder, sizeof folder) && atexit(remove_folder) == 0);
  return folder;
}

void fuzz_write(const char *name, const void *bytes, size_t size)
{
  char path[600];
  snprintf(path, sizeof path, "%s/%s", fuzz_folder(), name);
  for (char *slash = strchr(path + strlen(fuzz_folder()) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    mkdir(path, 0700);
    *slash = '/';
  }
  FILE *f = fopen(path, "wb");
  fuzz_check(f && fwrite(bytes, 1, size, f) == size);
  fuzz_check(fclose(f) == 0);
}

/* }== */
