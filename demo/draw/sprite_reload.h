/*
** Loads PNGs and sheets again while the game runs.
*/
#ifndef SP_DEMO_SPRITE_RELOAD_H
#define SP_DEMO_SPRITE_RELOAD_H

#include "demo/draw/sprites.h"

/* Loads a PNG, or the sheet beside one, that is new or was edited: the sprite of that name shows it from now on, also
   if the name was unknown or that of a shape. False when it cannot be read, or SDL or memory refuses: SDL_GetError says
   why, and nothing has changed. Pointers to sprites stay valid, those to levels do not. */
bool sprites_load(sprites *s, const char *file, const void *bytes, size_t size);

/* Returns whether the sprite of this number was loaded since sprites_clear_reloaded was called last. */
bool sprites_is_reloaded(sprites *s, uint16_t number);
void sprites_clear_reloaded(sprites *s);

#endif
