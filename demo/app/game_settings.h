/*
** The settings in the table of main.lua that concern the window: title, size and scale. They are read when main.lua has
** run, and again after each reload.
*/
#ifndef SP_DEMO_GAME_SETTINGS_H
#define SP_DEMO_GAME_SETTINGS_H

#include "demo/draw/view.h"
#include "script/script.h"

#define GAME_TITLE_MOST 256 /* bytes */

typedef struct game_settings {
  char title[GAME_TITLE_MOST]; /* "": none */
  int width, height;           /* 0: none */
  view_scale scale;
} game_settings;

/* Reads the settings. Invalid ones are left out; `tell` receives why, one line each: "file:line: message". */
game_settings game_settings_read(sp_script *script, void (*tell)(void *ud, const char *problem), void *ud);

#endif
