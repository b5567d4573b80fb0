/*
** The player while its game is edited: real files, saved in all the ways that editors and tools save them.
*/
#include "demo/app/app.h"
#include "demo/app/interrupt.h"
#include "demo/edit_run.h"
#include "demo/play.h"
#include "support/test.h"

#include <SDL.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define UNSEEN "--headless --realtime "

/* {== The game =========================================================== */

/* A main.lua that says which version of it runs, once; all are of one size. */
static const char *version(int number)
{
  static char text[512];
  snprintf(text, sizeof text,
           "local version <const> = %d\n"
           "local shown\n"
           "return { update = function()\n"
           "  if shown ~= version then shown = version print('version ' .. version) end\n"
           "end }\n",
           number);
  return text;
}

static const char *spark(int number)
{
  static char text[256];
  snprintf(text, sizeof text, "print('spark %d') return require('spawnpool').class('Spark', { prealloc = %d })\n",
           number, number);
  return text;
}

static void start_versions(const char *flags)
{
  edit_write("main.lua", version(1));
  edit_start("", flags);
  edit_await("version 1\n");
}

static void expect_reloads(long done, long refused, long reverted)
{
  ck_assert_msg(edit_stat("reloads") == done && edit_stat("refused_reloads") == refused &&
                    edit_stat("reverted_reloads") == reverted,
                "reloads: %ld, refused: %ld, reverted: %ld\n%s", edit_stat("reloads"), edit_stat("refused_reloads"),
                edit_stat("reverted_reloads"), edit_said());
}

/* }== */

/* {== Ways to save ======================================================= */

static void pause_for(double seconds) { nanosleep(&(struct timespec){.tv_nsec = (long)(seconds * 1e9)}, NULL); }

static void shell(const char *line)
{
  char path[512];
  snprintf(path, sizeof path, "%s", edit_path(""));
  RUN("cd '%s' && %s", path, line);
  EXPECT_STATUS(0);
}

static void save_in_place(void) { edit_write("main.lua", version(2)); }

/* What an editor does that is slow between the two: nobody wants the nothing, or the half, that is there meanwhile. */
static void save_in_pieces(void)
{
  const char *text = version(2);
  size_t half = strlen(text) / 2, rest = strlen(text) - half;
  int fd = open(edit_path("main.lua"), O_WRONLY | O_TRUNC);
  ck_assert_int_ge(fd, 0);
  pause_for(0.06);
  ck_assert_int_eq(write(fd, text, half), (ssize_t)half);
  pause_for(0.01);
  ck_assert_int_eq(write(fd, text + half, rest), (ssize_t)rest);
  close(fd);
}

static void save_by_rename(void)
{
  edit_write("main.lua.tmp", version(2));
  ck_assert_int_eq(rename(edit_path("main.lua.tmp"), edit_path("main.lua")), 0);
}

static void make_old(const char *name)
{
  struct timespec times[2] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
  ck_assert_int_eq(utimensat(AT_FDCWD, edit_path(name), times, 0), 0);
}

static void restore_by_rename(void)
{
  edit_write("copy", version(2));
  make_old("copy");
  ck_assert_int_eq(rename(edit_path("copy"), edit_path("main.lua")), 0);
}

static void restore_in_place(void)
{
  edit_write("main.lua", version(2));
  make_old("main.lua");
}

static void save_by_replacing(void)
{
  ck_assert_int_eq(unlink(edit_path("main.lua")), 0);
  edit_write("main.lua", version(2));
}

static void save_by_sed(void) { shell("sed -i 's/> = 1/> = 2/' main.lua"); }

static const struct way {
  const char *name;
  void (*save)(void);
} ways[] = {
    {"in place", save_in_place},
    {"in pieces", save_in_pieces},
    {"by rename", save_by_rename},
    {"restored by rename", restore_by_rename},
    {"restored in place", restore_in_place},
    {"by replacing", save_by_replacing},
    {"by sed -i", save_by_sed},
};

static test_group saves = {"saves", edit_open, edit_close, 120};

TESTS(saves, every_way_to_save_runs_the_new_code, (int)(sizeof ways / sizeof *ways))
{
  const struct way *way = &ways[_i];
  start_versions(UNSEEN);
  way->save();
  edit_await("version 2\n");
  edit_end(0);
  ck_assert_msg(edit_stat("reloads") == 1, "%s: %s", way->name, edit_said());
}

#define GIT "git -c user.name=a -c user.email=a@b.c -c core.autocrlf=false -c commit.gpgsign=false "

TEST(saves, a_checkout_runs_what_was_checked_out)
{
  RUN("command -v git");
  if (play_run.status != 0) {
    test_skip("a_checkout_runs_what_was_checked_out", "no git");
    return;
  }
  edit_write("main.lua", version(2));
  mkdir(edit_path("pools"), 0777);
  edit_write("pools/Spark.lua", spark(2));
  shell("export GIT_CONFIG_GLOBAL=/dev/null; " GIT "init -q . && " GIT "add -A && " GIT "commit -qm two");
  shell("git rm -q pools/Spark.lua");
  edit_write("main.lua", version(1));
  shell("export GIT_CONFIG_GLOBAL=/dev/null; " GIT "add -A && " GIT "commit -qm one");
  edit_start("", UNSEEN);
  edit_await("version 1\n");
  shell("git checkout -q HEAD~1");
  edit_await("spark 2\n"); /* in a folder that was not there before */
  edit_await("version 2\n");
  edit_end(0);
}

TEST(saves, a_touch_runs_nothing)
{
  mkdir(edit_path("pools"), 0777);
  edit_write("pools/Spark.lua", spark(1));
  edit_write("main.lua", "require('spawnpool').pools:pool('Spark') print('main runs') return {}");
  edit_start("", UNSEEN);
  edit_await("main runs\n");
  ck_assert_int_eq(utimensat(AT_FDCWD, edit_path("main.lua"), NULL, 0), 0);
  pause_for(0.02);
  edit_write("pools/Spark.lua", spark(2)); /* by then the touch has been looked at too */
  edit_await("reloaded pools/Spark.lua in");
  edit_end(0);
  expect_reloads(1, 0, 0);
  ck_assert_ptr_null(strstr(strstr(edit_said(), "main runs") + 1, "main runs"));
}

TEST(saves, a_new_class_file_runs_by_itself)
{
  mkdir(edit_path("pools"), 0777);
  start_versions(UNSEEN);
  edit_write("pools/Spark.lua", spark(1));
  edit_await("spark 1\n");
  edit_write("pools/Spark.lua", spark(2));
  edit_await("spark 2\n");
  edit_end(0);
  expect_reloads(2, 0, 0);
}

TEST(saves, a_new_folder_is_looked_into_at_once)
{
  start_versions(UNSEEN);
  mkdir(edit_path("pools"), 0777);
  edit_write("pools/Spark.lua", spark(1));
  edit_await("spark 1\n");
  edit_write("pools/Spark.lua", spark(2));
  edit_await("spark 2\n");
  edit_end(0);
}

TEST(saves, a_file_that_is_gone_keeps_its_code_until_it_is_back)
{
  start_versions(UNSEEN);
  ck_assert_int_eq(unlink(edit_path("main.lua")), 0);
  edit_await("main.lua is gone: its last code stays\n");
  edit_write("main.lua", version(2));
  edit_await("version 2\n");
  edit_end(0);
  expect_reloads(1, 0, 0);
}

/* }== */

/* {== Trouble ============================================================ */

static test_group trouble = {"trouble", edit_open, edit_close, 120};

TEST(trouble, a_broken_save_is_told_and_mended_by_the_next)
{
  start_versions(UNSEEN);
  edit_write("main.lua", "return { update = ");
  edit_await("main.lua:1: unexpected symbol near <eof>");
  edit_await("warning: not reloaded: main.lua; the old code goes on\n");
  edit_write("main.lua", version(3));
  edit_await("reloaded main.lua in");
  edit_await("version 3\n");
  edit_end(0);
  expect_reloads(1, 1, 0);
}

TEST(trouble, a_broken_save_that_stays_is_an_error)
{
  start_versions(UNSEEN);
  edit_write("main.lua", "return { update = ");
  edit_await("not reloaded");
  edit_end(1);
}

TEST(trouble, an_endless_loop_is_stopped_and_taken_back)
{
  start_versions(UNSEEN);
  edit_write("main.lua", "return { update = function() while true do end end }");
  edit_await("stopped: it ran for more than 2 s");
  edit_await("main.lua failed: its last good version is back, until the next save\n");
  edit_write("main.lua", version(3));
  edit_await("version 3\n");
  edit_end(0);
  expect_reloads(2, 0, 1);
}

TEST(trouble, a_first_load_that_fails_starts_when_it_is_mended)
{
  edit_write("main.lua", "return { load = ");
  edit_start("", UNSEEN);
  edit_await("main.lua:1:");
  edit_write("main.lua", "return { load = function(args) print('got', #args, args[2]) end }");
  edit_await("got\t2\ttwo\n");
  edit_end(0);
  expect_reloads(1, 0, 0);
}

TEST(trouble, a_module_may_be_what_is_mended)
{
  edit_write("parts.lua", "return { name = nil .. '' }");
  edit_write("main.lua", "local parts = require 'parts' return { load = function() print('name', parts.name) end }");
  edit_start("", UNSEEN);
  edit_await("parts.lua:1:");
  edit_write("parts.lua", "return { name = 'mended' }");
  edit_await("name\tmended\n");
  edit_end(0);
}

/* An error of code that is not new stops the game: nothing could be taken back. */
TEST(trouble, a_game_that_has_stopped_goes_on_when_it_is_mended)
{
  edit_write("main.lua", "n = 0 return { load = function() n = 7 end, update = function() error('in update') end }");
  edit_start("", UNSEEN);
  edit_await("main.lua:1: in update");
  edit_write("main.lua", "return { load = function() n = 0 end, update = function() print('n', n) end }");
  edit_await("n\t7\n"); /* it goes on, and does not begin again */
  edit_end(0);
}

TEST(trouble, a_game_that_nobody_mends_ends_with_its_frames)
{
  edit_write("main.lua", "return { update = ");
  edit_start("", UNSEEN "--frames 10");
  edit_await_end(1);
}

TEST(trouble, where_nothing_is_watched_an_error_is_the_end)
{
  edit_write("main.lua", "return { update = ");
  edit_start("", UNSEEN "--no-watch");
  edit_await_end(1);
  ck_assert_int_eq(edit_stat("frame"), 0);
}

/* }== */

/* {== Asking for it ====================================================== */

#define TICKING(n)                                                                                                     \
  "local n = 0 return { update = function() n = n + 1 if n % 20 == 0 then print('" n " ticks') end end }"

static test_group asked = {"asked", edit_open, edit_close, 120};

TEST(asked, without_watching_only_a_signal_reloads)
{
  edit_write("main.lua", TICKING("old"));
  edit_start("", UNSEEN "--no-watch");
  edit_await("old ticks\n");
  edit_write("main.lua", TICKING("new"));
  for (int i = 0; i < 3; i++) /* a second, and it would have been seen long ago */
    edit_await("old ticks\n");
  edit_signal(SIGUSR1);
  edit_await("new ticks\n");
  edit_end(0);
  expect_reloads(1, 0, 0);
}

TEST(asked, a_signal_tries_again_what_was_refused)
{
  edit_write("main.lua", version(1));
  edit_start("", UNSEEN);
  edit_await("version 1\n");
  edit_write("main.lua", "error('not now')");
  edit_await("not reloaded");
  edit_signal(SIGUSR1);
  edit_await("not reloaded");
  edit_end(1);
  expect_reloads(0, 2, 0);
}

static void expect_reload_event(void)
{
  SDL_Event event;
  ck_assert_msg(SDL_WaitEventTimeout(&event, 30000) == 1, "no event");
  ck_assert_uint_eq(event.type, INTERRUPT_RELOAD);
}

TEST(asked, signals_wait_for_the_start_and_do_nothing_after_the_end)
{
  ck_assert_int_eq(SDL_Init(SDL_INIT_EVENTS), 0);
  for (int run = 0; run < 2; run++) {
    interrupt it = {.thread = NULL};
    interrupt_prepare();
    ck_assert_int_eq(kill(getpid(), SIGUSR1), 0);
    interrupt_start(&it);
    expect_reload_event();
    ck_assert_int_eq(kill(getpid(), SIGUSR1), 0);
    expect_reload_event();
    interrupt_stop(&it);
    ck_assert_int_eq(kill(getpid(), SIGUSR1), 0); /* it would end the test */
  }
  SDL_Quit();
}

TEST(asked, statistics_have_the_output_to_themselves)
{
  edit_write("main.lua", "return { update = function() end }");
  RUN("{ " PLAYER UNSEEN "--frames 3600 --stats - %s >%s/out 2>%s/err & } && p=$! && "
      "until grep -q frame %s/out; do kill -0 $p || exit 3; sleep 0.02; done; echo 'return {}' >%s && "
      "until grep -q reloaded %s/err; do kill -0 $p || exit 3; sleep 0.02; done; kill -INT $p && wait $p && cat %s/out",
      edit_path(""), play_folder, play_folder, play_folder, edit_path("main.lua"), play_folder, play_folder);
  EXPECT_STATUS(0);
  for (const char *line = play_run.out; *line; line = strchr(line, '\n') + 1)
    ck_assert_int_eq(*line, '{');
  EXPECT_IN(play_run.out,
            "\"reloads\":1,\"refused_reloads\":0,\"reverted_reloads\":0,\"reload\":\"reloaded main.lua in");
}

/* }== */

/* {== In a window ======================================================== */

/* One that nobody sees. */
#define WINDOW "SDL_VIDEODRIVER=dummy SDL_RENDER_DRIVER=software"

static test_group window = {"window", edit_open, edit_close, 120};

TEST(window, a_window_with_an_error_goes_on_when_it_is_mended)
{
  edit_write("main.lua", "return { draw = function(g) g:nothing() end }");
  edit_start(WINDOW, "--size 200x150");
  edit_await("nothing");
  edit_write("main.lua", version(2));
  edit_await("version 2\n");
  edit_end(0);
}

TEST(window, a_reload_may_pause_the_game)
{
  edit_write("main.lua", version(1));
  edit_start(WINDOW, "--size 200x150 --pause-on-reload");
  edit_await("version 1\n");
  edit_write("main.lua", "local n = 0 return { update = function() print('update') end,\n"
                         "draw = function() n = n + 1 if n == 20 then print('drawn') end end }");
  edit_await("reloaded main.lua");
  edit_await("drawn\n");
  edit_end(0);
  ck_assert_ptr_null(strstr(edit_said(), "\nupdate\n"));
}

/* The game edits itself before the first frame, in which the key is taken. */
TEST(window, the_reload_key_reloads_at_once)
{
  char code[1024];
  SDL_Event key = {.key = {.type = SDL_KEYDOWN, .keysym = {.sym = SDLK_F5}}};
  options o = {
      .path = edit_path(""), .frames = 1, .width = 64, .height = 48, .headless = true, .trust = true, .no_watch = true};
  snprintf(code, sizeof code,
           "return { load = function() local f = assert(io.open('%s', 'w'))\n"
           "f:write([[return { update = function() io.open('%s', 'w'):close() end }]]) f:close() end }",
           edit_path("main.lua"), edit_path("mark"));
  edit_write("main.lua", code);
  ck_assert_int_eq(SDL_Init(SDL_INIT_EVENTS), 0);
  ck_assert_int_eq(SDL_PushEvent(&key), 1);
  ck_assert_int_eq(app_run(&o), APP_FINE);
  ck_assert_int_eq(access(edit_path("mark"), F_OK), 0);
}

/* }== */

SUITE(player_reload, &saves, &trouble, &asked, &window)
