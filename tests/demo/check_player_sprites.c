/*
** PNGs that are edited while the game runs: real files, saved in all the ways that editors and tools save them, and
** what the screen shows then.
*/
#include "demo/app.h"
#include "demo/edit_run.h"
#include "demo/game_run.h"
#include "demo/interrupt.h"
#include "demo/paint.h"
#include "demo/play.h"
#include "demo/stage.h"
#include "support/refuse.h"

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

/* {== On a stage ========================================================= */

static stage s;
static char folder[256];
static char told[4096];

static void on_news(void *ud, sp_report kind, const char *line)
{
  static const char *const kinds[] = {"print", "warning", "error", "reload"};
  (void)ud;
  snprintf(told + strlen(told), sizeof told - strlen(told), "%s: %s\n", kinds[kind], line);
}

static report reporter = {.on_news = on_news};

static const char *path_of(const char *name)
{
  static char paths[4][400];
  static unsigned turn;
  char *path = paths[turn++ % 4];
  snprintf(path, sizeof paths[0], "%s/sprites/%s", folder, name);
  return path;
}

static void make_folder(void)
{
  ck_assert(test_folder_make(folder, sizeof folder));
  ck_assert_int_eq(mkdir(path_of(""), 0700), 0);
  told[0] = '\0';
  reporter.print = fopen("/dev/null", "w");
}

static void remove_folder(void)
{
  stage_close(&s);
  fclose(reporter.print);
  test_folder_remove(folder);
}

static void open_stage(void) { stage_open(&s, 64, 48, folder); }

static assets_result hurry(void) { return assets_poll(s.files, 1, true, &reporter); }

/* An object of radius 8, a picture of 16 pixels, shows the sprite called `name`. */
static sp_look *show(const char *name)
{
  sp_pool *pool = sp_pool_find(s.pools, "A");
  s.extra = name;
  sp_look *look = stage_object(pool ? pool : stage_pool(&s, "A"), 20, 20);
  look->sprite = STAGE_EXTRA;
  look->radius = 8;
  return look;
}

static void expect_shown(uint32_t left, uint32_t right)
{
  stage_draw(&s);
  stage_show(&s);
  ck_assert_uint_eq(stage_pixel(&s, 14, 20), left & 0xffffffu);
  ck_assert_uint_eq(stage_pixel(&s, 26, 20), right & 0xffffffu);
}

START_TEST(an_edited_picture_is_shown_at_any_size)
{
  static const int sizes[] = {16, 17, 300, 8, 1, 64};
  paint_png(path_of("tri.png"), 16, 16, RED, RED);
  open_stage();
  show("tri");
  expect_shown(RED, RED);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    uint32_t left = 0xff000000u | (uint32_t)rand() % 0x1000000u;
    paint_png(path_of("tri.png"), sizes[i], sizes[i], sizes[i] > 1 ? left : BLUE, BLUE);
    ck_assert_int_eq(hurry(), ASSETS_LOADED);
    expect_shown(sizes[i] > 1 ? left : BLUE, BLUE);
  }
  paint_png(path_of("tri.png"), 16, 8, RED, GREEN); /* and of another shape */
  ck_assert_int_eq(hurry(), ASSETS_LOADED);
  expect_shown(RED, GREEN);
  ck_assert_int_eq(stage_lit(&s), 16 * 8);
}
END_TEST

START_TEST(a_new_picture_heals_a_name_that_was_unknown)
{
  open_stage();
  show("tri");
  expect_shown(CHECKER);
  ck_assert_str_eq(s.warnings, "no sprite 'tri'; the nearest is 'triangle'; a checker is drawn instead\n");
  paint_png(path_of("tri.png"), 16, 16, RED, BLUE);
  ck_assert_int_eq(hurry(), ASSETS_LOADED);
  expect_shown(RED, BLUE);
  ck_assert_ptr_nonnull(strstr(told, "reload: reloaded sprites/tri.png in "));
  ck_assert_ptr_nonnull(strstr(told, " ms: 1 object shows it\n"));
  ck_assert_int_eq(play_lines(s.warnings), 1);
}
END_TEST

START_TEST(a_new_picture_goes_before_a_shape)
{
  open_stage();
  show("square");
  expect_shown(0xffffffffu, 0xffffffffu);
  paint_png(path_of("square.png"), 16, 16, RED, BLUE);
  ck_assert_int_eq(hurry(), ASSETS_LOADED);
  expect_shown(RED, BLUE);
}
END_TEST

START_TEST(a_picture_may_begin_and_end_to_glow)
{
  paint_png(path_of("tri.png"), 16, 16, 0xff400000u, 0xff400000u);
  open_stage();
  show("tri");
  show("tri");
  expect_shown(0x400000u, 0x400000u);
  unlink(path_of("tri.png"));
  paint_png(path_of("tri.glow.png"), 16, 16, 0xff400000u, 0xff400000u);
  ck_assert_int_eq(hurry(), ASSETS_LOADED);
  expect_shown(0x800000u, 0x800000u);
  paint_png(path_of("tri.png"), 16, 16, 0xff400000u, 0xff400000u);
  ck_assert_int_eq(hurry(), ASSETS_LOADED);
  expect_shown(0x400000u, 0x400000u);
}
END_TEST

START_TEST(a_removed_picture_stays_and_comes_back)
{
  paint_png(path_of("tri.png"), 16, 16, RED, BLUE);
  open_stage();
  show("tri");
  unlink(path_of("tri.png"));
  hurry();
  expect_shown(RED, BLUE);
  ck_assert_str_eq(told, "warning: sprites/tri.png is gone: its last picture stays\n");
  paint_png(path_of("tri.png"), 16, 16, GREEN, GREEN);
  ck_assert_int_eq(hurry(), ASSETS_LOADED);
  expect_shown(GREEN, GREEN);
}
END_TEST

/* The file, cut off at each byte, with one bit turned over, or something else altogether. */
START_TEST(a_broken_picture_changes_nothing_and_says_so)
{
  size_t size;
  char *bytes = paint_bytes(16, 16, GREEN, GREEN, &size), expected[600];
  const char *consequence;
  paint_png(path_of("tri.png"), 16, 16, RED, BLUE);
  open_stage();
  show("tri");
  expect_shown(RED, BLUE);
  for (size_t i = 0; i < 2 * size - 4; i++) {
    size_t at = i < size ? i : i - size, length = i < size ? i : size;
    bytes[at] ^= i < size ? 0 : 4;
    gamerun_write(path_of("tri.png"), bytes, length);
    bytes[at] ^= i < size ? 0 : 4;
    told[0] = '\0';
    ck_assert_int_eq(hurry(), ASSETS_REFUSED);
    ck_assert_int_eq(play_lines(told), 1);
    ck_assert_msg(strstr(told, "; its last good picture stays until you save it again\n") != NULL, "%s", told);
    snprintf(expected, sizeof expected, "warning: %s: ", path_of("tri.png"));
    ck_assert_msg(strncmp(told, expected, strlen(expected)) == 0, "%s", told);
    ck_assert_msg(strncmp(assets_problem(s.files, &consequence), "sprites/tri.png: ", 17) == 0, "%s", told);
  }
  expect_shown(RED, BLUE);
  ck_assert_int_eq(hurry(), ASSETS_REFUSED); /* asked for again, it is said again */
  gamerun_write(path_of("tri.png"), bytes, size);
  ck_assert_int_eq(hurry(), ASSETS_LOADED);
  ck_assert_ptr_null(assets_problem(s.files, &consequence));
  expect_shown(GREEN, GREEN);
  ck_assert_int_eq(hurry(), ASSETS_UNCHANGED);
  free(bytes);
}
END_TEST

START_TEST(a_picture_that_was_broken_at_the_start_is_shown_when_it_is_good)
{
  gamerun_write(path_of("tri.png"), "no picture", 10);
  open_stage();
  show("tri");
  expect_shown(CHECKER);
  ck_assert_ptr_nonnull(strstr(s.warnings, "/tri.png: not a PNG file; a checker is drawn instead\n"));
  gamerun_write(path_of("tri.png"), "nor this", 8);
  ck_assert_int_eq(hurry(), ASSETS_REFUSED);
  ck_assert_msg(strstr(told, "not a PNG file; a checker is drawn until you save it again\n") != NULL, "%s", told);
  paint_png(path_of("tri.png"), 16, 16, RED, BLUE);
  ck_assert_int_eq(hurry(), ASSETS_LOADED);
  expect_shown(RED, BLUE);
}
END_TEST

/* As after a loss of the device: also what the disk does not have any more. */
START_TEST(the_last_good_pictures_outlive_the_textures)
{
  paint_png(path_of("tri.png"), 16, 16, GREEN, GREEN);
  paint_png(path_of("gone.png"), 16, 16, GREEN, GREEN);
  open_stage();
  paint_png(path_of("tri.png"), 20, 20, RED, BLUE);
  ck_assert_int_eq(hurry(), ASSETS_LOADED);
  gamerun_write(path_of("tri.png"), "broken", 6);
  unlink(path_of("gone.png"));
  ck_assert_int_eq(hurry(), ASSETS_REFUSED);
  for (int i = 0; i < 2; i++) {
    stage_dress(&s);
    ck_assert_int_eq(sprites_textures(s.sprites), 1); /* all on one again */
    show("tri");
    expect_shown(RED, BLUE);
    s.extra = "gone";
    stage_dress(&s);
    expect_shown(GREEN, GREEN);
    s.extra = "tri";
  }
  ck_assert_str_eq(s.warnings, "");
}
END_TEST

/* Sizes and kinds of all sorts; what the screen shows is right each time, and the number of textures has an end. */
START_TEST(ten_thousand_edits_take_a_bounded_number_of_textures)
{
  enum { PICTURES = 5, SIDE_MOST = 90 };
  char name[32];
  unsigned random = 1;
  int half_way = 0;
  open_stage();
  sp_look *look = show("p0");
  for (int i = 0; i < 10000; i++) {
    size_t size;
    random = random * 1103515245u + 12345u;
    int picture = (int)(random >> 16) % PICTURES, w = 2 + (int)(random >> 8) % SIDE_MOST,
        h = w / 2 + 1 + (int)(random >> 4) % w;
    snprintf(name, sizeof name, random & 64 ? "p%d.png" : "p%d.glow.png", picture);
    uint32_t color = 0xff000000u | random;
    void *bytes = paint_bytes(w, h, color, color, &size);
    ck_assert_msg(sprites_load(s.sprites, name, bytes, size), "%s", SDL_GetError());
    free(bytes);
    if (picture == 0 && i % 7 == 0) {
      look->radius = 8;
      expect_shown(color, color);
    }
    if (i == 5000)
      half_way = sprites_textures(s.sprites);
  }
  ck_assert_int_le(sprites_textures(s.sprites), 1 + PICTURES * 7);
  ck_assert_int_eq(sprites_textures(s.sprites), half_way);
}
END_TEST

/* Either the new picture is shown, or the old one is and a line says why. */
static void edit_with_refusal(size_t fail_at, bool *refused)
{
  make_folder();
  paint_png(path_of("tri.png"), 16, 16, RED, RED);
  open_stage();
  show("tri");
  expect_shown(RED, RED);
  paint_png(path_of("tri.png"), 40, 40, GREEN, GREEN);
  paint_png(path_of("new.png"), 8, 8, GREEN, GREEN);
  refuse_begin(fail_at, false);
  assets_result result = hurry();
  *refused = refuse_end().count > 0;
  stage_draw(&s);
  stage_show(&s);
  uint32_t shown = stage_pixel(&s, 14, 20);
  bool said = strstr(told, "memory; ") != NULL;
  ck_assert_msg(*refused || result == ASSETS_LOADED, "%s", told);
  ck_assert_msg(shown == 0x00ff00u || said || shown == 0xff0000u, "call %zu: %06x %s", fail_at, shown, told);
  refuse_begin(0, false);
  for (int i = 0; i < 2; i++) /* what was not even read is, and what was refused comes with the next save */
    hurry();
  paint_png(path_of("tri.png"), 41, 41, BLUE, BLUE);
  paint_png(path_of("new.png"), 9, 9, BLUE, BLUE);
  ck_assert_int_eq(hurry(), ASSETS_LOADED);
  refuse_end();
  expect_shown(BLUE, BLUE);
  remove_folder();
}

START_TEST(an_edit_without_memory_changes_nothing)
{
  bool refused = true;
  size_t fail_at = 0;
  while (refuse_can() && refused)
    edit_with_refusal(++fail_at, &refused);
  ck_assert_msg(fail_at > 12 || !refuse_can(), "%zu", fail_at);
}
END_TEST

/* A scene may be shown again long after it was drawn: nothing it refers to may be gone. */
START_TEST(a_scene_from_before_an_edit_may_still_be_played)
{
  paint_png(path_of("tri.png"), 16, 16, RED, RED);
  open_stage();
  show("tri");
  for (int side = 16; side < 1024; side *= 2) {
    batch before = {.vertices = NULL};
    ck_assert(draw_pools(s.draw, s.pools, s.sprites, &s.view, &before));
    paint_png(path_of("tri.png"), side, side, GREEN, GREEN);
    ck_assert_int_eq(hurry(), ASSETS_LOADED);
    ck_assert_msg(batch_play(&before, s.window.renderer), "%s", SDL_GetError());
    batch_free(&before);
  }
}
END_TEST

START_TEST(a_blind_window_reloads_as_well)
{
  window blind = {.width = 64, .height = 48, .scale = 1};
  size_t size;
  open_stage();
  sprites *unseen = sprites_open(&blind, &(sprites_options){.files = NULL});
  void *bytes = paint_bytes(16, 8, RED, RED, &size);
  ck_assert(sprites_load(unseen, "tri.png", bytes, size));
  ck_assert_int_eq(sprites_find(unseen, "tri")->level_count, 3);
  ck_assert_int_eq(sprites_textures(unseen), 0);
  ck_assert(!sprites_load(unseen, "tri.png", bytes, size - 1));
  ck_assert(!sprites_load(unseen, ".glow.png", bytes, 0));
  free(bytes);
  sprites_close(unseen);
}
END_TEST

/* Frames of 1/60 s under a clock of the test. Woken, an edit is seen in the first, and shown in the first after 40 ms.
   */
START_TEST(an_edit_is_shown_within_a_frame_of_settling)
{
  double now = 10;
  int frames = 0;
  paint_png(path_of("tri.png"), 16, 16, RED, RED);
  open_stage();
  for (int i = 0; i < 300; i++, now += 1.0 / 60)
    ck_assert_int_eq(assets_poll(s.files, now, false, &reporter), ASSETS_UNCHANGED);
  paint_png(path_of("tri.png"), 16, 16, GREEN, GREEN);
  assets_wake(s.files, path_of(""));
  for (; assets_poll(s.files, now, false, &reporter) == ASSETS_UNCHANGED && frames < 100; now += 1.0 / 60)
    frames++;
  ck_assert_int_le(frames, 3);
}
END_TEST

/* What takes long is spread over frames, and is one line all the same. */
START_TEST(many_pictures_are_loaded_over_several_frames_and_told_once)
{
  enum { COUNT = 60 };
  char name[32];
  double now = 10;
  int lines = 0, polls = 0;
  open_stage();
  for (int i = 0; i < COUNT; i++) {
    snprintf(name, sizeof name, "p%02d.png", i);
    paint_png(path_of(name), 400, 400, RED, BLUE);
  }
  for (; !told[0] && polls < 600; polls++, now += 1.0 / 60)
    assets_poll(s.files, now, false, &reporter);
  lines = play_lines(told);
  ck_assert_int_eq(lines, 1);
  ck_assert_msg(strstr(told,
                       "reload: reloaded sprites/p00.png, sprites/p01.png, sprites/p02.png, sprites/p03.png and 56 "
                       "more in ") != NULL,
                "%s", told);
  ck_assert_ptr_nonnull(strstr(told, " ms: 0 objects show them\n"));
}
END_TEST

/* }== */

/* {== In the player ====================================================== */

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

START_TEST(every_way_to_save_shows_the_picture)
{
  mkdir(edit_path("sprites"), 0700);
  paint("sprites/tri.png", RED, RED);
  start("", UNSEEN, GAME);
  ways[_i]();
  edit_await("reloaded sprites/tri.png in ");
  edit_await(" ms: 1 object shows it\n");
  expect_end(GREEN, BLUE);
  ck_assert_int_eq(edit_stat("reloads"), 1);
  ck_assert_int_eq(edit_stat("refused_reloads"), 0);
}
END_TEST

START_TEST(a_picture_and_its_folder_may_come_later)
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
END_TEST

START_TEST(a_game_that_stopped_for_want_of_a_picture_goes_on)
{
  ck_assert_int_eq(mkdir(edit_path("sprites"), 0700), 0);
  start("", UNSEEN, "return { load = function() print 'started' end, draw = function(g) g:sprite('tri', 20, 20) end }");
  edit_await("no sprite 'tri'; the nearest is 'triangle'");
  paint("sprites/tri.png", GREEN, BLUE);
  edit_await("reloaded sprites/tri.png in ");
  pause_for(0.2);
  expect_end(GREEN, BLUE);
}
END_TEST

START_TEST(broken_and_removed_pictures_keep_the_last_good_one)
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
END_TEST

START_TEST(a_folder_of_pictures_may_lead_out_only_for_a_trusted_game)
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
END_TEST

START_TEST(a_touch_shows_nothing_and_a_signal_all)
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
END_TEST

START_TEST(a_paused_game_shows_edits_too)
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
END_TEST

/* The game edits its picture when it starts, and breaks the file a little later; then the device is lost. */
static Uint32 lose_device(Uint32 interval, void *ud)
{
  SDL_Event event = {.type = SDL_RENDER_DEVICE_RESET};
  (void)interval, (void)ud;
  SDL_PushEvent(&event);
  return 0;
}

START_TEST(a_lost_device_shows_the_last_good_edit)
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
END_TEST

/* }== */

static TCase *add_case(Suite *suite, const char *name, void (*setup)(void), void (*teardown)(void))
{
  TCase *cases = tcase_create(name);
  tcase_set_timeout(cases, 120);
  tcase_add_checked_fixture(cases, setup, teardown);
  suite_add_tcase(suite, cases);
  return cases;
}

Suite *sp_suite_player_sprites(void)
{
  Suite *suite = suite_create("player_sprites");
  TCase *staged = add_case(suite, "staged", make_folder, remove_folder);
  TCase *played = add_case(suite, "played", edit_open, edit_close);
  tcase_add_test(staged, an_edited_picture_is_shown_at_any_size);
  tcase_add_test(staged, a_new_picture_heals_a_name_that_was_unknown);
  tcase_add_test(staged, a_new_picture_goes_before_a_shape);
  tcase_add_test(staged, a_picture_may_begin_and_end_to_glow);
  tcase_add_test(staged, a_removed_picture_stays_and_comes_back);
  tcase_add_test(staged, a_broken_picture_changes_nothing_and_says_so);
  tcase_add_test(staged, a_picture_that_was_broken_at_the_start_is_shown_when_it_is_good);
  tcase_add_test(staged, the_last_good_pictures_outlive_the_textures);
  tcase_add_test(staged, ten_thousand_edits_take_a_bounded_number_of_textures);
  tcase_add_test(add_case(suite, "refused", NULL, NULL), an_edit_without_memory_changes_nothing);
  tcase_add_test(staged, a_scene_from_before_an_edit_may_still_be_played);
  tcase_add_test(staged, a_blind_window_reloads_as_well);
  tcase_add_test(staged, an_edit_is_shown_within_a_frame_of_settling);
  tcase_add_test(staged, many_pictures_are_loaded_over_several_frames_and_told_once);
  tcase_add_loop_test(played, every_way_to_save_shows_the_picture, 0, (int)(sizeof ways / sizeof *ways));
  tcase_add_test(played, a_picture_and_its_folder_may_come_later);
  tcase_add_test(played, a_game_that_stopped_for_want_of_a_picture_goes_on);
  tcase_add_test(played, broken_and_removed_pictures_keep_the_last_good_one);
  tcase_add_loop_test(played, a_folder_of_pictures_may_lead_out_only_for_a_trusted_game, 0, 2);
  tcase_add_test(played, a_touch_shows_nothing_and_a_signal_all);
  tcase_add_test(played, a_paused_game_shows_edits_too);
  tcase_add_test(played, a_lost_device_shows_the_last_good_edit);
  return suite;
}
