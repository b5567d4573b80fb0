/*
** Tweens: number fields of an object that go to another value in some seconds. Each is a timer of the life that fires
** in every tick; its callback is a string with all that it needs, so that it is copied, saved and hashed as the name of
** a method is.
*/
#ifndef SP_SCRIPT_TWEEN_H
#define SP_SCRIPT_TWEEN_H

#include "script/state/handles.h"

/* Returns whether the callback of a timer at `index` is a tween. */
bool sp_is_tween(lua_State *L, int index);
/* Sets the field to its value at this time, and ends the timer after the last one; the callback is on top. Reports a
   field that the class has no more. */
void sp_tween_step(lua_State *L, const sp_lua_manager *m, sp_ref object, sp_timer timer);

#endif
