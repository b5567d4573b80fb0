/*
** Paths become UTF-16 with backslashes here, and come back as UTF-8 with slashes. Every file is opened so that others
** may replace and remove it: editors save by renaming.
*/
#include "script/state/platform.h"

#ifdef _WIN32

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>

#include "script/state/platform_wide.h"

#include <winternl.h>

#define SHARE_ALL (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)

/* {== The clock ========================================================== */

struct tm sp_local_time(time_t moment)
{
  struct tm local = {0};
  localtime_s(&local, &moment);
  return local;
}

uint64_t sp_clock_nanoseconds(void)
{
  LARGE_INTEGER count, per_second;
  QueryPerformanceCounter(&count);
  QueryPerformanceFrequency(&per_second);
  uint64_t c = (uint64_t)count.QuadPart, f = (uint64_t)per_second.QuadPart;
  return c / f * 1000000000u + c % f * 1000000000u / f;
}

static uint64_t in_nanoseconds(int64_t intervals) { return (uint64_t)(intervals - INT64_C(116444736000000000)) * 100u; }

uint64_t sp_date_nanoseconds(void)
{
  FILETIME now;
  GetSystemTimePreciseAsFileTime(&now);
  return in_nanoseconds((int64_t)((uint64_t)now.dwHighDateTime << 32 | now.dwLowDateTime));
}

/* }== */

/* {== Names ============================================================== */

/* Names of more than 260 letters are whole paths behind a sign that they are; a folder may have 12 less. */
static bool lengthen(sp_wide wide)
{
  enum { SIGN_MOST = 8 };
  sp_wide whole;
  DWORD length = GetFullPathNameW(wide, SP_WIDE_MOST - SIGN_MOST, whole, NULL);
  if (length == 0 || length >= SP_WIDE_MOST - SIGN_MOST) {
    errno = ENAMETOOLONG;
    return false;
  }
  bool unc = whole[0] == L'\\' && whole[1] == L'\\';
  if (unc && (whole[2] == L'?' || whole[2] == L'.'))
    return true;
  wcscpy(wide, unc ? L"\\\\?\\UNC\\" : L"\\\\?\\");
  wcscat(wide, whole + (unc ? 2 : 0));
  return true;
}

bool sp_wide_from(const char *path, sp_wide wide)
{
  enum { SHORT_MOST = 240 };
  int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, SP_WIDE_MOST - 1);
  if (length <= 0) {
    errno = GetLastError() == ERROR_INSUFFICIENT_BUFFER ? ENAMETOOLONG : ENOENT;
    return false;
  }
  for (wchar_t *c = wide; *c; c++)
    if (*c == L'/')
      *c = L'\\';
  if (length == 3 && wide[1] == L':') { /* "C:" is the current folder of that drive */
    wide[2] = L'\\';
    wide[3] = 0;
  }
  return length <= SHORT_MOST || lengthen(wide);
}

bool sp_wide_to(const wchar_t *wide, char *path, size_t size)
{
  static const wchar_t unc[] = L"\\\\?\\UNC\\", verbatim[] = L"\\\\?\\";
  bool is_unc = wcsncmp(wide, unc, 8) == 0;
  wide += is_unc ? 8 : wcsncmp(wide, verbatim, 4) == 0 ? 4 : 0;
  size_t used = is_unc ? 2 : 0;
  if (size < 3 || WideCharToMultiByte(CP_UTF8, 0, wide, -1, path + used, (int)(size - used), NULL, NULL) <= 0) {
    errno = ENAMETOOLONG;
    return false;
  }
  if (is_unc)
    memcpy(path, "//", 2);
  for (char *c = path; *c; c++)
    if (*c == '\\')
      *c = '/';
  return true;
}

int sp_errno_of(DWORD error)
{
  switch (error) {
  case ERROR_FILE_NOT_FOUND:
  case ERROR_PATH_NOT_FOUND:
  case ERROR_INVALID_NAME:
  case ERROR_BAD_NETPATH:
  case ERROR_BAD_NET_NAME:
  case ERROR_NOT_READY:
  case ERROR_INVALID_DRIVE:
    return ENOENT;
  case ERROR_DIRECTORY:
    return ENOTDIR;
  case ERROR_ACCESS_DENIED:
  case ERROR_SHARING_VIOLATION:
  case ERROR_LOCK_VIOLATION:
  case ERROR_WRITE_PROTECT:
    return EACCES;
  case ERROR_FILE_EXISTS:
  case ERROR_ALREADY_EXISTS:
    return EEXIST;
  case ERROR_FILENAME_EXCED_RANGE:
  case ERROR_BUFFER_OVERFLOW:
    return ENAMETOOLONG;
  case ERROR_NOT_ENOUGH_MEMORY:
  case ERROR_OUTOFMEMORY:
    return ENOMEM;
  case ERROR_DISK_FULL:
  case ERROR_HANDLE_DISK_FULL:
    return ENOSPC;
  case ERROR_CANT_RESOLVE_FILENAME:
    return ELOOP;
  case ERROR_DIR_NOT_EMPTY:
    return ENOTEMPTY;
  default:
    return EIO;
  }
}

/* errno of the last error; false, for the callers. */
static bool fail(void)
{
  errno = sp_errno_of(GetLastError());
  return false;
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

/* {== Addresses ========================================================== */

void *sp_addresses_reserve(size_t size) { return VirtualAlloc(NULL, size, MEM_RESERVE, PAGE_READWRITE); }

void sp_addresses_release(void *addresses, size_t size)
{
  (void)size;
  VirtualFree(addresses, 0, MEM_RELEASE);
}

bool sp_addresses_back(void *part, size_t size) { return VirtualAlloc(part, size, MEM_COMMIT, PAGE_READWRITE) != NULL; }

/* }== */

/* {== Files ============================================================== */

/* The number of a file on its volume. GetFileInformationByHandle asks for the volume too, which takes longer than to
   open the file; a watch would do that a hundred times a second. */
static bool find_number(HANDLE handle, uint64_t *number)
{
  enum { FILE_INTERNAL_INFORMATION = 6 };
  IO_STATUS_BLOCK status;
  NTSTATUS result = NtQueryInformationFile(handle, &status, number, sizeof *number,
                                           (FILE_INFORMATION_CLASS)FILE_INTERNAL_INFORMATION);
  if (result >= 0)
    return true;
  SetLastError(RtlNtStatusToDosError(result));
  return false;
}

bool sp_facts_of_handle(HANDLE handle, sp_facts *facts)
{
  FILE_BASIC_INFO basic;
  FILE_STANDARD_INFO standard;
  uint64_t number;
  DWORD type = GetFileType(handle);
  if (type != FILE_TYPE_DISK) {
    *facts = (sp_facts){.kind = type == FILE_TYPE_PIPE ? SP_KIND_PIPE : SP_KIND_DEVICE};
    return true;
  }
  if (!GetFileInformationByHandleEx(handle, FileBasicInfo, &basic, sizeof basic) ||
      !GetFileInformationByHandleEx(handle, FileStandardInfo, &standard, sizeof standard) ||
      !find_number(handle, &number))
    return fail();
  DWORD kind = basic.FileAttributes;
  bool link = (kind & FILE_ATTRIBUTE_REPARSE_POINT) && sp_is_link(handle);
  *facts = (sp_facts){.kind = link                              ? SP_KIND_LINK
                              : kind & FILE_ATTRIBUTE_DIRECTORY ? SP_KIND_FOLDER
                                                                : SP_KIND_FILE,
                      .modified = in_nanoseconds(basic.LastWriteTime.QuadPart),
                      .altered = in_nanoseconds(basic.ChangeTime.QuadPart),
                      .size = (uint64_t)standard.EndOfFile.QuadPart,
                      .inode = number};
  return true;
}

bool sp_is_same_file(HANDLE a, HANDLE b)
{
  uint64_t number_a, number_b;
  BY_HANDLE_FILE_INFORMATION about_a, about_b;
  return find_number(a, &number_a) && find_number(b, &number_b) && number_a == number_b &&
         GetFileInformationByHandle(a, &about_a) && GetFileInformationByHandle(b, &about_b) &&
         about_a.dwVolumeSerialNumber == about_b.dwVolumeSerialNumber;
}

/* A placeholder of a cloud drive is a reparse point too, and a file like any other. */
bool sp_is_link(HANDLE handle)
{
  FILE_ATTRIBUTE_TAG_INFO about;
  return GetFileInformationByHandleEx(handle, FileAttributeTagInfo, &about, sizeof about) &&
         (about.ReparseTag == IO_REPARSE_TAG_SYMLINK || about.ReparseTag == IO_REPARSE_TAG_MOUNT_POINT);
}

HANDLE sp_handle_open(const char *path, DWORD access, bool follow)
{
  sp_wide wide;
  DWORD flags = FILE_FLAG_BACKUP_SEMANTICS | (follow ? 0 : FILE_FLAG_OPEN_REPARSE_POINT);
  if (!sp_wide_from(path, wide))
    return INVALID_HANDLE_VALUE;
  HANDLE handle = CreateFileW(wide, access, SHARE_ALL, NULL, OPEN_EXISTING, flags, NULL);
  if (handle == INVALID_HANDLE_VALUE)
    fail();
  return handle;
}

bool sp_facts_of_path(const char *path, bool follow, sp_facts *facts)
{
  HANDLE handle = sp_handle_open(path, FILE_READ_ATTRIBUTES, follow);
  if (handle == INVALID_HANDLE_VALUE)
    return false;
  bool fine = sp_facts_of_handle(handle, facts);
  CloseHandle(handle);
  return fine;
}

/* Each is opened for that. */
const size_t sp_facts_few = 16;

bool sp_facts_of_file(int file, sp_facts *facts) { return sp_facts_of_handle((HANDLE)_get_osfhandle(file), facts); }

int sp_file_of_handle(HANDLE handle)
{
  int file = handle == INVALID_HANDLE_VALUE ? -1 : _open_osfhandle((intptr_t)handle, _O_RDONLY | _O_BINARY);
  if (file < 0 && handle != INVALID_HANDLE_VALUE) {
    CloseHandle(handle);
    errno = EMFILE;
  }
  return file;
}

int sp_file_open(const char *path) { return sp_file_of_handle(sp_handle_open(path, GENERIC_READ, true)); }

void sp_file_close(int file)
{
  int error = errno;
  _close(file);
  errno = error;
}

int64_t sp_file_read(int file, void *bytes, size_t size)
{
  char *at = bytes;
  size_t have = 0;
  while (have < size) {
    size_t piece = size - have < 1 << 30 ? size - have : 1 << 30;
    int got = _read(file, at + have, (unsigned)piece);
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
  FILE *stream = _fdopen(file, "rb");
  if (!stream)
    sp_file_close(file);
  return stream;
}

/* Lines end in "\n" on every system. The stream is no business of programs that are started. */
FILE *sp_stream_open(const char *path, const char *mode)
{
  sp_wide wide;
  wchar_t how[16];
  size_t length = 0;
  for (; length < 8 && mode[length]; length++)
    how[length] = (wchar_t)mode[length];
  if (!strchr(mode, 'b'))
    how[length++] = L'b';
  how[length++] = L'N';
  how[length] = 0;
  return sp_wide_from(path, wide) ? _wfopen(wide, how) : NULL;
}

/* }== */

/* {== Paths ============================================================== */

bool sp_path_of_handle(HANDLE handle, char real[SP_PATH_MOST])
{
  sp_wide wide;
  DWORD length = GetFinalPathNameByHandleW(handle, wide, SP_WIDE_MOST, FILE_NAME_NORMALIZED | VOLUME_NAME_DOS);
  if (length == 0 || length >= SP_WIDE_MOST) {
    errno = length ? ENAMETOOLONG : sp_errno_of(GetLastError());
    return false;
  }
  return sp_wide_to(wide, real, SP_PATH_MOST);
}

bool sp_real_path(const char *path, char real[SP_PATH_MOST])
{
  HANDLE handle = sp_handle_open(path, FILE_READ_ATTRIBUTES, true);
  if (handle == INVALID_HANDLE_VALUE)
    return false;
  bool fine = sp_path_of_handle(handle, real);
  CloseHandle(handle);
  return fine;
}

bool sp_path_is_link(const char *path)
{
  sp_facts facts;
  return sp_facts_of_path(path, false, &facts) && facts.kind == SP_KIND_LINK;
}

/* The target is for a message: that it is a link is what counts. */
bool sp_link_target(const char *path, char *target, size_t size)
{
  if (!sp_path_is_link(path))
    return false;
  snprintf(target, size, "another place");
  return true;
}

bool sp_path_is_absolute(const char *path) { return path[0] == '/' || path[0] == '\\' || (path[0] && path[1] == ':'); }

/* }== */

/* {== Folders ============================================================ */

struct sp_folder_stream {
  HANDLE folder;
  bool begun;
  const FILE_ID_BOTH_DIR_INFO *next; /* in `entries`; NULL: none is left there */
  char name[1024];
  union {
    FILE_ID_BOTH_DIR_INFO first; /* aligns it */
    char bytes[16384];
  } entries;
};

static sp_folder_stream *stream_of(HANDLE folder)
{
  sp_folder_stream *stream = folder == INVALID_HANDLE_VALUE ? NULL : calloc(1, sizeof *stream);
  if (stream)
    stream->folder = folder;
  else if (folder != INVALID_HANDLE_VALUE)
    CloseHandle(folder);
  return stream;
}

sp_folder_stream *sp_folder_stream_open(const char *path)
{
  sp_facts facts;
  HANDLE folder = sp_handle_open(path, FILE_LIST_DIRECTORY, true);
  if (folder != INVALID_HANDLE_VALUE && sp_facts_of_handle(folder, &facts) && facts.kind != SP_KIND_FOLDER) {
    CloseHandle(folder);
    errno = ENOTDIR;
    return NULL;
  }
  return stream_of(folder);
}

sp_folder_stream *sp_folder_stream_from(int folder)
{
  HANDLE own = INVALID_HANDLE_VALUE, process = GetCurrentProcess();
  DuplicateHandle(process, (HANDLE)_get_osfhandle(folder), process, &own, 0, FALSE, DUPLICATE_SAME_ACCESS);
  sp_file_close(folder);
  return stream_of(own);
}

void sp_folder_stream_close(sp_folder_stream *stream)
{
  if (stream)
    CloseHandle(stream->folder);
  free(stream);
}

/* False after the last. */
static bool read_entries(sp_folder_stream *stream)
{
  FILE_INFO_BY_HANDLE_CLASS what = stream->begun ? FileIdBothDirectoryInfo : FileIdBothDirectoryRestartInfo;
  stream->begun = true;
  if (!GetFileInformationByHandleEx(stream->folder, what, &stream->entries, sizeof stream->entries))
    return false;
  stream->next = &stream->entries.first;
  return true;
}

/* Takes the next name. False when it is none that a path can have. */
static bool take_entry(sp_folder_stream *stream, bool *may_be_folder)
{
  const FILE_ID_BOTH_DIR_INFO *entry = stream->next;
  int length = WideCharToMultiByte(CP_UTF8, WC_ERR_INVALID_CHARS, entry->FileName,
                                   (int)(entry->FileNameLength / sizeof(wchar_t)), stream->name,
                                   (int)sizeof stream->name - 1, NULL, NULL);
  stream->name[length > 0 ? length : 0] = '\0';
  stream->next = entry->NextEntryOffset ? (const void *)((const char *)entry + entry->NextEntryOffset) : NULL;
  if (may_be_folder)
    *may_be_folder = (entry->FileAttributes & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT)) != 0;
  return length > 0 && strcmp(stream->name, ".") != 0 && strcmp(stream->name, "..") != 0;
}

const char *sp_folder_stream_next(sp_folder_stream *stream, bool *may_be_folder)
{
  while (stream->next || read_entries(stream))
    if (take_entry(stream, may_be_folder))
      return stream->name;
  return NULL;
}

/* }== */

/* {== Errors ============================================================= */

void sp_error_text(int error, char *text, size_t size)
{
  if (strerror_s(text, size, error) != 0)
    snprintf(text, size, "error %d", error);
}

/* }== */

#endif
