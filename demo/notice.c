/*
** See notice.h. The texts are copies: whoever said them may be gone before they have been read. Trouble stays longer than
** good news, and a new line takes the place of the old one at once.
*/
#include "demo/notice.h"

#include <stdio.h>
#include <string.h>

#define STANDING_ROWS 2 /* at most, of its message */

static void copy_line(char to[NOTICE_MOST], const char *from)
{
  snprintf(to, NOTICE_MOST, "%.*s", (int)strcspn(from, "\n"), from);
}

void notice_set(notice *n, notice_kind kind, const char *message, double now)
{
  static const double seconds[] = {[NOTICE_NEWS] = 2.5, [NOTICE_GOOD] = 4, [NOTICE_DOUBT] = 5, [NOTICE_TROUBLE] = 6};
  copy_line(n->text, message);
  n->kind = kind;
  n->until = now + seconds[kind];
}

void notice_stand(notice *n, notice_kind kind, const char *message, const char *consequence)
{
  copy_line(n->standing, message);
  copy_line(n->consequence, consequence);
  n->standing_kind = kind;
  n->until = 0;
}

void notice_mend(notice *n) { n->standing[0] = '\0'; }

/* Cuts a message that has more than `most` rows of width `w`, and lets it show. Returns how many rows it has then. */
static int fit(graphics *g, char message[NOTICE_MOST + 4], float w, int most)
{
  size_t length = strlen(message);
  while (length > 0 && panel_wrapped_rows(g, w, most + 1, message) > most) {
    do
      length--;
    while (length > 0 && ((unsigned char)message[length] & 0xc0) == 0x80);
    strcpy(message + length, "...");
  }
  return panel_wrapped_rows(g, w, most, message);
}

/* Wide enough for the longer one, if the window is. */
static float text_room(graphics *g, const char *message, const char *below)
{
  size_t letters = strlen(message) > strlen(below) ? strlen(message) : strlen(below);
  float w = panel_letter(g) * (float)letters, most = g->view.width - 4 * PANEL_MARGIN;
  return w < most ? w : most;
}

/* The message in its colour, and a line in grey below it unless that is "". */
static void draw_plate(graphics *g, notice_kind kind, const char *message, int most, const char *below)
{
  static const SDL_Color colors[] = {[NOTICE_NEWS] = PANEL_WHITE,
                                     [NOTICE_GOOD] = PANEL_GREEN,
                                     [NOTICE_DOUBT] = PANEL_YELLOW,
                                     [NOTICE_TROUBLE] = PANEL_RED};
  char shown[NOTICE_MOST + 4];
  float row = panel_row(g), w = text_room(g, message, below), x = 2 * PANEL_MARGIN, y, h;
  int rows;
  snprintf(shown, sizeof shown, "%s", message);
  rows = fit(g, shown, w, most);
  h = row * (float)(rows + (below[0] != '\0')) + PANEL_MARGIN;
  y = g->view.height - h - PANEL_MARGIN / 2;
  panel_plate(g, PANEL_MARGIN, y - PANEL_MARGIN / 2, w + 2 * PANEL_MARGIN, h);
  panel_wrapped(g, x, y, w, rows, colors[kind], shown);
  panel_wrapped(g, x, y + row * (float)rows, w, 1, PANEL_GREY, below);
}

void notice_draw(const notice *n, graphics *g, double now)
{
  if (now < n->until)
    draw_plate(g, n->kind, n->text, 1, "");
  else if (n->standing[0])
    draw_plate(g, n->standing_kind, n->standing, STANDING_ROWS, n->consequence);
}
