#include "demo/app/app_window.h"

#include <stdio.h>
#include <stdlib.h>

#include "demo/draw/picture.h"

void app_load_graphics(app *a)
{
  char problem[1024];
  if (game_load_graphics(&a->game, &a->window, problem, sizeof problem)) {
    input_log_fit(&a->log, &a->window);
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

static void set_title(app *a)
{
  const game_wishes *it = &a->game.wishes;
  window_set_title(&a->window, it->title[0] ? it->title : it->shown);
}

/* The icon of the game, or else that of the player. */
static void set_icon(app *a)
{
  int w, h;
  size_t size;
  const char *name = a->game.settings.icon;
  char *file = name[0] ? game_read_file(&a->game, name, GAME_ICON_MOST, &size) : NULL;
  uint32_t *pixels = file ? image_load(file, size, &w, &h) : image_load(player_icon.source, player_icon.size, &w, &h);
  window_set_icon(&a->window, pixels, w, h);
  free(pixels);
  free(file);
}

/* The cursor is needed where the player shows something. */
void app_fulfil_wishes(app *a)
{
  game_wishes *it = &a->game.wishes;
  bool is_ours = a->overlays.typing || a->overlays.inspects || a->rewind.shown || a->game.stopped || a->paused;
  if (!a->window.handle)
    return;
  const bool is_guest = a->options->guest;
  if (it->changed) {
    set_title(a);
    if (!is_guest && it->fullscreen != window_is_full_screen(&a->window) && !window_toggle_full_screen(&a->window))
      report_line(SDL_GetError());
  }
  it->changed = false;
  if (!options_are_repeatable(a->options))
    it->fullscreen = is_guest ? a->options->full_screen : window_is_full_screen(&a->window);
  window_show_cursor(&a->window, !it->no_cursor || is_ours || (is_guest && !a->options->full_screen));
}

void app_apply_settings(void *ud)
{
  app *a = ud;
  const game_settings *s = &a->game.settings;
  a->game.view.fills = a->options->guest;
  char title[256];
  bool lost = false, sized = s->width > 0 && s->height > 0 && !a->options->sized && !a->sized;
  options_title(a->options, title, sizeof title);
  snprintf(a->game.wishes.shown, sizeof a->game.wishes.shown, "%s", s->title[0] ? s->title : title);
  set_title(a);
  if (a->window.handle)
    set_icon(a);
  const int times = sized && s->scale != VIEW_NONE ? window_multiple(&a->window, s->width, s->height) : 1;
  if (sized && !window_resize(&a->window, s->width * times, s->height * times, &lost)) {
    report_line(SDL_GetError());
    a->code = APP_USAGE;
    a->ended = true;
  } else if (a->game.sprites && (lost || (a->window.renderer && sprites_are_nearest(a->game.sprites) != s->nearest))) {
    app_restore_graphics(a);
  } else if (!a->game.sprites) {
    app_load_graphics(a);
  }
  a->sized = true;
  input_log_fit_settings(&a->log, &a->window);
}
