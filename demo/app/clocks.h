/*
** Lua's functions that depend on the machine: what they return passes through the input log, which records it, and
** returns what was recorded while frames are replayed.
*/
#ifndef SP_DEMO_CLOCKS_H
#define SP_DEMO_CLOCKS_H

#include "demo/app/input_log.h"

/* Replaces `os.time`, `os.date`, `os.clock`, `math.randomseed` and `collectgarbage` of the game, where clocks are to be
   recorded. Call it before the game runs; the log must outlive it. False, with one line in `error`, when memory is
   refused. */
bool clocks_install(input_log *l, char *error, size_t error_size);

/* Returns a duration as the game gets it. Only a game that has asked for one gets it: then each is recorded. */
double clocks_measured(input_log *l, double ms);

#endif
