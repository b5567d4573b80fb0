/*
** The full HUD: curves of frame times and of Lua's memory, and two rows per pool.
*/
#ifndef SP_DEMO_HUD_FULL_H
#define SP_DEMO_HUD_FULL_H

#include "demo/ui/hud.h"

/* Draws everything that the history of `h` holds. */
void hud_draw_full(hud *h, graphics *g, const sp_manager *pools, const stats *s);

#endif
