/*
** options.twice: each frame is played a second time from the copy before it, and what is not the same is kept outside
** of what goes back, or was written from outside.
*/
#ifndef SP_SESSION_TWICE_H
#define SP_SESSION_TWICE_H

#include "session/session.h"

/* Copies the state from which the next frame is played twice. */
void sp_twice_begin(sp_session *s);

/* Plays the frame that has just run again, and compares. */
void sp_twice_check(sp_session *s);

#endif
