/*
** The player in a page: the functions that JavaScript calls. page/src/instance.js wraps them.
**
** A run begins with sp_web_open and sp_web_start, calls sp_web_frame for each animation frame of the browser, and ends
** with sp_web_close. Games are files in the memory of the page; sp_web_reload loads the files that were written,
** whatever their times are. Prints, warnings, errors and reloads go to `onReports(text)` of the module, all of a frame
** together, and the results of a check to `onProblem(text)`.
**
** JavaScript holds a pointer to a web_player: a whole run, with the command line that it was opened with.
*/
#include <SDL.h>
#include <emscripten.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "demo/app/app.h"

#define ARGUMENTS_MOST 64
#define SAVED "/saved" /* what games store; the page copies it to the browser's storage (storage.js) */

/* A game may print without end, and each message to JavaScript costs. */
#define LINES_MOST 200        /* prints and warnings between two frames; errors have as many again */
#define LINE_MOST 20000       /* bytes */
#define BATCH_MOST (1u << 18) /* bytes of all of them */
#define STEPS_BUDGET 0.03     /* seconds of a frame: then the browser has its turn */
#define SLOW_SHOWN 1.0        /* seconds */

/* {== What JavaScript calls =============================================== */

typedef struct web_player web_player;

/* Opens the game of a command line, which has an argument per line, and runs nothing yet. A call into the game is
   stopped after `patience` seconds, also main.lua and load(args); 0: as on the desktop, also without a budget for
   steps. `guest`: the page around the game, not the game, ends the run and covers the screen. NULL on failure: the
   problem was reported or printed. SDL draws on the element "#canvas", and receives keys while that has the focus. */
web_player *sp_web_open(const char *arguments, double patience, bool guest);

/* Runs main.lua and load(args). */
void sp_web_start(web_player *p);

/* Runs the next frame, if it is due. False when the run has ended. */
bool sp_web_frame(web_player *p);

/* Ends the run in any state. Returns the exit code of the program. */
int sp_web_close(web_player *p);

/* Requests that edited files are loaded at the beginning of the next frame, settled or not. Until then
   sp_web_is_reloading returns true. */
void sp_web_reload(web_player *p);
bool sp_web_is_reloading(const web_player *p);

/* Tells the game of a guest whether the page covers the screen: only then the game may hide the cursor. */
void sp_web_full_screen(web_player *p, bool on);

/* Presses or releases a key by SDL's name of it, as "left" or "f2". Unknown names are ignored. */
void sp_web_key(const char *name, bool down);

/* Runs Lua code as the console does, and reports its values. Returns an sp_eval. */
int sp_web_eval(web_player *p, const char *text);

/* Returns a figure of the run by its name: "frame", "steps", "reloads", "refused", "reverted"; "hashes" and
   "differing", of a replay; "stopped", 1 while an error has stopped the game; "timeline", 1 while it is shown; "tab", 1
   while an overlay uses that key; "slow", 1 after steps were dropped; "width" and "height" that the game asks for, 0
   without a size of its own; else -1. */
double sp_web_figure(const web_player *p, const char *name);

/* Checks the game at `path` as --check does, independently of the one that is played. Returns the number of problems;
   -1 when there is no game, or when out of memory. */
int sp_web_check(const char *path);

/* }== */

/* Reports until the next frame: for each its kind as a digit, its text and a zero. */
typedef struct report_batch {
  char bytes[BATCH_MOST];
  size_t used;
  unsigned lines[2], dropped; /* lines: prints and warnings, errors and reloads */
} report_batch;

struct web_player {
  app app;
  options options;
  report report; /* that of the app */
  report_batch batch;
  char *text; /* of all arguments */
  char *argv[ARGUMENTS_MOST];
};

/* clang-format off */
EM_JS(void, send_reports, (const char *bytes, size_t size, unsigned dropped), {
  if (Module["onReports"]) Module["onReports"](new TextDecoder().decode(HEAPU8.slice(bytes, bytes + size)), dropped);
})
EM_JS(void, send_problem, (const char *text), {
  if (Module["onProblem"]) Module["onProblem"](UTF8ToString(text));
})
/* clang-format on */

static void batch_add(report_batch *b, sp_report kind, const char *text)
{
  const bool is_rare = kind == SP_REPORT_ERROR || kind == SP_REPORT_RELOAD;
  const size_t size = strnlen(text, LINE_MOST), room = is_rare ? BATCH_MOST : BATCH_MOST / 2;
  if (b->lines[is_rare] >= LINES_MOST || b->used + size + 2 > room) {
    b->dropped += 1;
    return;
  }
  b->lines[is_rare] += 1;
  b->bytes[b->used++] = (char)('0' + kind);
  memcpy(b->bytes + b->used, text, size);
  b->used += size;
  b->bytes[b->used++] = '\0';
}

static void batch_send(report_batch *b)
{
  if (b->used > 0 || b->dropped > 0)
    send_reports(b->bytes, b->used, b->dropped);
  b->used = b->dropped = b->lines[0] = b->lines[1] = 0;
}

static void on_report(void *ud, sp_report kind, const char *text)
{
  web_player *p = ud;
  p->report.on_report(p->report.ud, kind, text);
  batch_add(&p->batch, kind, text);
}

/* {== The run ============================================================ */

/* Splits lines, in place. */
static int split(char *text, char **argv)
{
  int argc = 0;
  argv[argc++] = "spawnpool";
  for (char *at = text; *at && argc < ARGUMENTS_MOST - 1;) {
    argv[argc++] = at;
    at += strcspn(at, "\n");
    if (*at)
      *at++ = '\0';
  }
  argv[argc] = NULL;
  return argc;
}

static web_player *fail(web_player *p, const char *problem)
{
  if (!p)
    return NULL;
  if (problem)
    batch_add(&p->batch, SP_REPORT_ERROR, problem);
  batch_send(&p->batch);
  free(p->text);
  free(p);
  return NULL;
}

EMSCRIPTEN_KEEPALIVE web_player *sp_web_open(const char *arguments, double patience, bool guest)
{
  web_player *p = calloc(1, sizeof *p);
  if (!p || !(p->text = strdup(arguments)))
    return fail(p, "not enough memory");
  if (!options_parse(&p->options, split(p->text, p->argv), p->argv))
    return fail(p, p->options.error);
  p->options.patience = p->options.start_patience = patience;
  p->options.budget = patience > 0 ? STEPS_BUDGET : 0;
  p->options.guest = guest;
  setenv("XDG_DATA_HOME", SAVED, 1);
  mkdir(SAVED, 0700);
  SDL_SetHint(SDL_HINT_EMSCRIPTEN_KEYBOARD_ELEMENT, "#canvas"); /* the rest of the page has keys of its own */
  if (!app_open(&p->app, &p->options)) {
    app_close(&p->app);
    return fail(p, NULL);
  }
  p->app.hot_reload.watches = false; /* only the page writes files */
  p->report = p->app.report;
  p->app.report.on_report = on_report;
  p->app.report.ud = p;
  return p;
}

EMSCRIPTEN_KEEPALIVE void sp_web_start(web_player *p)
{
  app_start(&p->app);
  batch_send(&p->batch);
}

EMSCRIPTEN_KEEPALIVE bool sp_web_frame(web_player *p)
{
  bool goes_on = app_frame(&p->app);
  batch_send(&p->batch);
  return goes_on;
}

EMSCRIPTEN_KEEPALIVE int sp_web_close(web_player *p)
{
  int code = app_close(&p->app);
  batch_send(&p->batch);
  free(p->text);
  free(p);
  return code;
}

/* }== */

/* {== Between frames ===================================================== */

EMSCRIPTEN_KEEPALIVE void sp_web_reload(web_player *p) { hot_reload_request(&p->app.hot_reload); }
EMSCRIPTEN_KEEPALIVE bool sp_web_is_reloading(const web_player *p) { return p->app.hot_reload.requested; }

EMSCRIPTEN_KEEPALIVE void sp_web_full_screen(web_player *p, bool on) { p->app.given.full_screen = on; }

EMSCRIPTEN_KEEPALIVE void sp_web_key(const char *name, bool down)
{
  SDL_Keycode key = SDL_GetKeyFromName(name);
  SDL_Event event;
  SDL_zero(event);
  event.type = down ? SDL_KEYDOWN : SDL_KEYUP;
  event.key.keysym.sym = key;
  if (key != SDLK_UNKNOWN)
    SDL_PushEvent(&event);
}

EMSCRIPTEN_KEEPALIVE int sp_web_eval(web_player *p, const char *text)
{
  recorder *r = &p->app.log.recorder;
  recorder_begin_frame(r); /* a text that runs between two frames is replayed at the beginning of the next one */
  int result = (int)rewind_eval(&p->app.rewind, text);
  recorder_drop_frame(r);
  batch_send(&p->batch);
  return result;
}

EMSCRIPTEN_KEEPALIVE double sp_web_figure(const web_player *p, const char *name)
{
  const app *a = &p->app;
  const struct {
    const char *name;
    double value;
  } figures[] = {{"frame", (double)a->frame},
                 {"steps", (double)a->steps},
                 {"reloads", (double)a->hot_reload.done},
                 {"refused", (double)a->hot_reload.refused},
                 {"reverted", (double)a->hot_reload.reverted},
                 {"stopped", a->game.stopped ? 1 : 0},
                 {"timeline", a->rewind.shown ? 1 : 0},
                 {"hashes", (double)a->log.replay.hashes},
                 {"differing", (double)a->log.replay.differing},
                 {"tab", a->overlays.typing || a->overlays.inspects ? 1 : 0},
                 {"slow", a->slow_at > 0 && clock_now() < a->slow_at + SLOW_SHOWN ? 1 : 0},
                 {"width", a->game.settings.width},
                 {"height", a->game.settings.height}};
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
    if (strcmp(figures[i].name, name) == 0)
      return figures[i].value;
  return -1;
}

/* }== */

/* {== --check ============================================================ */

static void on_problem(void *ud, const char *problem)
{
  (void)ud;
  send_problem(problem);
}

static void on_check_report(void *ud, sp_report kind, const char *text)
{
  (void)ud;
  if (kind == SP_REPORT_WARNING)
    send_problem(text);
}

EMSCRIPTEN_KEEPALIVE int sp_web_check(const char *path)
{
  char *argv[] = {"spawnpool", "--check", (char *)path, NULL}, problem[1024];
  options *o = calloc(1, sizeof *o);
  game *it = calloc(1, sizeof *it);
  report r = {.print = stdout, .on_report = on_check_report};
  int problems = -1;
  size_t files;
  if (o && it && options_parse(o, 3, argv) && game_open(it, o, &r, problem, sizeof problem))
    problems = (int)game_check(it, on_problem, NULL, &files);
  if (it)
    game_close(it);
  free(it);
  free(o);
  return problems;
}

/* }== */
