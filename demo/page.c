/*
** A text of the script host has one thing per line, told apart by how the line begins.
*/
#include "demo/page.h"

#include <stdio.h>
#include <string.h>

#define SOURCE "    "
#define HINT "  hint: "

/* {== Parts ============================================================== */

static bool begins(const char *line, const char *with) { return strncmp(line, with, strlen(with)) == 0; }

/* The first line below the first that begins so, past that; NULL when there is none. */
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

void page_source(const char *error, char *part, size_t size) { copy_part(find_part(error, SOURCE), part, size); }
void page_hint(const char *error, char *part, size_t size) { copy_part(find_part(error, HINT), part, size); }

/* }== */

/* {== The page =========================================================== */

typedef struct page {
  graphics *g;
  float x, y, w, bottom;
  bool draws; /* else it only measures */
} page;

static void add(page *p, SDL_Color color, const char *s, float gap)
{
  float row = panel_row(p->g);
  int most = (int)((p->bottom - p->y - gap) / row);
  int rows = most > 0 ? panel_wrapped_rows(p->g, p->w, most, s) : 0;
  if (rows == 0)
    return;
  p->y += gap;
  if (p->draws)
    panel_wrapped(p->g, p->x, p->y, p->w, rows, color, s);
  p->y += row * (float)rows;
}

/* On a strip of its own, as it looks in an editor. */
static void add_source(page *p, const char *source)
{
  float row = panel_row(p->g);
  if (source[0] == '\0' || p->y + 2 * row > p->bottom)
    return;
  p->y += row / 2;
  if (p->draws) {
    p->g->color = (SDL_Color){255, 255, 255, 22};
    graphics_rect(p->g, p->x - PANEL_MARGIN, p->y - 3, p->w + 2 * PANEL_MARGIN, row + 6, true);
    p->g->color = PANEL_RED;
    graphics_rect(p->g, p->x - PANEL_MARGIN, p->y - 3, 3, row + 6, true);
    panel_wrapped(p->g, p->x + PANEL_MARGIN, p->y, p->w, 1, PANEL_YELLOW, source);
  }
  p->y += row;
}

/* What is neither of the parts that have a place of their own: who called, what was tried. */
static void add_rest(page *p, const char *error)
{
  float gap = panel_row(p->g) / 2;
  for (const char *end = strchr(error, '\n'); end; end = strchr(end + 1, '\n')) {
    char line[512];
    if (begins(end + 1, SOURCE) || begins(end + 1, HINT))
      continue;
    copy_part(end + 1 + strspn(end + 1, " \t"), line, sizeof line);
    add(p, PANEL_GREY, line, gap);
    gap = 0;
  }
}

static void lay_out(page *p, const char *error, const char *meanwhile, const char *keys)
{
  char part[1024];
  float half = panel_row(p->g) / 2, room_below = 3.5f * panel_row(p->g);
  p->bottom -= room_below;
  if (p->draws)
    panel_title(p->g, p->x, p->y, PANEL_RED, "The script has stopped");
  p->y += panel_title_row(p->g);
  copy_part(error, part, sizeof part);
  add(p, PANEL_WHITE, part, 0);
  page_source(error, part, sizeof part);
  add_source(p, part);
  page_hint(error, part, sizeof part);
  add(p, PANEL_GREEN, part, half);
  add_rest(p, error);
  p->bottom += room_below;
  add(p, PANEL_WHITE, meanwhile, half);
  add(p, PANEL_GREY, keys, 0);
}

void page_draw(graphics *g, const char *error, const char *meanwhile, const char *keys)
{
  float margin = 2 * PANEL_MARGIN;
  page p = {.g = g,
            .x = margin + PANEL_MARGIN,
            .y = margin + PANEL_MARGIN,
            .w = g->view.width - 2 * margin - 2 * PANEL_MARGIN,
            .bottom = g->view.height - margin - PANEL_MARGIN};
  lay_out(&p, error, meanwhile, keys);
  panel_page(g, margin, margin, g->view.width - 2 * margin, p.y - margin + PANEL_MARGIN);
  p.y = margin + PANEL_MARGIN;
  p.draws = true;
  lay_out(&p, error, meanwhile, keys);
}

/* }== */
