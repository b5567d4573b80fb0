/*
** `spawnpool.view`: converts positions between the world and the view.
**
**   spawnpool.view:to_world(x, y)       position in the world that the camera shows at x, y of the view
**   spawnpool.view:to_view(x, y)        position in the view at which the camera shows x, y of the world
**   spawnpool.view.width, .height       size of the view, in units
*/
#ifndef SP_DEMO_VIEW_LUA_H
#define SP_DEMO_VIEW_LUA_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

#include "demo/draw/view.h"

/* Adds the table to the module. `v` must outlive the state. False, with one line in `error`, when memory is refused. */
bool view_install(const game_view *v, lua_State *L, char *error, size_t error_size);

#endif
