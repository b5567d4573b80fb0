#include "demo/app/overlays.h"

#include <stdio.h>
#include <string.h>

#include "demo/app/stop_message.h"
#include "demo/ui/inspector_panel.h"

void overlays_open(overlays *o, const options *given, game *it, const hot_reload *r, const window *w)
{
  o->options = given;
  o->game = it;
  console_open(&o->console, it->script);
  o->reload = r;
  hud_open(&o->hud, it->script);
  inspector_open(&o->inspector, it->script, w, &it->view);
}

void overlays_rewound(overlays *o)
{
  sp_script_time_hooks(o->game->script, o->hud.level == HUD_FULL);
  hud_history_clear(&o->hud.history);
  slot_map_close(&o->inspector.map); /* the next drawing opens it again */
  o->inspector.editing = -1;
}

void overlays_close(overlays *o)
{
  timeline_close(&o->timeline);
  hud_close(&o->hud);
  inspector_close(&o->inspector);
  console_close(&o->console);
  batch_free(&o->batch);
}

void overlays_use_graphics(overlays *o)
{
  o->graphics.sprites = o->game->sprites;
  o->graphics.text = o->game->text;
  batch_clear(&o->batch);
  slot_map_close(&o->inspector.map); /* the next drawing opens it again */
}

void overlays_report(overlays *o, sp_report kind, const char *message, double now)
{
  static const notice_kind kinds[] = {
      [SP_REPORT_WARNING] = NOTICE_WARNING, [SP_REPORT_ERROR] = NOTICE_ERROR, [SP_REPORT_RELOAD] = NOTICE_SUCCESS};
  const char *shown = o->game ? game_shortened(o->game, message) : message;
  console_add(&o->console, kind, shown);
  if (kind != SP_REPORT_PRINT && !o->console.shown)
    notice_set(&o->notice, kinds[kind], shown, now);
}

void overlays_clear_error(overlays *o)
{
  notice_clear_error(&o->notice);
  o->shows_asset_error = o->shows_rejected = false;
}

/* Shows or clears an error of an asset in the notice. Errors of code take precedence. */
static void show_asset_error(overlays *o, const hot_reload *r)
{
  const char *consequence, *problem = hot_reload_problem(r, &consequence);
  bool is_free = o->notice.error[0] == '\0' || o->shows_asset_error;
  if (problem && is_free && (!o->shows_asset_error || r->loaded != ASSETS_UNCHANGED))
    notice_set_error(&o->notice, NOTICE_ERROR, problem, consequence);
  else if (!problem && o->shows_asset_error)
    notice_clear_error(&o->notice);
  o->shows_asset_error = problem && is_free;
}

/* While the latest text of a file is still rejected, although another file was reloaded since, the notice says so. */
static void show_rejected(overlays *o)
{
  const char *names = sp_script_rejected(o->game->script);
  if (names && (o->shows_rejected || o->notice.error[0] == '\0')) {
    char line[NOTICE_MOST];
    snprintf(line, sizeof line, "still rejected: %s", names);
    notice_set_state(&o->notice, NOTICE_WARNING, line);
    o->shows_rejected = true;
  } else if (o->shows_rejected) {
    notice_clear_error(&o->notice);
    o->shows_rejected = false;
  }
}

void overlays_report_reload(overlays *o, const hot_reload *r, sp_poll_result result)
{
  const char *error = sp_script_error(o->game->script);
  if (result != SP_POLL_NOTHING)
    overlays_clear_error(o);
  if (result != SP_POLL_NOTHING && result != SP_POLL_RELOADED)
    notice_set_error(&o->notice, result == SP_POLL_REFUSED ? NOTICE_ERROR : NOTICE_WARNING,
                     game_shortened(o->game, error ? error : "not reloaded"), hot_reload_line(r));
  show_rejected(o);
  show_asset_error(o, r);
}

/* An edit made while the timeline is open is in no input, so it could not be played again. */
static const char *why_locked(const overlays *o)
{
  return o->timeline.shown ? "the timeline is open: press Enter to continue from here, then edit" : NULL;
}

bool overlays_event(overlays *o, const SDL_Event *event)
{
  inspector_lock(&o->inspector, why_locked(o));
  return console_event(&o->console, event) || inspector_event(&o->inspector, event, game_pools(o->game)) ||
         hud_event(&o->hud, event);
}

void overlays_copy_error(overlays *o, double now)
{
  notice *n = &o->notice;
  bool has_error = n->error[0] != '\0', stopped = o->game->stopped;
  if ((stopped || has_error) && stop_message_copy(o->options, o->game->script, stopped ? NULL : n->consequence))
    notice_set(n, NOTICE_INFO, "copied", now);
}

bool overlays_dismiss(overlays *o)
{
  if (o->help_shown)
    o->help_shown = false;
  else if (o->inspector.shown)
    inspector_toggle(&o->inspector);
  else
    return false;
  return true;
}

/* Draws the reason on a plate, because it may overlap the HUD. */
static void draw_paused(graphics *g, const char *why)
{
  float w = panel_letter(g) * (float)strlen(why), right = g->view.width - PANEL_MARGIN;
  panel_plate(g, right - w - 4, PANEL_MARGIN - 3, w + 8, panel_row(g) + 4);
  panel_text_right(g, right, PANEL_MARGIN, PANEL_YELLOW, why);
}

/* Moves the quads from `first` on to the right, to make room for an inspector at the left. */
static void make_way(const inspector *it, batch *b, size_t first, float w)
{
  for (SDL_Vertex *v = b->vertices + first * 4; it->at_left && v < b->vertices + b->quads * 4; v++)
    v->position.x += w;
}

void overlays_draw(overlays *o, const draw_view *view, const stats *s, const char *paused, bool bare, double now)
{
  graphics *g = &o->graphics;
  sp_manager *pools = game_pools(o->game);
  bool stopped = o->game->stopped;
  size_t first;
  float inspected;
  batch_clear(&o->batch);
  graphics_begin(g, &o->batch, view);
  timeline_draw_still(&o->timeline, g);
  if (o->timeline.shown && !o->timeline.still && o->draw_paths)
    o->draw_paths(o->paths_ud, g);
  inspector_draw(&o->inspector, g, pools, now);
  inspected = inspector_width(&o->inspector, view->width);
  first = o->batch.quads;
  g->view.width -= inspected; /* the width left for the others */
  if (stopped)
    stop_message_draw(g, o->options, o->game->script);
  o->hud.reloads = (hud_reloads){o->reload->done, o->reload->last, hot_reload_line(o->reload)};
  if (pools)
    hud_draw(&o->hud, g, pools, s, now);
  if (paused)
    draw_paused(g, paused);
  if (o->help_shown)
    hud_help(g);
  float below = timeline_height(&o->timeline, g);
  g->view.height -= below;
  if (!o->options->headless && !bare)
    (stopped ? notice_draw_info : notice_draw)(&o->notice, g, now);
  g->view.height += below;
  timeline_draw(&o->timeline, g);
  console_draw(&o->console, g);
  make_way(&o->inspector, &o->batch, first, inspected);
  if (o->inspector.at_left)
    o->hud.area.x += inspected;
  graphics_end(g);
}
