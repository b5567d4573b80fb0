/*
** The error screen of a stopped script, over the last good picture: what and where, the source line, callers, the
** consequence, and a hint. The same text is on stderr.
*/
#ifndef SP_DEMO_ERROR_SCREEN_H
#define SP_DEMO_ERROR_SCREEN_H

#include "demo/ui/panel.h"

/* Draws the screen. `error` is that of sp_script_error; `meanwhile` says what happens next, `keys` what the user can
   do. */
void error_screen_draw(graphics *g, const char *error, const char *meanwhile, const char *keys);

/* Copy the source line or the hint of an error text into `part`, without its prefix; "" when there is none. */
void error_screen_source(const char *error, char *part, size_t size);
void error_screen_hint(const char *error, char *part, size_t size);

#endif
