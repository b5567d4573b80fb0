#define _GNU_SOURCE /* O_PATH, syscall */

#include "script/state/open_beneath.h"

#ifndef _WIN32

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#if !defined(SYS_openat2) && !defined(__alpha__)
#define SYS_openat2 437 /* on all other machines */
#endif
#endif

/* A folder on the way is searched, not listed: that it may be searched is enough where the system can tell the two
   apart. */
#if defined(O_PATH)
#define WAY O_PATH
#elif defined(O_SEARCH)
#define WAY O_SEARCH
#else
#define WAY O_RDONLY
#endif

/* Never waits for a pipe's other end, and never takes a terminal. */
#define READ_FLAGS (O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
#define LIST_FLAGS (O_RDONLY | O_DIRECTORY | O_CLOEXEC)
#define FOLDER_FLAGS (WAY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

enum { DEEPEST = 64, LINKS_MOST = 40 };

/* {== By the kernel ====================================================== */

/* Returns what openat2 returns. Its arguments are those of linux/openat2.h, which older systems lack. */
static int open_by_kernel(int root, const char *part, int flags)
{
#ifdef SYS_openat2
  enum { NO_MAGICLINKS = 0x02, BENEATH = 0x08 };
  const struct {
    uint64_t flags, mode, resolve;
  } how = {(uint64_t)flags | O_CLOEXEC, 0, NO_MAGICLINKS | BENEATH};
  return (int)syscall(SYS_openat2, root, part, &how, sizeof how);
#else
  (void)root, (void)part, (void)flags;
  errno = ENOSYS;
  return -1;
#endif
}

/* The kernel has no openat2, a filter forbids it (EPERM), the path has an absolute link (EXDEV), or a folder was moved
   in the middle of it (EAGAIN). */
static bool is_for_walk(int error) { return error == ENOSYS || error == EPERM || error == EXDEV || error == EAGAIN; }

/* }== */

/* {== Which part of a path lies in the folder ============================ */

static bool is_same(const struct stat *root, const char *path)
{
  struct stat s;
  return stat(path, &s) == 0 && s.st_dev == root->st_dev && s.st_ino == root->st_ino;
}

static const char *after_slashes(const char *path)
{
  path += strspn(path, "/");
  return *path ? path : ".";
}

static bool is_name(const char *component, size_t length, const char *name)
{
  return strlen(name) == length && memcmp(component, name, length) == 0;
}

/* Looks for the folder on the way, by what it is. A way that goes up again before it gets there is none: what exists
   outside would decide whether it can be gone. */
static const char *part_by_identity(const struct stat *root, const char *path)
{
  char way[PATH_MAX];
  size_t length = strlen(path), at = 0;
  bool named = false;
  if (length == 0 || length >= sizeof way)
    return NULL;
  memcpy(way, path, length + 1);
  if (!is_name(path, strcspn(path, "/"), "..") && is_same(root, path[0] == '/' ? "/" : "."))
    return after_slashes(path);
  while (path[at += strspn(path + at, "/")]) {
    size_t size = strcspn(path + at, "/");
    bool up = is_name(path + at, size, "..");
    if (up && named)
      return NULL;
    named = named || (!up && !is_name(path + at, size, "."));
    at += size;
    way[at] = '\0';
    if (is_same(root, way))
      return after_slashes(path + at);
    way[at] = path[at];
  }
  return NULL;
}

const char *sp_beneath_part(int root, const char *folder, const char *path)
{
  struct stat s;
  size_t length = strlen(folder);
  while (length > 0 && folder[length - 1] == '/')
    length--;
  if (*folder && strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0'))
    return after_slashes(path + length);
  return fstat(root, &s) == 0 ? part_by_identity(&s, path) : NULL;
}

/* }== */

/* {== By a walk ========================================================== */

typedef struct walk {
  int folders[DEEPEST]; /* from the root, which is the caller's, to the one that is reached */
  int depth;            /* index of the last */
  int links;            /* how many have been followed */
  char rest[PATH_MAX];  /* of the path, from the reached folder on */
} walk;

static int fail(int error)
{
  errno = error;
  return -1;
}

static void go_up_to(walk *w, int depth)
{
  for (int error = errno; w->depth > depth; errno = error)
    close(w->folders[w->depth--]);
}

/* The first component of the rest is a link to `target`, `more` what follows it. 0, or -1 with errno. */
static int follow(walk *w, const char *target, const char *more)
{
  struct stat root;
  char rest[PATH_MAX];
  if (++w->links > LINKS_MOST)
    return fail(ELOOP);
  if (target[0] == '/') {
    if (fstat(w->folders[0], &root) != 0)
      return -1;
    target = part_by_identity(&root, target);
    if (!target)
      return fail(EXDEV);
    go_up_to(w, 0);
  }
  int length = snprintf(rest, sizeof rest, "%s%s%s", target, *more ? "/" : "", more);
  if (length < 0 || (size_t)length >= sizeof rest)
    return fail(ENAMETOOLONG);
  memcpy(w->rest, rest, (size_t)length + 1);
  return 0;
}

static int enter(walk *w, const char *name)
{
  if (w->depth + 1 == DEEPEST)
    return fail(ENAMETOOLONG);
  int folder = openat(w->folders[w->depth], name, FOLDER_FLAGS);
  if (folder < 0)
    return -1;
  w->folders[++w->depth] = folder;
  return 0;
}

/* Takes the first component off the rest. Returns 1 when that was the last and is no link: `name` is it. 0: there is
   more to go. -1 with errno. */
static int step(walk *w, char name[NAME_MAX + 1])
{
  char target[PATH_MAX], *at = w->rest + strspn(w->rest, "/"), *more;
  size_t size = strcspn(at, "/");
  if (size > NAME_MAX)
    return fail(ENAMETOOLONG);
  memcpy(name, at, size);
  name[size] = '\0';
  more = at + size + strspn(at + size, "/");
  bool up = strcmp(name, "..") == 0, stay = !*name || strcmp(name, ".") == 0;
  if (up && w->depth == 0)
    return fail(EXDEV);
  if (up)
    go_up_to(w, w->depth - 1);
  ssize_t length = up || stay ? -1 : readlinkat(w->folders[w->depth], name, target, sizeof target - 1);
  if (length >= 0) {
    target[length] = '\0';
    return follow(w, target, more);
  }
  if (!up && !stay && errno != EINVAL)
    return -1;
  if (!*more && (up || stay))
    memcpy(name, ".", sizeof ".");
  if (!*more)
    return 1;
  if (!up && !stay && enter(w, name) != 0)
    return -1;
  memmove(w->rest, more, strlen(more) + 1);
  return 0;
}

/* Walks to the last component. Returns whether `w` has reached its folder; then `name` is it. */
static bool walk_to(walk *w, const char *part, char name[NAME_MAX + 1])
{
  int done = 0;
  if (strlen(part) >= sizeof w->rest)
    return fail(ENAMETOOLONG) == 0;
  memcpy(w->rest, part, strlen(part) + 1);
  while (done == 0)
    done = step(w, name);
  return done > 0;
}

/* Opens the last component without following it. It may have become a link since it was read: then the walk ends
   there. */
static int open_by_walk(int root, const char *part, int flags)
{
  walk w = {.folders = {root}};
  char name[NAME_MAX + 1];
  int file = -1;
  if (walk_to(&w, part, name))
    file = openat(w.folders[w.depth], name, flags | O_NOFOLLOW | O_CLOEXEC);
  go_up_to(&w, 0);
  return file;
}

/* Looks at the last component: one that cannot be opened has facts too. */
static bool facts_by_walk(int root, const char *part, sp_facts *facts)
{
  walk w = {.folders = {root}};
  char name[NAME_MAX + 1];
  bool found = walk_to(&w, part, name) && sp_facts_at(w.folders[w.depth], name, facts);
  go_up_to(&w, 0);
  return found;
}

/* }== */

int sp_beneath_root(const char *folder) { return open(folder, WAY | O_DIRECTORY | O_CLOEXEC); }

int sp_beneath_open(int root, const char *part, bool to_list)
{
  int flags = to_list ? LIST_FLAGS : READ_FLAGS;
  int file = open_by_kernel(root, part, flags);
  return file < 0 && is_for_walk(errno) ? open_by_walk(root, part, flags) : file;
}

bool sp_beneath_facts(int root, const char *part, sp_facts *facts)
{
#ifdef O_PATH
  int file = open_by_kernel(root, part, O_PATH);
  if (file >= 0) {
    bool fine = sp_facts_of_file(file, facts);
    sp_file_close(file);
    return fine;
  }
  if (!is_for_walk(errno))
    return false;
#endif
  return facts_by_walk(root, part, facts);
}

#endif
