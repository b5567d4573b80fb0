/*
** A value is encoded completely before its bytes replace the old ones, so nothing is stored in part. A failure is a
** result and also a warning, because a game that ignores the result loses its data. A file is a first line with the
** version, a checksum of the rest, and the bytes of the value (script/bind/codec.h).
**
** The folder's name is the id of the game; of one without an id it is the name of the game's folder and a hash of its
** whole path, so that two games with the same name have different folders.
*/
#include "demo/bind/storage.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/bind/reachable.h"
#include "demo/capture/file_writer.h"
#include "demo/support/platform.h"
#include "script/bind/codec.h"
#include "script/state/arguments.h"
#include "script/state/disk.h"
#include "script/state/strings.h"
#include "script/state/written.h"

#include "script/state/careful.h"

#define ENDING ".data"
#define NAME_MOST 64
#define FILE_MOST (NAME_MOST + 32) /* bytes of the name of a file, without the ending */

/* Entries are found by the names of their files, which sp_file_name makes of the names that games use. */
struct stored {
  stored *next;
  char file[FILE_MOST];
  bool is_unread; /* the file cannot be read: the bytes say why, with a NUL */
  size_t size;
  char bytes[];
};

/* {== The list =========================================================== */

static stored **find(stored **list, const char *file)
{
  while (*list && strcmp((*list)->file, file) != 0)
    list = &(*list)->next;
  return list;
}

static stored *new_entry(const char *file, size_t size)
{
  stored *it = malloc(sizeof *it + size);
  if (it) {
    *it = (stored){.size = size};
    snprintf(it->file, sizeof it->file, "%s", file);
  }
  return it;
}

static bool add_entry(storage *s, stored *it)
{
  it->next = s->list;
  s->list = it;
  return true;
}

static void unlink_entry(stored **link)
{
  stored *it = *link;
  if (it)
    *link = it->next;
  free(it);
}

void storage_free(stored **list)
{
  while (*list)
    unlink_entry(list);
}

bool storage_copy(const stored *from, stored **to)
{
  *to = NULL;
  for (; from; from = from->next) {
    stored *copy = new_entry(from->file, from->size);
    if (!copy) {
      storage_free(to);
      return false;
    }
    memcpy(copy, from, sizeof *from + from->size);
    copy->next = *to;
    *to = copy;
  }
  return true;
}

size_t storage_bytes(const stored *list)
{
  size_t bytes = 0;
  for (; list; list = list->next)
    bytes += sizeof *list + list->size;
  return bytes;
}

/* Returns the bytes of the values that are stored under other names. */
static size_t size_of_others(const stored *list, const char *file)
{
  size_t size = 0;
  for (; list; list = list->next)
    size += list->is_unread || strcmp(list->file, file) == 0 ? 0 : list->size;
  return size;
}

/* }== */

/* {== The folder ========================================================= */

static bool fail(storage *s, const char *what, const char *path, int problem)
{
  snprintf(s->problem, sizeof s->problem, "%s%.300s%s%s", what, path, path[0] ? ": " : "", strerror(problem));
  return false;
}

/* Writes "shooter-1a2b3c4d". */
static void name_game(const char *path, char name[64])
{
  const char *slash = strrchr(path, '/'), *from = slash ? slash + 1 : path;
  size_t length = 0;
  uint32_t number = 2166136261u; /* FNV-1a of the path */
  for (; *path; path++)
    number = (number ^ (unsigned char)*path) * 16777619u;
  for (; *from && *from != '.' && length < 40; from++) {
    bool plain = (*from >= 'a' && *from <= 'z') || (*from >= 'A' && *from <= 'Z') || (*from >= '0' && *from <= '9');
    name[length++] = (char)(plain ? *from : '_');
  }
  snprintf(name + length, 64 - length, "-%08x", (unsigned)number);
}

/* A game without an id never gets the folder of one with an id: an id does not end like name_game's names. */
bool storage_takes_id(const char *id)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
  size_t length = strlen(id), tail = length < 9 ? 0 : length - 9;
  if (length < 1 || length > NAME_MOST || strspn(id, letters) != length || id[0] == '.' || id[length - 1] == '.')
    return false;
  return id[tail] != '-' || strspn(id + tail + 1, "0123456789abcdef") != 8;
}

/* Sets the folder of the game, and creates its parent. False, with the problem, when there is none. */
static bool choose_folder(storage *s, const char *path, const char *id)
{
  static const char none[] = "no folder to store data in: ";
  const char *why;
  char whole[SP_PATH_MOST], name[NAME_MOST + 1];
  if (!platform_data_folder(s->folder, sizeof s->folder - 128, &why)) {
    snprintf(s->problem, sizeof s->problem, "%s%s", none, why);
    return false;
  }
  if (storage_takes_id(id))
    snprintf(name, sizeof name, "%s", id);
  else if (sp_real_path(path, whole))
    name_game(whole, name);
  else
    return fail(s, none, path, errno);
  strcat(s->folder, "/spawnpool");
  int problem = sp_folder_make(s->folder, true);
  if (problem != 0)
    return fail(s, none, s->folder, problem);
  strcat(strcat(s->folder, "/"), name);
  return true;
}

/* Reads a file of the folder into a new entry. Links are rejected, because the player creates none. NULL when memory is
   refused. */
static stored *read_file(const storage *s, const char *file)
{
  char path[SP_PATH_MOST];
  char why[SP_FILE_PROBLEM_MOST] = "not a file, or larger than the 1 MiB that a game may store";
  sp_facts facts;
  snprintf(path, sizeof path, "%s/%s" ENDING, s->folder, file);
  bool fits = sp_facts_of_path(path, false, &facts) && facts.kind == SP_KIND_FILE &&
              facts.size <= STORAGE_MOST - size_of_others(s->list, "");
  int opened = fits ? sp_folder_open(s->folder, path, why) : -1;
  stored *it = new_entry(file, opened >= 0 ? (size_t)facts.size : sizeof why);
  if (it && opened < 0) {
    it->is_unread = true;
    memcpy(it->bytes, why, sizeof why);
  } else if (it && sp_file_read(opened, it->bytes, it->size) != (int64_t)it->size) {
    it->size = 0;
  }
  if (opened >= 0)
    sp_file_close(opened);
  return it;
}

/* Reads the files of the folder. False, with the errno, when that failed as a whole. */
static bool read_folder(storage *s)
{
  sp_folder_stream *folder = sp_folder_stream_open(s->folder);
  bool fine = folder || errno == ENOENT;
  for (const char *name; folder && fine && (name = sp_folder_stream_next(folder, NULL)) != NULL;) {
    char file[FILE_MOST];
    size_t length = strlen(name), ending = strlen(ENDING);
    if (length <= ending || length - ending >= sizeof file || strcmp(name + length - ending, ENDING) != 0)
      continue;
    snprintf(file, sizeof file, "%.*s", (int)(length - ending), name);
    stored *it = read_file(s, file);
    fine = it && add_entry(s, it);
    errno = fine ? 0 : ENOMEM;
  }
  sp_folder_stream_close(folder);
  return fine;
}

void storage_prepare(storage *s, report *r)
{
  *s = (storage){.report = r};
  snprintf(s->problem, sizeof s->problem, "nothing is stored while a game is checked");
}

void storage_open(storage *s, const char *path, const char *id)
{
  s->problem[0] = '\0';
  if (!choose_folder(s, path, id))
    s->folder[0] = '\0';
  else if (!read_folder(s))
    s->is_unread = !fail(s, "cannot read ", s->folder, errno);
}

void storage_open_memory(storage *s) { s->problem[0] = '\0'; }

void storage_close(storage *s) { storage_free(&s->list); }

const char *storage_make_folder(const storage *s)
{
  return s->folder[0] && sp_folder_make(s->folder, true) == 0 ? s->folder : NULL;
}

/* Replaces or removes a file. Returns 0 or an errno. */
static int write_file(const storage *s, const char *file, const void *bytes, size_t size)
{
  char path[SP_PATH_MOST];
  snprintf(path, sizeof path, "%s/%s" ENDING, s->folder, file);
  if (!bytes)
    return sp_file_remove(path);
  int problem = sp_folder_make(s->folder, true);
  return problem ? problem : sp_file_write_whole(path, bytes, size);
}

void storage_each(const storage *s, void (*fn)(void *ud, const char *name, const char *text), void *ud)
{
  for (const stored *it = s->list; it; it = it->next) {
    char *text = it->is_unread ? NULL : malloc(2 * it->size + 1);
    for (size_t i = 0; text && i < it->size; i++)
      sprintf(text + 2 * i, "%02x", (unsigned char)it->bytes[i]);
    if (text && it->size > 0)
      fn(ud, it->file, text);
    free(text);
  }
}

void storage_give(storage *s, const char *name, const char *text)
{
  const size_t size = strlen(text) / 2;
  bool fits = size_of_others(s->list, name) + size <= STORAGE_MOST && strlen(name) < FILE_MOST;
  stored *it = fits && !*find(&s->list, name) ? new_entry(name, size) : NULL;
  for (size_t i = 0; it && i < size; i++) {
    const char digits[] = {text[2 * i], text[2 * i + 1], '\0'};
    it->bytes[i] = (char)strtoul(digits, NULL, 16);
  }
  if (it)
    add_entry(s, it);
}

/* }== */

/* {== Saving ============================================================= */

/* Pushes nil or false and the reason, and reports that as a warning. */
static int refuse(lua_State *L, bool as_nil, const char *name, const char *why)
{
  storage *s = sp_raw_block(L, PART_STATE);
  char line[STORAGE_WHY + 128];
  snprintf(line, sizeof line, "storage.%s('%.64s'): %s", as_nil ? "load" : "save", name, why);
  line[STORAGE_WHY - 1] = '\0';
  if (strcmp(s->warned, line) != 0)
    report_say(s->report, SP_REPORT_WARNING, strcpy(s->warned, line));
  if (as_nil)
    lua_pushnil(L);
  else
    lua_pushboolean(L, false);
  lua_pushstring(L, why);
  return 2;
}

/* Writes the name of the file for a name. Characters with a meaning in paths are rejected. */
static bool name_file(const char *name, size_t length, char file[FILE_MOST])
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  if (length < 1 || length > NAME_MOST || strspn(name, letters) != length)
    return false;
  sp_file_name(name, file, FILE_MOST);
  return true;
}

static const char bad_name[] = "a name has 1 to 64 letters, digits, '_' and '-'";

static const char first_line[] = "spawnpool storage 2\n";
enum { LINE = sizeof first_line - 1, HEAD = LINE + 8 };

static void write_sum(const char *content, size_t size, char to[8])
{
  uint64_t sum = sp_sum(SP_SUM_BEGIN, content, size);
  for (int i = 0; i < 8; i++)
    to[i] = (char)(sum >> 8 * i & 255);
}

/* encode(value) -> the bytes; or nil, what cannot be stored, and where: ".list[3]". Quiet. */
static int encode(lua_State *L)
{
  const sp_codec how = {
      .rule = SP_CODEC_DATA, .most = STORAGE_MOST - HEAD, .over = "too large: a game may store 1 MiB in all"};
  char head[HEAD];
  size_t size;
  if (sp_encode(L, 1, &how)) {
    const char *content = lua_tolstring(L, 2, &size);
    memcpy(head, first_line, LINE);
    write_sum(content, size, head + LINE);
    lua_pushlstring(L, head, HEAD);
    lua_insert(L, 2);
    lua_concat(L, 2);
    return 1;
  }
  lua_pushnil(L);
  lua_insert(L, 2);
  lua_pushliteral(L, "");
  sp_add_path(L, 4, 1);
  lua_replace(L, 4);
  lua_settop(L, 4);
  return 3;
}

/* Replaces a value, or removes it (NULL), in the folder and in memory. False, with `why`: all is as it was. */
static bool write_value(storage *s, const char *file, const char *bytes, size_t size, char why[STORAGE_WHY])
{
  const size_t whole = size + size_of_others(s->list, file);
  stored *it = NULL;
  int problem = 0;
  if (s->problem[0])
    snprintf(why, STORAGE_WHY, "%s", s->problem);
  else if (bytes && whole > STORAGE_MOST)
    snprintf(why, STORAGE_WHY, "too large: with its %zu bytes the game would store %zu, of %zu at most", size, whole,
             STORAGE_MOST);
  else if (bytes && (it = new_entry(file, size)) == NULL)
    snprintf(why, STORAGE_WHY, "not enough memory");
  else if (s->folder[0] && !s->is_replayed && (problem = write_file(s, file, bytes, size)) != 0)
    snprintf(why, STORAGE_WHY, "%.300s: %s", s->folder, strerror(problem));
  if (why[0]) {
    free(it);
    return false;
  }
  unlink_entry(find(&s->list, file));
  if (it)
    memcpy(it->bytes, bytes, size);
  return !it || add_entry(s, it);
}

int storage_lua_save(lua_State *L)
{
  char why[STORAGE_WHY] = "", file[FILE_MOST];
  size_t length, size = 0;
  const char *name = sp_check_bytes(L, 1, &length);
  sp_check_any(L, 2);
  if (!name_file(name, length, file))
    return refuse(L, false, name, bad_name);
  lua_settop(L, 2);
  lua_pushcfunction(L, encode);
  lua_pushvalue(L, 2);
  sp_call_without_gc(L, 1, 3);
  if (lua_isnil(L, 3)) {
    snprintf(why, sizeof why, "%s%.200s is %.200s", name, sp_to_text(L, 5), sp_to_text(L, 4));
    return refuse(L, false, name, why);
  }
  const char *bytes = lua_isnil(L, 2) ? NULL : lua_tolstring(L, 3, &size);
  if (!write_value(sp_raw_block(L, PART_STATE), file, bytes, size, why))
    return refuse(L, false, name, why);
  lua_pushboolean(L, true);
  return 1;
}

/* }== */

/* {== Loading ============================================================ */

/* decode(entry) -> true and the value; or false when the bytes are damaged. Quiet, because a finaliser of the game
   could replace the entry. */
static int decode(lua_State *L)
{
  const stored *it = sp_raw_block(L, 1);
  char sum[8];
  bool fine = it->size >= HEAD && memcmp(it->bytes, first_line, LINE) == 0;
  if (fine)
    write_sum(it->bytes + HEAD, it->size - HEAD, sum);
  lua_pushboolean(L, true);
  if (fine && memcmp(it->bytes + LINE, sum, sizeof sum) == 0 &&
      sp_decode(L, it->bytes + HEAD, it->size - HEAD, NULL, 0))
    return 2;
  lua_pushboolean(L, false);
  return 1;
}

int storage_lua_load(lua_State *L)
{
  storage *s = sp_raw_block(L, PART_STATE);
  char file[FILE_MOST];
  size_t length;
  const char *name = sp_check_bytes(L, 1, &length);
  if (!name_file(name, length, file))
    return refuse(L, true, name, bad_name);
  const stored *it = *find(&s->list, file);
  if (s->is_unread || (it && it->is_unread))
    return refuse(L, true, name, s->is_unread ? s->problem : it->bytes);
  if (!it) {
    lua_pushnil(L);
    lua_pushliteral(L, "none");
    return 2;
  }
  lua_pushcfunction(L, decode);
  lua_pushlightuserdata(L, (void *)it);
  sp_call_without_gc(L, 1, 2);
  return lua_toboolean(L, -2) ? 1 : refuse(L, true, name, "damaged: it can no longer be read");
}

/* }== */
