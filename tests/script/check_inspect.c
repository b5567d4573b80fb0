/*
** Looking into a running game from C: fields as words, and written back; stories and leaks; versions; times of hooks.
*/
#include "script/host/inspect.h"
#include "script/scripted.h"
#include "script/state/platform.h"

#include <lua.h>
#include <stdio.h>
#include <string.h>

static scripted g;

static const char game[] =
    "local spawnpool <const> = require 'spawnpool'\n"
    "local pools <const> = spawnpool.pools\n"
    "made = 0\n"
    "local Cube <const> = spawnpool.class('Cube', { fields = {\n"
    "  damage = 3, speed = 1.5, armed = true, owner = spawnpool.ref, name = spawnpool.any('plain'),\n"
    "  list = spawnpool.any(), bag = spawnpool.fresh(function() made = made + 1 return { 1, 2 } end) } })\n"
    "function Cube:on_spawn(cube) for i = 1, work or 0 do cube.x = i end end\n"
    "cube = pools:alloc('Cube', 2, 10, 20)\n"
    "return { update = function() print(cube.damage, cube.armed, cube.name, cube.x, made) end,\n"
    "  say = function(name) print(cube[name]) end }\n";

static void open_game(const char *main)
{
  scripted_make(&g, main);
  g.options.trace = g.options.reload = true;
  scripted_begin(&g);
}

static void open_usual(void) { open_game(game); }
static void close_game(void) { scripted_end(&g); }

/* The first live object of a type. */
static sp_ref first_of(const char *type)
{
  sp_walk walk = sp_pool_walk(sp_find_pool(sp_script_pools(g.script), type));
  return sp_walk_next(&walk);
}

/* {== Fields ============================================================= */

/* All fields of an object, "x=10 y=20"; `wanted`, if it is not NULL, becomes a copy of that field. */
static const char *fields_of(sp_ref object, const char *name, sp_field_value *wanted)
{
  static char all[2048];
  sp_field_value fields[SP_FIELDS_SHOWN];
  size_t used = 0;
  const uint32_t count = sp_script_fields(g.script, object, fields);
  all[0] = '\0';
  for (uint32_t i = 0; i < count; i++) {
    used +=
        (size_t)snprintf(all + used, sizeof all - used, "%s%s=%s", i > 0 ? " " : "", fields[i].name, fields[i].text);
    if (wanted && strcmp(fields[i].name, name) == 0)
      *wanted = fields[i];
  }
  return all;
}

static const sp_field_value *field(const char *name)
{
  static sp_field_value value;
  value.name[0] = '\0';
  const char *all = fields_of(first_of("Cube"), name, &value);
  ck_assert_msg(value.name[0], "no field '%s' in %s", name, all);
  return &value;
}

static test_group inspect = {"inspect", open_usual, close_game};

TEST(inspect, fields_are_told_own_ones_first)
{
  static const char own[] = "armed=true bag=(not made yet) damage=3 list=nil name=plain owner=nil speed=1.5 x=10 y=20 ";
  const char *all = fields_of(first_of("Cube"), NULL, NULL);
  ck_assert_msg(strncmp(all, own, strlen(own)) == 0, "%s", all);
  ck_assert_ptr_nonnull(strstr(all, " sprite=circle "));
  ck_assert_str_eq(strrchr(all, ' '), " remaining=2");
}

static const char *shown(const char *value)
{
  char line[200];
  snprintf(line, sizeof line, "cube.name = %s", value);
  ck_assert_msg(sp_script_eval(g.script, line) == SP_EVAL_DONE, "%s", g.told);
  return field("name")->text;
}

TEST(inspect, values_of_every_kind_have_words)
{
  static const char *const rows[][2] = {
      {"nil", "nil"},
      {"false", "false"},
      {"{}", "{0 items}"},
      {"{ 1 }", "{1 item}"},
      {"{ 1, 2, x = 3 }", "{3 items}"},
      {"(function() local t = {} for i = 1, 5000 do t[i] = i end return t end)()", "{1000 items or more}"},
      {"print", "(a function)"},
      {"coroutine.create(print)", "(a thread)"},
      {"pools", "(a userdata)"},
      {"cube", "Cube#1"},
      {"(function() local c = pools:alloc('Cube') c:recycle() return c end)()", "Cube#2 (stale)"},
      {"(function() local other = require('spawnpool').new() local c = other:alloc('Cube') other:close() return c "
       "end)()",
       "(an object that is gone)"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    ck_assert_str_eq(shown(rows[i][0]), rows[i][1]);
}

TEST(inspect, a_text_is_never_cut_inside_a_character)
{
  for (int blanks = 0; blanks < 4; blanks++) {
    char value[64];
    snprintf(value, sizeof value, "(' '):rep(%d) .. ('\\u{20AC}'):rep(100)", blanks);
    const char *text = shown(value);
    size_t length = strlen(text), whole = length - 3 - (size_t)blanks;
    ck_assert_str_eq(text + length - 3, "...");
    ck_assert_uint_eq(whole % 3, 0); /* bytes of a euro sign */
  }
}

TEST(inspect, to_look_makes_no_fresh_value)
{
  ck_assert(!field("bag")->writable);
  scripted_update(&g);
  ck_assert_str_eq(scripted_told(&g), "print: 3\ttrue\tplain\t10.0\t0\n");
  sp_script_call(g.script, "say", "s", "bag");
  ck_assert_str_eq(field("bag")->text, "{2 items}");
}

static const char *set(const char *name, const char *value)
{
  static char error[256];
  error[0] = '\0';
  ck_assert(sp_script_set_field(g.script, first_of("Cube"), name, value, error, sizeof error) == (error[0] == '\0'));
  return error;
}

TEST(inspect, what_is_written_is_what_the_game_reads)
{
  static const char *const rows[][2] = {
      {"damage", "12"}, {"armed", "false"}, {"name", "a new one"}, {"x", "-2.5"}, {"remaining", "inf"}};
  static const sp_field_type types[] = {SP_FIELD_NUMBER, SP_FIELD_BOOLEAN, SP_FIELD_STRING, SP_FIELD_NUMBER,
                                        SP_FIELD_NUMBER};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const sp_field_value *it = field(rows[i][0]);
    ck_assert(it->writable && it->type == types[i] && it->own == (i < 3));
    ck_assert_str_eq(set(rows[i][0], rows[i][1]), "");
    ck_assert_str_eq(field(rows[i][0])->text, rows[i][1]);
  }
  ck_assert(!field("owner")->writable && !field("list")->writable);
  scripted_update(&g);
  ck_assert_str_eq(scripted_told(&g), "print: 12\tfalse\ta new one\t-2.5\t0\n");
}

TEST(inspect, what_an_assignment_refuses_is_told_and_changes_nothing)
{
  static const char *const rows[][3] = {
      {"damage", "many", "'many' is no number"},
      {"armed", "yes", "'yes' is neither true nor false"},
      {"layer", "1.5", "field 'layer' of Cube#1 must be an integer from -32768 to 32767, got 1.5"},
      {"x", "inf", "field 'x' of Cube#1 must be a finite number, got inf"},
      {"owner", "3", "only numbers, true and false, and strings can be written here"},
      {"hat", "3", "has no field 'hat'"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    ck_assert_ptr_nonnull(strstr(set(rows[i][0], rows[i][1]), rows[i][2]));
  ck_assert_str_eq(scripted_told(&g), ""); /* it is no error of the game */
  ck_assert_ptr_null(sp_script_error(g.script));
  scripted_update(&g);
  ck_assert_str_eq(scripted_told(&g), "print: 3\ttrue\tplain\t10.0\t0\n");
}

TEST(inspect, an_object_that_has_ended_has_no_fields)
{
  char error[256];
  sp_ref cube = first_of("Cube");
  sp_script_update(g.script, 3);
  ck_assert_str_eq(fields_of(cube, NULL, NULL), "");
  ck_assert_str_eq(fields_of(SP_NONE_REF, NULL, NULL), "");
  ck_assert(!sp_script_set_field(g.script, cube, "x", "1", error, sizeof error));
  ck_assert_str_eq(error, "the object is no longer live");
}

TEST(inspect, a_string_that_is_not_shown_whole_cannot_be_written)
{
  char longest[200];
  memset(longest, 'x', sizeof longest);
  longest[sizeof longest - 1] = '\0';
  set("name", longest);
  ck_assert_uint_eq(strlen(field("name")->text), 63);
  ck_assert(!field("name")->writable);
  set("name", "two\nlines");
  ck_assert_str_eq(field("name")->text, "two lines");
  ck_assert(!field("name")->writable);
}

TEST(inspect, to_look_at_plain_values_makes_no_garbage)
{
  lua_State *L = sp_script_state(g.script);
  sp_ref cube = first_of("Cube");
  fields_of(cube, NULL, NULL);
  lua_gc(L, LUA_GCSTOP);
  int before = lua_gc(L, LUA_GCCOUNT) * 1024 + lua_gc(L, LUA_GCCOUNTB);
  for (int i = 0; i < 100; i++)
    fields_of(cube, NULL, NULL);
  ck_assert_int_eq(lua_gc(L, LUA_GCCOUNT) * 1024 + lua_gc(L, LUA_GCCOUNTB), before);
}

/* }== */

/* {== Traces ============================================================= */

static void take_site(void *ud, uint32_t index, const char *site)
{
  char *line = ud;
  snprintf(line + strlen(line), 256, "%u at %s; ", (unsigned)index, strrchr(site, '/') + 1);
}

TEST(inspect, stories_and_sites_name_the_line_of_the_alloc)
{
  char history[512], sites[1024] = "";
  sp_ref cube = first_of("Cube"), asked[] = {SP_NONE_REF, cube};
  ck_assert(sp_script_traces(g.script));
  ck_assert(sp_script_history(g.script, cube, history, sizeof history));
  ck_assert_ptr_nonnull(strstr(history, "main.lua:8, 0.00 s"));
  ck_assert_ptr_null(strstr(history, "the slot is now"));
  ck_assert(sp_script_sites(g.script, asked, 2, take_site, sites));
  ck_assert_str_eq(sites, "1 at main.lua:8; ");
  sp_script_update(g.script, 3);
  ck_assert(sp_script_history(g.script, cube, history, sizeof history));
  ck_assert_ptr_nonnull(strstr(history, "; expired at "));
  ck_assert(sp_script_sites(g.script, asked, 2, take_site, sites));
  ck_assert_str_eq(sites, "1 at main.lua:8; "); /* and nothing more */
}

TEST(inspect, without_a_trace_there_is_no_story)
{
  char history[64] = "left over";
  scripted_end(&g);
  scripted_start(&g, game);
  ck_assert(!sp_script_traces(g.script));
  ck_assert(!sp_script_history(g.script, first_of("Cube"), history, sizeof history));
  ck_assert_str_eq(history, "");
}

/* }== */

/* {== Classes ============================================================ */

TEST(inspect, a_class_has_the_version_of_its_file)
{
  char again[sizeof game + 16];
  ck_assert_uint_eq(sp_script_class_version(g.script, "Cube"), 1);
  ck_assert_uint_eq(sp_script_class_version(g.script, "Nobody"), 0);
  snprintf(again, sizeof again, "%s-- edited\n", game);
  ck_assert_int_eq(scripted_save(&g, "main.lua", again), SP_POLL_RELOADED);
  ck_assert_uint_eq(sp_script_class_version(g.script, "Cube"), 2);
}

static const char nested[] = "local spawnpool <const> = require 'spawnpool'\n"
                             "local pools <const> = spawnpool.pools\n"
                             "local Inner <const> = spawnpool.class('Inner', {})\n"
                             "function Inner:on_spawn() local n = 0 for i = 1, 1000000 do n = n + i end end\n"
                             "local Outer <const> = spawnpool.class('Outer', {})\n"
                             "function Outer:alloc(...) pools:alloc('Inner') return Outer.super.alloc(self, ...) end\n"
                             "pools:alloc('Outer')\n"
                             "return { update = function() pools:alloc('Outer') end, fail = function()\n"
                             "  function Inner:on_spawn() error 'no' end pcall(pools.alloc, pools, 'Outer') end,\n"
                             "  tick = function() pools:alloc('Plain'):after(0, function()\n"
                             "    local n = 0 for i = 1, 100000 do n = n + i end end) end }\n";

static void open_nested(void) { open_game(nested); }

static test_group times = {"times", open_nested, close_game};

static uint64_t time_of(const char *type)
{
  return sp_script_hook_time(g.script, sp_find_pool(sp_script_pools(g.script), type));
}

/* Were the time of a hook inside another counted for both, the sum would be about twice the time that has passed. */
TEST(times, hooks_are_timed_once_and_only_while_somebody_looks)
{
  scripted_update(&g);
  ck_assert_uint_eq(time_of("Inner"), 0);
  sp_script_time_hooks(g.script, true);
  uint64_t begin = sp_clock_nanoseconds();
  scripted_update(&g);
  uint64_t inner = time_of("Inner"), outer = time_of("Outer");
  ck_assert(inner > 0 && outer > 0);
  ck_assert_uint_le(inner + outer, sp_clock_nanoseconds() - begin);
  sp_script_time_hooks(g.script, false);
  scripted_update(&g);
  ck_assert_uint_eq(time_of("Inner"), inner);
}

TEST(times, an_error_in_a_hook_ends_its_time_and_timers_count_for_their_class)
{
  sp_script_time_hooks(g.script, true);
  sp_script_call(g.script, "fail", NULL);
  uint64_t inner = time_of("Inner"), outer = time_of("Outer");
  ck_assert_uint_gt(inner, 0);
  sp_script_call(g.script, "tick", NULL);
  ck_assert_uint_eq(time_of("Plain"), 0);
  sp_script_update(g.script, 1);
  ck_assert_uint_gt(time_of("Plain"), 0);
  ck_assert(time_of("Inner") == inner && time_of("Outer") == outer);
}

/* }== */

SUITE(inspect, &inspect, &times)
