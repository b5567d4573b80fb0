/*
** Plays a game in a process of its own, and waits for it: what goes wrong there ends no other.
*/
#ifndef SP_DEMO_APP_PROCESS_H
#define SP_DEMO_APP_PROCESS_H

#include <stdbool.h>

#include "demo/app/options.h"

/* No process could be started. */
enum { APP_PROCESS_NONE = -1 };

/* Does in a process what app_run does in this one, without a word on stdout, and if it is `quiet` on stderr. Returns
   the exit code; APP_USAGE when something ended the process. */
int app_process_run(const options *o, bool quiet);

#endif
