/*
** Tells that something happened in a folder, as soon as the system says so. That is all: what it was, and whether
** anything was missed, is for the one who is woken to find out. Where the system has no such events the player does
** without.
*/
#ifndef SP_DEMO_WAKE_H
#define SP_DEMO_WAKE_H

#include <stddef.h>

typedef struct wake wake;

/* `on_event` is called in wake_poll, maybe several times for one folder, with its name as wake_follow was given it. It
   may call wake_follow, but not wake_close. NULL: not possible here. */
wake *wake_open(void (*on_event)(void *ud, const char *folder), void *ud);

/* The folders to listen to from now on, and no others. Those that cannot be listened to stay silent until the next
   call. A folder that goes and comes back, or is replaced, is listened to again. `w` may be NULL, here and below. */
void wake_follow(wake *w, const char *const *folders, size_t count);

/* Never waits. */
void wake_poll(wake *w);

void wake_close(wake *w);

#endif
