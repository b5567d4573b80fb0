/*
** Saves what is on the renderer as PNG.
*/
#ifndef SP_DEMO_SCREENSHOT_H
#define SP_DEMO_SCREENSHOT_H

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>

#include "demo/capture/file_writer.h"

/* Saves what was drawn and not yet presented. False: `error` then holds one line. */
bool screenshot_save(SDL_Renderer *renderer, const file_writer *writer, const char *file, char *error,
                     size_t error_size);

/* Writes a file name with the time that is not taken in the current folder. */
void screenshot_name(char *file, size_t size);

/* Returns whether screenshot_name could return `file`, and it is not taken. */
bool screenshot_is_free(const char *file);

#endif
