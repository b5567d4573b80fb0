/*
** The part of support/process.h that needs no process.
*/
#include "support/process.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script/state/platform_wide.h"

bool test_folder_make(char *path, size_t size)
{
  sp_wide wide;
  DWORD length = GetTempPathW(SP_WIDE_MOST - 64, wide);
  LARGE_INTEGER now;
  for (int i = 0; length > 0 && i < 100; i++) {
    QueryPerformanceCounter(&now);
    swprintf(wide + length, 64, L"spawnpool-%lx-%llx", (unsigned long)GetCurrentProcessId(), now.QuadPart + i);
    if (CreateDirectoryW(wide, NULL))
      return sp_wide_to(wide, path, size);
  }
  return false;
}

void test_folder_remove(const char *path)
{
  char below[SP_PATH_MOST];
  sp_wide wide;
  sp_folder_stream *list = sp_folder_stream_open(path);
  for (const char *name; list && (name = sp_folder_stream_next(list, NULL)) != NULL;) {
    snprintf(below, sizeof below, "%s/%s", path, name);
    sp_facts facts;
    if (sp_facts_of_path(below, false, &facts) && facts.kind == SP_KIND_FOLDER)
      test_folder_remove(below);
    else if (sp_wide_from(below, wide) && !DeleteFileW(wide))
      RemoveDirectoryW(wide); /* a link to a folder */
  }
  sp_folder_stream_close(list);
  if (sp_wide_from(path, wide))
    RemoveDirectoryW(wide);
}

void test_folders_begin(void) {}
void test_folders_end(void) {}

const char *test_tool(void) { return "wine"; }

void test_skip(const char *test, const char *why) { printf("skipped: %s: %s\n", test, why); }

void test_process_free(test_process *process)
{
  free(process->out);
  free(process->err);
}

static char *take_file(const char *path, size_t *size)
{
  char *text = calloc(1, 1 << 20);
  FILE *f = sp_stream_open(path, "rb");
  *size = f ? fread(text, 1, (1 << 20) - 1, f) : 0;
  if (f)
    fclose(f);
  return text;
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
  snprintf(whole, sizeof whole, "%s/out", folder);
  p.out = take_file(whole, &p.out_size);
  snprintf(whole, sizeof whole, "%s/err", folder);
  p.err = take_file(whole, &p.err_size);
  if (made)
    test_folder_remove(folder);
  return p;
}
