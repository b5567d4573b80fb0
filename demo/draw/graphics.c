/*
** Shapes as textured quads: areas are stretched white, slanted lines a bar with soft sides, discs the circle sprite.
** Upright lines are plain rectangles on whole points, so that a line one point wide is one row of pixels.
*/
#include "demo/draw/graphics.h"

#include <math.h>

#include "demo/support/strings.h"

#define WHITE_COLOR ((SDL_Color){255, 255, 255, 255})
#define TURN 6.28318531f

/* {== The camera ========================================================= */

/* Sets the pixels per unit at which pictures and letters are drawn. */
static void set_scale(graphics *it, float scale)
{
  it->view.scale = scale;
  text_set_scale(it->text, scale);
}

static void set_world_scale(graphics *it)
{
  const view_camera *c = &it->world->camera;
  set_scale(it, view_pixels(it->world) * (c->on ? c->zoom : 1));
}

/* Moves the quads of the world that were drawn since the last call to where the camera sees them. */
static void apply_camera(graphics *it)
{
  view_map map = view_world_map(it->world);
  SDL_Vertex *all = it->out->vertices; /* NULL while nothing was drawn */
  bool moves = it->world->camera.on || map.x0 != 0 || map.y0 != 0;
  for (size_t i = it->first * 4; moves && i < it->out->quads * 4; i++)
    all[i].position = view_apply(&map, all[i].position.x, all[i].position.y);
}

/* The quads that were drawn since the last call are ready to be shown. */
static void finish_quads(graphics *it)
{
  if (it->below)
    apply_camera(it);
  batch_clip(it->out, it->first, it->view.width, it->view.height, it->below ? view_pixels(it->world) : it->view.scale);
  it->first = it->out->quads;
}

void graphics_camera(graphics *it, const view_camera *c)
{
  if (it->below)
    finish_quads(it);
  it->world->camera = *c;
  if (it->below)
    set_world_scale(it);
}

/* }== */

void graphics_begin(graphics *it, batch *out, const draw_view *view)
{
  it->out = out;
  it->view = *view;
  it->color = WHITE_COLOR;
  it->below = false;
  it->quads_left = GRAPHICS_QUADS_MOST;
  it->letters_left = GRAPHICS_LETTERS_MOST;
  it->first = out->quads;
  set_scale(it, view->scale);
}

void graphics_begin_below(graphics *it, batch *out, const draw_view *view)
{
  graphics_begin(it, out, view);
  it->below = true;
  set_world_scale(it);
}

void graphics_end(graphics *it)
{
  finish_quads(it);
  it->below = false;
  it->out = NULL;
}

/* Returns whether one more quad may be drawn. */
static bool has_room(graphics *it)
{
  it->has_left_out |= it->quads_left == 0;
  return it->quads_left > 0 && it->quads_left--;
}

static bool add_area(graphics *it, float x, float y, float w, float h)
{
  if (!has_room(it))
    return true;
  batch_area white = sprites_white(it->sprites);
  return batch_rect(it->out, &white, x, y, w, h, it->color);
}

/* Draws from the centre of one point to the centre of the other, both ends included. */
static bool add_upright_line(graphics *it, float x1, float y1, float x2, float y2, float width)
{
  float left = fminf(x1, x2), top = fminf(y1, y2), shift = floorf((width - 1) * 0.5f);
  if (y1 == y2)
    return add_area(it, left, top - shift, fabsf(x2 - x1) + 1, width);
  return add_area(it, left - shift, top, width, fabsf(y2 - y1) + 1);
}

/* Draws a bar of this width along the half length (dx, dy) to both sides of the middle. */
static bool add_bar(graphics *it, SDL_FPoint middle, float dx, float dy, float width)
{
  const sprite_level *level = sprite_level_at(sprites_bar(it->sprites), width * it->view.scale);
  float length = hypotf(dx, dy), half = level->half_h * width * 0.5f;
  if (length <= 0 || !has_room(it))
    return true;
  SDL_Vertex *v = batch_reserve(it->out, 1);
  if (!v)
    return false;
  batch_fill_turned(v, &level->area, middle, (SDL_FPoint){dx, dy},
                    (SDL_FPoint){-dy / length * half, dx / length * half}, it->color);
  return batch_commit(it->out, level->area.texture, 1);
}

bool graphics_line(graphics *it, float x1, float y1, float x2, float y2, float width)
{
  SDL_FPoint middle = {(x1 + x2) * 0.5f + 0.5f, (y1 + y2) * 0.5f + 0.5f};
  if (x1 == x2 || y1 == y2)
    return add_upright_line(it, x1, y1, x2, y2, width);
  return add_bar(it, middle, (x2 - x1) * 0.5f, (y2 - y1) * 0.5f, width);
}

bool graphics_rect(graphics *it, float x, float y, float w, float h, bool filled)
{
  if (w <= 0 || h <= 0)
    return true;
  if (filled || w <= 2 || h <= 2)
    return add_area(it, x, y, w, h);
  return add_area(it, x, y, w, 1) && add_area(it, x, y + h - 1, w, 1) && add_area(it, x, y + 1, 1, h - 2) &&
         add_area(it, x + w - 1, y + 1, 1, h - 2);
}

bool graphics_sprite(graphics *it, const sprite *shape, float x, float y, float angle, float radius)
{
  const sprite_level *level = sprite_level_at(shape, fabsf(radius) * 2 * it->view.scale);
  float w = level->half_w * radius, h = level->half_h * radius, c = cosf(angle), s = sinf(angle);
  if (!has_room(it))
    return true;
  SDL_Vertex *v = batch_reserve(it->out, 1);
  if (!v)
    return false;
  if (angle == 0)
    batch_fill(v, &level->area, x, y, w, h, it->color);
  else
    batch_fill_turned(v, &level->area, (SDL_FPoint){x, y}, (SDL_FPoint){w * c, w * s}, (SDL_FPoint){-h * s, h * c},
                      it->color);
  return batch_commit(it->out, level->area.texture, 1);
}

/* Uses as many corners as keep the line within a quarter of a point of the circle. */
static bool add_outline(graphics *it, float x, float y, float radius)
{
  float wanted = 4 + 4.5f * sqrtf(radius), half_angle, half_length;
  int corners = wanted < 256 ? (int)wanted : 256;
  half_angle = TURN / 2 / (float)corners;
  half_length = radius * sinf(half_angle);
  for (int i = 0; i < corners; i++) {
    float angle = TURN * ((float)i + 0.5f) / (float)corners, c = cosf(angle), s = sinf(angle);
    float away = radius * cosf(half_angle);
    if (!add_bar(it, (SDL_FPoint){x + away * c, y + away * s}, -s * half_length, c * half_length, 1))
      return false;
  }
  return true;
}

bool graphics_circle(graphics *it, float x, float y, float radius, bool filled)
{
  if (radius <= 0)
    return true;
  if (!filled)
    return add_outline(it, x, y, radius);
  return graphics_sprite(it, sprites_disc(it->sprites), x, y, 0, radius);
}

/* Returns how much of a text may still be drawn: its first letters. */
static size_t shown_length(graphics *it, const char *s, size_t length)
{
  const char *end = s + (length < GRAPHICS_TEXT_MOST ? length : GRAPHICS_TEXT_MOST), *at = s;
  while (at < end && it->letters_left > 0) {
    utf8_next(&at, end);
    it->letters_left--;
  }
  it->has_left_out |= (size_t)(at - s) < length;
  return (size_t)(at - s);
}

void graphics_write(graphics *it, float x, float y, const text_style *style, const char *s, size_t length)
{
  if (text_is_drawn(it->text))
    text_draw(it->text, it->out, x, y, style, s, shown_length(it, s, length));
}
