/*
** Pools flow into as many columns as fit into the window.
*/
#include "demo/ui/hud_full.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "demo/ui/graph.h"
#include "demo/ui/hud_parts.h"

#define FRAMES 300 /* five seconds at 60 frames per second */
#define CURVE_ROWS 3.0f
#define POOL_CURVE_LETTERS 11
#define POOL_ROWS 2.2f
#define EVENTS 6 /* columns of the second row */

#define FRAME_COLOR ((SDL_Color){120, 200, 255, 255})
#define HEAP_COLOR ((SDL_Color){205, 150, 255, 255})
#define LIVE_COLOR ((SDL_Color){88, 190, 120, 255})

static const int rights[EVENTS] = {19, 27, 35, 43, 51, 55};

/* {== Head =============================================================== */

static void draw_top(graphics *g, const graph_box *box, const char *format, double value)
{
  char line[32];
  snprintf(line, sizeof line, format, value);
  panel_text_right(g, box->x + box->w - 3, box->y, PANEL_GREY, line);
}

static void draw_frames(const hud *h, graphics *g, const graph_box *box, const stats *s)
{
  float values[FRAMES], most = (float)h->p99;
  int count = 0;
  for (uint64_t i = s->count > FRAMES ? s->count - FRAMES : 0; i < s->count; i++)
    values[count++] = s->ms[i % STATS_RING];
  most = graph_top(most * 1.5f);
  graph_back(g, box);
  graph_area(g, box, values, count, FRAMES, most, FRAME_COLOR);
  graph_mark(g, box, (float)h->p50, most, PANEL_GREEN);
  graph_mark(g, box, (float)h->p99, most, PANEL_YELLOW);
  panel_text(g, box->x + 3, box->y, PANEL_GREY, "frame");
  draw_top(g, box, "%g ms", (double)most);
}

static void draw_heap(const hud *h, graphics *g, const graph_box *box)
{
  const hud_history *it = &h->history;
  float most = 0, unit;
  for (int i = 0; i < it->heap_count; i++)
    most = fmaxf(most, it->heap[i]);
  most *= 1.4f;
  unit = most >= 1000 * 1024 ? 1048576 : 1024;
  most = graph_top(most / unit) * unit;
  graph_back(g, box);
  graph_area(g, box, it->heap, it->heap_count, HISTORY_POINTS, most, HEAP_COLOR);
  panel_text(g, box->x + 3, box->y, PANEL_GREY, "Lua heap");
  draw_top(g, box, unit > 1024 ? "%g MiB" : "%g KiB", (double)(most / unit));
}

static float head_height(const hud *h, graphics *g)
{
  return panel_row(g) * ((hud_has_badge(h) ? 2.0f : 0.0f) + 1.3f + CURVE_ROWS);
}

static void draw_head(const hud *h, graphics *g, float x, float y, const stats *s)
{
  float row = panel_row(g), w = hud_block_width(g), half = floorf((w - PANEL_MARGIN) / 2);
  graph_box frames = {x, y, half, floorf(row * (CURVE_ROWS - 0.4f))}, heap = frames;
  if (hud_has_badge(h)) {
    hud_badge(h, g, x, y);
    panel_text_cut(g, x, y + row, w, PANEL_GREY, h->reloads.line);
    y += 2 * row;
  }
  hud_speed(h, g, x, y);
  frames.y = heap.y = floorf(y + row * 1.3f);
  heap.x = x + w - half;
  draw_frames(h, g, &frames, s);
  draw_heap(h, g, &heap);
}

/* }== */

/* {== Pools ============================================================== */

static void draw_titles(graphics *g, float x, float y)
{
  static const char *const titles[EVENTS] = {"alloc/s", "recyc/s", "refused", "evicted", "hooks", "ver"};
  hud_titles(g, x, y);
  panel_text(g, x, y + panel_row(g), PANEL_GREY, "last 5 s");
  hud_title_columns(g, x, y + panel_row(g), titles, rights, EVENTS);
}

static void draw_curve(graphics *g, float x, float y, const hud_history_pool *p)
{
  graph_box box = {x, y + 1, panel_letter(g) * POOL_CURVE_LETTERS, panel_row(g) - 4};
  float most = 0;
  for (int i = 0; i < p->count; i++)
    most = fmaxf(most, p->live[i]);
  graph_back(g, &box);
  graph_area(g, &box, p->live, p->count, HISTORY_POINTS, graph_top(most), LIVE_COLOR);
}

static void draw_events(graphics *g, float x, float y, const hud_history_pool *p)
{
  sp_stats s = sp_pool_stats(p->pool);
  hud_column columns[EVENTS];
  for (int i = 0; i < EVENTS; i++)
    columns[i] = (hud_column){.right = rights[i], .color = PANEL_GREY};
  snprintf(columns[0].text, sizeof columns[0].text, "%.0f", p->allocs_per_second);
  snprintf(columns[1].text, sizeof columns[1].text, "%.0f", p->recycles_per_second);
  snprintf(columns[2].text, sizeof columns[2].text, "%" PRIu64, s.refused);
  snprintf(columns[3].text, sizeof columns[3].text, "%" PRIu64, s.evicted);
  snprintf(columns[4].text, sizeof columns[4].text, p->hook_us < 10 ? "%.1fus" : "%.0fus", p->hook_us);
  snprintf(columns[5].text, sizeof columns[5].text, p->version > 0 ? "v%" PRIu32 : "-", p->version);
  columns[0].color = hud_shade(p->allocs_per_second, PANEL_GREY);
  columns[1].color = hud_shade(p->recycles_per_second, PANEL_GREY);
  columns[2].color = hud_shade((double)s.refused, PANEL_YELLOW);
  columns[3].color = hud_shade((double)s.evicted, PANEL_YELLOW);
  columns[4].color = hud_shade(p->hook_us, p->hook_us >= 1000 ? PANEL_YELLOW : PANEL_WHITE);
  hud_columns(g, x, y, columns, EVENTS);
}

/* Returns how many pools fit into a column whose titles begin at y. */
static uint32_t pools_below(graphics *g, float y)
{
  float row = panel_row(g), room = g->view.height - 3 * PANEL_MARGIN - y - 3 * row;
  return room > 0 ? (uint32_t)(room / (POOL_ROWS * row)) : 0;
}

static void draw_pools_from(const hud *h, graphics *g, float x, float y, uint32_t first, uint32_t count)
{
  float row = panel_row(g);
  draw_titles(g, x, y);
  y += 2 * row;
  for (uint32_t i = first; i < first + count; i++, y += POOL_ROWS * row) {
    const hud_history_pool *p = &h->history.pools[i];
    hud_pool(g, x, y, p->pool);
    draw_curve(g, x, y + row, p);
    draw_events(g, x, y + row, p);
  }
}

/* Returns whether no other column fits to the right of the one at x. */
static bool is_last_column(graphics *g, float x)
{
  return x + 2 * hud_block_width(g) + 5 * PANEL_MARGIN > g->view.width;
}

static uint32_t pools_of_all_columns(graphics *g, float y, float head)
{
  uint32_t fit = 0;
  for (float x = 2 * PANEL_MARGIN;; x += hud_block_width(g) + 3 * PANEL_MARGIN, head = 0) {
    fit += pools_below(g, y + head);
    if (is_last_column(g, x))
      return fit;
  }
}

void hud_draw_full(hud *h, graphics *g, const sp_manager *pools, const stats *s)
{
  float w = hud_block_width(g), x = 2 * PANEL_MARGIN, y = x, head = head_height(h, g), row = panel_row(g);
  uint32_t all = sp_count_pools(pools), fit = hud_fit(h, pools_of_all_columns(g, y, head), h->history.count);
  uint32_t at = h->first, end = at + fit;
  for (bool last = false; !last; x += w + 3 * PANEL_MARGIN, head = 0) {
    uint32_t left = end - at, room = pools_below(g, y + head), count = left < room ? left : room;
    float high = head + 2 * row + (float)count * POOL_ROWS * row;
    last = at + count == end || is_last_column(g, x);
    hud_plate(h, g, x - PANEL_MARGIN, y - PANEL_MARGIN, w + 2 * PANEL_MARGIN,
              high + 2 * PANEL_MARGIN + (last && fit < all ? row : 0));
    if (head > 0)
      draw_head(h, g, x, y, s);
    draw_pools_from(h, g, x, y + head, at, count);
    at += count;
    if (last && fit < all)
      hud_more(h, g, x, y + high, all);
  }
}

/* }== */
