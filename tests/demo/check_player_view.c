/*
** What of a game the window shows: its own size and title, how it is scaled, the camera; and the callbacks about mouse,
** text and window that come with positions of the view.
*/
#include "demo/app/app.h"
#include "demo/draw/view.h"
#include "demo/paint.h"
#include "demo/play.h"
#include "support/test.h"

#include <SDL.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* {== Pictures =========================================================== */

static test_group pictures = {"pictures", play_open, play_close, 60};

static char picture[512];

/* Plays two frames of a game and takes the second one. */
static void take(const char *main, const char *flags)
{
  snprintf(picture, sizeof picture, "%s/out.png", play_folder);
  play_write("main.lua", main);
  RUN(PLAYER "--headless --frames 2 --screenshot %s %s %s", picture, flags, play_folder);
  EXPECT_STATUS(0);
}

static void expect_pixel(int x, int y, uint32_t color)
{
  uint32_t is = paint_pixel(picture, x, y);
  ck_assert_msg(is == color, "at %d, %d: %06x, not %06x", x, y, is, color);
}

#define BLACK 0x000000u /* what the view leaves of the window */
#define EMPTY 0x12131bu
#define RED 0xff0000u
#define GREEN 0x00ff00u

/* A view whose upper left corner is red, and green its lower right one: 4 of 40 x 20 units each. */
#define CORNERS(scale)                                                                                                 \
  "return { width = 40, height = 20, scale = '" scale "', draw = function(g)\n"                                        \
  "g:color(1, 0, 0) g:rect(0, 0, 4, 4) g:color(0, 1, 0) g:rect(g.width - 4, g.height - 4, 4, 4)\n"                     \
  "g:rect(-10, 30, 100, 10) end }"

TEST(pictures, a_game_chooses_the_size_of_its_window)
{
  take(CORNERS("fit"), "");
  expect_pixel(3, 3, RED);
  expect_pixel(4, 4, EMPTY);
  expect_pixel(39, 19, GREEN);
}

TEST(pictures, the_view_fits_into_the_window)
{
  take(CORNERS("fit"), "--size 100x100"); /* 2.5 pixels a unit: 100 x 50, with 25 free above and below */
  expect_pixel(50, 24, BLACK);
  expect_pixel(1, 25, RED);
  expect_pixel(9, 34, RED);
  expect_pixel(50, 50, EMPTY);
  expect_pixel(98, 73, GREEN);
  expect_pixel(50, 76, BLACK); /* what is drawn past the view is cut off */
}

TEST(pictures, whole_pixels_per_unit)
{
  take(CORNERS("integer"), "--size 100x100"); /* 2: 80 x 40 from 10, 30 on */
  expect_pixel(9, 30, BLACK);
  expect_pixel(10, 30, RED);
  expect_pixel(17, 37, RED);
  expect_pixel(18, 38, EMPTY);
  expect_pixel(89, 69, GREEN);
  expect_pixel(90, 69, BLACK);
  take(CORNERS("integer"), "--size 20x20"); /* less than one: as with fit */
  expect_pixel(10, 4, BLACK);
  expect_pixel(0, 5, RED);
  expect_pixel(19, 14, GREEN);
}

TEST(pictures, the_view_is_stretched)
{
  take(CORNERS("stretch"), "--size 80x100");
  expect_pixel(7, 19, RED);
  expect_pixel(8, 20, EMPTY);
  expect_pixel(72, 80, GREEN);
}

TEST(pictures, without_scale_the_view_is_the_window)
{
  take(CORNERS("none"), "--size 60x50");
  expect_pixel(3, 3, RED);
  expect_pixel(10, 10, EMPTY);
  expect_pixel(59, 49, GREEN);
}

/* The square at 1000, 1000 has a radius of 5. */
#define FAR_AWAY(draw)                                                                                                 \
  "local spawnpool = require 'spawnpool'\n"                                                                            \
  "spawnpool.class('Box', { sprite = 'square', radius = 5, g = 0, b = 0 })\n"                                          \
  "local function near(a, b) return math.abs(a - b) < 1e-3 end\n"                                                      \
  "return { width = 100, height = 60, load = function() spawnpool.pools:alloc('Box', 0, 1000, 1000) end,\n" draw " }"

TEST(pictures, a_camera_shows_the_world_around_its_place)
{
  take(FAR_AWAY("draw = function(g) g:camera(1000, 1000) end"), "");
  expect_pixel(50, 30, RED);
  expect_pixel(54, 34, RED);
  expect_pixel(56, 30, EMPTY);
  take(FAR_AWAY("draw = function(g) g:camera(995, 1000, 4) end"), ""); /* 5 units to the right, four times as large */
  expect_pixel(51, 30, RED);
  expect_pixel(88, 30, RED);
  expect_pixel(48, 30, EMPTY);
  take(FAR_AWAY("draw = function(g) g:camera(1000, 985, 1, math.pi / 2) end"), ""); /* what is below is at the right */
  expect_pixel(65, 30, RED);
  expect_pixel(50, 45, EMPTY);
  take(FAR_AWAY("draw = function(g) g:camera(1000, 1000) g:camera() end"), "");
  expect_pixel(50, 30, EMPTY);
}

TEST(pictures, the_first_picture_already_has_the_camera)
{
  snprintf(picture, sizeof picture, "%s/out.png", play_folder);
  play_write("main.lua", FAR_AWAY("draw = function(g) g:camera(1000, 1000) g:color(0, 1, 0) g:rect(0, 0, 3, 3) end"));
  RUN(PLAYER "--headless --frames 1 --screenshot %s %s", picture, play_folder);
  EXPECT_STATUS(0);
  expect_pixel(50, 30, RED);
  expect_pixel(1, 1, GREEN);
}

/* Also large turned areas, which SDL's software renderer cannot draw in one piece. */
TEST(pictures, what_is_drawn_below_is_in_the_world_and_under_the_objects)
{
  take(FAR_AWAY("draw_below = function(g) g:camera(1000, 1000, 1, 0.5) g:color(0, 1, 0) g:rect(0, 0, 2000, 2000) end"),
       "");
  expect_pixel(50, 30, RED);
  expect_pixel(5, 5, GREEN);
  expect_pixel(95, 55, GREEN);
  take(FAR_AWAY("draw_below = function(g) g:camera(1000, 1000) g:color(0, 1, 0) g:rect(990, 990, 20, 20) end,\n"
                "draw = function(g) g:color(0, 1, 0) g:rect(990, 990, 20, 20) g:rect(0, 0, 2, 2) end"),
       "");
  expect_pixel(50, 30, RED);
  expect_pixel(41, 21, GREEN);
  expect_pixel(61, 30, EMPTY);
  expect_pixel(1, 1, GREEN);
}

TEST(pictures, places_are_converted_both_ways)
{
  take(FAR_AWAY(
           "draw = function(g) g:camera(300, -200, 2.5, 0.7)\n"
           "local x, y = spawnpool.view:to_world(70, 20)\n"
           "local vx, vy = spawnpool.view:to_view(x, y)\n"
           "assert(near(vx, 70) and near(vy, 20) and not near(x, 70))\n"
           "x, y = spawnpool.view:to_world(50, 30) assert(near(x, 300) and near(y, -200))\n"
           "assert(spawnpool.view.width == 100 and spawnpool.view.height == 60)\n"
           "g:camera() x, y = spawnpool.view:to_world(7, 8) assert(x == 7 and y == 8)\n"
           "assert(not pcall(spawnpool.view.to_world, 1, 2) and not pcall(function() return spawnpool.view.w end))\n"
           "for _, zoom in ipairs { 0, -1, 1e9, 0 / 0 } do assert(not pcall(g.camera, g, 0, 0, zoom)) end\n"
           "assert(not pcall(g.camera, g, 1)) end"),
       "");
}

TEST(pictures, a_wrong_setting_is_a_warning)
{
  EXPECT_RUNS({"return { width = 0, height = 20 }", HEADLESS "%s", 0, "",
               "~main.lua: width must be a whole number from 1 to 16384, got 0"},
              {"return { width = 20, height = '1' }", HEADLESS "%s", 0, "", "~height must be a whole number"},
              {"return { scale = 'big' }", HEADLESS "%s", 0, "",
               "~scale must be \"fit\", \"integer\", \"stretch\" or \"none\", got 'big'"},
              {"return { title = 5 }", HEADLESS "%s", 0, "", "~title must be a string, got number"});
}

TEST(pictures, text_is_aligned_and_measured)
{
  take("return { width = 100, height = 60, draw = function(g)\n"
       "local w, h = g:measure('ii', 20)\n"
       "g:text(50, 0, 'ii', 20) g:text(50, 20, 'ii', 20, 'right') g:text(50, 40, 'ii', 20, 'center')\n"
       "assert(w > 4 and w < 30 and h > 15 and h < 40)\n"
       "local w2, h2 = g:measure('ii\\nii\\ni', 20) assert(w2 == w and h2 == 3 * h)\n"
       "assert(g:measure(12) > g:measure '1' and g:measure('', 20) == 0)\n"
       "assert(not pcall(g.text, g, 0, 0, 'x', 16, 'middle') and not pcall(g.measure, g)) end }",
       "");
  int lit[3][2] = {{0}}; /* left of x, right of it */
  for (int line = 0; line < 3; line++)
    for (int y = 20 * line; y < 20 * line + 20; y++)
      for (int x = 0; x < 100; x++)
        lit[line][x >= 50] += paint_pixel(picture, x, y) != EMPTY;
  ck_assert(lit[0][0] == 0 && lit[0][1] > 20);
  ck_assert(lit[1][0] > 20 && lit[1][1] == 0);
  ck_assert(lit[2][0] > 10 && lit[2][1] > 10);
}

TEST(pictures, a_text_has_the_same_width_in_every_window_and_in_none)
{
  static const char main[] = "local said = false\nreturn { width = 100, height = 60, draw = function(g)\n"
                             "if not said then print(g:measure('The quick brown fox', 11)) said = true end end }";
  char first[128];
  take(main, "");
  snprintf(first, sizeof first, "%s", play_run.out);
  ck_assert(strlen(first) > 4);
  take(main, "--size 333x200");
  ck_assert_str_eq(play_run.out, first);
  RUN(HEADLESS "%s", play_folder);
  ck_assert_str_eq(play_run.out, first);
}

/* }== */

/* {== Events ============================================================= */

static void write_diary(void)
{
  char code[2048];
  snprintf(code, sizeof code,
           "local out <const> = assert(io.open('%s/diary', 'w'))\n"
           "local function note(...) local t = table.pack(...) for i = 1, t.n do t[i] = tostring(t[i]) end\n"
           "out:write(table.concat(t, ' '), '\\n') out:flush() end\n"
           "local game = { width = 32, height = 24 }\n"
           "for _, name in ipairs { 'mouse_moved', 'mouse_pressed', 'wheel', 'text_input', 'resized', 'focus' } do\n"
           "game[name] = function(...) note(name, ...) end end\n"
           "function game.update() note('mouse', require('spawnpool').input.mouse()) end\n"
           "return game\n",
           play_folder);
  play_write("main.lua", code);
}

static void open_events(void)
{
  play_open();
  write_diary();
  ck_assert_int_eq(SDL_Init(SDL_INIT_EVENTS), 0);
}

static test_group events = {"events", open_events, play_close, 30};

static void push(SDL_Event event) { ck_assert_int_eq(SDL_PushEvent(&event), 1); }

static void push_motion(int x, int y) { push((SDL_Event){.motion = {.type = SDL_MOUSEMOTION, .x = x, .y = y}}); }

static void push_text(const char *text)
{
  SDL_Event event = {.text = {.type = SDL_TEXTINPUT}};
  SDL_strlcpy(event.text.text, text, sizeof event.text.text);
  push(event);
}

static void push_window(Uint8 what) { push((SDL_Event){.window = {.type = SDL_WINDOWEVENT, .event = what}}); }

static void play_and_expect(int width, int height, bool sized, const char *expected)
{
  options o = {.path = play_folder,
               .frames = 1,
               .width = width,
               .height = height,
               .sized = sized,
               .headless = true,
               .trust = true};
  ck_assert_int_eq(app_run(&o), APP_FINE);
  play_expect("diary", expected);
}

TEST(events, positions_are_in_units_of_the_view)
{
  push_motion(64, 48);
  push_motion(65, 48); /* the same unit */
  push_motion(72, 40);
  push((SDL_Event){.button = {.type = SDL_MOUSEBUTTONDOWN, .button = SDL_BUTTON_LEFT, .x = 8, .y = 4}});
  play_and_expect(
      64, 64, true, /* 2 pixels a unit, 8 free above and below */
      "mouse_moved 32 20 32 24\nmouse_moved 36 16 4 -4\nmouse_pressed 4 -2 1\nmouse 4 -2 true false false\n");
}

TEST(events, without_size_of_its_own_a_game_has_points)
{
  push_motion(5, 6);
  push_motion(15, 4);
  play_and_expect(800, 600, false, "mouse_moved 5 6 5 6\nmouse_moved 15 4 10 -2\nmouse 15 4 false false false\n");
}

TEST(events, wheel_text_and_focus)
{
  push((SDL_Event){.wheel = {.type = SDL_MOUSEWHEEL, .x = 1, .y = -2}});
  push((SDL_Event){.wheel = {.type = SDL_MOUSEWHEEL, .y = 1, .direction = SDL_MOUSEWHEEL_FLIPPED}});
  push_text("\xc3\xa9");
  push_text("`"); /* the key of the console */
  push_text("ab");
  push_window(SDL_WINDOWEVENT_FOCUS_LOST);
  push_window(SDL_WINDOWEVENT_FOCUS_GAINED);
  play_and_expect(32, 24, true,
                  "wheel 1 -2\nwheel 0 -1\ntext_input \xc3\xa9\ntext_input ab\nfocus false\nfocus true\n"
                  "mouse 0 0 false false false\n");
}

/* }== */

/* {== A window =========================================================== */

static void open_window(void)
{
  open_events();
  ck_assert_int_eq(setenv("SDL_VIDEODRIVER", "dummy", 1), 0);
}

static test_group windows = {"windows", open_window, play_close, 30};

static int resize_once(void *ud, SDL_Event *event)
{
  bool *done = ud;
  SDL_Window *w = SDL_GetWindowFromID(event->window.windowID);
  if (event->type == SDL_WINDOWEVENT && event->window.event == SDL_WINDOWEVENT_SHOWN && w && !*done) {
    int width, height;
    SDL_GetWindowSize(w, &width, &height);
    ck_assert(width == 32 && height == 24);
    ck_assert_str_eq(SDL_GetWindowTitle(w), "Diary");
    *done = true;
    SDL_SetWindowSize(w, 320, 240);
  }
  return 1;
}

TEST(windows, a_game_has_its_size_and_title_and_is_told_of_another_size)
{
  bool done = false;
  char code[2048];

  snprintf(code, sizeof code,
           "local out = assert(io.open('%s/diary', 'w'))\n"
           "return { title = 'Diary', width = 32, height = 24,\n"
           "resized = function(w, h) local view = require('spawnpool').view\n"
           "out:write(w, ' ', h, ' ', view.width, ' ', view.height, '\\n') out:flush() end }\n",
           play_folder);
  play_write("main.lua", code);
  ck_assert_int_eq(SDL_InitSubSystem(SDL_INIT_VIDEO), 0);
  SDL_AddEventWatch(resize_once, &done);
  options o = {.path = play_folder, .frames = 20, .width = 800, .height = 600, .trust = true, .no_watch = true};
  ck_assert_int_eq(app_run(&o), APP_FINE);
  ck_assert(done);
  play_expect("diary", "320 240 32 24\n");
}

/* }== */

/* {== Maps =============================================================== */

static test_group maps = {"maps"};

TEST(maps, every_conversion_has_its_inverse)
{
  static const window dense = {.width = 301, .height = 143, .scale = 2};
  game_view v = {.own_width = 64, .own_height = 48, .camera = {.on = true, .x = -30, .y = 900, .zoom = 3, .angle = 2}};
  for (v.mode = VIEW_NONE; v.mode <= VIEW_STRETCH; v.mode++) {
    view_fit(&v, &dense);
    for (float x = -50; x < 400; x += 37) {
      SDL_FPoint at = view_from_window(&v, x, 100 - x), back = view_to_window(&v, at.x, at.y);
      ck_assert(fabsf(back.x - x) < 1e-3f && fabsf(back.y - (100 - x)) < 1e-3f);
      SDL_FPoint world = view_to_world(&v, at.x, at.y);
      view_map map = view_world_map(&v);
      back = view_apply(&map, world.x, world.y);
      ck_assert(fabsf(back.x - at.x) < 1e-2f && fabsf(back.y - at.y) < 1e-2f);
    }
    float pixels = v.left * v.density;
    ck_assert(pixels == floorf(pixels) && v.top * v.density == floorf(v.top * v.density));
  }
}

/* }== */

SUITE(player_view, &pictures, &events, &windows, &maps)
