/*
** One line of text under the keyboard, as in a shell: a cursor, and keys that move it and cut by characters and words.
** A line may begin with a value that is as if selected, as in a field that was just clicked: as long as nothing else
** was done, what is typed replaces it, and what cuts, cuts all of it. It knows nothing of how it is shown.
*/
#ifndef SP_DEMO_EDIT_LINE_H
#define SP_DEMO_EDIT_LINE_H

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>

#define EDIT_LINE_MOST 2048 /* bytes, with the end */

/* A zeroed one is empty. */
typedef struct edit_line {
  char text[EDIT_LINE_MOST]; /* UTF-8 */
  size_t length, cursor;     /* bytes; the cursor stands before a whole character */
  bool untouched;            /* all of it is as if selected */
} edit_line;

/* `text` takes the place of what is there, and the cursor goes to its end. What does not fit is cut.
   edit_line_begin: as if selected. */
void edit_line_set(edit_line *it, const char *text);
void edit_line_begin(edit_line *it, const char *text);

/* Puts `length` bytes in at the cursor, or in the place of what is as if selected; nothing of them when they do not
   fit. */
void edit_line_insert(edit_line *it, const char *text, size_t length);

/* What a key with these modifiers does to the line. False when it means nothing here. */
bool edit_line_key(edit_line *it, SDL_Keycode key, Uint16 modifiers);

/* The byte to show the line from, in a row that has room for `room` letters before the cursor. */
size_t edit_line_from(const edit_line *it, size_t room);

#endif
