/*
** Text as quads: each letter is drawn once per size onto a texture and from then on is one more quad of the batch, so a
** page of text costs no more than as many sprites. Letters come from DejaVu through SDL_ttf; where no font is found the
** built-in bitmap letters stand in, so text is always drawn.
*/
#ifndef SP_DEMO_TEXT_H
#define SP_DEMO_TEXT_H

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>

#include "demo/draw/batch.h"
#include "demo/draw/fonts.h"
#include "demo/draw/window.h"

#define TEXT_SIZE_LEAST 6.0f /* points */
#define TEXT_SIZE_MOST 128.0f

typedef struct text text;

typedef struct text_style {
  font_face face;
  float size; /* points, brought into the limits above */
  SDL_Color color;
} text_style;

/* `built_in` takes the bitmap letters whatever fonts there are: the same picture on every machine. NULL when memory is
   refused. Close with text_close, before the window. */
text *text_open(const window *w, bool built_in);
void text_close(text *t);

/* Adds the `length` bytes of UTF-8 at `s`, its first line with the top left at x, y; "\n" begins a new one. What is no
   UTF-8 shows as a replacement mark. A letter that memory is refused for is left out. Returns the width of the longest
   line, as text_width does without drawing. */
float text_draw(text *t, batch *out, float x, float y, const text_style *style, const char *s, size_t length);
float text_width(text *t, const text_style *style, const char *s, size_t length);

/* From the top of one line to the top of the next. */
float text_line(text *t, const text_style *style);

#endif
