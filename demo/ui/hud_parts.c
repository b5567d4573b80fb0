/*
** Numbers stand in columns of fixed width, aligned to the right, so that text does not move while they change.
*/
#include "demo/ui/hud_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define BAR_LEAST 24.0f  /* points; a shorter bar is left out */
#define TYPE_LETTERS 13  /* longer types are cut */
#define TYPE_LEAST 7     /* letters of a type in a narrow window */
#define COLUMN_LETTERS 6 /* of a number */
#define COLUMNS 4

/* The parts of a row that fit: columns are left out from the right. */
typedef struct layout {
  int type, columns; /* letters of a type; numbers */
} layout;

static layout layout_of(graphics *g)
{
  int letters = hud_block_letters(g), type = letters - COLUMNS * COLUMN_LETTERS;
  type = type < TYPE_LEAST ? TYPE_LEAST : type < TYPE_LETTERS ? type : TYPE_LETTERS;
  int columns = (letters - type) / COLUMN_LETTERS;
  return (layout){type, columns < 0 ? 0 : columns < COLUMNS ? columns : COLUMNS};
}

static int right_of(const layout *l, int column) { return l->type + COLUMN_LETTERS * (column + 1); }

SDL_Color hud_shade(double number, SDL_Color color) { return number > 0 ? color : (SDL_Color){98, 102, 116, 255}; }

float hud_block_width(graphics *g)
{
  float w = panel_letter(g) * HUD_LETTERS, most = g->view.width - 4 * PANEL_MARGIN;
  return fmaxf(fminf(w, most), 1);
}

int hud_block_letters(graphics *g) { return (int)(hud_block_width(g) / panel_letter(g) + 0.01f); }

bool hud_has_badge(const hud *h) { return h->reloads.last != SP_POLL_NOTHING; }

void hud_badge(const hud *h, graphics *g, float x, float y)
{
  const hud_reloads *r = &h->reloads;
  char line[96];
  const char *outcome = r->last == SP_POLL_RELOADED ? "ok" : r->last == SP_POLL_REFUSED ? "refused" : "taken back";
  SDL_Color color = r->last == SP_POLL_RELOADED ? PANEL_GREEN : r->last == SP_POLL_REFUSED ? PANEL_RED : PANEL_YELLOW;
  snprintf(line, sizeof line, "%" PRIu64 " reload%s, last %s", r->done, r->done == 1 ? "" : "s", outcome);
  panel_text_cut(g, x, y, hud_block_width(g), color, line);
}

/* Draws a text, if it ends before `right`; returns where the next one begins. */
static float draw_part(graphics *g, float x, float y, float right, SDL_Color color, const char *s)
{
  if (x + panel_letter(g) * (float)strlen(s) > right + 1)
    return right;
  return x + panel_text(g, x, y, color, s) + 2 * panel_letter(g);
}

void hud_speed(const hud *h, graphics *g, float x, float y)
{
  char line[64];
  float right = x + hud_block_width(g);
  snprintf(line, sizeof line, "%3.0f fps", h->meter.fps);
  x = draw_part(g, x, y, right, PANEL_GREEN, line);
  snprintf(line, sizeof line, "p50 %.2f  p99 %.2f ms", h->p50, h->p99);
  x = draw_part(g, x, y, right, h->p99 > HUD_FRAME_MS ? PANEL_YELLOW : PANEL_WHITE, line);
  if (h->script) {
    snprintf(line, sizeof line, "Lua %.2f MiB", h->lua_bytes / 1048576);
    draw_part(g, x, y, right, PANEL_WHITE, line);
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
  static const char *const titles[COLUMNS] = {"live", "idle", "peak", "limit"};
  const layout l = layout_of(g);
  int rights[COLUMNS];
  for (int i = 0; i < COLUMNS; i++)
    rights[i] = right_of(&l, i);
  panel_text(g, x, y, PANEL_GREY, "type");
  hud_title_columns(g, x, y, titles, rights, l.columns);
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
  const layout l = layout_of(g);
  float letter = panel_letter(g), left = letter * (float)(right_of(&l, COLUMNS - 1) + 2), row = panel_row(g);
  hud_column columns[COLUMNS];
  for (int i = 0; i < COLUMNS; i++) {
    columns[i].right = right_of(&l, i);
    columns[i].color = hud_shade(numbers[i], i > 0 ? PANEL_GREY : full ? PANEL_YELLOW : PANEL_WHITE);
    snprintf(columns[i].text, sizeof columns[i].text, "%" PRIu32, numbers[i]);
  }
  if (limit == SP_UNLIMITED)
    snprintf(columns[3].text, sizeof columns[3].text, "-");
  panel_text_cut(g, x, y, letter * (float)l.type, PANEL_WHITE, sp_pool_type(pool));
  hud_columns(g, x, y, columns, l.columns);
  draw_bar(g, pool, x + left, roundf(y + row * 0.25f), hud_block_width(g) - left, roundf(row * 0.45f));
}

uint32_t hud_fit(hud *h, uint32_t fit, uint32_t all)
{
  h->shown = fit < all ? fit : all;
  h->all = all;
  if (h->first > all - h->shown)
    h->first = all - h->shown;
  return h->shown;
}

void hud_plate(hud *h, graphics *g, float x, float y, float w, float high)
{
  SDL_FRect plate = {x, y, w, high}, before = h->area;
  if (before.w <= 0)
    h->area = plate;
  else
    SDL_UnionFRect(&before, &plate, &h->area);
  panel_plate(g, x, y, w, high);
}

void hud_more(const hud *h, graphics *g, float x, float y, uint32_t all)
{
  char more[80];
  if (h->shown == 0)
    snprintf(more, sizeof more, "%" PRIu32 " pools", all);
  else
    snprintf(more, sizeof more, "%" PRIu32 " to %" PRIu32 " of %" PRIu32 " pools: wheel, Shift+F2", h->first + 1,
             h->first + h->shown, all);
  panel_text_cut(g, x, y, hud_block_width(g), PANEL_GREY, more);
}
