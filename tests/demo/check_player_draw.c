/*
** What a game cannot set, drawn all the same: numbers that are none, pools without a place; and shapes, angles and
** fonts alone. tests/demo/player/drawing.lua has what games draw, to the pixel.
*/
#include "demo/draw/draw.h"
#include "demo/paint.h"
#include "demo/play.h"
#include "demo/stage.h"
#include "model/program.h"
#include "support/desc.h"
#include "support/test.h"

#include <SDL.h>
#include <math.h>
#include <sys/stat.h>

static stage scene;

static void open_stage(void) { stage_open(&scene, 64, 48, NULL); }
static void close_stage(void) { stage_close(&scene); }

/* {== Objects ============================================================ */

static test_group objects = {"objects", open_stage, close_stage};

TEST(objects, numbers_that_are_none_draw_nothing)
{
  sp_pool *pool = stage_pool(&scene, "A");
  float bad[] = {NAN, INFINITY, -INFINITY, 1e30f};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    sp_ref turned = sp_pool_alloc_at(pool, 0, &(sp_place){20, 20, bad[i]}, NULL);
    stage_object(pool, bad[i], 20);
    stage_object(pool, 20, bad[i]);
    stage_object(pool, 20, 20)->radius = bad[i];
    stage_object(pool, 20, 20)->scale = bad[i];
    if (bad[i] > 1e29f && bad[i] < INFINITY)
      sp_recycle(scene.pools, turned); /* a huge angle is one all the same */
  }
  stage_draw(&scene);
  ck_assert_uint_eq(scene.batch.quads, 0);
}

TEST(objects, a_colour_that_is_no_number_is_dark)
{
  sp_look *look = stage_object(stage_pool(&scene, "A"), 20, 20);
  look->r = 7;
  look->b = NAN;
  stage_draw(&scene);
  stage_show(&scene);
  ck_assert_uint_eq(stage_pixel(&scene, 20, 20), 0xffff00u);
}

TEST(objects, pools_with_no_place_are_passed_over)
{
  sp_pool_desc desc = test_desc("Session");
  desc.spatial = false;
  ck_assert(sp_pool_alloc(sp_add_pool(scene.pools, &desc, NULL), 0, NULL) != 0);
  stage_draw(&scene);
  ck_assert_uint_eq(scene.batch.quads, 0);
}

/* }== */

/* {== Sprites ============================================================ */

static test_group shapes = {"sprites", open_stage, close_stage};

TEST(shapes, every_shape_is_there_at_every_size)
{
  static const char *const names[] = {"circle", "square", "triangle", "ring", "spark"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const sprite *shape = sprites_find(scene.sprites, names[i]);
    ck_assert_ptr_nonnull(shape);
    ck_assert_ptr_eq(shape, sprites_number(scene.sprites, (uint16_t)i));
    for (float pixels = 1; pixels <= 256; pixels++) {
      const sprite_level *level = sprite_level_at(shape, pixels);
      ck_assert_msg((float)level->width >= pixels, "%s at %g is %d wide", names[i], (double)pixels, level->width);
      ck_assert((float)level->width < pixels + 2 || (float)level->width <= pixels * 1.51f);
    }
    ck_assert_int_eq(sprite_level_at(shape, 4000)->width, 256);
    ck_assert_int_eq(sprite_level_at(shape, NAN)->width, 2);
    ck_assert_int_eq(sprite_level_at(shape, -1)->width, 2);
  }
}

TEST(shapes, one_checker_stands_for_all_that_is_unknown)
{
  scene.extra = "sqare";
  ck_assert_ptr_eq(sprites_number(scene.sprites, 60000), sprites_number(scene.sprites, STAGE_EXTRA));
}

TEST(shapes, a_font_of_the_system_draws_too)
{
  text *other = text_open(&scene.window, false);
  text_style style = {FONT_SANS, 16, {255, 255, 255, 255}};
  ck_assert_ptr_nonnull(other);
  ck_assert(text_line(other, &style) >= 14);
  ck_assert(text_draw(other, &scene.batch, 2, 2, &style, "Wide", 4) > text_width(other, &style, "i", 1));
  style.face = FONT_MONO;
  ck_assert_float_eq(text_width(other, &style, "W", 1), text_width(other, &style, "i", 1));
  stage_show(&scene);
  ck_assert_int_gt(stage_lit(&scene), 20);
  text_close(other);
}

/* }== */

TEST(objects, angles_turn_as_the_c_library_says)
{
  float angles[SINCOS_COUNT], cosines[SINCOS_COUNT], sines[SINCOS_COUNT];
  for (float most = 1; most <= SINCOS_MOST; most *= 10) {
    for (int i = 0; i < SINCOS_COUNT; i++)
      angles[i] = most * ((float)i / (SINCOS_COUNT / 2) - 1);
    sincos_all(angles, cosines, sines);
    for (int i = 0; i < SINCOS_COUNT; i++) {
      ck_assert_float_eq_tol(cosines[i], cosf(angles[i]), 1e-7f);
      ck_assert_float_eq_tol(sines[i], sinf(angles[i]), 1e-7f);
    }
  }
}

static test_group textures = {"textures", play_open, play_close};

TEST(textures, objects_of_many_textures_keep_their_order)
{
  stage s;
  sprites_options looks = {.files = NULL};
  window narrow;
  sprites *many;
  const sprite *red, *blue;
  ck_assert_int_eq(mkdir(play_path("sprites"), 0700), 0);
  paint_png(play_path("sprites/red.png"), 250, 8, 0xffff0000u, 0xffff0000u);
  paint_png(play_path("sprites/tall.png"), 4, 300, 0xff00ff00u, 0xff00ff00u);
  paint_png(play_path("sprites/blue.png"), 250, 250, 0xff0000ffu, 0xff0000ffu);
  stage_open(&s, 64, 48, play_folder);
  looks.files = s.files;
  narrow = s.window;
  narrow.texture_most = 256;
  many = sprites_open(&narrow, &looks);
  ck_assert_msg(many != NULL, "%s", SDL_GetError());
  red = sprites_find(many, "red");
  blue = sprites_find(many, "blue");
  s.graphics.sprites = many;
  ck_assert_ptr_ne(red->levels->area.texture, blue->levels->area.texture);
  for (int i = 0; i < 3; i++) {
    graphics_sprite(&s.graphics, red, 30, 20, 0, 125);
    graphics_sprite(&s.graphics, blue, 30, 20, 0, 125);
    graphics_sprite(&s.graphics, sprites_find(many, "tall"), 30, 20, 0, 2);
  }
  ck_assert_uint_eq(s.batch.run_count, 9);
  stage_show(&s);
  ck_assert_uint_eq(stage_pixel(&s, 30, 20), 0x00ff00u);
  ck_assert_uint_eq(stage_pixel(&s, 40, 20), 0x0000ffu);
  sprites_close(many);
  stage_close(&s);
}

/* {== Far and large ====================================================== */

static test_group clipped = {"clipped", open_stage, close_stage};

/* A number as games have it, or one as they should not. */
static float any_number(choices *from)
{
  static const float odd[] = {0, -1, 1e9f, -1e9f, 65536, -65536, 3e38f, 1e-38f, 32768, 0.5f};
  uint32_t n = choose(from, 30);
  return n < sizeof odd / sizeof *odd ? odd[n] : (float)(int)choose(from, 4000) - 1000.5f;
}

static void draw_anything(choices *from)
{
  graphics *g = &scene.graphics;
  float n[5];
  for (int i = 0; i < 5; i++)
    n[i] = any_number(from);
  const sprite *shape = sprites_number(scene.sprites, (uint16_t)choose(from, STAGE_EXTRA));
  switch (choose(from, 5)) {
  case 0:
    graphics_line(g, n[0], n[1], n[2], n[3], fabsf(n[4]));
    break;
  case 1:
    graphics_rect(g, n[0], n[1], n[2], n[3], choose(from, 2));
    break;
  case 2:
    graphics_circle(g, n[0], n[1], n[2], choose(from, 2));
    break;
  case 3:
    graphics_sprite(g, shape, n[0], n[1], n[2], n[3]);
    break;
  default: {
    sp_pool *pool = stage_pool(&scene, "Any");
    sp_ref object = sp_pool_alloc_at(pool, 0, &(sp_place){n[0], n[1], n[3]}, NULL);
    sp_look *look = sp_cell(scene.pools, object, SP_LOOK);
    look->radius = n[2];
    look->sprite = (uint16_t)choose(from, STAGE_EXTRA);
    stage_draw(&scene);
    sp_pool_remove(pool, NULL, NULL);
  }
  }
}

static void assert_near_the_view(const SDL_Vertex *v, uint64_t turn)
{
  for (int i = 0; i < 4; i++) {
    const float x = v[i].position.x, y = v[i].position.y;
    ck_assert_msg(x >= -64 - 512 && x <= 2 * 64 + 512 && y >= -48 - 512 && y <= 2 * 48 + 512,
                  "turn %d: a corner at %g, %g", (int)turn, (double)x, (double)y);
  }
}

TEST(clipped, whatever_is_drawn_ends_near_the_view)
{
  for (int turn = 0; turn < 3000; turn++) {
    choices from = {.random = 7 + 10 * (uint64_t)turn};
    draw_anything(&from);
    graphics_end(&scene.graphics);
    for (size_t i = 0; i < scene.batch.quads; i++)
      assert_near_the_view(scene.batch.vertices + i * 4, (uint64_t)turn);
    ck_assert_uint_lt(scene.batch.quads, 1100);
    stage_show(&scene);
    graphics_begin(&scene.graphics, &scene.batch, &scene.view);
  }
}

/* Rounding can make a thin quad cross itself. */
TEST(clipped, any_four_corners_are_cut)
{
  const batch_area area = sprites_white(scene.sprites);
  for (int turn = 0; turn < 20000; turn++) {
    choices from = {.random = 8 + 10 * (uint64_t)turn};
    SDL_Vertex *v = batch_reserve(&scene.batch, 1);
    ck_assert_ptr_nonnull(v);
    batch_fill(v, &area, 0, 0, 1, 1, (SDL_Color){255, 255, 255, 255});
    for (int i = 0; i < 4; i++)
      v[i].position = (SDL_FPoint){any_number(&from), any_number(&from)};
    ck_assert(batch_commit(&scene.batch, area.texture, 1));
    ck_assert(batch_clip(&scene.batch, 0, 64, 48, 1));
    for (size_t i = 0; i < scene.batch.quads; i++)
      assert_near_the_view(scene.batch.vertices + i * 4, (uint64_t)turn);
    batch_clear(&scene.batch);
  }
}

/* A square of radius 300 whose corner lies in the middle of the picture, or a side. */
TEST(clipped, what_is_left_of_a_large_square_has_its_edges)
{
  static const float angles[] = {0, 0.785398163f};
  const sprite *square = sprites_number(scene.sprites, STAGE_SQUARE);
  for (int turned = 0; turned < 2; turned++) {
    float away = turned ? 300 * sqrtf(2) : 300;
    graphics_sprite(&scene.graphics, square, 32 - away, 24, angles[turned], 300);
    graphics_end(&scene.graphics);
    stage_show(&scene);
    ck_assert_uint_eq(stage_pixel(&scene, 10, 24), 0xffffffu);
    ck_assert_uint_eq(stage_pixel(&scene, 63, 24), 0);
    ck_assert_uint_eq(stage_pixel(&scene, 20, 3), turned ? 0 : 0xffffffu);
    ck_assert_uint_eq(stage_pixel(&scene, 20, 45), turned ? 0 : 0xffffffu);
    graphics_begin(&scene.graphics, &scene.batch, &scene.view);
  }
}

/* }== */

SUITE(player_draw, &objects, &shapes, &textures, &clipped)
