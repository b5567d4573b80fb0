#include "demo/ui/timeline.h"

#include <stdio.h>
#include <stdlib.h>

#include "demo/input/hotkeys.h"
#include "demo/ui/panel.h"

#define SECOND 60 /* frames that an arrow key moves; one with Shift, ten seconds with Ctrl */

void timeline_open(timeline *t, uint64_t last, double step)
{
  timeline_close(t);
  *t = (timeline){.shown = true, .at = last, .last = last, .step = step};
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

/* {== Events ============================================================= */

static void choose(timeline *t, int64_t frame)
{
  t->at = frame < 1 ? 1 : (uint64_t)frame > t->last ? t->last : (uint64_t)frame;
}

static void choose_at(timeline *t, int x)
{
  if (t->width > 0)
    choose(t, 1 + (int64_t)(((float)x - t->x) / t->width * (float)t->last));
}

static timeline_action press(timeline *t, const SDL_Keysym *key)
{
  int64_t by = key->mod & KMOD_SHIFT ? 1 : key->mod & KMOD_CTRL ? 10 * SECOND : SECOND;
  switch (key->sym) {
  case SDLK_LEFT:
    choose(t, (int64_t)t->at - by);
    return TIMELINE_USED;
  case SDLK_RIGHT:
    choose(t, (int64_t)t->at + by);
    return TIMELINE_USED;
  case SDLK_HOME:
    choose(t, 1);
    return TIMELINE_USED;
  case SDLK_END:
    choose(t, (int64_t)t->last);
    return TIMELINE_USED;
  case SDLK_RETURN:
  case SDLK_KP_ENTER:
    return TIMELINE_GO;
  case SDLK_ESCAPE:
    return TIMELINE_CLOSE;
  default:
    return hotkeys_action(hotkeys_code(key)) == KEY_TIMELINE ? TIMELINE_CLOSE : TIMELINE_IGNORED;
  }
}

timeline_action timeline_event(timeline *t, const SDL_Event *event)
{
  switch (event->type) {
  case SDL_KEYDOWN:
    return press(t, &event->key.keysym);
  case SDL_MOUSEBUTTONDOWN:
    t->held = event->button.button == SDL_BUTTON_LEFT;
    choose_at(t, event->button.x);
    return TIMELINE_USED;
  case SDL_MOUSEBUTTONUP:
    t->held = false;
    return TIMELINE_USED;
  case SDL_MOUSEMOTION:
    if (t->held)
      choose_at(t, event->motion.x);
    return TIMELINE_USED;
  default:
    return TIMELINE_IGNORED;
  }
}

/* }== */

/* {== The picture ======================================================== */

#define STRIP 18.0f /* height, points */

static float place_of(const timeline *t, uint64_t frame)
{
  return t->x + t->width * (float)frame / (float)(t->last > 0 ? t->last : 1);
}

static void draw_marks(const timeline *t, graphics *g, float y)
{
  static const SDL_Color colors[] = {
      [TIMELINE_INPUT] = {150, 160, 190, 120}, [TIMELINE_RELOAD] = PANEL_GREEN, [TIMELINE_ERROR] = PANEL_RED};
  for (size_t i = 0; i < t->count; i++) {
    g->color = colors[t->marks[i].kind];
    graphics_rect(g, place_of(t, t->marks[i].frame), y, t->marks[i].kind == TIMELINE_INPUT ? 1 : 2, STRIP, true);
  }
}

void timeline_draw(timeline *t, graphics *g)
{
  char line[160];
  float row = panel_row(g), height = STRIP + 2 * row + 3 * PANEL_MARGIN;
  float y = g->view.height - height - PANEL_MARGIN;
  if (!t->shown)
    return;
  t->x = 2 * PANEL_MARGIN;
  t->width = g->view.width - 4 * PANEL_MARGIN;
  panel_page(g, PANEL_MARGIN, y, t->width + 2 * PANEL_MARGIN, height);
  y += PANEL_MARGIN;
  snprintf(line, sizeof line, "frame %llu of %llu, %.1f s before now", (unsigned long long)t->at,
           (unsigned long long)t->last, (double)(t->last - t->at) * t->step);
  panel_text_cut(g, t->x, y, t->width, PANEL_WHITE, line);
  y += row;
  g->color = (SDL_Color){255, 255, 255, 18};
  graphics_rect(g, t->x, y, t->width, STRIP, true);
  draw_marks(t, g, y);
  g->color = PANEL_YELLOW;
  graphics_rect(g, place_of(t, t->at) - 1, y - 2, 2, STRIP + 4, true);
  panel_text_cut(g, t->x, y + STRIP + PANEL_MARGIN, t->width, PANEL_GREY,
                 "arrows (Shift: a frame, Ctrl: 10 s) or mouse. Enter: continue from there. Esc: close");
}

/* }== */
