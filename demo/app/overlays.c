#include "demo/app/overlays.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "demo/app/inspector_lua.h"
#include "demo/app/overlays_lua.h"
#include "demo/bind/reachable.h"
#include "demo/input/input.h"
#include "demo/support/stats.h"
#include "script/host/inspect.h"

#define TOOLS "SPAWNPOOL_TOOLS"   /* environment: a folder in place of the built-in tools */
#define MEMORY ((size_t)64 << 20) /* bytes of the tools */
#define PATIENCE 3                /* seconds; a line of the console may take 2 of them */

/* {== The state of the tools ============================================= */

/* Prints a report of the tools, and shows it as those of the game. */
static void report_tools(void *ud, sp_report kind, const char *said)
{
  report_line(said);
  overlays_report(ud, kind, said, clock_now());
}

static void fail(overlays *o, const char *problem)
{
  o->failed = true;
  if (o->typing)
    SDL_StopTextInput();
  o->typing = false;
  if (problem)
    report_tools(o, SP_REPORT_ERROR, problem);
}

/* Takes the result of a call into the tools. */
static bool check(overlays *o, bool fine)
{
  if (!fine)
    fail(o, NULL);
  return fine;
}

static bool called(overlays *o, sp_call outcome) { return check(o, outcome <= SP_CALL_ABSENT); }

static bool install(overlays *o, lua_State *L, char *problem, size_t size)
{
  return graphics_install(&o->units, player_reachable, L, &o->g, problem, size) &&
         overlays_lua_install(o, L, problem, size) && inspector_lua_install(o, L, problem, size) &&
         o->install_more(o->ud, L, problem, size);
}

static void open_tools(overlays *o)
{
  const char *folder = SDL_getenv(TOOLS);
  const sp_script_options its = {.size = sizeof its,
                                 .path = folder ? folder : "tools",
                                 .files = folder ? NULL : tools_files,
                                 .memory_limit = MEMORY,
                                 .reload = folder,
                                 .patience = PATIENCE,
                                 .report = report_tools,
                                 .report_ud = o};
  char problem[1024];
  o->reloads = folder;
  o->script = sp_script_open(&its, problem, sizeof problem);
  if (!o->script) {
    fail(o, problem);
  } else if (!install(o, sp_script_state(o->script), problem, sizeof problem)) {
    sp_script_close(o->script);
    o->script = NULL;
    fail(o, problem);
  } else {
    o->started = check(o, sp_script_start(o->script, 0, NULL));
  }
}

/* Returns whether the tools can be called; opens them if needed. */
static bool is_ready(overlays *o)
{
  if (!o->script && !o->failed)
    open_tools(o);
  return !o->failed;
}

static void poll_tools(overlays *o)
{
  if (o->script && o->reloads && sp_script_poll(o->script, SP_POLL_LOOK) == SP_POLL_RELOADED) {
    o->failed = false;
    o->started = o->awake = true;
  }
}

void overlays_open(overlays *o, const options *given, game *it, const hot_reload *r, const stats *s)
{
  o->options = given;
  o->game = it;
  o->reload = r;
  o->stats = s;
  o->scale = 1;
  if (SDL_getenv(TOOLS)) /* its files are read before the second wall is raised */
    open_tools(o);
}

void overlays_close(overlays *o)
{
  sp_script_close(o->script);
  SDL_free(o->clipboard);
  messages_clear_lines(&o->messages);
  batch_free(&o->batch);
}

void overlays_rewound(overlays *o)
{
  sp_script_time_hooks(o->game->script, o->hooks_timed);
  o->restored++;
}

void overlays_use_graphics(overlays *o)
{
  o->graphics.sprites = o->units.sprites = o->game->sprites;
  o->graphics.software = o->units.software = o->game->graphics.software;
  o->graphics.text = o->units.text = o->game->text;
  batch_clear(&o->batch);
}

/* }== */

/* {== Reports ============================================================ */

void overlays_report(overlays *o, sp_report kind, const char *message, double now)
{
  static const char *const names[] = {[SP_REPORT_PRINT] = "print",
                                      [SP_REPORT_WARNING] = "warning",
                                      [SP_REPORT_ERROR] = "error",
                                      [SP_REPORT_RELOAD] = "reload"};
  static const notice_kind kinds[] = {
      [SP_REPORT_WARNING] = NOTICE_WARNING, [SP_REPORT_ERROR] = NOTICE_ERROR, [SP_REPORT_RELOAD] = NOTICE_SUCCESS};
  const char *shown = o->game ? game_shortened(o->game, message) : message;
  messages_add(&o->messages, names[kind], shown);
  if (kind != SP_REPORT_PRINT && !o->typing && !o->log)
    messages_notice(&o->messages, kinds[kind], shown, now);
}

void overlays_clear_error(overlays *o)
{
  messages_clear_problem(&o->messages);
  o->shows_asset_error = o->shows_rejected = false;
}

/* Shows or clears an error of an asset. Errors of code take precedence. */
static void show_asset_error(overlays *o, const hot_reload *r)
{
  const char *consequence, *problem = hot_reload_problem(r, &consequence);
  bool is_free = o->messages.problem[0] == '\0' || o->shows_asset_error;
  if (problem && is_free && (!o->shows_asset_error || r->loaded != ASSETS_UNCHANGED))
    messages_problem(&o->messages, NOTICE_ERROR, problem, consequence);
  else if (!problem && o->shows_asset_error)
    messages_clear_problem(&o->messages);
  o->shows_asset_error = problem && is_free;
}

/* Shows that the latest text of a file is still rejected, although another file was reloaded since. */
static void show_rejected(overlays *o)
{
  const char *names = sp_script_rejected(o->game->script);
  bool shows = names && (o->shows_rejected || o->messages.problem[0] == '\0');
  char line[MESSAGES_TEXT];
  snprintf(line, sizeof line, "still rejected: %s", names ? names : "");
  if (shows && strcmp(line, o->messages.problem) != 0)
    messages_problem(&o->messages, NOTICE_WARNING, line, "");
  else if (!shows && o->shows_rejected)
    messages_clear_problem(&o->messages);
  o->shows_rejected = shows;
}

void overlays_report_reload(overlays *o, const hot_reload *r, sp_poll_result result)
{
  const char *error = sp_script_error(o->game->script);
  if (result != SP_POLL_NOTHING)
    overlays_clear_error(o);
  if (result != SP_POLL_NOTHING && result != SP_POLL_RELOADED)
    messages_problem(&o->messages, result == SP_POLL_REFUSED ? NOTICE_ERROR : NOTICE_WARNING,
                     game_shortened(o->game, error ? error : "not reloaded"), hot_reload_line(r));
  show_rejected(o);
  show_asset_error(o, r);
}

/* Copies the last error and its consequence to the clipboard. False when there is none, or no clipboard. */
static bool copy_error(const char *error, const char *consequence)
{
  char *copy = NULL;
  if (!error || SDL_asprintf(&copy, "%s\n  %s\n", error, consequence) < 0)
    return false;
  bool done = SDL_SetClipboardText(copy) == 0;
  SDL_free(copy);
  return done;
}

void overlays_copy_error(overlays *o, double now)
{
  const char *error = sp_script_error(o->game->script);
  if (o->game->stopped ? copy_error(error, options_meanwhile(o->options))
                       : o->messages.problem[0] && copy_error(error, o->messages.consequence))
    messages_notice(&o->messages, NOTICE_INFO, "copied", now);
}

/* }== */

/* {== Events ============================================================= */

/* Passes a key; F1 to F12 are the player's own. */
static void pass_key(overlays *o, const char *callback, const SDL_KeyboardEvent *event)
{
  char name[INPUT_NAME_MOST];
  SDL_Keycode code = hotkeys_code(&event->keysym);
  if (code >= SDLK_F1 && code <= SDLK_F12)
    return;
  input_key_name(code, name, sizeof name);
  called(o, sp_script_call(o->script, callback, "sbbb", name, (event->keysym.mod & KMOD_CTRL) != 0,
                           (event->keysym.mod & KMOD_SHIFT) != 0, event->repeat != 0));
}

/* Passes the button, the steps of the wheel or nothing, where the mouse is. */
static void pass_mouse(overlays *o, const char *callback, int number)
{
  called(o, sp_script_call(o->script, callback, "nni", (double)(o->mouse_x / o->scale), (double)(o->mouse_y / o->scale),
                           number));
}

static void pass_event(overlays *o, const SDL_Event *event)
{
  switch (event->type) {
  case SDL_KEYDOWN:
    pass_key(o, "key_pressed", &event->key);
    break;
  case SDL_KEYUP:
    pass_key(o, "key_released", &event->key);
    break;
  case SDL_TEXTINPUT:
    called(o, sp_script_call(o->script, "text_input", "s", event->text.text));
    break;
  case SDL_MOUSEMOTION:
    pass_mouse(o, "mouse_moved", 0);
    break;
  case SDL_MOUSEBUTTONDOWN:
    pass_mouse(o, "mouse_pressed", event->button.button);
    break;
  case SDL_MOUSEBUTTONUP:
    pass_mouse(o, "mouse_released", event->button.button);
    break;
  case SDL_MOUSEWHEEL:
    pass_mouse(o, "wheel", event->wheel.y);
    break;
  default:
    break;
  }
}

bool overlays_event(overlays *o, const SDL_Event *event)
{
  bool is_button = event->type == SDL_MOUSEBUTTONDOWN || event->type == SDL_MOUSEBUTTONUP;
  if (event->type == SDL_MOUSEMOTION || is_button) {
    o->mouse_x = (float)(is_button ? event->button.x : event->motion.x);
    o->mouse_y = (float)(is_button ? event->button.y : event->motion.y);
  }
  o->consumed = false;
  if (o->awake && o->script && !o->failed)
    pass_event(o, event);
  return o->consumed;
}

void overlays_act(overlays *o, const char *action)
{
  o->failed = o->failed && o->script && !o->started; /* else it tries again */
  o->awake = true;
  if (is_ready(o))
    called(o, sp_script_call(o->script, "act", "s", action));
}

bool overlays_dismiss(overlays *o)
{
  o->consumed = false;
  if (o->awake && o->script && !o->failed)
    called(o, sp_script_call(o->script, "act", "s", "dismiss"));
  return o->consumed;
}

/* }== */

/* {== Drawing ============================================================ */

/* Returns the points of a unit: in half steps, one at 1280 x 720 and below, one and a half at 1920 x 1080. */
static float scale_for(const draw_view *view)
{
  float steps = floorf(2 * fminf(view->width / 1280, view->height / 720));
  return fmaxf(steps / 2, 1);
}

/* Draws the error of a tool, without the tools. */
static void draw_failure(overlays *o, graphics *g)
{
  const char *error = o->script ? sp_script_error(o->script) : NULL;
  text_style style = {FONT_MONO, 13, {255, 115, 105, 255}, TEXT_LEFT, 0};
  char line[512];
  snprintf(line, sizeof line, "%.400s\nF1, F2 and the backtick try again",
           error ? error : "the overlays cannot be opened");
  float rows = 1;
  for (const char *at = line; (at = strchr(at, '\n')) != NULL; at++)
    rows++;
  g->color = (SDL_Color){14, 15, 22, 243};
  float high = rows * text_line(g->text, &style);
  graphics_rect(g, 0, g->view.height - high, g->view.width, high, true);
  graphics_write(g, 4, g->view.height - high, &style, line, strlen(line));
}

static void draw_tools(overlays *o, const draw_view *view)
{
  draw_view units = *view;
  size_t first = o->area_first = o->batch.quads;
  o->left = 0;
  units.width = view->width / o->scale;
  units.height = view->height / o->scale;
  units.scale = view->scale * o->scale;
  o->units.world = &o->view;
  graphics_begin(&o->units, &o->batch, &units);
  if (!is_ready(o) || !called(o, sp_script_call(o->script, "draw", "r", o->g))) {
    batch_cut(&o->batch, first);
    o->area_first = first;
    o->left = 0;
    o->units.view.width = units.width;
    draw_failure(o, &o->units);
  }
  overlays_lua_set_area(o, 0, units.width);
  graphics_end(&o->units);
  overlays_lua_move(&o->batch, first, 0, o->scale);
}

void overlays_draw(overlays *o, const draw_view *view, const char *paused, bool bare)
{
  bool stopped = o->game->stopped;
  o->scale = scale_for(view);
  o->bare = bare || o->options->headless;
  batch_clear(&o->batch);
  graphics_begin(&o->graphics, &o->batch, view);
  o->draw_below(o->ud, &o->graphics);
  graphics_end(&o->graphics);
  poll_tools(o);
  o->awake = o->awake || o->messages.changed || paused != o->paused || stopped != o->stopped;
  o->messages.changed = false;
  o->paused = paused;
  o->stopped = stopped;
  if (o->awake)
    draw_tools(o, view);
}

/* }== */
