/*
** An error text of the script host has one part per line, distinguished by how the line begins.
*/
#include "demo/ui/error_screen.h"

#include <stdio.h>
#include <string.h>

#define SOURCE "    "
#define HINT "  hint: "

/* {== Parts ============================================================== */

static bool begins(const char *line, const char *with) { return strncmp(line, with, strlen(with)) == 0; }

/* Returns the first line after the first that begins with `with`, past that; NULL when there is none. */
static const char *find_part(const char *error, const char *with)
{
  for (const char *end = strchr(error, '\n'); end; end = strchr(end + 1, '\n'))
    if (begins(end + 1, with))
      return end + 1 + strlen(with);
  return NULL;
}

static void copy_part(const char *from, char *part, size_t size)
{
  snprintf(part, size, "%.*s", from ? (int)strcspn(from, "\n") : 0, from ? from : "");
}

void error_screen_source(const char *error, char *part, size_t size)
{
  copy_part(find_part(error, SOURCE), part, size);
}
void error_screen_hint(const char *error, char *part, size_t size) { copy_part(find_part(error, HINT), part, size); }

/* }== */

/* {== The page =========================================================== */

typedef struct page {
  graphics *g;
  float x, y, w, bottom;
  bool draws; /* false: it only measures */
} page;

static void add(page *p, SDL_Color color, const char *s, int rows, float gap)
{
  if (rows <= 0 || !*s)
    return;
  p->y += gap;
  if (p->draws)
    panel_wrapped(p->g, p->x, p->y, p->w, rows, color, s);
  p->y += panel_row(p->g) * (float)panel_wrapped_rows(p->g, p->w, rows, s);
}

/* Adds the source line, highlighted as in an editor. */
static void add_source(page *p, const char *source, int rows)
{
  float row = panel_row(p->g), h = row * (float)rows + 6;
  if (rows <= 0)
    return;
  p->y += row / 2;
  if (p->draws) {
    p->g->color = (SDL_Color){255, 255, 255, 22};
    graphics_rect(p->g, p->x - PANEL_MARGIN, p->y - 3, p->w + 2 * PANEL_MARGIN, h, true);
    p->g->color = PANEL_RED;
    graphics_rect(p->g, p->x - PANEL_MARGIN, p->y - 3, 3, h, true);
    panel_wrapped(p->g, p->x + PANEL_MARGIN, p->y, p->w - PANEL_MARGIN, rows, PANEL_YELLOW, source);
  }
  p->y += row * (float)rows;
}

/* Adds the remaining lines: the callers. */
static void add_rest(page *p, const char *error, int rows)
{
  float gap = panel_row(p->g) / 2;
  for (const char *end = strchr(error, '\n'); end && rows > 0; end = strchr(end + 1, '\n')) {
    char line[512];
    if (begins(end + 1, SOURCE) || begins(end + 1, HINT))
      continue;
    copy_part(end + 1 + strspn(end + 1, " \t"), line, sizeof line);
    add(p, PANEL_GREY, line, rows, gap);
    rows -= panel_wrapped_rows(p->g, p->w, rows, line);
    gap = 0;
  }
}

#define GAPS 1.5f /* rows: half of one each before the source line, the hint and the end */
#define SOURCE_ROWS 3

/* The rows of each part; all that it needs, in a window that is large enough. */
typedef struct shares {
  int message, source, hint, rest, meanwhile, keys;
} shares;

/* Gives a part up to `want` of the rows that are left. */
static void give(int *part, int want, int *left)
{
  int more = want - *part < *left ? want - *part : *left;
  *part += more;
  *left -= more;
}

/* In a small window the hint has priority, then the message; callers come last. */
static shares share(const page *p, const char *message, const char *source, const char *hint, const char *meanwhile,
                    const char *keys)
{
  graphics *g = p->g;
  int left = (int)((p->bottom - p->y) / panel_row(g) - GAPS + 0.01f);
  int source_rows = panel_wrapped_rows(g, p->w - PANEL_MARGIN, SOURCE_ROWS, source);
  shares s = {0};
  left = left > 0 ? left : 0;
  give(&s.message, 1, &left);
  give(&s.hint, panel_wrapped_rows(g, p->w, 100, hint), &left);
  give(&s.message, panel_wrapped_rows(g, p->w, 100, message), &left);
  give(&s.source, source_rows > 0, &left);
  give(&s.meanwhile, panel_wrapped_rows(g, p->w, 100, meanwhile), &left);
  give(&s.keys, panel_wrapped_rows(g, p->w, 100, keys), &left);
  give(&s.source, source_rows, &left);
  s.rest = left - 1; /* one row is a gap */
  return s;
}

static void lay_out(page *p, const char *error, const char *meanwhile, const char *keys)
{
  char message[1024], source[1024], hint[1024];
  float half = panel_row(p->g) / 2;
  copy_part(error, message, sizeof message);
  error_screen_source(error, source, sizeof source);
  error_screen_hint(error, hint, sizeof hint);
  if (p->draws)
    panel_title(p->g, p->x, p->y, PANEL_RED, "The script has stopped");
  p->y += panel_title_row(p->g);
  shares s = share(p, message, source, hint, meanwhile, keys);
  add(p, PANEL_WHITE, message, s.message, 0);
  add_source(p, source, s.source);
  add(p, PANEL_GREEN, hint, s.hint, half);
  add_rest(p, error, s.rest);
  add(p, PANEL_WHITE, meanwhile, s.meanwhile, half);
  add(p, PANEL_GREY, keys, s.keys, 0);
}

void error_screen_draw(graphics *g, const char *error, const char *meanwhile, const char *keys)
{
  float margin = 2 * PANEL_MARGIN;
  page p = {.g = g,
            .x = margin + PANEL_MARGIN,
            .y = margin + PANEL_MARGIN,
            .w = g->view.width - 2 * margin - 2 * PANEL_MARGIN,
            .bottom = g->view.height - margin - PANEL_MARGIN};
  lay_out(&p, error, meanwhile, keys);
  panel_plate(g, margin, margin, g->view.width - 2 * margin, p.y - margin + PANEL_MARGIN);
  p.y = margin + PANEL_MARGIN;
  p.draws = true;
  lay_out(&p, error, meanwhile, keys);
}

/* }== */
