/*
** Game controllers, by SDL's virtual one: plugged in and out, its buttons and sticks, and the shooter under its hands.
*/
#include "demo/app/game.h"
#include "support/test.h"

#include <lauxlib.h>
#include <lua.h>
#include <string.h>

static game played;
static report said;
static int device; /* index of the virtual pad, or -1 */
static SDL_Joystick *stick;
static int pressed, released;
static char last[INPUT_NAME_MOST];

static void take_events(void)
{
  SDL_Event event;
  SDL_JoystickUpdate();
  SDL_PumpEvents();
  while (SDL_PollEvent(&event)) {
    input_change change = input_event(&played.input, &event);
    pressed += change.kind == INPUT_GAMEPAD_PRESSED;
    released += change.kind == INPUT_GAMEPAD_RELEASED;
    if (change.kind == INPUT_GAMEPAD_PRESSED || change.kind == INPUT_GAMEPAD_RELEASED)
      SDL_strlcpy(last, change.name, sizeof last);
    game_input(&played, &change);
  }
}

static void plug_in(void)
{
  device = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX,
                                     SDL_CONTROLLER_BUTTON_MAX, 0);
  ck_assert_msg(device >= 0, "%s", SDL_GetError());
  ck_assert(SDL_IsGameController(device));
  stick = SDL_JoystickOpen(device);
  ck_assert_ptr_nonnull(stick);
  /* Triggers rest at their lower end, as they do on a pad. */
  SDL_JoystickSetVirtualAxis(stick, SDL_CONTROLLER_AXIS_TRIGGERLEFT, SDL_JOYSTICK_AXIS_MIN);
  SDL_JoystickSetVirtualAxis(stick, SDL_CONTROLLER_AXIS_TRIGGERRIGHT, SDL_JOYSTICK_AXIS_MIN);
  take_events();
}

static void plug_out(void)
{
  SDL_JoystickClose(stick);
  ck_assert_int_eq(SDL_JoystickDetachVirtual(device), 0);
  device = -1;
  take_events();
}

static void set_button(SDL_GameControllerButton button, int down)
{
  ck_assert_int_eq(SDL_JoystickSetVirtualButton(stick, button, (Uint8)down), 0);
  take_events();
}

static void set_axis(SDL_GameControllerAxis axis, int value)
{
  ck_assert_int_eq(SDL_JoystickSetVirtualAxis(stick, axis, (Sint16)value), 0);
  take_events();
}

static void steps(int count)
{
  while (count-- > 0)
    game_step(&played);
}

static void setup(void)
{
  static char program[] = "spawnpool", headless[] = "--headless", path[] = "scripts/shooter";
  char *argv[] = {program, headless, path, NULL}, problem[256];
  options o;
  pressed = released = 0;
  device = -1;
  /* A pad is listened to only while a window is in front; here is none. */
  SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
  gamepad_start();
  ck_assert_msg(SDL_WasInit(SDL_INIT_GAMECONTROLLER), "%s", SDL_GetError());
  ck_assert_msg(options_parse(&o, 3, argv), "%s", o.error);
  said = (report){.print = stdout};
  ck_assert_msg(game_open(&played, &o, &said, problem, sizeof problem), "%s", problem);
  game_start(&played, &o);
}

static void teardown(void)
{
  ck_assert(!played.stopped);
  ck_assert_uint_eq(said.errors, 0);
  if (device >= 0)
    plug_out();
  game_close(&played);
  SDL_Quit();
}

/* What a script gets from `code`, as a text. */
static void expect_lua(const char *code, const char *expected)
{
  lua_State *L = sp_script_state(played.script);
  char chunk[512];
  snprintf(chunk, sizeof chunk, "local input = ... return %s", code);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_getfield(L, -1, "spawnpool");
  ck_assert_int_eq(luaL_loadstring(L, chunk), LUA_OK);
  lua_getfield(L, -2, "input");
  lua_pcall(L, 1, 1, 0);
  ck_assert_str_eq(luaL_tolstring(L, -1, NULL), expected);
  lua_pop(L, 4);
}

static sp_pool *pool_of(const char *type)
{
  sp_pool *pool = sp_find_pool(game_pools(&played), type);
  ck_assert_msg(pool, "no pool '%s'", type);
  return pool;
}

static float ship_place(int column)
{
  sp_walk walk = sp_pool_walk(pool_of("Ship"));
  sp_ref ship = sp_walk_next(&walk);
  ck_assert(ship != SP_NONE_REF);
  return *(const float *)sp_peek(game_pools(&played), ship, column);
}

static test_group core = {"core", setup, teardown, 30};

TEST(core, a_pad_may_come_and_go)
{
  expect_lua("input.pad()", "false");
  expect_lua("input.pad('a')", "false");
  expect_lua("input.axis('leftx')", "0.0");
  for (int i = 0; i < 2; i++) {
    plug_in();
    expect_lua("input.pad()", "true");
    set_button(SDL_CONTROLLER_BUTTON_A, 1);
    expect_lua("input.pad('a')", "true");
    plug_out();
    expect_lua("input.pad()", "false");
    expect_lua("input.pad('a')", "false"); /* nobody holds it */
  }
}

TEST(core, buttons_are_told_once_by_their_names)
{
  plug_in();
  set_button(SDL_CONTROLLER_BUTTON_LEFTSHOULDER, 1);
  take_events();
  ck_assert_int_eq(pressed, 1);
  ck_assert_str_eq(last, "leftshoulder");
  expect_lua("input.pad('a', 'leftshoulder')", "true");
  set_button(SDL_CONTROLLER_BUTTON_LEFTSHOULDER, 0);
  ck_assert_int_eq(released, 1);
  expect_lua("input.pad('a', 'leftshoulder')", "false");
}

TEST(core, sticks_rest_in_the_middle_and_reach_one)
{
  plug_in();
  set_axis(SDL_CONTROLLER_AXIS_LEFTX, 5000);
  expect_lua("input.axis('leftx')", "0.0");
  set_axis(SDL_CONTROLLER_AXIS_LEFTX, SDL_JOYSTICK_AXIS_MAX);
  expect_lua("input.axis('leftx')", "1.0");
  set_axis(SDL_CONTROLLER_AXIS_LEFTX, SDL_JOYSTICK_AXIS_MIN);
  expect_lua("input.axis('leftx')", "-1.0");
  set_axis(SDL_CONTROLLER_AXIS_RIGHTY, 8000); /* just out of the middle: small, not a jump */
  expect_lua("input.axis('righty') > 0 and input.axis('righty') < 0.1", "true");
  expect_lua("input.axis('lefttrigger')", "0.0");
  set_axis(SDL_CONTROLLER_AXIS_TRIGGERLEFT, SDL_JOYSTICK_AXIS_MAX);
  expect_lua("input.axis('lefttrigger')", "1.0");
}

TEST(core, losing_the_focus_releases_a_pad)
{
  SDL_Event event = {.window = {.type = SDL_WINDOWEVENT, .event = SDL_WINDOWEVENT_FOCUS_LOST}};
  plug_in();
  set_button(SDL_CONTROLLER_BUTTON_A, 1);
  set_axis(SDL_CONTROLLER_AXIS_LEFTX, SDL_JOYSTICK_AXIS_MAX);
  input_event(&played.input, &event);
  expect_lua("input.pad('a')", "false");
  expect_lua("input.axis('leftx')", "0.0");
  expect_lua("input.pad()", "true");
}

TEST(core, wrong_names_are_blamed_with_right_ones)
{
  expect_lua("select(2, pcall(input.pad, 'jump')):find('no button is called .jump.; names are like') ~= nil", "true");
  expect_lua("select(2, pcall(input.axis, 'left')):find('no axis is called .left.; names are like') ~= nil", "true");
}

TEST(core, the_shooter_obeys_a_pad)
{
  uint64_t bullets;
  float x;
  plug_in();
  set_axis(SDL_CONTROLLER_AXIS_LEFTX, SDL_JOYSTICK_AXIS_MIN);
  steps(20);
  x = ship_place(SP_X);
  ck_assert_float_lt(x, 330);
  set_axis(SDL_CONTROLLER_AXIS_LEFTX, 0);
  bullets = sp_pool_stats(pool_of("Bullet")).allocs;
  set_button(SDL_CONTROLLER_BUTTON_DPAD_RIGHT, 1);
  steps(30);
  ck_assert_float_gt(ship_place(SP_X), x + 20);
  ck_assert_uint_eq(sp_pool_stats(pool_of("Bullet")).allocs, bullets);
  set_button(SDL_CONTROLLER_BUTTON_DPAD_RIGHT, 0);
  set_button(SDL_CONTROLLER_BUTTON_A, 1);
  steps(30);
  ck_assert_uint_gt(sp_pool_stats(pool_of("Bullet")).allocs, bullets);
}

SUITE(player_gamepad, &core)
