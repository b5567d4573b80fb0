/*
** The window of a running game changes: its size, its focus, its graphics, and what main.lua sets of it.
*/
#ifndef SP_DEMO_APP_WINDOW_H
#define SP_DEMO_APP_WINDOW_H

#include "demo/app/app_state.h"

/* Size, display or focus may have changed. Without a window there is no focus to lose. */
void app_window_event(app *a, const SDL_WindowEvent *event);

/* Loads what is drawn with; without memory the player ends. */
void app_load_graphics(app *a);
/* Loads it again: the render device was lost, and with it all textures. */
void app_restore_graphics(app *a);

/* Takes the settings of main.lua (an `app`). The size of the window is the game's only at the start, and --size comes
   first; later it is the player's. */
void app_apply_settings(void *ud);

#endif
