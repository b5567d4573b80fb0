/*
** Keys, pause and quitting, by events that wait in the queue when the player starts; and the overlays, drawn on a
** stage.
*/
#include "demo/app/app.h"
#include "demo/capture/screenshot.h"
#include "demo/input/hotkeys.h"
#include "demo/play.h"
#include "demo/stage.h"
#include "demo/ui/error_screen.h"
#include "demo/ui/hud.h"
#include "demo/ui/notice.h"
#include "support/test.h"

#include <SDL.h>
#include <SDL_image.h>
#include <stdio.h>

/* {== Events ============================================================= */

/* The game writes down what it is told, by the libraries that --trust opens. */
static void write_diary(void)
{
  char code[2048];
  snprintf(
      code, sizeof code,
      "local out <const> = assert(io.open('%s/diary', 'w'))\n"
      "local function note(...) out:write(table.concat({...}, ' '), '\\n') out:flush() end\n"
      "return { update = function() note('update') end, draw = function() note('draw') end,\n"
      "key_pressed = function(key) note('pressed', key) end, key_released = function(key) note('released', key) end,\n"
      "mouse_pressed = function(...) note('mouse', ...) end, mouse_released = function(...) note('up', ...) end,\n"
      "quit = function() note('quit') return true end }\n",
      play_folder);
  play_write("main.lua", code);
}

static void expect_diary(const char *expected) { play_expect("diary", expected); }

static void push_key(Uint32 type, SDL_Keycode key)
{
  SDL_Event event = {.key = {.type = type, .keysym = {.sym = key}}};
  ck_assert_int_eq(SDL_PushEvent(&event), 1);
}

static void push_button(Uint32 type, Uint8 button)
{
  SDL_Event event = {.button = {.type = type, .button = button, .x = 3, .y = 4}};
  ck_assert_int_eq(SDL_PushEvent(&event), 1);
}

static void open_events(void)
{
  play_open();
  write_diary();
  ck_assert_int_eq(SDL_Init(SDL_INIT_EVENTS), 0);
}

static int play_frames(uint64_t frames)
{
  options o = {.path = play_folder, .frames = frames, .width = 64, .height = 48, .headless = true, .trust = true};
  return app_run(&o);
}

static test_group events = {"events", open_events, play_close, 30};

TEST(events, events_come_before_the_frame)
{
  push_key(SDL_KEYDOWN, SDLK_LEFT);
  push_key(SDL_KEYDOWN, SDLK_LEFT); /* a repeat */
  push_key(SDL_KEYUP, SDLK_LEFT);
  push_button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_RIGHT);
  push_button(SDL_MOUSEBUTTONUP, SDL_BUTTON_RIGHT);
  ck_assert_int_eq(play_frames(1), APP_FINE);
  expect_diary("pressed left\nreleased left\nmouse 3 4 2\nup 3 4 2\nupdate\ndraw\n");
}

TEST(events, a_paused_game_steps_one_frame_at_a_time)
{
  push_key(SDL_KEYDOWN, SDLK_F6);
  push_key(SDL_KEYDOWN, SDLK_a); /* not the game's while it rests */
  push_key(SDL_KEYDOWN, SDLK_F7);
  ck_assert_int_eq(play_frames(1), APP_FINE);
  expect_diary("update\ndraw\n");
}

TEST(events, the_step_key_pauses_first)
{
  push_key(SDL_KEYDOWN, SDLK_F7);
  push_key(SDL_KEYUP, SDLK_F7);
  push_key(SDL_KEYDOWN, SDLK_F7);
  ck_assert_int_eq(play_frames(1), APP_FINE);
  expect_diary("update\ndraw\n");
}

TEST(events, escape_asks_the_game_to_quit)
{
  push_key(SDL_KEYDOWN, SDLK_ESCAPE);
  ck_assert_int_eq(play_frames(1000), APP_FINE);
  expect_diary("quit\n");
}

TEST(events, escape_closes_the_help_first)
{
  push_key(SDL_KEYDOWN, SDLK_F1);
  push_key(SDL_KEYDOWN, SDLK_ESCAPE);
  push_key(SDL_KEYDOWN, SDLK_F2);
  ck_assert_int_eq(play_frames(1), APP_FINE);
  expect_diary("update\ndraw\n");
}

/* The inspector takes left clicks and the keys that move in it; what else there is goes to the game. */
TEST(events, an_open_inspector_takes_only_what_is_its_own)
{
  push_key(SDL_KEYDOWN, SDLK_F3);
  push_button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT);
  push_button(SDL_MOUSEBUTTONUP, SDL_BUTTON_LEFT);
  push_button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_RIGHT);
  push_key(SDL_KEYDOWN, SDLK_PAGEDOWN);
  push_key(SDL_KEYUP, SDLK_PAGEDOWN);
  push_key(SDL_KEYDOWN, SDLK_a);
  ck_assert_int_eq(play_frames(1), APP_FINE);
  expect_diary("mouse 3 4 2\npressed a\nupdate\ndraw\n");
}

TEST(events, a_closed_inspector_takes_nothing)
{
  push_key(SDL_KEYDOWN, SDLK_F3);
  push_key(SDL_KEYUP, SDLK_F3);
  push_key(SDL_KEYDOWN, SDLK_F3);
  push_button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT);
  push_key(SDL_KEYDOWN, SDLK_PAGEDOWN);
  ck_assert_int_eq(play_frames(1), APP_FINE);
  expect_diary("mouse 3 4 1\npressed pagedown\nupdate\ndraw\n");
}

TEST(events, escape_closes_the_inspector_before_it_quits)
{
  push_key(SDL_KEYDOWN, SDLK_F3);
  push_key(SDL_KEYDOWN, SDLK_ESCAPE);
  push_key(SDL_KEYUP, SDLK_ESCAPE);
  push_button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT);
  ck_assert_int_eq(play_frames(1), APP_FINE);
  expect_diary("mouse 3 4 1\nupdate\ndraw\n");
}

/* Pixels of a picture of one frame, with what these keys open, that are not as in the picture before. */
static int changed_by(const SDL_Keycode *keys, int count)
{
  options o = {.path = play_folder, .frames = 1, .width = 800, .height = 600, .headless = true, .screenshot_frame = 1};
  static Uint32 before[800 * 600];
  SDL_Surface *loaded, *picture;
  int changed = 0;
  for (int i = 0; i < count; i++) {
    push_key(SDL_KEYDOWN, keys[i]);
    push_key(SDL_KEYUP, keys[i]);
  }
  snprintf(o.screenshot, sizeof o.screenshot, "%s/picture.png", play_folder);
  ck_assert_int_eq(app_run(&o), APP_FINE);
  ck_assert_int_eq(SDL_Init(SDL_INIT_EVENTS), 0); /* the app has ended it */
  loaded = IMG_Load(o.screenshot);
  ck_assert_ptr_nonnull(loaded);
  picture = SDL_ConvertSurfaceFormat(loaded, SDL_PIXELFORMAT_ARGB8888, 0);
  for (int i = 0; i < 800 * 600; i++) {
    Uint32 pixel = ((const Uint32 *)picture->pixels)[i / 800 * (picture->pitch / 4) + i % 800];
    changed += pixel != before[i];
    before[i] = pixel;
  }
  SDL_FreeSurface(picture);
  SDL_FreeSurface(loaded);
  return changed;
}

TEST(events, the_keys_show_the_overlays_and_take_them_away)
{
  static const SDL_Keycode keys[] = {SDLK_F2, SDLK_F2, SDLK_F2, SDLK_F3, SDLK_F3};
  play_write("main.lua", "local spawnpool = require 'spawnpool' spawnpool.class('Cube', {})\n"
                         "return { load = function() spawnpool.pools:alloc('Cube', 0, 200, 500) end }");
  changed_by(NULL, 0);
  ck_assert_int_eq(changed_by(NULL, 0), 0);
  ck_assert_int_gt(changed_by(keys, 1), 5000);
  ck_assert_int_gt(changed_by(keys, 2), 5000);
  ck_assert_int_gt(changed_by(keys, 4), 50000);
  ck_assert_int_gt(changed_by(keys, 5), 50000);
  ck_assert_int_eq(changed_by(NULL, 0), 0); /* F2 thrice and F3 twice: as if nothing had been */
}

TEST(events, closing_the_window_asks_too)
{
  SDL_Event quit = {.type = SDL_QUIT};
  ck_assert_int_eq(SDL_PushEvent(&quit), 1);
  ck_assert_int_eq(play_frames(1000), APP_FINE);
  expect_diary("quit\n");
}

TEST(events, an_error_in_a_key_stops_the_game)
{
  play_write("main.lua", "return { key_pressed = function(key) error('at ' .. key) end }");
  push_key(SDL_KEYDOWN, SDLK_SPACE);
  ck_assert_int_eq(play_frames(1000), APP_SCRIPT_ERROR);
}

/* }== */

/* {== Overlays =========================================================== */

static stage scene;

static void open_stage(void) { stage_open(&scene, 640, 480, NULL); }
static void close_stage(void) { stage_close(&scene); }

/* Whether anything is lit in a row of the last picture that is no plate: letters are bright. */
static int bright_in(int x, int y, int w, int h)
{
  int bright = 0;
  for (int i = 0; i < w * h; i++)
    bright += (stage_pixel(&scene, x + i % w, y + i / w) & 0xff00u) > 0x7000u;
  return bright;
}

static test_group overlays = {"overlays", open_stage, close_stage, 30};

TEST(overlays, the_counts_have_a_line_per_pool)
{
  hud h = {.level = HUD_COMPACT};
  stats s = {.count = 0};
  int row = (int)panel_row(&scene.graphics), top = 2 * (int)PANEL_MARGIN;
  sp_pool_alloc(stage_pool(&scene, "Bullet"), 0, NULL);
  stage_pool(&scene, "Enemy");
  hud_draw(&h, &scene.graphics, scene.pools, &s, 1);
  stage_show(&scene);
  for (int line = 0; line < 4; line++)
    ck_assert_int_gt(bright_in(20, top + line * row, 100, row - 2), 10);
  ck_assert_int_eq(bright_in(20, top + 4 * row + 12, 100, row), 0);
}

TEST(overlays, more_pools_than_rows_are_counted)
{
  hud h = {.level = HUD_COMPACT};
  stats s = {.count = 0};
  char type[64];
  for (int i = 0; i < 100; i++) {
    snprintf(type, sizeof type, "A type with a long name %d", i);
    stage_pool(&scene, type);
  }
  hud_draw(&h, &scene.graphics, scene.pools, &s, 1);
  stage_show(&scene);
  ck_assert_int_eq(bright_in(0, 480 - 9, 640, 9), 0); /* it ends above the edge */
}

TEST(overlays, the_help_has_a_line_per_key)
{
  size_t count, more;
  size_t letters = 0;
  const key_row *rows = hotkeys_all(&count);
  hud_help(&scene.graphics);
  more = scene.batch.quads;
  for (size_t i = 0; i < count; i++)
    for (const char *c = rows[i].help; *c; c++)
      letters += *c != ' ';
  ck_assert_uint_gt(more, letters);
  stage_show(&scene);
  ck_assert_int_gt(stage_lit(&scene), 1000);
}

TEST(overlays, an_error_is_wrapped_and_stays_in_the_window)
{
  char message[4096];
  size_t used = 0;
  for (int i = 0; i < 60; i++)
    used += (size_t)snprintf(message + used, sizeof message - used,
                             "line %d of a message that is rather long, and then some %s", i, i % 3 ? "" : "\n");
  error_screen_draw(&scene.graphics, message, "it waits", "Esc quits");
  stage_show(&scene);
  ck_assert_int_gt(stage_lit(&scene), 5000);
  ck_assert_int_eq(bright_in(0, 480 - 18, 640, 18), 0);
  ck_assert_int_eq(bright_in(640 - 18, 0, 18, 480), 0);
}

TEST(overlays, a_notice_goes_by_itself)
{
  notice n = {.until = 0};
  notice_draw(&n, &scene.graphics, 5);
  ck_assert_uint_eq(scene.batch.quads, 0);
  notice_set(&n, NOTICE_INFO, "saved a.png\nand a second line that does not show", 10);
  ck_assert_str_eq(n.text, "saved a.png");
  notice_draw(&n, &scene.graphics, 10.1);
  ck_assert_uint_gt(scene.batch.quads, 10);
  batch_clear(&scene.batch);
  notice_draw(&n, &scene.graphics, 60);
  ck_assert_uint_eq(scene.batch.quads, 0);
}

static size_t quads_at(notice *n, double now)
{
  batch_clear(&scene.batch);
  notice_draw(n, &scene.graphics, now);
  return scene.batch.quads;
}

TEST(overlays, trouble_stands_until_it_is_mended)
{
  notice n = {.until = 0};
  size_t standing;
  notice_set(&n, NOTICE_ERROR, "said a moment ago", 10);
  notice_set_error(&n, NOTICE_ERROR, "main.lua:3: broken\n  at main.lua:3", "the old code goes on\nfor now");
  ck_assert_str_eq(n.error, "main.lua:3: broken");
  ck_assert_str_eq(n.consequence, "the old code goes on");
  standing = quads_at(&n, 10.1);
  ck_assert_uint_gt(standing, 30); /* more letters than the line had that was there before */
  ck_assert_uint_eq(quads_at(&n, 1e6), standing);
  notice_set(&n, NOTICE_SUCCESS, "ok", 20);
  ck_assert_uint_lt(quads_at(&n, 20.1), standing);
  ck_assert_uint_eq(quads_at(&n, 60), standing);
  notice_clear_error(&n);
  ck_assert_uint_eq(quads_at(&n, 60), 0);
}

/* More than there is room for. */
TEST(overlays, long_trouble_stays_in_the_window)
{
  notice n = {.until = 0};
  char message[NOTICE_MOST];
  int row = (int)panel_row(&scene.graphics), rows = (int)((480 - 2 * PANEL_MARGIN) / panel_row(&scene.graphics));
  memset(message, 'W', sizeof message - 1);
  message[sizeof message - 1] = '\0';
  notice_set_error(&n, NOTICE_WARNING, message, message);
  notice_draw(&n, &scene.graphics, 0);
  stage_show(&scene);
  for (int i = 1; i <= rows; i++)
    ck_assert_int_gt(bright_in(0, 480 - (int)PANEL_MARGIN - 5 - i * row, 640, row), 100);
  ck_assert_int_eq(bright_in(0, 0, 640, 4), 0);
  ck_assert_int_eq(bright_in(640 - 18, 0, 18, 480), 0);
  ck_assert_int_eq(bright_in(0, 480 - 9, 640, 9), 0);
}

TEST(overlays, a_line_that_is_too_long_is_wrapped)
{
  notice n = {.until = 0};
  char message[200];
  float row = panel_row(&scene.graphics);
  int letters = (int)((640 - 4 * PANEL_MARGIN) / panel_letter(&scene.graphics));
  int above = (int)(480 - 1.5f * PANEL_MARGIN - 2 * row);
  memset(message, 'W', sizeof message);
  message[letters] = '\0';
  for (int more = 0; more < 2; more++) {
    notice_set(&n, NOTICE_SUCCESS, message, 10);
    ck_assert_uint_eq(quads_at(&n, 10.1), (size_t)(letters + more) + 5); /* with the plate and its frame */
    stage_show(&scene);
    ck_assert_int_eq(bright_in(20, above + 3, 600, (int)row - 8) > 0, more);
    message[letters] = 'W';
    message[letters + 1] = '\0';
  }
}

TEST(overlays, the_counts_tell_of_the_last_reload)
{
  hud h = {.level = HUD_COMPACT, .reloads = {3, SP_POLL_REFUSED, "refused"}};
  stats s = {.count = 0};
  size_t with, without;
  hud_draw(&h, &scene.graphics, scene.pools, &s, 1);
  with = scene.batch.quads;
  batch_clear(&scene.batch);
  h.reloads.last = SP_POLL_NOTHING;
  hud_draw(&h, &scene.graphics, scene.pools, &s, 1);
  without = scene.batch.quads;
  ck_assert_uint_eq(with - without, strlen("3reloads,lastrefused"));
}

TEST(overlays, screenshots_get_names_that_are_free)
{
  char first[64], second[64];
  FILE *file;
  screenshot_name(first, sizeof first, "");
  file = fopen(first, "wx");
  ck_assert_ptr_nonnull(file);
  fclose(file);
  screenshot_name(second, sizeof second, "");
  remove(first);
  ck_assert_str_ne(first, second);
  ck_assert_int_eq(strncmp(first, "spawnpool-", 10), 0);
  ck_assert_ptr_nonnull(strstr(second, ".png"));
}

TEST(overlays, overlays_stand_any_window)
{
  static const float sizes[][2] = {{1, 1}, {20, 600}, {600, 20}, {5000, 5000}};
  hud h = {.level = HUD_COMPACT};
  stats s = {.count = 0};
  notice n = {.until = 0};
  stage_pool(&scene, "A");
  notice_set(&n, NOTICE_ERROR, "a notice", 0);
  notice_set_error(&n, NOTICE_ERROR, "some trouble that is rather long", "what that means");
  n.until = 50;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    scene.graphics.view.width = sizes[i][0];
    scene.graphics.view.height = sizes[i][1];
    hud_draw(&h, &scene.graphics, scene.pools, &s, 1);
    hud_help(&scene.graphics);
    error_screen_draw(&scene.graphics, "", "", "");
    error_screen_draw(&scene.graphics, "main.lua:1: message\n  with more\n\n  lines\n    source\n  hint: what to do",
                      "it waits", "Esc quits");
    notice_draw(&n, &scene.graphics, 1);
    notice_draw(&n, &scene.graphics, 100);
    stage_show(&scene);
  }
}

/* }== */

SUITE(player_app, &events, &overlays)
