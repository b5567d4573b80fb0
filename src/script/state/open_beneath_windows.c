/*
** A path is first checked as text: no part of it may be a device, a drive or a stream of a file. Then the file is
** opened, and its final path checked: whatever was renamed or linked meanwhile, the opened file is in the folder.
**
** Names are case-sensitive, unlike elsewhere on Windows, so that a game finds the same files on every system.
*/
#include "script/state/open_beneath.h"

#ifdef _WIN32

#include <errno.h>
#include <io.h>
#include <string.h>

#include "script/state/platform_wide.h"

/* {== Which part of a path lies in the folder ============================ */

int sp_beneath_root(const char *folder)
{
  sp_facts facts;
  int root = sp_file_of_handle(sp_handle_open(folder, FILE_READ_ATTRIBUTES | FILE_LIST_DIRECTORY, true));
  if (root < 0 || (sp_facts_of_file(root, &facts) && facts.kind == SP_KIND_FOLDER))
    return root;
  sp_file_close(root);
  errno = ENOTDIR;
  return -1;
}

static const char *after_slashes(const char *path)
{
  path += strspn(path, "/");
  return *path ? path : ".";
}

static bool is_up(const char *component, size_t length)
{
  return length == 2 && component[0] == '.' && component[1] == '.';
}

static bool is_same(HANDLE root, const char *path)
{
  HANDLE handle = sp_handle_open(path, FILE_READ_ATTRIBUTES, true);
  if (handle == INVALID_HANDLE_VALUE)
    return false;
  bool same = sp_is_same_file(root, handle);
  CloseHandle(handle);
  return same;
}

/* The length of "C:/", "//server/share/" or "/". */
static size_t root_length(const char *path)
{
  if (path[0] && path[1] == ':')
    return path[2] == '/' ? 3 : 2;
  if (path[0] != '/' || path[1] != '/')
    return path[0] == '/';
  size_t length = 2 + strcspn(path + 2, "/");
  length += path[length] == '/';
  length += strcspn(path + length, "/");
  return length + (path[length] == '/');
}

static bool is_plain(const char *path)
{
  while (*(path += strspn(path, "/"))) {
    size_t size = strcspn(path, "/");
    if (!sp_name_is_plain(path, size))
      return false;
    path += size;
  }
  return true;
}

/* Looks for the folder on the way, by what it is. A way that goes up again before it gets there is none: what exists
   outside would decide whether it can be gone. Nor is another computer asked: it would be told who plays. */
static const char *part_by_identity(HANDLE root, const char *path)
{
  char way[SP_PATH_MOST];
  size_t length = strlen(path), at = root_length(path);
  bool named = false;
  bool on_network = path[0] == '/' && path[1] == '/';
  if (length == 0 || length >= sizeof way || on_network || !is_plain(path + at))
    return NULL;
  memcpy(way, path, length + 1);
  way[at] = '\0';
  if (!is_up(path + at, strcspn(path + at, "/")) && is_same(root, at ? way : "."))
    return after_slashes(path + at);
  way[at] = path[at];
  while (path[at += strspn(path + at, "/")]) {
    size_t size = strcspn(path + at, "/");
    bool up = is_up(path + at, size);
    if (up && named)
      return NULL;
    named = named || (!up && !(size == 1 && path[at] == '.'));
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
  size_t length = strlen(folder);
  while (length > 0 && folder[length - 1] == '/')
    length--;
  if (*folder && strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0'))
    return after_slashes(path + length);
  return part_by_identity((HANDLE)_get_osfhandle(root), path);
}

/* }== */

/* {== Opening ============================================================ */

static HANDLE fail(int error)
{
  errno = error;
  return INVALID_HANDLE_VALUE;
}

/* 0 or an errno. */
static int check_folder(const char *path)
{
  sp_facts facts;
  if (!sp_facts_of_path(path, true, &facts))
    return errno;
  return facts.kind == SP_KIND_FOLDER ? 0 : ENOTDIR;
}

/* Writes `folder`/`part` without "." and "..", which only folders have, as elsewhere. 0 or an errno: EXDEV when the
   text leads out. */
static int join(char path[SP_PATH_MOST], const char *part)
{
  size_t base = strlen(path), used = base;
  bool whole = true; /* a name is the last component, with nothing behind it */
  while (*(part += strspn(part, "/"))) {
    size_t size = strcspn(part, "/");
    bool up = is_up(part, size), stay = size == 1 && part[0] == '.';
    if (!sp_name_is_plain(part, size))
      return ENOENT;
    if (up && used == base)
      return EXDEV;
    int problem = (up || stay) && used > base ? check_folder(path) : 0;
    if (problem != 0)
      return problem;
    if (up)
      while (path[--used] != '/')
        continue;
    if (!up && !stay) {
      if (used + size + 2 > SP_PATH_MOST)
        return ENAMETOOLONG;
      path[used++] = '/';
      memcpy(path + used, part, size);
      used += size;
    }
    path[used] = '\0';
    part += size;
    whole = !*part;
  }
  return whole || used == base ? 0 : check_folder(path);
}

/* Returns 0 if what was opened as `wanted` lies in the folder `base`, or an errno. Another case of the same letters is
   another name; any other difference comes of a link. */
static int check_place(HANDLE handle, const char *wanted, size_t base)
{
  char real[SP_PATH_MOST];
  if (!sp_path_of_handle(handle, real))
    return errno;
  if (strcmp(real, wanted) == 0)
    return 0;
  if (_stricmp(real, wanted) == 0)
    return ENOENT;
  return strncmp(real, wanted, base) == 0 && (real[base] == '/' || real[base] == '\0') ? 0 : EXDEV;
}

static HANDLE open_beneath(int root, const char *part, DWORD access)
{
  char path[SP_PATH_MOST];
  if (!sp_path_of_handle((HANDLE)_get_osfhandle(root), path))
    return INVALID_HANDLE_VALUE;
  size_t base = strlen(path);
  while (base > 0 && path[base - 1] == '/') /* of a drive */
    path[--base] = '\0';
  int problem = join(path, part);
  if (problem != 0)
    return fail(problem);
  HANDLE handle = sp_handle_open(path, access, true);
  if (handle == INVALID_HANDLE_VALUE)
    return handle;
  problem = path[base] ? check_place(handle, path, base) : 0;
  if (problem == 0)
    return handle;
  CloseHandle(handle);
  return fail(problem);
}

int sp_beneath_open(int root, const char *part, bool to_list)
{
  sp_facts facts;
  HANDLE handle = open_beneath(root, part, to_list ? FILE_LIST_DIRECTORY : GENERIC_READ);
  bool listed = to_list && handle != INVALID_HANDLE_VALUE;
  if (listed && (!sp_facts_of_handle(handle, &facts) || facts.kind != SP_KIND_FOLDER)) { /* the right is also to read */
    CloseHandle(handle);
    handle = fail(ENOTDIR);
  }
  return sp_file_of_handle(handle);
}

bool sp_beneath_facts(int root, const char *part, sp_facts *facts)
{
  HANDLE handle = open_beneath(root, part, FILE_READ_ATTRIBUTES);
  if (handle == INVALID_HANDLE_VALUE)
    return false;
  bool fine = sp_facts_of_handle(handle, facts);
  CloseHandle(handle);
  return fine;
}

/* }== */

#endif
