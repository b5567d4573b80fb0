/*
** The parts of support/process.h and support/attempt.h that need no fork.
*/
#include "support/process.h"

#include "support/attempt.h"

#include <direct.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <unistd.h>
#include <windows.h>

#include "demo/support/platform.h"

bool test_folder_make(char *path, size_t size)
{
  LARGE_INTEGER now;
  DWORD length = GetTempPathA((DWORD)size - 64, path);
  for (int i = 0; length > 0 && i < 100; i++) {
    QueryPerformanceCounter(&now);
    snprintf(path + length, size - length, "spawnpool-%lx-%llx", (unsigned long)getpid(), now.QuadPart + i);
    platform_slashes(path);
    if (_mkdir(path) == 0)
      return true;
  }
  return false;
}

int tests_rename(const char *from, const char *to) { return platform_rename(from, to) == 0 ? 0 : -1; }

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

void test_folders_begin(void) {}
void test_folders_end(void) {}

const char *test_tool(void) { return "wine"; }

bool attempt_can(void) { return false; }

bool attempt(attempt_fn body, void *ud, int seconds, char *message, size_t size, char **said)
{
  (void)seconds;
  (void)message;
  (void)size;
  (void)said;
  body(ud, NULL);
  return false;
}

bool attempt_is_same(const char *a, const char *b) { return strcmp(a, b) == 0; }

void test_skip(const char *test, const char *why) { printf("skipped: %s: %s\n", test, why); }

void test_process_free(test_process *process)
{
  free(process->out);
  free(process->err);
}

/* A program and its words: there is no other syntax of a shell, and nobody waits less than to the end. */
test_process test_run(double seconds, const char *format, ...)
{
  char folder[512], line[4096], whole[6000];
  va_list words;
  (void)seconds;
  va_start(words, format);
  vsnprintf(line, sizeof line, format, words);
  va_end(words);
  size_t program = strcspn(line, " ");
  for (size_t i = 0; line[i]; i++)
    line[i] = line[i] == '\'' ? '"' : i < program && line[i] == '/' ? '\\' : line[i];
  test_process p = {.status = -1};
  bool made = test_folder_make(folder, sizeof folder);
  snprintf(whole, sizeof whole, "%s >\"%s/out\" 2>\"%s/err\"", line, folder, folder);
  p.status = made ? system(whole) : -1;
  p.out = test_read_file(test_path(folder, "out"));
  p.err = test_read_file(test_path(folder, "err"));
  p.out_size = strlen(p.out), p.err_size = strlen(p.err);
  if (made)
    test_folder_remove(folder);
  return p;
}
