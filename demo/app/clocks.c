#include "demo/app/clocks.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#define CLOCKS_MOST 256u /* readings that are recorded in a frame */

/* Returns the next recorded reading of the frame. An edited game may read clocks more often than it did; then time
   nearly stops. */
static double replay_clock(replay *r)
{
  const recording_entry *all = r->recording.entries;
  while (r->next_clock < r->recording.count && all[r->next_clock].frame <= r->frame) {
    const recording_entry *e = &all[r->next_clock++];
    if (e->frame == r->frame && e->kind == RECORDING_CLOCK)
      return r->last_clock = e->value;
  }
  for (size_t i = r->next_clock; r->last_clock == 0 && i-- > 0;)
    r->last_clock = all[i].value; /* of other kinds it is 0 */
  return r->last_clock += 1e-6;
}

/* Returns a reading of a clock as the game gets it: `answer`, which is recorded, or the recorded one. */
static double read_clock(input_log *l, double answer)
{
  recorder *r = &l->recorder;
  if (l->past)
    return replay_clock(l->past);
  if (l->replay.is_on)
    answer = replay_clock(&l->replay);
  l->clocks = l->clock_frame == r->frame ? l->clocks + 1 : 1;
  l->clock_frame = r->frame;
  if (l->clocks <= CLOCKS_MOST)
    recorder_add(r, (recording_entry){.kind = RECORDING_CLOCK, .value = answer});
  return answer;
}

double clocks_measured(input_log *l, double ms)
{
  if (options_are_repeatable(l->options) && !l->options->real_clocks)
    return 0;
  if (!l->options->real_clocks)
    return ms;
  return l->recorder.game->graphics.is_measured ? read_clock(l, ms) : 0;
}

/* {== In Lua ============================================================= */

#define ORIGINAL lua_upvalueindex(1)
#define LOG lua_upvalueindex(2)
#define TIME lua_upvalueindex(3)

static double pass(lua_State *L, double answer) { return read_clock(lua_touserdata(L, LOG), answer); }

/* Calls the function at `index` with the arguments on the stack. */
static int call_with_all(lua_State *L, int index)
{
  lua_pushvalue(L, index);
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  return lua_gettop(L);
}

static int os_clock(lua_State *L)
{
  call_with_all(L, ORIGINAL);
  lua_pushnumber(L, pass(L, lua_tonumber(L, 1)));
  return 1;
}

static void push_now(lua_State *L, int function)
{
  lua_pushvalue(L, function);
  lua_call(L, 0, 1);
  lua_Integer now = (lua_Integer)pass(L, (double)lua_tointeger(L, -1));
  lua_pop(L, 1);
  lua_pushinteger(L, now);
}

static int os_time(lua_State *L)
{
  if (!lua_isnoneornil(L, 1))
    return call_with_all(L, ORIGINAL);
  push_now(L, ORIGINAL);
  return 1;
}

static int os_date(lua_State *L)
{
  if (lua_isnoneornil(L, 2)) {
    luaL_optstring(L, 1, "%c");
    lua_settop(L, 1);
    if (lua_isnil(L, 1)) {
      lua_pushliteral(L, "%c");
      lua_replace(L, 1);
    }
    push_now(L, TIME);
  }
  return call_with_all(L, ORIGINAL);
}

/* math.randomseed without a seed uses one that differs from run to run. The first number that it returns passes through
   the log and becomes the seed. */
static int random_seed(lua_State *L)
{
  if (lua_isnone(L, 1)) {
    lua_pushvalue(L, ORIGINAL);
    lua_call(L, 0, 1);
    lua_Integer seed = (lua_Integer)pass(L, (double)(lua_tointeger(L, -1) & 0xffffffff));
    lua_settop(L, 0);
    lua_pushinteger(L, seed);
  }
  return call_with_all(L, ORIGINAL);
}

/* The size of the heap depends on addresses and time. */
static int collect_garbage(lua_State *L)
{
  const char *option = luaL_optstring(L, 1, "collect");
  bool counts = strcmp(option, "count") == 0;
  int results = call_with_all(L, ORIGINAL);
  if (!counts)
    return results;
  lua_pushnumber(L, pass(L, lua_tonumber(L, 1)));
  return 1;
}

/* Replaces a function of the table on top. */
static void replace(lua_State *L, input_log *l, const char *name, lua_CFunction ours)
{
  lua_getfield(L, -1, name);
  lua_pushlightuserdata(L, l);
  lua_getfield(L, -3, "time"); /* nil in the table of another library */
  lua_pushcclosure(L, ours, 3);
  lua_setfield(L, -2, name);
}

/* install(input_log) */
static int install(lua_State *L)
{
  input_log *l = lua_touserdata(L, 1);
  lua_getglobal(L, "os");
  replace(L, l, "date", os_date); /* which calls the original time */
  replace(L, l, "time", os_time);
  replace(L, l, "clock", os_clock);
  lua_getglobal(L, "math");
  replace(L, l, "randomseed", random_seed);
  lua_pushglobaltable(L);
  replace(L, l, "collectgarbage", collect_garbage);
  return 0;
}

bool clocks_install(input_log *l, char *error, size_t error_size)
{
  if (!l->options->real_clocks)
    return true;
  lua_State *L = sp_script_state(l->recorder.game->script);
  lua_pushcfunction(L, install);
  lua_pushlightuserdata(L, l);
  if (lua_pcall(L, 1, 0, 0) == LUA_OK)
    return true;
  snprintf(error, error_size, "%s", lua_tostring(L, -1));
  lua_pop(L, 1);
  return false;
}

/* }== */
