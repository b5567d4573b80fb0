/*
** The console's part of the script host: text that runs in a game, and what could complete it.
*/
#include "script/scripted.h"

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

/* {== Running ============================================================ */

static test_group running = {"running", open_game, close_game};
static test_group running_alone = {"alone"};
static test_group completing = {"completing", open_game, close_game};

/* Typed one after the other. What is told of a failure is a part of it. */
static const struct {
  const char *lua;
  sp_eval outcome;
  const char *told;
} rows[] = {
    /* An expression shows its values. */
    {"1 + 1", SP_EVAL_DONE, "print: 2\n"},
    {"'a', nil, 2.0", SP_EVAL_DONE, "print: a\tnil\t2.0\n"},
    {"nil", SP_EVAL_DONE, "print: nil\n"},
    {"print('x')", SP_EVAL_DONE, "print: x\n"},
    {"{}", SP_EVAL_DONE, "print: {}\n"},
    {"{ 1, 'x', b = { c = true, ['a b'] = 2 } }, 5", SP_EVAL_DONE,
     "print: { 1, 'x', b = { ['a b'] = 2, c = true } }\t5\n"},
    {"{ { { { 1 } } } }", SP_EVAL_DONE, "print: { { { {...} } } }\n"},
    {"(function() local t = {} t.t = t return t end)()", SP_EVAL_DONE, "print: { t = { t = { t = {...} } } }\n"},
    {"#select(2, pcall(tostring, {})) > 0, table.pack(table.unpack({}, 1, 30)).n", SP_EVAL_DONE, "print: true\t30\n"},
    {"setmetatable({}, { __index = error, __len = error }) ~= nil", SP_EVAL_DONE, "print: true\n"},
    {"setmetatable({}, { __tostring = function() return 'my words' end })", SP_EVAL_DONE, "print: my words\n"},
    /* A statement is done and shows nothing. */
    {"local a = 1", SP_EVAL_DONE, ""},
    {"", SP_EVAL_DONE, ""},
    {"-- nothing", SP_EVAL_DONE, ""},
    {"for i = 1, 2 do print(i) end", SP_EVAL_DONE, "print: 1\nprint: 2\n"},
    {"return 5", SP_EVAL_DONE, "print: 5\n"},
    /* What is not complete asks for more. */
    {"for i = 1, 2 do", SP_EVAL_MORE, ""},
    {"print(1,", SP_EVAL_MORE, ""},
    {"x = [[two\nlines", SP_EVAL_MORE, ""},
    {"for i = 1, 2 do\nprint(i)\nend", SP_EVAL_DONE, "print: 1\nprint: 2\n"},
    /* Errors are told and over. */
    {"x = = 1", SP_EVAL_FAILED, "error: unexpected symbol near '='"},
    {"error('my reason')", SP_EVAL_FAILED, "error: my reason"},
    {"error({})", SP_EVAL_FAILED, "error: (error object is a table value)"},
    {"error(nil)", SP_EVAL_FAILED, "error: (error object is a nil value)"},
    {"local a\nlocal b = a.c", SP_EVAL_FAILED, "error: console:2: attempt to index a nil value (local 'a')"},
    {"pools:alloc('Bullet').color = 1", SP_EVAL_FAILED, "Bullet has no field 'color'"},
    {"bulets.x = 1", SP_EVAL_FAILED, "hint: did you mean 'bullets'?"},
    {"pols.x = 1", SP_EVAL_FAILED, "hint: did you mean 'pools'?"},
    {"io, os.execute, debug.getinfo, dofile, string.dump", SP_EVAL_DONE, "print: nil\tnil\tnil\tnil\tnil\n"},
    {"load('return 5')()", SP_EVAL_DONE, "print: 5\n"},
    {"require 'no_such'", SP_EVAL_FAILED, "module 'no_such' not found"},
    /* The library is there without require, and a global of the game goes before it. */
    {"spawnpool == require 'spawnpool', pools == spawnpool.pools", SP_EVAL_DONE, "print: true\ttrue\n"},
    {"pools = 'mine'", SP_EVAL_DONE, ""},
    {"pools", SP_EVAL_DONE, "print: mine\n"},
};

TEST(running, texts_run_in_the_game)
{
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].outcome != SP_EVAL_FAILED) {
      expect(rows[i].lua, rows[i].outcome, rows[i].told);
    } else {
      ck_assert_int_eq(sp_script_eval(it.script, rows[i].lua), SP_EVAL_FAILED);
      scripted_expect(&it, rows[i].told);
    }
  ck_assert_ptr_null(sp_script_error(it.script));
  ck_assert(scripted_update(&it));
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

TEST(running, globals_are_those_of_the_game)
{
  expect("counter", SP_EVAL_DONE, "print: 7\n");
  expect("counter = counter + 1; fresh = 'new'", SP_EVAL_DONE, "");
  expect("_G.counter, _G.fresh, rawget(_G, 'sel')", SP_EVAL_DONE, "print: 8\tnew\tnil\n");
  expect("function tick() print('tick', counter, pools == require('spawnpool').pools) end", SP_EVAL_DONE, "");
  ck_assert(scripted_update(&it));
  ck_assert_str_eq(scripted_told(&it), "print: tick\t8\ttrue\n");
}
TEST(running, what_takes_too_much_is_stopped)
{
  it.options.patience = 0.1;
  it.options.memory_limit = 4 << 20;
  sp_script_close(it.script);
  scripted_begin(&it);
  ck_assert_int_eq(sp_script_eval(it.script, "while true do end"), SP_EVAL_FAILED);
  const char *text = scripted_told(&it);
  ck_assert_msg(strstr(text, "error: stopped: it ran for more than 0.1 s") && strstr(text, "\n  hint: "), "%s", text);
  expect("('x'):rep(1 << 24)", SP_EVAL_FAILED, "error: not enough memory\n");
  expect("1", SP_EVAL_DONE, "print: 1\n");
}

#define PART(body)                                                                                                     \
  "local Part = require('spawnpool').class 'Part'\n"                                                                   \
  "function Part:alloc(life, n) " body " return Part.super.alloc(self, life) end return Part"

SCRIPT_TEST(running_alone, what_is_typed_does_not_take_new_code_back)
{
  scripted_make(g, "return { load = function() require('spawnpool').class 'Part' end }");
  scripted_write(g, "pools/Part.lua", PART(""));
  g->options.reload = true;
  scripted_begin(g);
  ck_assert_int_eq(scripted_save(g, "pools/Part.lua", PART("n = n + 1")), SP_POLL_RELOADED);
  scripted_told(g);
  ck_assert_int_eq(sp_script_eval(g->script, "pools:alloc('Part', 0, {})"), SP_EVAL_FAILED);
  scripted_expect(g, "Part.lua:2: attempt to perform arithmetic on a table value");
  ck_assert_int_eq(sp_script_poll(g->script, SP_POLL_NOW), SP_POLL_NOTHING);
  ck_assert_int_eq(sp_script_eval(g->script, "pools:alloc('Part', 0)"), SP_EVAL_FAILED);
}

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

/* The words for the end of a text, and of how many bytes they take the place. */
static const struct {
  const char *text;
  size_t begun;
  const char *words;
} ends[] = {
    {"coun", 4, " counter"},
    {"x = 1 + coun", 4, " counter"},
    {"print(coun", 4, " counter"},
    {"se", 2, " sel select setmetatable"},
    {"poo", 3, " pools"},
    {"nothing_of_this", 15, ""},
    {"math.flo", 3, " floor"},
    {"a .. math . flo", 3, " floor"},
    {"words.", 0, " call one two"},
    {"words:", 0, " call"},
    {"words.one.", 0, ""},
    {"nowhere.", 0, ""},
    {"'a' .. coun", 4, " counter"},
    {"_G.math['floor'].", 0, ""},
    {"_G['math'].flo", 3, " floor"},
    {"spawnpool.cl", 2, " class"},
    {"bullets.me", 2, " methods"},
};

TEST(completing, globals_and_fields_of_tables_complete)
{
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    expect_words(ends[i].text, ends[i].begun, ends[i].words);
  expect_word("", "print", true);
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

SUITE(console, &running, &running_alone, &completing)
