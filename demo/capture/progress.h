/*
** Reports the progress of a long headless run in lines at fixed intervals of real time, shorter ones on a terminal.
*/
#ifndef SP_DEMO_PROGRESS_H
#define SP_DEMO_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#define PROGRESS_SOON 5.0 /* seconds between two lines on a terminal */
#define PROGRESS_LATE 60.0
#define PROGRESS_MOST 192 /* bytes of a line, with its end */

typedef struct progress {
  double last, every; /* real seconds; every 0: never */
  uint64_t last_frame;
} progress;

/* Starts at `now`, real seconds. */
void progress_start(progress *p, bool on_terminal, double now);

/* Writes a line of at most PROGRESS_MOST bytes when one is due. A zeroed progress never has one. `frames`: the end
   of the run, UINT64_MAX if unknown; `seconds`: of game time. */
bool progress_line(progress *p, double now, uint64_t frame, uint64_t frames, double seconds, char line[PROGRESS_MOST]);

#endif
