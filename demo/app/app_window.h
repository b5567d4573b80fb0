/*
** The window as the game wants it: title, icon, size, cursor, full screen, and the graphics that lie on its renderer.
*/
#ifndef APP_WINDOW_H
#define APP_WINDOW_H

#include "demo/app/app.h"

/* Loads fonts, sprites and overlays. When out of memory, the run ends. */
void app_load_graphics(app *a);
/* Loads them again after the render device, and with it all textures, was lost. */
void app_restore_graphics(app *a);

/* Does what the game wants of its window, and lets it see what the user has done, unless the run must be repeatable. */
void app_fulfil_wishes(app *a);

/* Applies the settings of main.lua to an `app`. The game sets the size of the window only at the start, and --size
   takes precedence; later the size belongs to the user. */
void app_apply_settings(void *ud);

#endif
