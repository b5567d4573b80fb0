/*
** A host whose memory is refused, at every call and by its cap: the game is opened, started, played, edited and closed.
** Each failure is told, what runs goes on, the counts are right, and nothing is left at the end.
*/
#include "script/scripted.h"
#include "support/process.h"
#include "support/refuse.h"
#include "support/test.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 60000 };

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

typedef struct trial {
  scripted game;
  sp_script *script;
  size_t errors; /* that were reported */
  char error[256];
  bool started;
} trial;

static void listen(void *ud, sp_report kind, const char *text)
{
  trial *t = ud;
  hold(text[0]);
  t->errors += kind == SP_REPORT_ERROR;
}

static void save_class(const trial *t, int version)
{
  char path[400];
  snprintf(path, sizeof path, "%s/pools/Cube.lua", t->game.folder);
  FILE *file = fopen(path, "w");
  hold(file);
  fprintf(file, cube_lua, version);
  fclose(file);
}

static void open_folder(trial *t)
{
  memset(t, 0, sizeof *t);
  scripted_make(&t->game, main_lua);
  scripted_write(&t->game, "pools/Cube.lua", "");
  save_class(t, 1);
}

static void open_script(trial *t, size_t limit)
{
  sp_script_options options = {.path = t->game.folder, .seed = 1, .memory_limit = limit, .reload = true};
  options.report = listen;
  options.report_ud = t;
  t->errors = 0;
  t->error[0] = '\0';
  t->started = false;
  t->script = sp_script_open(&options, t->error, sizeof t->error);
}

/* The whole game. Whatever does not go through has to say so. */
static void play(trial *t, int version)
{
  size_t told = t->errors;
  t->started = sp_script_start(t->script, 0, NULL);
  hold(t->started || t->errors > told);
  hold(t->started || sp_script_error(t->script));
  for (int i = 0; i < 6; i++)
    hold(sp_script_update(t->script, 1 / 60.0));
  told = t->errors;
  hold(sp_script_call(t->script, "play", "") || t->errors > told);
  save_class(t, version);
  told = t->errors;
  sp_poll_result polled = sp_script_poll(t->script, SP_POLL_NOW);
  const sp_pool *cubes = sp_find_pool(sp_script_pools(t->script), "Cube");
  hold(polled != SP_POLL_REFUSED || t->errors > told);
  hold(polled != SP_POLL_RELOADED || !cubes || sp_pool_settings(cubes).limit == 500 + (uint32_t)version);
  sp_script_eval(t->script, "return pools:stats().live");
  sp_script_sprite(t->script, "a star");
  sp_script_update(t->script, 1 / 60.0);
}

/* Now that there is memory again, all of it works. */
static void recover(trial *t, size_t n)
{
  for (int i = 0; i < 3; i++)
    sp_script_poll(t->script, SP_POLL_NOW);
  ck_assert(sp_script_update(t->script, 1 / 60.0));
  ck_assert_msg(!t->started || sp_script_call(t->script, "check", ""), "after %zu: %s", n, sp_script_error(t->script));
  sp_script_clear_error(t->script);
  ck_assert(sp_script_eval(t->script, "assert(pools:alloc('Cube')):recycle()") == SP_EVAL_DONE);
  ck_assert_msg(!sp_script_error(t->script), "after %zu: %s", n, sp_script_error(t->script));
}

static void refuse_calls(bool keep_failing)
{
  trial t;
  bool some = refuse_can();
  open_folder(&t);
  size_t n = refuse_first();
  for (int version = 2; some; n += refuse_stride(37), version++) {
    ck_assert_uint_lt(n, MOST);
    refuse_begin(n, keep_failing);
    open_script(&t, 0);
    if (t.script)
      play(&t, version);
    refuse_relent();
    ck_assert(t.script || t.error[0]);
    if (t.script)
      recover(&t, n);
    sp_script_close(t.script);
    refusals r = refuse_end();
    ck_assert_msg(r.blocks == 0, "after %zu: %zu blocks are left", n, r.blocks);
    some = r.count > 0;
  }
  ck_assert(n > 1000 || !refuse_can());
  test_folder_remove(t.game.folder);
}

static test_group tcase = {"refused", .timeout = 600};

TEST(tcase, any_call_may_be_refused) { refuse_calls(false); }

TEST(tcase, all_calls_from_some_point_on_may_be_refused) { refuse_calls(true); }

/* Returns the bytes of a game at its peak, without a cap. */
static size_t bytes_of_a_game(trial *t)
{
  open_script(t, 0);
  ck_assert_ptr_nonnull(t->script);
  play(t, 2);
  size_t bytes = sp_script_bytes(t->script);
  sp_script_close(t->script);
  return bytes;
}

TEST(tcase, any_cap_is_kept_and_told_of)
{
  trial t;
  open_folder(&t);
  size_t most = bytes_of_a_game(&t) * 2, opened = 0, started = 0, trials = 0;
  for (size_t cap = most / 400; cap < most; cap += most / 400 * refuse_stride(3), trials++) {
    open_script(&t, cap);
    if (!t.script) {
      ck_assert_uint_gt(strlen(t.error), 0);
      continue;
    }
    opened++;
    play(&t, (int)trials + 3);
    started += t.started;
    ck_assert_uint_le(sp_script_bytes(t.script), cap);
    sp_script_close(t.script);
  }
  ck_assert(opened > 0 && opened < trials && started > 0 && started < opened);
  test_folder_remove(t.game.folder);
}

SUITE(host_memory, &tcase)
