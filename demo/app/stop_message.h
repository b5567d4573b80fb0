/*
** The message about a stopped script, in the window, on stderr and in the clipboard: the error as the script host
** reports it, and what happens next.
*/
#ifndef SP_DEMO_STOP_MESSAGE_H
#define SP_DEMO_STOP_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "demo/app/options.h"
#include "script/script.h"

/* Returns whether to wait for a fix: in a window, or with --realtime. */
bool stop_message_waits(const options *o);

/* Prints one line on stderr below the error itself, which was printed when it happened. */
void stop_message_print(const options *o);

/* Returns the sentence that says what happens next. */
const char *stop_message_meanwhile(const options *o);

/* Copies the last error and its consequence to the clipboard; `consequence` NULL: the script has stopped. False when
   there is no error, or no clipboard. */
bool stop_message_copy(const options *o, const sp_script *script, const char *consequence);

#endif
