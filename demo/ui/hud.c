/*
** Numbers stand in columns of fixed width, aligned to the right, so that nothing jumps while it counts. Both levels
** have the same first row per pool; the full one adds a second (hud_full.c).
*/
#include "demo/ui/hud.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "demo/input/hotkeys.h"
#include "demo/ui/hud_parts.h"
#include "script/host/inspect.h"

#define RENEW 0.5        /* seconds between two readings of the meter */
#define BAR_LEAST 24.0f  /* points; a shorter bar is left out */
#define TYPE_LETTERS 13  /* longer types are cut */
#define COLUMN_LETTERS 6 /* of a number */

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

/* {== Parts ============================================================== */

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

void hud_titles(graphics *g, float x, float y)
{
  static const char *const titles[] = {"live", "idle", "peak", "limit"};
  hud_column columns[4];
  for (int i = 0; i < 4; i++) {
    columns[i].right = TYPE_LETTERS + COLUMN_LETTERS * (i + 1);
    columns[i].color = PANEL_GREY;
    snprintf(columns[i].text, sizeof columns[i].text, "%s", titles[i]);
  }
  panel_text(g, x, y, PANEL_GREY, "type");
  hud_columns(g, x, y, columns, 4);
}

static uint32_t limit_of(const sp_pool *pool)
{
  uint32_t limit = sp_pool_settings(pool).limit;
  return limit == SP_NO_OBJECTS ? 0 : limit;
}

void hud_bar(graphics *g, const sp_pool *pool, float x, float y, float w, float h)
{
  sp_stats s = sp_pool_stats(pool);
  uint32_t limit = limit_of(pool), top = limit;
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
  uint32_t limit = limit_of(pool), numbers[] = {s.live, s.idle, s.peak, limit};
  bool full = limit != SP_UNLIMITED && s.live >= limit;
  float letter = panel_letter(g), left = letter * (TYPE_LETTERS + 4 * COLUMN_LETTERS + 2), row = panel_row(g);
  char type[TYPE_LETTERS + 1];
  hud_column columns[4];
  for (int i = 0; i < 4; i++) {
    columns[i].right = TYPE_LETTERS + COLUMN_LETTERS * (i + 1);
    columns[i].color = hud_shade(numbers[i], i > 0 ? PANEL_GREY : full ? PANEL_YELLOW : PANEL_WHITE);
    snprintf(columns[i].text, sizeof columns[i].text, "%" PRIu32, numbers[i]);
  }
  if (limit == SP_UNLIMITED)
    snprintf(columns[3].text, sizeof columns[3].text, "-");
  snprintf(type, sizeof type, "%s", sp_pool_type(pool));
  panel_text(g, x, y, PANEL_WHITE, type);
  hud_columns(g, x, y, columns, 4);
  hud_bar(g, pool, x + left, roundf(y + row * 0.25f), hud_block_width(g) - left, roundf(row * 0.45f));
}

void hud_more(graphics *g, float x, float y, uint32_t count)
{
  char more[32];
  snprintf(more, sizeof more, "%" PRIu32 " more", count);
  panel_text(g, x, y, PANEL_GREY, more);
}

/* }== */

/* {== Drawing ============================================================ */

static void draw_compact(const hud *h, graphics *g, const sp_manager *pools)
{
  uint32_t count = sp_count_pools(pools), shown = count, head = 2 + hud_has_badge(h);
  float row = panel_row(g), left = 2 * PANEL_MARGIN, top = 2 * PANEL_MARGIN, y = top;
  float rows_free = (g->view.height - 4 * PANEL_MARGIN) / row - (float)(head + 1);
  if ((float)shown > rows_free)
    shown = rows_free > 0 ? (uint32_t)rows_free : 0;
  panel_plate(g, PANEL_MARGIN, PANEL_MARGIN, hud_block_width(g) + 2 * PANEL_MARGIN,
              row * (float)(head + shown + (shown < count)) + 2 * PANEL_MARGIN);
  if (hud_has_badge(h)) {
    hud_badge(h, g, left, y);
    y += row;
  }
  hud_speed(h, g, left, y);
  hud_titles(g, left, y + row);
  for (uint32_t i = 0; i < shown; i++)
    hud_pool(g, left, top + row * (float)(head + i), sp_get_pool(pools, i));
  if (shown < count)
    hud_more(g, left, top + row * (float)(head + shown), count - shown);
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
  if (h->level == HUD_OFF)
    return;
  if (now - h->meter.time >= RENEW)
    renew(h, s, now);
  if (h->level == HUD_FULL) {
    hud_history_take(&h->history, h->script, pools, s->count, now);
    hud_draw_full(h, g, pools, s);
  } else {
    draw_compact(h, g, pools);
  }
}

/* }== */

/* {== Help =============================================================== */

void hud_help(graphics *g)
{
  size_t count;
  const key_row *rows = hotkeys_all(&count);
  float row = panel_row(g), title = panel_title_row(g), letter = panel_letter(g), w = letter * 42 + 2 * PANEL_MARGIN;
  float h = title + row * (float)count + 2 * PANEL_MARGIN;
  float x = (g->view.width - w) / 2, y = (g->view.height - h) / 2;
  panel_plate(g, x, y, w, h);
  panel_title(g, x + PANEL_MARGIN, y + PANEL_MARGIN, PANEL_WHITE, "Keys");
  for (size_t i = 0; i < count; i++) {
    float top = y + PANEL_MARGIN + title + row * (float)i;
    panel_text(g, x + PANEL_MARGIN, top, PANEL_GREEN, rows[i].name);
    panel_text(g, x + PANEL_MARGIN + letter * 6, top, PANEL_WHITE, rows[i].help);
  }
}

/* }== */
