/*
** Generations and ids, as Lua sees them when they run out: no reference of a life that is over ever names another one,
** and what is used up is not handed out again. What takes billions of lives is brought near first.
*/
#include "core/config.h"
#include "script/scripted.h"
#include "script/state/context.h"
#include "support/test.h"

#include <stdio.h>

#define HEAD "local spawnpool <const> = require 'spawnpool'\nspawnpool.class('Plain', { grow = 1 })\n"

/* The next managers of all ids begin `generations` before the end of the range. */
static void bring_near_the_end(const scripted *g, uint32_t generations)
{
  sp_context *c = sp_context_of(sp_script_state(g->script));
  for (int id = 1; id < 256; id++)
    c->next_generation[id] = SP_LAST_GENERATION - generations;
}

static void play(const char *code, uint32_t generations, const char *expected)
{
  scripted g;
  char main[4000];
  snprintf(main, sizeof main, HEAD "return { update = function()\n%s\nend }", code);
  scripted_start(&g, main);
  bring_near_the_end(&g, generations);
  ck_assert_msg(scripted_update(&g), "%s", scripted_told(&g));
  ck_assert_str_eq(scripted_told(&g), expected);
  scripted_end(&g);
}

static test_group ends = {"ends"};

/* Three lives per slot, and then the pool goes on with others. */
TEST(ends, slots_that_are_used_up_are_never_handed_out_again_in_lua)
{
  play("local p <const> = spawnpool.new { misuse = 'ignore' }\n"
       "local cubes <const>, seen <const>, all <const>, slots <const> = p:pool 'Plain', {}, {}, {}\n"
       "for i = 1, 3000 do\n"
       "  local o <const> = p:alloc('Plain')\n"
       "  assert(not seen[o] and o.alive) seen[o] = true all[i] = o\n"
       "  slots[o.id] = (slots[o.id] or 0) + 1\n"
       "  assert(o:recycle())\n"
       "end\n"
       "for _, n in pairs(slots) do assert(n == 3) end\n"
       "for _, o in ipairs(all) do\n"
       "  assert(not o.alive and not p:is_live(o) and not pcall(function() return o.x end))\n"
       "  assert(select(2, p:recycle(o)) == 'stale')\n"
       "end\n"
       "local s <const> = cubes:stats()\n"
       "assert(s.allocs - s.recycles == s.live and s.created - s.destroyed == s.total)\n"
       "print(s.retired, s.live, s.total, s.allocs)",
       6, "print: 1000\t0\t0\t3000\n");
}

TEST(ends, a_manager_whose_slots_are_used_up_leaves_no_way_back_to_its_lives)
{
  play("local first <const> = spawnpool.new { misuse = 'ignore' }\n"
       "local old <const> = {}\n"
       "for i = 1, 6 do old[i] = first:alloc 'Plain' first:recycle(old[i]) end\n"
       "assert(first:stats().retired == 2) first:close()\n"
       "local more <const> = {}\n"
       "for i = 1, 300 do\n"
       "  local ok <const>, p <const> = pcall(spawnpool.new, { misuse = 'ignore' })\n"
       "  if not ok then print(i, p:match 'too many managers are open') break end\n"
       "  more[i] = p\n"
       "  for k = 1, 6 do local o <const> = p:alloc 'Plain'\n"
       "    for _, was in ipairs(old) do assert(o ~= was and not was.alive and not p:is_live(was)) end\n"
       "    p:recycle(o)\n"
       "  end\n"
       "end",
       6, "print: 254\ttoo many managers are open\n");
}

TEST(ends, an_id_that_is_used_up_is_given_to_no_manager)
{
  play("local count = 0\n"
       "while true do\n"
       "  local ok <const>, p <const> = pcall(spawnpool.new, {})\n"
       "  if not ok then print(count, p:match 'too many managers are open') break end\n"
       "  p:recycle(p:alloc 'Plain') p:close() count = count + 1\n"
       "end",
       12, "print: 762\ttoo many managers are open\n");
}

TEST(ends, managers_that_come_and_go_thousands_of_times_take_ids_in_turn)
{
  play("local old <const>, open <const> = {}, {}\n"
       "for i = 1, 1900 do\n"
       "  local p <const> = spawnpool.new { misuse = 'ignore' }\n"
       "  local o <const> = p:alloc 'Plain'\n"
       "  assert(not old[o]) old[o] = i\n"
       "  open[#open + 1] = p\n"
       "  if #open == 250 then for k = 250, 1, -1 do open[k]:close() open[k] = nil end end\n"
       "end\n"
       "for o, i in pairs(old) do assert(o.alive == (i > 1750), i) end\n"
       "print 'fine'",
       1u << 30, "print: fine\n");
}

SUITE(generations, &ends)
