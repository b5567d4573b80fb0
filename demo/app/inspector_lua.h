/*
** `spawnpool.inspect`, in the state of the player's tools only: what the inspector (demo/tools/inspector.lua) can ask
** of the game. Pools are numbered as in `spawnpool.player`; objects are references as integers; units are those of `g`.
**
**   show(on)                tells whether it is shown
**   type()                  the line of a field receives text from now on
**   find(type)              -> number of the pool; nil: there is none
**   at(x, y)                -> the object at a place of the window; nil: there is none
**   place(object)           -> x, y, radius in the window; nil: it is not live, or has no place
**   select(object)          makes it the selected one, `sel` in the console; nil: nothing is selected
**   name(object)            -> type, number of its life; nil: its pool is gone
**   life(object)            -> age, seconds left (may be infinite), timers, seconds to the next one; nil: it is over
**   kin(object)             -> parent or nil, how many children, and up to three of them
**   fields(object)          -> { name =, text =, kind =, own =, writable = } of each; nil: its life is over
**   set(object, name, text) -> nil, or why the value was rejected
**   history(object)         -> where it was allocated and recycled, or ""
**   traces()                -> whether that is recorded
**   sites(i, first)         -> a list of { site, age, object, site, ... } of live objects in the slots from `first` on,
**                              from 0; the next `first`, or nil at the end
**   slots(i)                -> how many slots of pool i can have an object
**   slot(i, n)              -> the live object in slot n, from 0, or nil
**   slot_of(i, object)      -> the number of its slot, or nil
**   map(i, first, n, x, y, w, h)  draws the slots from `first` on as cells, as large as fit for n of them; -> size of a
**                              cell, columns, cells drawn, the first slot: an earlier one when there is room for more
**   color(state, age)       -> red, green, blue of a slot, to 255: "empty", "idle", "live", "ending"
*/
#ifndef SP_DEMO_INSPECTOR_LUA_H
#define SP_DEMO_INSPECTOR_LUA_H

#include "demo/app/overlays.h"

/* Adds `spawnpool.inspect` to the state of the tools. False, with one line in `error`, when memory is refused. */
bool inspector_lua_install(overlays *o, lua_State *L, char *error, size_t error_size);

/* Returns the live, visible object whose centre is nearest to x, y of the window, in points, if that is within its
   radius; or 0. Takes time in proportion to the live objects. */
sp_ref inspector_pick(const sp_manager *pools, const game_view *v, float x, float y);

#endif
