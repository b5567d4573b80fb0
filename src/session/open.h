/*
** Parts of session.c that other files of the session use.
*/
#ifndef SP_SESSION_OPEN_H
#define SP_SESSION_OPEN_H

#include "session/session.h"

/* Opens a session that plays `r`, whose content it takes; NULL: one that is live. */
sp_session *sp_session_open_with(const sp_session_options *options, sp_recording *r, char *error, size_t error_size);

#endif
