/*
** A host with a Lua state for each thread, and nothing shared: each plays, is edited, reloads, fails and closes while
** the others do the same, and hears what it hears alone. `make tsan` runs this with an eye on every access to memory.
*/
#include "script/script.h"
#include "support/process.h"
#include "support/test.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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
  char folder[300];
  uint64_t seed;
  const char *failure; /* what went wrong; the runner's asserts are for the main thread */
  char told[16384];
} game;

static void on_report(void *ud, sp_report kind, const char *text)
{
  game *g = ud;
  size_t used = strlen(g->told);
  /* The folder differs, and how long a reload took. */
  const char *at = strstr(text, g->folder) ? strstr(text, g->folder) + strlen(g->folder) : text;
  int length = kind == SP_REPORT_RELOAD ? 0 : (int)strcspn(at, "\n");
  const char *time = strstr(at, " to the version before "); /* of the day */
  length = time && time < at + length ? (int)(time - at) : length;
  snprintf(g->told + used, sizeof g->told - used, "%d %.*s\n", (int)kind, length, at);
}

static bool save(const game *g, const char *name, const char *text)
{
  char path[400];
  snprintf(path, sizeof path, "%s/%s", g->folder, name);
  FILE *f = fopen(path, "w");
  return f && fputs(text, f) >= 0 && fclose(f) == 0;
}

static bool save_class(const game *g, int turn)
{
  char text[sizeof class_file + 64];
  snprintf(text, sizeof text, class_file, turn * 10, turn, turn, turn);
  return save(g, "pools/Cube.lua", text);
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
  char error[256] = "";
  sp_script_options options = {
      .path = g->folder, .seed = g->seed, .reload = true, .trace = true, .report = on_report, .report_ud = g};
  if (!save(g, "main.lua", main_file) || !save_class(g, 0))
    return "its files cannot be written";
  sp_script *s = sp_script_open(&options, error, sizeof error);
  const char *failure = s && sp_script_start(s, 0, NULL) ? NULL : "it does not start";
  for (int turn = 1; turn <= EDITS && !failure; turn++) {
    if (!play_on(s))
      failure = "it does not play";
    else if (!save_class(g, turn) || sp_script_poll(s, SP_POLL_NOW) != SP_POLL_RELOADED)
      failure = "it does not reload";
    else if (!save(g, "pools/Cube.lua", "return {") || sp_script_poll(s, SP_POLL_NOW) != SP_POLL_REFUSED)
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

static void make_game(game *g, int number)
{
  char path[400];
  g->seed = (uint64_t)number / 2 + 1; /* two of each, so that the same is done at once */
  ck_assert(test_folder_make(g->folder, sizeof g->folder));
  snprintf(path, sizeof path, "%s/pools", g->folder);
  ck_assert_int_eq(mkdir(path, 0700), 0);
}

static test_group tcase = {"threads"};

TEST(tcase, hosts_on_threads_play_and_reload_as_they_do_alone)
{
  static game alone[THREADS], together[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    make_game(&alone[i], i);
    make_game(&together[i], i);
    play(&alone[i]);
  }
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, play, &together[i]), 0);
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
  for (int i = 0; i < THREADS; i++) {
    ck_assert_msg(!alone[i].failure, "%s: %s", alone[i].failure, alone[i].told);
    ck_assert_msg(!together[i].failure, "%s: %s", together[i].failure, together[i].told);
    ck_assert_str_eq(together[i].told, alone[i].told);
    ck_assert_ptr_nonnull(strstr(alone[i].told, "frame 50"));
    test_folder_remove(alone[i].folder);
    test_folder_remove(together[i].folder);
  }
  ck_assert_str_ne(alone[0].told, alone[THREADS - 1].told);
}

SUITE(script_threads, &tcase)
