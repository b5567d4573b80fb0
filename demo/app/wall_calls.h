/*
** The part of the second wall that denies system calls: seccomp.
*/
#ifndef SP_DEMO_WALL_CALLS_H
#define SP_DEMO_WALL_CALLS_H

#include <stdbool.h>

typedef enum wall_calls_state { WALL_CALLS_THERE, WALL_CALLS_NOT_BUILT, WALL_CALLS_NOT_IN_KERNEL } wall_calls_state;

wall_calls_state wall_calls_have(void);

/* Confines all threads. False with errno. */
bool wall_calls_raise(void);

#endif
