/*
** Text, lines, rectangles, circles, polygons and sprites, added to a batch: what a game draws with `g`, and what the
** player draws its overlays with.
*/
#ifndef SP_DEMO_GRAPHICS_H
#define SP_DEMO_GRAPHICS_H

#include <stdbool.h>
#include <stddef.h>

#include "demo/draw/draw.h"
#include "demo/draw/text.h"

/* So much may be drawn from graphics_begin to graphics_end; the rest is left out. */
#define GRAPHICS_QUADS_MOST 262144
#define GRAPHICS_LETTERS_MOST 65536
#define GRAPHICS_TEXT_MOST 65536 /* bytes of one text, also of one that is measured */
#define GRAPHICS_TEXT_SIZE 16.0f
#define GRAPHICS_POINTS_MOST 1024 /* of a polygon */

typedef struct graphics {
  const struct sp_reach *rows; /* the methods of `g` */
  sprites *sprites;
  text *text;
  draw_view view;
  game_view *world;          /* the game's view: graphics_camera sets its camera. NULL: there is none */
  bool software;             /* see window.h */
  bool below;                /* what is drawn now is in the world, seen by the camera */
  size_t first;              /* the first quad that is not ready to be shown */
  float shake_x, shake_y;    /* offset of the objects in the next picture */
  double update_ms, draw_ms; /* durations of the last steps and the last picture */
  bool is_measured;          /* the game has asked for one */
  batch *out;                /* NULL outside draw */
  SDL_Color color;
  int face; /* of texts whose calls name no font */
  float text_size;
  size_t quads_left, letters_left;
  bool has_left_out; /* something, since the game has started */
} graphics;

/* Begin and end one call of draw, which draws into `out`. graphics_begin_below: what is drawn is in the world. */
void graphics_begin(graphics *it, batch *out, const draw_view *view);
void graphics_begin_below(graphics *it, batch *out, const draw_view *view);
void graphics_end(graphics *it);

/* Returns the rectangle that has all that is seen of what is drawn now. */
SDL_FRect graphics_visible(const graphics *it);

/* Sets the camera of the view, for objects and for what is drawn below them from now on. */
void graphics_camera(graphics *it, const view_camera *c);

/* {== Drawing, as the methods do ========================================= */

/* Draws a text into it->out, as far as it may. */
void graphics_write(graphics *it, float x, float y, const text_style *style, const char *s, size_t length);

/* Until the next call, drawing is seen in this area of the view only; NULL: everywhere. */
void graphics_clip(graphics *it, const SDL_FRect *area);

/* An effect changes the picture as it is when the effect is drawn: it lays a colour over the picture, multiplies it by
   one, or adds the lines and darker corners of an old screen. */
typedef enum graphics_effect { EFFECT_FLASH, EFFECT_TINT, EFFECT_CRT } graphics_effect;
bool graphics_add_effect(graphics *it, graphics_effect effect, float amount, SDL_Color color);

/* Each draws into it->out in it->color; false when memory is refused. Numbers must be finite. */
bool graphics_line(graphics *it, float x1, float y1, float x2, float y2, float width);
bool graphics_rect(graphics *it, float x, float y, float w, float h, bool filled);
bool graphics_circle(graphics *it, float x, float y, float radius, bool filled);
/* At least three points. Sides must not cross each other. */
bool graphics_polygon(graphics *it, const SDL_FPoint *points, int count, bool filled);
/* A negative radius mirrors. */
bool graphics_sprite(graphics *it, const sprite *shape, float x, float y, float angle, float radius_x, float radius_y);

/* }== */

#endif
