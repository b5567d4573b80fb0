/*
** A moment: everything of a game at the end of a frame, the script's memory and what the player keeps beside it, so
** that the game can be put back there.
*/
#ifndef SP_DEMO_MOMENT_H
#define SP_DEMO_MOMENT_H

#include "demo/app/game.h"
#include "script/host/checkpoint.h"

typedef struct moment {
  uint64_t frame;         /* of the tape: the one that has just run */
  uint64_t played, steps; /* frames with steps, and steps, that were played so far */
  int frame_steps;        /* steps of each frame from here on */
  int width, height;      /* of the window as the game sees it, points */
  float density;
  bool is_kept; /* after a reload: the frames behind it cannot be played from an earlier one */
  sp_checkpoint *script;
  input input;
  game_view view;
  game_settings settings;
  SDL_Color color;
  float shake_x, shake_y;
  bool stopped;
  unsigned sheets;
  storage_memory stored;
  voices_list voices;
} moment;

/* Fills `m` with the state of the game; the other members are the caller's. The memory of `reuse` (may be NULL) is
   used. False when memory is refused. */
bool moment_take(moment *m, const game *it, sp_checkpoint *reuse);
void moment_free(moment *m); /* a zeroed one is free */

/* Returns the bytes that it takes. */
size_t moment_bytes(const moment *m);

/* Puts the game back, as often as wanted; its last picture stays. */
void moment_return(const moment *m, game *it);

#endif
