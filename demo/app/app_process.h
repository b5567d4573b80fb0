/*
** Plays a game in a separate process, so that a crash there does not end this one.
*/
#ifndef SP_DEMO_APP_PROCESS_H
#define SP_DEMO_APP_PROCESS_H

#include <stdbool.h>

#include "demo/app/options.h"

/* The exit code of a process that could not be started. */
enum { APP_PROCESS_NONE = -1 };

/* Calls app_run in a separate process, without output on stdout and, if `quiet`, on stderr. Returns the exit code;
   APP_USAGE when the process was killed; APP_PROCESS_NONE when it could not be started. */
int app_process_run(const options *o, bool quiet);

typedef struct app_process app_process;

#define APP_PROCESS_WORDS 64

/* Starts this player, whose argv[0] is `program`, with these arguments: fewer than APP_PROCESS_WORDS, and NULL at the
   end. NULL, with errno, on failure. */
app_process *app_process_start(const char *program, const char *const *words);

/* Returns whether the process has ended. Then `*code` is its exit code, APP_USAGE when it was killed, and `it` is
   freed. */
bool app_process_has_ended(app_process *it, int *code);

/* Asks the process to quit, as the user would. */
void app_process_quit(app_process *it);

#endif
