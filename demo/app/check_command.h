/*
** --check: checks a game without playing it or opening a window. Every problem is one line on stderr, "file:line:
** message", which editors and continuous integration can read.
*/
#ifndef SP_DEMO_CHECK_COMMAND_H
#define SP_DEMO_CHECK_COMMAND_H

#include "demo/app/options.h"

/* Returns the exit code of the program. */
int check_command_run(const options *o);

#endif
