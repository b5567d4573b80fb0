/*
** SDL events as words of a line: `key_down "Left"`, `mouse_move 400 300`. Only events that a game can receive are
** written; an event that is read back has the same effect on the game. Its gamepad is GAMEPAD_NONE.
*/
#ifndef SP_DEMO_EVENT_TEXT_H
#define SP_DEMO_EVENT_TEXT_H

#include <SDL.h>
#include <stdbool.h>
#include <stdio.h>

/* Returns whether an event is of a kind that is written. */
bool event_text_has(const SDL_Event *event);

/* Writes such an event. */
void event_text_write(FILE *out, const SDL_Event *event);

/* Reads an event at `*at`, modifying the text, and moves `*at` past it. Returns NULL, or what is wrong. */
const char *event_text_read(char **at, SDL_Event *event);

#endif
