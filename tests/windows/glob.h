/*
** What the tests look for here is the name of one file.
*/
#ifndef SP_TESTS_GLOB_H
#define SP_TESTS_GLOB_H

#include <stddef.h>

typedef struct glob_t {
  size_t gl_pathc;
  const char *gl_pathv[1];
} glob_t;

static inline int glob(const char *name, int flags, int (*fails)(const char *, int), glob_t *found)
{
  (void)flags;
  (void)fails;
  *found = (glob_t){1, {name}};
  return 0;
}

static inline void globfree(glob_t *found) { (void)found; }

#endif
