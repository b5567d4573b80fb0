/*
** See notice.h. The text is a copy: whoever said it may be gone before it has been read. Trouble stays longer than good
** news, and a new notice takes the place of the old one at once.
*/
#include "demo/notice.h"

#include <stdio.h>
#include <string.h>

#define GOOD_SECONDS 2.5
#define BAD_SECONDS 6.0

void notice_set(notice *n, const char *message, bool bad, double now)
{
  snprintf(n->text, sizeof n->text, "%.*s", (int)strcspn(message, "\n"), message);
  n->bad = bad;
  n->until = now + (bad ? BAD_SECONDS : GOOD_SECONDS);
}

void notice_draw(const notice *n, graphics *g, double now)
{
  float row = panel_row(g), h = row + PANEL_MARGIN, y = g->view.height - h - PANEL_MARGIN, w;
  size_t letters = strlen(n->text);
  if (now >= n->until)
    return;
  w = panel_letter(g) * (float)letters + 2 * PANEL_MARGIN;
  if (w > g->view.width - 2 * PANEL_MARGIN)
    w = g->view.width - 2 * PANEL_MARGIN;
  panel_plate(g, PANEL_MARGIN, y, w, h);
  panel_wrapped(g, 2 * PANEL_MARGIN, y + PANEL_MARGIN / 2, w - 2 * PANEL_MARGIN, 1, n->bad ? PANEL_RED : PANEL_WHITE,
                n->text);
}
