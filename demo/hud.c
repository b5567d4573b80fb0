/*
** Numbers stand in columns of fixed width, aligned to the right, so that nothing jumps while it counts.
*/
#include "demo/hud.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "demo/keys.h"

#define RENEW 0.5       /* seconds between two readings of the meter */
#define TYPE_LETTERS 16 /* longer types are cut */
#define NUMBER_LETTERS 8
#define COLUMNS 3

/* {== Pools ============================================================== */

static void draw_numbers(graphics *g, float x, float y, const uint32_t *numbers, SDL_Color color)
{
  float letter = panel_letter(g);
  for (int i = 0; i < COLUMNS; i++) {
    char word[16];
    snprintf(word, sizeof word, "%" PRIu32, numbers[i]);
    panel_text_right(g, x + letter * (float)(TYPE_LETTERS + NUMBER_LETTERS * (i + 1)), y, color, word);
  }
}

static bool has_reloads(const hud *h) { return h->reloads && h->reloads->last != SP_POLL_NOTHING; }

static void draw_badge(const reloads *r, graphics *g, float x, float y)
{
  char line[96];
  const char *outcome = r->last == SP_POLL_RELOADED ? "ok" : r->last == SP_POLL_REFUSED ? "refused" : "taken back";
  SDL_Color color = r->last == SP_POLL_RELOADED ? PANEL_GREEN : r->last == SP_POLL_REFUSED ? PANEL_RED : PANEL_YELLOW;
  snprintf(line, sizeof line, "%" PRIu64 " reload%s, last %s", r->done, r->done == 1 ? "" : "s", outcome);
  panel_text(g, x, y, color, line);
}

static void draw_head(const hud *h, graphics *g, float x, float y)
{
  static const char *const titles[COLUMNS] = {"live", "idle", "peak"};
  float letter = panel_letter(g);
  char line[64];
  snprintf(line, sizeof line, "%.0f fps  %.2f ms", h->meter.fps, h->ms);
  panel_text(g, x, y, PANEL_GREEN, line);
  y += panel_row(g);
  panel_text(g, x, y, PANEL_GREY, "type");
  for (int i = 0; i < COLUMNS; i++)
    panel_text_right(g, x + letter * (float)(TYPE_LETTERS + NUMBER_LETTERS * (i + 1)), y, PANEL_GREY, titles[i]);
}

static void draw_pool(graphics *g, float x, float y, const sp_pool *pool)
{
  sp_stats s = sp_pool_stats(pool);
  uint32_t numbers[COLUMNS] = {s.live, s.idle, s.peak};
  sp_settings settings = sp_pool_settings(pool);
  bool full = settings.limit != SP_UNLIMITED && s.live >= settings.limit;
  char type[TYPE_LETTERS + 1];
  snprintf(type, sizeof type, "%s", sp_pool_type(pool));
  panel_text(g, x, y, PANEL_WHITE, type);
  draw_numbers(g, x, y, numbers, full ? PANEL_YELLOW : PANEL_WHITE);
}

void hud_draw(hud *h, graphics *g, const sp_manager *pools, const stats *s, double now)
{
  uint32_t count = sp_pool_count(pools), shown = count, head = 2 + has_reloads(h);
  float row = panel_row(g), left = 2 * PANEL_MARGIN, top = 2 * PANEL_MARGIN;
  float w = panel_letter(g) * (TYPE_LETTERS + NUMBER_LETTERS * COLUMNS) + 2 * PANEL_MARGIN;
  float rows_free = (g->view.height - 4 * PANEL_MARGIN) / row - (float)(head + 1);
  if (now - h->meter.time >= RENEW) {
    stats_meter_read(&h->meter, s, now);
    h->ms = stats_percentile(s, 0.5);
  }
  if ((float)shown > rows_free)
    shown = rows_free > 0 ? (uint32_t)rows_free : 0;
  panel_plate(g, PANEL_MARGIN, PANEL_MARGIN, w, row * (float)(head + shown + (shown < count)) + 2 * PANEL_MARGIN);
  if (has_reloads(h))
    draw_badge(h->reloads, g, left, top);
  draw_head(h, g, left, top + row * (float)(head - 2));
  for (uint32_t i = 0; i < shown; i++)
    draw_pool(g, left, top + row * (float)(head + i), sp_pool_at(pools, i));
  if (shown < count) {
    char more[32];
    snprintf(more, sizeof more, "%" PRIu32 " more", count - shown);
    panel_text(g, left, top + row * (float)(head + shown), PANEL_GREY, more);
  }
}

/* }== */

/* {== Help =============================================================== */

void hud_help(graphics *g)
{
  size_t count;
  const key_row *rows = keys_all(&count);
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
