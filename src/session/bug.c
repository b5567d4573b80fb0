/*
** Recordings as a whole, and zips of them with the texts of the game.
*/
#include <inttypes.h>
#include <lua.h>
#include <minizip/unzip.h>
#include <minizip/zip.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script/state/strings.h"
#include "session/open.h"
#include "session/past.h"
#include "session/replay.h"
#include "session/zip_memory.h"

#define RECORDING "recording.input"
#define PIECE ((size_t)256 << 10) /* bytes: passed on at once */
#define RECORDING_MOST ((uint64_t)512 << 20)

/* {== Writing a recording ================================================= */

typedef struct writing {
  sp_text text;
  sp_write_fn write;
  void *ud;
  bool is_fine;
} writing;

static void pass_on(writing *w, size_t from)
{
  if (w->text.size < from)
    return;
  w->is_fine = w->is_fine && !w->text.is_lost && w->write(w->ud, w->text.bytes, w->text.size);
  sp_text_clear(&w->text);
}

/* The digests of each second follow its last frame. */
static void write_log(const sp_session *s, writing *w)
{
  const uint64_t each = s->second;
  uint64_t told = 0;
  for (size_t i = 0; i < s->log.count && s->log.list[i].frame <= s->present && w->is_fine; i++) {
    const sp_entry *e = &s->log.list[i];
    for (; told + each < e->frame; told += each)
      sp_recording_digests(&w->text, &s->log, told + 1, told + each);
    sp_recording_entry(&w->text, e);
    pass_on(w, PIECE);
  }
  for (; told + each <= s->present; told += each)
    sp_recording_digests(&w->text, &s->log, told + 1, told + each);
  sp_recording_digests(&w->text, &s->log, told + 1, s->present);
}

static bool can_write(sp_session *s)
{
  s->problem[0] = '\0';
  if (s->is_busy)
    return sp_session_refuse(s, "not from within a callback of the session");
  if (!s->memory->is_started)
    return sp_session_refuse(s, "the game is not started: there is no run");
  if (s->log.is_cut)
    return sp_session_refuse(s, "the start of this run is no longer known, or a part of it could not be kept");
  sp_session_undo(s);
  return true;
}

static bool write_recording(sp_session *s, sp_write_fn write, void *ud)
{
  writing w = {.write = write, .ud = ud, .is_fine = true};
  sp_recording_head(&w.text, &s->head);
  write_log(s, &w);
  if (!s->past.is_on && !s->memory->is_stopped) {
    s->is_busy = true;
    sp_replay_write_state(s, &w.text, true);
    s->is_busy = false;
  }
  sp_recording_end(&w.text, s->present);
  pass_on(&w, 0);
  sp_text_free(&w.text);
  return w.is_fine || sp_session_refuse(s, "the recording could not be written");
}

bool sp_session_write_recording(sp_session *s, sp_write_fn write, void *ud)
{
  return can_write(s) && write_recording(s, write, ud);
}

/* }== */

/* {== Playing ============================================================= */

sp_session *sp_session_replay(const sp_session_options *options, const void *recording, size_t size, char *error,
                              size_t error_size)
{
  sp_recording r;
  sp_session *s = NULL;
  if (sp_recording_read(&r, recording, size, error, error_size))
    s = sp_session_open_with(options, &r, error, error_size);
  sp_recording_free(&r);
  return s;
}

/* }== */

/* {== Writing a bug file ================================================== */

static const char about[] =
    ": a run of the game that went wrong.\n\n"
    "A program with a session of spawnpool opens this zip, and plays the run again. In it are:\n\n"
    "- the files of Lua that the game ran, as they were at the start;\n"
    "- recording.input: the seed of the random numbers, the arguments of the game, what it had stored before it\n"
    "  started, and frame by frame what reached it: events, answers of the machine such as the time, what was run "
    "from\n"
    "  outside, errors, and edits;\n"
    "- log.txt: versions, and the last lines that were printed.\n\n"
    "Nothing else of the machine or of its user is in it.\n";

static bool collect(void *ud, const void *bytes, size_t size)
{
  sp_text_add(ud, bytes, size);
  return !((sp_text *)ud)->is_lost;
}

static bool add_file(zipFile zip, const char *name, const void *bytes, size_t size)
{
  /* A fixed date: the time of the machine is no part of the run. */
  const zip_fileinfo info = {.tmz_date = {.tm_mday = 1, .tm_year = 1980}};
  if (size > UINT32_MAX ||
      zipOpenNewFileInZip(zip, name, &info, NULL, 0, NULL, 0, NULL, Z_DEFLATED, Z_DEFAULT_COMPRESSION) != ZIP_OK)
    return false;
  const bool fine = zipWriteInFileInZip(zip, bytes, (unsigned)size) == ZIP_OK;
  return zipCloseFileInZip(zip) == ZIP_OK && fine;
}

/* Lines without the folder of the game. */
static void write_said(const sp_session *s, sp_text *out)
{
  const char *folder = sp_script_folder(s->script);
  const size_t length = strlen(folder);
  const size_t first = s->said_count > SP_SESSION_SAID_MOST ? s->said_count - SP_SESSION_SAID_MOST : 0;
  sp_text_format(out, "%s\nspawnpool %s, %s\n\n", s->head.game, SP_VERSION, LUA_RELEASE);
  for (size_t i = first; i < s->said_count; i++) {
    const char *at = s->said[i % SP_SESSION_SAID_MOST], *place;
    for (; length > 1 && (place = strstr(at, folder)) != NULL; at = place + length + (place[length] == '/'))
      sp_text_add(out, at, (size_t)(place - at));
    sp_text_format(out, "%s\n", at);
  }
}

static bool add_texts(sp_session *s, zipFile zip)
{
  sp_texts texts = {.list = NULL};
  bool fine = sp_texts_at(&texts, &s->log, 0, s->head.main);
  for (size_t i = 0; i < texts.count && fine; i++)
    fine = add_file(zip, texts.list[i].name, texts.list[i].source, texts.list[i].size);
  sp_texts_free(&texts);
  return fine;
}

static bool add_all(sp_session *s, zipFile zip)
{
  sp_text text = {.bytes = NULL};
  bool fine = write_recording(s, collect, &text) && add_file(zip, RECORDING, text.bytes, text.size);
  sp_text_clear(&text);
  sp_text_format(&text, "%s%s", s->head.game, about);
  fine = fine && !text.is_lost && add_file(zip, "README.txt", text.bytes, text.size);
  sp_text_clear(&text);
  write_said(s, &text);
  fine = fine && !text.is_lost && add_file(zip, "log.txt", text.bytes, text.size) && add_texts(s, zip);
  sp_text_free(&text);
  return fine;
}

bool sp_session_write_bug(sp_session *s, sp_write_fn write, void *ud)
{
  if (!can_write(s))
    return false;
  sp_zip_memory memory = {.bytes = NULL};
  zipFile zip = sp_zip_create(&memory);
  bool fine = zip && add_all(s, zip);
  fine = zip && zipClose(zip, NULL) == ZIP_OK && fine;
  if (!fine && !s->problem[0])
    sp_session_refuse(s, "out of memory");
  if (fine && !write(ud, memory.bytes, memory.size))
    fine = sp_session_refuse(s, "the bug file could not be written");
  free(memory.bytes);
  return fine;
}

/* }== */

/* {== Opening a bug file ================================================== */

/* Returns the text of the file that is the current one; NULL: it is damaged, or too large. */
static char *unpack(unzFile zip, size_t *size)
{
  unz_file_info64 info;
  if (unzGetCurrentFileInfo64(zip, &info, NULL, 0, NULL, 0, NULL, 0) != UNZ_OK ||
      info.uncompressed_size > RECORDING_MOST || unzOpenCurrentFile(zip) != UNZ_OK)
    return NULL;
  *size = (size_t)info.uncompressed_size;
  char *text = malloc(*size + 1), more;
  size_t got = 0;
  for (int count = 1; text && got < *size && count > 0; got += count > 0 ? (size_t)count : 0)
    count = unzReadCurrentFile(zip, text + got, (unsigned)(*size - got < PIECE ? *size - got : PIECE));
  const bool whole = text && got == *size && unzReadCurrentFile(zip, &more, 1) == 0;
  if (unzCloseCurrentFile(zip) == UNZ_OK && whole)
    return text;
  free(text);
  return NULL;
}

sp_session *sp_session_open_bug(const sp_session_options *options, const void *bytes, size_t size, char *error,
                                size_t error_size)
{
  sp_zip_memory memory = {.bytes = (char *)bytes, .size = size};
  unzFile zip = sp_zip_open(&memory);
  size_t length = 0;
  const bool found = zip && unzLocateFile(zip, RECORDING, 1) == UNZ_OK;
  char *recording = found ? unpack(zip, &length) : NULL;
  sp_session *s = NULL;
  sp_session_options copy;
  sp_session_options_init(&copy, sizeof copy);
  memcpy(&copy, options, options->size < sizeof copy ? options->size : sizeof copy);
  copy.files = SP_SESSION_FILES_RECORDED;
  if (zip)
    unzClose(zip);
  if (recording)
    s = sp_session_replay(&copy, recording, length, error, error_size);
  else
    snprintf(error, error_size, "%s",
             !zip     ? "not a zip, or its end is missing"
             : !found ? "no " RECORDING " in this zip: it is no bug file"
                      : RECORDING " in this zip is damaged, or too large");
  free(recording);
  return s;
}

/* }== */
