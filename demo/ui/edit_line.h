/*
** A line of text that is edited as in a shell: a cursor, and keys that move it and cut characters and words. A line
** may begin selected, as a field that was just clicked: typing then replaces all of it, and cutting removes all of it.
** It does not depend on how it is drawn.
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
  size_t length, cursor;     /* bytes; the cursor is at a whole character */
  bool untouched;            /* all of it is selected */
} edit_line;

/* Replace the line and put the cursor at its end. What does not fit is cut. edit_line_begin also selects it. */
void edit_line_set(edit_line *it, const char *text);
void edit_line_begin(edit_line *it, const char *text);

/* Inserts `length` bytes at the cursor, or replaces the selection; nothing when they do not fit. */
void edit_line_insert(edit_line *it, const char *text, size_t length);

/* Replaces the bytes from `from` to `to` and puts the cursor behind the new text; nothing when it does not fit. */
void edit_line_replace(edit_line *it, size_t from, size_t to, const char *text);

/* Applies a key with these modifiers. False when it has no meaning here. */
bool edit_line_key(edit_line *it, SDL_Keycode key, Uint16 modifiers);

/* Returns the byte to draw the line from, in a row with room for `room` letters before the cursor. */
size_t edit_line_from(const edit_line *it, size_t room);

#endif
