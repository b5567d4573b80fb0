#include "script/state/folder_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "script/state/open_beneath.h"

/* Never waits for a pipe's other end, and never takes a terminal. */
#define READ_FLAGS (O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

/* {== Problems =========================================================== */

const char *sp_file_problem(int error, char problem[SP_FILE_PROBLEM_MOST])
{
  if (error == ELOOP)
    snprintf(problem, SP_FILE_PROBLEM_MOST, "it is a link that leads to itself; fix or remove it");
  else if (strerror_r(error, problem, SP_FILE_PROBLEM_MOST) != 0)
    snprintf(problem, SP_FILE_PROBLEM_MOST, "error %d", error);
  return problem;
}

static int fail(int error, char *problem)
{
  sp_file_problem(error, problem);
  errno = error;
  return -1;
}

static int refuse_kind(mode_t mode, char *problem)
{
  const char *kind = S_ISDIR(mode)    ? "folder"
                     : S_ISFIFO(mode) ? "pipe"
                     : S_ISSOCK(mode) ? "socket"
                     : S_ISLNK(mode)  ? "link that was made just now"
                                      : "device";
  snprintf(problem, SP_FILE_PROBLEM_MOST, "it is a %s, not a file; replace or remove it", kind);
  errno = EINVAL;
  return -1;
}

/* `path` cannot be resolved: nothing is there, or a link that leads nowhere. */
static int refuse_missing(const char *path, int error, char *problem)
{
  char target[PATH_MAX];
  ssize_t length = error == ENOENT ? readlink(path, target, sizeof target) : -1;
  if (length < 0)
    return fail(error == ENOTDIR ? ENOENT : error, problem);
  snprintf(problem, SP_FILE_PROBLEM_MOST, "it is a link to '%.*s', which does not exist; fix or remove it",
           length < 100 ? (int)length : 100, target);
  errno = ENOLINK;
  return -1;
}

/* }== */

/* {== Opening ============================================================ */

/* Returns `result` with the errno that it came with. */
static int close_root(int root, int result)
{
  int error = errno;
  close(root);
  errno = error;
  return result;
}

/* A descriptor that is there was asked what it is before it was opened, for to open a device may start something; in
   between it may have become something else. */
static int keep_regular(int file, char *problem)
{
  struct stat s;
  if (file < 0)
    return fail(errno == ELOOP || errno == EXDEV ? ENOENT : errno, problem);
  if (fstat(file, &s) == 0 && S_ISREG(s.st_mode))
    return file;
  close(file);
  return refuse_kind(s.st_mode, problem);
}

static int open_anywhere(const char *path, char *problem)
{
  struct stat s;
  if (stat(path, &s) != 0)
    return refuse_missing(path, errno, problem);
  return S_ISREG(s.st_mode) ? keep_regular(open(path, READ_FLAGS), problem) : refuse_kind(s.st_mode, problem);
}

static int refuse_outside(char *problem)
{
  snprintf(problem, SP_FILE_PROBLEM_MOST, "it is outside the game's folder; move it in, or start with --trust");
  errno = EXDEV;
  return -1;
}

static int open_inside(int root, const char *part, const char *path, char *problem)
{
  struct stat s;
  if (!sp_beneath_stat(root, part, &s))
    return errno == EXDEV ? refuse_outside(problem) : refuse_missing(path, errno, problem);
  return S_ISREG(s.st_mode) ? keep_regular(sp_beneath_open(root, part, READ_FLAGS), problem)
                            : refuse_kind(s.st_mode, problem);
}

int sp_folder_open(const char *folder, const char *path, char problem[SP_FILE_PROBLEM_MOST])
{
  if (!folder)
    return open_anywhere(path, problem);
  int root = sp_beneath_root(folder);
  if (root < 0)
    return fail(errno, problem);
  const char *part = sp_beneath_part(root, folder, path);
  return close_root(root, part ? open_inside(root, part, path, problem) : refuse_outside(problem));
}

DIR *sp_folder_list(const char *folder, const char *path)
{
  if (!folder)
    return opendir(path);
  int root = sp_beneath_root(folder);
  if (root < 0)
    return NULL;
  const char *part = sp_beneath_part(root, folder, path);
  errno = EXDEV;
  int opened = close_root(root, part ? sp_beneath_open(root, part, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1);
  DIR *dir = opened >= 0 ? fdopendir(opened) : NULL;
  if (opened >= 0 && !dir)
    close(opened);
  return dir;
}

/* }== */

/* {== What a folder holds ================================================ */

/* What is missing cannot be gone through; it must not climb out by its text either. */
static bool climbs(const char *part)
{
  int depth = 0;
  for (; *part && depth >= 0; part += strspn(part, "/")) {
    size_t size = strcspn(part, "/");
    if (size == 2 && part[0] == '.' && part[1] == '.')
      depth--;
    else if (size != 1 || part[0] != '.')
      depth++;
    part += size;
  }
  return depth < 0;
}

bool sp_folder_holds(const char *folder, const char *path)
{
  struct stat s;
  int root = sp_beneath_root(folder);
  if (root < 0)
    return false;
  const char *part = sp_beneath_part(root, folder, path);
  bool held = part && (sp_beneath_stat(root, part, &s) || (errno != EXDEV && !climbs(part)));
  close(root);
  return held;
}

/* }== */
