/*
** The overlays, drawn on a stage.
*/
#include "demo/capture/screenshot.h"
#include "demo/input/hotkeys.h"
#include "demo/stage.h"
#include "demo/ui/error_screen.h"
#include "demo/ui/hud.h"
#include "demo/ui/notice.h"
#include "support/test.h"

#include <SDL.h>
#include <stdio.h>
#include <string.h>

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

SUITE(player_app, &overlays)
