/*
** A repeatable state: two runs of a game that depends on all that differs from run to run are equal.
*/
#include "script/host/inspect.h"
#include "script/scripted.h"
#include "support/process.h"

#include <lua.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UPDATES 130 /* two cycles of the collector where there are weak tables */
#define LINES_MOST 8192

/* {== Two runs =========================================================== */

typedef struct run {
  scripted game;
  char *lines[LINES_MOST];
  int count;
  uint64_t hashes[UPDATES];
} run;

static void on_report(void *ud, sp_report kind, const char *text)
{
  run *r = ud;
  ck_assert_msg(kind == SP_REPORT_PRINT, "%s", text);
  ck_assert_int_lt(r->count, LINES_MOST);
  r->lines[r->count++] = strdup(text);
}

/* `noise`: blocks in memory that the other run does not have. */
static void play(run *r, int noise)
{
  char code[128];
  char *main = test_read_file("tests/lua/repeatable.lua");
  memset(r, 0, sizeof *r);
  scripted_make(&r->game, main);
  free(main);
  r->game.options.seed = 7;
  r->game.options.repeatable = true;
  r->game.options.start_time = 1000000000;
  r->game.options.report = on_report;
  r->game.options.report_ud = r;
  scripted_open(&r->game);
  snprintf(code, sizeof code, "local t = {} for i = 1, %d do t[i] = { ('y'):rep(i %% 90) } end", noise);
  ck_assert_int_eq(sp_script_eval(r->game.script, code), SP_EVAL_DONE);
  ck_assert(sp_script_start(r->game.script, 0, NULL));
  for (int i = 0; i < UPDATES; i++) {
    ck_assert(sp_script_call(r->game.script, "update", "n", 1 / 60.0));
    ck_assert(sp_script_update(r->game.script, 1 / 60.0));
    r->hashes[i] = sp_script_hash(r->game.script, NULL, NULL);
    ck_assert_int_eq(sp_script_eval(r->game.script, noise ? "local junk = { {}, print }" : ""), SP_EVAL_DONE);
  }
}

static void end(run *r)
{
  for (int i = 0; i < r->count; i++)
    free(r->lines[i]);
  scripted_end(&r->game);
}

static run first, second;

static test_group runs = {"runs"};

TEST(runs, two_runs_are_equal_whatever_the_game_looks_at)
{
  play(&first, 0);
  play(&second, 5000);
  ck_assert_int_eq(first.count, second.count);
  for (int i = 0; i < first.count; i++)
    ck_assert_str_eq(second.lines[i], first.lines[i]);
  for (int i = 0; i < UPDATES; i++) {
    ck_assert_msg(first.hashes[i] == second.hashes[i] && first.hashes[i] != 0, "update %d", i + 1);
    ck_assert(i == 0 || first.hashes[i] != first.hashes[i - 1]);
  }
  end(&first);
  end(&second);
}

/* }== */

/* {== The hash =========================================================== */

#define POOLS                                                                                                          \
  "local spawnpool <const> = require 'spawnpool'\n"                                                                    \
  "spawnpool.class('Thing', { fields = { n = 1, on = false, name = 'a', friend = spawnpool.ref,\n"                     \
  "  bag = spawnpool.any() } })\n"                                                                                     \
  "for i = 1, 9 do local o = spawnpool.pools:alloc('Thing', 5, i, i)\n"                                                \
  "  o.bag = { list = { i, { 'deep' } }, [o] = true } end\n"                                                           \
  "thing = spawnpool.pools:alloc('Thing', 5) return {}"

/* The parts of the pool before, and now, a line each; and the names of fields and objects that differ. */
typedef struct parts {
  char before[16384], now[16384], changed[512];
} parts;

static void on_part(void *ud, const char *pool, sp_hash_kind kind, const char *name, uint64_t number)
{
  parts *p = ud;
  char line[80];
  size_t used = strlen(p->now);
  ck_assert_str_eq(pool, "Thing");
  snprintf(line, sizeof line, "\n%s is %llx.", name, (unsigned long long)number);
  ck_assert_int_lt(snprintf(p->now + used, sizeof p->now - used, "%s", line), (int)(sizeof p->now - used));
  if (kind != SP_HASH_POOL && !strstr(p->before, line))
    strcat(strcat(p->changed, name), " ");
}

static uint64_t hash_parts(sp_script *script, parts *p)
{
  strcpy(p->before, p->now);
  p->now[0] = p->changed[0] = '\0';
  return sp_script_hash(script, on_part, p);
}

/* Every changed part changes the hash and is named; setting it back restores the hash. */
TEST(runs, every_part_of_an_object_is_in_the_hash_and_has_its_name)
{
  static const struct {
    const char *change, *back, *named;
  } rows[] = {
      {"thing.x = 3", "thing.x = 0", "x #10 "},
      {"thing.vy = 1e-30", "thing.vy = 0", "vy #10 "},
      {"thing.layer = 2", "thing.layer = 0", "layer #10 "},
      {"thing.sprite = 'spark'", "thing.sprite = 'circle'", "sprite #10 "},
      {"thing.visible = false", "thing.visible = true", "visible #10 "},
      {"thing.n = 1 + 2 ^ -52", "thing.n = 1", "n #10 "},
      {"thing.on = true", "thing.on = false", "on #10 "},
      {"thing.name = 'b'", "thing.name = 'a'", "name #10 "},
      {"thing.bag = { 1, { 2 } }", "thing.bag = nil", "bag #10 "},
      {"for o in pools:each() do if o.x == 3 then o.bag.list[2][1] = 'deeper' end end",
       "for o in pools:each() do if o.x == 3 then o.bag.list[2][1] = 'deep' end end", "bag #3 "},
      {"thing.friend = thing", "thing.friend = nil", "friend #10 "},
      {"thing.remaining = 9", "thing.remaining = 5", "remaining #10 "},
      {"thing:after(3, print)", NULL, "(timers) #10 "}, /* it cannot be stopped */
  };
  scripted g;
  scripted_make(&g, POOLS);
  g.options.repeatable = true;
  scripted_begin(&g);
  static parts p;
  uint64_t before = hash_parts(g.script, &p);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    ck_assert_msg(sp_script_eval(g.script, rows[i].change) == SP_EVAL_DONE, "%s", scripted_told(&g));
    ck_assert_msg(hash_parts(g.script, &p) != before, "%s", rows[i].change);
    ck_assert_str_eq(p.changed, rows[i].named);
    if (!rows[i].back)
      continue;
    ck_assert_msg(sp_script_eval(g.script, rows[i].back) == SP_EVAL_DONE, "%s", scripted_told(&g));
    ck_assert_msg(hash_parts(g.script, &p) == before, "%s: %s differ", rows[i].back, p.changed);
  }
  scripted_end(&g);
}

/* }== */

/* {== Commands =========================================================== */

static void on_command(void *ud, sp_ref object, const char *field, const char *text)
{
  char *told = ud;
  size_t used = strlen(told);
  snprintf(told + used, 200 - used, "%s %s %s\n", object ? "object" : "nothing", field ? field : "(eval)", text);
}

TEST(runs, commands_from_outside_are_heard_before_they_run)
{
  scripted g;
  char told[200] = "", unused[200];
  scripted_start(&g, POOLS);
  sp_walk walk = sp_pool_walk(sp_find_pool(sp_script_pools(g.script), "Thing"));
  sp_ref object = sp_walk_next(&walk);
  sp_script_on_command(g.script, on_command, told);
  sp_script_eval(g.script, "x = 1");
  sp_script_select(g.script, object);
  sp_script_eval(g.script, "sel.x = 1");
  sp_script_set_field(g.script, object, "y", "2", unused, sizeof unused);
  sp_script_on_command(g.script, NULL, NULL);
  sp_script_eval(g.script, "x = 2");
  ck_assert_str_eq(told, "nothing (eval) x = 1\nobject (eval) sel.x = 1\nobject y 2\n");
  scripted_end(&g);
}

/* }== */

SUITE(repeatable, &runs)
