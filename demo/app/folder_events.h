/*
** Tells that something happened in a folder, as soon as the system says so. That is all: what it was, and whether
** anything was missed, is for the one who is woken to find out. Where the system has no such events the player does
** without.
*/
#ifndef SP_DEMO_FOLDER_EVENTS_H
#define SP_DEMO_FOLDER_EVENTS_H

#include <stddef.h>

typedef struct folder_events folder_events;

/* `on_event` is called in folder_events_poll, maybe several times for one folder, with its name as folder_events_follow was given it. It
   may call folder_events_follow, but not folder_events_close. NULL: not possible here. */
folder_events *folder_events_open(void (*on_event)(void *ud, const char *folder), void *ud);

/* The folders to listen to from now on, and no others. Those that cannot be listened to stay silent until the next
   call. A folder that goes and comes back, or is replaced, is listened to again. `it` may be NULL, here and below. */
void folder_events_follow(folder_events *it, const char *const *folders, size_t count);

/* Never waits. */
void folder_events_poll(folder_events *it);

void folder_events_close(folder_events *it);

#endif
