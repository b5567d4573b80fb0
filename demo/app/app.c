/*
** A frame handles events, reloads edited files, runs the steps that are due, draws the game and the overlays, and
** presents the picture. Without a window only the frame of a screenshot is rasterised; without a screenshot there is
** no renderer at all. Scripts run in any case, draw(g) included.
*/
#include "demo/app/app.h"

#include <SDL.h>
#include <errno.h>
#include <lua.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/app/app_window.h"
#include "demo/app/game_folder.h"
#include "demo/app/timeline_lua.h"
#include "demo/app/wall.h"
#include "demo/capture/file_writer.h"
#include "demo/input/input.h"
#include "demo/support/platform.h"

#define HURRY 0.012                               /* seconds of app_frame for a replay that runs to its end */
#define LATE 0.1                                  /* seconds between two pictures of a replay that is behind */
#define BEFORE_END 5.0                            /* seconds of game time: where a bug file opens the timeline */
#define BACKGROUND ((SDL_Color){18, 19, 27, 255}) /* of every picture */

/* {== Reporting ========================================================== */

static int fail(const char *problem)
{
  report_line(problem);
  return APP_USAGE;
}

static void on_report(void *ud, sp_report kind, const char *message)
{
  app *a = ud;
  if (kind == SP_REPORT_ERROR)
    recorder_error(&a->log.recorder, message);
  overlays_report(&a->overlays, kind, message, clock_now());
}

static uint64_t on_hang(void *ud, const char *what)
{
  app *a = ud;
  recorder_hang(&a->log.recorder, what);
  return a->frame + 1;
}

/* Reports that the script has stopped. The error itself was printed when it happened. */
static void report_stop(app *a)
{
  bool is_new = a->game.stopped && !a->stop_reported;
  if (is_new && a->options->release)
    release_log_write(&a->release_log, &a->log, &a->overlays.messages, a->window.renderer);
  if (is_new && options_wait_for_fix(a->options))
    report_print(stderr, "  %s\n", options_meanwhile(a->options));
  a->stop_reported = a->game.stopped;
}

static void write_stats(app *a, bool final)
{
  lua_State *L = sp_script_state(a->game.script);
  char problem[128];
  stats_line line = {.frame = a->frame, .bytes = sp_script_bytes(a->game.script), .final = final};
  hot_reload_count(&a->hot_reload, &line);
  line.lua_bytes = (size_t)lua_gc(L, LUA_GCCOUNT) * 1024 + (size_t)lua_gc(L, LUA_GCCOUNTB);
  line.fps = stats_meter_read(final ? &a->whole : &a->meter, &a->stats, clock_now());
  if (!a->stats_file || stats_write(&a->stats, a->stats_file, game_pools(&a->game), &line))
    return;
  snprintf(problem, sizeof problem, "cannot write the statistics: %s", strerror(errno));
  report_line(problem);
  a->code = APP_USAGE;
  a->ended = true;
}

/* Prints a line of progress on stderr if one is due. */
static void write_progress(app *a)
{
  char line[PROGRESS_MOST];
  sp_clock clock = {0};
  if (game_pools(&a->game))
    sp_manager_clock(game_pools(&a->game), &clock);
  if (progress_line(&a->progress, clock_now(), a->frame, a->options->frames, clock.time, line))
    report_line(line);
}

/* Saves what is on the renderer to `file`, or to a new file if that is NULL, which a notice then names. */
static bool save_screenshot(app *a, const char *file)
{
  char message[OPTIONS_FILE_MOST + 256], own[64] = "";
  if (!file)
    file_writer_new_name(own, sizeof own, "spawnpool", ".png");
  bool saved = screenshot_save(a->window.renderer, &a->file_writer, file ? file : own, message, sizeof message);
  if (!saved)
    report_line(message);
  else
    snprintf(message, sizeof message, "saved %s", own);
  if (!saved || !file)
    messages_notice(&a->overlays.messages, saved ? NOTICE_INFO : NOTICE_ERROR, message, clock_now());
  return saved;
}

/* }== */

/* {== The window ========================================================= */

/* Handles an event that may have changed size, display or focus. Without a window there is no focus to lose. */
static void window_event(app *a, const SDL_WindowEvent *event)
{
  bool lost = event->event == SDL_WINDOWEVENT_FOCUS_LOST, gained = event->event == SDL_WINDOWEVENT_FOCUS_GAINED;
  window_measure(&a->window);
  if (!a->rewind.shown) /* on the timeline the game is in the past, with the window of that time */
    input_log_resize(&a->log, &a->window);
  if (!lost && !gained)
    return;
  a->unfocused = lost && !a->options->headless;
  if (!a->log.replay.is_on)
    game_focus(&a->game, gained);
}

/* }== */

/* {== Events ============================================================= */

/* Without a window the game cannot stay open when it is the user who ends it: quit() is called, but its answer is
   ignored. */
static void request_quit(app *a, bool by_user)
{
  rewind_return(&a->rewind);
  a->ended = a->log.replay.is_on || game_may_quit(&a->game) || (a->options->headless && by_user);
  if (!a->log.replay.is_on)
    recorder_add(&a->log.recorder, (recording_entry){.kind = RECORDING_QUIT, .ended = a->ended});
}

static void act(app *a, key_action action)
{
  static const char *const tools[] = {[KEY_HELP] = "help",           [KEY_HUD] = "hud",         [KEY_POOLS] = "pools",
                                      [KEY_INSPECTOR] = "inspector", [KEY_CONSOLE] = "console", [KEY_QUIT] = NULL};
  if (tools[action])
    overlays_act(&a->overlays, tools[action]);
  switch (action) {
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
  case KEY_BUG:
    bug_save(&a->log, &a->overlays.messages, !a->rewind.shown, &a->file_writer);
    break;
  case KEY_FULL_SCREEN:
    if (!a->options->headless && !window_toggle_full_screen(&a->window))
      messages_notice(&a->overlays.messages, NOTICE_WARNING, SDL_GetError(), clock_now());
    break;
  case KEY_TIMELINE:
    rewind_open(&a->rewind, clock_now());
    break;
  case KEY_BACK:
    rewind_run_back(&a->rewind, clock_now());
    break;
  case KEY_QUIT:
    if (!a->options->guest)
      request_quit(a, true);
    break;
  default:
    break;
  }
}

/* Returns whether an event is a Backspace that runs the game backwards. A game with a text_input callback needs the key
   itself, unless it has stopped. */
static bool is_back_key(const app *a, const SDL_Event *event)
{
  bool is_key = event->type == SDL_KEYDOWN || event->type == SDL_KEYUP;
  return is_key && event->key.keysym.sym == SDLK_BACKSPACE && rewind_can(&a->rewind) &&
         (a->game.stopped || !sp_script_has(a->game.script, "text_input"));
}

/* A finished game has all keys but F11, also those of its author. */
static key_action action_of(const app *a, const SDL_Event *event)
{
  key_action action = hotkeys_event(event);
  bool stays = action == KEY_FULL_SCREEN || action == KEY_QUIT || !a->options->release;
  return is_back_key(a, event) ? KEY_BACK : stays ? action : KEY_NONE;
}

/* Passes an event to the game. During a replay the game gets the recorded input instead. Esc closes what is open; else
   the game gets it, and may take it. */
static void take_game_event(app *a, const SDL_Event *event)
{
  key_action action = action_of(a, event);
  bool is_quit = action == KEY_QUIT, heard, taken;
  input_change change = {.kind = event->type == SDL_KEYDOWN && !event->key.repeat ? INPUT_KEY_PRESSED : INPUT_NOTHING};
  if (overlays_event(&a->overlays, event))
    return;
  if (hotkeys_pressed_with(event, SDLK_c, KMOD_CTRL))
    overlays_copy_error(&a->overlays, clock_now());
  if (is_quit && change.kind == INPUT_KEY_PRESSED)
    a->dismissed = overlays_dismiss(&a->overlays);
  heard = (action == KEY_NONE || (is_quit && !a->dismissed)) && !a->paused;
  taken = is_quit && a->dismissed;
  if (!a->log.replay.is_on && !a->rewind.shown) {
    recorder_event(&a->log.recorder, event, !heard);
    change = input_event(&a->game.input, event, heard);
    taken |= game_input(&a->game, heard ? &change : &(input_change){.kind = INPUT_NOTHING});
  }
  if (change.kind == INPUT_KEY_PRESSED && !(is_quit && taken))
    act(a, action);
}

/* Reports that a gamepad was pulled out while a game is played with it. */
static void report_pad(app *a, int number)
{
  char line[80];
  snprintf(line, sizeof line, "gamepad %d is gone: plug it in again to go on with it", number);
  report_say(&a->report, SP_REPORT_WARNING, line);
}

/* Brings the gamepads of the game up to date: they come and go while the timeline shows the past, too. */
static void take_pads(app *a)
{
  for (int i = 0; i < INPUT_PADS && !a->log.replay.is_on && !a->rewind.shown; i++) {
    const bool is_there = a->devices.pads[i] != NULL;
    SDL_Event event;
    if (is_there == a->game.input.pads[i].connected)
      continue;
    SDL_zero(event);
    event.type = is_there ? SDL_CONTROLLERDEVICEADDED : SDL_CONTROLLERDEVICEREMOVED;
    input_set_pad(&event, i + 1);
    take_game_event(a, &event);
    if (!is_there && !a->game.input.pads[i].connected)
      report_pad(a, i + 1);
  }
}

/* The window is as large as the game sees it. */
static bool number_device(app *a, SDL_Event *event)
{
  return devices_number(&a->devices, event, a->window.width, a->window.height);
}

static void take_event(app *a, SDL_Event *event)
{
  if (!number_device(a, event))
    return;
  if (event->type == SDL_QUIT)
    request_quit(a, true);
  else if (event->type == INTERRUPT_RELOAD && !a->options->release)
    hot_reload_request(&a->hot_reload);
  else if (event->type == SDL_RENDER_DEVICE_RESET)
    app_restore_graphics(a);
  else if (event->type == SDL_CONTROLLERDEVICEADDED || event->type == SDL_CONTROLLERDEVICEREMOVED)
    take_pads(a);
  else if (!hotkeys_pressed_with(event, SDLK_RETURN, KMOD_ALT))
    take_game_event(a, event);
  else if (!event->key.repeat)
    act(a, KEY_FULL_SCREEN); /* the game does not receive this Enter */
  if (event->type == SDL_WINDOWEVENT)
    window_event(a, &event->window);
}

/* The game has asked to end, in the frame before. */
static void take_quit(app *a)
{
  bool quits = a->game.wishes.quits && !a->log.replay.is_on && !a->rewind.shown && !a->ended;
  a->game.wishes.quits = false;
  if (quits)
    request_quit(a, false);
}

static void take_events(app *a)
{
  SDL_Event event;
  take_pads(a);
  while (!a->ended && input_next_event(&a->own_events, &event))
    take_event(a, &event);
}

/* }== */

/* {== A frame ============================================================ */

/* Names what the player does now, for the case that it hangs. */
static void now(const app *a, const char *doing) { sp_script_doing(a->game.script, doing); }

/* The game continues without the focus, which the editor usually has, unless `pause_unfocused` is set. */
static bool is_paused_unfocused(const app *a) { return a->unfocused && game_pauses_unfocused(&a->game); }

/* Returns whether a second of game time has ended: a line of statistics is due. */
static bool update(app *a, int steps)
{
  uint64_t second = (uint64_t)lround(1 / a->clock.step), before = a->steps;
  double begin = clock_now();
  for (int i = 0; i < steps && !a->game.stopped; i++) {
    game_step(&a->game);
    a->steps += 1;
  }
  if (steps > 0)
    a->step_seconds = (clock_now() - begin) / steps;
  a->game.graphics.update_ms = clocks_measured(&a->log, (clock_now() - begin) * 1000);
  return a->steps / second != before / second;
}

/* Draws the game. g.draw_ms is the CPU time of the previous frame's drawing: game_draw here, view_play in rasterise. */
static void draw_game(app *a)
{
  double begin = clock_now();
  a->game.graphics.draw_ms = clocks_measured(&a->log, a->draw_ms);
  game_draw(&a->game);
  a->draw_ms = (clock_now() - begin) * 1000;
}

/* Reports once when another folder has replaced the game's, which the second wall does not let be read. */
static void check_folder(app *a)
{
  const char *path = sp_script_folder(a->game.script);
  char line[1280];
  bool replaced = game_folder_is_replaced(path, &a->folder);
  snprintf(line, sizeof line,
           "%.1000s is another folder now, which the sandbox may not read: put the first one back, or start again",
           path);
  if (replaced && !a->folder_replaced)
    report_say(&a->report, SP_REPORT_WARNING, line);
  a->folder_replaced = replaced;
}

/* Reloads edited files; a successful reload also resumes a stopped game. While the timeline is shown, rewind.c does
   this instead, because the game is in the past and runs the files of that time. */
static void reload(app *a)
{
  if (a->rewind.shown || a->options->release)
    return;
  const bool at_once = a->hot_reload.requested;
  sp_poll_result result = hot_reload_poll(&a->hot_reload, clock_now());
  overlays_report_reload(&a->overlays, &a->hot_reload, result);
  if (clock_now() >= a->check_folder_at) {
    a->check_folder_at = clock_now() + 1;
    check_folder(a);
  }
  if (result == SP_POLL_RELOADED || result == SP_POLL_REVERTED || (at_once && result != SP_POLL_NOTHING))
    input_log_reload(&a->log, at_once);
  game_reloaded(&a->game, result);
  tester_poll(&a->tester, result == SP_POLL_RELOADED, &a->overlays.messages);
  if (result == SP_POLL_RELOADED || a->hot_reload.loaded == ASSETS_LOADED)
    a->paused = a->paused || a->options->pause_on_reload;
}

/* Returns why the game is paused, for the corner of the window; NULL when it runs. */
static const char *paused_text(const app *a)
{
  if (a->rewind.shown)
    return NULL;
  if (a->log.hurries)
    return "playing the recording to its end; Esc closes";
  return a->paused ? "paused: F6 continues" : is_paused_unfocused(a) ? "paused until this window has the focus" : NULL;
}

/* Draws the frame. No still is taken of the first frame, because reading it back takes longer than drawing it. False
   when the renderer refused it. */
static bool rasterise(app *a)
{
  game_view shown = input_log_shown(&a->log, &a->window);
  if (a->log.history.checkpoint_count > 0 && a->frame > 1 && !a->rewind.shown && !a->game.stopped)
    stills_take(&a->stills, &a->window, &shown, game_scene(&a->game), BACKGROUND, a->log.recorder.frame);
  double begin = clock_now();
  bool fine = view_play(&shown, game_scene(&a->game), a->window.renderer, BACKGROUND);
  a->draw_ms += (clock_now() - begin) * 1000;
  fine &= batch_play(&a->overlays.batch, a->window.renderer, a->window.scale, a->window.scale);
  return SDL_RenderFlush(a->window.renderer) == 0 && fine;
}

/* Leaves the drawing to SDL's software renderer, from the next frame on. Where that draws already, a frame with a fault
   is shown: memory was refused. */
static bool fall_back(app *a)
{
  char line[256];
  if (!a->window.handle || a->window.software)
    return false;
  snprintf(line, sizeof line, "the graphics driver failed (%s): the game is drawn without it from now on",
           SDL_GetError());
  game_free_graphics(&a->game);
  if (window_fall_back(&a->window)) {
    report_say(&a->report, SP_REPORT_WARNING, line);
    app_restore_graphics(a);
    return true;
  }
  snprintf(line, sizeof line, "cannot draw: %s", SDL_GetError());
  report_line(line);
  a->code = APP_USAGE;
  a->ended = true;
  return true;
}

static void present(app *a, bool screenshot_due)
{
  const window *w = &a->window;
  draw_view points = {
      (float)w->width, (float)w->height, w->scale, 0, 0, NULL, NULL, NULL, NULL}; /* in which overlays are laid out */
  bool seen = !a->options->headless;
  app_fulfil_wishes(a);
  now(a, "drawing");
  bool waits = input_log_is_late(&a->log) && clock_now() < a->presented_at + LATE;
  if (!screenshot_due && !a->screenshot_requested && (!seen || waits))
    return;
  a->presented_at = clock_now();
  overlays_draw(&a->overlays, &points, paused_text(a), a->screenshot_requested);
  if (!rasterise(a) && fall_back(a)) {
    a->code = screenshot_due ? fail("no screenshot was saved: the graphics driver failed in its frame") : a->code;
    return;
  }
  if (screenshot_due && !save_screenshot(a, a->options->screenshot))
    a->code = APP_USAGE;
  if (a->screenshot_requested)
    save_screenshot(a, NULL);
  a->screenshot_requested = false;
  if (seen)
    SDL_RenderPresent(a->window.renderer);
}

/* Ends the run after its last frame, or when nobody reads its output any more. */
static void end_if_due(app *a)
{
  const options *o = a->options;
  bool unheard = o->headless && ferror(stdout);
  if (a->frame >= o->frames || (a->game.stopped && !options_wait_for_fix(o)) || unheard)
    a->ended = true;
}

static void frame(app *a, int steps)
{
  double begin = clock_now();
  bool line_due, is_paused;
  synctest_begin_frame(&a->synctest);
  input_log_new_frame(&a->log);
  now(a, "handling events");
  take_events(a);
  take_quit(a);
  if (a->ended)
    return;
  now(a, "reading edited files");
  if (!a->log.replay.is_on)
    reload(a);
  is_paused = a->paused || (is_paused_unfocused(a) && !a->log.replay.is_on);
  steps = rewind_holds(&a->rewind, clock_now())
              ? -1
              : input_log_begin_frame(&a->log, !is_paused || a->step_once, is_paused ? 1 : steps, &a->ended);
  a->step_once = false;
  if (a->log.replay.is_on)
    reload(a); /* after the edits of the recording */
  if (a->ended && a->opens_timeline && rewind_can(&a->rewind)) {
    a->ended = a->opens_timeline = a->log.hurries = false;
    bool differs = a->log.replay.differing > 0;
    messages_notice(&a->overlays.messages, differs ? NOTICE_WARNING : NOTICE_INFO,
                    differs ? "this run differs from the recorded one" : "played as recorded", clock_now());
    rewind_open_before_end(&a->rewind, BEFORE_END, clock_now());
  }
  if (steps < 0) { /* a replay is paused or at its end, or the timeline is open */
    audio_pause(&a->game.audio, true);
    present(a, false);
    return;
  }
  audio_pause(&a->game.audio, steps == 0 || a->game.stopped || a->log.hurries);
  a->opens_timeline = a->options->bug;
  now(a, "updating");
  line_due = update(a, steps);
  now(a, "drawing");
  draw_game(a);
  now(a, "recording");
  if (steps > 0)
    a->frame += 1; /* stopped scripts count too: --frames ends the run */
  input_log_end_frame(&a->log, line_due, a->frame, a->steps);
  synctest_end_frame(&a->synctest);
  stats_frame(&a->stats, (clock_now() - begin) * 1000);
  report_stop(a);
  present(a, steps > 0 && !a->game.stopped && a->frame == a->options->screenshot_frame);
  now(a, "collecting garbage");
  game_collect(&a->game);
  if (line_due)
    write_stats(a, false);
  write_progress(a);
  end_if_due(a);
}

/* }== */

/* {== The run ============================================================ */

/* Returns how many of the steps that are due fit into the budget of a frame, judged by the last frame, because the
   recording has the number before the frame runs. The others are dropped: the game is in slow motion. */
static int affordable(app *a, int steps, double time)
{
  const double budget = a->options->budget;
  if (budget <= 0 || steps <= 1 || steps * a->step_seconds <= budget)
    return steps;
  a->slow_at = time;
  const int most = (int)(budget / a->step_seconds);
  return most > 1 ? most : 1;
}

/* Returns whether a frame is due, and the number of its steps. Frames that run back to back are always due. */
static bool is_due(app *a, int *steps)
{
  *steps = 1;
  if ((a->options->headless && !a->options->realtime) || input_log_is_late(&a->log))
    return true;
  double time = clock_now();
  *steps = affordable(a, clock_steps(&a->clock, time - a->last), time);
  a->last = time;
  return input_log_add_due(&a->log, *steps);
}

void app_rest(const app *a)
{
  double wait = clock_wait(&a->clock) * 1000;
  SDL_Delay(wait > 1 ? (Uint32)wait : 1);
}

static window_kind window_of(const options *o)
{
  if (!o->headless)
    return WINDOW_SHOWN;
  return o->screenshot[0] ? WINDOW_PICTURED : WINDOW_BLIND;
}

static void open_rewind(app *a)
{
  a->rewind = (rewind_of){.options = a->options,
                          .report = &a->report,
                          .window = &a->window,
                          .game = &a->game,
                          .hot_reload = &a->hot_reload,
                          .overlays = &a->overlays,
                          .log = &a->log,
                          .own_events = &a->own_events,
                          .stills = &a->stills,
                          .paused = &a->paused,
                          .frame = &a->frame,
                          .steps = &a->steps,
                          .last = &a->last};
  a->synctest.of = a->options->synctest ? &a->rewind : NULL;
  a->overlays.install_more = timeline_lua_install;
  a->overlays.draw_below = rewind_draw_below;
  a->overlays.eval = rewind_eval;
  a->overlays.ud = &a->rewind;
}

static bool open_stats(app *a, char *error, size_t error_size)
{
  const char *file = a->options->stats;
  if (file)
    a->stats_file = strcmp(file, "-") == 0 ? stdout : fopen(file, "w");
  if (file && !a->stats_file)
    snprintf(error, error_size, "cannot write the statistics to '%.900s': %s", file, strerror(errno));
  return !file || a->stats_file;
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
    devices_start();
  hot_reload_open(&a->hot_reload, a->game.script, !o->no_watch);
  hot_reload_add_assets(&a->hot_reload, a->game.assets, GAME_ASSETS, &a->report);
  open_rewind(a);
  overlays_open(&a->overlays, o, &a->game, &a->hot_reload, &a->stats);
  bool waits = window_of(o) != WINDOW_BLIND; /* app_apply_settings may change the size, or how PNGs are enlarged */
  if (input_log_open(&a->log, &a->game, &a->overlays.messages, problem, sizeof problem) &&
      clocks_install(&a->log, problem, sizeof problem) &&
      (waits || game_load_graphics(&a->game, &a->window, problem, sizeof problem)) &&
      game_start_sound(&a->game, o, problem, sizeof problem) && open_stats(a, problem, sizeof problem)) {
    overlays_use_graphics(&a->overlays);
    return true;
  }
  fail(problem);
  return false;
}

static bool load_log(input_log *l, options *o)
{
  char problem[OPTIONS_FILE_MOST + 1024];
  return input_log_load(l, o, problem, sizeof problem) || (fail(problem), false);
}

void app_start(app *a)
{
  if (!a->opened)
    return;
  if (!a->options->tested) /* two games are tested at once, and the signals are those of the process */
    interrupt_start(&a->interrupt);
  a->game.on_settings = app_apply_settings;
  a->game.settings_ud = a;
  if (!input_log_start_game(&a->log, &a->window, &a->report) && a->options->headless) {
    a->code = APP_SCRIPT_ERROR;
    a->ended = true;
  }
  if (!a->game.sprites)
    app_load_graphics(a); /* main.lua has failed */
  window_show(&a->window);
  if (a->options->full_screen && !window_toggle_full_screen(&a->window))
    messages_notice(&a->overlays.messages, NOTICE_WARNING, SDL_GetError(), clock_now());
  clock_start(&a->clock, a->game.step);
  const double begin = clock_now();
  a->last = begin - a->game.step; /* a step is due at once, so that the first picture appears without delay */
  stats_meter_start(&a->meter, &a->stats, begin);
  a->whole = a->meter;
  stats_meter_start(&a->overlays.meter, &a->stats, begin);
  if (a->options->headless && !a->options->realtime && !a->options->tested)
    progress_start(&a->progress, platform_is_terminal(stderr), begin);
  end_if_due(a);
}

/* False when they could not be written completely. */
static bool close_stats(app *a)
{
  FILE *file = a->stats_file;
  a->stats_file = NULL;
  bool fine = !file || (fflush(file) == 0 && !ferror(file));
  if (file && file != stdout)
    fine = fclose(file) == 0 && fine;
  if (fine)
    return true;
  if (a->code != APP_USAGE)
    fail("the statistics could not be written completely");
  return false;
}

static void end(app *a)
{
  if (!input_log_end(&a->log) || a->game.stopped || sp_script_error(a->game.script) ||
      sp_script_rejected(a->game.script))
    a->code = APP_SCRIPT_ERROR;
  if (!synctest_print_result(&a->synctest))
    a->code = APP_SCRIPT_ERROR;
  if (a->log.failed)
    a->code = APP_USAGE;
  write_stats(a, true);
  if (!audio_finish(&a->game.audio) || !close_stats(a))
    a->code = APP_USAGE;
  if (a->options->screenshot[0] && a->options->screenshot_frame == 0 && !a->game.stopped)
    present(a, true);
  interrupt_stop(&a->interrupt);
}

static void close_all(app *a)
{
  synctest_close(&a->synctest);
  rewind_close(&a->rewind);
  stills_close(&a->stills);
  game_close(&a->game); /* the console still receives output of the closing script */
  input_log_close(&a->log);
  overlays_close(&a->overlays);
  window_close(&a->window);
  file_writer_close(&a->file_writer);
  tester_close(&a->tester);
}

static void raise_wall(app *a)
{
  const char *folder = sp_script_folder(a->game.script);
  const char *data = wall_is_available() ? storage_make_folder(&a->game.storage) : NULL;
  if (!wall_raise(folder, data, !a->options->headless) || !sp_facts_of_path(folder, true, &a->folder))
    a->folder = (sp_facts){.inode = 0};
}

/* Starts the process that writes pictures, if there will be any and the second wall keeps this process from it. It must
   run before there are threads. */
static bool open_writer(app *a)
{
  const options *o = a->options;
  tester_open(&a->tester, o);
  if (!o->walled)
    return true;
  wall_prepare();
  bool writes = !o->headless || o->screenshot[0];
  return !writes || !wall_is_available() || file_writer_open(&a->file_writer, o->screenshot);
}

bool app_open(app *a, const options *given)
{
  a->given = options_seeded(given);
  a->options = &a->given;
  options *o = &a->given;
  a->report.print = o->why || (o->stats && strcmp(o->stats, "-") == 0) ? stderr : stdout;
  a->report.on_report = on_report;
  a->report.on_hang = on_hang;
  a->report.ud = a;
  if (!o->tested)
    interrupt_prepare();
  if (!load_log(&a->log, o)) {
    a->code = APP_USAGE;
  } else if (!open_writer(a)) {
    a->code = fail("cannot start the process that writes pictures");
  } else if (open_all(a)) {
    if (options_are_repeatable(o))
      storage_open_memory(&a->game.storage);
    else
      storage_open(&a->game.storage, o->path, a->game.id);
    if (o->release)
      a->overlays.log = release_log_open(&a->release_log, storage_make_folder(&a->game.storage));
    if (o->walled)
      raise_wall(a);
    a->opened = true;
  } else {
    a->code = APP_USAGE;
  }
  a->ended = a->ended || !a->opened;
  return a->opened;
}

bool app_frame(app *a)
{
  int steps;
  double begin = clock_now();
  do
    if (!a->ended && is_due(a, &steps))
      frame(a, steps);
  while (!a->ended && a->log.hurries && clock_now() < begin + HURRY);
  return !a->ended;
}

int app_close(app *a)
{
  if (a->opened)
    end(a);
  close_all(a);
  if ((fflush(stdout) != 0 || ferror(stdout)) && a->code == APP_FINE)
    a->code = fail("cannot write to the standard output");
  return a->code;
}

int app_run(const options *given)
{
  app a = {.opened = false};
  app_open(&a, given);
  app_start(&a);
  for (int steps; !a.ended;)
    if (is_due(&a, &steps))
      frame(&a, steps);
    else
      app_rest(&a);
  return app_close(&a);
}

/* }== */
