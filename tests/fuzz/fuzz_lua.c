/*
** Games in Lua from a grammar of our interface: classes with overrides and hooks, and statements with right and wrong
** arguments, in hooks, timers, coroutines and frames. They play a few frames in the sandbox, with little memory and
** little patience. Whatever they do: no crash, and the counts of the default manager are right between two frames.
*/
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "model/program.h"
#include "script/script.h"
#include "support/core_fixture.h"

/* {== Texts from bytes =================================================== */

enum { DEEPEST = 9 };

/* A grammar is a row of rules, a rule a row of productions, and each byte picks one. In a production "@x" stands for
   rule x. The first production of a rule should name no other: it is what deep places and the end of the bytes get, so
   that every text comes to an end. */
typedef struct rule {
  char name;
  const char *const *row; /* ends with NULL */
} rule;

typedef struct text {
  choices in;
  const rule *rules; /* ends with a name of 0 */
  int depth;
  size_t used;
  char at[1 << 15];
} text;

/* Appends; what does not fit is left out. */
static void say(text *t, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  int size = vsnprintf(t->at + t->used, sizeof t->at - t->used, format, args);
  va_end(args);
  if (size > 0 && (size_t)size < sizeof t->at - t->used)
    t->used += (size_t)size;
  t->at[t->used] = '\0';
}

static bool has_bytes(const text *t) { return t->in.at < t->in.end && t->used < sizeof t->at / 2; }

static void expand(text *t, const char *production);

static void expand_rule(text *t, char name)
{
  const rule *it = t->rules;
  uint32_t count = 0;
  while (it->name && it->name != name)
    it++;
  fuzz_check(it->name != '\0');
  while (it->row[count])
    count++;
  expand(t, it->row[t->depth < DEEPEST && has_bytes(t) ? choose(&t->in, count) : 0]);
}

static void expand(text *t, const char *production)
{
  t->depth++;
  for (const char *at = production; *at; at++) {
    size_t plain = strcspn(at, "@");
    say(t, "%.*s", (int)plain, at);
    at += plain;
    if (!*at)
      break;
    expand_rule(t, *++at);
  }
  t->depth--;
}

/* }== */

#define ROW(...) ((const char *const[]){__VA_ARGS__, NULL})

/* {== The grammar ======================================================== */

/* "keep" remembers objects; "try" bounds how much one game does, for hooks may call each other. */
static const char prelude[] =
    "local spawnpool = require 'spawnpool'\nlocal pools = spawnpool.pools\nlocal objs, n, left = {}, 0, 300\n"
    "local other = spawnpool.new { misuse = 'ignore', step = 0.25 }\n"
    "local function keep(o) n = n % 6 + 1 objs[n] = o return o end\n"
    "local function try(f, ...) left = left - 1 if left > 0 then return pcall(f, ...) end end\n"
    "spawnpool.class('Bullet', { methods = { go = function(o, ...) return ... end }, fields = { damage = 1, kept = "
    "true,\n"
    "  skin = spawnpool.keep 'plain', tuned = spawnpool.live(3), target = spawnpool.ref, any = spawnpool.any {},\n"
    "  made = spawnpool.fresh(function() return {} end) } })\n"
    "spawnpool.class('Child', { extends = 'Bullet', group = 'toys' })\n"
    "for i = 1, 6 do keep(pools:alloc(i % 3 == 0 and 'Child' or 'Bullet', i % 2 * 30, i, 0)) end\n";

static const rule rules[] = {
    {'t', ROW("'Bullet'", "'Child'", "'Crew'", "'Spark'", "'Plain'", "'No such'", "''", "nil", "7")},
    {'n', ROW("0", "1", "0.1", "0.5", "2", "-1", "10", "1e9", "1e300", "0/0", "1/0", "-1/0", "math.maxinteger",
              "math.mininteger", "'3'", "-0.0", "3.5", "100")},
    {'i', ROW("0", "1", "2", "3", "8", "33", "300", "math.huge", "-1", "1.5", "1e9", "nil", "'4'", "2^53")},
    {'o', ROW("objs[1]", "objs[2]", "objs[3]", "objs[4]", "objs[5]", "objs[6]", "nil", "a", "b", "pools:alloc(@t, @n)",
              "other:alloc(@t)", "'x'", "{}", "pools", "pools:take(@f)")},
    {'e', ROW("nil", "@n", "@o", "true", "'x'", "{}", "print", "@F", "{ @n, @n }", "('x'):rep(3000)", "@p", "@t")},
    {'p', ROW("pools:pool 'Bullet'", "pools:pool(@t)", "other:pool(@t)", "a", "self", "objs[1].pool", "@C")},
    {'m', ROW("pools", "pools", "other", "spawnpool.new()", "spawnpool.new { @a }")},
    {'a', ROW("", "unknown = 'error'", "trace = true", "misuse = 'error'", "seed = @n", "step = @n",
              "path = '@k/?.lua'", "@k = @e")},
    {'C', ROW("spawnpool.class 'Bullet'", "spawnpool.class(@t)", "spawnpool.class(@t, { @d @d })",
              "spawnpool.class(@t, { @d @d @d @d })")},
    {'k', ROW("x", "y", "vx", "vy", "ax", "angle", "spin", "scale", "a", "radius", "layer", "sprite", "visible",
              "parent", "damage", "skin", "kept", "tuned", "made", "target", "pinned", "type", "pool", "id", "age",
              "lifetime", "remaining", "alive", "limit", "idle_limit", "grow", "overflow", "live", "version", "super",
              "time", "time_scale", "paused", "__gc", "__index", "go")},
    {'d', ROW("", "extends = @t,", "group = 'toys',", "limit = @i,", "idle_limit = @i,", "prealloc = @i,", "grow = @i,",
              "overflow = @v,", "order = @r,", "fields = { @g @g @g },", "motion = { gravity = @n, drag = @n },",
              "motion = { face_velocity = true },", "bounds = { x = @n, y = @n, w = @n, h = @n, outside = @w },",
              "over_life = { @k = { @n, @n, @n } },", "over_life = { a = { 1, 0 }, scale = { 0, 2, 1 } },",
              "on_parent_end = 'detach',", "methods = { go = @F },", "@k = @e,", "extends = @C,")},
    {'v', ROW("'refuse'", "'oldest'", "'grow'", "'error'", "@F", "function() return @o end", "'none'")},
    {'r', ROW("'fifo'", "'lifo'", "@e")},
    {'w', ROW("'recycle'", "'wrap'", "'bounce'", "'clamp'", "@e")},
    {'g', ROW("", "damage = @n,", "skin = spawnpool.keep(@e),", "tuned = spawnpool.live(@n),", "kept = true,",
              "made = spawnpool.fresh(@F),", "target = spawnpool.ref,", "damage = spawnpool.any(@e),", "@k = @e,")},
    {'h', ROW("on_spawn", "on_create", "on_despawn", "on_reject", "on_destroy", "on_reload", "update")},
    {'f', ROW("nil", "{ type = @t }", "{ class = @t }", "{ group = 'toys' }", "function(o) @b return @e end", "@t",
              "{ @k = @e }", "{ class = @C }", "@e")},
    {'F',
     ROW("function() end", "function(...) local a, b = ... @b end", "function(...) local a, b = ... @b return @e end",
         "function() error(@e) end", "function() coroutine.yield(@n) @b end")},
    {'b', ROW("", "@s", "@s @s", "@s @s @s")},
    {'S',
     ROW("keep(pools:alloc(@t, @n))", "keep(@m:alloc(@t, @n, @n, @n, @n, @o))",
         "keep(@m:alloc(@t, @n, { @k = @e, @k = @e }))", "keep(@p:alloc(@n))", "@m:recycle(@o)", "@o:recycle()",
         "keep(@m:take(@f))", "keep(@p:take(@e))", "@o.@k = @e", "print(@o.@k)", "@o:after(@n, @F)", "@o:every(@n, @F)",
         "@o:run(@F)", "@o.parent = @o", "@o:go(@e)", "for o in @m:each(@f) do @b end", "for a in @p:each() do @b end",
         "@m:recycle_all(@f)", "@m:clear(@f)", "@m:remove(@t)", "@m:update(@n)", "@m:stats(@t)",
         "@m:leaks { older_than = @n }", "@m:configure { @k = @e }", "@m.@k = @e", "print(@m.@k)",
         "@p:prewarm(@i, { per_frame = @i, delay = @n })", "@p:prewarm(@i)", "@p:trim()", "@p:clear()",
         "@p:recycle_all()", "@p:set('@k', @e)", "@p:add('@k', @n)", "@p:within(@n, @n, @n, @F)", "@p:nearest(@n, @n)",
         "@p:overlaps(@p, @F)", "@p.@k = @e", "print(@p.@k, @p)", "print(@p:stats())", "@C", "other:close()",
         "pools:close()", "pools:is_live(@o)", "local C = @C function C:@h(...) local a, b = ... @b end",
         "local C = @C function C:alloc(life, ...) @b local a, b = C.super.alloc(self, life, ...) @b return a, b end",
         "local C = @C function C:recycle(a) @b return C.super.recycle(self, a) end",
         "local C = @C function C:recycle(a) @b end", "local C = @C C.@k = @e", "error(@e)", "collectgarbage()",
         "coroutine.wrap(@F)(@e)", "coroutine.yield(@n)", "left = left - 150 while true do end",
         "left = left - 60 local t = {} for i = 1, 1e7 do t[i] = { i } end", "@C.@h = @e", "getmetatable(@o).@k = @e",
         "spawnpool.@k(@e, @e)", "require(@t)", "load('return ' .. tostring(@e))()", "objs = {}",
         "for i = 1, 40 do keep(pools:alloc(@t, @n)) end")},
    {'s', ROW("try(function() end)", "try(function(a, b) @S end)", "try(function(a, b) @S end, @o, @e)",
              "try(function(a, b) @S @S end, @o, @o)")},
    {0, NULL},
};

/* }== */

static void ignore(void *ud, sp_report kind, const char *said)
{
  (void)ud;
  fuzz_check(kind <= SP_REPORT_RELOAD && said);
}

/* The first part runs when the game starts, the rest in frames. Returns the path. */
static const char *write_game(text *t)
{
  say(t, "%s", prelude);
  for (uint32_t i = has_bytes(t) ? 1 + choose(&t->in, 12) : 1; i > 0; i--)
    expand(t, "@s\n");
  say(t, "return { update = function(dt) local a = objs[1] local b = objs[2]\n");
  while (has_bytes(t))
    expand(t, "@s\n");
  say(t, "end }\n");
  return fuzz_file("game.lua", t->at, t->used);
}

static void play(sp_script *script)
{
  enum { FRAMES = 5 };
  static const double times[FRAMES] = {1.0 / 60, 1.0 / 60, 0.5, 20, 60};
  sp_script_start(script, 0, NULL);
  for (int i = 0; i < FRAMES; i++) {
    sp_script_update(script, times[i]);
    sp_script_call(script, "update", "n", times[i]);
    if (sp_script_pools(script))
      core_check(sp_script_pools(script));
  }
}

int fuzz_lua(const uint8_t *data, size_t size)
{
  text t = {.in = {data, data + (size < 1024 ? size : 1024)}, .rules = rules};
  char error[256];
  sp_script_options options = {
      .size = sizeof options, .path = write_game(&t), .seed = 1, .memory_limit = 8u << 20, .report = ignore};
  options.patience = fuzz_patience();
  options.trace = size > 0 && data[0] & 64;
  sp_script *script = sp_script_open(&options, error, sizeof error);
  fuzz_check(script != NULL);
  play(script);
  sp_script_close(script);
  return 0;
}
