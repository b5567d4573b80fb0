/*
** A host with a Lua state for each thread, and nothing shared: each plays, is edited, reloads, fails and closes while
** the others do the same, and hears what it hears alone. `make tsan` runs this with an eye on every access to memory.
*/
#include "script/scripted.h"
#include "support/files.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 2, EDITS = 4, FRAMES = 60 };

static const char main_file[] =
    "local spawnpool <const> = require 'spawnpool'\n"
    "local pools <const> = spawnpool.pools\n"
    "local Cube <const> = require 'pools.Cube'\n"
    "local frame, fired = 0, 0\n"
    "local game <const> = {}\n"
    "function game.update()\n"
    "  frame = frame + 1\n"
    "  local cube <const> = pools:alloc('Cube', math.random() * 2, math.random(400), 7)\n"
    "  if frame % 5 == 0 then cube:after(0.1, function() fired = fired + 1 end) end\n"
    "  if frame % 7 == 0 then cube:run(function() coroutine.yield(0.2) cube:recycle() end) end\n"
    "  if frame % 50 == 0 then error('frame ' .. frame) end\n"
    "end\n"
    "function game.tell()\n"
    "  local sum = 0\n"
    "  for cube in pools:each() do sum = sum + cube.x + cube.id end\n"
    "  local s <const> = pools:stats('Cube')\n"
    "  print(frame, fired, Cube.turn, s.live, s.allocs, s.expired, s.recycles, sum)\n"
    "end\n"
    "return game\n";

static const char class_file[] =
    "local spawnpool <const> = require 'spawnpool'\n"
    "local Cube <const> = spawnpool.class('Cube', { motion = { gravity = %d }, fields = { n = %d } })\n"
    "Cube.turn = %d\n"
    "function Cube:on_reload(cube) cube.x = cube.x + %d end\n"
    "return Cube\n";

typedef struct game {
  scripted it;
  const char *failure; /* what went wrong */
} game;

static void save(const game *g, const char *text)
{
  char path[400];
  snprintf(path, sizeof path, "%s/pools/Cube.lua", g->it.folder);
  test_write(path, text);
}

static void save_class(const game *g, int turn)
{
  char text[sizeof class_file + 64];
  snprintf(text, sizeof text, class_file, turn * 10, turn, turn, turn);
  save(g, text);
}

/* Runs the game between two edits; errors in `update` are allowed. */
static bool play_on(sp_script *s)
{
  for (int frame = 0; frame < FRAMES; frame++) {
    sp_script_call(s, "update", "");
    if (!sp_script_update(s, 1.0 / 60))
      return false;
    sp_script_poll(s, SP_POLL_LOOK);
  }
  return sp_script_call(s, "tell", "") && sp_script_eval(s, "pools:stats('Cube').live, sel") == SP_EVAL_DONE;
}

static const char *play_one(game *g)
{
  save_class(g, 0);
  sp_script *s = sp_script_open(&g->it.options, NULL, 0);
  const char *failure = s && sp_script_start(s, 0, NULL) ? NULL : "it does not start";
  for (int turn = 1; turn <= EDITS && !failure; turn++) {
    if (!play_on(s))
      failure = "it does not play";
    save_class(g, turn);
    if (sp_script_poll(s, SP_POLL_NOW) != SP_POLL_RELOADED)
      failure = "it does not reload";
    save(g, "return {");
    if (sp_script_poll(s, SP_POLL_NOW) != SP_POLL_REFUSED)
      failure = "it takes what is broken";
  }
  sp_script_close(s);
  return failure;
}

static void *play(void *argument)
{
  game *g = argument;
  for (int round = 0; round < ROUNDS && !g->failure; round++)
    g->failure = play_one(g);
  return g;
}

static sp_report_fn tell;

/* But for what says how long a reload took, and the time of day. */
static void on_report(void *ud, sp_report kind, const char *text)
{
  if (kind != SP_REPORT_RELOAD && !strstr(text, " to the version before "))
    tell(ud, kind, text);
}

static test_group tcase = {"threads"};

TEST(tcase, hosts_on_threads_play_and_reload_as_they_do_alone)
{
  static game games[2][THREADS]; /* alone, and together */
  static char alone[sizeof games[0][0].it.told];
  pthread_t threads[THREADS];
  for (int i = 0; i < 2 * THREADS; i++) {
    game *g = &games[i / THREADS][i % THREADS];
    scripted_make(&g->it, main_file);
    g->it.options.seed = (uint64_t)(i % THREADS) / 2 + 1; /* two of each, so that the same is done at once */
    g->it.options.reload = g->it.options.trace = true;
    tell = g->it.options.report;
    g->it.options.report = on_report;
  }
  for (int i = 0; i < THREADS; i++)
    play(&games[0][i]);
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, play, &games[1][i]), 0);
  for (int i = 0; i < THREADS; i++) {
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    for (int k = 0; k < 2; k++)
      ck_assert_msg(!games[k][i].failure, "%s: %s", games[k][i].failure, games[k][i].it.told);
    snprintf(alone, sizeof alone, "%s", scripted_told(&games[0][i].it));
    ck_assert_str_eq(scripted_told(&games[1][i].it), alone);
    ck_assert_ptr_nonnull(strstr(alone, "frame 50"));
    test_folder_remove(games[0][i].it.folder);
    test_folder_remove(games[1][i].it.folder);
  }
}

SUITE(script_threads, &tcase)
