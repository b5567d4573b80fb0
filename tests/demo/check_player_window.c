/*
** A window that is played in: full screen, another size, and in front or not. SDL's dummy driver, asked for by name,
** counts as a display.
*/
#include "demo/app/app.h"
#include "demo/app/interrupt.h"
#include "demo/draw/window.h"
#include "demo/play.h"
#include "support/test.h"

#include <SDL.h>
#include <stdlib.h>

static window shown;

static void open_window(void)
{
  char problem[256];
  ck_assert_int_eq(setenv("SDL_VIDEODRIVER", "dummy", 1), 0);
  ck_assert_msg(window_open(&shown, "test", 320, 200, WINDOW_SHOWN, problem, sizeof problem), "%s", problem);
  window_show(&shown);
}

static void close_window(void) { window_close(&shown); }

static test_group windows = {"windows", open_window, close_window};

TEST(windows, a_window_has_the_size_that_it_was_given_since)
{
  ck_assert(shown.width == 320 && shown.height == 200 && shown.scale == 1);
  SDL_SetWindowSize(shown.handle, 500, 100);
  window_measure(&shown);
  ck_assert(shown.width == 500 && shown.height == 100 && shown.scale == 1);
}

TEST(windows, full_screen_is_as_large_as_the_desktop_and_back_again)
{
  SDL_DisplayMode desktop;
  ck_assert_int_eq(SDL_GetDesktopDisplayMode(0, &desktop), 0);
  ck_assert(window_toggle_full_screen(&shown));
  ck_assert(shown.width == desktop.w && shown.height == desktop.h);
  ck_assert(window_toggle_full_screen(&shown));
  ck_assert(shown.width == 320 && shown.height == 200);
}

/* {== Unseen ============================================================= */

static test_group unseen = {"unseen", NULL, close_window};

TEST(unseen, where_nobody_looks_no_video_driver_is_started)
{
  char problem[256];
  SDL_Rect corner = {319, 199, 1, 1};
  Uint32 pixel = 0;
  ck_assert_int_eq(setenv("SDL_VIDEODRIVER", "no such driver", 1), 0);
  ck_assert_msg(window_open(&shown, "test", 320, 200, WINDOW_PICTURED, problem, sizeof problem), "%s", problem);
  ck_assert(!SDL_WasInit(SDL_INIT_VIDEO) && shown.width == 320 && shown.height == 200 && shown.scale == 1);
  SDL_SetRenderDrawColor(shown.renderer, 10, 20, 30, 255);
  SDL_RenderClear(shown.renderer);
  ck_assert_int_eq(SDL_RenderReadPixels(shown.renderer, &corner, SDL_PIXELFORMAT_ARGB8888, &pixel, 4), 0);
  ck_assert_uint_eq(pixel & 0xffffffu, 0x0a141eu);
  window_close(&shown);
  ck_assert_msg(window_open(&shown, "test", 320, 200, WINDOW_BLIND, problem, sizeof problem), "%s", problem);
  window_measure(&shown);
  ck_assert(!SDL_WasInit(SDL_INIT_VIDEO) && shown.width == 320 && shown.height == 200 && shown.scale == 1);
  ck_assert(!shown.renderer && SDL_WasInit(SDL_INIT_EVENTS));
}

/* }== */

/* {== In a game ========================================================== */

static void open_game(void)
{
  play_open();
  ck_assert_int_eq(setenv("SDL_VIDEODRIVER", "dummy", 1), 0);
  interrupt_prepare(); /* the timer has a thread, which must not be woken by signals either */
  ck_assert_int_eq(SDL_Init(SDL_INIT_EVENTS | SDL_INIT_TIMER), 0);
}

static int play_frames(uint64_t frames)
{
  options o = {.path = play_folder, .frames = frames, .width = 320, .height = 200, .no_watch = true};
  return app_run(&o);
}

static void push_key(SDL_Keycode key, Uint16 mod)
{
  SDL_Event event = {.key = {.type = SDL_KEYDOWN, .keysym = {.sym = key, .mod = mod}}};
  ck_assert_int_eq(SDL_PushEvent(&event), 1);
  event.type = SDL_KEYUP;
  ck_assert_int_eq(SDL_PushEvent(&event), 1);
}

static void push_focus(Uint8 what)
{
  SDL_Event event = {.window = {.type = SDL_WINDOWEVENT, .event = what}};
  ck_assert_int_eq(SDL_PushEvent(&event), 1);
}

/* The game ends in an error unless its picture has the size of the desktop from the first frame on. */
static void expect_full_screen(SDL_Keycode key, Uint16 mod)
{
  play_write("main.lua", "local game <const> = {}\n"
                         "function game.draw(g) if g.width == 320 then error 'as small as before' end end\n"
                         "function game.key_pressed(key) error(key .. ' is not for the game') end\n"
                         "function game.key_released(key) error(key .. ' is not for the game') end\n"
                         "return game\n");
  push_key(key, mod);
  ck_assert_int_eq(play_frames(2), APP_FINE);
}

static test_group games = {"games", open_game, play_close, 30};

TEST(games, f11_is_full_screen) { expect_full_screen(SDLK_F11, KMOD_NONE); }

TEST(games, alt_enter_is_full_screen_and_not_enter) { expect_full_screen(SDLK_RETURN, KMOD_LALT); }

TEST(games, enter_alone_is_the_games)
{
  play_write("main.lua", "return { key_pressed = function(key) if key == 'return' then error 'told' end end }");
  push_key(SDLK_RETURN, KMOD_NONE);
  push_key(SDLK_ESCAPE, KMOD_NONE); /* a window waits for the mending of an error */
  ck_assert_int_eq(play_frames(2), APP_SCRIPT_ERROR);
}

static SDL_atomic_t is_back;

static Uint32 come_back(Uint32 interval, void *ud)
{
  (void)interval, (void)ud;
  SDL_AtomicSet(&is_back, 1);
  push_focus(SDL_WINDOWEVENT_FOCUS_GAINED);
  return 0;
}

TEST(games, a_game_goes_on_while_another_window_has_the_focus)
{
  play_write("main.lua", "local steps = 0\n"
                         "return { update = function() steps = steps + 1 if steps == 3 then error 'played' end end }");
  push_focus(SDL_WINDOWEVENT_FOCUS_LOST);
  ck_assert_int_eq(play_frames(3), APP_SCRIPT_ERROR);
}

TEST(games, a_game_may_pause_while_another_window_has_the_focus)
{
  play_write("main.lua", "return { pause_unfocused = true }");
  SDL_AtomicSet(&is_back, 0);
  push_focus(SDL_WINDOWEVENT_FOCUS_LOST);
  ck_assert_int_ne(SDL_AddTimer(200, come_back, NULL), 0);
  ck_assert_int_eq(play_frames(3), APP_FINE);
  ck_assert_int_eq(SDL_AtomicGet(&is_back), 1); /* no frame counts before */
}

TEST(games, without_a_window_there_is_no_focus_to_lose)
{
  options o = {.path = play_folder, .frames = 3, .width = 320, .height = 200, .headless = true};
  play_write("main.lua", "return { pause_unfocused = true }");
  push_focus(SDL_WINDOWEVENT_FOCUS_LOST);
  ck_assert_int_eq(app_run(&o), APP_FINE);
}

/* }== */

SUITE(player_window, &windows, &unseen, &games)
