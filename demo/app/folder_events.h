/*
** Reports changes in folders as soon as the system does. An event does not say what has changed, and events may be
** missed, so the receiver has to check the files. On systems without such events the player relies on polling.
*/
#ifndef SP_DEMO_FOLDER_EVENTS_H
#define SP_DEMO_FOLDER_EVENTS_H

#include <stddef.h>

typedef struct folder_events folder_events;

/* `on_event` is called in folder_events_poll, possibly several times per folder, with the name that was passed to
   folder_events_follow. It may call folder_events_follow, but not folder_events_close. Returns NULL where events are
   not available. */
folder_events *folder_events_open(void (*on_event)(void *ud, const char *folder), void *ud);

/* Listens to these folders from now on, and to no others. For folders that cannot be listened to there are no events
   until the next call. A folder that is removed and created again, or replaced, is listened to again. `it` may be NULL,
   here and below. */
void folder_events_follow(folder_events *it, const char *const *folders, size_t count);

/* Calls `on_event` for what has happened. Never blocks. */
void folder_events_poll(folder_events *it);

void folder_events_close(folder_events *it);

#endif
