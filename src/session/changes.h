/*
** What an edit did, for a host that shows it: entries whose value was changed, found by comparing the texts.
*/
#ifndef SP_SESSION_CHANGES_H
#define SP_SESSION_CHANGES_H

#include "session/session.h"

/* Calls options.edited for the edits of a frame. */
void sp_changes_tell(sp_session *s, sp_poll_result result, uint64_t frame);

#endif
