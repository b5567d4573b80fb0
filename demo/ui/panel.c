/*
** Rows are broken by counting letters, not by measuring them: all letters of the font have the same width. A row is
** broken at a blank in its second half, or where it is full.
*/
#include "demo/ui/panel.h"

#include <string.h>

#include "demo/support/strings.h"

static text_style style_of(float size, SDL_Color color) { return (text_style){FONT_MONO, size, color, TEXT_LEFT}; }

void panel_plate(graphics *g, float x, float y, float w, float h)
{
  g->color = (SDL_Color){14, 15, 22, 243};
  graphics_rect(g, x, y, w, h, true);
  g->color = (SDL_Color){255, 255, 255, 40};
  graphics_rect(g, x, y, w, h, false);
}

float panel_text(graphics *g, float x, float y, SDL_Color color, const char *s)
{
  text_style style = style_of(PANEL_TEXT, color);
  return text_draw(g->text, g->out, x, y, &style, s, strlen(s));
}

float panel_text_right(graphics *g, float x, float y, SDL_Color color, const char *s)
{
  text_style style = style_of(PANEL_TEXT, color);
  return panel_text(g, x - text_width(g->text, &style, s, strlen(s)), y, color, s);
}

#define CUT ".."

void panel_text_cut(graphics *g, float x, float y, float w, SDL_Color color, const char *s)
{
  text_style style = style_of(PANEL_TEXT, color);
  float room = w / panel_letter(g) + 0.01f; /* a width of exactly so many letters holds them */
  size_t letters = room > 0 ? (size_t)room : 0, length = strcspn(s, "\n"), left = letters > 2 ? letters - 2 : 0;
  if (length <= utf8_span(s, letters)) {
    text_draw(g->text, g->out, x, y, &style, s, length);
    return;
  }
  x += text_draw(g->text, g->out, x, y, &style, s, utf8_span(s, left));
  text_draw(g->text, g->out, x, y, &style, CUT, strlen(CUT));
}

float panel_title(graphics *g, float x, float y, SDL_Color color, const char *s)
{
  text_style style = {FONT_SANS, PANEL_TITLE, color, TEXT_LEFT};
  return text_draw(g->text, g->out, x, y, &style, s, strlen(s));
}

float panel_row(graphics *g)
{
  text_style style = style_of(PANEL_TEXT, PANEL_WHITE);
  return text_line(g->text, &style) + 2;
}

float panel_title_row(graphics *g)
{
  text_style style = {FONT_SANS, PANEL_TITLE, PANEL_WHITE, TEXT_LEFT};
  return text_line(g->text, &style) + 6;
}

float panel_letter(graphics *g)
{
  text_style style = style_of(PANEL_TEXT, PANEL_WHITE);
  return text_width(g->text, &style, "0", 1);
}

size_t panel_letters(graphics *g, float w)
{
  float letters = w / panel_letter(g);
  return letters > PANEL_LETTERS_LEAST ? (size_t)letters : PANEL_LETTERS_LEAST;
}

/* Returns how many bytes of the first line fit into `letters`; up to a blank if there is one in the second half. */
static size_t row_length(const char *s, size_t letters)
{
  size_t length = strcspn(s, "\n"), most = utf8_span(s, letters);
  if (length <= most)
    return length;
  for (size_t i = most; i > most / 2; i--)
    if (s[i] == ' ')
      return i;
  return most;
}

/* Returns the start of the next row, behind the separator. */
static const char *next_row(const char *s, size_t length)
{
  s += length;
  return *s == '\n' || *s == ' ' ? s + 1 : s;
}

int panel_wrapped_rows(graphics *g, float w, int rows, const char *s)
{
  size_t letters = panel_letters(g, w);
  int row = 0;
  for (; *s && row < rows; row++)
    s = next_row(s, row_length(s, letters));
  return row;
}

int panel_wrapped(graphics *g, float x, float y, float w, int rows, SDL_Color color, const char *s)
{
  text_style style = style_of(PANEL_TEXT, color);
  size_t letters = panel_letters(g, w);
  float row_height = panel_row(g);
  int row = 0;
  for (; *s && row < rows; row++, y += row_height) {
    size_t length = row_length(s, letters);
    const char *next = next_row(s, length);
    if (row + 1 == rows && *next) {
      size_t line = strcspn(s, "\n"), most = utf8_span(s, letters - strlen(CUT));
      float right = x + text_draw(g->text, g->out, x, y, &style, s, line < most ? line : most);
      text_draw(g->text, g->out, right, y, &style, CUT, strlen(CUT));
    } else {
      text_draw(g->text, g->out, x, y, &style, s, length);
    }
    s = next;
  }
  return row;
}
