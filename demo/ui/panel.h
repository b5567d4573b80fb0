/*
** What the player's own overlays are made of: a dark plate with lines of text on it, drawn with the same functions as
** a game's `g`. Everything is laid out anew each frame from the size of the window.
*/
#ifndef SP_DEMO_PANEL_H
#define SP_DEMO_PANEL_H

#include "demo/draw/graphics.h"

#define PANEL_MARGIN 10.0f /* from the plate's edge to its text, and from the window's edge to the plate */
#define PANEL_TEXT 13.0f
#define PANEL_TITLE 17.0f
#define PANEL_LETTERS_LEAST 8

#define PANEL_WHITE ((SDL_Color){240, 240, 245, 255})
#define PANEL_GREY ((SDL_Color){160, 165, 180, 255})
#define PANEL_GREEN ((SDL_Color){130, 225, 150, 255})
#define PANEL_YELLOW ((SDL_Color){250, 210, 100, 255})
#define PANEL_RED ((SDL_Color){255, 115, 105, 255})

/* A plate; and one for much text, which hides nearly all that is below it. */
void panel_plate(graphics *g, float x, float y, float w, float h);
void panel_page(graphics *g, float x, float y, float w, float h);

/* One line, or several with "\n", left of x aligned to the right, or right of it aligned to the left. The font is the
   one whose letters are all equally wide. Returns the width. */
float panel_text(graphics *g, float x, float y, SDL_Color color, const char *s);
float panel_text_right(graphics *g, float x, float y, SDL_Color color, const char *s);

/* The first line of a text, in the width `w`: of a longer one as much as there is room for, and that it was cut. */
void panel_text_cut(graphics *g, float x, float y, float w, SDL_Color color, const char *s);

/* Headings are larger. */
float panel_title(graphics *g, float x, float y, SDL_Color color, const char *s);

/* Text broken at the width `w`, between words where it can be, at most `rows` rows; returns how many it took. What has
   more ends in dots. panel_wrapped_rows only counts them. */
int panel_wrapped_rows(graphics *g, float w, int rows, const char *s);
int panel_wrapped(graphics *g, float x, float y, float w, int rows, SDL_Color color, const char *s);

/* The height of a row, and of a heading. */
float panel_row(graphics *g);
float panel_title_row(graphics *g);

/* The width of one letter; and how many letters a row has, at least PANEL_LETTERS_LEAST, even where the window has no
   room for them. */
float panel_letter(graphics *g);
size_t panel_letters(graphics *g, float w);

#endif
