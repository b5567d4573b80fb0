/*
** Why: frames are played again while a field is watched (script/host/why.h).
*/
#ifndef SP_SESSION_WHY_H
#define SP_SESSION_WHY_H

#include "session/session.h"

/* Ends a search. */
void sp_why_end(sp_session *s);

#endif
