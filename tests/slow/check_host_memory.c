/*
** malloc refuses memory to a host and to the player, at every call (not those inside SDL). A game is opened, started,
** played, edited and closed. Each failure is reported, the old code continues, the counts are right, and nothing is
** left at the end.
*/
#include "demo/app/app.h"
#include "script/scripted.h"
#include "support/attempt.h"
#include "support/process.h"
#include "support/refuse.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 100000, LEAST = 1000 }; /* calls that a sweep refuses */

static const char main_lua[] = "local spawnpool <const> = require 'spawnpool'\n"
                               "local pools <const> = spawnpool.pools\n"
                               "local game <const> = { ticks = 0 }\n"
                               "function game.load()\n"
                               "  for i = 1, 5 do pools:alloc('Cube', i % 2 * 0.05, i, i) end\n"
                               "  local o <const> = pools:alloc 'Cube'\n"
                               "  o:every(0.02, function() game.ticks = game.ticks + 1 end)\n"
                               "  o:run(function(it) coroutine.yield(0.02) it.x = 3 end)\n"
                               "end\n"
                               "function game.play()\n"
                               "  pools:pool('Cube'):prewarm(80)\n"
                               "  for _ = 1, 40 do pools:alloc 'Cube' end\n"
                               "  return pools:stats().live\n"
                               "end\n"
                               "function game.check()\n"
                               "  local s <const>, count = pools:stats 'Cube', 0\n"
                               "  if s then\n"
                               "    for o in pools:each 'Cube' do count = count + 1 assert(o.alive and o.hp) end\n"
                               "    assert(count == s.live and s.allocs - s.recycles == s.live)\n"
                               "    assert(s.live + s.idle == s.total and s.created - s.destroyed == s.total)\n"
                               "  end\n"
                               "  assert(pools:alloc('Cube')):recycle()\n"
                               "end\n"
                               "return game\n";

/* Every second version has other fields, more objects, and other limits. */
static const char cube_lua[] = "local spawnpool <const> = require 'spawnpool'\n"
                               "local v <const> = %d\n"
                               "local even <const> = v %% 2 == 0\n"
                               "local name <const> = even and spawnpool.fresh(function() return {} end) or 'n'\n"
                               "local Cube <const> = spawnpool.class('Cube', { fields = { hp = v, name = name },\n"
                               "  prealloc = even and 400 or 3, limit = 500 + v, idle_limit = even and 600 or 20,\n"
                               "  overflow = even and 'oldest' or 'refuse' })\n"
                               "function Cube:on_spawn(o) o.name = 'cube ' .. o.id end\n"
                               "return Cube\n";

/* An assert for where memory is refused: Check's own needs some each time. */
#define hold(e)                                                                                                        \
  do {                                                                                                                 \
    if (!(e)) {                                                                                                        \
      refuse_relent();                                                                                                 \
      ck_abort_msg("not so: %s", #e);                                                                                  \
    }                                                                                                                  \
  } while (0)

static void save_class(const scripted *g, int version)
{
  char path[400];
  snprintf(path, sizeof path, "%s/pools/Cube.lua", g->folder);
  FILE *file = fopen(path, "w");
  hold(file);
  fprintf(file, cube_lua, version);
  fclose(file);
}

/* Returns whether an error was told since the last call. */
static bool has_told(scripted *g)
{
  bool told = strstr(g->told, "error: ") != NULL;
  g->told[0] = '\0';
  return told;
}

/* The whole game. Whatever does not go through has to say so. Returns whether it started. */
static bool play(scripted *g, int version)
{
  bool started = sp_script_start(g->script, 0, NULL);
  hold(started || (has_told(g) && sp_script_error(g->script)));
  for (int i = 0; i < 6; i++)
    hold(sp_script_update(g->script, 1 / 60.0));
  has_told(g);
  hold(sp_script_call(g->script, "play", "") <= SP_CALL_ABSENT || has_told(g));
  save_class(g, version);
  has_told(g);
  sp_poll_result polled = sp_script_poll(g->script, SP_POLL_NOW);
  const sp_pool *cubes = sp_manager_pool(sp_script_pools(g->script), "Cube");
  hold(polled != SP_POLL_REFUSED || has_told(g));
  hold(polled != SP_POLL_RELOADED || !cubes || sp_pool_desc_of(cubes)->settings.limit == 500 + (uint32_t)version);
  sp_script_eval(g->script, "return pools:stats().live");
  sp_script_sprite_number(g->script, "a star");
  sp_script_update(g->script, 1 / 60.0);
  return started;
}

/* Now that there is memory again, all of it works. */
static void recover(const scripted *g, bool started, size_t n)
{
  for (int i = 0; i < 3; i++)
    sp_script_poll(g->script, SP_POLL_NOW);
  ck_assert(sp_script_update(g->script, 1 / 60.0));
  ck_assert_msg(!started || sp_script_call(g->script, "check", "") <= SP_CALL_ABSENT, "after %zu: %s", n,
                sp_script_error(g->script));
  sp_script_clear_error(g->script);
  ck_assert(sp_script_eval(g->script, "assert(pools:alloc('Cube')):recycle()") == SP_EVAL_DONE);
  ck_assert_msg(!sp_script_error(g->script), "after %zu: %s", n, sp_script_error(g->script));
}

/* Refuses a later call each time, until there is none to refuse: `once` returns whether any was refused. */
static void sweep(bool (*once)(void *ud, size_t n, bool keep_failing), void *ud, bool keep_failing)
{
  size_t n = refuse_first();
  while (refuse_can() && once(ud, n, keep_failing)) {
    n += refuse_stride(37);
    ck_assert_uint_lt(n, MOST);
  }
  ck_assert(n > LEAST || !refuse_can());
}

static bool host_game(void *ud, size_t n, bool keep_failing)
{
  static int version = 1;
  scripted *g = ud;
  char error[256] = "";
  g->told[0] = '\0';
  refuse_begin(n, keep_failing);
  g->script = sp_script_open(&g->options, error, sizeof error);
  bool started = g->script && play(g, ++version);
  refuse_relent();
  ck_assert(g->script || error[0]);
  if (g->script)
    recover(g, started, n);
  sp_script_close(g->script);
  refusals r = refuse_end();
  ck_assert_msg(r.blocks == 0, "after %zu: %zu blocks are left", n, r.blocks);
  return r.count > 0;
}

static test_group host = {"host", .timeout = 600};

TESTS(host, any_call_of_a_host_may_be_refused_alone_or_with_all_later_ones, 2)
{
  static scripted g;
  scripted_make(&g, main_lua);
  g.options.reload = true;
  scripted_write(&g, "pools/Cube.lua", "");
  save_class(&g, 1);
  sweep(host_game, &g, _i);
  test_folder_remove(g.folder);
}

/* {== The player ========================================================= */

static const char player_lua[] =
    "local spawnpool <const> = require 'spawnpool'\n"
    "spawnpool.class('Cube', { sprite = 'square', sound = 'hit', fields = { hp = 1 } })\n"
    "spawnpool.audio.play('hit', { loop = true }) spawnpool.audio.play 'missing' spawnpool.audio.music 'hit'\n"
    "for i = 1, 5 do spawnpool.pools:alloc('Cube', 0, 20 * i, 20) end\n"
    "return { update = function() end, draw = function(g) g:text(4, 4, 'hello') g:circle(30, 30, 9) end }\n";

static char player_folder[256];

typedef struct start {
  size_t fail_at;
  bool keep_failing;
} start;

/* In a child: its standard error is what is reported. */
static void run_player(void *ud, FILE *out)
{
  const start *s = ud;
  char wav[512];
  char *argv[] = {"spawnpool", "--headless", "--frames", "4", "--size", "64x48", "--sound", wav, player_folder};
  options o;
  snprintf(wav, sizeof wav, "%s/out.wav", player_folder);
  ck_assert(options_parse(&o, sizeof argv / sizeof argv[0], argv));
  ck_assert_int_ge(dup2(fileno(out), STDERR_FILENO), 0);
  refuse_begin(s->fail_at, s->keep_failing);
  int code = app_run(&o);
  refuse_relent();
  refusals r = refuse_end();
  fflush(stderr);
  fprintf(out, "\ncode %d, %zu refused", code, r.count);
  ck_assert_msg(r.blocks == 0, "%zu blocks are left", r.blocks);
}

static bool player_starts(void *ud, size_t n, bool keep_failing)
{
  start s = {n, keep_failing};
  char message[512], *said = NULL;
  (void)ud;
  bool failed = attempt(run_player, &s, 60, message, sizeof message, &said);
  ck_assert_msg(!failed, "call %zu: %s\n%s", n, message, said);
  const char *result = strstr(said, "\ncode ");
  int code = -1;
  size_t count = 0;
  ck_assert_msg(result && sscanf(result, "\ncode %d, %zu refused", &code, &count) == 2, "%s", said);
  ck_assert_msg(code == APP_FINE || (code > 0 && code <= APP_USAGE && count > 0 && result > said),
                "call %zu: code %d\n%s", n, code, said);
  free(said);
  return count > 0;
}

static test_group player = {"player", NULL, NULL, 300};

TESTS(player, a_player_without_memory_plays_on_or_says_why_it_ends, 2)
{
  if (!attempt_can()) {
    test_skip("host_memory", "a child that ends early leaks");
    return;
  }
  ck_assert(test_folder_make(player_folder, sizeof player_folder));
  test_write(test_path(player_folder, "main.lua"), player_lua);
  test_process copied = test_run(10,
                                 "cd scripts/cubes && mkdir '%s/sprites' && cp thumbnail.png '%s/sprites/tri.png' && "
                                 "mkdir '%s/sounds' && cp sounds/drop.wav '%s/sounds/hit.wav'",
                                 player_folder, player_folder, player_folder, player_folder);
  ck_assert_msg(copied.status == 0, "%s", copied.err);
  test_process_free(&copied);
  sweep(player_starts, NULL, _i);
  test_folder_remove(player_folder);
}

/* }== */

SUITE(host_memory, &host, &player)
