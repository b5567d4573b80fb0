/*
** PNGs that are edited while a game is played: real files, saved in all the ways that editors and tools save them, and
** the picture that the player shows then.
*/
#include "demo/app/app.h"
#include "demo/app/interrupt.h"
#include "demo/edit_run.h"
#include "demo/paint.h"
#include "demo/play.h"
#include "support/test.h"

#include <SDL.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define RED 0xffff0000u
#define GREEN 0xff00ff00u
#define BLUE 0xff0000ffu
#define CHECKER 0xff00ffu, 0 /* of two fields */

#define UNSEEN "--headless --realtime --size 64x48 "

#define GAME                                                                                                           \
  "local spawnpool = require 'spawnpool'\n"                                                                            \
  "spawnpool.class('Tri', { sprite = 'tri', radius = 8 })\n"                                                           \
  "return { load = function() spawnpool.pools:alloc('Tri', 0, 20, 20) print 'started' end }\n"

static void paint(const char *name, uint32_t left, uint32_t right) { paint_png(edit_path(name), 16, 16, left, right); }

static void start(const char *before, const char *flags, const char *game)
{
  char all[700];
  snprintf(all, sizeof all, "%s --screenshot %s/shot.png", flags, play_folder);
  edit_write("main.lua", game);
  edit_start(before, all);
  edit_await("started\n");
}

/* Ends the player; the picture of its last frame must be this. */
static void expect_end(uint32_t left, uint32_t right)
{
  char shot[512];
  edit_end(0);
  snprintf(shot, sizeof shot, "%s/shot.png", play_folder);
  ck_assert_uint_eq(paint_pixel(shot, 14, 20), left & 0xffffffu);
  ck_assert_uint_eq(paint_pixel(shot, 26, 20), right & 0xffffffu);
}

static void pause_for(double seconds) { nanosleep(&(struct timespec){.tv_nsec = (long)(seconds * 1e9)}, NULL); }

static void save_in_place(void) { paint("sprites/tri.png", GREEN, BLUE); }

static void save_by_rename(void)
{
  paint("sprites/tri.png.tmp", GREEN, BLUE);
  ck_assert_int_eq(rename(edit_path("sprites/tri.png.tmp"), edit_path("sprites/tri.png")), 0);
}

static void save_by_replacing(void)
{
  unlink(edit_path("sprites/tri.png"));
  paint("sprites/tri.png", GREEN, BLUE);
}

static void restore(void)
{
  struct timespec times[2] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
  paint("copy", GREEN, BLUE);
  ck_assert_int_eq(utimensat(AT_FDCWD, edit_path("copy"), times, 0), 0);
  ck_assert_int_eq(rename(edit_path("copy"), edit_path("sprites/tri.png")), 0);
}

/* With pauses that are shorter than settling: nobody wants the halves. */
static void save_in_pieces(void)
{
  size_t size;
  char *bytes = paint_bytes(16, 16, GREEN, BLUE, &size);
  int fd = open(edit_path("sprites/tri.png"), O_WRONLY | O_TRUNC);
  pause_for(0.05);
  for (size_t at = 0; at < size; at += 30) {
    size_t length = size - at < 30 ? size - at : 30;
    ck_assert_int_eq(write(fd, bytes + at, length), (ssize_t)length);
    pause_for(0.005);
  }
  close(fd);
  free(bytes);
}

static void replace_folder(void)
{
  ck_assert_int_eq(mkdir(edit_path("other"), 0700), 0);
  paint("other/tri.png", GREEN, BLUE);
  ck_assert_int_eq(rename(edit_path("sprites"), edit_path("before")), 0);
  ck_assert_int_eq(rename(edit_path("other"), edit_path("sprites")), 0);
}

static void (*const ways[])(void) = {save_in_place, save_by_rename, save_by_replacing,
                                     restore,       save_in_pieces, replace_folder};

static test_group played = {"played", edit_open, edit_close, 120};

TESTS(played, every_way_to_save_shows_the_picture, (int)(sizeof ways / sizeof *ways))
{
  mkdir(edit_path("sprites"), 0700);
  paint("sprites/tri.png", RED, RED);
  start("", UNSEEN, GAME);
  ways[_i]();
  edit_await("reloaded sprites/tri.png in ");
  edit_await(" ms: 1 object shows it\n");
  expect_end(GREEN, BLUE);
  ck_assert_int_eq(edit_stat("reloads"), 1);
  if (ways[_i] != save_in_pieces) /* on a busy machine a pause may be longer than it takes to settle */
    ck_assert_int_eq(edit_stat("refused_reloads"), 0);
}

TEST(played, a_picture_and_its_folder_may_come_later)
{
  start("", UNSEEN, GAME);
  edit_await("no sprite 'tri'");
  ck_assert_int_eq(mkdir(edit_path("sprites"), 0700), 0);
  paint("sprites/tri.png", GREEN, BLUE);
  edit_await("reloaded sprites/tri.png in ");
  edit_await(" ms: 1 object shows it\n");
  expect_end(GREEN, BLUE);
  ck_assert_ptr_null(strstr(strstr(edit_said(), "no sprite") + 1, "no sprite"));
}

TEST(played, a_game_that_stopped_for_want_of_a_picture_goes_on)
{
  ck_assert_int_eq(mkdir(edit_path("sprites"), 0700), 0);
  start("", UNSEEN, "return { load = function() print 'started' end, draw = function(g) g:sprite('tri', 20, 20) end }");
  edit_await("no sprite 'tri'; the nearest is 'triangle'");
  paint("sprites/tri.png", GREEN, BLUE);
  edit_await("reloaded sprites/tri.png in ");
  pause_for(0.2);
  expect_end(GREEN, BLUE);
}

TEST(played, broken_and_removed_pictures_keep_the_last_good_one)
{
  mkdir(edit_path("sprites"), 0700);
  paint("sprites/tri.png", GREEN, BLUE);
  start("", UNSEEN, GAME);
  edit_write("sprites/tri.png", "half a picture");
  edit_await("game/sprites/tri.png: not a PNG file; its last good picture stays until you save it again\n");
  ck_assert_int_eq(unlink(edit_path("sprites/tri.png")), 0);
  edit_await("warning: sprites/tri.png is gone: its last picture stays\n");
  ck_assert_int_eq(mkfifo(edit_path("sprites/tri.png"), 0600), 0);
  edit_await("game/sprites/tri.png: it is a pipe, not a file; replace or remove it; its last good picture stays");
  unlink(edit_path("sprites/tri.png"));
  edit_await("warning: sprites/tri.png is gone: its last picture stays\n");
  ck_assert_int_eq(symlink("/etc/passwd", edit_path("sprites/tri.png")), 0);
  edit_await("game/sprites/tri.png: it is outside the game's folder; ");
  expect_end(GREEN, BLUE);
  ck_assert_int_eq(edit_stat("reloads"), 0);
  ck_assert_int_eq(edit_stat("refused_reloads"), 3);
}

TESTS(played, a_folder_of_pictures_may_lead_out_only_for_a_trusted_game, 2)
{
  char outside[512];
  snprintf(outside, sizeof outside, "%s/outside", play_folder);
  ck_assert_int_eq(mkdir(outside, 0700), 0);
  snprintf(outside, sizeof outside, "%s/outside/tri.png", play_folder);
  paint_png(outside, 16, 16, GREEN, BLUE);
  ck_assert_int_eq(symlink("../outside", edit_path("sprites")), 0);
  start("", _i ? UNSEEN "--trust" : UNSEEN, GAME);
  if (_i) {
    expect_end(GREEN, BLUE);
  } else {
    edit_await("no sprite 'tri'");
    expect_end(CHECKER);
    ck_assert_ptr_nonnull(
        strstr(edit_said(), "game/sprites: it is a link that leads out of the game's folder, and is not followed\n"));
  }
}

TEST(played, a_touch_shows_nothing_and_a_signal_all)
{
  mkdir(edit_path("sprites"), 0700);
  paint("sprites/tri.png", RED, RED);
  paint("sprites/other.png", RED, RED);
  start("", UNSEEN "--no-watch", GAME);
  paint("sprites/tri.png", GREEN, BLUE);
  ck_assert_int_eq(utimensat(AT_FDCWD, edit_path("sprites/other.png"), NULL, 0), 0);
  pause_for(0.5);
  ck_assert_ptr_null(strstr(edit_said(), "reloaded"));
  edit_signal(SIGUSR1);
  edit_await("reloaded sprites/tri.png in ");
  expect_end(GREEN, BLUE);
  ck_assert_ptr_null(strstr(edit_said(), "other"));
}

TEST(played, a_paused_game_shows_edits_too)
{
  mkdir(edit_path("sprites"), 0700);
  paint("sprites/tri.png", RED, RED);
  start("SDL_VIDEODRIVER=dummy SDL_RENDER_DRIVER=software", "--size 400x300 --pause-on-reload", GAME);
  edit_write("main.lua", GAME " -- again");
  edit_await("reloaded main.lua in ");
  paint("sprites/tri.png", GREEN, BLUE);
  edit_await("reloaded sprites/tri.png in ");
  expect_end(GREEN, BLUE);
}

/* The game edits its picture when it starts, and breaks the file a little later; then the device is lost. */
static Uint32 lose_device(Uint32 interval, void *ud)
{
  SDL_Event event = {.type = SDL_RENDER_DEVICE_RESET};
  (void)interval, (void)ud;
  SDL_PushEvent(&event);
  return 0;
}

TEST(played, a_lost_device_shows_the_last_good_edit)
{
  char main[1500], path[512];
  options o = {
      .path = path, .frames = 60, .width = 64, .height = 48, .headless = true, .realtime = true, .trust = true};
  snprintf(path, sizeof path, "%s", edit_path(""));
  mkdir(edit_path("sprites"), 0700);
  paint("sprites/tri.png", RED, RED);
  paint("edited", GREEN, BLUE);
  snprintf(o.screenshot, sizeof o.screenshot, "%s/shot.png", play_folder);
  snprintf(main, sizeof main,
           "local spawnpool = require 'spawnpool'\n"
           "spawnpool.class('Tri', { sprite = 'tri', radius = 8 })\n"
           "local steps = 0\n"
           "local function save(text) local f = assert(io.open('%s', 'wb')) f:write(text) f:close() end\n"
           "return { load = function() spawnpool.pools:alloc('Tri', 0, 20, 20)\n"
           "  local f = assert(io.open('%s', 'rb')) save(f:read 'a') f:close() end,\n"
           "  update = function() steps = steps + 1 if steps == 25 then save 'broken' end end }\n",
           edit_path("sprites/tri.png"), edit_path("edited"));
  edit_write("main.lua", main);
  interrupt_prepare(); /* the timer has a thread, which must not be woken by signals either */
  ck_assert_int_eq(SDL_Init(SDL_INIT_EVENTS | SDL_INIT_TIMER), 0);
  ck_assert_int_ne(SDL_AddTimer(700, lose_device, NULL), 0);
  ck_assert_int_eq(app_run(&o), APP_FINE);
  ck_assert_uint_eq(paint_pixel(o.screenshot, 14, 20), GREEN & 0xffffffu);
  ck_assert_uint_eq(paint_pixel(o.screenshot, 26, 20), BLUE & 0xffffffu);
}

SUITE(player_sprites, &played)
