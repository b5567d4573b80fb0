/*
** A frame: one step and one draw, live or from the log. There is no other way in which the game runs.
*/
#ifndef SP_SESSION_FRAME_H
#define SP_SESSION_FRAME_H

#include "session/session.h"

/* Plays a frame of the log again, the next one after memory->frame; before the first the start. In the present of a
   replay, and in the past. False when the game has stopped. */
bool sp_frame_logged(sp_session *s, uint64_t frame, bool shown);
bool sp_frame_logged_start(sp_session *s);

#endif
