/*
** What the HUD remembers, and its curves; and that it costs nothing while it is off. See tests/demo/player/overlays.lua
** for the rest.
*/
#include "demo/stage.h"
#include "demo/ui/graph.h"
#include "demo/ui/hud.h"
#include "script/host/inspect.h"
#include "script/scripted.h"
#include "support/test.h"

#include <stdio.h>
#include <string.h>

static stage scene;
static stats frames;

static void open_stage(void)
{
  stage_open(&scene, 1000, 480, NULL);
  frames = (stats){.count = 0};
}

static void close_stage(void) { stage_close(&scene); }

/* {== Levels ============================================================= */

static test_group huds = {"huds", open_stage, close_stage};

TEST(huds, hooks_are_timed_while_the_full_one_is_shown)
{
  scripted g;
  hud h = {.level = HUD_OFF};
  const sp_pool *pool;
  scripted_start(&g, "local spawnpool = require 'spawnpool'\n"
                     "local Cube = spawnpool.class('Cube', {})\n"
                     "function Cube:on_spawn() for i = 1, 100000 do n = i end end\n"
                     "return { update = function() spawnpool.pools:alloc('Cube') end }\n");
  hud_open(&h, g.script);
  scripted_update(&g);
  pool = sp_get_pool(sp_script_pools(g.script), 0);
  hud_next(&h);
  scripted_update(&g);
  ck_assert_uint_eq(sp_script_hook_time(g.script, pool), 0);
  hud_next(&h);
  scripted_update(&g);
  ck_assert_uint_gt(sp_script_hook_time(g.script, pool), 0);
  hud_draw(&h, &scene.graphics, sp_script_pools(g.script), &frames, 1);
  frames.count = 1;
  scripted_update(&g);
  hud_draw(&h, &scene.graphics, sp_script_pools(g.script), &frames, 2);
  ck_assert(h.history.pools[0].hook_us > 0);
  ck_assert(h.history.pools[0].allocs_per_second == 1);
  ck_assert_int_gt(h.history.heap_count, 0);
  hud_next(&h);
  ck_assert_ptr_null(h.history.pools);
  uint64_t spent = sp_script_hook_time(g.script, pool);
  scripted_update(&g);
  ck_assert_uint_eq(sp_script_hook_time(g.script, pool), spent);
  hud_close(&h);
  scripted_end(&g);
}

/* }== */

/* {== History ============================================================ */

TEST(huds, points_are_taken_at_their_time_and_the_oldest_go)
{
  hud_history h = {.count = 0};
  sp_pool *pool = stage_pool(&scene, "Bullet");
  for (int i = 0; i < 300; i++) {
    if (i % 2 == 0)
      sp_pool_alloc(pool, 0, NULL);
    hud_history_take(&h, NULL, scene.pools, (uint64_t)i, 1 + i * HISTORY_STEP / 2 + 1e-6);
  }
  ck_assert_int_eq(h.pools[0].count, HISTORY_POINTS);
  for (int i = 1; i < HISTORY_POINTS; i++)
    ck_assert(h.pools[0].live[i] == h.pools[0].live[i - 1] + 1);
  ck_assert(h.pools[0].live[HISTORY_POINTS - 1] == 150);
  hud_history_clear(&h);
}

TEST(huds, a_pool_keeps_its_history_when_others_come_and_go)
{
  hud_history h = {.count = 0};
  sp_pool *first = stage_pool(&scene, "A"), *second = stage_pool(&scene, "B");
  sp_pool_alloc(second, 0, NULL);
  for (int i = 0; i < 10; i++)
    hud_history_take(&h, NULL, scene.pools, 0, 1 + i);
  sp_pool_remove(first, NULL, NULL);
  stage_pool(&scene, "C");
  hud_history_take(&h, NULL, scene.pools, 0, 20);
  ck_assert_uint_eq(h.count, 2);
  ck_assert_ptr_eq(h.pools[0].pool, second);
  ck_assert_int_eq(h.pools[0].count, 11);
  ck_assert_int_eq(h.pools[1].count, 1);
  sp_pool_remove(second, NULL, NULL);
  hud_history_take(&h, NULL, scene.pools, 0, 21);
  ck_assert_uint_eq(h.count, 1);
  hud_history_clear(&h);
}

/* }== */

/* {== Curves ============================================================= */

static int lit_in_column(int x)
{
  int lit = 0;
  for (int y = 0; y < 40; y++)
    lit += stage_pixel(&scene, x, y) != 0;
  return lit;
}

TEST(huds, a_curve_is_as_high_as_its_values_and_ends_at_the_right)
{
  static const float values[] = {0, 10, 20, 40};
  graph_box box = {10, 0, 8, 40};
  graph_area(&scene.graphics, &box, values, 4, 8, 20, (SDL_Color){255, 255, 255, 255});
  stage_show(&scene);
  ck_assert_int_eq(lit_in_column(13), 0); /* older than all there is */
  ck_assert_int_eq(lit_in_column(14), 1);
  ck_assert_int_eq(lit_in_column(16), 40);
  ck_assert_int_eq(lit_in_column(17), 40); /* cut at the top */
  ck_assert_int_eq(lit_in_column(18), 0);
  ck_assert_int_gt(lit_in_column(15), 18);
  ck_assert_int_lt(lit_in_column(15), 24);
}

TEST(huds, a_peak_shows_however_narrow_the_curve_is)
{
  float values[100] = {0};
  graph_box box = {10, 0, 20, 40};
  values[52] = 5;
  graph_area(&scene.graphics, &box, values, 100, 100, 5, (SDL_Color){255, 255, 255, 255});
  stage_show(&scene);
  ck_assert_int_eq(lit_in_column(20), 40);
  graph_area(&scene.graphics, &box, values, 0, 100, 5, (SDL_Color){255, 255, 255, 255});
  ck_assert_uint_eq(scene.batch.quads, 0);
}

TEST(huds, tops_are_round_numbers)
{
  static const float given[] = {0, 0.5f, 1, 1.1f, 3, 5, 7, 10, 11, 450, 1000, 1001};
  static const float tops[] = {1, 1, 1, 2, 5, 5, 10, 10, 20, 500, 1000, 2000};
  for (size_t i = 0; i < sizeof given / sizeof *given; i++)
    ck_assert_msg(graph_top(given[i]) == tops[i], "%g: %g", (double)given[i], (double)graph_top(given[i]));
}

/* }== */

SUITE(hud, &huds)
