/*
** The storm, with few enough to be quick: the slider, what a blast does, and the same storm for the same seed. And the
** trembling picture of the shooter.
*/
#include "demo/app/game.h"
#include "demo/game_run.h"
#include "demo/stage.h"
#include "support/test.h"

#include <lauxlib.h>
#include <lua.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static game played;
static report said;
static stage scene;
static const window large = {.width = 1280, .height = 720, .scale = 1};

static void open_game(char *path, char *argument)
{
  static char program[] = "spawnpool", headless[] = "--headless", rest[] = "--";
  char *argv[] = {program, headless, path, rest, argument, NULL}, problem[256];
  options o;
  ck_assert_msg(options_parse(&o, 5, argv), "%s", o.error);
  said = (report){.print = stdout};
  ck_assert_msg(game_open(&played, &o, &said, problem, sizeof problem), "%s", problem);
  ck_assert_msg(game_load_graphics(&played, &scene.window, problem, sizeof problem), "%s", problem);
  game_fit(&played, &large);
  game_start(&played, &o);
  game_draw(&played); /* tells the game the size of its picture */
}

static void setup(void)
{
  static char path[] = "scripts/storm", count[] = "3000";
  stage_open(&scene, 64, 48, NULL);
  open_game(path, count);
}

static void teardown(void)
{
  ck_assert(!played.stopped);
  ck_assert_uint_eq(said.errors, 0);
  game_close(&played);
  stage_close(&scene);
}

static void steps(int count)
{
  while (count-- > 0) {
    game_step(&played);
    game_draw(&played);
  }
}

static void send(const SDL_Event *event)
{
  input_change change = input_event(&played.input, event);
  game_input(&played, &change);
}

static void press(SDL_Keycode key) { send(&(SDL_Event){.key = {.type = SDL_KEYDOWN, .keysym = {.sym = key}}}); }
static void release(SDL_Keycode key) { send(&(SDL_Event){.key = {.type = SDL_KEYUP, .keysym = {.sym = key}}}); }
static void move(int x, int y) { send(&(SDL_Event){.motion = {.type = SDL_MOUSEMOTION, .x = x, .y = y}}); }

static void button(Uint32 type, int x, int y)
{
  send(&(SDL_Event){.button = {.type = type, .button = SDL_BUTTON_LEFT, .x = x, .y = y}});
}

static sp_pool *pool_of(const char *type)
{
  sp_pool *pool = sp_find_pool(game_pools(&played), type);
  ck_assert_msg(pool, "no pool '%s'", type);
  return pool;
}

/* How many are in the air. */
static int flying(void)
{
  static const char *const types[] = {"Mote", "Scrap", "Leaf", "Ember", "Blur"};
  int live = 0;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    live += (int)sp_pool_live(pool_of(types[i]));
  return live;
}

/* Those that end during a step are made up for in the next. */
static void expect_flying(int count) { ck_assert_int_le(abs(flying() - count), count / 50); }

/* The mean of a column over what is within 100 points of the middle of the picture. */
static double mean_near_middle(const char *type, int column, int *count)
{
  sp_walk walk = sp_pool_walk(pool_of(type));
  double sum = 0;
  *count = 0;
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NONE_REF;) {
    float x = *(const float *)sp_peek(game_pools(&played), object, SP_X) - 640;
    float y = *(const float *)sp_peek(game_pools(&played), object, SP_Y) - 360;
    if (x * x + y * y > 100 * 100)
      continue;
    sum += fabs(*(const float *)sp_peek(game_pools(&played), object, column));
    *count += 1;
  }
  return *count ? sum / *count : 0;
}

static test_group core = {"core", setup, teardown, 60};

TEST(core, as_many_fly_as_were_asked_for)
{
  uint64_t allocs;
  steps(2);
  expect_flying(3000);
  allocs = sp_pool_stats(pool_of("Leaf")).allocs;
  steps(240);
  expect_flying(3000);
  ck_assert_uint_gt(sp_pool_stats(pool_of("Leaf")).allocs, allocs); /* lives end, others begin */
}

TEST(core, digits_and_arrows_set_the_number)
{
  press(SDLK_4);
  release(SDLK_4);
  steps(4);
  expect_flying(10000);
  press(SDLK_1);
  release(SDLK_1);
  steps(10);
  expect_flying(1000);
  press(SDLK_RIGHT);
  steps(60);
  release(SDLK_RIGHT);
  ck_assert_int_gt(flying(), 4000);
}

TEST(core, the_slider_is_dragged_by_the_mouse)
{
  button(SDL_MOUSEBUTTONDOWN, 500, 676); /* 640 points wide, in the middle, 44 above the lower edge */
  steps(8);
  ck_assert_int_gt(flying(), 3500);
  ck_assert_int_lt(flying(), 5500);
  move(0, 300); /* far beyond its end, and beside it */
  steps(10);
  expect_flying(1000);
  button(SDL_MOUSEBUTTONUP, 0, 300);
  move(900, 676);
  steps(10);
  expect_flying(1000);
}

TEST(core, a_blast_throws_leaves_out_of_the_way)
{
  int before, after;
  double calm, thrown;
  steps(60);
  calm = mean_near_middle("Mote", SP_VX, &before);
  button(SDL_MOUSEBUTTONDOWN, 640, 360);
  button(SDL_MOUSEBUTTONUP, 640, 360);
  thrown = mean_near_middle("Mote", SP_VX, &after);
  ck_assert_int_gt(before, 10);
  ck_assert_int_eq(after, before);
  ck_assert_double_gt(thrown, calm * 3);
  steps(20);
  mean_near_middle("Mote", SP_VX, &after);
  ck_assert_int_lt(after, before / 2);
}

TEST(core, a_squall_moves_all_and_is_over_again)
{
  int count;
  double calm, hit;
  steps(60);
  calm = mean_near_middle("Scrap", SP_VX, &count);
  press(SDLK_SPACE);
  hit = mean_near_middle("Scrap", SP_VX, &count);
  ck_assert_double_gt(hit, calm + 100);
  steps(240);
  ck_assert_double_lt(mean_near_middle("Scrap", SP_VX, &count), calm + 100);
}

TEST(core, the_same_seed_is_the_same_storm)
{
  char *pools[3];
  for (int i = 0; i < 3; i++) {
    test_process p = test_run(PATIENCE, PLAY "--frames 300 --seed %d --stats - scripts/storm -- 2000", i < 2 ? 7 : 8);
    ck_assert_msg(p.status == 0, "%s", p.err);
    pools[i] = gamerun_pools(p.out, 300);
    test_process_free(&p);
  }
  ck_assert_str_eq(pools[0], pools[1]);
  ck_assert_str_ne(pools[0], pools[2]);
  for (int i = 0; i < 3; i++)
    free(pools[i]);
}

TEST(core, a_number_that_is_none_is_refused)
{
  test_process p = test_run(PATIENCE, PLAY "--frames 1 scripts/storm -- many");
  ck_assert_int_eq(p.status, 1);
  ck_assert_ptr_nonnull(strstr(p.err, "how many? a whole number, please"));
  test_process_free(&p);
}

/* {== A view that is elsewhere =========================================== */

TEST(core, objects_are_shown_away_from_where_they_are)
{
  sp_pool *pool = stage_pool(&scene, "A");
  stage_object(pool, 20, 10);
  stage_object(pool, -10, 10); /* comes into the picture by it */
  scene.view.x = 9;
  scene.view.y = -3;
  stage_draw(&scene);
  stage_show(&scene);
  ck_assert_uint_eq(stage_pixel(&scene, 25, 3), 0xffffffu);
  ck_assert_uint_eq(stage_pixel(&scene, 24, 7), 0);
  ck_assert_uint_eq(stage_pixel(&scene, 2, 7), 0xffffffu);
}

/* The sky is the first thing in the picture, and as large as that. */
static void expect_first_quad_moves(float x, float y)
{
  const SDL_Vertex *v;
  game_draw(&played);
  v = game_scene(&played)->vertices;
  ck_assert_float_eq((v[0].position.x + v[2].position.x) / 2, 640 + x);
  ck_assert_float_eq((v[0].position.y + v[2].position.y) / 2, 360 + y);
}

TEST(core, a_game_shakes_one_picture)
{
  static const char shaker[] = "local g = ... g:shake(3, -2)";
  lua_State *L = sp_script_state(played.script);
  graphics_begin(&played.graphics, &scene.batch, &played.graphics.view);
  ck_assert_int_eq(luaL_loadstring(L, shaker), LUA_OK);
  lua_rawgeti(L, LUA_REGISTRYINDEX, played.g);
  ck_assert_int_eq(lua_pcall(L, 1, 0, 0), LUA_OK);
  graphics_end(&played.graphics);
  expect_first_quad_moves(3, -2);
  expect_first_quad_moves(0, 0);
}

/* }== */

SUITE(storm, &core)
