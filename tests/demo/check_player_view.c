/*
** Positions between window, view and world.
*/
#include "demo/draw/view.h"
#include "support/test.h"

#include <math.h>

static test_group maps = {"maps"};

TEST(maps, every_conversion_has_its_inverse)
{
  static const window dense = {.width = 301, .height = 143, .scale = 2};
  game_view v = {.own_width = 64, .own_height = 48, .camera = {.on = true, .x = -30, .y = 900, .zoom = 3, .angle = 2}};
  for (v.mode = VIEW_NONE; v.mode <= VIEW_STRETCH; v.mode++) {
    view_fit(&v, &dense);
    for (float x = -50; x < 400; x += 37) {
      SDL_FPoint at = view_from_window(&v, x, 100 - x), back = view_to_window(&v, at.x, at.y);
      ck_assert(fabsf(back.x - x) < 1e-3f && fabsf(back.y - (100 - x)) < 1e-3f);
      SDL_FPoint world = view_to_world(&v, at.x, at.y);
      view_map map = view_world_map(&v);
      back = view_apply(&map, world.x, world.y);
      ck_assert(fabsf(back.x - at.x) < 1e-2f && fabsf(back.y - at.y) < 1e-2f);
    }
    float pixels = v.left * v.density;
    ck_assert(pixels == floorf(pixels) && v.top * v.density == floorf(v.top * v.density));
  }
}

SUITE(player_view, &maps)
