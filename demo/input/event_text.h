/*
** Events of SDL as words of a line: `key_down "Left"`, `mouse_move 400 300`. Only those that a game can notice; what
** reads them again gives the same to the game. A gamepad that was read is GAMEPAD_NONE.
*/
#ifndef SP_DEMO_EVENT_TEXT_H
#define SP_DEMO_EVENT_TEXT_H

#include <SDL.h>
#include <stdbool.h>
#include <stdio.h>

/* Returns whether the event is one of those that are written. */
bool event_text_has(const SDL_Event *event);

/* Writes such an event. */
void event_text_write(FILE *out, const SDL_Event *event);

/* Reads one at `*at`, which moves behind it; the text is altered. NULL, or what is wrong. */
const char *event_text_read(char **at, SDL_Event *event);

#endif
