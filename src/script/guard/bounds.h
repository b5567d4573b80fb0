/*
** Functions of Lua's libraries whose work a game can choose freely, and which no hook can interrupt. One table has all
** of them, one guard begins each call: it raises when the time of the call is over, and for work that is known before
** and does not fit. Long loops are replaced by ones that count what they do, with Lua's results and messages.
*/
#ifndef SP_SCRIPT_BOUNDS_H
#define SP_SCRIPT_BOUNDS_H

#include <stdbool.h>

#include "script/guard/watchdog.h"

/* Replaces those functions in the open libraries; of a trusted game only table.sort, and only in a repeatable state:
   Lua's own asks the clock where to divide a long list, so two runs could differ. Raises on memory. */
void sp_bounds_open(lua_State *L, sp_watchdog *w, bool trust);

#endif
