/*
** Pools to pixels, exactly: place, colour, alpha, layers, culling, levels. And the batch and sprites underneath.
*/
#include "demo/stage.h"
#include "demo/support/sincos.h"
#include "support/desc.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

#define WHITE 0xffffffu

static stage scene;

static void open_stage(void) { stage_open(&scene, 64, 48, NULL); }
static void close_stage(void) { stage_close(&scene); }

/* {== Objects ============================================================ */

static test_group objects = {"objects", open_stage, close_stage};

TEST(objects, a_square_covers_twice_its_radius)
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

TEST(objects, scale_multiplies_the_radius)
{
  sp_look *look = stage_object(stage_pool(&scene, "A"), 20, 20);
  look->scale = 2;
  stage_draw(&scene);
  stage_show(&scene);
  ck_assert_int_eq(stage_lit(&scene), 256);
  ck_assert_uint_eq(stage_pixel(&scene, 12, 12), WHITE);
}

TEST(objects, colour_and_alpha_come_through)
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

TEST(objects, higher_layers_lie_above)
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

TEST(objects, within_a_layer_later_pools_and_slots_lie_above)
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

TEST(objects, a_thousand_layers_stay_in_order)
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

TEST(objects, only_what_is_live_and_in_view_is_drawn)
{
  sp_pool *pool = stage_pool(&scene, "A");
  sp_ref gone = sp_pool_alloc_at(pool, 0, &(sp_place){20, 20, 0}, NULL);
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

TEST(objects, a_quarter_turn_turns)
{
  sp_pool *pool = stage_pool(&scene, "A");
  sp_ref object = sp_pool_alloc_at(pool, 0, &(sp_place){20, 20, 1.57079633f}, NULL);
  sp_look *look = sp_cell(scene.pools, object, SP_LOOK);
  look->sprite = STAGE_TRIANGLE; /* pointed right, now down */
  look->radius = 8;
  stage_draw(&scene);
  stage_show(&scene);
  ck_assert_uint_eq(stage_pixel(&scene, 20, 25), WHITE);
  ck_assert_uint_eq(stage_pixel(&scene, 26, 20), 0);
  ck_assert_uint_eq(stage_pixel(&scene, 15, 17), WHITE);
}

TEST(objects, a_child_is_drawn_where_its_parent_takes_it)
{
  sp_pool *parents = stage_pool(&scene, "Ship"), *children = stage_pool(&scene, "Gun");
  sp_ref ship = sp_pool_alloc_at(parents, 0, &(sp_place){30, 20, 1.57079633f}, NULL);
  sp_ref first = sp_pool_alloc_at(children, 0, &(sp_place){5, 5, 0}, NULL);
  sp_ref gun = sp_pool_alloc_at(children, 0, &(sp_place){15, 0, 0}, NULL); /* ahead of the ship, which looks down */
  ((sp_look *)sp_cell(scene.pools, ship, SP_LOOK))->visible = false;
  ((sp_look *)sp_cell(scene.pools, gun, SP_LOOK))->sprite = STAGE_CIRCLE;
  ck_assert_int_eq(sp_set_parent(scene.pools, gun, ship), SP_OK);
  stage_draw(&scene);
  ck_assert_uint_eq(scene.batch.quads, 2);
  stage_show(&scene);
  ck_assert_uint_eq(stage_pixel(&scene, 30, 35), WHITE);
  ck_assert_uint_eq(stage_pixel(&scene, 15, 1), 0);
  ck_assert_uint_eq(stage_pixel(&scene, 5, 5), WHITE);
  sp_recycle(scene.pools, first);
  stage_draw(&scene);
  stage_show(&scene);
  ck_assert_uint_eq(stage_pixel(&scene, 30, 35), WHITE);
  ck_assert_uint_eq(stage_pixel(&scene, 5, 5), 0);
}

TEST(objects, pools_with_no_place_are_passed_over)
{
  sp_pool_desc desc = test_desc("Session");
  desc.spatial = false;
  ck_assert(sp_pool_alloc(sp_add_pool(scene.pools, &desc, NULL), 0, NULL) != 0);
  stage_draw(&scene);
  ck_assert_uint_eq(scene.batch.quads, 0);
}

TEST(objects, many_objects_are_one_run_and_no_new_memory)
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

TEST(shapes, shapes_have_smooth_edges_and_their_area)
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

TEST(shapes, an_unknown_sprite_is_one_warning_and_a_checker)
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

TEST(objects, objects_of_many_looks_and_angles_keep_their_own)
{
  sp_pool *pool = stage_pool(&scene, "A");
  for (int i = 0; i < 6; i++) { /* every other one is large and white, every third one turned */
    sp_place place = {5 + 10 * (float)i, 10, i % 3 ? 0 : 1.57079633f};
    sp_look *look = sp_cell(scene.pools, sp_pool_alloc_at(pool, 0, &place, NULL), SP_LOOK);
    look->g = i % 2 ? 0 : 1;
    look->radius = i % 2 ? 2 : 4;
  }
  stage_draw(&scene);
  stage_show(&scene);
  for (int i = 0; i < 6; i++) {
    ck_assert_uint_eq(stage_pixel(&scene, 4 + 10 * i, 9), i % 2 ? 0xff00ffu : WHITE);
    ck_assert_uint_eq(stage_pixel(&scene, (i % 2 ? 1 : 2) + 10 * i, 9), i % 2 ? 0 : WHITE);
  }
}

SUITE(player_draw, &objects, &shapes)
