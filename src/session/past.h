/*
** The past: frames are played again from copies of the memory.
*/
#ifndef SP_SESSION_PAST_H
#define SP_SESSION_PAST_H

#include "session/session.h"

/* Returns the time at which a call that may work for `seconds` has to end: of sp_clock_nanoseconds. */
uint64_t sp_past_deadline(double seconds);
bool sp_past_is_late(uint64_t deadline);

/* Goes back to the moment before `frame`: to the start of the script, if `from_start`. */
bool sp_past_return_before(sp_session *s, uint64_t frame, bool from_start);

/* Plays the log up to the end of a frame, or until it is late. `shown`: the last one is. */
sp_work sp_past_play(sp_session *s, uint64_t frame, uint64_t deadline, bool shown);

/* Frees all that is kept of it. */
void sp_past_close(sp_session *s);

#endif
