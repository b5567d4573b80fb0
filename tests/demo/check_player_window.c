/*
** A window that is played in: full screen, another size, and in front or not. SDL's dummy driver, asked for by name,
** counts as a display.
*/
#include "demo/draw/window.h"
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

SUITE(player_window, &windows, &unseen)
