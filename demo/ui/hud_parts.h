/*
** The parts that both levels of the HUD share: its rows, and the columns in them.
*/
#ifndef SP_DEMO_HUD_PARTS_H
#define SP_DEMO_HUD_PARTS_H

#include "demo/ui/hud.h"

#define HUD_LETTERS 55     /* of a row */
#define HUD_LEAST 16       /* letters: in a narrower window the HUD is not shown */
#define HUD_FRAME_MS 16.67 /* milliseconds of a frame at 60 per second; with more work frames are late */

/* A number and where it ends, in letters from the left. */
typedef struct hud_column {
  int right;
  SDL_Color color;
  char text[20];
} hud_column;
void hud_columns(graphics *g, float x, float y, const hud_column *columns, int count);

/* Draws the titles of such columns. */
void hud_title_columns(graphics *g, float x, float y, const char *const *titles, const int *rights, int count);

/* Returns grey for zero, so that it recedes. */
SDL_Color hud_shade(double number, SDL_Color color);

/* Returns the width of a row, at most that of the window; and how many letters that are. */
float hud_block_width(graphics *g);
int hud_block_letters(graphics *g);

/* The result of the last reload, if there was one. */
bool hud_has_badge(const hud *h);
void hud_badge(const hud *h, graphics *g, float x, float y);

/* Draws frames per second, frame times, and Lua's memory. */
void hud_speed(const hud *h, graphics *g, float x, float y);

/* Draws the titles of a pool's row, the row, and its bar: live and idle objects relative to the limit, with a mark
   at the peak. */
void hud_titles(graphics *g, float x, float y);
void hud_pool(graphics *g, float x, float y, const sp_pool *pool);

/* Records that `fit` of `all` pools fit into the window, and limits h->first accordingly. Returns how many are shown.
   */
uint32_t hud_fit(hud *h, uint32_t fit, uint32_t all);

/* Draws a plate that the game's own text does not show through, and adds it to h->area. */
void hud_plate(hud *h, graphics *g, float x, float y, float w, float high);

/* Draws "4 to 9 of 12 pools" and how to see the others. */
void hud_more(const hud *h, graphics *g, float x, float y, uint32_t all);

#endif
