/*
** A line of text that is being edited, as in a shell: a cursor, the usual keys, and the lines that were entered before.
** It knows nothing of how it is shown.
*/
#ifndef SP_DEMO_PROMPT_H
#define SP_DEMO_PROMPT_H

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>

#define PROMPT_MOST 2048 /* bytes, with the end */
#define PROMPT_HISTORY 200

typedef struct prompt {
  char text[PROMPT_MOST];        /* UTF-8 */
  size_t length, cursor;         /* bytes; the cursor stands before a whole character */
  char *history[PROMPT_HISTORY]; /* the oldest first */
  int count, at;                 /* at == count: the new line, not one of them */
  char draft[PROMPT_MOST];       /* the new line while an old one is shown */
} prompt;

/* A zeroed one is empty. */
void prompt_free(prompt *it);

/* Takes the place of what is there; the cursor goes to the end. What does not fit is cut. */
void prompt_set(prompt *it, const char *text);

/* Puts text in at the cursor; nothing of it when it does not fit. */
void prompt_insert(prompt *it, const char *text, size_t length);

/* What a key with these modifiers does to the line. False when it means nothing here. */
bool prompt_key(prompt *it, SDL_Keycode key, Uint16 modifiers);

/* The line is entered: it becomes the newest of the history, unless it is empty or the same as that, and a new one
   begins. */
void prompt_enter(prompt *it);

#endif
