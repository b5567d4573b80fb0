/*
** A value is encoded completely before its bytes replace the old ones, so nothing is stored in part. A failure is a
** result and also a warning, because a game that ignores the result loses its data. A file is a first line with the
** version, a checksum of the rest, and the bytes of the value (script/bind/codec.h).
*/
#include "session/storage.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/binding.h"
#include "script/bind/codec.h"
#include "script/state/arguments.h"
#include "script/state/disk.h"
#include "script/state/written.h"
#include "session/module.h"

#include "script/state/careful.h"

#define ENDING ".data"
#define NAME_MOST 64
#define FILE_MOST (sizeof(((sp_stored *)0)->file))
#define WHY_MOST 512

static sp_session *session_of(lua_State *L) { return sp_raw_block(L, SP_PART_STATE); }

/* {== The list ============================================================ */

static sp_stored **find(sp_stored **list, const char *file)
{
  while (*list && strcmp((*list)->file, file) != 0)
    list = &(*list)->next;
  return list;
}

static sp_stored *new_entry(sp_session *s, const char *file, const void *bytes, size_t size)
{
  sp_stored *it = sp_area_take(sp_script_state(s->script), sizeof *it + size);
  if (!it)
    return NULL;
  it->size = size;
  snprintf(it->file, FILE_MOST, "%s", file);
  if (bytes)
    memcpy(it->bytes, bytes, size);
  return it;
}

static void add_entry(sp_session *s, sp_stored *it)
{
  it->next = s->memory->stored;
  s->memory->stored = it;
}

static void unlink_entry(sp_session *s, sp_stored **link)
{
  sp_stored *it = *link;
  if (!it)
    return;
  *link = it->next;
  sp_area_give(sp_script_state(s->script), it, sizeof *it + it->size);
}

/* Returns the bytes of the values that are stored under other names. */
static size_t size_of_others(const sp_stored *list, const char *file)
{
  size_t size = 0;
  for (; list; list = list->next)
    size += list->is_unread || strcmp(list->file, file) == 0 ? 0 : list->size;
  return size;
}

/* }== */

/* {== The folder ========================================================== */

static void read_file(sp_session *s, const char *file)
{
  static const char why[] = "not a file, or larger than the 1 MiB that a game may store";
  char name[FILE_MOST + sizeof ENDING];
  size_t size = 0;
  snprintf(name, sizeof name, "%s" ENDING, file);
  char *bytes = sp_texts_read(s->storage, name, SP_STORAGE_MOST - size_of_others(s->memory->stored, ""), &size);
  sp_stored *it = new_entry(s, file, bytes ? bytes : why, bytes ? size : sizeof why);
  if (it) {
    it->is_unread = !bytes;
    add_entry(s, it);
  }
  free(bytes);
}

void sp_storage_read(sp_session *s)
{
  sp_folder_stream *folder = s->storage ? sp_folder_stream_open(s->storage) : NULL;
  for (const char *name; folder && (name = sp_folder_stream_next(folder, NULL)) != NULL;) {
    char file[FILE_MOST];
    const size_t length = strlen(name), ending = strlen(ENDING);
    if (length <= ending || length - ending >= sizeof file || strcmp(name + length - ending, ENDING) != 0)
      continue;
    snprintf(file, sizeof file, "%.*s", (int)(length - ending), name);
    read_file(s, file);
  }
  sp_folder_stream_close(folder);
}

/* Replaces or removes a file. Returns 0 or an errno. */
static int write_file(const sp_session *s, const char *file, const void *bytes, size_t size)
{
  char path[SP_PATH_MOST];
  if (snprintf(path, sizeof path, "%s/%s" ENDING, s->storage, file) >= SP_PATH_MOST)
    return ENAMETOOLONG;
  if (!bytes)
    return sp_file_remove(path);
  const int problem = sp_folder_make(s->storage, true);
  return problem ? problem : sp_file_write_whole(path, bytes, size);
}

void sp_storage_note(sp_session *s)
{
  for (const sp_stored *it = s->memory->stored; it; it = it->next)
    if (!it->is_unread && it->size > 0)
      sp_session_note(s, (sp_entry){.kind = SP_ENTRY_STORED, .name = it->file, .text = it->bytes, .size = it->size});
}

void sp_storage_give(sp_session *s, const sp_entry *e)
{
  const bool fits =
      size_of_others(s->memory->stored, e->name) + e->size <= SP_STORAGE_MOST && strlen(e->name) < FILE_MOST;
  sp_stored *it = fits && !*find(&s->memory->stored, e->name) ? new_entry(s, e->name, e->text, e->size) : NULL;
  if (it)
    add_entry(s, it);
}

/* }== */

/* {== Saving ============================================================== */

/* Pushes nil or false and the reason, and reports that as a warning. */
static int refuse(lua_State *L, bool as_nil, const char *name, const char *why)
{
  char line[WHY_MOST + 128];
  snprintf(line, sizeof line, "storage.%s('%.64s'): %s", as_nil ? "load" : "save", name, why);
  sp_session_warn(session_of(L), line);
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
  const uint64_t sum = sp_sum(SP_SUM_BEGIN, content, size);
  for (int i = 0; i < 8; i++)
    to[i] = (char)(sum >> 8 * i & 255);
}

/* encode(value) -> the bytes; or nil, what cannot be stored, and where: ".list[3]". Quiet. */
static int encode(lua_State *L)
{
  const sp_codec how = {
      .rule = SP_CODEC_DATA, .most = SP_STORAGE_MOST - HEAD, .over = "too large: a game may store 1 MiB in all"};
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
static bool write_value(sp_session *s, const char *file, const char *bytes, size_t size, char why[WHY_MOST])
{
  const size_t whole = size + size_of_others(s->memory->stored, file);
  sp_stored *it = NULL;
  int problem = 0;
  if (bytes && whole > SP_STORAGE_MOST)
    snprintf(why, WHY_MOST, "too large: with its %zu bytes the game would store %zu, of %zu at most", size, whole,
             SP_STORAGE_MOST);
  else if (bytes && (it = new_entry(s, file, bytes, size)) == NULL)
    snprintf(why, WHY_MOST, "not enough memory");
  else if (s->storage && sp_session_is_live(s) && (problem = write_file(s, file, bytes, size)) != 0)
    snprintf(why, WHY_MOST, "cannot write the folder of storage: %s", strerror(problem));
  if (why[0]) {
    if (it)
      sp_area_give(sp_script_state(s->script), it, sizeof *it + it->size);
    return false;
  }
  unlink_entry(s, find(&s->memory->stored, file));
  if (it)
    add_entry(s, it);
  return true;
}

int spl_storage_save(lua_State *L)
{
  char why[WHY_MOST] = "", file[FILE_MOST];
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
  if (!write_value(session_of(L), file, bytes, size, why))
    return refuse(L, false, name, why);
  lua_pushboolean(L, true);
  return 1;
}

/* }== */

/* {== Loading ============================================================= */

/* decode(entry) -> true and the value; or false when the bytes are damaged. Quiet, because a finaliser of the game
   could replace the entry. */
static int decode(lua_State *L)
{
  const sp_stored *it = sp_raw_block(L, 1);
  char sum[8];
  const bool fine = it->size >= HEAD && memcmp(it->bytes, first_line, LINE) == 0;
  if (fine)
    write_sum(it->bytes + HEAD, it->size - HEAD, sum);
  lua_pushboolean(L, true);
  if (fine && memcmp(it->bytes + LINE, sum, sizeof sum) == 0 &&
      sp_decode(L, it->bytes + HEAD, it->size - HEAD, NULL, 0))
    return 2;
  lua_pushboolean(L, false);
  return 1;
}

int spl_storage_load(lua_State *L)
{
  char file[FILE_MOST];
  size_t length;
  const char *name = sp_check_bytes(L, 1, &length);
  if (!name_file(name, length, file))
    return refuse(L, true, name, bad_name);
  const sp_stored *it = *find(&session_of(L)->memory->stored, file);
  if (it && it->is_unread)
    return refuse(L, true, name, it->bytes);
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
