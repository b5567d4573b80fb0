/*
** Pictures as PNG: what is on the renderer, saved; and any picture, in memory.
*/
#ifndef SP_DEMO_SCREENSHOT_H
#define SP_DEMO_SCREENSHOT_H

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>

#include "demo/capture/file_writer.h"

/* Returns an encoded picture, to be freed by free, and its size. NULL: SDL_GetError says why. */
void *screenshot_encode(SDL_Surface *picture, size_t *size);

/* Saves what was drawn and not yet presented. False: `error` then holds one line. */
bool screenshot_save(SDL_Renderer *renderer, const file_writer *writer, const char *file, char *error,
                     size_t error_size);

#endif
