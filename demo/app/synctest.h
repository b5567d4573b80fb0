/*
** --synctest: goes back after each frame, plays it again with the same input, and compares the two results. It finds
** what a game, or the player, keeps outside of what going back restores.
*/
#ifndef SP_DEMO_SYNCTEST_H
#define SP_DEMO_SYNCTEST_H

#include "demo/app/rewind.h"

typedef struct synctest {
  rewind_of *of;                      /* plays the frames again; NULL: nothing is tested */
  moment before;                      /* the end of the frame before */
  uint64_t frames, differing, inputs; /* frames that were played again; those that differ; events that were heard */
  bool has_failed;                    /* memory was refused */
} synctest;

/* Call these before a frame begins and after it has ended. `of` must be as it is while no timeline is open. */
void synctest_begin_frame(synctest *s);
void synctest_end_frame(synctest *s);

/* Prints the result; returns whether every frame came out the same. */
bool synctest_print_result(const synctest *s);
void synctest_close(synctest *s); /* a zeroed one is closed */

#endif
