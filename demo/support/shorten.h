/*
** Shortens paths in messages: the game's folder need not be repeated in its own window.
*/
#ifndef SP_DEMO_SHORTEN_H
#define SP_DEMO_SHORTEN_H

#include <stddef.h>

/* Copies `text` to `out` without "FOLDER/", wherever that occurs; cuts what does not fit. `out` may be `text`. */
void shorten_paths(const char *folder, const char *text, char *out, size_t size);

#endif
