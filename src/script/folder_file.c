#define _XOPEN_SOURCE 700 /* realpath */

#include "script/folder_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder on the way is searched, not listed: that it may be searched is enough where the system can tell the two
   apart. */
#if defined(O_SEARCH)
#define WAY O_SEARCH
#elif defined(__O_PATH)
#define WAY __O_PATH
#else
#define WAY O_RDONLY
#endif

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

/* {== Where a path leads ================================================= */

/* The real place of a file, or of the nearest folder above it that exists; then what is missing may not climb. */
static bool find_real(const char *file, char real[PATH_MAX])
{
  char path[PATH_MAX];
  size_t length = strlen(file);
  if (length == 0 || length >= sizeof path)
    return false;
  memcpy(path, file, length + 1);
  while (!realpath(path, real)) {
    char *slash = strrchr(path, '/'), *last = slash ? slash + 1 : path;
    if (strcmp(last, "..") == 0 || (slash == path && last[0] == '\0'))
      return false;
    if (!slash)
      return realpath(".", real) != NULL;
    slash[slash == path] = '\0';
  }
  return true;
}

/* What a real path has below the real path of a folder, "" for the folder itself; NULL when it lies outside. */
static const char *below(const char *folder, const char *path)
{
  size_t length = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
  if (strncmp(path, folder, length) != 0 || (path[length] != '/' && path[length] != '\0'))
    return NULL;
  return path[length] ? path + length + 1 : path + length;
}

bool sp_folder_holds(const char *folder, const char *path)
{
  char inner[PATH_MAX], outer[PATH_MAX];
  return realpath(folder, outer) && find_real(path, inner) && below(outer, inner);
}

/* }== */

/* {== Opening ============================================================ */

/* Asks what it is before it opens it: to open a device may start something. */
static int open_regular(int folder, const char *name, bool follow, char *problem)
{
  struct stat s;
  if (fstatat(folder, name, &s, follow ? 0 : AT_SYMLINK_NOFOLLOW) != 0)
    return follow ? refuse_missing(name, errno, problem) : fail(errno, problem);
  if (!S_ISREG(s.st_mode))
    return refuse_kind(s.st_mode, problem);
  int file = openat(folder, name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (follow ? 0 : O_NOFOLLOW));
  if (file < 0)
    return fail(errno == ELOOP ? ENOENT : errno, problem);
  if (fstat(file, &s) == 0 && S_ISREG(s.st_mode))
    return file;
  close(file);
  return refuse_kind(s.st_mode, problem);
}

/* `path` has no links unless they were made since it was resolved. Returns the folder that its last part lies in, and
   sets `*name` to that part. */
static int open_above(const char *root, char *path, char **name)
{
  static const int flags = WAY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  int folder = open(root, flags);
  for (char *slash; folder >= 0 && (slash = strchr(path, '/')) != NULL; path = slash + 1) {
    *slash = '\0';
    int next = openat(folder, path, flags), error = errno;
    close(folder);
    folder = next;
    errno = error;
  }
  *name = path;
  return folder;
}

int sp_folder_open(const char *folder, const char *path, char problem[SP_FILE_PROBLEM_MOST])
{
  char root[PATH_MAX], real[PATH_MAX], *name;
  if (!folder)
    return open_regular(AT_FDCWD, path, true, problem);
  if (!realpath(path, real))
    return refuse_missing(path, errno, problem);
  if (!realpath(folder, root))
    return fail(errno, problem);
  const char *inner = below(root, real);
  if (!inner) {
    snprintf(problem, SP_FILE_PROBLEM_MOST, "it is outside the game's folder; move it in, or start with --trust");
    errno = EXDEV;
    return -1;
  }
  if (!*inner)
    return refuse_kind(S_IFDIR, problem);
  int above = open_above(root, real + (inner - real), &name);
  if (above < 0)
    return fail(errno == ELOOP || errno == ENOTDIR ? ENOENT : errno, problem);
  int file = open_regular(above, name, false, problem), error = errno;
  close(above);
  errno = error;
  return file;
}

/* }== */
