/*
** The collector of a game with a budget, which works between frames instead of during them. What a step costs in Lua
** follows what a frame allocates: beside many live values, a frame that allocates much contains a whole cycle. Here a
** cycle is spread over as many frames as its budget needs.
**
** Lua's own pace is the safety net. It is put off, not switched off: when the heap has grown to LIMIT times what the
** last cycle left, because the budget is too small or one frame allocates very much, Lua collects as it always does.
*/
#include <limits.h>
#include <math.h>

#include "script/host/host.h"
#include "script/state/platform.h"

#define BEGIN 1.5        /* a cycle begins when the heap has grown by this factor */
#define LIMIT 3.0        /* Lua collects at its own pace when it has grown by this one */
#define LEAST_KIB 1024   /* what a heap is taken to be that is smaller */
#define STEP_LOG2 8      /* of a step: bytes, as in lua_gc. A step takes about 10 us */
#define LUA_STEP_LOG2 13 /* of Lua's own */

static double heap_kib(lua_State *L) { return lua_gc(L, LUA_GCCOUNT) + lua_gc(L, LUA_GCCOUNTB) / 1024.0; }

/* Returns whether the cycle has ended. */
static bool run_steps(lua_State *L, double budget)
{
  const uint64_t end = sp_clock_nanoseconds() + (uint64_t)(budget * 1000);
  bool ended;
  do
    ended = lua_gc(L, LUA_GCSTEP, 0) != 0;
  while (!ended && sp_clock_nanoseconds() < end);
  return ended;
}

/* Lets the game allocate up to the limit before Lua collects by itself. Restarting the collector forgets how much was
   allowed before. */
static void put_off(lua_State *L, double live)
{
  const double rest = live * LIMIT - heap_kib(L);
  lua_gc(L, LUA_GCRESTART);
  if (rest >= 1)
    lua_gc(L, LUA_GCSTEP, -(int)fmin(rest, INT_MAX));
}

/* Gives the collector back to Lua. */
static void give_back(lua_State *L, sp_collector *it)
{
  lua_gc(L, LUA_GCINC, 0, 0, LUA_STEP_LOG2);
  lua_gc(L, LUA_GCRESTART);
  *it = (sp_collector){.live = 0};
}

/* A repeatable game with weak tables sees when values are collected: its collector runs at fixed times instead. */
void sp_script_collect(sp_script *s, double budget)
{
  lua_State *L = s->L;
  sp_collector *it = &s->collector;
  if (s->repeatable.is_timed || !lua_gc(L, LUA_GCISRUNNING) || (budget <= 0 && it->live == 0))
    return;
  if (budget <= 0) {
    give_back(L, it);
    return;
  }
  if (it->live == 0) {
    it->live = fmax(heap_kib(L), LEAST_KIB);
    it->is_in_cycle = true;
  }
  lua_gc(L, LUA_GCINC, 0, 0, STEP_LOG2);
  if (!it->is_in_cycle)
    it->is_in_cycle = heap_kib(L) >= it->live * BEGIN;
  if (it->is_in_cycle && run_steps(L, budget)) {
    it->is_in_cycle = false;
    it->live = fmax(heap_kib(L), LEAST_KIB);
  }
  put_off(L, it->live);
}
