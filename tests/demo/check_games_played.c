/*
** The games in scripts/ under the hands of a person: keys and mouse, as the window would send them.
*/
#include "demo/game.h"

#include <check.h>
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
  game_start(&played, &o, &(draw_view){800, 600, 1});
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

static void move_mouse(int x, int y) { send(&(SDL_Event){.motion = {.type = SDL_MOUSEMOTION, .x = x, .y = y}}); }

static void click(int x, int y)
{
  move_mouse(x, y);
  send(&(SDL_Event){.button = {.type = SDL_MOUSEBUTTONDOWN, .button = SDL_BUTTON_LEFT, .x = x, .y = y}});
  send(&(SDL_Event){.button = {.type = SDL_MOUSEBUTTONUP, .button = SDL_BUTTON_LEFT, .x = x, .y = y}});
}

static sp_pool *pool_of(const char *type)
{
  for (uint32_t i = 0; i < sp_pool_count(game_pools(&played)); i++)
    if (strcmp(sp_pool_type(sp_pool_at(game_pools(&played), i)), type) == 0)
      return sp_pool_at(game_pools(&played), i);
  ck_abort_msg("no pool '%s'", type);
  return NULL;
}

static uint64_t allocs_of(const char *type) { return sp_pool_stats(pool_of(type)).allocs; }

/* Where the first live object of a type is. */
static float place_of(const char *type, int column)
{
  sp_walk walk = sp_walk_begin(pool_of(type));
  sp_ref object = sp_walk_next(&walk);
  ck_assert(object != SP_NONE_REF);
  return *(const float *)sp_peek(game_pools(&played), object, column);
}

START_TEST(the_shooter_obeys_keys_and_mouse)
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
END_TEST

START_TEST(the_shooters_autopilot_waits_five_seconds)
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
END_TEST

START_TEST(a_lost_game_begins_again)
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
END_TEST

START_TEST(cubes_obeys_keys_and_mouse)
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
END_TEST

Suite *sp_suite_games_played(void)
{
  Suite *suite = suite_create("games_played");
  TCase *core = tcase_create("core");
  tcase_set_timeout(core, 60);
  tcase_add_test(core, the_shooter_obeys_keys_and_mouse);
  tcase_add_test(core, the_shooters_autopilot_waits_five_seconds);
  tcase_add_test(core, a_lost_game_begins_again);
  tcase_add_test(core, cubes_obeys_keys_and_mouse);
  suite_add_tcase(suite, core);
  return suite;
}
