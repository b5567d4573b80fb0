/*
** The player's start when memory is refused, at every call that is ours (not those inside SDL): it plays, or it says
** why not and ends with an exit code; and what it took it gives back.
*/
#include "demo/app/app.h"
#include "demo/media.h"
#include "demo/play.h"
#include "support/attempt.h"
#include "support/refuse.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 100000 };

typedef struct start {
  size_t fail_at;
  bool keep_failing;
} start;

static const char main_lua[] =
    "local spawnpool <const> = require 'spawnpool'\n"
    "spawnpool.class('Cube', { sprite = 'square', sound = 'hit', fields = { hp = 1 } })\n"
    "spawnpool.audio.play('hit', { loop = true }) spawnpool.audio.play 'missing' spawnpool.audio.music 'hit'\n"
    "for i = 1, 5 do spawnpool.pools:alloc('Cube', 0, 20 * i, 20) end\n"
    "return { update = function() end, draw = function(g) g:text(4, 4, 'hello') g:circle(30, 30, 9) end }\n";

/* In a child: its standard error is what is told. */
static void run(void *ud, FILE *out)
{
  const start *s = ud;
  char wav[512];
  char *argv[] = {"spawnpool", "--headless", "--frames", "4", "--size", "64x48", "--sound", wav, play_folder};
  options o;
  snprintf(wav, sizeof wav, "%s/out.wav", play_folder);
  ck_assert(options_parse(&o, sizeof argv / sizeof argv[0], argv));
  ck_assert_int_ge(dup2(fileno(out), STDERR_FILENO), 0);
  refuse_begin(s->fail_at, s->keep_failing);
  int code = app_run(&o);
  refuse_relent();
  refusals r = refuse_end();
  fflush(stderr);
  fprintf(out, "\ncode %d, %zu calls, %zu refused", code, r.calls, r.count);
  ck_assert_msg(r.blocks == 0, "%zu blocks are left", r.blocks);
}

/* Returns whether any call was refused. */
static bool start_with(start *s)
{
  char message[512], *said = NULL;
  bool failed = attempt(run, s, 60, message, sizeof message, &said);
  ck_assert_msg(!failed, "call %zu: %s\n%s", s->fail_at, message, said);
  const char *result = strstr(said, "\ncode ");
  int code = -1;
  size_t calls = 0, refused_calls = 0;
  ck_assert_msg(result && sscanf(result, "\ncode %d, %zu calls, %zu refused", &code, &calls, &refused_calls) == 3, "%s",
                said);
  ck_assert_msg(code == APP_FINE || (code > 0 && code <= APP_USAGE && refused_calls > 0 && result > said),
                "call %zu: code %d\n%s", s->fail_at, code, said);
  free(said);
  return refused_calls > 0;
}

static void refuse_each_call(bool keep_failing, size_t stride)
{
  if (!attempt_can()) {
    test_skip("start_memory", "a child that ends early leaks");
    return;
  }
  char picture[512];
  play_write("main.lua", main_lua);
  snprintf(picture, sizeof picture, "%s/sprites", play_folder);
  ck_assert_int_eq(mkdir(picture, 0700), 0);
  snprintf(picture, sizeof picture, "%s/sprites/tri.png", play_folder);
  paint_png(picture, 16, 16, 0xffff0000u, 0xff0000ffu);
  snprintf(picture, sizeof picture, "%s/sounds", play_folder);
  ck_assert_int_eq(mkdir(picture, 0700), 0);
  snprintf(picture, sizeof picture, "%s/sounds/hit.wav", play_folder);
  wave_write(picture, 0.05, 9000);
  start s = {refuse_first(), keep_failing};
  while (refuse_can() && start_with(&s)) {
    s.fail_at += stride;
    ck_assert_uint_lt(s.fail_at, MOST);
  }
  ck_assert(s.fail_at > 1000 || !refuse_can());
}

static test_group tcase = {"start", play_open, play_close, 300};

TEST(tcase, a_call_that_is_refused_while_it_starts_is_told_or_made_up_for)
{
  refuse_each_call(false, refuse_stride(31));
}

TEST(tcase, without_memory_from_some_point_on_it_ends_and_says_so) { refuse_each_call(true, refuse_stride(37)); }

SUITE(start_memory, &tcase)
