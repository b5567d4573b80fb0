/*
** Each object adds to the sum of each of its parts, and to the sum of its group: sums do not depend on the order of the
** walk.
*/
#include "script/host/script_hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "script/bind/snapshot.h"
#include "script/host/host.h"
#include "script/state/border.h"

#define GROUPS 64
#define ENTRIES_MOST 200000 /* of tables in fields: a hash must not take long */
#define DIGEST_MOST 20000   /* objects whose places are looked at in each frame */

typedef struct hashing {
  sp_script *script;
  sp_hash_fn fn;
  void *ud;
  uint64_t all;
  uint32_t manager; /* its number: 1 is the first one */
  const sp_lua_pool *pool;
  uint64_t parts[SP_PARTS], groups[GROUPS];
  int shift; /* of numbers, to that of their group */
} hashing;

/* {== The parts of a pool ================================================ */

static bool is_own(sp_name_kind kind)
{
  return kind == SP_NAME_NUMBER || kind == SP_NAME_INTEGER || kind == SP_NAME_BOOLEAN || kind == SP_NAME_VALUE ||
         kind == SP_NAME_REF;
}

static const char *own_name(const sp_keymap *names, int column)
{
  for (uint32_t i = 0; i <= names->mask; i++)
    if (names->seats[i].key && is_own(SP_NAME_KIND(names->seats[i].value)) &&
        SP_NAME_WHAT(names->seats[i].value) == column)
      return sp_key_text(&names->seats[i]);
  return "?";
}

static const char *part_name(const hashing *h, int part)
{
  static const char *const columns[SP_LOOK] = {"x", "y", "vx", "vy", "ax", "ay", "angle", "spin"};
  static const char *const others[SP_PARTS - SP_PART_BEGIN] = {"(begin)", "remaining", "(timers)", "parent", "scale",
                                                               "r",       "g",         "b",        "a",      "radius",
                                                               "layer",   "sprite",    "visible",  "pinned"};
  return part < SP_LOOK         ? columns[part]
         : part < SP_PART_BEGIN ? own_name(h->pool->names, part)
                                : others[part - SP_PART_BEGIN];
}

static uint64_t hash_idle(const sp_pool *p)
{
  uint64_t hash = 0;
  for (uint32_t i = 0; i < sp_pool_idle(p); i++)
    hash = sp_hash_mix(hash, sp_hash_ref(sp_pool_manager(p), sp_pool_idle_at(p, i)));
  return hash;
}

static void end_pool(const hashing *h)
{
  char pool[160], name[40];
  const sp_pool *p = h->pool->core;
  const uint64_t live = sp_pool_live(p), idle = sp_pool_idle(p), order = hash_idle(p);
  uint64_t hash = sp_hash_mix(sp_hash_mix(live, idle), order);
  for (int i = 0; i < SP_PARTS; i++)
    hash = sp_hash_mix(hash, h->parts[i]);
  snprintf(name, sizeof name, "%" PRIu32 ":", h->manager);
  snprintf(pool, sizeof pool, "%s%.120s", h->manager > 1 ? name : "", sp_pool_type(p));
  h->fn(h->ud, pool, SP_HASH_POOL, "hash", hash);
  h->fn(h->ud, pool, SP_HASH_POOL, "live", live);
  h->fn(h->ud, pool, SP_HASH_POOL, "idle", idle);
  h->fn(h->ud, pool, SP_HASH_POOL, "order", order);
  for (int i = 0; i < SP_PARTS; i++)
    if (h->parts[i] != 0)
      h->fn(h->ud, pool, SP_HASH_FIELD, part_name(h, i), h->parts[i]);
  for (uint32_t i = 0; i < GROUPS; i++) {
    const uint32_t first = (i << h->shift) + 1, last = (i + 1) << h->shift;
    snprintf(name, sizeof name, first == last ? "#%" PRIu32 : "#%" PRIu32 "..%" PRIu32, first, last);
    if (h->groups[i] != 0)
      h->fn(h->ud, pool, SP_HASH_OBJECTS, name, h->groups[i]);
  }
}

/* }== */

/* {== Pools ============================================================== */

/* Returns by how many bits the numbers of objects are shifted, so that there are groups enough. */
static int choose_shift(sp_pool *p)
{
  const sp_manager *m = sp_pool_manager(p);
  uint32_t most = 0;
  int shift = 0;
  sp_walk walk = sp_pool_walk(p);
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NONE_REF;) {
    uint32_t number = sp_object_number(m, object);
    most = number > most ? number : most;
  }
  while (most > (uint32_t)GROUPS << shift)
    shift++;
  return shift;
}

static void on_pool(void *ud, const sp_lua_pool *pool)
{
  hashing *h = ud;
  if (h->pool)
    end_pool(h);
  h->pool = pool;
  if (!pool)
    return;
  memset(h->parts, 0, sizeof h->parts);
  memset(h->groups, 0, sizeof h->groups);
  h->shift = choose_shift(pool->core);
}

static void on_part(void *ud, sp_ref object, int part, uint64_t number)
{
  hashing *h = ud;
  const sp_manager *m = h->pool->manager->core;
  if (number == 0)
    return;
  uint64_t sum = sp_hash_mix(sp_hash_mix(sp_hash_ref(m, object), (uint64_t)part + 1), number);
  h->parts[part] += sum;
  h->groups[(sp_object_number(m, object) - 1) >> h->shift] += sum;
}

static int hash_all(lua_State *L)
{
  hashing *h = lua_touserdata(L, 1);
  const sp_context *c = h->script->context;
  sp_state_hashing how = {.repeatable = &h->script->repeatable, .entries = ENTRIES_MOST, .ud = h};
  if (h->fn) {
    how.on_pool = on_pool;
    how.on_part = on_part;
  }
  for (uint32_t id = 0; id < 256; id++)
    if (c->managers[id] && sp_held_manager(c->managers[id])->core) {
      h->manager++;
      h->all = sp_hash_mix(h->all, sp_state_hash(L, c->managers[id], &how));
    }
  return 0;
}

/* }== */

uint64_t sp_script_hash(sp_script *s, sp_hash_fn fn, void *ud)
{
  hashing h = {.script = s, .fn = fn, .ud = ud, .all = 1};
  lua_State *L = s->L;
  if (!s->options.repeatable || !lua_checkstack(L, 4))
    return 0;
  lua_pushcfunction(L, hash_all);
  lua_pushlightuserdata(L, &h);
  if (sp_pcall_without_gc(L, 1, 0) != LUA_OK) {
    lua_pop(L, 1);
    h.all = 0;
  }
  return h.all;
}

static uint64_t place_bits(float x, float y)
{
  uint32_t a, b;
  memcpy(&a, &x, sizeof a);
  memcpy(&b, &y, sizeof b);
  return (uint64_t)a << 32 | b;
}

static uint64_t digest_places(const sp_pool *p, uint64_t hash)
{
  for (uint32_t chunk = 0; chunk < sp_pool_chunks(p); chunk++) {
    const uint64_t *live = sp_pool_live_bits(p, chunk);
    const float *x = sp_pool_peek(p, chunk, SP_X), *y = sp_pool_peek(p, chunk, SP_Y);
    for (uint32_t i = 0; x && i < SP_CHUNK_SLOTS; i++)
      if (live[i / 64] >> (i % 64) & 1)
        hash = sp_hash_mix(hash, place_bits(x[i], y[i]));
  }
  return hash;
}

uint32_t sp_script_digest(const sp_script *s)
{
  const sp_manager *m = s->pools->core;
  uint64_t hash = 1;
  if (!m)
    return 1;
  uint32_t live = sp_total_stats(m).live;
  hash = sp_hash_mix(sp_hash_mix(hash, sp_serial(m)), sp_tick(m));
  for (uint32_t i = 0; i < sp_count_pools(m); i++) {
    const sp_pool *p = sp_get_pool(m, i);
    hash = sp_hash_mix(hash, (uint64_t)sp_pool_live(p) << 32 | sp_pool_idle(p));
    if (live <= DIGEST_MOST)
      hash = digest_places(p, hash);
  }
  hash = sp_hash_mix(sp_hash_mix(hash, 0), 0); /* what the last object changed reaches the lowest bits */
  return (uint32_t)(hash ^ hash >> 32);
}
