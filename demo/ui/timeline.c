#include "demo/ui/timeline.h"

#include <stdio.h>
#include <stdlib.h>

#include "demo/input/hotkeys.h"
#include "demo/ui/panel.h"

#define SECOND 60      /* frames that an arrow key moves; one with Shift, ten seconds with Ctrl */
#define BACK_A_FRAME 1 /* frames that Backspace goes back in each frame of the window */

void timeline_open(timeline *t, uint64_t first, uint64_t last, double step)
{
  timeline_close(t);
  *t = (timeline){.shown = true, .at = last, .first = first, .last = last, .step = step, .progress = -1};
}

void timeline_close(timeline *t)
{
  free(t->marks);
  *t = (timeline){.shown = false};
}

void timeline_add(timeline *t, uint64_t frame, timeline_kind kind)
{
  if (t->count == t->room) {
    size_t room = t->room ? 2 * t->room : 64;
    timeline_mark *grown = realloc(t->marks, room * sizeof *grown);
    if (!grown)
      return;
    t->marks = grown;
    t->room = room;
  }
  t->marks[t->count++] = (timeline_mark){frame, kind};
}

bool timeline_has_stretch(const timeline *t) { return t->from > 0 && t->from < t->to; }

/* {== Events ============================================================= */

static void choose(timeline *t, int64_t frame)
{
  t->at = frame < (int64_t)t->first ? t->first : (uint64_t)frame > t->last ? t->last : (uint64_t)frame;
  t->plays = false;
}

static void choose_at(timeline *t, int x)
{
  if (t->width > 0)
    choose(t, (int64_t)t->first + (int64_t)(((float)x - t->x) / t->width * (float)(t->last - t->first + 1)));
}

void timeline_step(timeline *t)
{
  if (t->backs)
    choose(t, (int64_t)t->at - BACK_A_FRAME);
}

/* Marks an end of the stretch at the chosen frame. If that end is already there, both are removed. */
static timeline_action mark(timeline *t, uint64_t *end)
{
  if (*end == t->at)
    t->from = t->to = 0;
  else
    *end = t->at;
  if (t->from >= t->to && t->from > 0 && t->to > 0) /* out of order: the other end goes */
    *(end == &t->from ? &t->to : &t->from) = 0;
  t->plays = timeline_has_stretch(t);
  return TIMELINE_MARK;
}

static timeline_action move(timeline *t, int64_t by)
{
  choose(t, (int64_t)t->at + by);
  return TIMELINE_USED;
}

static timeline_action press(timeline *t, const SDL_KeyboardEvent *event)
{
  const SDL_Keysym *key = &event->keysym;
  int64_t by = key->mod & KMOD_SHIFT ? 1 : key->mod & KMOD_CTRL ? 10 * SECOND : SECOND;
  switch (key->sym) {
  case SDLK_LEFT:
    return move(t, -by);
  case SDLK_RIGHT:
    return move(t, by);
  case SDLK_HOME:
    return move(t, -(int64_t)t->at);
  case SDLK_END:
    return move(t, (int64_t)(t->last - t->at));
  case SDLK_BACKSPACE:
    t->backs = true;
    return TIMELINE_USED;
  case SDLK_SPACE:
    t->plays = event->repeat ? t->plays : !t->plays;
    return TIMELINE_USED;
  case SDLK_LEFTBRACKET:
    return event->repeat ? TIMELINE_USED : mark(t, &t->from);
  case SDLK_RIGHTBRACKET:
    return event->repeat ? TIMELINE_USED : mark(t, &t->to);
  case SDLK_RETURN:
  case SDLK_KP_ENTER:
    return TIMELINE_GO;
  case SDLK_ESCAPE:
    return TIMELINE_CLOSE;
  default:
    return hotkeys_action(hotkeys_code(key)) == KEY_TIMELINE ? TIMELINE_CLOSE : TIMELINE_IGNORED;
  }
}

static timeline_action release(timeline *t, SDL_Keycode key)
{
  if (key != SDLK_BACKSPACE || !t->backs)
    return TIMELINE_IGNORED;
  t->backs = false;
  return t->goes_on ? TIMELINE_GO : TIMELINE_USED;
}

static bool is_on_strip(const timeline *t, int x, int y)
{
  return (float)x >= t->x && (float)x < t->x + t->width && (float)y >= t->y && (float)y < t->y + t->height;
}

timeline_action timeline_event(timeline *t, const SDL_Event *event)
{
  switch (event->type) {
  case SDL_KEYDOWN:
    return press(t, &event->key);
  case SDL_KEYUP:
    return release(t, event->key.keysym.sym);
  case SDL_MOUSEBUTTONDOWN:
    if (event->button.button != SDL_BUTTON_LEFT || !is_on_strip(t, event->button.x, event->button.y))
      return TIMELINE_IGNORED;
    t->held = true;
    choose_at(t, event->button.x);
    return TIMELINE_USED;
  case SDL_MOUSEBUTTONUP:
    if (!t->held)
      return TIMELINE_IGNORED;
    t->held = false;
    return TIMELINE_USED;
  case SDL_MOUSEMOTION:
    if (!t->held)
      return TIMELINE_IGNORED;
    choose_at(t, event->motion.x);
    return TIMELINE_USED;
  default:
    return TIMELINE_IGNORED;
  }
}

/* }== */

/* {== The picture ======================================================== */

#define STRIP 36.0f /* height, points */
#define MARKS 8.0f  /* height of the marks below it */

SDL_FPoint timeline_strip(float view_width) { return (SDL_FPoint){view_width - 4 * PANEL_MARGIN, STRIP}; }

static float place_of(const timeline *t, uint64_t frame)
{
  uint64_t all = t->last > t->first ? t->last - t->first : 1;
  frame = frame > t->first ? frame - t->first : 0;
  return t->x + t->width * (float)frame / (float)all;
}

static void draw_texture(graphics *g, SDL_Texture *texture, float x, float y, float w, float h)
{
  batch_area all = {texture, 0, 0, 1, 1};
  batch_rect(g->out, &all, x, y, w, h, (SDL_Color){255, 255, 255, 255});
}

static void draw_marks(const timeline *t, graphics *g, float y)
{
  static const SDL_Color colors[] = {
      [TIMELINE_INPUT] = {150, 160, 190, 160}, [TIMELINE_RELOAD] = PANEL_GREEN, [TIMELINE_ERROR] = PANEL_RED};
  for (size_t i = 0; i < t->count; i++) {
    g->color = colors[t->marks[i].kind];
    graphics_rect(g, place_of(t, t->marks[i].frame), y, t->marks[i].kind == TIMELINE_INPUT ? 1 : 2, MARKS, true);
  }
}

static void draw_stretch(const timeline *t, graphics *g)
{
  uint64_t from = t->from ? t->from : t->to, to = t->to ? t->to : t->from;
  if (!to)
    return;
  float x = place_of(t, from), end = place_of(t, to);
  g->color = (SDL_Color){250, 210, 100, 70};
  graphics_rect(g, x, t->y, end - x, STRIP, true);
  g->color = PANEL_YELLOW;
  for (int i = 0; i < 2; i++) {
    float at = i ? end : x;
    graphics_rect(g, at - 1, t->y - 3, 2, STRIP + 6, true);
    graphics_rect(g, i ? at - 5 : at, t->y - 3, 5, 2, true);
    graphics_rect(g, i ? at - 5 : at, t->y + STRIP + 1, 5, 2, true);
  }
}

static void draw_cursor(const timeline *t, graphics *g)
{
  g->color = PANEL_WHITE;
  graphics_rect(g, place_of(t, t->at) - 1, t->y - 2, 2, STRIP + MARKS + 6, true);
  if (t->progress < 0)
    return;
  g->color = PANEL_GREEN;
  graphics_rect(g, t->x, t->y + STRIP - 2, t->width * t->progress, 2, true);
}

void timeline_draw_still(const timeline *t, graphics *g)
{
  if (t->shown && t->still)
    draw_texture(g, t->still, 0, 0, g->view.width, g->view.height);
}

/* Returns whether the window is too narrow for the list of keys, which F1 shows, too. */
static bool is_narrow(const graphics *g) { return g->view.width < 560; }

static void draw_head(const timeline *t, graphics *g, float y)
{
  char line[160], frame[40] = "";
  if (!is_narrow(g))
    snprintf(frame, sizeof frame, ", frame %llu", (unsigned long long)t->at);
  snprintf(line, sizeof line, "%.1f s before now%s%s", (double)(t->last - t->at) * t->step, frame,
           t->backs   ? ", backwards"
           : t->plays ? ", playing"
                      : "");
  panel_text_cut(g, t->x, y, t->width, PANEL_WHITE, line);
}

static bool has_foot(const timeline *t, const graphics *g) { return t->note || !is_narrow(g); }

float timeline_height(const timeline *t, graphics *g)
{
  float row = panel_row(g), foot = has_foot(t, g) ? row + PANEL_MARGIN : 0, margin = PANEL_MARGIN / 2;
  return t->shown ? margin + row + margin + STRIP + MARKS + margin + foot + PANEL_MARGIN : 0;
}

void timeline_draw(timeline *t, graphics *g)
{
  float row = panel_row(g), margin = PANEL_MARGIN / 2, height = timeline_height(t, g);
  float y = g->view.height - height;
  if (!t->shown)
    return;
  t->x = 2 * PANEL_MARGIN;
  t->width = timeline_strip(g->view.width).x;
  t->height = STRIP + MARKS;
  panel_plate(g, PANEL_MARGIN, y, t->width + 2 * PANEL_MARGIN, height - PANEL_MARGIN);
  y += margin;
  draw_head(t, g, y);
  t->y = y + row + margin;
  g->color = (SDL_Color){255, 255, 255, 18};
  graphics_rect(g, t->x, t->y, t->width, STRIP, true);
  if (t->pictures)
    draw_texture(g, t->pictures, t->x, t->y, t->width, STRIP);
  draw_marks(t, g, t->y + STRIP + 2);
  draw_stretch(t, g);
  draw_cursor(t, g);
  if (has_foot(t, g))
    panel_text_cut(g, t->x, t->y + STRIP + MARKS + margin, t->width, t->note ? PANEL_YELLOW : PANEL_GREY,
                   t->note ? t->note : "arrows, mouse   Enter: continue here   Space: play   [ ] loop   Esc: close");
}

/* }== */
