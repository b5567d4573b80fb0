#include "demo/app/release_log.h"

#include <inttypes.h>
#include <lua.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "demo/app/game_folder.h"
#include "demo/capture/file_writer.h"
#include "script/state/platform.h"

#define SAID_MOST 100 /* lines of what was said before */

void release_log_open(release_log *it, const char *folder, recorder *r)
{
  *it = (release_log){.path = ""};
  if (!folder)
    return;
  snprintf(it->path, sizeof it->path, "%s/error.log", folder);
  snprintf(it->input, sizeof it->input, "%s/last-run.input", folder);
  recorder_keep_plain(r, fopen(it->input, "w+"));
}

typedef struct writer {
  char *text; /* NULL: out of memory */
  size_t size;
} writer;

static void add(writer *w, const char *bytes, size_t size)
{
  char *more = w->text ? realloc(w->text, w->size + size + 1) : NULL;
  if (!more)
    free(w->text);
  else
    memcpy(more + w->size, bytes, size);
  w->text = more;
  w->size += size;
}

static void add_line(writer *w, const char *line)
{
  add(w, line, strlen(line));
  add(w, "\n", 1);
}

static void add_head(writer *w, const input_log *log, SDL_Renderer *renderer)
{
  const game_settings *s = &log->recorder.game->settings;
  char line[1024], name[200], date[64];
  SDL_version sdl;
  SDL_RendererInfo info = {.name = "none"};
  struct tm now = sp_local_time(time(NULL));
  SDL_GetVersion(&sdl);
  if (renderer)
    SDL_GetRendererInfo(renderer, &info);
  game_folder_name(log->options->path, name, sizeof name);
  strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", &now);
  snprintf(line, sizeof line, "%s %s %s", s->title[0] ? s->title : name, s->version, s->id);
  add_line(w, line);
  snprintf(line, sizeof line, "spawnpool %s, %s, SDL %d.%d.%d (%s), %s", SP_VERSION, LUA_RELEASE, sdl.major, sdl.minor,
           sdl.patch, info.name, SDL_GetPlatform());
  add_line(w, line);
  snprintf(line, sizeof line, "stopped at %s, in frame %" PRIu64 "\n", date, log->recorder.frame);
  add_line(w, line);
}

static void add_said(writer *w, const messages *m)
{
  int back = m->count < SAID_MOST ? m->count : SAID_MOST;
  add_line(w, "\nWhat was said before, the last line being the newest:\n");
  while (back-- > 0) {
    const message_line *line = messages_line(m, back);
    if (line)
      add_line(w, line->text);
  }
}

/* The recording can be played once it is cut out: its first line is the one that begins with {"format". */
static void add_input(writer *w, const char *path)
{
  char piece[4096];
  FILE *in = fopen(path, "rb");
  add_line(w, "\nThe input of this run: what follows is a file for --replay.\n");
  for (size_t got; in && (got = fread(piece, 1, sizeof piece, in)) > 0;)
    add(w, piece, got);
  if (in)
    fclose(in);
}

void release_log_write(const release_log *it, const input_log *log, const messages *m, SDL_Renderer *renderer)
{
  const char *error = sp_script_error(log->recorder.game->script);
  if (!it->path[0])
    return;
  writer w = {malloc(1), 0};
  if (log->recorder.file)
    fflush(log->recorder.file);
  add_head(&w, log, renderer);
  add_line(&w, error ? error : "there was no memory for the text of the error");
  add_said(&w, m);
  add_input(&w, it->input);
  if (w.text)
    atomic_file_write(it->path, w.text, w.size);
  free(w.text);
}
