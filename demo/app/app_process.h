/*
** Plays a game in a process of its own: what goes wrong there ends no other.
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

typedef struct app_process app_process;

/* Starts this player, which was called `program`, with a game. NULL with errno. */
app_process *app_process_start(const char *program, const char *game);

/* Returns whether it has ended. Then `code` is its exit code, APP_USAGE when something ended it, and it is freed. */
bool app_process_has_ended(app_process *it, int *code);

/* Asks it to quit. */
void app_process_quit(app_process *it);

#endif
