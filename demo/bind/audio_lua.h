/*
** `spawnpool.audio`: play(name, options), which returns a voice; music(name, options); stop(), which ends both;
** volume(v) and mute(on). Their state is a `voices`. Voices are the live objects of the type `Voice` in the default
** manager. Once per step the mixer gets the list of them, with their volumes and pans. A voice ends by the clock of the
** game, after the measured length of its sound, so that a run without a device is the same.
*/
#ifndef SP_DEMO_AUDIO_LUA_H
#define SP_DEMO_AUDIO_LUA_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/spawnpool.h"
#include "demo/audio/audio.h"
#include "demo/draw/window.h"
#include "script/script.h"

#define VOICES_TYPE "Voice"

/* A voice of the last step. */
typedef struct voice {
  sp_ref object;
  pcm *samples; /* NULL: silent */
  double seconds;
  bool loop;
} voice;

/* A voice that is placed at an object. The game usually moves an object after allocating it, so the position is read at
   the end of the step. */
typedef struct voice_place {
  sp_ref voice, source;
  double pan; /* as set when it was allocated; if the game has changed it since, it stays */
} voice_place;

typedef struct voices {
  audio *audio;
  sp_script *script;
  const game_view *view; /* in which an object is left or right */
  voice *list;           /* in slot order */
  voice_place *places;
  size_t count, place_count, place_room;
} voices;

/* A copy of a list. */
typedef struct voices_list {
  voice *list;
  size_t count;
} voices_list;

/* A zeroed `voices` is closed. All arguments must outlive it. */
void voices_open(voices *v, audio *a, sp_script *script, const game_view *view);
void voices_close(voices *v);

/* Copy the voices of the last step, and restore a copy. False when out of memory: the copy is empty then. */
bool voices_copy(const voices *v, voices_list *to);
void voices_put_back(voices *v, const voices_list *from);
void voices_list_free(voices_list *list);

/* Call it once per step, after the pools. `seconds`: the step. */
void voices_step(voices *v, double seconds);

/* An sp_sound_fn; `ud` is the voices. Allocates a voice where the object is. */
void audio_lua_sound(void *ud, lua_State *L, sp_ref object, const char *name);

#endif
