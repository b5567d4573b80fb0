/*
** Plays the recordings of a game after each save, in a process of low priority that is started before the second wall:
** an older run is stopped. The first difference becomes a line in the window.
*/
#ifndef SP_DEMO_TESTER_H
#define SP_DEMO_TESTER_H

#include <sys/types.h>

#include "demo/app/options.h"
#include "demo/support/report.h"

typedef struct tester {
  int channel;     /* socket to the process */
  pid_t id;        /* 0: there is none */
  char line[1024]; /* of its answer, so far */
  size_t used;
  bool has_differed; /* since the last save */
} tester;

/* Starts the process, if the game is edited in a window and the options have `at_save`. Call it before there are
   threads. */
void tester_open(tester *t, const options *o);

/* Call it once per frame. `saved`: edited files run now. */
void tester_poll(tester *t, bool saved, messages *m);

void tester_close(tester *t); /* a zeroed one is closed */

#endif
