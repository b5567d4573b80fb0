/*
** Tweens: number fields of an object that go to other values in some seconds. Each is a timer of the life that is due
** at its end, so it is copied, saved and hashed as that is. In every tick, before lives end and timers fire, all
** tweens of a manager set their fields: at the end to exactly the last value, before the timer calls what the tween
** was given.
*/
#ifndef SP_SCRIPT_TWEEN_H
#define SP_SCRIPT_TWEEN_H

#include "script/state/handles.h"

/* Sets the fields of all tweens of a manager. Reports a field that the class has no more. */
void sp_tweens_step(lua_State *L, const spl_manager *m);
/* Looks for tweens among all timers, in the next tick: those of a snapshot are there. Cannot fail. */
void sp_tweens_renew(spl_manager *m);
/* Replaces the callback of a tween, on top, by what it calls at its end: a function, the name of a method, or nil.
   False, and nothing has changed, when it is no tween. */
bool sp_tween_to_done(lua_State *L);

#endif
