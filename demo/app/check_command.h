/*
** --check: the game is looked over, nothing is played and no window opens. Every problem is one line on stderr,
** "file:line: message", which editors and continuous integration can read.
*/
#ifndef SP_DEMO_CHECK_COMMAND_H
#define SP_DEMO_CHECK_COMMAND_H

#include "demo/app/options.h"

/* Returns the exit code of the program. */
int check_command_run(const options *o);

#endif
