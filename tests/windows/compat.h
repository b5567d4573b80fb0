/*
** Calls of POSIX that the tests make, and that Windows has under another name or not at all.
*/
#ifndef SP_TESTS_COMPAT_H
#define SP_TESTS_COMPAT_H

#include <direct.h>
#include <errno.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>

#define mkdir(path, mode) _mkdir(path)
#define setenv(name, value, overwrite) _putenv_s(name, value)
#define unsetenv(name) _putenv_s(name, "")

#define AT_FDCWD (-1)
#define utimensat(folder, path, ...) tests_set_times(path, __VA_ARGS__)
struct timespec;
int tests_set_times(const char *path, const struct timespec *times, int flags);

/* Links need rights here that few users have. */
static inline int symlink(const char *target, const char *path)
{
  (void)target;
  (void)path;
  errno = ENOSYS;
  return -1;
}

#endif
