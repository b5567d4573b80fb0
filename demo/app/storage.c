/*
** The folder's name is that of the game's folder and a hash of its whole path, so that two games with the same name
** have different folders.
*/
#include "demo/app/storage.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/capture/atomic_file.h"
#include "demo/support/platform.h"
#include "script/state/folder_file.h"

#define ENDING ".data"
#define FILE_MOST (STORAGE_NAME_MOST + 32) /* bytes of the name of a file, without the ending */

/* {== The folder ========================================================= */

static bool base_folder(storage *s) { return platform_data_folder(s->parent, STORAGE_PATH_MOST - 128, &s->no_folder); }

/* Creates a folder and its parents. A parent may be on a read-only disk, if the next one exists. */
static bool make_folders(char *path)
{
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    int problem = platform_make_folder(path, true);
    *slash = '/';
    if (problem != 0 && problem != EROFS && problem != EACCES)
      return false;
  }
  return platform_make_folder(path, true) == 0;
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
    name[length++] = (char)(plain ? *from : '_');
  }
  snprintf(name + length, 64 - length, "-%08x", (unsigned)number_of(path));
}

void storage_open(storage *s, const char *path)
{
  char whole[SP_PATH_MOST], name[64];
  s->opened = true;
  if (!base_folder(s) || !sp_real_path(path, whole)) {
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

const char *storage_make_folder(const storage *s)
{
  return s->parent[0] && platform_make_folder(s->folder, true) == 0 ? s->folder : NULL;
}

/* }== */

/* {== Files ============================================================== */

static void path_of(const storage *s, const char *name, char path[SP_PATH_MOST])
{
  char file[FILE_MOST];
  platform_file_name(name, file, sizeof file);
  snprintf(path, SP_PATH_MOST, "%s/%s" ENDING, s->folder, file);
}

/* Opens a file of the folder. Links are rejected, because the player creates none. Returns -1, and `why`, on failure.
   */
static int open_stored(const storage *s, const char *name, sp_facts *facts, char why[STORAGE_WHY])
{
  char path[SP_PATH_MOST], problem[SP_FILE_PROBLEM_MOST];
  path_of(s, name, path);
  bool is_there = s->parent[0] && sp_facts_of_path(path, false, facts), fine = is_there && facts->kind == SP_KIND_FILE;
  int file = fine ? sp_folder_open(s->folder, path, problem) : -1;
  if (!is_there)
    snprintf(why, STORAGE_WHY, "%s", !s->parent[0] || errno == ENOENT ? "none" : strerror(errno));
  else if (fine && file < 0)
    snprintf(why, STORAGE_WHY, "%s", problem);
  else if (!fine || !sp_facts_of_file(file, facts) || facts->size > STORAGE_MOST)
    snprintf(why, STORAGE_WHY, "it is no file of at most 1 MiB");
  else
    return file;
  if (file >= 0)
    sp_file_close(file);
  return -1;
}

static long read_stored(void *ud, const char *name, void *to, size_t room, char why[STORAGE_WHY])
{
  sp_facts facts;
  int file = open_stored(ud, name, &facts, why);
  if (file < 0)
    return -1;
  long size = to ? (long)sp_file_read(file, to, room) : (long)facts.size;
  sp_file_close(file);
  return size;
}

/* Returns the bytes of all that is stored under other names. */
static size_t size_of_others(const storage *s, const char *name)
{
  char file[FILE_MOST], own[FILE_MOST + sizeof ENDING], path[SP_PATH_MOST];
  sp_folder_stream *folder = sp_folder_stream_open(s->folder);
  sp_facts facts;
  size_t size = 0;
  platform_file_name(name, file, sizeof file);
  snprintf(own, sizeof own, "%s" ENDING, file);
  for (const char *it; folder && (it = sp_folder_stream_next(folder, NULL)) != NULL;) {
    snprintf(path, sizeof path, "%s/%s", s->folder, it);
    if (strcmp(it, own) != 0 && sp_facts_of_path(path, false, &facts) && facts.kind == SP_KIND_FILE)
      size += (size_t)facts.size;
  }
  sp_folder_stream_close(folder);
  return size;
}

static bool remove_stored(const char *path, char why[STORAGE_WHY])
{
  int problem = platform_remove(path);
  if (problem != 0)
    snprintf(why, STORAGE_WHY, "%s", strerror(problem));
  return problem == 0;
}

static bool write_stored(void *ud, const char *name, const void *bytes, size_t size, char why[STORAGE_WHY])
{
  const storage *s = ud;
  char path[SP_PATH_MOST];
  path_of(s, name, path);
  if (!s->parent[0]) {
    snprintf(why, STORAGE_WHY, "%s%s",
             s->opened ? "there is no folder to store data in: " : "nothing is stored while a game is checked",
             s->opened ? s->no_folder : "");
    return false;
  }
  if (!bytes)
    return remove_stored(path, why);
  size_t others = size_of_others(s, name);
  if (size + others > STORAGE_MOST) {
    snprintf(why, STORAGE_WHY, STORAGE_TOO_LARGE, size, size + others, STORAGE_MOST);
    return false;
  }
  int problem = platform_make_folder(s->folder, true);
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

/* Copies a file of the folder to memory. False when it cannot be read. */
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
  sp_folder_stream *folder = s->parent[0] ? sp_folder_stream_open(s->folder) : NULL;
  bool fine = s->parent[0] != '\0' && (folder || errno == ENOENT);
  for (const char *it; folder && fine && (it = sp_folder_stream_next(folder, NULL)) != NULL;)
    fine = copy_file(s, it);
  sp_folder_stream_close(folder);
  if (!fine) { /* the error message comes from the folder */
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
