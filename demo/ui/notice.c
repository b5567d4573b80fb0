/*
** The texts are copies, because their sources may be freed earlier. Errors are shown longer than good news, and a new
** line replaces the old one at once.
*/
#include "demo/ui/notice.h"

#include <stdio.h>
#include <string.h>

#include "demo/support/strings.h"
#include "demo/ui/error_screen.h"

#define DOTS ".."

static void copy_line(char to[NOTICE_MOST], const char *from)
{
  size_t line = strcspn(from, "\n"), most = utf8_fit(from, NOTICE_MOST - sizeof DOTS);
  snprintf(to, NOTICE_MOST, "%.*s%s", (int)(line < most ? line : most), from, line > most ? DOTS : "");
}

void notice_set(notice *n, notice_kind kind, const char *message, double now)
{
  static const double seconds[] = {[NOTICE_INFO] = 2.5, [NOTICE_SUCCESS] = 4, [NOTICE_WARNING] = 5, [NOTICE_ERROR] = 6};
  copy_line(n->text, message);
  n->kind = kind;
  n->until = now + seconds[kind];
}

void notice_set_error(notice *n, notice_kind kind, const char *message, const char *consequence)
{
  copy_line(n->error, message);
  copy_line(n->consequence, consequence);
  error_screen_source(message, n->source, sizeof n->source);
  error_screen_hint(message, n->hint, sizeof n->hint);
  n->error_kind = kind;
  n->until = 0;
}

void notice_set_state(notice *n, notice_kind kind, const char *message)
{
  copy_line(n->error, message);
  n->source[0] = n->hint[0] = n->consequence[0] = '\0';
  n->error_kind = kind;
}

void notice_clear_error(notice *n) { n->error[0] = '\0'; }

/* {== The plate ========================================================== */

#define PARTS 4

typedef struct part {
  const char *text; /* "": none */
  SDL_Color color;
  int rows;
} part;

/* Returns the width of the longest part, at most that of the window. */
static float text_room(graphics *g, const part parts[PARTS])
{
  size_t letters = 0;
  float w, most = g->view.width - 4 * PANEL_MARGIN;
  for (int i = 0; i < PARTS; i++) {
    size_t own = utf8_letters(parts[i].text, strlen(parts[i].text));
    letters = own > letters ? own : letters;
  }
  w = panel_letter(g) * (float)letters;
  return w < most ? w : most;
}

/* Sets the number of rows of each part: all that it needs, unless the window is too low; then the longest are cut.
   Returns the total. */
static int share_rows(graphics *g, float w, part parts[PARTS])
{
  int most = (int)((g->view.height - 2 * PANEL_MARGIN) / panel_row(g)), total = 0;
  for (int i = 0; i < PARTS; i++)
    total += parts[i].rows = panel_wrapped_rows(g, w, most, parts[i].text);
  for (; total > most; total--) {
    part *longest = parts;
    for (int i = 1; i < PARTS; i++)
      if (parts[i].rows > longest->rows)
        longest = &parts[i];
    if (longest->rows <= 1)
      break;
    longest->rows--;
  }
  return total;
}

static SDL_Color color_of(notice_kind kind)
{
  static const SDL_Color colors[] = {[NOTICE_INFO] = PANEL_WHITE,
                                     [NOTICE_SUCCESS] = PANEL_GREEN,
                                     [NOTICE_WARNING] = PANEL_YELLOW,
                                     [NOTICE_ERROR] = PANEL_RED};
  return colors[kind];
}

static void draw_plate(graphics *g, part parts[PARTS])
{
  float row = panel_row(g), w = text_room(g, parts), x = 2 * PANEL_MARGIN;
  float h = row * (float)share_rows(g, w, parts) + PANEL_MARGIN;
  float y = g->view.height - h - PANEL_MARGIN / 2;
  panel_plate(g, PANEL_MARGIN, y - PANEL_MARGIN / 2, w + 2 * PANEL_MARGIN, h);
  for (int i = 0; i < PARTS; i++)
    y += row * (float)panel_wrapped(g, x, y, w, parts[i].rows, parts[i].color, parts[i].text);
}

static void draw_line(const notice *n, graphics *g)
{
  part parts[PARTS] = {{n->text, color_of(n->kind), 0}, {"", PANEL_GREY, 0}, {"", PANEL_GREY, 0}, {"", PANEL_GREY, 0}};
  draw_plate(g, parts);
}

void notice_draw_info(const notice *n, graphics *g, double now)
{
  if (now < n->until && (n->kind == NOTICE_INFO || n->kind == NOTICE_WARNING))
    draw_line(n, g);
}

void notice_draw(const notice *n, graphics *g, double now)
{
  part parts[PARTS] = {{n->error, color_of(n->error_kind), 0},
                       {n->source, PANEL_WHITE, 0},
                       {n->hint, PANEL_GREEN, 0},
                       {n->consequence, PANEL_GREY, 0}};
  if (now < n->until)
    draw_line(n, g);
  else if (n->error[0])
    draw_plate(g, parts);
}

/* }== */
