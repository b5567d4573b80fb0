/*
** Numbers stand in columns of fixed width, aligned to the right, so that text does not move while they change.
*/
#include "demo/ui/hud_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define BAR_LEAST 24.0f  /* points; a shorter bar is left out */
#define TYPE_LETTERS 13  /* longer types are cut */
#define COLUMN_LETTERS 6 /* of a number */
#define COLUMN_RIGHT(i) (TYPE_LETTERS + COLUMN_LETTERS * ((i) + 1))

SDL_Color hud_shade(double number, SDL_Color color) { return number > 0 ? color : (SDL_Color){98, 102, 116, 255}; }

float hud_block_width(graphics *g)
{
  float w = panel_letter(g) * HUD_LETTERS, most = g->view.width - 4 * PANEL_MARGIN;
  return fmaxf(fminf(w, most), 1);
}

bool hud_has_badge(const hud *h) { return h->reloads.last != SP_POLL_NOTHING; }

void hud_badge(const hud *h, graphics *g, float x, float y)
{
  const hud_reloads *r = &h->reloads;
  char line[96];
  const char *outcome = r->last == SP_POLL_RELOADED ? "ok" : r->last == SP_POLL_REFUSED ? "refused" : "taken back";
  SDL_Color color = r->last == SP_POLL_RELOADED ? PANEL_GREEN : r->last == SP_POLL_REFUSED ? PANEL_RED : PANEL_YELLOW;
  snprintf(line, sizeof line, "%" PRIu64 " reload%s, last %s", r->done, r->done == 1 ? "" : "s", outcome);
  panel_text(g, x, y, color, line);
}

void hud_speed(const hud *h, graphics *g, float x, float y)
{
  char line[64];
  snprintf(line, sizeof line, "%3.0f fps", h->meter.fps);
  x += panel_text(g, x, y, PANEL_GREEN, line) + 2 * panel_letter(g);
  snprintf(line, sizeof line, "p50 %.2f  p99 %.2f ms", h->p50, h->p99);
  x += panel_text(g, x, y, h->p99 > HUD_FRAME_MS ? PANEL_YELLOW : PANEL_WHITE, line) + 2 * panel_letter(g);
  if (h->script) {
    snprintf(line, sizeof line, "Lua %.2f MiB", h->lua_bytes / 1048576);
    panel_text(g, x, y, PANEL_WHITE, line);
  }
}

void hud_columns(graphics *g, float x, float y, const hud_column *columns, int count)
{
  float letter = panel_letter(g);
  for (int i = 0; i < count; i++)
    panel_text_right(g, x + letter * (float)columns[i].right, y, columns[i].color, columns[i].text);
}

void hud_title_columns(graphics *g, float x, float y, const char *const *titles, const int *rights, int count)
{
  for (int i = 0; i < count; i++)
    panel_text_right(g, x + panel_letter(g) * (float)rights[i], y, PANEL_GREY, titles[i]);
}

void hud_titles(graphics *g, float x, float y)
{
  static const char *const titles[] = {"live", "idle", "peak", "limit"};
  static const int rights[] = {COLUMN_RIGHT(0), COLUMN_RIGHT(1), COLUMN_RIGHT(2), COLUMN_RIGHT(3)};
  panel_text(g, x, y, PANEL_GREY, "type");
  hud_title_columns(g, x, y, titles, rights, 4);
}

static void draw_bar(graphics *g, const sp_pool *pool, float x, float y, float w, float h)
{
  sp_stats s = sp_pool_stats(pool);
  uint32_t limit = stats_limit(pool), top = limit;
  float live, idle, peak, unit;
  bool full = limit != SP_UNLIMITED && s.live >= limit;
  if (w < BAR_LEAST)
    return;
  if (limit == SP_UNLIMITED || top < s.total)
    top = s.peak > s.total ? s.peak : s.total;
  unit = top > 0 ? w / (float)top : 0;
  live = (float)s.live * unit;
  idle = (float)s.idle * unit;
  peak = (float)s.peak * unit;
  g->color = (SDL_Color){255, 255, 255, 22};
  graphics_rect(g, x, y, w, h, true);
  g->color = (SDL_Color){96, 104, 130, 255};
  graphics_rect(g, x + live, y, idle, h, true);
  g->color = full ? PANEL_YELLOW : (SDL_Color){88, 190, 120, 255};
  graphics_rect(g, x, y, live, h, true);
  g->color = PANEL_WHITE;
  if (s.peak > 0)
    graphics_rect(g, x + (peak < w ? peak : w) - 1, y - 1, 1, h + 2, true);
}

void hud_pool(graphics *g, float x, float y, const sp_pool *pool)
{
  sp_stats s = sp_pool_stats(pool);
  uint32_t limit = stats_limit(pool), numbers[] = {s.live, s.idle, s.peak, limit};
  bool full = limit != SP_UNLIMITED && s.live >= limit;
  float letter = panel_letter(g), left = letter * (TYPE_LETTERS + 4 * COLUMN_LETTERS + 2), row = panel_row(g);
  char type[TYPE_LETTERS + 1];
  hud_column columns[4];
  for (int i = 0; i < 4; i++) {
    columns[i].right = COLUMN_RIGHT(i);
    columns[i].color = hud_shade(numbers[i], i > 0 ? PANEL_GREY : full ? PANEL_YELLOW : PANEL_WHITE);
    snprintf(columns[i].text, sizeof columns[i].text, "%" PRIu32, numbers[i]);
  }
  if (limit == SP_UNLIMITED)
    snprintf(columns[3].text, sizeof columns[3].text, "-");
  snprintf(type, sizeof type, "%s", sp_pool_type(pool));
  panel_text(g, x, y, PANEL_WHITE, type);
  hud_columns(g, x, y, columns, 4);
  draw_bar(g, pool, x + left, roundf(y + row * 0.25f), hud_block_width(g) - left, roundf(row * 0.45f));
}

void hud_more(graphics *g, float x, float y, uint32_t count)
{
  char more[32];
  snprintf(more, sizeof more, "%" PRIu32 " more", count);
  panel_text(g, x, y, PANEL_GREY, more);
}
