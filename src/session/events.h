/*
** Events: which kinds the session understands, and what is refused.
*/
#ifndef SP_SESSION_EVENTS_H
#define SP_SESSION_EVENTS_H

#include "script/host/callbacks.h"
#include "session/input.h"
#include "session/spawnpool_session.h"
#include "session/view.h"

enum { SP_EVENT_FIELDS_MOST = 16, SP_EVENT_PROBLEM_MOST = 192 };
#define SP_EVENT_TEXT_MOST ((size_t)64 << 10)
#define SP_EVENT_KIND_MOST 64 /* bytes of a name, with its zero */

/* Returns whether an event can be sent; else `problem` says why not. */
bool sp_event_check(const sp_session_event *event, char problem[SP_EVENT_PROBLEM_MOST]);

/* Changes what is known of the input devices and the view by an event. Returns whether it is one for the game: a key
   that repeats is none. */
bool sp_event_note(const sp_session_event *event, sp_input *input, sp_view *view);

/* Fills `values` with what the callback gets; returns how many. `*has_callback`: whether the kind has one at all. */
size_t sp_event_values(const sp_session_event *event, sp_call_value values[SP_CALL_VALUES_MOST], bool *has_callback);

#endif
