#include "demo/app/bug.h"

#include <inttypes.h>
#include <lua.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "demo/app/pack.h"
#include "demo/support/platform.h"
#include "demo/support/stats.h"
#include "script/state/platform.h"
#include "script/state/written.h"

#define SAID_MOST 100 /* lines of what was said before */
#define PROBLEM_MOST 256

/* {== Texts ============================================================== */

static const char about[] =
    ": a run of the game that went wrong.\n"
    "\n"
    "Open this zip with spawnpool, or drop it on its page: the run is played again to five seconds before its end, "
    "and\n"
    "the timeline opens there. Unpacked, the folder is opened in the same way, and its files can be edited meanwhile.\n"
    "\n"
    "In it are:\n"
    "- the files of the game, as `spawnpool pack` takes them;\n"
    "- recording.input: the seed of the random numbers, the size of the window, the arguments of the game, what the\n"
    "  game had stored before it started, and frame by frame what reached it: keys, typed text, mouse, gamepads, what\n"
    "  clocks and the size of the heap were when it asked, what was run in the console or changed in the inspector,\n"
    "  errors, and what files of Lua were before they were edited, and by each edit. It ends with a hash of the game;\n"
    "- log.txt: the versions of game, player and Lua, and the last 100 lines that game and player have printed.\n"
    "\n"
    "Nothing else of the machine or of its user is in it: no path, no name, no file that the game does not have.\n";

/* Folders of the machine are left out. */
static void write_line(FILE *out, const game *it, const char *said)
{
  char line[MESSAGES_TEXT * 2];
  report_shorten(sp_script_folder(it->script), said, line, sizeof line);
  fprintf(out, "%s\n", line);
}

static void write_versions(FILE *out, const input_log *l)
{
  const game_settings *s = &l->recorder.game->settings;
  fprintf(out, "%s %s %s\nspawnpool %s, %s\n", s->title[0] ? s->title : l->name, s->version, s->id, SP_VERSION,
          LUA_RELEASE);
}

static void write_said(FILE *out, const game *it, const messages *m)
{
  const char *error = sp_script_error(it->script);
  int back = m->count < SAID_MOST ? m->count : SAID_MOST;
  if (error)
    write_line(out, it, error);
  fputs("\nWhat was said before, the last line being the newest:\n\n", out);
  while (back-- > 0) {
    const message_line *line = messages_line(m, back);
    if (line)
      write_line(out, it, line->text);
  }
}

/* }== */

/* Makes the zip of this run up to the end of frame `last`; with_state: the game is there. The caller frees it. NULL:
   `problem` has one line, or "" when the page has taken over the files. */
static void *make(input_log *l, const messages *m, uint64_t last, bool with_state, size_t *size,
                  char problem[PROBLEM_MOST])
{
  const char *why = input_log_problem(l);
  sp_script_file files[4] = {{"README.txt", NULL, 0}, {RECORDING_OWN, NULL, 0}, {"log.txt", NULL, 0}};
  snprintf(problem, PROBLEM_MOST, "no bug file: %s", why ? why : "not enough memory");
  if (why)
    return NULL;
  void *zip = NULL;
  bool fine = true;
  for (int i = 0; i < 3 && fine; i++) {
    memory_file written;
    fine = memory_file_open(&written);
    if (fine && i == 0)
      fprintf(written.stream, "%s%s", l->name, about);
    else if (fine && i == 1)
      input_log_write(l, written.stream, last, with_state);
    else if (fine)
      write_versions(written.stream, l), write_said(written.stream, l->recorder.game, m);
    files[i].source = fine ? memory_file_close(&written, &files[i].size) : NULL;
    fine = files[i].source;
  }
  if (fine)
    zip = pack_with(l->options, l->recorder.game, files, size, problem);
  for (int i = 0; i < 3; i++)
    free((char *)files[i].source);
  return zip;
}

void bug_save(input_log *l, messages *m, bool with_state, const file_writer *writer)
{
  char name[128], line[PROBLEM_MOST];
  uint64_t last = l->recorder.frame - (l->replay.is_on ? 0 : 1);
  size_t size;
  void *zip = make(l, m, last, with_state, &size, line);
  file_writer_new_name(name, sizeof name, l->name, ".zip");
  bool saved = zip && file_writer_save(writer, name, zip, size);
  if (saved)
    snprintf(line, sizeof line, "saved %s: the game and its input", name);
  else if (zip)
    snprintf(line, sizeof line, "cannot save %s: %.100s", name, SDL_GetError());
  free(zip);
  if (!line[0])
    return;
  messages_notice(m, saved ? NOTICE_INFO : NOTICE_ERROR, line, clock_now());
  report_line(line);
}

/* {== The log of a finished game ========================================= */

const char *release_log_open(release_log *it, const char *folder)
{
  if (folder)
    snprintf(it->path, sizeof it->path, "%s/error.log", folder);
  return it->path;
}

static void write_head(FILE *out, const input_log *l, SDL_Renderer *renderer)
{
  char date[64];
  SDL_version sdl;
  SDL_RendererInfo info = {.name = "none"};
  struct tm now = sp_local_time(time(NULL));
  SDL_GetVersion(&sdl);
  if (renderer)
    SDL_GetRendererInfo(renderer, &info);
  strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", &now);
  write_versions(out, l);
  fprintf(out, "SDL %d.%d.%d (%s), %s\nstopped at %s, in frame %" PRIu64 "\n\n", sdl.major, sdl.minor, sdl.patch,
          info.name, SDL_GetPlatform(), date, l->recorder.frame);
}

/* Writes the bug file beside the log; returns its name, or "". */
static const char *write_bug(const release_log *it, input_log *l, const messages *m, char *path, size_t size)
{
  char problem[PROBLEM_MOST], name[128];
  size_t bytes;
  void *zip = make(l, m, l->recorder.frame, true, &bytes, problem);
  file_writer_new_name(name, sizeof name, l->name, ".zip");
  snprintf(path, size, "%.*s%s", (int)(strrchr(it->path, '/') + 1 - it->path), it->path, name);
  bool fine = zip && sp_file_write_whole(path, zip, bytes) == 0;
  free(zip);
  return fine ? strrchr(path, '/') + 1 : "";
}

void release_log_write(const release_log *it, input_log *l, const messages *m, SDL_Renderer *renderer)
{
  memory_file written;
  char path[sizeof it->path + 128], *bytes;
  size_t size;
  if (!it->path[0] || !memory_file_open(&written))
    return;
  const char *bug = write_bug(it, l, m, path, sizeof path);
  write_head(written.stream, l, renderer);
  write_said(written.stream, l->recorder.game, m);
  if (bug[0])
    fprintf(written.stream, "\n%s beside this file has the game and its input: spawnpool opens it.\n", bug);
  if (!input_log_problem(l)) {
    fputs("\nThe input of this run: `spawnpool --replay` takes this file.\n\n", written.stream);
    input_log_write(l, written.stream, l->recorder.frame, false);
  }
  bytes = memory_file_close(&written, &size);
  if (bytes)
    sp_file_write_whole(it->path, bytes, size);
  free(bytes);
}

/* }== */
