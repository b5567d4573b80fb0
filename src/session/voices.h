/*
** `spawnpool.audio`: a voice is an object of the pool `Voice`, and lives as long as its sound, whoever makes it heard.
*/
#ifndef SP_SESSION_VOICES_H
#define SP_SESSION_VOICES_H

#include "session/session.h"

/* An sp_sound_fn; `ud` is the session. Allocates a voice where the object is. */
void sp_voices_sound(void *ud, lua_State *L, sp_ref object, const char *name);

/* Call it once per step, after the pools: new voices get the length of their sound, and a loop that ends its end. */
void sp_voices_step(sp_session *s);

#endif
