/*
** A frame: one step and one draw, live or from the log. There is no other way in which the game runs.
*/
#ifndef SP_SESSION_FRAME_H
#define SP_SESSION_FRAME_H

#include "session/session.h"

/* Starts a live game; runs its next frame; looks for edits, as the host asks or a frame does. False when the game has
   stopped. */
void sp_frame_start(sp_session *s);
bool sp_frame_live(sp_session *s);
sp_poll_result sp_frame_poll(sp_session *s, sp_poll how, bool by_host);

/* Plays a frame of the log again, the next one after memory->frame; before the first the start. In the present of a
   replay, and in the past. False when the game has stopped. */
bool sp_frame_logged(sp_session *s, uint64_t frame, bool shown);
bool sp_frame_logged_start(sp_session *s);

/* Plays the next frame of a replay. */
bool sp_frame_replay(sp_session *s);

/* Reads what main.lua has set: after it has run, and after each reload. */
void sp_frame_read_settings(sp_session *s);

#endif
