/*
** The examples in demo/embed do what they are there to show, and end well. The runner of a sanitized build runs
** sanitized examples: those tell of leaks by their status.
*/
#include "demo/game_run.h"
#include "support/test.h"

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EMBED SP_BUILD_DIR "/embed/"

static char folder[256];

static void setup(void) { ck_assert(test_folder_make(folder, sizeof folder)); }

static void teardown(void) { test_folder_remove(folder); }

/* What an example prints; it must end well, and say nothing else. To be freed with test_process_free. */
static test_process run_example(const char *command)
{
  test_process p = test_run(PATIENCE, "%s", command);
  ck_assert_msg(p.status == 0, "%s: status %d\n%s%s", command, p.status, p.out, p.err);
  ck_assert_str_eq(p.err, "");
  return p;
}

static void expect_in(const test_process *p, const char *part)
{
  ck_assert_msg(strstr(p->out, part) != NULL, "'%s' is not in:\n%s%s", part, p->out, p->err);
}

static void expect_the_same(const char *command, const char *other)
{
  test_process a = run_example(command), b = run_example(other);
  ck_assert_str_eq(a.out, b.out);
  test_process_free(&a);
  test_process_free(&b);
}

static test_group runs = {"runs", setup, teardown, 60};

TEST(runs, hello_shows_the_core_alone)
{
  test_process p = run_example(EMBED "hello");
  expect_in(&p, "a fourth session: full");
  expect_in(&p, "recycling it again: stale");
  expect_in(&p, "2 live, 1 idle, 4 handed out in all");
  test_process_free(&p);
}

/* The number in front of `unit`. */
static long number_of(const test_process *p, const char *unit)
{
  const char *at = strstr(p->out, unit);
  ck_assert_msg(at != NULL, "no '%s' in:\n%s", unit, p->out);
  while (at > p->out && at[-1] >= '0' && at[-1] <= '9')
    at--;
  return atol(at);
}

TEST(runs, every_session_is_accounted_for)
{
  test_process p = run_example(EMBED "sessions");
  long live = number_of(&p, " sessions after"), opened = number_of(&p, " opened");
  long left = number_of(&p, " said goodbye"), silent = number_of(&p, " timed out");
  ck_assert_int_eq(opened, left + silent + live);
  ck_assert_int_eq(number_of(&p, " at most"), 4096); /* it was full */
  ck_assert_int_gt(number_of(&p, " turned away"), 0);
  ck_assert_int_gt(number_of(&p, " packets served"), opened);
  ck_assert_int_gt(number_of(&p, " throttled"), 0);
  ck_assert_int_gt(number_of(&p, " too late"), silent); /* who was thought to be gone, and the packets behind */
  ck_assert_int_gt(number_of(&p, " forged"), 0);
  ck_assert_int_gt(left, 0);
  ck_assert_int_gt(silent, 0);
  test_process_free(&p);
  expect_the_same(EMBED "sessions", EMBED "sessions");
}

TEST(runs, late_inputs_are_played_again)
{
  test_process p = run_example(EMBED "rollback");
  ck_assert_int_gt(number_of(&p, " rollbacks"), 50);
  ck_assert_int_gt(number_of(&p, " frames played again"), 200);
  expect_in(&p, "both are where they would be without any delay");
  test_process_free(&p);
  expect_the_same(EMBED "rollback", EMBED "rollback");
}

TEST(runs, threads_come_to_the_same_however_many_there_are)
{
  test_process p = run_example(EMBED "threads 1");
  const char *line = p.out;
  long grains = 0;
  for (int i = 0; i < 25; i++, line += strcspn(line, "\n") + 1)
    grains += atol(line);
  ck_assert_int_gt(grains, 70000); /* of 86 400, which take a second or two to fall */
  ck_assert_int_lt(grains, 86400);
  test_process_free(&p);
  expect_the_same(EMBED "threads 1", EMBED "threads 3");
  expect_the_same(EMBED "threads 2", EMBED "threads 16");
  p = test_run(PATIENCE, EMBED "threads 0");
  ck_assert_int_eq(p.status, 1);
  test_process_free(&p);
}

TEST(runs, workers_come_to_the_same_however_many_there_are)
{
  test_process p = run_example(EMBED "workers 1 30000 20");
  expect_in(&p, "30000 sparks, sum ");
  test_process_free(&p);
  expect_the_same(EMBED "workers 1 30000 20", EMBED "workers 2 30000 20");
  expect_the_same(EMBED "workers 3 30000 20", EMBED "workers 8 30000 20");
  p = test_run(PATIENCE, EMBED "workers 0");
  ck_assert_int_eq(p.status, 2);
  test_process_free(&p);
}

/* {== A picture =========================================================== */

#define UNSEEN "SDL_VIDEODRIVER=dummy SDL_RENDER_DRIVER=software "

/* Red, green and blue together, 0 to 765. */
static int light_at(const SDL_Surface *picture, int x, int y)
{
  Uint8 r, g, b;
  Uint32 pixel;
  memcpy(&pixel, (const char *)picture->pixels + y * picture->pitch + x * 4, sizeof pixel);
  SDL_GetRGB(pixel, picture->format, &r, &g, &b);
  return r + g + b;
}

/* The share of an area that is brighter than the background. */
static double lit_share(const SDL_Surface *picture, SDL_Rect area)
{
  int lit = 0;
  for (int y = area.y; y < area.y + area.h; y++)
    for (int x = area.x; x < area.x + area.w; x++)
      lit += light_at(picture, x, y) > 60;
  return (double)lit / (area.w * area.h);
}

TEST(runs, the_renderer_draws_what_is_in_the_columns)
{
  char command[2 * PATH_MOST], path[PATH_MOST];
  snprintf(path, sizeof path, "%s/sparks.bmp", folder);
  snprintf(command, sizeof command, UNSEEN EMBED "renderer 120 '%s'", path);
  test_process p = run_example(command);
  ck_assert_str_eq(p.out, "12000 sparks\n");
  test_process_free(&p);
  SDL_Surface *loaded = SDL_LoadBMP(path);
  ck_assert_ptr_nonnull(loaded);
  SDL_Surface *picture = SDL_ConvertSurfaceFormat(loaded, SDL_PIXELFORMAT_ARGB8888, 0);
  ck_assert_int_eq(picture->w, 960);
  ck_assert_int_eq(picture->h, 540);
  for (int fountain = 1; fountain <= 3; fountain++)
    ck_assert_double_gt(lit_share(picture, (SDL_Rect){240 * fountain - 2, 515, 4, 12}), 0.5);
  ck_assert_double_eq(lit_share(picture, (SDL_Rect){0, 0, 960, 60}), 0); /* none flies that high */
  ck_assert_double_gt(lit_share(picture, (SDL_Rect){140, 150, 680, 350}), 0.08);
  SDL_FreeSurface(picture);
  SDL_FreeSurface(loaded);
}

/* }== */

/* {== Edited while it runs ================================================ */

/* A server that hears what `talk` says, a list of shell commands which may `await` what the server says. */
static test_process talk_to_headless(const char *talk)
{
  test_process p = test_run(
      PATIENCE,
      "cp -R demo/embed/headless '%s/mine' && headless=$(cd " EMBED " && pwd)/headless && cd '%s/mine' && : >out && "
      "await() { i=0; until grep -q \"$1\" out || [ $i -gt 800 ]; do sleep 0.02; i=$((i + 1)); done; } && "
      "{ %s; } | \"$headless\" . >out 2>&1 && cat out",
      folder, folder, talk);
  ck_assert_msg(p.status == 0, "status %d\n%s%s", p.status, p.out, p.err);
  return p;
}

TEST(runs, a_headless_server_runs_edited_classes_and_keeps_who_is_there)
{
  test_process p = talk_to_headless(
      "echo join ann; echo join bob; echo dig ann; await 'has 5' && "
      "sed -i.old 's/live(5)/live(7)/; s/finds %d/digs out %d/' pools/Miner.lua && await '^reloaded' && "
      "echo dig ann; await 'has 12' && "
      "sed -i.old 's/^return Miner/retrun Miner/' pools/Miner.lua && await 'not reloaded' && "
      "echo dig ann; await 'has 19'; echo list");
  expect_in(&p, "ann goes down as number 1\n");
  expect_in(&p, "ann finds 5, and has 5\n");
  expect_in(&p, "Miner.luck 5 -> 7");
  expect_in(&p, "ann digs out 7, and has 12\n");
  expect_in(&p, "syntax error near 'Miner'");
  expect_in(&p, "not reloaded: pools/Miner.lua; the old code goes on\n");
  expect_in(&p, "ann digs out 7, and has 19\n1: ann, 19 gold\n2: bob, 0 gold\n"); /* the same ids */
  test_process_free(&p);
}

TEST(runs, a_headless_server_goes_on_with_the_save_that_mends_it)
{
  test_process p =
      talk_to_headless("echo join ann; await 'number 1' && echo list >>main.lua && await 'not reloaded' && "
                       "sed -i.old 's/^list$//; s/is open/is wide open/' main.lua && await '^reloaded' && "
                       "echo dig ann; await 'has 5'; printf 'dig %0600d\\nlist\\n' 0");
  expect_in(&p, "ann finds 5, and has 5\n");
  expect_in(&p, "1: ann, 5 gold\n"); /* a line that is too long does no harm */
  test_process_free(&p);
  p = test_run(PATIENCE, EMBED "headless '%s/nowhere' </dev/null", folder);
  ck_assert_int_eq(p.status, 1);
  ck_assert_ptr_nonnull(strstr(p.err, "no such file or folder"));
  test_process_free(&p);
}

/* }== */

SUITE(embed, &runs)
