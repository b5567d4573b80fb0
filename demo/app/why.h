/*
** --why finds what wrote a field: it plays a recording again while the field is watched (script/host/why.h).
*/
#ifndef SP_DEMO_WHY_H
#define SP_DEMO_WHY_H

#include "demo/app/options.h"

/* --why: plays the recording up to the frame of --at, and prints the writes of the field, newest first. Returns the
   exit code of the program: APP_USAGE when there is no such object, field or frame. */
int command_why(const options *o);

#endif
