/*
** A line that is being edited, and the history of entered lines, as in a shell.
*/
#ifndef SP_DEMO_PROMPT_H
#define SP_DEMO_PROMPT_H

#include "demo/ui/edit_line.h"

#define PROMPT_HISTORY 200

/* A zeroed one is empty. */
typedef struct prompt {
  edit_line line;
  char *history[PROMPT_HISTORY]; /* the oldest first */
  int count, at;                 /* at == count: the new line */
  char draft[EDIT_LINE_MOST];    /* the new line, while an old one is shown */
} prompt;

void prompt_free(prompt *it);

/* Applies a key: up and down select lines of the history, others edit the line. False when it has no meaning here. */
bool prompt_key(prompt *it, SDL_Keycode key, Uint16 modifiers);

/* Enters the line: adds it to the history, unless it is empty or equals the newest, and begins a new one. */
void prompt_enter(prompt *it);

#endif
