/*
** --bisect-input: minimises recorded input that ends in an error of the script, and writes the result to FILE.short.
*/
#ifndef SP_DEMO_BISECT_COMMAND_H
#define SP_DEMO_BISECT_COMMAND_H

#include "demo/app/options.h"

/* Returns the exit code of the program. */
int bisect_command_run(const options *o);

#endif
