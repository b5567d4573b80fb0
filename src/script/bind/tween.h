/*
** Tweens: number fields of an object that go to another value in some seconds. Each is a timer of the life that fires
** in every tick; its callback is a string with all that it needs, so that it is copied, saved and hashed as the name of
** a method is.
*/
#ifndef SP_SCRIPT_TWEEN_H
#define SP_SCRIPT_TWEEN_H

#include "script/state/handles.h"

/* Sets the field to its value at this time, and ends the timer after the last one; the callback is on top. False when
   that is no tween. Reports a field that the class has no more. Timers call it by sp_calls. */
bool sp_tween_step(lua_State *L, const spl_manager *m, sp_ref object, sp_timer timer);

#endif
