/*
** The files of a folder whose names fit a pattern.
*/
#ifndef SP_TESTS_GLOB_H
#define SP_TESTS_GLOB_H

#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct glob_t {
  size_t gl_pathc;
  char **gl_pathv;
} glob_t;

static inline int glob(const char *pattern, int flags, int (*fails)(const char *, int), glob_t *found)
{
  struct _finddata_t entry;
  intptr_t list = _findfirst(pattern, &entry);
  int folder = (int)(strrchr(pattern, '/') - pattern);
  (void)flags;
  (void)fails;
  *found = (glob_t){0, NULL};
  for (int end = list == -1; !end; end = _findnext(list, &entry)) {
    char path[600];
    snprintf(path, sizeof path, "%.*s/%s", folder, pattern, entry.name);
    found->gl_pathv = realloc(found->gl_pathv, (found->gl_pathc + 1) * sizeof(char *));
    found->gl_pathv[found->gl_pathc++] = strdup(path);
  }
  _findclose(list);
  return found->gl_pathc == 0;
}

static inline void globfree(glob_t *found)
{
  for (size_t i = 0; i < found->gl_pathc; i++)
    free(found->gl_pathv[i]);
  free(found->gl_pathv);
}

#endif
