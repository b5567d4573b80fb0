/*
** Points are kept in order, not in a ring: moving a hundred of them twenty times a second costs next to nothing and
** keeps drawing simple.
*/
#include "demo/ui/hud_history.h"

#include <lua.h>
#include <stdlib.h>
#include <string.h>

#include "script/host/inspect.h"

static void add_point(float *points, int *count, float value)
{
  if (*count == HISTORY_POINTS)
    memmove(points, points + 1, (HISTORY_POINTS - 1) * sizeof *points);
  else
    *count += 1;
  points[*count - 1] = value;
}

/* {== Pools ============================================================== */

static bool make_room(hud_history *h, uint32_t count)
{
  uint32_t room = h->room ? h->room : 16;
  hud_history_pool *pools;
  if (count <= h->room)
    return true;
  while (room < count)
    room *= 2;
  pools = realloc(h->pools, room * sizeof *pools);
  if (!pools)
    return false;
  h->pools = pools;
  h->room = room;
  return true;
}

static void begin_rates(hud_history_pool *p, sp_script *script, const sp_stats *s, uint64_t frames, double now)
{
  p->since = now;
  p->allocs = s->allocs;
  p->recycles = s->recycles;
  p->frames = frames;
  p->hook_ns = script ? sp_script_hook_time(script, p->pool) : 0;
  p->version = script ? sp_script_class_version(script, sp_pool_type(p->pool)) : 0;
}

/* New pools come at the end, and those behind a removed one move up: their history moves with them. */
static void settle_pool(hud_history *h, uint32_t i, const sp_pool *pool)
{
  uint32_t at = i;
  while (at < h->count && h->pools[at].pool != pool)
    at++;
  if (at < h->count) {
    memmove(&h->pools[i], &h->pools[at], (h->count - at) * sizeof *h->pools);
    h->count -= at - i;
  } else {
    h->pools[i] = (hud_history_pool){.pool = pool, .since = -1};
    h->count = i + 1;
  }
}

static void read_rates(hud_history_pool *p, sp_script *script, uint64_t frames, double now)
{
  sp_stats s = sp_pool_stats(p->pool);
  double seconds = now - p->since;
  bool another = s.allocs < p->allocs; /* a new pool at the address of a removed one */
  if (p->since >= 0 && seconds > 0 && !another) {
    uint64_t passed = frames - p->frames, ns = script ? sp_script_hook_time(script, p->pool) - p->hook_ns : 0;
    p->allocs_per_second = (double)(s.allocs - p->allocs) / seconds;
    p->recycles_per_second = (double)(s.recycles - p->recycles) / seconds;
    p->hook_us = passed > 0 ? (double)ns / 1000 / (double)passed : 0;
  }
  begin_rates(p, script, &s, frames, now);
}

/* }== */

double hud_history_heap(sp_script *script)
{
  lua_State *L = sp_script_state(script);
  return (double)lua_gc(L, LUA_GCCOUNT) * 1024 + (double)lua_gc(L, LUA_GCCOUNTB);
}

void hud_history_take(hud_history *h, sp_script *script, const sp_manager *pools, uint64_t frames, double now)
{
  uint32_t count = sp_count_pools(pools);
  bool point_due = now >= h->next, rates_due = now >= h->renew;
  if (!make_room(h, count))
    count = h->room;
  for (uint32_t i = 0; i < count; i++) {
    const sp_pool *pool = sp_get_pool(pools, i);
    if (i >= h->count || h->pools[i].pool != pool)
      settle_pool(h, i, pool);
    if (point_due)
      add_point(h->pools[i].live, &h->pools[i].count, (float)sp_pool_live(pool));
    if (rates_due || h->pools[i].since < 0)
      read_rates(&h->pools[i], script, frames, now);
  }
  h->count = count;
  if (point_due && script)
    add_point(h->heap, &h->heap_count, (float)hud_history_heap(script));
  if (point_due)
    h->next = now - h->next < 2 * HISTORY_STEP ? h->next + HISTORY_STEP : now + HISTORY_STEP;
  if (rates_due)
    h->renew = now + HISTORY_RENEW;
}

void hud_history_clear(hud_history *h)
{
  free(h->pools);
  memset(h, 0, sizeof *h);
}
