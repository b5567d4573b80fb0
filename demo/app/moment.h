/*
** A moment: the whole state of a game at the end of a frame, the script's memory and the player's own data, from which
** the game can be restored.
*/
#ifndef SP_DEMO_MOMENT_H
#define SP_DEMO_MOMENT_H

#include "demo/app/game.h"
#include "script/host/checkpoint.h"

typedef struct moment {
  uint64_t frame;         /* number in the tape of the frame that has just run */
  uint64_t played, steps; /* frames with steps, and steps, that were played so far */
  int frame_steps;        /* steps of each frame from here on */
  int width, height;      /* of the window as the game sees it, points */
  float density;
  bool is_kept; /* taken after a reload: later frames cannot be replayed from an earlier moment */
  sp_checkpoint *script;
  input input;
  game_view view;
  game_settings settings;
  SDL_Color color;
  float shake_x, shake_y;
  bool stopped;
  unsigned sheets;
  stored *stored;
  voices_list voices;
} moment;

/* Copies the state of the game to `m`; the caller fills the other members. The memory of `reuse` (may be NULL) is used.
   False when out of memory. */
bool moment_take(moment *m, const game *it, sp_checkpoint *reuse);
void moment_free(moment *m); /* a zeroed one is free */

/* Returns the bytes that it takes. */
size_t moment_bytes(const moment *m);

/* Restores the game to the moment, which can be used again. The last frame stays on screen. */
void moment_return(const moment *m, game *it);

#endif
