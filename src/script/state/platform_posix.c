#define _XOPEN_SOURCE 700 /* realpath */
#define _DEFAULT_SOURCE   /* d_type: most names need no stat; MAP_ANONYMOUS */
#ifdef __APPLE__          /* has its own names for the times */
#define _DARWIN_C_SOURCE
#define st_mtim st_mtimespec
#define st_ctim st_ctimespec
#endif

#include "script/state/platform.h"

#ifndef _WIN32

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* {== The clock ========================================================== */

static uint64_t nanoseconds(const struct timespec *t)
{
  return (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_nsec;
}

uint64_t sp_clock_nanoseconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return nanoseconds(&t);
}

struct tm sp_local_time(time_t moment)
{
  struct tm local;
  localtime_r(&moment, &local);
  return local;
}

uint64_t sp_date_nanoseconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return nanoseconds(&t);
}

/* }== */

/* {== Addresses ========================================================== */

#ifdef __EMSCRIPTEN__ /* its mmap clears all of it, which takes the memory; what malloc returns is not touched */

void *sp_addresses_reserve(size_t size) { return malloc(size); }
void sp_addresses_release(void *addresses, size_t size) { (void)size, free(addresses); }

#else

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0 /* a system without it takes no memory before it is used */
#endif

void *sp_addresses_reserve(size_t size)
{
  void *area = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return area == MAP_FAILED ? NULL : area;
}

void sp_addresses_release(void *addresses, size_t size) { munmap(addresses, size); }

#endif

/* The system does so when a page is touched. */
bool sp_addresses_back(void *part, size_t size) { return (void)part, (void)size, true; }

/* }== */

/* {== Files ============================================================== */

static sp_file_kind kind_of(mode_t mode)
{
  return S_ISREG(mode)    ? SP_KIND_FILE
         : S_ISDIR(mode)  ? SP_KIND_FOLDER
         : S_ISLNK(mode)  ? SP_KIND_LINK
         : S_ISFIFO(mode) ? SP_KIND_PIPE
         : S_ISSOCK(mode) ? SP_KIND_SOCKET
                          : SP_KIND_DEVICE;
}

static bool describe(int result, const struct stat *s, sp_facts *facts)
{
  if (result == 0)
    *facts = (sp_facts){.kind = kind_of(s->st_mode),
                        .modified = nanoseconds(&s->st_mtim),
                        .altered = nanoseconds(&s->st_ctim),
                        .size = (uint64_t)s->st_size,
                        .inode = (uint64_t)s->st_ino,
                        .device = (uint64_t)s->st_dev};
  return result == 0;
}

bool sp_facts_of_path(const char *path, bool follow, sp_facts *facts)
{
  struct stat s;
  int result = follow ? stat(path, &s) : lstat(path, &s);
  return describe(result, &s, facts);
}

bool sp_facts_of_file(int file, sp_facts *facts)
{
  struct stat s;
  int result = fstat(file, &s);
  return describe(result, &s, facts);
}

const size_t sp_facts_few = 68;

bool sp_facts_at(int folder, const char *name, sp_facts *facts)
{
  struct stat s;
  int result = fstatat(folder, name, &s, AT_SYMLINK_NOFOLLOW);
  return describe(result, &s, facts);
}

int sp_file_open(const char *path) { return open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC); }

void sp_file_close(int file)
{
  int error = errno;
  close(file);
  errno = error;
}

int64_t sp_file_read(int file, void *bytes, size_t size)
{
  char *at = bytes;
  size_t have = 0;
  while (have < size) {
    ssize_t got = read(file, at + have, size - have);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return -1;
    if (got == 0)
      break;
    have += (size_t)got;
  }
  return (int64_t)have;
}

FILE *sp_file_stream(int file)
{
  FILE *stream = fdopen(file, "r");
  if (!stream)
    sp_file_close(file);
  return stream;
}

FILE *sp_stream_open(const char *path, const char *mode) { return fopen(path, mode); }

/* }== */

/* {== Paths ============================================================== */

bool sp_path_is_link(const char *path)
{
  char target[1];
  return readlink(path, target, sizeof target) >= 0;
}

bool sp_link_target(const char *path, char *target, size_t size)
{
  ssize_t length = readlink(path, target, size - 1);
  if (length >= 0)
    target[length] = '\0';
  return length >= 0;
}

#ifdef PATH_MAX
_Static_assert(PATH_MAX <= SP_PATH_MOST, "realpath writes that many bytes");
#endif

bool sp_real_path(const char *path, char real[SP_PATH_MOST]) { return realpath(path, real) != NULL; }

bool sp_path_is_absolute(const char *path) { return path[0] == '/'; }

/* }== */

/* {== Folders ============================================================ */

/* Its address is that of a DIR. */
static DIR *dir_of(sp_folder_stream *stream) { return (DIR *)(void *)stream; }

sp_folder_stream *sp_folder_stream_open(const char *path) { return (sp_folder_stream *)(void *)opendir(path); }

sp_folder_stream *sp_folder_stream_from(int folder)
{
  DIR *dir = fdopendir(folder);
  if (!dir)
    sp_file_close(folder);
  return (sp_folder_stream *)(void *)dir;
}

void sp_folder_stream_close(sp_folder_stream *stream)
{
  if (stream)
    closedir(dir_of(stream));
}

static bool is_real(const char *name) { return strcmp(name, ".") != 0 && strcmp(name, "..") != 0; }

static bool may_be_folder(const struct dirent *entry)
{
#ifdef DT_DIR
  return entry->d_type == DT_DIR || entry->d_type == DT_LNK || entry->d_type == DT_UNKNOWN;
#else
  (void)entry;
  return true;
#endif
}

const char *sp_folder_stream_next(sp_folder_stream *stream, bool *folder)
{
  const struct dirent *entry;
  do
    entry = readdir(dir_of(stream)); /* NOLINT(concurrency-mt-unsafe): nobody else has this stream */
  while (entry && !is_real(entry->d_name));
  if (entry && folder)
    *folder = may_be_folder(entry);
  return entry ? entry->d_name : NULL;
}

/* }== */

/* {== Errors ============================================================= */

void sp_error_text(int error, char *text, size_t size)
{
  if (strerror_r(error, text, size) != 0)
    snprintf(text, size, "error %d", error);
}

/* }== */

#endif
