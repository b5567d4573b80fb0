/*
** A line of text that is being edited, and the lines that were entered before, as in a shell.
*/
#ifndef SP_DEMO_PROMPT_H
#define SP_DEMO_PROMPT_H

#include "demo/ui/edit_line.h"

#define PROMPT_HISTORY 200

/* A zeroed one is empty. */
typedef struct prompt {
  edit_line line;
  char *history[PROMPT_HISTORY]; /* the oldest first */
  int count, at;                 /* at == count: the new line, not one of them */
  char draft[EDIT_LINE_MOST];    /* the new line while an old one is shown */
} prompt;

void prompt_free(prompt *it);

/* What a key with these modifiers does: up and down show other lines, the rest are the line's. False when it means
   nothing here. */
bool prompt_key(prompt *it, SDL_Keycode key, Uint16 modifiers);

/* The line is entered: it becomes the newest of the history, unless it is empty or the same as that, and a new one
   begins. */
void prompt_enter(prompt *it);

#endif
