/*
** The bytes of a file go to a new one in the same folder, which replaces the old one once it is complete: the disk may
** be full, and the program may be killed.
*/
#include "script/state/written.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "script/state/platform.h"

#ifdef _WIN32
#include <direct.h>
#include <io.h>
#include <windows.h>
#endif

/* {== Calls of the system ================================================ */

#ifdef _WIN32

static int make_folder(const char *path, bool own)
{
  (void)own; /* a folder inherits the access rights of its parent, which is the user's own */
  return _mkdir(path);
}

/* A virus scanner may hold a file open that was just written; until it closes the file, renaming fails. */
int sp_file_rename(const char *from, const char *to)
{
  enum { TRIES = 20, PAUSE = 10 /* milliseconds */ };
  for (int i = 0; i < TRIES; i++) {
    if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
      return 0;
    if (access(from, F_OK) != 0)
      return errno;
    Sleep(PAUSE);
  }
  return EACCES;
}

/* A device name gets a prefix. The file system ignores case, so a suffix has a bit for each letter: 1 for capitals. */
void sp_file_name(const char *name, char *file, size_t size)
{
  unsigned long long capitals = 0;
  for (size_t i = 0; i < 64 && name[i]; i++)
    capitals |= (unsigned long long)(name[i] >= 'A' && name[i] <= 'Z') << i;
  const char *sign = sp_name_is_plain(name, strlen(name)) ? "" : "%";
  if (capitals)
    snprintf(file, size, "%s%s%%%llx", sign, name, capitals);
  else
    snprintf(file, size, "%s%s", sign, name);
}

#else

static int make_folder(const char *path, bool own) { return mkdir(path, own ? 0700 : 0777); }

int sp_file_rename(const char *from, const char *to) { return rename(from, to) == 0 ? 0 : errno; }

void sp_file_name(const char *name, char *file, size_t size) { snprintf(file, size, "%s", name); }

#endif

int sp_folder_make(const char *path, bool own)
{
  char parent[SP_PATH_MOST];
  sp_facts facts;
  const char *slash = strrchr(path, '/');
  int problem = make_folder(path, own) == 0 || errno == EEXIST ? 0 : errno;
  if (problem == ENOENT && slash && slash > path && snprintf(parent, sizeof parent, "%s", path) < SP_PATH_MOST) {
    parent[slash - path] = '\0';
    problem = sp_folder_make(parent, own);
    if (problem == 0 && make_folder(path, own) != 0 && errno != EEXIST)
      problem = errno;
  }
  bool is_there = problem != 0 && sp_facts_of_path(path, true, &facts) && facts.kind == SP_KIND_FOLDER; /* a drive */
  return is_there ? 0 : problem;
}

int sp_file_remove(const char *path) { return unlink(path) == 0 || errno == ENOENT ? 0 : errno; }

/* }== */

/* {== Whole files ======================================================== */

#ifndef O_CLOEXEC /* on Windows a file is handed down unless it says not to, and text is converted */
#define O_CLOEXEC (O_NOINHERIT | O_BINARY)
#endif

#define MOST_TRIES 100 /* attempts, if names are taken by other processes */

/* Closes `fd` in any case: closing may report that the disk is full. */
static int write_and_close(int fd, const char *bytes, size_t size)
{
  const size_t piece_most = 1 << 26;
  int why = 0;
  while (size > 0 && why == 0) {
    ssize_t written = write(fd, bytes, (unsigned)(size < piece_most ? size : piece_most));
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
static int open_beside(const char *path, char name[SP_PATH_MOST])
{
  snprintf(name, SP_PATH_MOST, "%s", path);
  char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
  size_t room = (size_t)(name + SP_PATH_MOST - base);
  int fd = -1;
  for (int i = 0; i < MOST_TRIES && fd < 0; i++) {
    int length = snprintf(base, room, ".spawnpool-%ld-%d.part", (long)getpid(), i);
    if ((size_t)length >= room) {
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

/* The new file gets the mode of the old one; not all file systems have modes. */
static void keep_mode(const char *path, int fd)
{
#ifndef _WIN32
  struct stat old;
  if (stat(path, &old) == 0)
    (void)!fchmod(fd, old.st_mode & 07777);
#else
  (void)path, (void)fd;
#endif
}

/* Writes a new file and renames it. */
static int write_beside(const char *path, const void *bytes, size_t size)
{
  char name[SP_PATH_MOST];
  int fd = open_beside(path, name), why = fd < 0 ? errno : 0;
  if (fd < 0)
    return may_still_be_written(why) ? write_in_place(path, bytes, size) : why;
  keep_mode(path, fd);
  why = write_and_close(fd, bytes, size);
  if (why == 0)
    why = sp_file_rename(name, path);
  if (why != 0)
    sp_file_remove(name);
  return why;
}

int sp_file_write_whole(const char *path, const void *bytes, size_t size)
{
  sp_facts facts;
  char target[SP_PATH_MOST];
  if (!sp_facts_of_path(path, false, &facts))
    return errno == ENOENT ? write_beside(path, bytes, size) : errno;
  if (facts.kind == SP_KIND_LINK) { /* links are kept */
    if (!sp_real_path(path, target) || !sp_facts_of_path(target, true, &facts))
      return write_in_place(path, bytes, size);
    path = target;
  }
  if (facts.kind != SP_KIND_FILE)
    return write_in_place(path, bytes, size);
  /* Replacing a file needs no write permission to the file itself, so that is checked here. */
  return access(path, W_OK) != 0 ? errno : write_beside(path, bytes, size);
}

/* }== */
