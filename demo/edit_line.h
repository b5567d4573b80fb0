/*
** One line of text under the keyboard: a caret that moves by characters, and a value that the first key replaces as
** long as nothing else was done, as in a field that was just clicked.
*/
#ifndef SP_DEMO_EDIT_LINE_H
#define SP_DEMO_EDIT_LINE_H

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>

#define EDIT_LINE_MOST 128 /* bytes, with the end */

typedef struct edit_line {
  char text[EDIT_LINE_MOST]; /* UTF-8 */
  size_t caret;              /* byte before which it stands */
  bool untouched;            /* all of it is as if selected */
} edit_line;

/* Begins with `text`. */
void edit_line_begin(edit_line *it, const char *text);

/* Puts in what was typed; what does not fit as a whole is left out. */
void edit_line_type(edit_line *it, const char *typed);

/* Left, right, home, end, backspace, delete. Other keys do nothing. */
void edit_line_key(edit_line *it, SDL_Keycode key);

#endif
