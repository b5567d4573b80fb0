/*
** The compact HUD, the list of keys, and what both levels of the HUD share per frame; hud_full.c draws the full one.
*/
#include "demo/ui/hud.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "demo/input/hotkeys.h"
#include "demo/ui/hud_full.h"
#include "demo/ui/hud_parts.h"
#include "script/host/inspect.h"

#define RENEW 0.5 /* seconds between two updates of the numbers */

/* {== Levels ============================================================= */

void hud_open(hud *h, sp_script *script) { h->script = script; }

void hud_close(hud *h) { hud_history_clear(&h->history); }

void hud_next(hud *h)
{
  static const hud_level next[] = {[HUD_OFF] = HUD_COMPACT, [HUD_COMPACT] = HUD_FULL, [HUD_FULL] = HUD_OFF};
  h->level = next[h->level];
  if (h->script)
    sp_script_time_hooks(h->script, h->level == HUD_FULL);
  if (h->level == HUD_OFF)
    hud_history_clear(&h->history);
}

/* }== */

/* {== Drawing ============================================================ */

static void draw_compact(hud *h, graphics *g, const sp_manager *pools)
{
  uint32_t count = sp_count_pools(pools), shown, head = 2 + hud_has_badge(h);
  float row = panel_row(g), left = 2 * PANEL_MARGIN, top = 2 * PANEL_MARGIN, y = top;
  float rows_free = (g->view.height - 4 * PANEL_MARGIN) / row - (float)(head + 1);
  shown = hud_fit(h, rows_free > 0 ? (uint32_t)rows_free : 0, count);
  hud_plate(h, g, PANEL_MARGIN, PANEL_MARGIN, hud_block_width(g) + 2 * PANEL_MARGIN,
            row * (float)(head + shown + (shown < count)) + 2 * PANEL_MARGIN);
  if (hud_has_badge(h)) {
    hud_badge(h, g, left, y);
    y += row;
  }
  hud_speed(h, g, left, y);
  hud_titles(g, left, y + row);
  for (uint32_t i = 0; i < shown; i++)
    hud_pool(g, left, top + row * (float)(head + i), sp_get_pool(pools, h->first + i));
  if (shown < count)
    hud_more(h, g, left, top + row * (float)(head + shown), count);
}

static void renew(hud *h, const stats *s, double now)
{
  stats_meter_read(&h->meter, s, now);
  h->p50 = stats_percentile(s, 0.5);
  h->p99 = stats_percentile(s, 0.99);
  h->lua_bytes = h->script ? hud_history_heap(h->script) : 0;
}

void hud_draw(hud *h, graphics *g, const sp_manager *pools, const stats *s, double now)
{
  h->area = (SDL_FRect){0};
  if (h->level == HUD_OFF)
    return;
  if (now - h->meter.time >= RENEW)
    renew(h, s, now);
  int letters = hud_block_letters(g);
  if (h->level == HUD_FULL)
    hud_history_take(&h->history, h->script, pools, s->count, now);
  if (h->level == HUD_FULL && letters >= HUD_LETTERS)
    hud_draw_full(h, g, pools, s);
  else if (letters >= HUD_LEAST)
    draw_compact(h, g, pools);
}

/* }== */

/* {== Pages ============================================================== */

static bool is_over(const SDL_FRect *area, float x, float y)
{
  return x >= area->x && x < area->x + area->w && y >= area->y && y < area->y + area->h;
}

void hud_page(hud *h)
{
  if (h->level != HUD_OFF && h->shown < h->all)
    h->first = h->first + h->shown < h->all ? h->first + (h->shown > 0 ? h->shown : 1) : 0;
}

bool hud_event(hud *h, const SDL_Event *event)
{
  if (event->type == SDL_MOUSEMOTION) {
    h->mouse_x = (float)event->motion.x;
    h->mouse_y = (float)event->motion.y;
  }
  if (event->type != SDL_MOUSEWHEEL || h->level == HUD_OFF || h->shown >= h->all ||
      !is_over(&h->area, h->mouse_x, h->mouse_y))
    return false;
  if (event->wheel.y < 0)
    h->first++; /* the next drawing keeps it within the pools */
  else if (event->wheel.y > 0 && h->first > 0)
    h->first--;
  return true;
}

/* }== */

/* {== Help =============================================================== */

void hud_help(graphics *g)
{
  size_t count;
  const key_row *rows = hotkeys_all(&count);
  float row = panel_row(g), title = panel_title_row(g), letter = panel_letter(g);
  size_t longest = 0;
  for (size_t i = 0; i < count; i++)
    longest = strlen(rows[i].help) > longest ? strlen(rows[i].help) : longest;
  float w = fminf(letter * (float)(6 + longest) + 2 * PANEL_MARGIN, g->view.width);
  float h = title + row * (float)count + 2 * PANEL_MARGIN;
  float x = (g->view.width - w) / 2, y = (g->view.height - h) / 2;
  panel_plate(g, x, y, w, h);
  panel_title(g, x + PANEL_MARGIN, y + PANEL_MARGIN, PANEL_WHITE, "Keys");
  for (size_t i = 0; i < count; i++) {
    float top = y + PANEL_MARGIN + title + row * (float)i;
    panel_text(g, x + PANEL_MARGIN, top, PANEL_GREEN, rows[i].name);
    panel_text_cut(g, x + PANEL_MARGIN + letter * 6, top, w - 2 * PANEL_MARGIN - letter * 6, PANEL_WHITE, rows[i].help);
  }
}

/* }== */
