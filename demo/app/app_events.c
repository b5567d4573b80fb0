#include "demo/app/app_events.h"

#include "demo/app/app_window.h"
#include "demo/input/hotkeys.h"

static void request_quit(app *a)
{
  rewind_return(&a->rewind);
  /* Without a window the game cannot stay open: quit() is called, but its answer is ignored. */
  a->ended = a->tape.replay.is_on || game_may_quit(&a->game) || a->options->headless;
  if (!a->tape.replay.is_on)
    recorder_add(&a->tape.recorder, (recording_entry){.kind = RECORDING_QUIT, .ended = a->ended});
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
  case KEY_POOLS:
    hud_page(&a->overlays.hud);
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
      notice_set(&a->overlays.notice, NOTICE_WARNING, SDL_GetError(), app_now());
    break;
  case KEY_CONSOLE:
    console_toggle(&a->overlays.console);
    break;
  case KEY_TIMELINE:
    rewind_open(&a->rewind, app_now());
    break;
  case KEY_BACK:
    rewind_run_back(&a->rewind, app_now());
    break;
  case KEY_QUIT:
    if (!overlays_dismiss(&a->overlays))
      request_quit(a);
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

/* Passes an event to the game. During a replay the game gets the recorded input instead. */
static void take_game_event(app *a, const SDL_Event *event)
{
  key_action action = hotkeys_event(event);
  bool heard;
  input_change change = {.kind = event->type == SDL_KEYDOWN && !event->key.repeat ? INPUT_KEY_PRESSED : INPUT_NOTHING};
  if (overlays_event(&a->overlays, event))
    return;
  if (hotkeys_pressed_with(event, SDLK_c, KMOD_CTRL))
    overlays_copy_error(&a->overlays, app_now());
  if (is_back_key(a, event))
    action = KEY_BACK;
  heard = action == KEY_NONE && !a->paused;
  if (!a->tape.replay.is_on && !a->overlays.timeline.shown) {
    recorder_event(&a->tape.recorder, event, !heard);
    change = input_event(&a->game.input, event);
    game_input(&a->game, heard ? &change : &(input_change){.kind = INPUT_NOTHING});
  }
  if (change.kind == INPUT_KEY_PRESSED)
    act(a, action);
}

static void take_event(app *a, const SDL_Event *event)
{
  if (event->type == SDL_QUIT)
    request_quit(a);
  else if (event->type == INTERRUPT_RELOAD)
    hot_reload_request(&a->hot_reload);
  else if (event->type == SDL_RENDER_DEVICE_RESET)
    app_restore_graphics(a);
  else if (rewind_event(&a->rewind, event, app_now()))
    return;
  else if (!hotkeys_pressed_with(event, SDLK_RETURN, KMOD_ALT))
    take_game_event(a, event);
  else if (!event->key.repeat)
    act(a, KEY_FULL_SCREEN); /* the game does not receive this Enter */
  if (event->type == SDL_WINDOWEVENT)
    app_window_event(a, &event->window);
}

void app_take_events(app *a)
{
  SDL_Event event;
  while (!a->ended && SDL_PollEvent(&event))
    take_event(a, &event);
}
