/*
** Each object adds to the sum of each field, and the sums of an object's own fields to the sum of its group: sums do
** not depend on the order of the walk.
*/
#include "script/host/state_hash.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script/bind/fields.h"
#include "script/host/host.h"
#include "script/host/value_hash.h"
#include "script/state/border.h"

#define ROWS_MOST 128 /* 64 columns, and what is beside them */
#define GROUPS 64
#define DIGEST_MOST 20000 /* objects whose places are looked at in each frame */

typedef struct hash_row {
  const char *name;
  uint32_t packed; /* sp_name; SP_NO_KEY: `ask` has the value */
  int table;       /* stack index of its values, for SP_NAME_VALUE */
  uint64_t (*ask)(const sp_manager *m, sp_ref object);
  uint64_t sum;
} hash_row;

typedef struct text_buffer {
  char *text;
  size_t length, size;
  bool failed;
} text_buffer;

typedef struct hashing {
  sp_script *script;
  sp_pool_hash_fn fn;
  void *ud;
  uint64_t all;
  sp_lua_pool *pool;
  hash_row rows[ROWS_MOST];
  int row_count;
  uint64_t groups[GROUPS];
  uint32_t numbers; /* the greatest number of a live object */
  int shift;        /* of numbers, to that of their group */
  sp_value_hash values;
  text_buffer line;
} hashing;

/* {== Numbers ============================================================ */

static uint64_t bits_of(double number)
{
  uint64_t bits;
  if (number == 0)
    number = 0; /* -0 is equal to 0 */
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

/* A reference without the id of its manager, which depends on when others were collected. */
static uint64_t life_of(sp_ref object) { return (uint64_t)sp_ref_generation(object) << 32 | sp_ref_slot(object); }

static uint64_t remaining_of(const sp_manager *m, sp_ref object) { return bits_of(sp_remaining(m, object)); }
static uint64_t begin_of(const sp_manager *m, sp_ref object) { return sp_serial_of(m, object); }
static uint64_t parent_of(const sp_manager *m, sp_ref object) { return life_of(sp_parent(m, object)); }
static uint64_t timers_of(const sp_manager *m, sp_ref object)
{
  double next = 0;
  uint32_t count = sp_timers(m, object, &next);
  return sp_hash_mix(count, bits_of(next));
}

/* An empty seat has the default; of a fresh value that was not made yet there is none. */
static uint64_t hash_seat(lua_State *L, hashing *h, int table, uint32_t slot)
{
  int top = lua_gettop(L);
  lua_rawgeti(L, table, slot);
  if (sp_seat_is_empty(L, -1)) {
    lua_rawgeti(L, table, SP_COLUMN_DEFAULT);
    if (lua_rawequal(L, -1, table))
      lua_pushnil(L);
  }
  uint64_t hash = lua_isnil(L, -1) ? 0 : sp_value_hash_at(L, &h->values, -1);
  lua_settop(L, top);
  return hash;
}

/* A member of a look that is no float. */
static uint64_t look_of(const sp_look *look, sp_name_kind kind)
{
  switch (kind) {
  case SP_NAME_LAYER:
    return (uint16_t)look->layer;
  case SP_NAME_SPRITE:
    return look->sprite;
  case SP_NAME_VISIBLE:
    return look->visible;
  default:
    return look->pinned;
  }
}

static uint64_t hash_of(lua_State *L, hashing *h, const hash_row *row, sp_ref object)
{
  const sp_manager *m = h->pool->manager->core;
  const sp_pool *p = h->pool->core;
  uint32_t slot = sp_ref_slot(object);
  sp_ref held;
  if (row->ask)
    return row->ask(m, object);
  switch (SP_NAME_KIND(row->packed)) {
  case SP_NAME_FLOAT:
    return bits_of((double)*sp_float_cell(m, p, slot, row->packed));
  case SP_NAME_LOOK_FLOAT:
    return bits_of((double)*sp_look_cell(m, p, slot, row->packed));
  case SP_NAME_NUMBER:
  case SP_NAME_INTEGER:
  case SP_NAME_BOOLEAN:
    return bits_of(*sp_double_cell(m, p, slot, row->packed));
  case SP_NAME_REF:
    memcpy(&held, sp_cell_at(m, &sp_view_of(p)->columns[SP_NAME_WHAT(row->packed)], slot, sizeof held), sizeof held);
    return life_of(held);
  case SP_NAME_VALUE:
    return hash_seat(L, h, row->table, slot);
  default:
    return look_of(sp_cell_at(m, &sp_view_of(p)->columns[SP_LOOK], slot, sizeof(sp_look)), SP_NAME_KIND(row->packed));
  }
}

/* }== */

/* {== Rows =============================================================== */

static void add_row(hashing *h, const char *name, uint32_t packed, uint64_t (*ask)(const sp_manager *, sp_ref))
{
  if (h->row_count < ROWS_MOST)
    h->rows[h->row_count++] = (hash_row){.name = name, .packed = packed, .ask = ask};
}

static int compare_rows(const void *a, const void *b)
{
  int first = SP_NAME_WHAT(((const hash_row *)a)->packed), second = SP_NAME_WHAT(((const hash_row *)b)->packed);
  return (first > second) - (first < second);
}

static bool is_own(sp_name_kind kind)
{
  return kind == SP_NAME_NUMBER || kind == SP_NAME_INTEGER || kind == SP_NAME_BOOLEAN || kind == SP_NAME_VALUE ||
         kind == SP_NAME_REF;
}

/* Own fields in the order of their columns: seats of the map lie by address. */
static void add_own(lua_State *L, hashing *h)
{
  const sp_keymap *names = h->pool->names;
  int first = h->row_count, values;
  for (uint32_t i = 0; i <= names->mask; i++)
    if (names->seats[i].key && is_own(SP_NAME_KIND(names->seats[i].value)))
      add_row(h, sp_key_text(&names->seats[i]), names->seats[i].value, NULL);
  qsort(h->rows + first, (size_t)(h->row_count - first), sizeof *h->rows, compare_rows);
  sp_push_anchor(L, h->pool->manager->context, h->pool);
  lua_getiuservalue(L, -1, SP_POOL_VALUES);
  values = lua_gettop(L);
  for (int i = first; i < h->row_count; i++)
    if (SP_NAME_KIND(h->rows[i].packed) == SP_NAME_VALUE) {
      lua_rawgeti(L, values, SP_NAME_WHAT(h->rows[i].packed));
      h->rows[i].table = lua_gettop(L);
    }
}

static void add_builtin(hashing *h)
{
  static const char *const names[] = {"x",      "y", "vx", "vy", "ax", "ay",      "angle",  "spin",  "scale",
                                      "radius", "r", "g",  "b",  "a",  "visible", "pinned", "layer", "sprite"};
  const sp_keymap *known = h->script->context->names;
  for (size_t i = 0; sp_pool_is_spatial(h->pool->core) && i < sizeof names / sizeof *names; i++)
    add_row(h, names[i], sp_keymap_find_text(known, names[i]), NULL);
  add_row(h, "(begin)", SP_NO_KEY, begin_of);
  add_row(h, "remaining", SP_NO_KEY, remaining_of);
  add_row(h, "parent", SP_NO_KEY, parent_of);
  add_row(h, "(timers)", SP_NO_KEY, timers_of);
}

/* }== */

/* {== The line of a pool ================================================= */

static void add_text(text_buffer *b, const char *text)
{
  size_t length = strlen(text);
  if (b->length + length + 1 > b->size) {
    size_t size = 2 * (b->length + length + 128);
    char *grown = b->failed ? NULL : realloc(b->text, size);
    b->failed = !grown;
    if (b->failed)
      return;
    b->text = grown;
    b->size = size;
  }
  memcpy(b->text + b->length, text, length + 1);
  b->length += length;
}

static void add_word(text_buffer *b, const char *name, const char *value)
{
  size_t begin = b->length;
  add_text(b, name);
  for (size_t i = begin; i < b->length && !b->failed; i++)
    if ((unsigned char)b->text[i] <= ' ' || b->text[i] == '=' || b->text[i] == 127)
      b->text[i] = '?';
  add_text(b, value);
}

/* Sums of zeros are left out: most fields of most pools are such. */
static void add_hash(text_buffer *b, const char *name, uint64_t hash)
{
  char value[16];
  if (hash == 0)
    return;
  snprintf(value, sizeof value, "=%08x ", (unsigned)(hash ^ hash >> 32));
  add_word(b, name, value);
}

static void add_groups(hashing *h)
{
  for (uint32_t i = 0; i < GROUPS; i++) {
    char name[40];
    uint32_t first = (i << h->shift) + 1, last = (i + 1) << h->shift;
    snprintf(name, sizeof name, first == last ? "#%u" : "#%u..%u", (unsigned)first, (unsigned)last);
    add_hash(&h->line, name, h->groups[i]);
  }
}

static uint64_t hash_idle(const sp_pool *p)
{
  uint64_t hash = 0;
  for (uint32_t i = 0; i < sp_pool_idle(p); i++)
    hash = sp_hash_mix(hash, life_of(sp_pool_idle_at(p, i)));
  return hash;
}

/* }== */

/* {== Pools ============================================================== */

static void choose_groups(hashing *h)
{
  const sp_manager *m = h->pool->manager->core;
  sp_walk walk = sp_pool_walk(h->pool->core);
  h->numbers = 0;
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NONE_REF;) {
    uint32_t number = sp_object_number(m, object);
    h->numbers = number > h->numbers ? number : h->numbers;
  }
  h->shift = 0;
  while (h->numbers > (uint32_t)GROUPS << h->shift)
    h->shift++;
  memset(h->groups, 0, sizeof h->groups);
}

static void hash_object(lua_State *L, hashing *h, sp_ref object)
{
  uint64_t whole = sp_hash_mix(life_of(object), 1);
  for (int i = 0; i < h->row_count; i++) {
    hash_row *row = &h->rows[i];
    uint64_t value = hash_of(L, h, row, object), hash = value ? sp_hash_mix(life_of(object), value) : 0;
    row->sum += hash;
    whole = sp_hash_mix(whole, hash);
  }
  h->groups[(sp_object_number(h->pool->manager->core, object) - 1) >> h->shift] += whole;
}

static void say_pool(hashing *h, uint32_t manager)
{
  char name[160];
  const char *type = sp_pool_type(h->pool->core);
  if (manager == 1)
    snprintf(name, sizeof name, "%.120s", type);
  else
    snprintf(name, sizeof name, "%u:%.120s", (unsigned)manager, type);
  for (char *at = name; *at; at++)
    if ((unsigned char)*at <= ' ' || *at == 127)
      *at = '?';
  if (!h->line.failed)
    h->fn(h->ud, name, h->line.text);
}

static void hash_pool(lua_State *L, hashing *h, sp_lua_pool *p, uint32_t manager)
{
  int top = lua_gettop(L);
  char counts[64];
  uint64_t idle = hash_idle(p->core), hash;
  sp_walk walk = sp_pool_walk(p->core);
  h->pool = p;
  h->row_count = 0;
  add_builtin(h);
  add_own(L, h);
  choose_groups(h);
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NONE_REF;)
    hash_object(L, h, object);
  hash = sp_hash_mix(sp_hash_mix(h->all, idle), (uint64_t)sp_pool_live(p->core) << 32 | sp_pool_idle(p->core));
  for (int i = 0; i < h->row_count; i++)
    hash = sp_hash_mix(hash, h->rows[i].sum);
  h->all = hash;
  lua_settop(L, top);
  if (!h->fn)
    return;
  h->line.length = 0;
  snprintf(counts, sizeof counts, "live=%u idle=%u ", (unsigned)sp_pool_live(p->core), (unsigned)sp_pool_idle(p->core));
  add_text(&h->line, counts);
  add_hash(&h->line, "(order)", idle);
  for (int i = 0; i < h->row_count; i++)
    add_hash(&h->line, h->rows[i].name, h->rows[i].sum);
  add_groups(h);
  say_pool(h, manager);
}

static void hash_manager(lua_State *L, hashing *h, const sp_lua_manager *m, uint32_t manager)
{
  h->all = sp_hash_mix(h->all, bits_of(sp_time(m->core)));
  h->all = sp_hash_mix(h->all, bits_of(sp_time_scale(m->core)) + sp_paused(m->core));
  h->all = sp_hash_mix(h->all, sp_serial(m->core));
  for (uint32_t i = 0; i < m->pool_count; i++)
    if (m->pools[i] && m->pools[i]->core)
      hash_pool(L, h, m->pools[i], manager);
}

static int hash_all(lua_State *L)
{
  hashing *h = lua_touserdata(L, 1);
  const sp_context *c = h->script->context;
  luaL_checkstack(L, ROWS_MOST + 40, NULL);
  sp_value_hash_begin(L, &h->values, &h->script->repeatable);
  uint32_t manager = 0;
  for (uint32_t id = 0; id < 256; id++)
    if (c->managers[id] && c->managers[id]->core)
      hash_manager(L, h, c->managers[id], ++manager);
  return 0;
}

/* }== */

uint64_t sp_script_hash(sp_script *s, sp_pool_hash_fn fn, void *ud)
{
  hashing h = {.script = s, .fn = fn, .ud = ud, .all = 1};
  lua_State *L = s->L;
  if (!s->options.repeatable || !lua_checkstack(L, 4))
    return 0;
  lua_pushcfunction(L, hash_all);
  lua_pushlightuserdata(L, &h);
  if (sp_quiet_pcall(L, 1, 0) != LUA_OK) {
    lua_pop(L, 1);
    h.all = 0;
  }
  free(h.line.text);
  return h.all;
}

static uint64_t digest_places(const sp_pool *p, uint64_t hash)
{
  for (uint32_t chunk = 0; chunk < sp_pool_chunks(p); chunk++) {
    const uint64_t *live = sp_pool_live_bits(p, chunk);
    const float *x = sp_pool_peek(p, chunk, SP_X), *y = sp_pool_peek(p, chunk, SP_Y);
    for (uint32_t i = 0; x && i < SP_CHUNK_SLOTS; i++)
      if (live[i / 64] >> (i % 64) & 1)
        hash = sp_hash_mix(hash, bits_of((double)x[i]) ^ bits_of((double)y[i]) << 1);
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
  hash = sp_hash_mix(sp_hash_mix(hash, sp_serial(m)), bits_of(sp_time(m)));
  for (uint32_t i = 0; i < sp_count_pools(m); i++) {
    const sp_pool *p = sp_get_pool(m, i);
    hash = sp_hash_mix(hash, (uint64_t)sp_pool_live(p) << 32 | sp_pool_idle(p));
    if (live <= DIGEST_MOST)
      hash = digest_places(p, hash);
  }
  return (uint32_t)(hash ^ hash >> 32);
}
