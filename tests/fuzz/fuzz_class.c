/*
** A class file that is edited while its game runs. The bytes choose one edit after another: files that are right, that
** do not compile, that raise, that never end, that eat memory, that are cut off or have a wrong byte. Each carries its
** number in several places: after every save all of them tell the same number, of the new file or of the old one.
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/grammar.h"
#include "script/script.h"
#include "support/core_fixture.h"

#define ROW(...) ((const char *const[]){__VA_ARGS__, NULL})

/* "probe" prints the numbers that it finds, which must be one and the same. */
static const char main_file[] =
    "local spawnpool = require 'spawnpool'\nlocal pools = spawnpool.pools\nlocal Bullet = spawnpool.class 'Bullet'\n"
    "local first\n"
    "return {\n"
    "  load = function() first = pools:alloc 'Bullet' end,\n"
    "  update = function() pcall(pools.alloc, pools, 'Bullet', 0.05) pcall(function() return first:number() end) end,\n"
    "  probe = function()\n"
    "    local found = { Bullet.version, Bullet.number(), Bullet.methods.number(), Bullet.twice() // 2 }\n"
    "    local o = pools:alloc('Bullet', 0) or pools:pool('Bullet'):each()()\n"
    "    if o then found[#found + 1] = o:number() end\n"
    "    print(table.concat(found, ' '))\n"
    "  end,\n"
    "}\n";

/* {== Files ============================================================== */

static const fuzz_rule rules[] = {
    {'n', ROW("1", "0", "0.5", "2", "100", "1e9", "-1")},
    {'i', ROW("1", "2", "8", "40", "300", "math.huge")},
    {'d', ROW("", "limit = @i,", "idle_limit = @i,", "prealloc = @i,", "grow = 3,", "overflow = 'oldest',",
              "overflow = 'grow',", "order = 'lifo',", "radius = @n,", "x = @n,", "vx = @n,", "group = 'toys',",
              "motion = { drag = 1 },", "over_life = { a = { 1, 0 } },", "sprite = 'ring',",
              "bounds = { x = 0, y = 0, w = 10, h = 10, outside = 'wrap' },")},
    {'g',
     ROW("", "damage = @n,", "skin = spawnpool.keep 'plain',", "tuned = spawnpool.live(@n),", "target = spawnpool.ref,",
         "made = spawnpool.fresh(function() return {} end),", "damage = true,", "any = spawnpool.any {},")},
    {'u',
     ROW("", "function Bullet:on_spawn(o) @s end\n", "function Bullet:on_despawn(o) @s end\n",
         "function Bullet:on_reload(o, old) @s end\n", "function Bullet:update(dt) @s end\n",
         "function Bullet:on_create(o) @s end\n", "local count = @n function Bullet:later() count = count + 1 end\n",
         "function Bullet:alloc(life, ...) return Bullet.super.alloc(self, life, ...) end\n",
         "function Bullet:recycle(o) @s return Bullet.super.recycle(self, o) end\n")},
    /* In hooks: what fails makes the new code be taken back, most of it. */
    {'s', ROW("", "self.seen = o", "error 'no'", "if math.random(9) == 1 then error 'now and then' end",
              "while true do end", "local t = {} for i = 1, 1e7 do t[i] = { i } end", "self:recycle_all()",
              "spawnpool.pools:alloc('Bullet', 0.1)", "local x = nil .. 1")},
    /* After the class: the file fails as a whole, most of them. */
    {'z',
     ROW("return Bullet\n", "return Bullet\n", "return Bullet\n", "", "return\n", "return 5\n", "local x = = 1\n",
         "error 'stop'\n", "error({})\n", "while true do end\n",
         "do local t = {} for i = 1, 1e7 do t[i] = { i } end end\n", "spawnpool.class('Bullet', { limit = 'many' })\n",
         "spawnpool.class('Bullet', { extends = 'Bullet' })\n", "require 'nothing'\n",
         "spawnpool.pools:alloc 'Bullet'\n", "coroutine.yield()\n", "Bullet.methods = nil\n")},
    {0, NULL},
};

enum { FIRST = 5 }; /* the number of the file that the game starts with */

static void write_class(fuzz_text *t, int number)
{
  t->used = 0;
  fuzz_say(t, "local spawnpool = require 'spawnpool'\nlocal NUMBER = %d\n", number);
  fuzz_expand(t, "local Bullet = spawnpool.class('Bullet', { @d @d @d\n  fields = { @g @g @g },\n"
                 "  methods = { number = function() return NUMBER end } })\n");
  fuzz_say(t, "Bullet.version = %d\nfunction Bullet.number() return NUMBER end\n", number);
  fuzz_say(t, "local function twice() return %d end\nfunction Bullet.twice() return twice() end\n", 2 * number);
  fuzz_expand(t, "@u@u");
}

static void save(const fuzz_text *t) { fuzz_write("class/pools/Bullet.lua", t->at, t->used); }

/* }== */

/* {== The host =========================================================== */

typedef struct host {
  sp_script *script;
  char printed[256];
} host;

static void on_report(void *ud, sp_report kind, const char *text)
{
  host *h = ud;
  if (kind == SP_REPORT_PRINT)
    snprintf(h->printed, sizeof h->printed, "%s", text);
}

/* The number that every place tells. -1: the probe fails, or what it does makes new code be taken back meanwhile. */
static int number_in_force(host *h)
{
  h->printed[0] = '\0';
  if (!sp_script_call(h->script, "probe", NULL))
    return -1;
  char *at = h->printed, *end;
  long number = strtol(at, &end, 10);
  bool same = end > at;
  for (at = end; same && *at; at = end)
    same = strtol(at, &end, 10) == number && end > at;
  fuzz_check(same || sp_script_poll(h->script, SP_POLL_REST) == SP_POLL_REVERTED);
  return same ? (int)number : -1;
}

static void frames(host *h, uint32_t count)
{
  for (; count > 0; count--) {
    sp_script_update(h->script, 1.0 / 60);
    sp_script_call(h->script, "update", "n", 1.0 / 60);
    sp_script_poll(h->script, SP_POLL_REST);
    core_check(sp_script_pools(h->script));
  }
}

/* On a machine that is too slow for our patience everything may be stopped, also the good version that is to come
   back. */
static bool is_stopped(host *h) { return strstr(sp_script_error(h->script), "stopped") != NULL; }

/* Saves, and looks. What happened before is told first: one poll tells one thing. */
static sp_poll_result save_and_poll(host *h, const fuzz_text *t)
{
  while (sp_script_poll(h->script, SP_POLL_REST) != SP_POLL_NOTHING)
    ;
  save(t);
  return sp_script_poll(h->script, SP_POLL_NOW);
}

/* Without hooks that could fail: it must be taken, whatever came before. */
static void save_good(host *h, fuzz_text *t, int number)
{
  fuzz_input rest = t->in;
  t->in = (fuzz_input){NULL, NULL};
  write_class(t, number);
  fuzz_say(t, "return Bullet\n");
  t->in = rest;
  sp_poll_result result = save_and_poll(h, t);
  if (result == SP_POLL_REFUSED && is_stopped(h))
    return;
  fuzz_check(result == SP_POLL_RELOADED);
  fuzz_check(number_in_force(h) == number);
}

/* Whole files by the grammar: old or new entirely. A hook that fails brings back the version before, or an older one
   when that fails too: their numbers are lower. When it fails in the reload itself, in what on_reload does, the next
   poll tells of that. */
static void save_grown(host *h, fuzz_text *t, int number)
{
  int before = number_in_force(h);
  write_class(t, number);
  fuzz_expand(t, "@z");
  sp_poll_result result = save_and_poll(h, t);
  int now = number_in_force(h);
  bool told =
      now <= before && result == SP_POLL_RELOADED && sp_script_poll(h->script, SP_POLL_REST) == SP_POLL_REVERTED;
  fuzz_check(result != SP_POLL_RELOADED || now == number || now == -1 || told);
  bool is_late = result == SP_POLL_REFUSED && now == number && is_stopped(h);
  fuzz_check(result != SP_POLL_REFUSED || now == before || now == -1 || is_late);
  fuzz_check(result != SP_POLL_REVERTED || now <= before);
}

/* Cut off, or one byte wrong: what it means nobody knows, but it does no harm. */
static void save_spoilt(host *h, fuzz_text *t, int number)
{
  write_class(t, number);
  fuzz_expand(t, "@z");
  uint32_t place = (uint32_t)fuzz_byte(&t->in) << 3;
  place |= fuzz_below(&t->in, 8);
  if (place % 2)
    t->used = place % t->used;
  else
    t->at[place % t->used] ^= (char)(1 << fuzz_below(&t->in, 8));
  save_and_poll(h, t);
}

static void save_nothing(host *h)
{
  char path[600];
  snprintf(path, sizeof path, "%s/class/pools/Bullet.lua", fuzz_folder());
  unlink(path);
  sp_script_poll(h->script, SP_POLL_NOW);
}

/* }== */

static void edit(host *h, fuzz_text *t)
{
  enum { EDITS = 6 };
  for (int i = 1; i <= EDITS && fuzz_more(&t->in); i++) {
    uint32_t kind = fuzz_below(&t->in, 8);
    if (kind == 7)
      save_nothing(h);
    else if (kind >= 5)
      save_spoilt(h, t, 10 * i);
    else
      save_grown(h, t, 10 * i);
    frames(h, fuzz_below(&t->in, 4));
    save_good(h, t, 10 * i + 5);
    frames(h, 1);
  }
}

int fuzz_class(const uint8_t *data, size_t size)
{
  host h = {0};
  fuzz_text t = {.rules = rules};
  char path[600], error[256];
  write_class(&t, FIRST);
  fuzz_say(&t, "return Bullet\n");
  save(&t);
  t.in = (fuzz_input){data, data + (size < 512 ? size : 512)};
  fuzz_write("class/main.lua", main_file, sizeof main_file - 1);
  snprintf(path, sizeof path, "%s/class", fuzz_folder());
  sp_script_options o = {
      .path = path, .memory_limit = 8u << 20, .patience = fuzz_patience(), .reload = true, .report = on_report};
  o.report_ud = &h;
  h.script = sp_script_open(&o, error, sizeof error);
  fuzz_check(h.script && sp_script_start(h.script, 0, NULL));
  fuzz_check(number_in_force(&h) == FIRST);
  edit(&h, &t);
  sp_script_close(h.script);
  return 0;
}
