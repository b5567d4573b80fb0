/*
** The changes of an edit, for a host that shows them: entries that have another value, found by comparing the texts.
*/
#ifndef SP_SESSION_CHANGES_H
#define SP_SESSION_CHANGES_H

#include "session/session.h"

/* Calls options.edited for the edits of a frame. */
void sp_changes_tell(sp_session *s, sp_poll_result result, uint64_t frame);

#endif
