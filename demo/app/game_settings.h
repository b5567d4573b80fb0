/*
** The settings in the table of main.lua that concern the window: title, size and scale. They are read when main.lua has
** run, and again after each reload.
*/
#ifndef SP_DEMO_GAME_SETTINGS_H
#define SP_DEMO_GAME_SETTINGS_H

#include "demo/draw/view.h"
#include "demo/support/report.h"
#include "script/script.h"

#define GAME_TITLE_MOST 256 /* bytes */

typedef struct game_settings {
  char title[GAME_TITLE_MOST]; /* "": none */
  int width, height;           /* 0: none */
  view_scale scale;
} game_settings;

/* Reads the settings. Invalid ones are reported as warnings and left out. */
game_settings game_settings_read(const sp_script *script, report *r);

#endif
