/*
** Parts of session.c that other files of the session use.
*/
#ifndef SP_SESSION_OPEN_H
#define SP_SESSION_OPEN_H

#include "session/session.h"

/* Opens a session that plays `r`, whose content it takes; NULL: one that is live. */
sp_session *sp_session_open_with(const sp_session_options *options, sp_recording *r, char *error, size_t error_size);

/* Reads what main.lua has set: after it has run, and after each reload. */
void sp_session_read_settings(sp_session *s);

/* Write the name of a live object, "Bullet#12", or ""; find the live object of a name, 0: there is none. */
void sp_session_name_object(const sp_session *s, sp_ref object, char *name, size_t size);
sp_ref sp_session_find_object(const sp_session *s, const char *name);

#endif
