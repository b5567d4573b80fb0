/*
** Applies a Landlock ruleset to threads that are running already.
*/
#ifndef SP_DEMO_WALL_THREADS_H
#define SP_DEMO_WALL_THREADS_H

#include <stdbool.h>

/* Confines the calling thread. False with errno. */
bool wall_thread_confine(int rules, unsigned flags);

/* Confines all other threads, for versions of Landlock that cannot. False when a thread cannot be reached: `rules` must
   then stay open. */
bool wall_threads_confine(int rules);

#endif
