/*
** The games in scripts/ under the hands of a person: keys and mouse, as the window would send them.
*/
#include "demo/app/game.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static game played;
static report said;

static void open_game(char *path)
{
  static char program[] = "spawnpool", headless[] = "--headless";
  char *argv[] = {program, headless, path, NULL}, problem[256];
  options o;
  ck_assert_msg(options_parse(&o, 3, argv), "%s", o.error);
  said = (report){.print = stdout};
  ck_assert_msg(game_open(&played, &o, &said, problem, sizeof problem), "%s", problem);
  game_start(&played, &o);
  ck_assert(!played.stopped);
}

static void close_game(void)
{
  ck_assert(!played.stopped);
  ck_assert_uint_eq(said.errors, 0);
  game_close(&played);
}

static void steps(int count)
{
  while (count-- > 0)
    game_step(&played);
}

static void send(const SDL_Event *event)
{
  input_change change = input_event(&played.input, event);
  game_input(&played, &change);
}

static void press(SDL_Keycode key) { send(&(SDL_Event){.key = {.type = SDL_KEYDOWN, .keysym = {.sym = key}}}); }
static void release(SDL_Keycode key) { send(&(SDL_Event){.key = {.type = SDL_KEYUP, .keysym = {.sym = key}}}); }

static void tap(SDL_Keycode key)
{
  press(key);
  release(key);
}

static void move_mouse(int x, int y) { send(&(SDL_Event){.motion = {.type = SDL_MOUSEMOTION, .x = x, .y = y}}); }

static void click(int x, int y)
{
  move_mouse(x, y);
  send(&(SDL_Event){.button = {.type = SDL_MOUSEBUTTONDOWN, .button = SDL_BUTTON_LEFT, .x = x, .y = y}});
  send(&(SDL_Event){.button = {.type = SDL_MOUSEBUTTONUP, .button = SDL_BUTTON_LEFT, .x = x, .y = y}});
}

static sp_pool *pool_of(const char *type)
{
  sp_pool *pool = sp_find_pool(game_pools(&played), type);
  ck_assert_msg(pool, "no pool '%s'", type);
  return pool;
}

static uint64_t allocs_of(const char *type) { return sp_pool_stats(pool_of(type)).allocs; }

/* Where the first live object of a type is. */
static float place_of(const char *type, int column)
{
  sp_walk walk = sp_pool_walk(pool_of(type));
  sp_ref object = sp_walk_next(&walk);
  ck_assert(object != SP_NONE_REF);
  return *(const float *)sp_peek(game_pools(&played), object, column);
}

static test_group core = {"core", .timeout = 60};

TEST(core, the_shooter_obeys_keys_and_mouse)
{
  static char path[] = "scripts/shooter";
  float x, y;
  uint64_t bullets;
  open_game(path);

  press(SDLK_LEFT);
  steps(20);
  x = place_of("Ship", SP_X);
  ck_assert_float_lt(x, 330);
  release(SDLK_LEFT);
  bullets = allocs_of("Bullet");
  steps(100);
  ck_assert_float_eq_tol(place_of("Ship", SP_X), x, 40);
  ck_assert_uint_eq(allocs_of("Bullet"), bullets);

  press(SDLK_SPACE);
  steps(30);
  ck_assert_uint_gt(allocs_of("Bullet"), bullets);
  release(SDLK_SPACE);

  move_mouse(600, 400);
  steps(90);
  x = place_of("Ship", SP_X), y = place_of("Ship", SP_Y);
  ck_assert_float_eq_tol(x, 600, 2);
  ck_assert_float_eq_tol(y, 400, 2);
  close_game();
}

TEST(core, the_shooters_autopilot_waits_five_seconds)
{
  static char path[] = "scripts/shooter";
  uint64_t bullets;
  open_game(path);
  press(SDLK_RIGHT);
  release(SDLK_RIGHT);
  press(SDLK_SPACE);
  steps(60);
  release(SDLK_SPACE);
  steps(1);
  bullets = allocs_of("Bullet");
  steps(280);
  ck_assert_uint_eq(allocs_of("Bullet"), bullets);
  steps(180);
  ck_assert_uint_gt(allocs_of("Bullet"), bullets);
  close_game();
}

TEST(core, a_lost_game_begins_again)
{
  static char path[] = "scripts/shooter";
  uint64_t ships;
  open_game(path);
  /* Nobody steers, and a touch now and then keeps the autopilot away. */
  for (int i = 0; i < 200 && allocs_of("Ship") < 3; i++) {
    press(SDLK_s);
    release(SDLK_s);
    steps(60);
  }
  for (int i = 0; i < 200 && sp_pool_live(pool_of("Ship")) > 0; i++) {
    press(SDLK_s);
    release(SDLK_s);
    steps(60);
  }
  ships = allocs_of("Ship");
  ck_assert_uint_eq(ships, 3);
  steps(90);
  ck_assert_uint_eq(allocs_of("Ship"), ships);
  click(10, 10);
  ck_assert_uint_eq(allocs_of("Ship"), ships + 1);
  ck_assert_uint_eq(sp_pool_live(pool_of("Drone")), 0);
  close_game();
}

TEST(core, cubes_obeys_keys_and_mouse)
{
  static char path[] = "scripts/cubes";
  uint64_t cubes, spheres;
  open_game(path);
  steps(200);

  cubes = allocs_of("Cube");
  press(SDLK_c);
  ck_assert_uint_eq(allocs_of("Cube"), cubes + 1);
  press(SDLK_p);
  ck_assert_uint_eq(allocs_of("Cube"), cubes + 1);
  spheres = allocs_of("Sphere");
  press(SDLK_s);
  ck_assert_uint_eq(allocs_of("Sphere"), spheres + 1);

  press(SDLK_r);
  ck_assert_uint_eq(sp_pool_live(pool_of("Cube")), 0);
  ck_assert_uint_eq(sp_pool_live(pool_of("Sphere")), 0);
  click(400, 200);
  ck_assert_uint_eq(sp_pool_live(pool_of("Sphere")), 1);
  click(400, 200);
  ck_assert_uint_eq(sp_pool_live(pool_of("Sphere")), 0);
  close_game();
}

TEST(core, random_spawn_obeys_keys_and_mouse)
{
  static char path[] = "scripts/random_spawn";
  uint32_t bodies, rings;
  uint64_t suns;
  open_game(path);
  bodies = sp_pool_live(pool_of("Moon")) + sp_pool_live(pool_of("Comet"));
  ck_assert_uint_eq(bodies, 36);
  tap(SDLK_h);
  ck_assert_uint_eq(sp_pool_live(pool_of("Moon")) + sp_pool_live(pool_of("Comet")), 37);
  tap(SDLK_t);
  tap(SDLK_t);
  ck_assert_uint_eq(sp_pool_live(pool_of("Moon")) + sp_pool_live(pool_of("Comet")), 35);

  /* A sun takes its rings along and another takes its seat; moons go, comets stay. */
  rings = sp_pool_live(pool_of("Ring"));
  suns = allocs_of("Sun");
  bodies = sp_pool_live(pool_of("Comet"));
  click(100, 300);
  ck_assert_uint_eq(allocs_of("Sun"), suns + 1);
  ck_assert_uint_eq(sp_pool_live(pool_of("Sun")), 4);
  ck_assert_uint_eq(sp_pool_live(pool_of("Ring")), rings);
  ck_assert_uint_eq(sp_pool_live(pool_of("Comet")), bodies);
  tap(SDLK_s);
  ck_assert_uint_eq(allocs_of("Sun"), suns + 2);
  tap(SDLK_r);
  ck_assert_uint_eq(sp_pool_live(pool_of("Coin")), 5);
  steps(60);
  close_game();
}

TEST(core, footprints_obeys_keys_and_mouse)
{
  static char path[] = "scripts/footprints";
  open_game(path);
  steps(240);
  ck_assert_uint_gt(sp_pool_live(pool_of("Footprint")), 20);
  tap(SDLK_c);
  ck_assert_uint_eq(sp_pool_live(pool_of("Footprint")), 0);
  ck_assert_uint_eq(sp_pool_live(pool_of("Row")), sp_pool_live(pool_of("Walker")));

  tap(SDLK_x);
  steps(1);
  ck_assert_uint_eq(sp_pool_live(pool_of("Row")), sp_pool_live(pool_of("Walker")));
  tap(SDLK_a);
  tap(SDLK_a);
  steps(400);
  ck_assert_uint_ge(sp_pool_live(pool_of("Walker")), 5);

  click(400, 300);
  ck_assert_uint_ge(sp_pool_live(pool_of("Snowball")), 1);
  steps(40);
  ck_assert_uint_ge(sp_pool_live(pool_of("Splat")), 1);
  tap(SDLK_r);
  ck_assert_uint_eq(sp_pool_live(pool_of("Splat")), 0);
  steps(60);
  close_game();
}

TEST(core, footprints_knows_who_is_last_also_between_two_frames)
{
  static char path[] = "scripts/footprints";
  open_game(path);
  steps(240);
  uint32_t walkers = sp_pool_live(pool_of("Walker"));
  uint64_t warnings = said.warnings;
  ck_assert_uint_ge(walkers, 3);
  tap(SDLK_x);
  tap(SDLK_x);
  ck_assert_uint_eq(sp_pool_live(pool_of("Walker")), walkers - 2);
  ck_assert_uint_eq(said.warnings, warnings);
  close_game();
}

static sp_stats stats_of(const char *type) { return sp_pool_stats(pool_of(type)); }

TEST(core, scenes_keep_their_toys_or_clear_them)
{
  static char path[] = "scripts/scenes";
  open_game(path);
  tap(SDLK_d);
  tap(SDLK_d);
  tap(SDLK_d);
  ck_assert_uint_eq(stats_of("Lantern").live, 2);
  ck_assert_uint_eq(stats_of("Balloon").live, 1);
  ck_assert_uint_eq(stats_of("Lantern").total, 10);

  /* They survive, and nothing is made in the other scene. */
  tap(SDLK_2);
  steps(60);
  ck_assert_uint_eq(stats_of("Firefly").live, 0);
  ck_assert_uint_gt(stats_of("Fish").live, 0);
  ck_assert_uint_eq(stats_of("Lantern").live, 2);
  ck_assert_uint_eq(stats_of("Lantern").created, 10);

  tap(SDLK_e);
  ck_assert_uint_eq(stats_of("Lantern").live + stats_of("Balloon").live, 2);
  tap(SDLK_a);
  ck_assert_uint_eq(stats_of("Lantern").live + stats_of("Balloon").live, 0);

  /* Or they are cleared, and made anew. */
  tap(SDLK_d);
  tap(SDLK_c);
  tap(SDLK_1);
  steps(60);
  ck_assert_uint_eq(stats_of("Lantern").live + stats_of("Balloon").live, 0);
  ck_assert_uint_eq(stats_of("Lantern").destroyed, 10);
  ck_assert_uint_eq(stats_of("Lantern").created, 20);
  close_game();
}

/* At most 15 wait; the rest of those that come back are destroyed. */
TEST(core, scenes_queue_has_an_end)
{
  static char path[] = "scripts/scenes";
  open_game(path);
  for (int i = 0; i < 40; i++)
    tap(SDLK_d);
  ck_assert_uint_eq(stats_of("Lantern").live, 20);
  tap(SDLK_a);
  ck_assert_uint_eq(stats_of("Lantern").idle, 15);
  ck_assert_uint_eq(stats_of("Lantern").destroyed, 5);
  click(400, 200);
  ck_assert_uint_eq(stats_of("Lantern").live, 1);
  close_game();
}

TEST(core, breakout_obeys_keys_and_mouse)
{
  static char path[] = "scripts/breakout";
  open_game(path);
  move_mouse(200, 300);
  steps(2);
  ck_assert_float_eq_tol(place_of("Ball", SP_X), 200, 1); /* on the paddle */
  click(700, 300);
  steps(120);
  ck_assert_float_lt(place_of("Ball", SP_Y), 560); /* served, and in the air or on its way back */
  press(SDLK_LEFT);
  for (int i = 0; i < 240 && sp_pool_live(pool_of("Ball")) > 0 && allocs_of("Ball") < 2; i++)
    steps(1); /* nobody hits it: it is lost, and the next one waits */
  ck_assert_uint_eq(allocs_of("Ball"), 2);
  steps(60);
  ck_assert_float_lt(place_of("Ball", SP_X), 70);
  release(SDLK_LEFT);
  close_game();
}

TEST(core, a_level_of_breakout_is_cleared_by_hundreds_of_balls)
{
  static char path[] = "scripts/breakout";
  uint64_t bricks;
  open_game(path);
  bricks = sp_pool_live(pool_of("Brick"));
  ck_assert_uint_eq(bricks, 924);
  for (int i = 0; i < 3600 && allocs_of("Brick") == bricks; i++)
    steps(1);
  ck_assert_uint_gt(allocs_of("Brick"), bricks); /* those of the second level */
  ck_assert_uint_ge(stats_of("Ball").peak, 100);
  close_game();
}

TEST(core, fireworks_obeys_keys_and_mouse_and_bursts_on_the_beat)
{
  static char path[] = "scripts/fireworks";
  uint64_t rockets, mirrors;
  open_game(path);
  steps(10);
  rockets = allocs_of("Rocket");
  click(100, 200);
  ck_assert_uint_eq(allocs_of("Rocket"), rockets + 1);
  tap(SDLK_SPACE);
  ck_assert_uint_eq(allocs_of("Rocket"), rockets + 10);
  steps(60);
  mirrors = allocs_of("Mirror");
  ck_assert_uint_ge(mirrors, 1);
  for (int i = 0; i < 300; i++) { /* a rocket of the show ends 72 frames after it leaves: on an eighth note */
    uint64_t before = stats_of("Rocket").expired;
    steps(1);
    if (sp_time(game_pools(&played)) > 4 && stats_of("Rocket").expired > before)
      ck_assert_int_le((int)(lround(sp_time(game_pools(&played)) * 60) % 18), 1);
  }
  close_game();
}

TEST(core, survivors_obeys_keys_and_chooses_upgrades)
{
  static char path[] = "scripts/survivors";
  float x;
  open_game(path);
  press(SDLK_RIGHT);
  steps(60);
  x = place_of("Hero", SP_X);
  ck_assert_float_gt(x, 120);
  release(SDLK_RIGHT);
  for (int i = 0; i < 3600 && !sp_paused(game_pools(&played)); i++)
    steps(1); /* it plays by itself until a level is reached: then everything stands still */
  ck_assert(sp_paused(game_pools(&played)));
  ck_assert_uint_ge(stats_of("Gem").recycles, 6);
  tap(SDLK_1);
  steps(1);
  ck_assert(!sp_paused(game_pools(&played)));
  close_game();
}

SUITE(games_played, &core)
