/*
** The page of an error that has stopped the script, over the last good picture: what and where, the source line, who
** called, what runs instead, and a hint. The same text is on stderr.
*/
#ifndef SP_DEMO_ERROR_SCREEN_H
#define SP_DEMO_ERROR_SCREEN_H

#include "demo/ui/panel.h"

/* `error` is that of sp_script_error; `meanwhile` says what runs instead, `keys` what can be done. */
void error_screen_draw(graphics *g, const char *error, const char *meanwhile, const char *keys);

/* The source line of an error's text, and its hint, without the blanks and the word before them: copied into `part`, ""
   when there is none. */
void error_screen_source(const char *error, char *part, size_t size);
void error_screen_hint(const char *error, char *part, size_t size);

#endif
