/*
** Pools to pixels, exactly: place, colour, alpha, layers, culling, levels. And the batch and sprites underneath.
*/
#include "demo/stage.h"
#include "support/process.h"

#include <SDL_image.h>
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WHITE 0xffffffu

static stage scene;

static void open_stage(void) { stage_open(&scene, 64, 48, NULL); }
static void close_stage(void) { stage_close(&scene); }

/* {== Objects ============================================================ */

START_TEST(a_square_covers_twice_its_radius)
{
  stage_object(stage_pool(&scene, "A"), 20, 10);
  stage_draw(&scene);
  stage_show(&scene);
  ck_assert_uint_eq(stage_pixel(&scene, 16, 6), WHITE);
  ck_assert_uint_eq(stage_pixel(&scene, 23, 13), WHITE);
  ck_assert_uint_eq(stage_pixel(&scene, 15, 10), 0);
  ck_assert_uint_eq(stage_pixel(&scene, 24, 10), 0);
  ck_assert_int_eq(stage_lit(&scene), 64);
}
END_TEST

START_TEST(scale_multiplies_the_radius)
{
  sp_look *look = stage_object(stage_pool(&scene, "A"), 20, 20);
  look->scale = 2;
  stage_draw(&scene);
  stage_show(&scene);
  ck_assert_int_eq(stage_lit(&scene), 256);
  ck_assert_uint_eq(stage_pixel(&scene, 12, 12), WHITE);
}
END_TEST

START_TEST(colour_and_alpha_come_through)
{
  sp_pool *pool = stage_pool(&scene, "A");
  sp_look *opaque = stage_object(pool, 10, 10), *half = stage_object(pool, 30, 10), *over = stage_object(pool, 50, 10);
  opaque->r = 1;
  opaque->g = 0.5f;
  opaque->b = 0;
  half->a = 0.5f;
  over->r = 7; /* too bright is as bright as can be, no number is dark */
  over->g = -3;
  over->b = NAN;
  stage_draw(&scene);
  stage_show(&scene);
  ck_assert_uint_eq(stage_pixel(&scene, 10, 10), 0xff8000u);
  ck_assert_uint_eq(stage_pixel(&scene, 30, 10) & 0xfe, 0x80u);
  ck_assert_uint_eq(stage_pixel(&scene, 50, 10), 0xff0000u);
}
END_TEST

START_TEST(higher_layers_lie_above)
{
  sp_pool *first = stage_pool(&scene, "A"), *second = stage_pool(&scene, "B");
  sp_look *above = stage_object(first, 20, 20), *below = stage_object(second, 20, 20);
  sp_look *lowest = stage_object(first, 24, 20);
  above->layer = 300;
  above->g = above->b = 0;
  below->layer = -5;
  lowest->layer = INT16_MIN;
  lowest->r = 0;
  stage_draw(&scene);
  stage_show(&scene);
  ck_assert_uint_eq(stage_pixel(&scene, 20, 20), 0xff0000u);
  ck_assert_uint_eq(stage_pixel(&scene, 26, 20), 0x00ffffu);
  above->visible = false;
  stage_draw(&scene);
  stage_show(&scene);
  ck_assert_uint_eq(stage_pixel(&scene, 22, 20), WHITE);
}
END_TEST

START_TEST(within_a_layer_later_pools_and_slots_lie_above)
{
  sp_pool *first = stage_pool(&scene, "A"), *second = stage_pool(&scene, "B");
  sp_look *from_second = stage_object(second, 20, 20);
  sp_look *one = stage_object(first, 20, 20), *two = stage_object(first, 20, 20);
  one->r = 0;
  two->g = 0;
  from_second->b = 0;
  stage_draw(&scene);
  stage_show(&scene);
  ck_assert_uint_eq(stage_pixel(&scene, 20, 20), 0xffff00u);
  from_second->visible = false;
  stage_draw(&scene);
  stage_show(&scene);
  ck_assert_uint_eq(stage_pixel(&scene, 20, 20), 0xff00ffu);
}
END_TEST

START_TEST(a_thousand_layers_stay_in_order)
{
  sp_pool *pool = stage_pool(&scene, "A");
  for (int i = 0; i < 1000; i++) {
    sp_look *look = stage_object(pool, 20, 20);
    look->layer = (int16_t)((i * 37) % 1000 - 500);
    look->r = look->g = look->b = look->layer == 499 ? 1 : 0.25f;
  }
  for (int frame = 0; frame < 3; frame++) {
    stage_draw(&scene);
    ck_assert_uint_eq(scene.batch.quads, 1000);
    ck_assert_uint_eq(scene.batch.run_count, 1);
    stage_show(&scene);
    ck_assert_uint_eq(stage_pixel(&scene, 20, 20), WHITE);
  }
}
END_TEST

START_TEST(only_what_is_live_and_in_view_is_drawn)
{
  sp_pool *pool = stage_pool(&scene, "A");
  sp_ref gone = sp_alloc_at(pool, 0, &(sp_place){20, 20, 0}, NULL);
  stage_object(pool, -40, 10);
  stage_object(pool, 10, 500);
  stage_object(pool, 67, 10); /* its left edge is in view */
  stage_object(pool, 30, 30)->a = 0;
  stage_object(pool, 30, 30)->visible = false;
  stage_object(pool, 30, 30)->radius = 0;
  sp_recycle(scene.pools, gone);
  stage_draw(&scene);
  ck_assert_uint_eq(scene.batch.quads, 1);
  stage_show(&scene);
  ck_assert_int_eq(stage_lit(&scene), 8);
}
END_TEST

START_TEST(numbers_that_are_none_draw_nothing)
{
  sp_pool *pool = stage_pool(&scene, "A");
  float bad[] = {NAN, INFINITY, -INFINITY, 1e30f};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    sp_ref turned = sp_alloc_at(pool, 0, &(sp_place){20, 20, bad[i]}, NULL);
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
END_TEST

START_TEST(a_quarter_turn_turns)
{
  sp_pool *pool = stage_pool(&scene, "A");
  sp_ref object = sp_alloc_at(pool, 0, &(sp_place){20, 20, 1.57079633f}, NULL);
  sp_look *look = sp_cell(scene.pools, object, SP_LOOK);
  look->sprite = STAGE_TRIANGLE; /* pointed right, now down */
  look->radius = 8;
  stage_draw(&scene);
  stage_show(&scene);
  ck_assert_uint_eq(stage_pixel(&scene, 20, 25), WHITE);
  ck_assert_uint_eq(stage_pixel(&scene, 26, 20), 0);
  ck_assert_uint_eq(stage_pixel(&scene, 15, 17), WHITE);
}
END_TEST

START_TEST(pools_with_no_place_are_passed_over)
{
  sp_pool_desc desc = sp_pool_defaults("Session");
  desc.spatial = false;
  ck_assert(sp_alloc(sp_pool_open(scene.pools, &desc, NULL), 0, NULL) != 0);
  stage_draw(&scene);
  ck_assert_uint_eq(scene.batch.quads, 0);
}
END_TEST

START_TEST(many_objects_are_one_run_and_no_new_memory)
{
  sp_pool *pool = stage_pool(&scene, "A");
  const SDL_Vertex *vertices;
  for (int i = 0; i < 5000; i++)
    stage_object(pool, (float)(i % 64), (float)(i % 48))->sprite = (uint16_t)(i % STAGE_EXTRA);
  stage_draw(&scene);
  vertices = scene.batch.vertices;
  for (int frame = 0; frame < 3; frame++) {
    batch_clear(&scene.batch);
    stage_draw(&scene);
    ck_assert_uint_eq(scene.batch.quads, 5000);
    ck_assert_uint_eq(scene.batch.run_count, 1);
    ck_assert_ptr_eq(scene.batch.vertices, vertices);
  }
}
END_TEST

/* }== */

/* {== Sprites ============================================================ */

START_TEST(every_shape_is_there_at_every_size)
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
END_TEST

START_TEST(shapes_have_smooth_edges_and_their_area)
{
  sp_look *look = stage_object(stage_pool(&scene, "A"), 24, 24);
  int lit;
  look->sprite = STAGE_CIRCLE;
  look->radius = 16;
  stage_draw(&scene);
  stage_show(&scene);
  lit = stage_lit(&scene);
  ck_assert_int_gt(lit, 804);           /* pi 16^2, */
  ck_assert_int_lt(lit, 804 + 2 * 101); /* and the edge around it */
  ck_assert_uint_eq(stage_pixel(&scene, 24, 24), WHITE);
  ck_assert_uint_eq(stage_pixel(&scene, 8, 8), 0);
  look->sprite = STAGE_RING;
  stage_draw(&scene);
  stage_show(&scene);
  ck_assert_uint_eq(stage_pixel(&scene, 24, 24), 0);
  ck_assert_uint_eq(stage_pixel(&scene, 10, 24), WHITE);
}
END_TEST

START_TEST(an_unknown_sprite_is_one_warning_and_a_checker)
{
  sp_look *look = stage_object(stage_pool(&scene, "A"), 20, 20);
  scene.extra = "sqare";
  look->sprite = STAGE_EXTRA;
  look->radius = 8;
  stage_draw(&scene);
  stage_draw(&scene);
  stage_show(&scene);
  ck_assert_str_eq(scene.warnings, "no sprite 'sqare'; the nearest is 'square'; a checker is drawn instead\n");
  ck_assert_uint_eq(stage_pixel(&scene, 13, 13), 0xff00ffu);
  ck_assert_uint_eq(stage_pixel(&scene, 17, 13), 0x000000u);
  ck_assert_ptr_eq(sprites_number(scene.sprites, 60000), sprites_number(scene.sprites, STAGE_EXTRA));
}
END_TEST

/* }== */

/* {== Pictures =========================================================== */

static char folder[256];

static void make_folder(void) { ck_assert(test_folder_make(folder, sizeof folder)); }
static void remove_folder(void) { test_folder_remove(folder); }

static void write_png(const char *name, int w, int h, uint32_t left, uint32_t right)
{
  char path[512];
  SDL_Surface *picture = SDL_CreateRGBSurfaceWithFormat(0, w, h, 32, SDL_PIXELFORMAT_ARGB8888);
  ck_assert_ptr_nonnull(picture);
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      ((uint32_t *)picture->pixels)[y * picture->pitch / 4 + x] = x < w / 2 ? left : right;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  ck_assert_int_eq(IMG_SavePNG(picture, path), 0);
  SDL_FreeSurface(picture);
}

static void write_text(const char *name, const char *content)
{
  char path[512];
  FILE *file;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fputs(content, file);
  fclose(file);
}

START_TEST(a_png_is_a_sprite_by_its_name)
{
  stage s;
  sp_look *look;
  write_png("flag.png", 16, 8, 0xffff0000u, 0xff0000ffu);
  write_text("notes.txt", "no picture");
  write_text(".hidden.png", "no picture");
  stage_open(&s, 64, 48, folder);
  ck_assert_str_eq(s.warnings, "");
  s.extra = "flag";
  look = stage_object(stage_pool(&s, "A"), 20, 20);
  look->sprite = STAGE_EXTRA;
  look->radius = 8; /* 16 wide: its own size, and 8 high as it is wider than high */
  stage_draw(&s);
  stage_show(&s);
  ck_assert_int_eq(stage_lit(&s), 16 * 8);
  ck_assert_uint_eq(stage_pixel(&s, 12, 16), 0xff0000u);
  ck_assert_uint_eq(stage_pixel(&s, 27, 23), 0x0000ffu);
  look->radius = 4; /* half its size, from the halved picture */
  stage_draw(&s);
  stage_show(&s);
  ck_assert_int_eq(stage_lit(&s), 8 * 4);
  ck_assert_uint_eq(stage_pixel(&s, 16, 20), 0xff0000u);
  ck_assert_uint_eq(stage_pixel(&s, 23, 20), 0x0000ffu);
  stage_close(&s);
}
END_TEST

START_TEST(a_png_goes_before_a_shape_of_its_name)
{
  stage s;
  write_png("circle.png", 8, 8, 0xff00ff00u, 0xff00ff00u);
  stage_open(&s, 64, 48, folder);
  stage_object(stage_pool(&s, "A"), 20, 20)->sprite = STAGE_CIRCLE;
  stage_draw(&s);
  ck_assert(graphics_circle(&s.graphics, 50, 20, 4, true)); /* a circle is drawn, not the picture */
  stage_show(&s);
  ck_assert_uint_eq(stage_pixel(&s, 16, 16), 0x00ff00u);
  ck_assert_uint_eq(stage_pixel(&s, 46, 16), 0);
  ck_assert_uint_eq(stage_pixel(&s, 50, 20), WHITE);
  stage_close(&s);
}
END_TEST

START_TEST(what_is_no_png_is_one_warning_and_a_checker)
{
  stage s;
  sp_look *look;
  write_text("bad.png", "this is no picture");
  write_text("cut.png", "\x89PNG\r\n\x1a\n");
  write_text("empty.png", "");
  write_png("good.png", 8, 8, 0xffffffffu, 0xffffffffu);
  stage_open(&s, 64, 48, folder);
  ck_assert_ptr_nonnull(strstr(s.warnings, "/bad.png: not a PNG file; a checker is drawn instead\n"));
  ck_assert_ptr_nonnull(strstr(s.warnings, "/cut.png: "));
  ck_assert_ptr_nonnull(strstr(s.warnings, "/empty.png: "));
  ck_assert_ptr_null(strstr(s.warnings, "good"));
  s.extra = "bad";
  look = stage_object(stage_pool(&s, "A"), 20, 20);
  look->sprite = STAGE_EXTRA;
  look->radius = 8;
  stage_draw(&s);
  stage_show(&s);
  ck_assert_uint_eq(stage_pixel(&s, 13, 13), 0xff00ffu);
  stage_close(&s);
}
END_TEST

START_TEST(pictures_of_any_size_fit)
{
  stage s;
  char name[32];
  for (int i = 1; i <= 40; i++) {
    snprintf(name, sizeof name, "s%d.png", i);
    write_png(name, i * 7 % 61 + 1, i * 13 % 53 + 1, 0xff00ff00u, 0xff00ff00u);
  }
  write_png("wide.png", 3000, 2, 0xffff0000u, 0xffff0000u);
  write_png("dot.png", 1, 1, 0xff0000ffu, 0xff0000ffu);
  stage_open(&s, 64, 48, folder);
  ck_assert_str_eq(s.warnings, "");
  for (int i = 1; i <= 40; i++) {
    const sprite *it;
    snprintf(name, sizeof name, "s%d", i);
    it = sprites_find(s.sprites, name);
    ck_assert_ptr_nonnull(it);
    ck_assert(graphics_sprite(&s.graphics, it, 32, 24, 0, (float)it->levels->width / 2));
    stage_show(&s);
    ck_assert_int_eq(stage_lit(&s), (i * 7 % 61 + 1) * (i * 13 % 53 + 1 < 48 ? i * 13 % 53 + 1 : 48));
  }
  ck_assert(graphics_sprite(&s.graphics, sprites_find(s.sprites, "dot"), 20, 20, 0, 3));
  stage_show(&s);
  ck_assert_int_eq(stage_lit(&s), 36);
  stage_close(&s);
}
END_TEST

/* }== */

Suite *sp_suite_player_draw(void)
{
  Suite *suite = suite_create("player_draw");
  TCase *objects = tcase_create("objects"), *shapes = tcase_create("sprites"), *pictures = tcase_create("pictures");
  tcase_add_checked_fixture(objects, open_stage, close_stage);
  tcase_add_checked_fixture(shapes, open_stage, close_stage);
  tcase_add_checked_fixture(pictures, make_folder, remove_folder);
  tcase_add_test(objects, a_square_covers_twice_its_radius);
  tcase_add_test(objects, scale_multiplies_the_radius);
  tcase_add_test(objects, colour_and_alpha_come_through);
  tcase_add_test(objects, higher_layers_lie_above);
  tcase_add_test(objects, within_a_layer_later_pools_and_slots_lie_above);
  tcase_add_test(objects, a_thousand_layers_stay_in_order);
  tcase_add_test(objects, only_what_is_live_and_in_view_is_drawn);
  tcase_add_test(objects, numbers_that_are_none_draw_nothing);
  tcase_add_test(objects, a_quarter_turn_turns);
  tcase_add_test(objects, pools_with_no_place_are_passed_over);
  tcase_add_test(objects, many_objects_are_one_run_and_no_new_memory);
  tcase_add_test(shapes, every_shape_is_there_at_every_size);
  tcase_add_test(shapes, shapes_have_smooth_edges_and_their_area);
  tcase_add_test(shapes, an_unknown_sprite_is_one_warning_and_a_checker);
  tcase_add_test(pictures, a_png_is_a_sprite_by_its_name);
  tcase_add_test(pictures, a_png_goes_before_a_shape_of_its_name);
  tcase_add_test(pictures, what_is_no_png_is_one_warning_and_a_checker);
  tcase_add_test(pictures, pictures_of_any_size_fit);
  suite_add_tcase(suite, objects);
  suite_add_tcase(suite, shapes);
  suite_add_tcase(suite, pictures);
  return suite;
}
