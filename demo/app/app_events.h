/*
** The keys of the player, and which events go to the overlays, to the timeline, and to the game.
*/
#ifndef SP_DEMO_APP_EVENTS_H
#define SP_DEMO_APP_EVENTS_H

#include "demo/app/app_state.h"

/* Handles all pending events. */
void app_take_events(app *a);

#endif
