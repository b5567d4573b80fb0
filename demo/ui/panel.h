/*
** The building blocks of the overlays: a dark plate with lines of text on it, drawn with the functions behind a game's
** `g`. The layout is computed in each frame from the size of the window.
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

/* Draws a plate for text, which hides nearly everything below it: the game's own text does not show through. */
void panel_plate(graphics *g, float x, float y, float w, float h);

/* Draw one line, or several with "\n", aligned to the left at x or to the right at x, in the monospaced font. Return
   the width. */
float panel_text(graphics *g, float x, float y, SDL_Color color, const char *s);
float panel_text_right(graphics *g, float x, float y, SDL_Color color, const char *s);

/* Draws the first line of a text in the width `w`; a longer one is cut and ends in dots. */
void panel_text_cut(graphics *g, float x, float y, float w, SDL_Color color, const char *s);

/* Draws a heading, which is larger. */
float panel_title(graphics *g, float x, float y, SDL_Color color, const char *s);

/* Draw text wrapped at the width `w`, between words if possible, in at most `rows` rows; return how many it took.
   Longer text ends in dots. panel_wrapped_rows only counts them. */
int panel_wrapped_rows(graphics *g, float w, int rows, const char *s);
int panel_wrapped(graphics *g, float x, float y, float w, int rows, SDL_Color color, const char *s);

/* Return the height of a row, and of a heading. */
float panel_row(graphics *g);
float panel_title_row(graphics *g);

/* Return the width of one letter; and the letters per row, at least PANEL_LETTERS_LEAST even in windows that are too
   narrow. */
float panel_letter(graphics *g);
size_t panel_letters(graphics *g, float w);

#endif
