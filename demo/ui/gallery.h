/*
** The gallery of bundled games: a card for each, with a picture and a line of text, in as many columns as fit into the
** window. One card is chosen, with keys, mouse or gamepad. The gallery draws and handles events; its owner starts the
** game.
*/
#ifndef SP_DEMO_GALLERY_H
#define SP_DEMO_GALLERY_H

#include <SDL.h>
#include <stdbool.h>

#include "demo/draw/graphics.h"
#include "demo/input/gamepad.h"

typedef struct gallery_card {
  const char *name, *about;
  SDL_Texture *picture; /* NULL: the card has none */
} gallery_card;

typedef struct gallery {
  const gallery_card *cards; /* of the owner */
  int count, chosen;
  char line[160];   /* shown below the cards: the result of the last game; "": how to choose */
  gamepad gamepad;  /* its held buttons and its stick */
  bool stick_rests; /* the stick was in its rest position since it last moved the choice */
  bool mouse_seen;  /* `mouse` is where it was last */
  SDL_Point mouse;
  float scrolled;                                  /* points that the first row is above the place of the first row */
  int columns;                                     /* in the last drawing */
  float left, top, step_x, step_y, card_w, card_h; /* of the cards in the last drawing; top is that of the first row */
} gallery;

typedef enum gallery_wish { GALLERY_STAY, GALLERY_PLAY, GALLERY_QUIT } gallery_wish;

/* `cards` must outlive it. */
void gallery_open(gallery *it, const gallery_card *cards, int count);

/* Handles an event: moves the choice, or returns what the user wants. GALLERY_PLAY: to play the chosen game. */
gallery_wish gallery_event(gallery *it, const SDL_Event *event);

/* Call it when the window has appeared: the mouse chooses nothing until it moves. */
void gallery_forget_mouse(gallery *it);

/* Fills the window; the chosen card is always in it. */
void gallery_draw(gallery *it, graphics *g);

#endif
