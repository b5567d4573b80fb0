/*
** The player uses only function keys, the backtick and Esc, so that all letters are left to games. Backspace is used
** only where the game does not need it.
*/
#include "demo/input/hotkeys.h"

static const key_row rows[] = {
    {SDLK_F1, KEY_HELP, "F1", "this help"},
    {SDLK_F2, KEY_HUD, "F2", "pools and times; again: with curves"},
    {SDLK_F3, KEY_INSPECTOR, "F3", "look into pools and objects"},
    {SDLK_F5, KEY_RELOAD, "F5", "reload now"},
    {SDLK_F6, KEY_PAUSE, "F6", "pause, go on"},
    {SDLK_F7, KEY_STEP, "F7", "pause, and one frame at a time"},
    {SDLK_F8, KEY_SCREENSHOT, "F8", "screenshot"},
    {SDLK_F10, KEY_TIMELINE, "F10", "timeline; hold Backspace: run backwards"},
    {SDLK_F11, KEY_FULL_SCREEN, "F11", "full screen; Alt+Enter too"},
    {SDLK_BACKQUOTE, KEY_CONSOLE, "`", "console: Lua that runs in the game"},
    {SDLK_ESCAPE, KEY_QUIT, "Esc", "close what is open, or quit"},
};

const key_row *hotkeys_all(size_t *count)
{
  *count = sizeof rows / sizeof *rows;
  return rows;
}

SDL_Keycode hotkeys_code(const SDL_Keysym *key)
{
  return key->scancode == SDL_SCANCODE_GRAVE ? SDLK_BACKQUOTE : key->sym;
}

static key_action action_of(SDL_Keycode key)
{
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].key == key)
      return rows[i].action;
  return KEY_NONE;
}

key_action hotkeys_event(const SDL_Event *event)
{
  bool is_key = event->type == SDL_KEYDOWN || event->type == SDL_KEYUP;
  key_action action = is_key ? action_of(hotkeys_code(&event->key.keysym)) : KEY_NONE;
  return action == KEY_HUD && (event->key.keysym.mod & KMOD_SHIFT) ? KEY_POOLS : action;
}

bool hotkeys_pressed_with(const SDL_Event *event, SDL_Keycode key, SDL_Keymod mod)
{
  return event->type == SDL_KEYDOWN && event->key.keysym.sym == key && (event->key.keysym.mod & mod) != 0;
}
