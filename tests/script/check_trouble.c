/*
** The text of errors: the place, the source line as it runs, the callers, and a hint where there is one.
*/
#include "script/scripted.h"

#include <stdio.h>
#include <string.h>

/* A game that runs `body` in update; what was told then. Good until the next call. */
static const char *told_by(const char *body)
{
  static char told[8192];
  char main[4096];
  scripted g;
  snprintf(main, sizeof main,
           "local spawnpool = require 'spawnpool'\nlocal pools = spawnpool.pools\n"
           "local speed, enemies = 1, { count = 3 }\nlocal function hunt() %s end\n"
           "return { update = function() return speed and hunt() end }",
           body);
  scripted_make(&g, main);
  g.options.patience = strstr(body, "while true") ? 0.2 : 0;
  scripted_open(&g);
  if (sp_script_start(g.script, 0, NULL))
    scripted_update(&g);
  snprintf(told, sizeof told, "%s", scripted_told(&g));
  scripted_end(&g);
  return told;
}

/* {== Hints ============================================================== */

static test_group hints = {"hints"};
static test_group other = {"other"};
static test_group quoted = {"quoted"};

/* The hint begins like this; NULL: there is none. */
static const char *const rows[][2] = {
    {"sped = sped + 1", "did you mean 'speed'?"},
    {"enemis.count = 1", "did you mean 'enemies'?"},
    {"local target = 1 local x = tarjet + 1", "did you mean 'target'?"},
    {"prnt(1)", "did you mean 'print'?"},
    {"loadstring('return 1')", "Lua 5.4 has no 'loadstring': use load"},
    {"unpack({})", "Lua 5.4 has no 'unpack': use table.unpack"},
    {"debug.getinfo(1)", "the sandbox has no 'debug.getinfo'; --trust opens all of Lua"},
    {"Hunt()", "did you mean 'hunt'?"},
    {"zebra.x = 1", NULL},
    {"math.flor(1)", "did you mean 'floor'?"},
    {"return enemies.coutn + 1", "did you mean 'count'?"},
    {"spawnpool.clas('A')", "did you mean 'class'?"},
    {"enemies.list.x = 1", NULL},
    {"string.frmat('%d')", "did you mean 'format'?"},
    {"local s = 'x' s:uper()", "did you mean 'upper'?"},
    {"io.write('x')", "the sandbox has no 'io'; --trust"},
    {"os.exit()", "the sandbox has no 'os.exit'; --trust"},
    {"dofile 'x'", "the sandbox has no 'dofile'; --trust"},
    {"require 'spwanpool'", "did you mean 'spawnpool'?"},
    {"require 'something_else'", NULL},
    {"if speed = 1 then end", "'=' gives a value, '==' compares"},
    {"speed += 1", "Lua has no '+='"},
    {"if !speed then end", "Lua has 'not x'"},
    {"if speed != 1 then end", "Lua has 'not x', and 'a ~= b'"},
    {"if speed then", "'function' at line 4 has no 'end' of its own"},
    {"local s = 'abc", "a quote is missing"},
    {"print(1, 2 end", "')' is missing, or a comma"},
    {"print(1,\nlocal x = 1", "something is missing before 'local', perhaps a bracket in the line above"},
    {"local end = 1", "'end' is a keyword of Lua"},
    {"local x <const> = 1 x = 2", "'x' is declared <const>"},
    {"local x = = 1", NULL},
    {"while true do end", "let it return each frame"},
    {"hunt = nil local function f() return f() + 1 end f()", "a function calls itself"},
    {"error 'my own'", NULL},
    {"error({})", NULL},
    {"return 1 + {}", NULL},
};

TEST(hints, a_mistake_has_a_hint_only_where_it_helps)
{
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *body = rows[i][0], *hint = rows[i][1], *told = told_by(body), *got = strstr(told, "\n  hint: ");
    ck_assert_msg(strncmp(told, "error: ", 7) == 0, "%s: %s", body, told);
    ck_assert_msg(hint ? got && strncmp(got + 9, hint, strlen(hint)) == 0 : !got, "%s: not '%s' in:\n%s", body, hint,
                  told);
  }
}

TEST(hints, the_whole_text_has_place_line_callers_and_hint)
{
  ck_assert_str_eq(told_by("\n  pols:alloc('X')\n"),
                   "error: GAME/main.lua:5: attempt to index a nil value (global 'pols')\n"
                   "    pols:alloc('X')\n  at GAME/main.lua:5 in hunt\n"
                   "  at GAME/main.lua:7 in update\n"
                   "  hint: did you mean 'pools'?\n");
}

TEST(hints, what_the_library_says_itself_is_not_said_twice)
{
  const char *told = told_by("pools:aloc('X')");
  ck_assert_msg(strstr(told, "did you mean 'alloc'?") && !strstr(told, "hint:"), "%s", told);
}

SCRIPT_TEST(hints, a_module_that_is_not_there_names_the_nearest)
{
  scripted_make(g, "require 'engin.weels' return {}");
  scripted_write(g, "engine/wheels.lua", "return {}");
  scripted_expect_no_start(g, "\n  hint: did you mean 'engine.wheels'?\n");
}

/* }== */

/* {== The rest =========================================================== */

SCRIPT_TEST(other, an_end_that_is_missing_names_the_line_that_it_belongs_to)
{
  scripted_make(g, "local function f()\n  if x then\n  y()\nend\nreturn {}\n");
  scripted_expect_no_start(g, "\n  hint: 'function' at line 1 has no 'end' of its own\n");
}

TEST(other, a_function_that_calls_itself_is_told_once)
{
  const char *told = told_by("local function f() return f() + 1 end f()");
  const char *frame = strstr(told, "\n  at ");
  ck_assert_ptr_nonnull(frame);
  ck_assert_msg(!strstr(frame + 1, "\n  at "), "%s", told);
  told = told_by("\nlocal function f(n) return n > 0 and f(n - 1) + 1 or error 'deep' end\nf(99)\n");
  ck_assert_msg(strstr(told, "5 in f\n  at GAME/main.lua:6 in hunt\n  at GAME/main.lua:8 in update\n"), "%s", told);
}

TEST(other, coroutines_and_values_that_are_no_text_have_place_line_and_callers)
{
  const char *told = told_by("\npools:run(function()\nlocal function aim() error {} end\naim()\nend)\n");
  ck_assert_msg(strstr(told, "error: run: GAME/main.lua:6: (error object is a table value)\n"
                             "    local function aim() error {} end\n"
                             "  at GAME/main.lua:6 in aim\n  at GAME/main.lua:7 in a coroutine\n"),
                "%s", told);
}

SCRIPT_TEST(other, memory_that_is_refused_names_the_callback_and_the_limit)
{
  scripted_make(g, "return { update = function() local t = {} while true do t[#t + 1] = {} end end }");
  g->options.memory_limit = 16 << 20;
  scripted_begin(g);
  ck_assert(!scripted_update(g));
  scripted_expect(g, "error: GAME/main.lua: not enough memory in update (the limit is 16 MiB)\n"
                     "  hint: --memory sets how much a game may have\n");
}

TEST(other, an_error_in_an_override_of_alloc_names_its_line_and_all_callers)
{
  const char *told =
      told_by("\n  local Cube = spawnpool.class('Cube')\n  local function aim(angle) return angle + nil end\n"
              "  function Cube:alloc(...)\n    local cube = Cube.super.alloc(self, ...)\n"
              "    cube.angle = aim(1)\n    return cube\n  end\n  pools:alloc('Cube')\n");
  ck_assert_str_eq(told, "error: GAME/main.lua:6: attempt to perform arithmetic on a nil value\n"
                         "    local function aim(angle) return angle + nil end\n  at GAME/main.lua:6 in aim\n"
                         "  at GAME/main.lua:9 in Cube.alloc\n  at GAME/main.lua:12 in hunt\n"
                         "  at GAME/main.lua:14 in update\n");
}

SCRIPT_TEST(other, a_hint_is_given_once)
{
  scripted_make(g, "return 5");
  g->options.reload = true;
  scripted_open(g);
  ck_assert(!sp_script_start(g->script, 0, NULL));
  const char *told = scripted_told(g), *hint = strstr(told, "hint: end main.lua with");
  ck_assert_msg(hint && !strstr(hint + 1, "hint: "), "%s", told);
}

/* }== */

/* {== Which text is quoted =============================================== */

#define LONG "a_name_that_is_rather_long_so_that_lua_would_cut_it_in_its_messages"

SCRIPT_TEST(quoted, names_of_files_are_whole_however_long)
{
  scripted_make(g, "return require('" LONG "." LONG "')");
  scripted_write(g, LONG "/" LONG ".lua", "return = {}");
  scripted_expect_no_start(g, "GAME/" LONG "/" LONG ".lua:1: unexpected symbol near '='");
  sp_script_close(g->script);
  scripted_write(g, LONG "/" LONG ".lua", "return { update = function() error 'here' end }");
  scripted_begin(g);
  ck_assert(!scripted_update(g));
  scripted_expect(g, "error: GAME/" LONG "/" LONG ".lua:1: here\n    return {");
}

SCRIPT_TEST(quoted, a_line_with_a_million_blanks_in_it_takes_no_time_that_grows_with_their_square)
{
  static char main[1 << 20];
  memset(main, ' ', sizeof main);
  memcpy(main, "\tx", 2);
  memcpy(main + sizeof main - 3, "y ", 3);
  scripted_make(g, main);
  scripted_expect_no_start(g, "GAME/main.lua:1: syntax error near 'y'\n    x");
}

SCRIPT_TEST(quoted, the_text_that_runs_is_quoted_not_the_edited_file)
{
  scripted_make(g, "return { update = function()\nif bad then error 'old' end -- as it runs\nend }");
  g->options.reload = true;
  scripted_begin(g);
  scripted_write(g, "main.lua", "return {}\n-- as it was edited and not yet read");
  sp_script_eval(g->script, "bad = true");
  ck_assert(!scripted_update(g));
  scripted_expect(g, "GAME/main.lua:2: old\n    if bad then error 'old' end -- as it runs\n");
  ck_assert_int_eq(scripted_save(g, "main.lua", "return {}\n-- it does not compile\n= 1"), SP_POLL_REFUSED);
  scripted_expect(g, "GAME/main.lua:3: <eof> expected near '='\n    = 1\n");
  ck_assert(!scripted_update(g));
  scripted_expect(g, "    if bad then error 'old' end -- as it runs\n");
  ck_assert_int_eq(scripted_save(g, "main.lua", "\nerror 'as it loads'"), SP_POLL_REFUSED);
  scripted_expect(g, "GAME/main.lua:2: as it loads\n    error 'as it loads'\n");
  ck_assert(!scripted_update(g));
  scripted_expect(g, "    if bad then error 'old' end -- as it runs\n");
}

SCRIPT_TEST(quoted, errors_in_hooks_read_the_same)
{
  scripted_start(g, "local spawnpool = require 'spawnpool'\nlocal Cube = spawnpool.class 'Cube'\n"
                    "local counter = 0\nfunction Cube:on_despawn()\n  counter = conter + 1\nend\n"
                    "return { update = function() spawnpool.pools:alloc('Cube'):recycle() end }");
  ck_assert(scripted_update(g));
  ck_assert_str_eq(scripted_told(g),
                   "error: Cube.on_despawn: GAME/main.lua:5: attempt to perform arithmetic on a nil value (global "
                   "'conter')\n    counter = conter + 1\n  at GAME/main.lua:5 in Cube.on_despawn\n"
                   "  at GAME/main.lua:7 in update\n  hint: did you mean 'counter'?\n");
}

/* }== */

SUITE(trouble, &hints, &other, &quoted)
