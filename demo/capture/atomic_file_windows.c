/*
** As in atomic_file_posix.c: a new file in the same folder replaces the old one once it is complete.
*/
#include "demo/capture/atomic_file.h"

#ifdef _WIN32

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "demo/support/platform.h"
#include "script/state/platform_wide.h"

#define MOST_TRIES 100 /* attempts, if names are taken by other processes */

/* Opens a file for writing. INVALID_HANDLE_VALUE with errno. */
static HANDLE create(const char *path, DWORD how)
{
  sp_wide wide;
  if (!sp_wide_from(path, wide))
    return INVALID_HANDLE_VALUE;
  HANDLE handle = CreateFileW(wide, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL, how, 0, NULL);
  if (handle == INVALID_HANDLE_VALUE)
    errno = sp_errno_of(GetLastError());
  return handle;
}

static int write_and_close(HANDLE handle, const char *bytes, size_t size)
{
  enum { PIECE = 1 << 26 };
  int why = 0;
  for (DWORD written; size > 0 && why == 0; bytes += written, size -= written)
    if (!WriteFile(handle, bytes, (DWORD)(size < PIECE ? size : PIECE), &written, NULL))
      why = sp_errno_of(GetLastError());
  if (!CloseHandle(handle) && why == 0)
    why = sp_errno_of(GetLastError());
  return why;
}

static int write_in_place(const char *path, const void *bytes, size_t size)
{
  HANDLE handle = create(path, OPEN_ALWAYS);
  if (handle == INVALID_HANDLE_VALUE)
    return errno;
  if (GetFileType(handle) == FILE_TYPE_DISK)
    SetEndOfFile(handle);
  return write_and_close(handle, bytes, size);
}

/* Opens a new file in the folder of `path`; `name` receives its path. */
static HANDLE open_beside(const char *path, char name[SP_PATH_MOST])
{
  const char *slash = strrchr(path, '/'), *back = strrchr(path, '\\');
  const char *end = back && (!slash || back > slash) ? back : slash;
  HANDLE handle = INVALID_HANDLE_VALUE;
  for (int i = 0; i < MOST_TRIES && handle == INVALID_HANDLE_VALUE; i++) {
    int length = snprintf(name, SP_PATH_MOST, "%.*s.spawnpool-%lu-%d.part", end ? (int)(end - path) + 1 : 0, path,
                          (unsigned long)GetCurrentProcessId(), i);
    if (length >= SP_PATH_MOST) {
      errno = ENAMETOOLONG;
      break;
    }
    handle = create(name, CREATE_NEW);
    if (handle == INVALID_HANDLE_VALUE && errno != EEXIST)
      break;
  }
  return handle;
}

static int write_beside(const char *path, const void *bytes, size_t size)
{
  char name[SP_PATH_MOST];
  HANDLE handle = open_beside(path, name);
  if (handle == INVALID_HANDLE_VALUE)
    return errno == EACCES || errno == ENAMETOOLONG || errno == EEXIST ? write_in_place(path, bytes, size) : errno;
  int why = write_and_close(handle, bytes, size);
  if (why == 0)
    why = platform_rename(name, path);
  if (why != 0)
    platform_remove(name);
  return why;
}

/* Links are kept, and what is no file is written to. A file that may not be written is not replaced either. */
int atomic_file_write(const char *path, const void *bytes, size_t size)
{
  sp_facts facts;
  sp_wide wide;
  if (!sp_facts_of_path(path, false, &facts))
    return errno == ENOENT ? write_beside(path, bytes, size) : errno;
  if (facts.kind != SP_KIND_FILE)
    return write_in_place(path, bytes, size);
  bool locked = sp_wide_from(path, wide) && (GetFileAttributesW(wide) & FILE_ATTRIBUTE_READONLY);
  return locked ? EACCES : write_beside(path, bytes, size);
}

#endif
