/*
** A hand at a window: called once for each picture that the player presents, on a display that shows nothing and by a
** clock of its own, so that a minute of play takes a second and no test waits. SDL_RenderPresent, SDL_Delay and
** SDL_GetPerformanceCounter of this program pass through here; without a hand they are SDL's. So does text_draw, where
** the linker can do that.
*/
#ifndef SP_TESTS_HAND_H
#define SP_TESTS_HAND_H

#include "demo/app/options.h"

#include <SDL.h>

/* Acts before picture number `picture`, from 1, is shown: what it pushes arrives in the next frame. */
typedef void (*hand_fn)(int picture);

/* Plays with this hand a game, or the gallery, and returns the exit code. What is printed is in hand_out and hand_err
   then: up to the next play. */
int hand_play(const options *o, int argc, char **argv, hand_fn act);
extern char *hand_out, *hand_err;

/* Asks the player to quit. */
void hand_quit(void);

/* Returns the colour of a point of the picture: 0xRRGGBB. For use in a hand_fn. */
uint32_t hand_pixel(int x, int y);

SDL_Window *hand_window(void);

/* What is written in the picture, in the order of drawing. For use in a hand_fn. */
typedef struct hand_text {
  char text[400];
  float x, y, width; /* points, or units of the game's view */
  uint32_t color;    /* 0xRRGGBB */
} hand_text;

enum { HAND_TEXTS_MOST = 1000 };
extern hand_text hand_texts[HAND_TEXTS_MOST];
extern int hand_text_count;

#endif
