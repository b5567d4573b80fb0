/*
** The keys that the player keeps for itself, in one table: what each does, and what the help says about it.
*/
#ifndef SP_DEMO_HOTKEYS_H
#define SP_DEMO_HOTKEYS_H

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum key_action {
  KEY_NONE, /* the game's */
  KEY_HELP,
  KEY_HUD,
  KEY_INSPECTOR,
  KEY_RELOAD,
  KEY_PAUSE,
  KEY_STEP,
  KEY_SCREENSHOT,
  KEY_FULL_SCREEN,
  KEY_FILM,
  KEY_CONSOLE,
  KEY_QUIT
} key_action;

typedef struct key_row {
  SDL_Keycode key;
  key_action action;
  const char *name, *help;
} key_row;

/* All rows, in the order to show them; `*count` of them. */
const key_row *hotkeys_all(size_t *count);

/* What the player does at this key. */
key_action hotkeys_action(SDL_Keycode key);

/* The key of an event by what is printed on it; but the one left of the 1 is the backtick on every keyboard. */
SDL_Keycode hotkeys_code(const SDL_Keysym *key);

/* Whether an event presses `key` while one of the keys of `mod` is held. */
bool hotkeys_pressed_with(const SDL_Event *event, SDL_Keycode key, SDL_Keymod mod);

#endif
