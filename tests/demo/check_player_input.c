/*
** Held keys and buttons from events alone, and what `spawnpool.input` tells a script.
*/
#include "demo/bind/input_lua.h"
#include "demo/input/hotkeys.h"
#include "demo/input/input.h"
#include "support/test.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <string.h>

static input_change key(input *in, Uint32 type, SDL_Keycode code)
{
  SDL_Event event = {.key = {.type = type, .keysym = {.sym = code}}};
  return input_event(in, &event);
}

static input_change button(input *in, Uint32 type, Uint8 number, int x, int y)
{
  SDL_Event event = {.button = {.type = type, .button = number, .x = x, .y = y}};
  return input_event(in, &event);
}

/* {== Events ============================================================= */

static test_group events = {"events"};

TEST(events, a_key_is_down_from_press_to_release)
{
  input in = {.key_count = 0};
  input_change change = key(&in, SDL_KEYDOWN, SDLK_LEFT);
  ck_assert_int_eq(change.kind, INPUT_KEY_PRESSED);
  ck_assert_str_eq(change.name, "left");
  ck_assert(input_down(&in, SDLK_LEFT) && !input_down(&in, SDLK_RIGHT));
  change = key(&in, SDL_KEYUP, SDLK_LEFT);
  ck_assert_int_eq(change.kind, INPUT_KEY_RELEASED);
  ck_assert(!input_down(&in, SDLK_LEFT));
}

TEST(events, repeats_and_lone_releases_change_nothing)
{
  input in = {.key_count = 0};
  ck_assert_int_eq(key(&in, SDL_KEYUP, SDLK_a).kind, INPUT_NOTHING);
  key(&in, SDL_KEYDOWN, SDLK_a);
  ck_assert_int_eq(key(&in, SDL_KEYDOWN, SDLK_a).kind, INPUT_NOTHING);
  ck_assert_int_eq(in.key_count, 1);
}

TEST(events, names_are_in_lower_case)
{
  static const struct {
    SDL_Keycode key;
    const char *name;
  } rows[] = {{SDLK_SPACE, "space"}, {SDLK_a, "a"}, {SDLK_RETURN, "return"}, {SDLK_LSHIFT, "left shift"},
              {SDLK_F12, "f12"},     {SDLK_1, "1"}, {SDLK_MINUS, "-"},       {0xe4, "\xc3\xa4"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char name[INPUT_NAME_MOST];
    input_key_name(rows[i].key, name, sizeof name);
    ck_assert_str_eq(name, rows[i].name);
  }
}

TEST(events, more_keys_than_fingers_are_survived)
{
  input in = {.key_count = 0};
  for (int i = 0; i < 2 * INPUT_KEYS; i++)
    key(&in, SDL_KEYDOWN, SDLK_a + i % 26 + (i / 26) * 1000);
  ck_assert_int_eq(in.key_count, INPUT_KEYS);
  for (int i = 0; i < 2 * INPUT_KEYS; i++)
    key(&in, SDL_KEYUP, SDLK_a + i % 26 + (i / 26) * 1000);
  ck_assert_int_eq(in.key_count, 0);
}

TEST(events, buttons_count_left_right_middle)
{
  input in = {.key_count = 0};
  input_change change = button(&in, SDL_MOUSEBUTTONDOWN, SDL_BUTTON_RIGHT, 30, 40);
  ck_assert_int_eq(change.kind, INPUT_MOUSE_PRESSED);
  ck_assert_int_eq(change.button, 2);
  ck_assert(change.x == 30 && change.y == 40 && in.mouse_x == 30 && in.mouse_y == 40);
  ck_assert_int_eq(button(&in, SDL_MOUSEBUTTONDOWN, SDL_BUTTON_MIDDLE, 0, 0).button, 3);
  ck_assert_int_eq(button(&in, SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, 0, 0).button, 1);
  ck_assert(in.buttons[1] && in.buttons[2] && in.buttons[3]);
  ck_assert_int_eq(button(&in, SDL_MOUSEBUTTONUP, SDL_BUTTON_RIGHT, 0, 0).kind, INPUT_MOUSE_RELEASED);
  ck_assert(!in.buttons[2]);
  ck_assert_int_eq(button(&in, SDL_MOUSEBUTTONDOWN, 200, 0, 0).kind, INPUT_NOTHING);
}

TEST(events, losing_the_focus_releases_everything)
{
  input in = {.key_count = 0};
  SDL_Event event = {.window = {.type = SDL_WINDOWEVENT, .event = SDL_WINDOWEVENT_FOCUS_LOST}};
  key(&in, SDL_KEYDOWN, SDLK_SPACE);
  button(&in, SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, 1, 2);
  input_event(&in, &event);
  ck_assert(!input_down(&in, SDLK_SPACE) && !in.buttons[1]);
  ck_assert_int_eq(in.mouse_x, 1);
}

TEST(events, games_have_all_keys_but_the_players)
{
  size_t count;
  const key_row *rows = hotkeys_all(&count);
  ck_assert_int_eq(hotkeys_action(SDLK_SPACE), KEY_NONE);
  ck_assert_int_eq(hotkeys_action(SDLK_F1), KEY_HELP);
  for (size_t i = 0; i < count; i++)
    ck_assert_int_eq(hotkeys_action(rows[i].key), rows[i].action);
}

/* }== */

/* {== Lua ================================================================ */

static lua_State *state_with_module(const input *in)
{
  char problem[128];
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  ck_assert_int_eq(luaL_dostring(L, "package.loaded.spawnpool = {}"), LUA_OK);
  ck_assert_msg(input_install(in, L, problem, sizeof problem), "%s", problem);
  ck_assert_int_eq(lua_gettop(L), 0);
  return L;
}

/* Runs `code`, which returns what is to be compared, as one string. */
#define EXPECT(L, code, expected)                                                                                      \
  do {                                                                                                                 \
    int status = luaL_dostring((L), "local input = require('spawnpool').input " code);                                 \
    const char *got = luaL_tolstring((L), -1, NULL);                                                                   \
    ck_assert_msg(status == LUA_OK, "%s", got);                                                                        \
    ck_assert_str_eq(got, expected);                                                                                   \
    lua_settop((L), 0);                                                                                                \
  } while (0)

static test_group lua_tests = {"lua"};

TEST(lua_tests, a_script_asks_for_keys_by_name)
{
  input in = {.key_count = 0};
  lua_State *L = state_with_module(&in);
  key(&in, SDL_KEYDOWN, SDLK_LEFT);
  EXPECT(L, "return input.down('left')", "true");
  EXPECT(L, "return input.down('right')", "false");
  EXPECT(L, "return input.down('right', 'left')", "true");
  EXPECT(L, "return input.down('Left')", "true");
  key(&in, SDL_KEYUP, SDLK_LEFT);
  EXPECT(L, "return input.down('left')", "false");
  lua_close(L);
}

TEST(lua_tests, a_script_reads_the_mouse)
{
  input in = {.key_count = 0};
  lua_State *L = state_with_module(&in);
  button(&in, SDL_MOUSEBUTTONDOWN, SDL_BUTTON_RIGHT, 12, 34);
  EXPECT(L,
         "local x, y, left, right, middle = input.mouse() "
         "return table.concat({x, y, tostring(left), tostring(right), tostring(middle)}, ' ')",
         "12 34 false true false");
  lua_close(L);
}

TEST(lua_tests, a_wrong_key_name_blames_the_caller)
{
  input in = {.key_count = 0};
  lua_State *L = state_with_module(&in);
  EXPECT(L, "return select(2, pcall(load('input = ...\\ninput.down(\"lfet\")', '=game'), input))",
         "game:2: bad argument #1 to 'down' (no key is called 'lfet'; names are like \"left\", \"space\", \"a\")");
  EXPECT(L, "return (select(2, pcall(input.down)):find('string expected', 1, true)) ~= nil", "true");
  EXPECT(L, "return (select(2, pcall(input.down, {})):find('string expected', 1, true)) ~= nil", "true");
  lua_close(L);
}

TEST(lua_tests, a_state_without_the_module_is_refused)
{
  input in = {.key_count = 0};
  char problem[128] = "";
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  ck_assert(!input_install(&in, L, problem, sizeof problem));
  ck_assert_ptr_nonnull(strstr(problem, "not loaded"));
  ck_assert_int_eq(lua_gettop(L), 0);
  lua_close(L);
}

/* }== */

SUITE(player_input, &events, &lua_tests)
