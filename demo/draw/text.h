/*
** Text as quads: each letter is drawn once per size onto a texture and is one quad of the batch from then on, so text
** costs no more than as many sprites. The font is DejaVu through SDL_ttf, searched where systems keep it; where it is
** not found, built-in bitmap letters are used. A game may have fonts of its own: TTF files, and pictures of letters.
*/
#ifndef SP_DEMO_TEXT_H
#define SP_DEMO_TEXT_H

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>

#include "demo/draw/assets.h"
#include "demo/draw/batch.h"
#include "demo/draw/window.h"

#define TEXT_SIZE_LEAST 6.0f /* points */
#define TEXT_SIZE_MOST 128.0f

typedef struct text text;

/* The fonts of a game follow the last one of these. */
typedef enum font_face { FONT_SANS, FONT_MONO, FONT_FACES } font_face;
#define FONTS_MOST 32 /* of a game */

/* The part of each line that is at x. */
typedef enum text_align { TEXT_LEFT, TEXT_CENTER, TEXT_RIGHT } text_align;

typedef struct text_style {
  int face;   /* a font_face, or of the game */
  float size; /* units, clamped to the limits above; of a picture of letters at least 1 */
  SDL_Color color;
  text_align align;
  float width; /* units: longer lines are broken between words, or within a longer word; 0: they are not */
} text_style;

/* `built_in` selects the bitmap letters: the same pixels on every machine, whatever its versions of FreeType and
   DejaVu are. NULL when out of memory. Close with text_close, before the window. In a blind window text can only be
   measured. */
text *text_open(const window *w, bool built_in);
void text_close(text *t);

/* False in a blind window. */
bool text_is_drawn(const text *t);

/* Sets the pixels per unit of what is drawn next; at first those of the window. Widths do not depend on it. */
void text_set_scale(text *t, float scale);

/* Draws the `length` bytes of UTF-8 at `s`, the first line with its top at y and, as style->align says, its left end,
   its middle or its right end at x; "\n" begins a new line. Invalid UTF-8 shows as replacement marks. A letter that
   memory is refused for is left out. Returns the width of the longest line. */
float text_draw(text *t, batch *out, float x, float y, const text_style *style, const char *s, size_t length);
/* Returns the same without drawing, and writes how many lines the text has. */
float text_measure(text *t, const text_style *style, const char *s, size_t length, int *lines);

/* Returns the distance between the tops of two lines. */
float text_line(text *t, const text_style *style);

/* The endings of fonts, for assets_kind. */
extern const char *const text_endings[];

/* Takes a font of the game, the file of this name in its folder fonts/, as it is at first and whenever it was edited. A
   PNG has the characters from 32 to 126 in 16 columns and 6 rows of equal cells. `bytes` must stay until the next call
   with this name; NULL: it has the built-in letters. False when it is no font, or out of memory: SDL_GetError says why,
   and nothing has changed. */
bool text_load_font(text *t, const char *file, const void *bytes, size_t size);

/* Takes them all. What is no font has the built-in letters, and `warn` receives a line. */
void text_load_fonts(text *t, assets *files, void (*warn)(void *ud, const char *line), void *ud);

/* Returns the face of a font of the game, "fonts/pixel.ttf"; FONT_FACES - 1 or less: there is none. text_nearest_font
   returns the name of the nearest one, or NULL. */
int text_find_font(const text *t, const char *name);
const char *text_nearest_font(const text *t, const char *name);

/* Returns the height of a cell of a picture of letters; of other fonts `other`. */
float text_own_size(const text *t, int face, float other);

/* Writes folder number `i` of those where fonts are searched, "" when it does not apply. False past the last one. */
bool text_font_folder(size_t i, char *path, size_t size);

#endif
