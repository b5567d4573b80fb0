/*
** What is said of a script that has stopped, in the window, on stderr and in the clipboard: the error as the script
** host tells it, and what runs instead.
*/
#ifndef SP_DEMO_STOP_MESSAGE_H
#define SP_DEMO_STOP_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "demo/app/options.h"
#include "demo/draw/graphics.h"
#include "script/script.h"

/* Returns whether to wait for a script that has stopped: somebody may mend it in a window, or when frames keep pace. */
bool stop_message_waits(const options *o);

/* One line on stderr below the error itself, which was told when it happened. */
void stop_message_print(const options *o);

/* The page over the last good picture. */
void stop_message_draw(graphics *g, const options *o, const sp_script *script);

/* Puts the last error and what it means into the clipboard; `consequence` NULL: that the script has stopped. False when
   there is none, or no clipboard. */
bool stop_message_copy(const options *o, const sp_script *script, const char *consequence);

#endif
