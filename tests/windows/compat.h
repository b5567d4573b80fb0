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
#define tell tests_tell /* names of io.h */
#define access tests_access
#define SDL_MAIN_HANDLED
#define SIGURG 15 /* for a handler that is never called */

#define AT_FDCWD (-1)

/* Replaces a file, and sets both times, as elsewhere. */
#define rename(from, to) tests_rename(from, to)
#define utimensat(folder, path, ...) tests_set_times(path, __VA_ARGS__)
struct timespec;
int tests_rename(const char *from, const char *to);
int link(const char *file, const char *name);
int tests_set_times(const char *path, const struct timespec *times, int flags);

/* Links need rights here that few users have, and pipes lie in no folder. */
static inline int symlink(const char *target, const char *path)
{
  (void)target;
  (void)path;
  errno = ENOSYS;
  return -1;
}

static inline int mkfifo(const char *path, int mode)
{
  (void)mode;
  return symlink(NULL, path);
}

#endif
