/*
** A picture of what is on the renderer, as PNG.
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

/* A file name that is not taken in the current folder, with the time in it; `kind` stands at its end ("": nothing). */
void screenshot_name(char *file, size_t size, const char *kind);

/* Returns whether `file` is a name that screenshot_name could give, and that is not taken. */
bool screenshot_is_free(const char *file);

#endif
