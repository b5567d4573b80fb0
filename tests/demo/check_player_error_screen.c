/*
** What is said of a script that has stopped: its page, stderr, the clipboard.
*/
#include "demo/app/stop_message.h"
#include "demo/play.h"
#include "demo/stage.h"
#include "demo/ui/error_screen.h"
#include "support/test.h"

#include <SDL.h>
#include <stdio.h>

#define ERROR                                                                                                          \
  "main.lua:12: attempt to call a nil value (global 'foo')\n    foo(1)\n  at main.lua:12 in update\n  hint: 'bar'?"

/* {== The page =========================================================== */

static stage scene;

static void open_stage(void) { stage_open(&scene, 640, 480, NULL); }
static void close_stage(void) { stage_close(&scene); }

static size_t quads(const char *error)
{
  batch_clear(&scene.batch);
  error_screen_draw(&scene.graphics, error, "", "");
  return scene.batch.quads;
}

static test_group shown = {"picture", open_stage, close_stage};

TEST(shown, the_parts_of_an_error_are_found)
{
  char part[64];
  error_screen_source(ERROR, part, sizeof part);
  ck_assert_str_eq(part, "foo(1)");
  error_screen_hint(ERROR, part, sizeof part);
  ck_assert_str_eq(part, "'bar'?");
  error_screen_source("main.lua:1: alone", part, sizeof part);
  ck_assert_str_eq(part, "");
  error_screen_hint("", part, sizeof part);
  ck_assert_str_eq(part, "");
  error_screen_hint("  hint: of nothing", part, sizeof part);
  ck_assert_str_eq(part, "");
  error_screen_source("a\n    cut here", part, 4);
  ck_assert_str_eq(part, "cut");
}

TEST(shown, the_page_shows_every_part)
{
  size_t alone = quads("a"), all = quads("a\n    source\n  at f\n  hint: b");
  ck_assert_uint_ge(all, alone + strlen("source") + strlen("atf") + strlen("b") + 2);
  stage_show(&scene);
  ck_assert_int_gt(stage_lit(&scene), 1000);
}

/* }== */

/* {== From outside ======================================================= */

static test_group outside = {"outside", play_open, play_close, 120};

TEST(outside, what_runs_instead_is_said_where_the_game_is_waited_for)
{
  play_write("main.lua", "return { update = function() error 'boom' end }");
  RUN(PLAYER "--headless --realtime --frames 3 %s", play_folder);
  EXPECT_STATUS(1);
  EXPECT_IN(play_run.err, "\n  Nothing of it runs until the next save; the last good picture stays.\n");
  EXPECT_LINES(play_run.err, 4); /* once, not in every frame */
  RUN(PLAYER "--headless --frames 3 %s", play_folder);
  EXPECT_STATUS(1);
  EXPECT_LINES(play_run.err, 3);
}

static void hear_nothing(void *ud, sp_report kind, const char *message)
{
  (void)ud;
  (void)kind;
  (void)message;
}

TEST(outside, what_is_copied_is_what_stderr_has)
{
  static const options o = {.headless = true, .realtime = true};
  sp_script_options script = {.path = play_folder, .report = hear_nothing};
  char problem[256], expected[1024], *copied;
  SDL_SetHint(SDL_HINT_VIDEODRIVER, "dummy");
  if (SDL_Init(SDL_INIT_VIDEO) != 0 || SDL_SetClipboardText("nothing") != 0) {
    test_skip("what_is_copied_is_what_stderr_has", SDL_GetError());
    return;
  }
  play_write("main.lua", "error 'boom'");
  sp_script *it = sp_script_open(&script, problem, sizeof problem);
  ck_assert_ptr_nonnull(it);
  ck_assert(!stop_message_copy(&o, it, NULL));
  ck_assert(!sp_script_start(it, 0, NULL));
  ck_assert(stop_message_copy(&o, it, NULL));
  copied = SDL_GetClipboardText();
  snprintf(expected, sizeof expected, "%s/main.lua:1: boom\n    error 'boom'\n", play_folder);
  ck_assert_msg(strncmp(copied, expected, strlen(expected)) == 0, "%s", copied);
  EXPECT_IN(copied, "\n  Nothing of it runs until the next save; the last good picture stays.\n");
  SDL_free(copied);
  ck_assert(stop_message_copy(&o, it, "the old code goes on"));
  copied = SDL_GetClipboardText();
  EXPECT_IN(copied, "\n  the old code goes on\n");
  SDL_free(copied);
  sp_script_close(it);
  SDL_Quit();
}

/* }== */

SUITE(player_error_screen, &outside, &shown)
