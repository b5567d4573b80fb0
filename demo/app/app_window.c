#include "demo/app/app_window.h"

#include "demo/app/app.h"

void app_window_event(app *a, const SDL_WindowEvent *event)
{
  bool lost = event->event == SDL_WINDOWEVENT_FOCUS_LOST, gained = event->event == SDL_WINDOWEVENT_FOCUS_GAINED;
  window_measure(&a->window);
  if (!a->overlays.timeline.shown) /* on the timeline the game is in the past, with the window of that time */
    tape_resize(&a->tape, &a->game, &a->window);
  if (!lost && !gained)
    return;
  a->unfocused = lost && !a->options->headless;
  if (!a->tape.replay.is_on)
    game_focus(&a->game, gained);
}

void app_load_graphics(app *a)
{
  char problem[1024];
  if (game_load_graphics(&a->game, &a->window, problem, sizeof problem)) {
    tape_fit(&a->tape, &a->game, &a->window);
    overlays_use_graphics(&a->overlays);
    return;
  }
  report_line(problem);
  a->code = APP_USAGE;
  a->ended = true;
}

void app_restore_graphics(app *a)
{
  game_free_graphics(&a->game);
  overlays_use_graphics(&a->overlays);
  stills_forget_textures(&a->stills);
  app_load_graphics(a);
}

void app_apply_settings(void *ud)
{
  app *a = ud;
  const game_settings *s = &a->game.settings;
  char title[256];
  bool lost = false, sized = s->width > 0 && s->height > 0 && !a->options->sized && !a->sized;
  options_title(a->options, title, sizeof title);
  window_set_title(&a->window, s->title[0] ? s->title : title);
  if (sized && !window_resize(&a->window, s->width, s->height, &lost)) {
    report_line(SDL_GetError());
    a->code = APP_USAGE;
    a->ended = true;
  } else if (lost && a->game.sprites) {
    app_restore_graphics(a);
  } else if (!a->game.sprites) {
    app_load_graphics(a);
  }
  a->sized = true;
  tape_fit_settings(&a->tape, &a->game, &a->window);
}
