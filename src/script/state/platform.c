#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* realpath */
#endif
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* d_type: most names need no stat; MAP_ANONYMOUS */
#endif
#ifdef __APPLE__ /* has its own names for the times */
#define _DARWIN_C_SOURCE
#define st_mtim st_mtimespec
#define st_ctim st_ctimespec
#endif

#include "script/state/platform.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef _WIN32
#include <io.h>
#include <windows.h>
#else
#include <sys/mman.h>
#endif

/* {== Errors and dates =================================================== */

struct tm sp_local_time(time_t moment)
{
  struct tm local;
  localtime_r(&moment, &local);
  return local;
}

void sp_error_text(int error, char *text, size_t size)
{
#ifdef _WIN32
  bool fine = strerror_s(text, size, error) == 0;
#else
  bool fine = strerror_r(error, text, size) == 0;
#endif
  if (!fine)
    snprintf(text, size, "error %d", error);
}

/* }== */

#ifdef _WIN32

/* {== The clock, on Windows ============================================== */

uint64_t sp_clock_nanoseconds(void)
{
  LARGE_INTEGER count, per_second;
  QueryPerformanceCounter(&count);
  QueryPerformanceFrequency(&per_second);
  uint64_t c = (uint64_t)count.QuadPart, f = (uint64_t)per_second.QuadPart;
  return c / f * 1000000000u + c % f * 1000000000u / f;
}

/* Returns a time in units of 0.1 us since 1601 as nanoseconds since 1970. */
static uint64_t nanoseconds(uint64_t high, uint64_t low)
{
  return ((high << 32 | low) - UINT64_C(116444736000000000)) * 100u;
}

uint64_t sp_date_nanoseconds(void)
{
  FILETIME now;
  GetSystemTimePreciseAsFileTime(&now);
  return nanoseconds(now.dwHighDateTime, now.dwLowDateTime);
}

/* }== */

/* {== Addresses, on Windows ============================================== */

void *sp_addresses_reserve(size_t size) { return VirtualAlloc(NULL, size, MEM_RESERVE, PAGE_READWRITE); }

void sp_addresses_release(void *addresses, size_t size)
{
  (void)size;
  VirtualFree(addresses, 0, MEM_RELEASE);
}

bool sp_addresses_back(void *part, size_t size) { return VirtualAlloc(part, size, MEM_COMMIT, PAGE_READWRITE) != NULL; }

/* }== */

/* {== Files, on Windows ================================================== */

/* Opens a file or folder. stat and open of the C library know no times below a second and no number of a file, and
   lock it against being replaced. INVALID_HANDLE_VALUE with errno. */
static HANDLE open_handle(const char *path, DWORD access_right, bool follow)
{
  DWORD flags = FILE_FLAG_BACKUP_SEMANTICS | (follow ? 0 : FILE_FLAG_OPEN_REPARSE_POINT);
  HANDLE handle = CreateFileA(path, access_right, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                              OPEN_EXISTING, flags, NULL);
  if (handle == INVALID_HANDLE_VALUE && access(path, F_OK) == 0)
    errno = EACCES; /* else access has set it */
  return handle;
}

/* A placeholder of a cloud drive is a reparse point too, and a file like any other. */
static sp_file_kind kind_of(HANDLE handle, DWORD attributes)
{
  FILE_ATTRIBUTE_TAG_INFO about;
  if ((attributes & FILE_ATTRIBUTE_REPARSE_POINT) &&
      GetFileInformationByHandleEx(handle, FileAttributeTagInfo, &about, sizeof about) &&
      (about.ReparseTag == IO_REPARSE_TAG_SYMLINK || about.ReparseTag == IO_REPARSE_TAG_MOUNT_POINT))
    return SP_KIND_LINK;
  return attributes & FILE_ATTRIBUTE_DIRECTORY ? SP_KIND_FOLDER : SP_KIND_FILE;
}

static bool describe(HANDLE handle, sp_facts *facts)
{
  BY_HANDLE_FILE_INFORMATION about;
  FILE_BASIC_INFO basic;
  DWORD type = GetFileType(handle);
  if (type != FILE_TYPE_DISK) {
    *facts = (sp_facts){.kind = type == FILE_TYPE_PIPE ? SP_KIND_PIPE : SP_KIND_DEVICE};
    return true;
  }
  if (!GetFileInformationByHandle(handle, &about) ||
      !GetFileInformationByHandleEx(handle, FileBasicInfo, &basic, sizeof basic)) {
    errno = EIO;
    return false;
  }
  *facts = (sp_facts){
      .kind = kind_of(handle, about.dwFileAttributes),
      .modified = nanoseconds(about.ftLastWriteTime.dwHighDateTime, about.ftLastWriteTime.dwLowDateTime),
      .altered = nanoseconds((uint64_t)basic.ChangeTime.QuadPart >> 32, basic.ChangeTime.LowPart),
      .size = (uint64_t)about.nFileSizeHigh << 32 | about.nFileSizeLow,
      .inode = (uint64_t)about.nFileIndexHigh << 32 | about.nFileIndexLow,
      .device = about.dwVolumeSerialNumber,
  };
  return true;
}

const size_t sp_facts_few = 16; /* each file is opened for that */

bool sp_facts_of_path(const char *path, bool follow, sp_facts *facts)
{
  HANDLE handle = open_handle(path, FILE_READ_ATTRIBUTES, follow);
  bool fine = handle != INVALID_HANDLE_VALUE && describe(handle, facts);
  if (handle != INVALID_HANDLE_VALUE)
    CloseHandle(handle);
  return fine;
}

bool sp_facts_of_file(int file, sp_facts *facts) { return describe((HANDLE)_get_osfhandle(file), facts); }

int sp_file_open(const char *path)
{
  HANDLE handle = open_handle(path, GENERIC_READ, true);
  int file = handle == INVALID_HANDLE_VALUE ? -1 : _open_osfhandle((intptr_t)handle, _O_RDONLY | _O_BINARY);
  if (file < 0 && handle != INVALID_HANDLE_VALUE) {
    CloseHandle(handle);
    errno = EMFILE;
  }
  return file;
}

/* }== */

/* {== Paths, on Windows ================================================== */

/* The system writes "\\?\C:\path" or "\\?\UNC\server\share". */
static bool place_of(HANDLE handle, char place[SP_PATH_MOST])
{
  char own[SP_PATH_MOST];
  DWORD length = GetFinalPathNameByHandleA(handle, own, sizeof own, FILE_NAME_NORMALIZED | VOLUME_NAME_DOS);
  if (length == 0 || length >= sizeof own) {
    errno = length ? ENAMETOOLONG : EIO;
    return false;
  }
  bool is_unc = strncmp(own, "\\\\?\\UNC\\", 8) == 0;
  size_t sign = is_unc ? 7 : strncmp(own, "\\\\?\\", 4) == 0 ? 4 : 0;
  snprintf(place, SP_PATH_MOST, "%s%s", is_unc ? "/" : "", own + sign);
  for (char *c = place; *c; c++)
    *c = *c == '\\' ? '/' : *c;
  return true;
}

bool sp_file_place(int file, const char *path, char place[SP_PATH_MOST])
{
  (void)path;
  return place_of((HANDLE)_get_osfhandle(file), place);
}

bool sp_real_path(const char *path, char real[SP_PATH_MOST])
{
  HANDLE handle = open_handle(path, FILE_READ_ATTRIBUTES, true);
  bool fine = handle != INVALID_HANDLE_VALUE && place_of(handle, real);
  if (handle != INVALID_HANDLE_VALUE)
    CloseHandle(handle);
  return fine;
}

bool sp_link_target(const char *path, char *target, size_t size)
{
  char real[SP_PATH_MOST];
  if (!sp_path_is_link(path))
    return false;
  snprintf(target, size, "%s", sp_real_path(path, real) ? real : "another place");
  return true;
}

size_t sp_path_root(const char *path)
{
  bool drive = path[0] && path[1] == ':' && (path[2] == '/' || path[2] == '\\');
  return drive ? 3 : path[0] == '/' || path[0] == '\\';
}

/* A name of MS-DOS is a device in every folder, whatever follows its first dot. */
static bool is_device_name(const char *name, size_t length)
{
  static const char *const names[] = {"con", "prn", "aux", "nul", "conin$", "conout$", "clock$"};
  size_t base = 0;
  while (base < length && name[base] != '.')
    base++;
  while (base > 0 && name[base - 1] == ' ')
    base--;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i]) == base && _strnicmp(name, names[i], base) == 0)
      return true;
  bool port = base >= 4 && (_strnicmp(name, "com", 3) == 0 || _strnicmp(name, "lpt", 3) == 0);
  if (!port)
    return false;
  bool digit = base == 4 && name[3] >= '0' && name[3] <= '9'; /* or a superscript 1, 2 or 3 */
  return digit || (base == 5 && (unsigned char)name[3] == 0xc2 && strchr("\xb9\xb2\xb3", name[4]));
}

bool sp_name_is_plain(const char *name, size_t length)
{
  bool dots = (length == 1 && name[0] == '.') || (length == 2 && name[0] == '.' && name[1] == '.');
  for (size_t i = 0; i < length; i++)
    if ((unsigned char)name[i] < 32 || strchr("\\:*?\"<>|", name[i]))
      return false;
  return dots || (length > 0 && name[length - 1] != '.' && name[length - 1] != ' ' && !is_device_name(name, length));
}

/* }== */

#else

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
  return S_ISREG(mode) ? SP_KIND_FILE
         : S_ISDIR(mode) ? SP_KIND_FOLDER
         : S_ISLNK(mode) ? SP_KIND_LINK
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

const size_t sp_facts_few = 68;

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

int sp_file_open(const char *path) { return open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC); }

/* }== */

/* {== Paths ============================================================== */

bool sp_file_place(int file, const char *path, char place[SP_PATH_MOST])
{
#if defined(__linux__)
  char name[32];
  (void)path;
  snprintf(name, sizeof name, "/proc/self/fd/%d", file);
  return sp_link_target(name, place, SP_PATH_MOST);
#elif defined(F_GETPATH)
  (void)path;
  return fcntl(file, F_GETPATH, place) == 0;
#else
  (void)file;
  return sp_real_path(path, place);
#endif
}

#ifdef PATH_MAX
_Static_assert(PATH_MAX <= SP_PATH_MOST, "realpath writes that many bytes");
#endif

bool sp_real_path(const char *path, char real[SP_PATH_MOST])
{
#ifdef F_GETPATH /* macOS: realpath may keep the case in which a name was given */
  int file = sp_file_open(path);
  bool fine = file >= 0 && sp_file_place(file, path, real);
  if (file >= 0)
    sp_file_close(file);
  return fine;
#else
  return realpath(path, real) != NULL;
#endif
}

bool sp_link_target(const char *path, char *target, size_t size)
{
  ssize_t length = readlink(path, target, size - 1);
  if (length >= 0)
    target[length] = '\0';
  return length >= 0;
}

size_t sp_path_root(const char *path) { return path[0] == '/'; }

bool sp_name_is_plain(const char *name, size_t length) { return (void)name, length > 0; }

/* }== */

#endif

/* {== Open files ========================================================= */

void sp_file_close(int file)
{
  int error = errno;
  close(file);
  errno = error;
}

int64_t sp_file_read(int file, void *bytes, size_t size)
{
  const size_t piece_most = 1 << 30;
  char *at = bytes;
  size_t have = 0;
  while (have < size) {
    size_t piece = size - have < piece_most ? size - have : piece_most;
    int64_t got = read(file, at + have, (unsigned)piece);
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
  FILE *stream = fdopen(file, "rb");
  if (!stream)
    sp_file_close(file);
  return stream;
}

bool sp_path_is_link(const char *path)
{
  sp_facts facts;
  return sp_facts_of_path(path, false, &facts) && facts.kind == SP_KIND_LINK;
}

/* }== */

/* {== Folders ============================================================ */

/* Its address is that of a DIR. */
static DIR *dir_of(sp_folder_stream *stream) { return (DIR *)(void *)stream; }

sp_folder_stream *sp_folder_stream_open(const char *path) { return (sp_folder_stream *)(void *)opendir(path); }

sp_folder_stream *sp_folder_stream_from(int folder, const char *path)
{
#ifdef _WIN32
  DIR *dir = opendir(path);
  sp_file_close(folder);
#else
  DIR *dir = fdopendir(folder);
  (void)path;
  if (!dir)
    sp_file_close(folder);
#endif
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
