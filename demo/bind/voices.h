/*
** Voices: the live objects of the type `Voice` in the default manager. Once per step the mixer gets the list of them,
** with their volumes and pans. A voice ends by the clock of the game, after the measured length of its sound, so that a
** run without a device is the same.
*/
#ifndef SP_DEMO_VOICES_H
#define SP_DEMO_VOICES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/spawnpool.h"
#include "demo/audio/audio.h"
#include "demo/draw/view.h"
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
  mixer_voice *wanted;
  voice_place *places;
  size_t count, room, place_count, place_room;
} voices;

/* A copy of a list. */
typedef struct voices_list {
  voice *list;
  size_t count;
} voices_list;

/* A zeroed `voices` is closed. All arguments must outlive it. */
void voices_open(voices *v, audio *a, sp_script *script, const game_view *view);
void voices_close(voices *v);

/* Returns the pan of a place in the world: -1 at the left edge of the view and beyond it, 1 at the right one. */
double voices_pan(const voices *v, const sp_place *place);

/* Places a voice at `source`, at the end of this step. */
void voices_place(voices *v, sp_ref object, sp_ref source, double pan);

/* Copy the voices of the last step, and restore a copy. False when out of memory: the copy is empty then. */
bool voices_copy(const voices *v, voices_list *to);
void voices_put_back(voices *v, const voices_list *from);
void voices_list_free(voices_list *list);

/* Call it once per step, after the pools. `seconds`: the step. */
void voices_step(voices *v, double seconds);

#endif
