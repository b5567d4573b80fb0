/*
** The keys that the player reserves, in one table: what each does, and its line of help.
*/
#ifndef SP_DEMO_HOTKEYS_H
#define SP_DEMO_HOTKEYS_H

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum key_action {
  KEY_NONE, /* not reserved */
  KEY_HELP,
  KEY_HUD,
  KEY_POOLS, /* with Shift */
  KEY_INSPECTOR,
  KEY_RELOAD,
  KEY_PAUSE,
  KEY_STEP,
  KEY_SCREENSHOT,
  KEY_FULL_SCREEN,
  KEY_TIMELINE,
  KEY_BACK, /* Backspace, where the game does not need it: see app.c */
  KEY_CONSOLE,
  KEY_QUIT
} key_action;

typedef struct key_row {
  SDL_Keycode key;
  key_action action;
  const char *name, *help;
} key_row;

/* Returns all rows in the order of the help; `*count` of them. */
const key_row *hotkeys_all(size_t *count);

/* Returns the key of an event as printed on it; but the key left of the 1 is the backtick on every keyboard. */
SDL_Keycode hotkeys_code(const SDL_Keysym *key);

/* Returns the action of the key that an event is about, pressed or released; KEY_NONE for other events. */
key_action hotkeys_event(const SDL_Event *event);

/* Returns whether an event presses `key` while one of the keys of `mod` is held. */
bool hotkeys_pressed_with(const SDL_Event *event, SDL_Keycode key, SDL_Keymod mod);

#endif
