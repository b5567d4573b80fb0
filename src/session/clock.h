/*
** Clocks of a game: `os.time`, `os.date` and `os.clock` are answers of the machine, read once a frame; the other
** readings of a frame are a microsecond later each. All time is UTC, whatever the zone of the process.
*/
#ifndef SP_SESSION_CLOCK_H
#define SP_SESSION_CLOCK_H

#include "session/session.h"

/* Replaces these functions in the script of the session. False when memory is refused. */
bool sp_clock_install(sp_session *s);

/* Returns the seconds since the epoch, as the machine says. */
double sp_clock_of_machine(void);

#endif
