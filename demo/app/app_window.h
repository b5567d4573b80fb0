/*
** Changes of the window while a game runs: its size, its focus, its graphics, and the settings of main.lua.
*/
#ifndef SP_DEMO_APP_WINDOW_H
#define SP_DEMO_APP_WINDOW_H

#include "demo/app/app_state.h"

/* Handles an event that may have changed size, display or focus. Without a window there is no focus to lose. */
void app_window_event(app *a, const SDL_WindowEvent *event);

/* Loads fonts, sprites and overlays. When out of memory, the run ends. */
void app_load_graphics(app *a);
/* Loads them again after the render device, and with it all textures, was lost. */
void app_restore_graphics(app *a);

/* Applies the settings of main.lua; `ud` is the app. The game sets the size of the window only at the start, and --size
   takes precedence; later the size belongs to the user. */
void app_apply_settings(void *ud);

#endif
