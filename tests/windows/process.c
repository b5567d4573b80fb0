/*
** support/process.h where suites start no process; and calls of POSIX as compat.h has them.
*/
#include "support/process.h"

#include <direct.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h> /* _fmode */
#include <time.h>

#include <unistd.h>
#include <windows.h>

#include "demo/support/platform.h"

/* What the tests write has no other bytes than elsewhere. */
__attribute__((constructor)) static void write_bytes(void) { _fmode = _O_BINARY; }

bool test_folder_make(char *path, size_t size)
{
  LARGE_INTEGER now;
  QueryPerformanceCounter(&now); /* folders of users have names so long that Lua cuts off the end in its messages */
  snprintf(path, size, "C:/spawnpool-%lx-%llx", (unsigned long)getpid(), now.QuadPart);
  return _mkdir(path) == 0;
}

int tests_set_times(const char *path, const struct timespec *times, int flags)
{
  (void)flags;
  int64_t ticks = times[1].tv_sec * INT64_C(10000000) + times[1].tv_nsec / 100 + INT64_C(116444736000000000);
  FILETIME time = {(DWORD)ticks, (DWORD)(ticks >> 32)};
  HANDLE handle = CreateFileA(path, FILE_WRITE_ATTRIBUTES, 7, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
  bool done = handle != INVALID_HANDLE_VALUE && SetFileTime(handle, NULL, &time, &time);
  CloseHandle(handle);
  return done ? 0 : -1;
}

const char *test_tool(void) { return "wine"; }

double test_patience(void) { return 1; }

void test_skip(const char *test, const char *why) { printf("skipped: %s: %s\n", test, why); }

test_process test_run(double seconds, const char *format, ...)
{
  (void)seconds;
  return (test_process){.status = -1, .out = strdup(""), .err = strdup(format)};
}

void test_process_free(test_process *process)
{
  free(process->out);
  free(process->err);
}
