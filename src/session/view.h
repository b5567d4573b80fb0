/*
** `spawnpool.view`: the size of the view, and what the camera shows. The host decides where the camera is, by drawing.
*/
#ifndef SP_SESSION_VIEW_H
#define SP_SESSION_VIEW_H

#include "script/script.h"

enum { SP_VIEW_WIDTH = 800, SP_VIEW_HEIGHT = 600 }; /* before the host has said another size */

/* Lies in the memory of the game. */
typedef struct sp_view {
  double width, height;           /* units */
  double own_width, own_height;   /* that main.lua has set; 0: none */
  double host_width, host_height; /* of the last resized */
  bool is_told;                   /* the host has said a size */
  bool has_camera;
  double x, y, zoom, angle; /* of the camera */
} sp_view;

void sp_view_open(sp_view *view);

/* Takes the settings of main.lua: width, height, scale. */
void sp_view_settle(sp_view *view, const sp_script *script);

/* The host has this size now. A view with a size of its own keeps that. */
void sp_view_resize(sp_view *view, double width, double height);

/* Convert positions from the view to the world, and back. */
void sp_view_to_world(const sp_view *view, double *x, double *y);
void sp_view_to_view(const sp_view *view, double *x, double *y);

#endif
