/*
** See notice.h. The texts are copies: whoever said them may be gone before they have been read. Trouble stays longer
** than good news, and a new line takes the place of the old one at once.
*/
#include "demo/notice.h"

#include <stdio.h>
#include <string.h>

#include "demo/page.h"
#include "demo/utf8.h"

#define STANDING_ROWS 2 /* at most, of its message */

static void copy_line(char to[NOTICE_MOST], const char *from)
{
  size_t line = strcspn(from, "\n"), most = utf8_fit(from, NOTICE_MOST - 1);
  snprintf(to, NOTICE_MOST, "%.*s", (int)(line < most ? line : most), from);
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
  page_source(message, n->source, sizeof n->source);
  page_hint(message, n->hint, sizeof n->hint);
  n->standing_kind = kind;
  n->until = 0;
}

void notice_mend(notice *n) { n->standing[0] = '\0'; }

/* Cuts a message that has more than `most` rows of width `w`, and lets it show. Returns how many rows it has then. */
static int fit(graphics *g, char message[NOTICE_MOST + 4], float w, int most)
{
  size_t length = strlen(message);
  while (length > 0 && panel_wrapped_rows(g, w, most + 1, message) > most) {
    length = utf8_fit(message, length - 1);
    strcpy(message + length, "...");
  }
  return panel_wrapped_rows(g, w, most, message);
}

/* {== The plate ========================================================== */

#define DETAILS 3 /* lines below the message */

typedef struct detail {
  const char *text; /* "": none */
  SDL_Color color;
} detail;

/* Wide enough for the longest one, if the window is. */
static float text_room(graphics *g, const char *message, const detail details[DETAILS])
{
  size_t letters = utf8_letters(message, strlen(message));
  float w, most = g->view.width - 4 * PANEL_MARGIN;
  for (int i = 0; i < DETAILS; i++) {
    size_t own = utf8_letters(details[i].text, strlen(details[i].text));
    letters = own > letters ? own : letters;
  }
  w = panel_letter(g) * (float)letters;
  return w < most ? w : most;
}

static SDL_Color color_of(notice_kind kind)
{
  static const SDL_Color colors[] = {[NOTICE_NEWS] = PANEL_WHITE,
                                     [NOTICE_GOOD] = PANEL_GREEN,
                                     [NOTICE_DOUBT] = PANEL_YELLOW,
                                     [NOTICE_TROUBLE] = PANEL_RED};
  return colors[kind];
}

/* The message in at most `most` rows, and the details that are not "" below it, one row each. */
static void draw_plate(graphics *g, SDL_Color color, const char *message, int most, const detail details[DETAILS])
{
  char shown[NOTICE_MOST + 4];
  float row = panel_row(g), w = text_room(g, message, details), x = 2 * PANEL_MARGIN, y, h;
  int rows;
  snprintf(shown, sizeof shown, "%s", message);
  rows = fit(g, shown, w, most);
  h = row * (float)rows + PANEL_MARGIN;
  for (int i = 0; i < DETAILS; i++)
    h += details[i].text[0] ? row : 0;
  y = g->view.height - h - PANEL_MARGIN / 2;
  panel_plate(g, PANEL_MARGIN, y - PANEL_MARGIN / 2, w + 2 * PANEL_MARGIN, h);
  panel_wrapped(g, x, y, w, rows, color, shown);
  y += row * (float)rows;
  for (int i = 0; i < DETAILS; i++)
    y += row * (float)panel_wrapped(g, x, y, w, 1, details[i].color, details[i].text);
}

static void draw_line(const notice *n, graphics *g)
{
  const detail none[DETAILS] = {{"", PANEL_GREY}, {"", PANEL_GREY}, {"", PANEL_GREY}};
  draw_plate(g, color_of(n->kind), n->text, 1, none);
}

void notice_draw_news(const notice *n, graphics *g, double now)
{
  if (now < n->until && (n->kind == NOTICE_NEWS || n->kind == NOTICE_DOUBT))
    draw_line(n, g);
}

void notice_draw(const notice *n, graphics *g, double now)
{
  const detail standing[DETAILS] = {{n->source, PANEL_WHITE}, {n->hint, PANEL_GREEN}, {n->consequence, PANEL_GREY}};
  if (now < n->until)
    draw_line(n, g);
  else if (n->standing[0])
    draw_plate(g, color_of(n->standing_kind), n->standing, STANDING_ROWS, standing);
}

/* }== */
