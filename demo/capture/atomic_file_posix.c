#define _XOPEN_SOURCE 700 /* realpath */
/*
** The bytes go to a new file in the same folder, which replaces the old one once it is complete: the disk may be full,
** and the player may be killed.
*/
#include "demo/capture/atomic_file.h"

#ifndef _WIN32

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_TRIES 100 /* attempts, if names are taken by other processes */

/* Closes `fd` in any case: closing may report that the disk is full. */
static int write_and_close(int fd, const char *bytes, size_t size)
{
  int why = 0;
  while (size > 0 && why == 0) {
    ssize_t written = write(fd, bytes, size);
    if (written < 0) {
      why = errno == EINTR ? 0 : errno;
      continue;
    }
    bytes += written;
    size -= (size_t)written;
  }
  if (close(fd) != 0 && why == 0)
    why = errno;
  return why;
}

static int write_in_place(const char *path, const void *bytes, size_t size)
{
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  return fd < 0 ? errno : write_and_close(fd, bytes, size);
}

/* Opens a new file in the folder of `path`; `name` receives its path. Returns -1 and sets errno on failure. */
static int open_beside(const char *path, char name[PATH_MAX])
{
  const char *slash = strrchr(path, '/');
  int fd = -1;
  for (int i = 0; i < MOST_TRIES && fd < 0; i++) {
    int length = snprintf(name, PATH_MAX, "%.*s.spawnpool-%ld-%d.part", slash ? (int)(slash - path) + 1 : 0, path,
                          (long)getpid(), i);
    if (length >= PATH_MAX) {
      errno = ENAMETOOLONG;
      return -1;
    }
    fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno != EEXIST)
      return -1;
  }
  return fd;
}

/* Returns whether to try the file itself although no new file can be created in its folder. */
static bool may_still_be_written(int why)
{
  return why == EACCES || why == EPERM || why == EROFS || why == ENAMETOOLONG || why == EEXIST;
}

/* Writes a new file and renames it. `old`: the existing file, or NULL. */
static int write_beside(const char *path, const struct stat *old, const void *bytes, size_t size)
{
  char name[PATH_MAX];
  int fd = open_beside(path, name), why = fd < 0 ? errno : 0;
  if (fd < 0)
    return may_still_be_written(why) ? write_in_place(path, bytes, size) : why;
  if (old)
    (void)!fchmod(fd, old->st_mode & 07777); /* not all file systems have modes */
  why = write_and_close(fd, bytes, size);
  if (why == 0 && rename(name, path) != 0)
    why = errno;
  if (why != 0)
    unlink(name);
  return why;
}

int atomic_file_write(const char *path, const void *bytes, size_t size)
{
  struct stat old;
  char target[PATH_MAX];
  if (lstat(path, &old) != 0)
    return errno == ENOENT ? write_beside(path, NULL, bytes, size) : errno;
  if (S_ISLNK(old.st_mode)) { /* links are kept */
    if (!realpath(path, target) || stat(target, &old) != 0)
      return write_in_place(path, bytes, size);
    path = target;
  }
  if (!S_ISREG(old.st_mode))
    return write_in_place(path, bytes, size);
  /* Replacing a file needs no write permission to the file itself, so that is checked here. */
  return access(path, W_OK) != 0 ? errno : write_beside(path, &old, bytes, size);
}

#endif
