/*
** How the inspector looks: pools, slots, and an object or the lines that allocated objects.
*/
#ifndef SP_DEMO_INSPECTOR_PANEL_H
#define SP_DEMO_INSPECTOR_PANEL_H

#include "demo/ui/inspector.h"

/* Draws the panel and the outline of the selected object. `pools` may be NULL. `now` is real time in seconds. */
void inspector_draw(inspector *it, graphics *g, sp_manager *pools, double now);

#endif
