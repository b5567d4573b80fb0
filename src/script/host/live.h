/*
** Hot reload of a game that the host runs.
*/
#ifndef SP_SCRIPT_LIVE_H
#define SP_SCRIPT_LIVE_H

#include "script/host/host.h"

/* Runs main.lua for the first time, keeping track of its files. False after an error, which was reported. */
bool sp_host_start_tracked(sp_script *s);

/* The game has started: from here on each accepted save makes a version, which can be taken back. */
void sp_host_prove(sp_script *s);

#endif
