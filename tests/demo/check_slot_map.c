/*
** The slots of a pool as a picture: its colours counted, slices, places, and pools that do not fit.
*/
#include "demo/stage.h"
#include "demo/ui/slot_map.h"
#include "support/test.h"

static stage scene;
static slot_map map;

static void open_map(void)
{
  stage_open(&scene, 400, 400, NULL);
  slot_map_open(&map, &scene.window);
}

static void close_map(void)
{
  slot_map_close(&map);
  stage_close(&scene);
}

static float draw_map(const sp_pool *pool, sp_ref selected)
{
  float h = slot_map_draw(&map, &scene.graphics, pool, 10, 20, 300, 200, selected);
  stage_show(&scene);
  return h;
}

/* How many cells show a state: by the pixel in the middle of each. */
static int cells(sp_slot_state state, float age)
{
  SDL_Color color = slot_map_color(state, age);
  uint32_t wanted = (uint32_t)color.r << 16 | (uint32_t)color.g << 8 | color.b;
  int count = 0;
  for (uint32_t i = 0; i < map.shown; i++) {
    int x = 10 + (int)i % map.columns * map.cell + map.cell / 2,
        y = 20 + (int)i / map.columns * map.cell + map.cell / 2;
    count += stage_pixel(&scene, x, y) == wanted;
  }
  return count;
}

static test_group maps = {"maps", open_map, close_map, 60};

TEST(maps, each_slot_is_a_cell_in_its_colour)
{
  sp_pool *pool = stage_pool(&scene, "Cube");
  sp_ref first = SP_NONE_REF;
  sp_pool_prewarm(pool, 40, NULL);
  for (int i = 0; i < 25; i++)
    first = first ? (sp_pool_alloc(pool, 0, NULL), first) : sp_pool_alloc(pool, 0, NULL);
  ck_assert(draw_map(pool, SP_NONE_REF) > 0);
  ck_assert_uint_eq(map.shown, SP_CHUNK_SLOTS);
  ck_assert_int_eq(cells(SP_SLOT_LIVE, 0), 25);
  ck_assert_int_eq(cells(SP_SLOT_IDLE, 0), 15);
  ck_assert_int_eq(cells(SP_SLOT_EMPTY, 0), SP_CHUNK_SLOTS - 40);
  sp_recycle(scene.pools, first);
  sp_update(scene.pools, 10);
  draw_map(pool, SP_NONE_REF);
  ck_assert_int_eq(cells(SP_SLOT_LIVE, 0), 0);
  ck_assert_int_eq(cells(SP_SLOT_LIVE, 10), 24);
  ck_assert_int_eq(cells(SP_SLOT_IDLE, 0), 16);
}

/* Memory is reserved for 256 slots at a time. */
TEST(maps, slots_that_the_limit_forbids_have_no_cell)
{
  sp_pool *pool = stage_pool(&scene, "Cube");
  sp_settings settings = sp_pool_settings(pool);
  sp_pool_prewarm(pool, 20, NULL);
  settings.limit = 64;
  sp_pool_configure(pool, &settings);
  draw_map(pool, SP_NONE_REF);
  ck_assert_uint_eq(map.shown, 64);
  ck_assert_int_eq(cells(SP_SLOT_IDLE, 0), 20);
  ck_assert_int_eq(cells(SP_SLOT_EMPTY, 0), 44);
  settings.limit = 1;
  sp_pool_configure(pool, &settings);
  draw_map(pool, SP_NONE_REF);
  ck_assert_uint_eq(map.shown, 20); /* the objects that there are */
  settings.limit = SP_UNLIMITED;
  sp_pool_configure(pool, &settings);
  draw_map(pool, SP_NONE_REF);
  ck_assert_uint_eq(map.shown, SP_CHUNK_SLOTS);
}

TEST(maps, states_have_colours_of_their_own)
{
  for (int a = 0; a < SP_SLOT_STATE_COUNT; a++)
    for (int b = 0; b < a; b++) {
      SDL_Color x = slot_map_color((sp_slot_state)a, 1), y = slot_map_color((sp_slot_state)b, 1);
      ck_assert_int_gt(abs(x.r - y.r) + abs(x.g - y.g) + abs(x.b - y.b), 60);
    }
}

TEST(maps, a_cell_leads_to_its_object)
{
  sp_pool *pool = stage_pool(&scene, "Cube");
  sp_slot slot;
  sp_ref last = SP_NONE_REF;
  for (int i = 0; i < 40; i++)
    last = sp_pool_alloc(pool, 0, NULL);
  ck_assert(!slot_map_at(&map, 15, 25, &slot)); /* not drawn yet */
  draw_map(pool, SP_NONE_REF);
  ck_assert(slot_map_at(&map, 10 + (float)(39 % map.columns * map.cell) + 2,
                        20 + (float)(39 / map.columns * map.cell) + 2, &slot));
  ck_assert(slot.object == last);
  ck_assert(!slot_map_at(&map, 9, 25, &slot));
  ck_assert(!slot_map_at(&map, 15, 19, &slot));
  ck_assert(!slot_map_at(&map, 15, 20 + (float)((int)map.shown / map.columns + 1) * (float)map.cell + 1, &slot));
}

TEST(maps, the_selected_object_has_a_frame)
{
  sp_pool *pool = stage_pool(&scene, "Cube");
  sp_ref object = sp_pool_alloc(pool, 0, NULL);
  draw_map(pool, SP_NONE_REF);
  ck_assert_uint_eq(stage_pixel(&scene, 8, 18), 0);
  draw_map(pool, object);
  ck_assert_uint_eq(stage_pixel(&scene, 8, 18), 0xffe15au);
  draw_map(pool, (sp_ref)1 << 33 | 0xff000001u); /* of nobody */
  ck_assert_uint_eq(stage_pixel(&scene, 8, 18), 0);
}

/* Twelve thousand slots take several frames to be looked at, and one quad each. */
TEST(maps, large_pools_are_brought_up_to_date_in_slices)
{
  sp_pool *pool = stage_pool(&scene, "Cube");
  int frames = 0;
  sp_pool_prewarm(pool, 12000, NULL);
  draw_map(pool, SP_NONE_REF);
  ck_assert_uint_eq(map.shown, 12032);
  ck_assert_int_eq(cells(SP_SLOT_IDLE, 0), 12000);
  for (int i = 0; i < 12000; i++)
    sp_pool_alloc(pool, 0, NULL);
  slot_map_draw(&map, &scene.graphics, pool, 10, 20, 300, 200, SP_NONE_REF);
  ck_assert_uint_eq(scene.batch.quads, 1);
  stage_show(&scene);
  ck_assert_int_gt(cells(SP_SLOT_IDLE, 0), 0);
  for (; cells(SP_SLOT_IDLE, 0) > 0 && frames < 100; frames++)
    draw_map(pool, SP_NONE_REF);
  ck_assert_int_lt(frames, 10);
  ck_assert_int_eq(cells(SP_SLOT_LIVE, 0), 12000);
}

TEST(maps, what_does_not_fit_is_reached_by_scrolling)
{
  sp_pool *pool = stage_pool(&scene, "Cube");
  uint32_t all;
  sp_pool_prewarm(pool, 40000, NULL);
  all = sp_pool_chunks(pool) * SP_CHUNK_SLOTS;
  draw_map(pool, SP_NONE_REF);
  ck_assert_uint_lt(map.shown, all);
  slot_map_scroll(&map, 5);
  draw_map(pool, SP_NONE_REF);
  ck_assert_uint_eq(map.first, 5 * (uint32_t)map.columns);
  slot_map_scroll(&map, 100000);
  draw_map(pool, SP_NONE_REF);
  ck_assert_uint_eq(map.first + map.shown, all);
  slot_map_scroll(&map, -1000000);
  draw_map(pool, SP_NONE_REF);
  ck_assert_uint_eq(map.first, 0);
}

TEST(maps, a_pool_without_slots_and_a_place_without_room_show_nothing)
{
  sp_pool *pool = stage_pool(&scene, "Cube");
  ck_assert(slot_map_draw(&map, &scene.graphics, pool, 0, 0, 300, 200, SP_NONE_REF) == 0);
  sp_pool_alloc(pool, 0, NULL);
  ck_assert(slot_map_draw(&map, &scene.graphics, pool, 0, 0, 0, 200, SP_NONE_REF) == 0);
  ck_assert(slot_map_draw(&map, &scene.graphics, pool, 0, 0, 1, 1, SP_NONE_REF) >= 0);
  ck_assert(slot_map_draw(&map, &scene.graphics, pool, 0, 0, 300, -5, SP_NONE_REF) == 0);
}

SUITE(slot_map, &maps)
