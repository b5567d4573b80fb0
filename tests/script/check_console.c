/*
** The console's part of the script host: text that runs in a game, and what could complete it.
*/
#include "script/scripted.h"

#include "support/process.h"
#include "support/test.h"

#include <lua.h>
#include <stdio.h>
#include <string.h>

#define GAME                                                                                                           \
  "local spawnpool = require 'spawnpool'\n"                                                                            \
  "counter = 7\n"                                                                                                      \
  "bullets = spawnpool.class('Bullet', { fields = { damage = 3 }, methods = { hit = function() end } })\n"             \
  "words = setmetatable({ one = 1 }, { __index = { two = 2, call = function() end } })\n"                              \
  "return { update = function() if tick then tick() end end }"

static scripted it;

static void open_game(void) { scripted_start(&it, GAME); }
static void close_game(void) { scripted_end(&it); }

static void expect(const char *lua, sp_eval outcome, const char *told)
{
  sp_eval got = sp_script_eval(it.script, lua);
  const char *text = scripted_told(&it);
  ck_assert_msg(got == outcome, "%s: %d, %s", lua, (int)got, text);
  ck_assert_msg(strcmp(text, told) == 0, "%s\ntold:\n%s\nnot:\n%s", lua, text, told);
  ck_assert_int_eq(lua_gettop(sp_script_state(it.script)), 0);
}

static void expect_wrong(const char *lua, const char *part)
{
  ck_assert_int_eq(sp_script_eval(it.script, lua), SP_EVAL_FAILED);
  const char *text = scripted_told(&it);
  ck_assert_msg(strncmp(text, "error: ", 7) == 0 && strstr(text, part), "%s: '%s' is not in:\n%s", lua, part, text);
}

/* {== Running ============================================================ */

static test_group running = {"running", open_game, close_game};
static test_group completing = {"completing", open_game, close_game};

TEST(running, an_expression_shows_its_values)
{
  expect("1 + 1", SP_EVAL_DONE, "print: 2\n");
  expect("'a', nil, 2.0", SP_EVAL_DONE, "print: a\tnil\t2.0\n");
  expect("nil", SP_EVAL_DONE, "print: nil\n");
  expect("print('x')", SP_EVAL_DONE, "print: x\n");
  expect("{}", SP_EVAL_DONE, "print: {}\n");
  expect("{ 1, 'x', b = { c = true, ['a b'] = 2 } }, 5", SP_EVAL_DONE,
         "print: { 1, 'x', b = { ['a b'] = 2, c = true } }\t5\n");
  expect("{ { { { 1 } } } }", SP_EVAL_DONE, "print: { { { {...} } } }\n");
  expect("(function() local t = {} t.t = t return t end)()", SP_EVAL_DONE, "print: { t = { t = { t = {...} } } }\n");
  expect("#select(2, pcall(tostring, {})) > 0, table.pack(table.unpack({}, 1, 30)).n", SP_EVAL_DONE,
         "print: true\t30\n");
  expect("setmetatable({}, { __index = error, __len = error }) ~= nil", SP_EVAL_DONE, "print: true\n");
  expect("setmetatable({}, { __tostring = function() return 'my words' end })", SP_EVAL_DONE, "print: my words\n");
}

TEST(running, long_tables_are_cut_and_help_says_what_there_is)
{
  ck_assert_int_eq(sp_script_eval(it.script, "(function() local t = {} for i = 1, 50 do t[i] = i end return t end)()"),
                   SP_EVAL_DONE);
  scripted_expect(&it, " 19, 20, ... 30 more }");
  ck_assert_int_eq(sp_script_eval(it.script, "('x'):rep(5000)"), SP_EVAL_DONE);
  ck_assert_uint_lt(strlen(scripted_told(&it)), 2100);
  ck_assert_int_eq(sp_script_eval(it.script, "help"), SP_EVAL_DONE);
  scripted_expect(&it, "pools:stats() shows their counts");
  expect("pools:stats().prewarm", SP_EVAL_DONE, "print: { done = 0, wanted = 0 }\n");
}

TEST(running, a_statement_is_done_and_shows_nothing)
{
  expect("local a = 1", SP_EVAL_DONE, "");
  expect("", SP_EVAL_DONE, "");
  expect("-- nothing", SP_EVAL_DONE, "");
  expect("for i = 1, 2 do print(i) end", SP_EVAL_DONE, "print: 1\nprint: 2\n");
  expect("return 5", SP_EVAL_DONE, "print: 5\n");
}

TEST(running, globals_are_those_of_the_game)
{
  expect("counter", SP_EVAL_DONE, "print: 7\n");
  expect("counter = counter + 1; fresh = 'new'", SP_EVAL_DONE, "");
  expect("_G.counter, _G.fresh, rawget(_G, 'sel')", SP_EVAL_DONE, "print: 8\tnew\tnil\n");
  expect("function tick() print('tick', counter, pools == require('spawnpool').pools) end", SP_EVAL_DONE, "");
  ck_assert(scripted_update(&it));
  ck_assert_str_eq(scripted_told(&it), "print: tick\t8\ttrue\n");
}

TEST(running, the_library_is_there_without_require_and_a_global_of_the_game_goes_before_it)
{
  expect("spawnpool == require 'spawnpool', pools == spawnpool.pools", SP_EVAL_DONE, "print: true\ttrue\n");
  expect("pools = 'mine'", SP_EVAL_DONE, "");
  expect("pools", SP_EVAL_DONE, "print: mine\n");
}

TEST(running, what_is_not_complete_asks_for_more)
{
  expect("for i = 1, 2 do", SP_EVAL_MORE, "");
  expect("print(1,", SP_EVAL_MORE, "");
  expect("x = [[two\nlines", SP_EVAL_MORE, "");
  expect("for i = 1, 2 do\nprint(i)\nend", SP_EVAL_DONE, "print: 1\nprint: 2\n");
}

TEST(running, errors_are_told_and_over)
{
  expect_wrong("x = = 1", "error: unexpected symbol near '='");
  expect_wrong("error('my reason')", "error: my reason");
  expect_wrong("error({})", "error: (error object is a table value)");
  expect_wrong("error(nil)", "error: (error object is a nil value)");
  expect_wrong("local a\nlocal b = a.c", "error: console:2: attempt to index a nil value (local 'a')");
  expect_wrong("pools:alloc('Bullet').color = 1", "Bullet has no field 'color'");
  expect_wrong("bulets.x = 1", "hint: did you mean 'bullets'?");
  expect_wrong("pols.x = 1", "hint: did you mean 'pools'?");
  ck_assert_ptr_null(sp_script_error(it.script));
  ck_assert(scripted_update(&it));
}

TEST(running, it_runs_in_the_sandbox)
{
  expect("io, os.execute, debug.getinfo, dofile, string.dump", SP_EVAL_DONE, "print: nil\tnil\tnil\tnil\tnil\n");
  expect("load('return 5')()", SP_EVAL_DONE, "print: 5\n");
  expect_wrong("require 'no_such'", "module 'no_such' not found");
}

TEST(running, a_loop_that_never_ends_is_stopped)
{
  scripted g;
  scripted_make(&g, "return {}");
  g.options.patience = 0.2;
  scripted_begin(&g);
  ck_assert_int_eq(sp_script_eval(g.script, "while true do end"), SP_EVAL_FAILED);
  const char *text = scripted_told(&g);
  ck_assert_msg(strstr(text, "error: stopped: it ran for more than 0.2 s") && strstr(text, "\n  hint: "), "%s", text);
  ck_assert_int_eq(sp_script_eval(g.script, "1"), SP_EVAL_DONE);
  scripted_end(&g);
}

TEST(running, a_text_as_long_as_memory_allows_is_refused_beyond)
{
  scripted g;
  scripted_make(&g, "return {}");
  g.options.memory_limit = 4 << 20;
  scripted_begin(&g);
  ck_assert_int_eq(sp_script_eval(g.script, "('x'):rep(1 << 24)"), SP_EVAL_FAILED);
  ck_assert_str_eq(scripted_told(&g), "error: not enough memory\n");
  ck_assert_int_eq(sp_script_eval(g.script, "1"), SP_EVAL_DONE);
  scripted_end(&g);
}

TEST(running, what_is_typed_does_not_take_new_code_back)
{
  static const char class[] = "local Part = require('spawnpool').class 'Part'\n"
                              "function Part:alloc(life, n) %s return Part.super.alloc(self, life) end return Part";
  scripted g;
  char text[256];
  scripted_make(&g, "return { load = function() require('spawnpool').class 'Part' end }");
  snprintf(text, sizeof text, class, "");
  scripted_write(&g, "pools/Part.lua", text);
  g.options.reload = true;
  scripted_begin(&g);
  snprintf(text, sizeof text, class, "n = n + 1");
  scripted_write(&g, "pools/Part.lua", text);
  ck_assert_int_eq(sp_script_poll(g.script, SP_POLL_NOW), SP_POLL_RELOADED);
  scripted_told(&g);
  ck_assert_int_eq(sp_script_eval(g.script, "pools:alloc('Part', 0, {})"), SP_EVAL_FAILED);
  scripted_expect(&g, "Part.lua:2: attempt to perform arithmetic on a table value");
  ck_assert_int_eq(sp_script_poll(g.script, SP_POLL_NOW), SP_POLL_NOTHING);
  ck_assert_int_eq(sp_script_eval(g.script, "pools:alloc('Part', 0)"), SP_EVAL_FAILED);
  scripted_end(&g);
}

/* }== */

/* {== The selected object ================================================ */

static sp_ref first_live(void)
{
  sp_walk walk = sp_pool_walk(sp_get_pool(sp_script_pools(it.script), 0));
  return sp_walk_next(&walk);
}

TEST(running, sel_is_the_selected_object_as_long_as_it_lives)
{
  expect("sel", SP_EVAL_DONE, "print: nil\n");
  expect("b = pools:alloc('Bullet') b.x = 5", SP_EVAL_DONE, "");
  sp_script_select(it.script, first_live());
  expect("sel == b, sel.x", SP_EVAL_DONE, "print: true\t5.0\n");
  expect("function tick() print(sel) end", SP_EVAL_DONE, "");
  expect("b:recycle()", SP_EVAL_DONE, "print: true\n");
  expect("sel", SP_EVAL_DONE, "print: nil\n");
  expect("pools:alloc('Bullet') ~= b, sel", SP_EVAL_DONE, "print: true\tnil\n");
  ck_assert(scripted_update(&it));
  ck_assert_str_eq(scripted_told(&it), "print: nil\n");
  sp_script_select(it.script, 0);
  expect("sel", SP_EVAL_DONE, "print: nil\n");
}

/* }== */

/* {== Completing ========================================================= */

static char words[8192];

static void add_word(void *ud, const char *word)
{
  (void)ud;
  snprintf(words + strlen(words), sizeof words - strlen(words), " %s", word);
}

static void expect_words(const char *text, size_t begun, const char *expected)
{
  words[0] = '\0';
  size_t got = sp_script_complete(it.script, text, add_word, NULL);
  ck_assert_msg(strcmp(words, expected) == 0, "%s:%s, not:%s", text, words, expected);
  ck_assert_msg(got == begun, "%s: %zu bytes", text, got);
  ck_assert_str_eq(scripted_told(&it), "");
  ck_assert_int_eq(lua_gettop(sp_script_state(it.script)), 0);
}

static void expect_word(const char *text, const char *word, bool is_there)
{
  char whole[64];
  words[0] = '\0';
  sp_script_complete(it.script, text, add_word, NULL);
  snprintf(whole, sizeof whole, " %s ", word);
  strcat(words, " ");
  ck_assert_msg((strstr(words, whole) != NULL) == is_there, "%s: %s in%s", text, word, words);
}

TEST(completing, globals_complete)
{
  expect_words("coun", 4, " counter");
  expect_words("x = 1 + coun", 4, " counter");
  expect_words("print(coun", 4, " counter");
  expect_words("se", 2, " sel select setmetatable");
  expect_words("poo", 3, " pools");
  expect_words("nothing_of_this", 15, "");
  expect_word("", "print", true);
}

TEST(completing, fields_of_tables_complete)
{
  expect_words("math.flo", 3, " floor");
  expect_words("a .. math . flo", 3, " floor");
  expect_words("words.", 0, " call one two");
  expect_words("words:", 0, " call");
  expect_words("words.one.", 0, "");
  expect_words("nowhere.", 0, "");
  expect_words("'a' .. coun", 4, " counter");
  expect_words("_G.math['floor'].", 0, "");
  expect_words("_G['math'].flo", 3, " floor");
  expect_words("spawnpool.cl", 2, " class");
  expect_words("bullets.me", 2, " methods");
}

TEST(completing, methods_and_fields_of_managers_pools_and_objects_complete)
{
  expect_words("pools:al", 2, " alloc");
  expect_words("pools.ti", 2, " time time_scale");
  expect_words("pools:ti", 2, "");
  expect("p = pools:pool('Bullet') b = p:alloc()", SP_EVAL_DONE, "");
  expect_words("p:rec", 3, " recycle recycle_all");
  expect_words("p.pe", 2, " peak");
  expect_words("b.dam", 3, " damage");
  expect_words("b.hi", 2, " hit");
  expect_words("b:hi", 2, " hit");
  expect_words("b:dam", 3, "");
  expect_words("b.parent.", 0, "");
  expect_words("b.pool.pe", 2, " peak");
  expect("b:recycle()", SP_EVAL_DONE, "print: true\n");
  expect_words("b.", 0, "");
  expect_words("print.", 0, "");
}

TEST(completing, methods_and_fields_of_maps_complete)
{
  expect("map = spawnpool.tiles { size = 8, rows = { '#' } }", SP_EVAL_DONE, "");
  expect_words("map:", 0, " at each get move set solid");
  expect_words("map.wi", 2, " width");
  expect_words("spawnpool.ti", 2, " tiles");
}

TEST(completing, what_a_call_returns_is_guessed_and_nothing_is_called)
{
  expect_words("pools:pool('Bullet').pe", 2, " peak");
  expect_words("pools:pool(\"Bullet\"):near", 4, " nearest");
  expect("#pools:stats()", SP_EVAL_DONE, "print: 0\n");
  expect("pools:pool('Bullet')", SP_EVAL_DONE, "print: pool of Bullet (0 live, 0 idle)\n");
  expect_words("pools:alloc('Bullet', 0, 1, 2).dam", 3, " damage");
  expect_words("pools:alloc('Bullet', 0, 1, 2):hi", 2, " hit");
  expect_words("pools:alloc('Bullet').pool.pe", 2, " peak");
  expect("pools:pool('Bullet').live", SP_EVAL_DONE, "print: 0\n");
  expect_words("require('spawnpool').cl", 2, " class");
  expect_words("print(1).", 0, "");
  expect("guarded = setmetatable({}, { __index = function() error 'asked' end })", SP_EVAL_DONE, "");
  expect_words("guarded.x.", 0, "");
}

TEST(completing, types_and_modules_complete_inside_quotes)
{
  expect_words("pools:alloc('Bul", 3, " Bullet");
  expect_words("pools:alloc(\"Bul", 3, " Bullet");
  expect_words("pools:pool 'Bul", 3, " Bullet");
  expect_words("pools:take { type = 'Bul", 3, " Bullet");
  expect_words("require 'spawn", 5, " spawnpool");
  expect_words("print('Bul", 3, "");
  sp_script_eval(it.script, "pools:alloc 'Zebra' pools:alloc 'Bullet'");
  scripted_told(&it);
  expect_words("pools:alloc('Ze", 2, " Zebra"); /* no class, but a pool */
  expect_words("pools:alloc('Bul", 3, " Bullet");
  expect_words("'it\\'s' .. coun", 4, " counter");
}

TEST(completing, odd_texts_complete_nothing_and_do_no_harm)
{
  static const char *const texts[] = {"..",  "1.",   "a.b.c.d.", "(", ")).", "[[",
                                      "{}.", "'x'.", "a[b].",    ":", "::",  "\n"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    words[0] = '\0';
    sp_script_complete(it.script, texts[i], add_word, NULL);
    ck_assert_str_eq(scripted_told(&it), "");
    ck_assert_int_eq(lua_gettop(sp_script_state(it.script)), 0);
  }
}

/* }== */

SUITE(console, &running, &completing)
