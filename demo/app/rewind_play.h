/*
** How frames of the past are played again while the timeline holds the game: rewind.c decides which.
*/
#ifndef SP_DEMO_REWIND_PLAY_H
#define SP_DEMO_REWIND_PLAY_H

#include "demo/app/rewind.h"

/* Puts the game to a moment, which must stay where it is; frames are played from there. */
void rewind_put(rewind_of *of, const moment *m);

/* Plays the next frame, with the input that it had. */
void rewind_play_frame(rewind_of *of);

/* Draws the picture of the moment that the game was put to: to draw it changes the game, which is put back after
   that. */
void rewind_draw_origin(rewind_of *of);

/* Begins to play until the end of `frame`: from the last moment before it, or from where it is, if that is nearer. */
void rewind_seek(rewind_of *of, uint64_t frame, rewind_then then);

/* Keeps the state of the game as the begin of a stretch. False when memory is refused: `m` is free then. */
bool rewind_keep(rewind_of *of, moment *m);

#endif
