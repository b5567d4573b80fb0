/*
** The beginning of a packed game on Linux: the file is this program, then the player, then the game in a zip. The
** system's own message names one missing library at a time; this one names all of them, those that are too old, too,
*and
** what to do. Then it runs the player, from memory, which finds the game at the end of the file that its argv[0] names.
*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "demo/linux/elf.h"

static int fail(const char *game, const char *what, const char *why)
{
  fprintf(stderr, "%s: %s%s%s\n", game, what, why ? ": " : "", why ? why : "");
  return 127;
}

enum { WORDS_MOST = 1024 };

static void add_word(char *words, const char *a, const char *b, const char *c)
{
  size_t used = strlen(words);
  if (used + strlen(a) + strlen(b) + strlen(c) + 3 < WORDS_MOST)
    sprintf(words + used, "%s %s%s%s", used > 0 ? "," : "", a, b, c);
}

/* Lists the libraries that the player needs and the system lacks. */
static void list_missing(const char *name, void *ud)
{
  if (!dlopen(name, RTLD_LAZY))
    add_word(ud, name, "", "");
}

static const char *map_file(const char *path, size_t *size)
{
  FILE *file = path ? fopen(path, "rb") : NULL;
  struct stat about;
  if (!file || fstat(fileno(file), &about) != 0)
    return NULL;
  *size = (size_t)about.st_size;
  const char *all = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fileno(file), 0);
  fclose(file);
  return all == MAP_FAILED ? NULL : all;
}

/* Lists the versions that a library here is too old for. */
static void list_older(const char *name, const char *version, void *ud)
{
  struct link_map *loaded = NULL;
  void *library = dlopen(name, RTLD_LAZY);
  size_t size = 0;
  if (!library || dlinfo(library, RTLD_DI_LINKMAP, &loaded) != 0)
    return; /* it is missing */
  const char *bytes = map_file(loaded->l_name, &size);
  if (bytes && !elf_has_version(bytes, size, version))
    add_word(ud, version, " of ", name);
  if (bytes)
    munmap((void *)bytes, size);
}

static int run(const char *player, size_t size, char **argv, char **environment)
{
  int memory = memfd_create("player", MFD_CLOEXEC);
  for (size_t done = 0; memory >= 0 && done < size;) {
    ssize_t written = write(memory, player + done, size - done);
    if (written <= 0)
      return fail(argv[0], "cannot be unpacked", strerror(errno));
    done += (size_t)written;
  }
  fexecve(memory, argv, environment);
  return fail(argv[0], "cannot be started", strerror(errno));
}

int main(int argc, char **argv, char **environment)
{
  static char missing[WORDS_MOST], older[WORDS_MOST];
  const char *called = (const char *)getauxval(AT_EXECFN);
  char *path = realpath("/proc/self/exe", NULL);
  path = path ? path : realpath(called ? called : argv[0], NULL);
  size_t size = 0;
  const char *all = map_file(path, &size);
  if (argc < 1 || !all)
    return fail("game", "cannot read its own file", strerror(errno));
  argv[0] = path;
  size_t front = elf_size(all, size);
  size_t player = front > 0 ? elf_size(all + front, size - front) : 0;
  if (player == 0)
    return fail(path, "the file is damaged", NULL);
  elf_each_needed(all + front, player, list_missing, missing);
  if (missing[0]) {
    fprintf(stderr,
            "%s needs what is not installed here:%s (Debian, Ubuntu: apt install libsdl2-2.0-0 "
            "libsdl2-image-2.0-0 libsdl2-ttf-2.0-0 libsdl2-mixer-2.0-0 liblua5.4-0 libcjson1 libseccomp2)\n",
            path, missing);
    return 127;
  }
  elf_each_version(all + front, player, list_older, older);
  if (older[0]) {
    fprintf(stderr,
            "%s needs newer libraries than those here:%s. It was packed on a newer system: pack it on the oldest one "
            "that shall play it\n",
            path, older);
    return 127;
  }
  return run(all + front, player, argv, environment);
}
