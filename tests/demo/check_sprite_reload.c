/*
** PNGs that are loaded again: memory, textures, and how soon. The files are real, the clock is not. What is seen and
** told then is in tests/demo/player/assets.lua.
*/
#include "demo/paint.h"
#include "demo/stage.h"
#include "support/process.h"
#include "support/refuse.h"
#include "support/test.h"

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define RED 0xffff0000u
#define GREEN 0xff00ff00u
#define BLUE 0xff0000ffu

static stage s;
static char folder[256];
static char told[4096];

static void on_report(void *ud, sp_report kind, const char *line)
{
  static const char *const kinds[] = {"print", "warning", "error", "reload"};
  (void)ud;
  snprintf(told + strlen(told), sizeof told - strlen(told), "%s: %s\n", kinds[kind], line);
}

static report reporter = {.on_report = on_report};

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
  sp_pool *pool = sp_find_pool(s.pools, "A");
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

static test_group staged = {"staged", make_folder, remove_folder, 120};

/* Sizes and kinds of all sorts; what the screen shows is right each time, and the number of textures has an end. */
TEST(staged, ten_thousand_edits_take_a_bounded_number_of_textures)
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
  size_t size;
  void *bytes = paint_bytes(16, 8, RED, RED, &size);
  ck_assert(sprites_load(s.sprites, "p0.png", bytes, size));
  ck_assert_int_eq(sprites_find(s.sprites, "p0")->level_count, 3); /* halved twice */
  free(bytes);
}

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

static test_group refused_tests = {"refused", .timeout = 120};

TEST(refused_tests, an_edit_without_memory_changes_nothing)
{
  bool refused = true;
  size_t fail_at = 0;
  while (refuse_can() && refused)
    edit_with_refusal(++fail_at, &refused);
  ck_assert_msg(fail_at > 12 || !refuse_can(), "%zu", fail_at);
}

/* A scene may be shown again long after it was drawn: nothing it refers to may be gone. */
TEST(staged, a_scene_from_before_an_edit_may_still_be_played)
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

/* Frames of 1/60 s under a clock of the test: an edit is seen in the first, and shown in the first after 40 ms. */
TEST(staged, an_edit_is_shown_within_a_frame_of_settling)
{
  double now = 10;
  int least = 100;
  paint_png(path_of("tri.png"), 16, 16, RED, RED);
  open_stage();
  for (int edit = 0; edit < 5 && least > 3; edit++) { /* a poll ends early where others use the machine */
    for (int i = 0; i < 300; i++, now += 1.0 / 60)
      ck_assert_int_eq(assets_poll(s.files, now, false, &reporter), ASSETS_UNCHANGED);
    paint_png(path_of("tri.png"), 16, 16, edit % 2 ? RED : GREEN, GREEN);
    int frames = 0;
    for (; assets_poll(s.files, now, false, &reporter) == ASSETS_UNCHANGED && frames < 100; now += 1.0 / 60)
      frames++;
    least = frames < least ? frames : least;
  }
  ck_assert_int_le(least, 3);
}

/* What takes long is spread over frames, and is one line all the same. */
TEST(staged, many_pictures_are_loaded_over_several_frames_and_told_once)
{
  enum { COUNT = 60 };
  char name[32];
  double now = 10;
  int polls = 0;
  open_stage();
  for (int i = 0; i < COUNT; i++) {
    snprintf(name, sizeof name, "p%02d.png", i);
    paint_png(path_of(name), 400, 400, RED, BLUE);
  }
  for (; !told[0] && polls < 600; polls++, now += 1.0 / 60)
    assets_poll(s.files, now, false, &reporter);
  ck_assert_ptr_eq(strchr(told, '\n'), told + strlen(told) - 1); /* one line */
  ck_assert_msg(strstr(told,
                       "reload: reloaded sprites/p00.png, sprites/p01.png, sprites/p02.png, sprites/p03.png and 56 "
                       "more in ") != NULL,
                "%s", told);
  ck_assert_ptr_nonnull(strstr(told, " ms: 0 objects show them\n"));
}

SUITE(sprite_reload, &staged, &refused_tests)
