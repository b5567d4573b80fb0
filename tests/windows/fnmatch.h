/*
** A pattern of the tests has one "*".
*/
#ifndef SP_TESTS_FNMATCH_H
#define SP_TESTS_FNMATCH_H

#include <string.h>

static inline int fnmatch(const char *pattern, const char *name, int flags)
{
  size_t head = strcspn(pattern, "*"), length = strlen(name), tail = strlen(pattern) - head - 1;
  (void)flags;
  return length < head + tail || strncmp(pattern, name, head) != 0 ||
         strcmp(name + length - tail, pattern + head + 1) != 0;
}

#endif
