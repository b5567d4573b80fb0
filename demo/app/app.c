/*
** A frame handles events, reloads edited files, runs the steps that are due, draws the game and the overlays, and
** presents the picture. Without a window only the frame of a screenshot is rasterised; without a screenshot there is
** no renderer at all. Scripts run in any case, draw(g) included.
*/
#include "demo/app/app.h"

#include <SDL.h>
#include <lua.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "demo/app/game.h"
#include "demo/app/hot_reload.h"
#include "demo/app/interrupt.h"
#include "demo/app/output_files.h"
#include "demo/app/overlays.h"
#include "demo/app/stop_message.h"
#include "demo/app/wall.h"
#include "demo/input/hotkeys.h"
#include "demo/support/clock.h"
#include "demo/support/stats.h"

typedef struct app {
  const options *options;
  report report;
  interrupt interrupt;
  window window;
  game game;
  hot_reload hot_reload;
  game_clock clock;
  double last; /* real time of the last clock reading */
  uint64_t frame, steps;
  double draw_ms; /* time of the last drawing, without the renderer */
  stats stats;
  stats_meter meter, whole; /* for the next line of statistics, and for the whole run */
  overlays overlays;
  file_writer file_writer;
  output_files output_files;
  wall wall;
  bool paused, step_once, screenshot_requested, ended;
  bool unfocused;            /* another window has the focus */
  double check_folder_at;    /* real time of the next check of the game's folder */
  bool stop_reported, sized; /* the message about a stopped script was printed; the window has the game's size */
  int code;
} app;

/* {== Telling ============================================================ */

static double now(void) { return (double)SDL_GetPerformanceCounter() / (double)SDL_GetPerformanceFrequency(); }

static int fail(const char *problem)
{
  report_line(problem);
  return APP_USAGE;
}

static void on_report(void *ud, sp_report kind, const char *message)
{
  app *a = ud;
  overlays_report(&a->overlays, kind, message, now());
}

/* The error itself was printed when it happened. */
static void report_stop(app *a)
{
  if (a->game.stopped && !a->stop_reported && stop_message_waits(a->options))
    stop_message_print(a->options);
  a->stop_reported = a->game.stopped;
}

static void write_stats(app *a, bool final)
{
  lua_State *L = sp_script_state(a->game.script);
  stats_line line = {.frame = a->frame, .bytes = sp_script_bytes(a->game.script), .final = final};
  hot_reload_count(&a->hot_reload, &line);
  line.lua_bytes = (size_t)lua_gc(L, LUA_GCCOUNT) * 1024 + (size_t)lua_gc(L, LUA_GCCOUNTB);
  line.fps = stats_meter_read(final ? &a->whole : &a->meter, &a->stats, now());
  if (output_files_stats(&a->output_files, &a->stats, &line))
    return;
  a->code = APP_USAGE;
  a->ended = true;
}

/* }== */

/* {== Keys and events ==================================================== */

static void request_quit(app *a)
{
  /* Without a window the game cannot stay open: quit() is called, but its answer is ignored. */
  if (game_may_quit(&a->game) || a->options->headless)
    a->ended = true;
}

static void act(app *a, key_action action)
{
  switch (action) {
  case KEY_HELP:
    a->overlays.help_shown = !a->overlays.help_shown;
    break;
  case KEY_HUD:
    hud_next(&a->overlays.hud);
    break;
  case KEY_INSPECTOR:
    inspector_toggle(&a->overlays.inspector);
    break;
  case KEY_RELOAD:
    hot_reload_request(&a->hot_reload);
    break;
  case KEY_PAUSE:
    a->paused = !a->paused;
    break;
  case KEY_STEP:
    a->step_once = a->paused;
    a->paused = true;
    break;
  case KEY_SCREENSHOT:
    a->screenshot_requested = true;
    break;
  case KEY_FULL_SCREEN:
    if (!a->options->headless && !window_toggle_full_screen(&a->window))
      notice_set(&a->overlays.notice, NOTICE_WARNING, SDL_GetError(), now());
    break;
  case KEY_CONSOLE:
    console_toggle(&a->overlays.console);
    break;
  case KEY_FILM:
    output_files_request_film(&a->output_files, now());
    break;
  case KEY_QUIT:
    if (!overlays_dismiss(&a->overlays))
      request_quit(a);
    break;
  default:
    break;
  }
}

/* Size, display or focus may have changed. Without a window there is no focus to lose. */
static void take_window_event(app *a, const SDL_WindowEvent *event)
{
  int width = a->window.width, height = a->window.height;
  bool lost = event->event == SDL_WINDOWEVENT_FOCUS_LOST, gained = event->event == SDL_WINDOWEVENT_FOCUS_GAINED;
  window_measure(&a->window);
  game_fit(&a->game, &a->window);
  if (a->window.width != width || a->window.height != height)
    game_resized(&a->game, a->window.width, a->window.height);
  if (!lost && !gained)
    return;
  a->unfocused = lost && !a->options->headless;
  game_focus(&a->game, gained);
}

/* Copies the error on the screen to the clipboard, in the form in which it is on stderr. */
static void copy_error(app *a)
{
  notice *n = &a->overlays.notice;
  bool has_error = n->error[0] != '\0';
  if ((a->game.stopped || has_error) &&
      stop_message_copy(a->options, a->game.script, a->game.stopped ? NULL : n->consequence))
    notice_set(n, NOTICE_INFO, "copied", now());
}

static void load_graphics(app *a)
{
  char problem[1024];
  if (game_load_graphics(&a->game, &a->window, problem, sizeof problem)) {
    overlays_use_graphics(&a->overlays);
    return;
  }
  a->code = fail(problem);
  a->ended = true;
}

/* The render device was lost, and with it all textures. */
static void restore_graphics(app *a)
{
  game_free_graphics(&a->game);
  overlays_use_graphics(&a->overlays);
  film_clear(&a->output_files.film);
  load_graphics(a);
}

static void take_game_event(app *a, const SDL_Event *event)
{
  input_change change;
  key_action action;
  if (overlays_event(&a->overlays, event))
    return;
  change = input_event(&a->game.input, event);
  action = change.kind == INPUT_KEY_PRESSED || change.kind == INPUT_KEY_RELEASED
               ? hotkeys_action(hotkeys_code(&event->key.keysym))
               : KEY_NONE;
  if (hotkeys_pressed_with(event, SDLK_c, KMOD_CTRL))
    copy_error(a);
  if (action == KEY_NONE && !a->paused)
    game_input(&a->game, &change);
  else if (change.kind == INPUT_KEY_PRESSED)
    act(a, action);
}

static void take_event(app *a, const SDL_Event *event)
{
  if (event->type == SDL_QUIT)
    request_quit(a);
  else if (event->type == INTERRUPT_RELOAD)
    hot_reload_request(&a->hot_reload);
  else if (event->type == SDL_RENDER_DEVICE_RESET)
    restore_graphics(a);
  else if (!hotkeys_pressed_with(event, SDLK_RETURN, KMOD_ALT))
    take_game_event(a, event);
  else if (!event->key.repeat)
    act(a, KEY_FULL_SCREEN); /* the game does not receive this Enter */
  if (event->type == SDL_WINDOWEVENT)
    take_window_event(a, &event->window);
}

static void take_events(app *a)
{
  SDL_Event event;
  while (!a->ended && SDL_PollEvent(&event))
    take_event(a, &event);
}

/* }== */

/* {== A frame ============================================================ */

/* Usually the editor has the focus; the game goes on unless `pause_unfocused` is set. */
static bool is_paused_unfocused(const app *a) { return a->unfocused && game_pauses_unfocused(&a->game); }

/* Returns whether a second of game time has ended: a line of statistics is due. */
static bool update(app *a, int steps)
{
  uint64_t second = (uint64_t)lround(1 / a->clock.step), before = a->steps;
  double begin = now();
  for (int i = 0; i < steps && !a->game.stopped; i++) {
    game_step(&a->game);
    a->steps += 1;
  }
  a->game.graphics.update_ms = (now() - begin) * 1000;
  return a->steps / second != before / second;
}

/* g.draw_ms is the time of the last drawing; rasterise adds the time of the renderer. */
static void draw_game(app *a)
{
  double begin = now();
  a->game.graphics.draw_ms = a->draw_ms;
  game_draw(&a->game);
  a->draw_ms = (now() - begin) * 1000;
}

/* Reloads edited files. A reload that succeeds also resumes a stopped game. */
static void reload(app *a)
{
  sp_poll_result result = hot_reload_poll(&a->hot_reload, now());
  overlays_report_reload(&a->overlays, &a->hot_reload, result);
  if (now() >= a->check_folder_at) {
    a->check_folder_at = now() + 1;
    wall_check_folder(&a->wall, &a->report);
  }
  if (result == SP_POLL_RELOADED) {
    game_resume(&a->game);
    game_read_settings(&a->game);
  }
  if (result == SP_POLL_RELOADED || a->hot_reload.loaded == ASSETS_LOADED)
    a->paused = a->paused || a->options->pause_on_reload;
}

/* Returns why the game is paused, for the corner of the window; NULL when it runs. */
static const char *paused_text(const app *a)
{
  return a->paused ? "paused: F6 continues" : is_paused_unfocused(a) ? "paused until this window has the focus" : NULL;
}

static void rasterise(app *a)
{
  double begin = now();
  view_play(&a->game.view, game_scene(&a->game), a->window.renderer, BACKGROUND);
  a->draw_ms += (now() - begin) * 1000;
  batch_play(&a->overlays.batch, a->window.renderer);
}

static void present(app *a, bool screenshot_due)
{
  const window *w = &a->window;
  draw_view points = {
      (float)w->width, (float)w->height, w->scale, 0, 0, NULL, NULL, NULL}; /* in which overlays are laid out */
  bool seen = !a->options->headless;
  if (!seen && !screenshot_due)
    return;
  if (seen)
    output_files_film(&a->output_files, now());
  overlays_draw(&a->overlays, &points, &a->stats, paused_text(a), a->screenshot_requested, now());
  rasterise(a);
  if (screenshot_due && !output_files_screenshot(&a->output_files, a->options->screenshot, now()))
    a->code = APP_USAGE;
  if (a->screenshot_requested)
    output_files_screenshot(&a->output_files, NULL, now());
  a->screenshot_requested = false;
  if (seen)
    SDL_RenderPresent(a->window.renderer);
}

/* Ends the run when its output cannot be read any more, among other reasons. */
static void end_if_due(app *a)
{
  const options *o = a->options;
  bool unheard = o->headless && ferror(stdout);
  if (a->frame >= o->frames || (a->game.stopped && !stop_message_waits(o)) || unheard)
    a->ended = true;
}

static void frame(app *a, int steps)
{
  double begin = now();
  bool line_due;
  take_events(a);
  if (a->ended)
    return;
  reload(a);
  if (a->paused || is_paused_unfocused(a))
    steps = a->step_once;
  a->step_once = false;
  line_due = update(a, steps);
  draw_game(a);
  if (steps > 0)
    a->frame += 1; /* stopped scripts count too: --frames ends the run */
  if (!a->game.stopped)
    film_take(&a->output_files.film, game_scene(&a->game), steps);
  stats_frame(&a->stats, (now() - begin) * 1000);
  report_stop(a);
  present(a, steps > 0 && !a->game.stopped && a->frame == a->options->screenshot_frame);
  if (line_due)
    write_stats(a, false);
  output_files_progress(&a->output_files, a->frame, now());
  end_if_due(a);
}

/* }== */

/* {== The run ============================================================ */

/* Returns the number of steps of the next frame; waits until it is at least one, unless frames run back to back. */
static int wait_for_steps(app *a)
{
  if (a->options->headless && !a->options->realtime)
    return 1;
  for (;;) {
    double time = now(), wait;
    int steps = clock_steps(&a->clock, time - a->last);
    a->last = time;
    if (steps > 0)
      return steps;
    wait = clock_wait(&a->clock) * 1000;
    SDL_Delay(wait > 1 ? (Uint32)wait : 1);
  }
}

static window_kind window_of(const options *o)
{
  if (!o->headless)
    return WINDOW_SHOWN;
  return o->screenshot[0] || o->record[0] ? WINDOW_PICTURED : WINDOW_BLIND;
}

static bool open_all(app *a)
{
  const options *o = a->options;
  char problem[1024], title[256];
  options_title(o, title, sizeof title);
  if (!game_open(&a->game, o, &a->report, problem, sizeof problem) ||
      !window_open(&a->window, title, o->width, o->height, window_of(o), problem, sizeof problem)) {
    fail(problem);
    return false;
  }
  if (window_of(o) == WINDOW_SHOWN)
    gamepad_start();
  hot_reload_open(&a->hot_reload, a->game.script, !o->no_watch, now());
  hot_reload_add_assets(&a->hot_reload, a->game.assets, GAME_ASSETS, &a->report);
  overlays_open(&a->overlays, o, &a->game, &a->hot_reload, &a->window);
  output_files_of of = {&a->game, &a->window, &a->file_writer, &a->overlays.notice};
  bool waits = window_of(o) == WINDOW_PICTURED && !o->sized; /* apply_settings may change the size */
  if ((waits || game_load_graphics(&a->game, &a->window, problem, sizeof problem)) &&
      output_files_open(&a->output_files, o, &of, problem, sizeof problem)) {
    overlays_use_graphics(&a->overlays);
    return true;
  }
  fail(problem);
  return false;
}

/* The size of the window is the game's only at the start, and --size comes first; later it is the player's. */
static void apply_settings(void *ud)
{
  app *a = ud;
  const game_settings *s = &a->game.settings;
  char title[256];
  bool lost = false, sized = s->width > 0 && s->height > 0 && !a->options->sized && !a->sized;
  options_title(a->options, title, sizeof title);
  window_set_title(&a->window, s->title[0] ? s->title : title);
  if (sized && !window_resize(&a->window, s->width, s->height, &lost)) {
    a->code = fail(SDL_GetError());
    a->ended = true;
  } else if (lost && a->game.sprites) {
    restore_graphics(a);
  } else if (!a->game.sprites) {
    load_graphics(a);
  }
  a->sized = true;
  game_fit(&a->game, &a->window);
}

/* Runs the texts of --exec once the game is loaded; after an error the rest is skipped. */
static void run_texts(app *a)
{
  const options *o = a->options;
  for (int i = 0; i < o->exec_count && !a->game.stopped; i++) {
    sp_eval outcome = sp_script_eval(a->game.script, o->exec[i]);
    if (outcome == SP_EVAL_DONE)
      continue;
    if (outcome == SP_EVAL_MORE)
      report_say(&a->report, SP_REPORT_ERROR, "--exec: the text is not complete");
    if (o->headless) {
      a->code = APP_SCRIPT_ERROR;
      a->ended = true;
    }
    return;
  }
}

static void play(app *a)
{
  double begin;
  a->game.on_settings = apply_settings;
  a->game.settings_ud = a;
  game_start(&a->game, a->options);
  if (!a->game.sprites)
    load_graphics(a); /* main.lua has failed */
  window_show(&a->window);
  run_texts(a);
  clock_start(&a->clock, a->game.step);
  begin = now();
  a->last = begin - a->game.step; /* a step is due at once, so that the first picture appears without delay */
  stats_meter_start(&a->meter, &a->stats, begin);
  a->whole = a->meter;
  stats_meter_start(&a->overlays.hud.meter, &a->stats, begin);
  output_files_start(&a->output_files, begin);
  end_if_due(a);
  while (!a->ended)
    frame(a, wait_for_steps(a));
  if (a->game.stopped || sp_script_error(a->game.script))
    a->code = APP_SCRIPT_ERROR;
  write_stats(a, true);
  if (a->options->screenshot[0] && a->options->screenshot_frame == 0 && !a->game.stopped)
    present(a, true);
  if (a->options->record[0] && !output_files_record(&a->output_files, now()))
    a->code = APP_USAGE;
}

static void close_all(app *a)
{
  output_files_close(&a->output_files);
  hot_reload_close(&a->hot_reload);
  game_close(&a->game); /* the console still receives output of the closing script */
  overlays_close(&a->overlays);
  window_close(&a->window);
  file_writer_close(&a->file_writer);
}

int app_run(const options *given)
{
  options o = options_seeded(given);
  app a = {.options = &o};
  a.report.print = o.stats && strcmp(o.stats, "-") == 0 ? stderr : stdout;
  a.report.on_report = on_report;
  a.report.ud = &a;
  interrupt_prepare();
  if (!output_files_open_writer(&o, &a.file_writer)) {
    a.code = fail("cannot start the process that writes pictures");
  } else if (open_all(&a)) {
    storage_open(&a.game.storage, o.path);
    if (o.walled)
      wall_raise(&a.wall, sp_script_folder(a.game.script), storage_writes_to(&a.game.storage), !o.headless);
    interrupt_start(&a.interrupt);
    play(&a);
    interrupt_stop(&a.interrupt);
  } else {
    a.code = APP_USAGE;
  }
  close_all(&a);
  if ((fflush(stdout) != 0 || ferror(stdout)) && a.code == APP_FINE)
    a.code = fail("cannot write to the standard output");
  return a.code;
}

/* }== */
