#include "script/state/stats.h"

static void set_count(lua_State *L, const char *name, uint64_t count)
{
  lua_pushinteger(L, (lua_Integer)count);
  lua_setfield(L, -2, name);
}

void sp_push_stats(lua_State *L, const sp_stats *stats)
{
  lua_createtable(L, 0, 18);
#define COUNT(name) set_count(L, #name, stats->name)
  COUNT(live);
  COUNT(idle);
  COUNT(total);
  COUNT(peak);
  COUNT(allocs);
  COUNT(recycles);
  COUNT(expired);
  COUNT(refused);
  COUNT(evicted);
  COUNT(vetoed);
  COUNT(stale_uses);
  COUNT(double_recycles);
  COUNT(created);
  COUNT(destroyed);
  COUNT(retired);
  COUNT(bytes);
#undef COUNT
  lua_pushnumber(L, stats->peak_time);
  lua_setfield(L, -2, "peak_time");
  lua_createtable(L, 0, 2);
  set_count(L, "done", stats->prewarm_done);
  set_count(L, "wanted", stats->prewarm_wanted);
  lua_setfield(L, -2, "prewarm");
}
