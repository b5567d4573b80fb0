/*
** Replays frames of the past while the timeline is open; rewind.c decides which.
*/
#ifndef SP_DEMO_REWIND_PLAY_H
#define SP_DEMO_REWIND_PLAY_H

#include "demo/app/rewind.h"

/* Restores the game to a moment, from which frames are then replayed. `m` must stay valid. */
void rewind_put(rewind_of *of, const moment *m);

/* Replays the next frame with its recorded input. */
void rewind_play_frame(rewind_of *of);

/* Ends playing again: the game is in the present. */
void rewind_end(rewind_of *of);

/* Draws the picture of the moment that the game was restored to. draw(g) may change the game, so it is restored again
   afterwards. */
void rewind_draw_origin(rewind_of *of);

/* Begins to replay to the end of `frame`: from the last moment before it, or from the current frame if that is
   nearer. */
void rewind_seek(rewind_of *of, uint64_t frame, rewind_then then);

/* Saves the state of the game as the start of a stretch. False when out of memory: `m` is free then. */
bool rewind_keep(rewind_of *of, moment *m);

#endif
