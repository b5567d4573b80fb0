/*
** `spawnpool.audio`: voices, music and the master volume.
*/
#ifndef SP_DEMO_AUDIO_LUA_H
#define SP_DEMO_AUDIO_LUA_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/spawnpool.h"
#include "demo/bind/voices.h"

/* Adds `audio` to the module `spawnpool` of a state: `play(name, options)`, which returns a voice; `music(name,
   options)`; `stop()`, which ends both; `volume(v)` and `mute(on)`. `v` must outlive the state. False, with one line in
   `error`, when the module is missing or memory is refused. */
bool audio_lua_install(voices *v, lua_State *L, char *error, size_t error_size);

/* An sp_sound_fn; `ud` is the voices. Allocates a voice where the object is. */
void audio_lua_sound(void *ud, lua_State *L, sp_ref object, const char *name);

#endif
