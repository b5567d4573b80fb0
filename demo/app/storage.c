#define _XOPEN_SOURCE 700 /* realpath */
/*
** The folder is named after the game's own folder, and a number that its whole path makes: games of one name in two
** places do not meet.
*/
#include "demo/app/storage.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "demo/capture/atomic_file.h"

#define ENDING ".data"

/* {== The folder ========================================================= */

static bool base_folder(char path[STORAGE_PATH_MOST])
{
  const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
  int length = 0;
  if (data && data[0] == '/')
    length = snprintf(path, STORAGE_PATH_MOST, "%s", data);
  else if (home && home[0] == '/')
#ifdef __APPLE__
    length = snprintf(path, STORAGE_PATH_MOST, "%s/Library/Application Support", home);
#else
    length = snprintf(path, STORAGE_PATH_MOST, "%s/.local/share", home);
#endif
  return length > 0 && length < STORAGE_PATH_MOST - 128;
}

/* Makes a folder, and those that it is in. */
static bool make_folders(char *path)
{
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    bool fine = mkdir(path, 0700) == 0 || errno == EEXIST || errno == EROFS || errno == EACCES;
    *slash = '/';
    if (!fine)
      return false;
  }
  return mkdir(path, 0700) == 0 || errno == EEXIST;
}

static uint32_t number_of(const char *path)
{
  uint32_t number = 2166136261u; /* FNV-1a */
  for (; *path; path++)
    number = (number ^ (unsigned char)*path) * 16777619u;
  return number;
}

/* Writes "shooter-1a2b3c4d". */
static void name_game(const char *path, char name[64])
{
  const char *slash = strrchr(path, '/'), *from = slash ? slash + 1 : path;
  size_t length = 0;
  for (; *from && *from != '.' && length < 40; from++) {
    bool plain = (*from >= 'a' && *from <= 'z') || (*from >= 'A' && *from <= 'Z') || (*from >= '0' && *from <= '9');
    name[length++] = plain ? *from : '_';
  }
  snprintf(name + length, 64 - length, "-%08x", (unsigned)number_of(path));
}

void storage_open(storage *s, const char *path)
{
  char whole[PATH_MAX], name[64];
  s->opened = true;
  if (!base_folder(s->parent) || !realpath(path, whole)) {
    s->parent[0] = '\0';
    return;
  }
  strncat(s->parent, "/spawnpool", STORAGE_PATH_MOST - strlen(s->parent) - 1);
  name_game(whole, name);
  if (!make_folders(s->parent) ||
      snprintf(s->folder, sizeof s->folder, "%s/%s", s->parent, name) >= (int)sizeof s->folder)
    s->parent[0] = '\0';
}

void storage_open_memory(storage *s)
{
  s->opened = true;
  s->files.ud = &s->memory;
  s->files.read = storage_memory_read;
  s->files.write = storage_memory_write;
}

void storage_close(storage *s) { storage_memory_free(&s->memory); }

const char *storage_writes_to(const storage *s)
{
  struct stat is;
  if (!s->parent[0])
    return NULL;
  return lstat(s->folder, &is) == 0 && S_ISDIR(is.st_mode) ? s->folder : s->parent;
}

/* }== */

/* {== Files ============================================================== */

static void path_of(const storage *s, const char *name, char path[PATH_MAX])
{
  snprintf(path, PATH_MAX, "%s/%s" ENDING, s->folder, name);
}

static long read_all(int fd, char *to, size_t size)
{
  size_t got = 0;
  while (got < size) {
    ssize_t count = read(fd, to + got, size - got);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      break;
    got += (size_t)count;
  }
  return (long)got;
}

static long read_stored(void *ud, const char *name, void *to, size_t room, char why[STORAGE_WHY])
{
  const storage *s = ud;
  char path[PATH_MAX];
  struct stat is;
  long size = -1;
  path_of(s, name, path);
  int fd = s->parent[0] ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
  snprintf(why, STORAGE_WHY, "%s", !s->parent[0] || errno == ENOENT ? "none" : strerror(errno));
  if (fd < 0)
    return -1;
  if (fstat(fd, &is) != 0 || !S_ISREG(is.st_mode) || is.st_size > (off_t)STORAGE_MOST)
    snprintf(why, STORAGE_WHY, "it is no file of at most 1 MiB");
  else
    size = to ? read_all(fd, to, room) : (long)is.st_size;
  close(fd);
  return size;
}

/* Returns the bytes of all that is stored under other names. */
static size_t size_of_others(const storage *s, const char *name)
{
  char own[STORAGE_NAME_MOST + sizeof ENDING];
  DIR *folder = opendir(s->folder);
  struct stat is;
  size_t size = 0;
  snprintf(own, sizeof own, "%s" ENDING, name);
  for (const struct dirent *it; folder && (it = readdir(folder)) != NULL;)
    if (strcmp(it->d_name, own) != 0 && fstatat(dirfd(folder), it->d_name, &is, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISREG(is.st_mode))
      size += (size_t)is.st_size;
  if (folder)
    closedir(folder);
  return size;
}

static bool remove_stored(const char *path, char why[STORAGE_WHY])
{
  if (unlink(path) == 0 || errno == ENOENT)
    return true;
  snprintf(why, STORAGE_WHY, "%s", strerror(errno));
  return false;
}

static bool write_stored(void *ud, const char *name, const void *bytes, size_t size, char why[STORAGE_WHY])
{
  const storage *s = ud;
  char path[PATH_MAX];
  path_of(s, name, path);
  if (!s->parent[0]) {
    snprintf(why, STORAGE_WHY, "%s",
             s->opened ? "there is no folder to store data in: neither XDG_DATA_HOME nor HOME can be used"
                       : "nothing is stored while a game is checked");
    return false;
  }
  if (!bytes)
    return remove_stored(path, why);
  size_t others = size_of_others(s, name);
  if (size + others > STORAGE_MOST) {
    snprintf(why, STORAGE_WHY, STORAGE_TOO_LARGE, size, size + others, STORAGE_MOST);
    return false;
  }
  int problem = mkdir(s->folder, 0700) == 0 || errno == EEXIST ? 0 : errno;
  if (problem == 0)
    problem = atomic_file_write(path, bytes, size);
  if (problem != 0)
    snprintf(why, STORAGE_WHY, "%.300s: %s", s->folder, strerror(problem));
  return problem == 0;
}

/* {== Both =============================================================== */

static bool write_both(void *ud, const char *name, const void *bytes, size_t size, char why[STORAGE_WHY])
{
  storage *s = ud;
  return (s->is_replayed || write_stored(s, name, bytes, size, why)) &&
         storage_memory_write(&s->memory, name, bytes, size, why);
}

static long read_copy(void *ud, const char *name, void *to, size_t room, char why[STORAGE_WHY])
{
  storage *s = ud;
  return storage_memory_read(&s->memory, name, to, room, why);
}

/* False when it cannot be read: then it cannot be copied. */
static bool copy_file(storage *s, const char *file)
{
  char name[STORAGE_NAME_MOST + 1], why[STORAGE_WHY];
  size_t length = strlen(file), ending = strlen(ENDING);
  if (length <= ending || length - ending > STORAGE_NAME_MOST || strcmp(file + length - ending, ENDING) != 0)
    return true;
  snprintf(name, sizeof name, "%.*s", (int)(length - ending), file);
  char *bytes = malloc(STORAGE_MOST);
  long size = bytes ? read_stored(s, name, bytes, STORAGE_MOST, why) : -1;
  bool fine = size >= 0 && storage_memory_write(&s->memory, name, bytes, (size_t)size, why);
  free(bytes);
  return fine;
}

void storage_open_copy(storage *s)
{
  DIR *folder = s->parent[0] ? opendir(s->folder) : NULL;
  bool fine = s->parent[0] != '\0' && (folder || errno == ENOENT);
  for (const struct dirent *it; folder && fine && (it = readdir(folder)) != NULL;)
    fine = copy_file(s, it->d_name);
  if (folder)
    closedir(folder);
  if (!fine) { /* messages are those of the folder */
    storage_memory_free(&s->memory);
    return;
  }
  s->files.read = read_copy;
  s->files.write = write_both;
}

/* }== */

static void warn(void *ud, const char *text)
{
  storage *s = ud;
  if (strcmp(s->warned, text) == 0)
    return;
  snprintf(s->warned, sizeof s->warned, "%s", text);
  report_say(s->report, SP_REPORT_WARNING, text);
}

/* }== */

void storage_prepare(storage *s, report *r)
{
  *s = (storage){.report = r};
  s->files = (storage_files){.ud = s, .read = read_stored, .write = write_stored, .warn = warn, .warn_ud = s};
}
