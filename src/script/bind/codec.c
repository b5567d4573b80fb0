#include "script/bind/codec.h"

#include <lauxlib.h>
#include <string.h>

#include "core/binding.h"
#include "script/bind/fields.h"
#include "script/bind/ordered_keys.h"
#include "script/guard/watchdog.h"
#include "script/state/arguments.h"

#include "script/state/careful.h"

enum { NIL = 'n', FALSE = '0', TRUE = '1', INTEGER = 'i', FLOAT = 'd', STRING = 's', TABLE = 't', OBJECT = 'o' };
enum { EMPTY = 'e', SHARED = 'f', LIGHT = 'l', META = 'm', OTHER = '?', LENGTH = '#' };

/* {== Bytes ============================================================== */

/* Two places on the stack: table -> number and number -> table, and the bytes. */
enum { NUMBERS, BYTES, PLACES };

static void grow(sp_encoder *e, size_t size)
{
  size_t room = 2 * (e->used + size) + 64;
  char *bytes = lua_newuserdatauv(e->L, room, 0);
  if (e->used > 0)
    memcpy(bytes, e->bytes, e->used);
  e->bytes = bytes;
  e->room = room;
  lua_replace(e->L, e->at + BYTES);
}

/* Room for `size` more bytes. */
static inline char *put_room(sp_encoder *e, size_t size)
{
  if (e->used + size > e->room)
    grow(e, size);
  e->used += size;
  return e->bytes + e->used - size;
}

static inline void put_tag(sp_encoder *e, char tag) { *put_room(e, 1) = tag; }

static void write_64(char *to, uint64_t number)
{
  for (int i = 0; i < 8; i++)
    to[i] = (char)(number >> 8 * i & 255);
}

static uint64_t read_64(const char *from)
{
  uint64_t number = 0;
  for (int i = 0; i < 8; i++)
    number |= (uint64_t)(unsigned char)from[i] << 8 * i;
  return number;
}

static void put_number(sp_encoder *e, char tag, uint64_t number)
{
  char *to = put_room(e, 9);
  *to = tag;
  write_64(to + 1, number);
}

/* }== */

/* {== Values ============================================================= */

/* Keeps the value at `index` and what it is; the first one counts. */
static void refuse(sp_encoder *e, int index, const char *what)
{
  if (e->refused)
    return;
  e->refused = what;
  lua_pushvalue(e->L, index);
  sp_raw_seti(e->L, e->at + NUMBERS, 0);
}

/* The number under which a value is known; 0: none. */
static lua_Integer number_of(const sp_encoder *e, int index)
{
  lua_pushvalue(e->L, index);
  sp_raw_get(e->L, e->at + NUMBERS);
  lua_Integer number = lua_tointeger(e->L, -1);
  lua_pop(e->L, 1);
  return number;
}

static void set_number(const sp_encoder *e, int index, lua_Integer number)
{
  lua_pushvalue(e->L, index);
  lua_pushinteger(e->L, number);
  sp_raw_set(e->L, e->at + NUMBERS);
}

/* Shares a value. Values that a snapshot shares have numbers below 0. */
static lua_Integer share(sp_encoder *e, int index)
{
  lua_Integer number = number_of(e, index);
  e->is_late |= number > 0;
  if (number >= 0) {
    number = -++e->shared;
    lua_pushvalue(e->L, index);
    sp_raw_seti(e->L, e->how.list, e->shared);
    set_number(e, index, number);
  }
  return -number;
}

static bool is_key_of(lua_State *L, int table, int index)
{
  if (table == 0)
    return false;
  lua_pushvalue(L, index);
  bool is = sp_raw_get(L, table) != LUA_TNIL;
  lua_pop(L, 1);
  return is;
}

/* Returns what stands for a table instead of data because of its metatable, which is on top. A snapshot copies the
   table unless the copy would be finalised; the metatable is shared before the contents are visited, which may contain
   it. */
static const char *say_metatable(sp_encoder *e)
{
  const bool is_finalised = sp_raw_field(e->L, -1, "__gc") != LUA_TNIL;
  lua_pop(e->L, 1);
  if (e->how.rule == SP_CODEC_SNAPSHOT && !is_finalised) {
    share(e, lua_gettop(e->L));
    return NULL;
  }
  return "a table with a metatable";
}

/* Returns what stands for a table that is visited for the first time; NULL: it is data. */
static const char *say_table(sp_encoder *e, int index)
{
  lua_State *L = e->L;
  const sp_codec *how = &e->how;
  const char *what = NULL;
  const int top = lua_gettop(L);
  lua_pushvalue(L, index);
  if (sp_raw_get(L, how->named) != LUA_TNIL)
    what = lua_tostring(L, -1); /* the table holds it */
  else if (is_key_of(L, how->owned, index) && !is_key_of(L, how->excepted, index))
    what = "a table that a file made while it loaded";
  else if (lua_getmetatable(L, index))
    what = say_metatable(e);
  lua_settop(L, top);
  return what;
}

static void put_table(sp_encoder *e, int index)
{
  lua_State *L = e->L;
  lua_Integer number = number_of(e, index);
  const char *what = number == 0 && e->how.named ? say_table(e, index) : NULL;
  if (what && e->how.rule == SP_CODEC_SAVE) {
    refuse(e, index, what);
    return;
  }
  if (what)
    number = -share(e, index);
  if (number == 0) {
    number = ++e->tables;
    lua_pushvalue(L, index);
    sp_raw_seti(L, e->at + NUMBERS, number);
    set_number(e, index, number);
  }
  put_number(e, number > 0 ? TABLE : SHARED, (uint64_t)(number > 0 ? number : -number));
}

/* Which life of which slot an object is, whatever the manager's id; false for those of others. */
static bool life_of(const sp_manager *m, sp_ref object, uint64_t *life)
{
  if (!m || !sp_ref_is_ours(m, object) || sp_ref_generation(object) < sp_first_generation(m))
    return false;
  *life = (uint64_t)(sp_ref_generation(object) - sp_first_generation(m)) << 24 | sp_ref_slot(object);
  return true;
}

static void put_object(sp_encoder *e, int index)
{
  lua_State *L = e->L;
  const sp_codec *how = &e->how;
  sp_ref object = sp_to_object(L, index);
  uint64_t life = 0;
  if (sp_seat_is_empty(L, index))
    put_tag(e, EMPTY);
  else if (how->rule == SP_CODEC_SNAPSHOT)
    put_number(e, LIGHT, object);
  else if (how->rule == SP_CODEC_HASH)
    put_number(e, OBJECT, sp_hash_ref(how->manager, object));
  else if (life_of(how->manager, object, &life))
    put_number(e, OBJECT, life);
  else if (!how->manager)
    refuse(e, index, "an object; store its fields");
  else
    refuse(e, index, sp_object_state(sp_context_here(L), object) ? "an object of another manager" : "a userdata");
}

static void put_float(sp_encoder *e, double number)
{
  uint64_t bits = 0x7ff8000000000000u; /* NaN has many bit patterns */
  if (number == number)
    memcpy(&bits, &number, sizeof bits);
  put_number(e, FLOAT, bits);
}

static void put_string(sp_encoder *e, int index)
{
  size_t size;
  const char *text = lua_tolstring(e->L, index, &size);
  put_number(e, STRING, size);
  memcpy(put_room(e, size), text, size);
}

static void put_other(sp_encoder *e, int index, int type)
{
  static const char *const words[] = {
      [LUA_TFUNCTION] = "a function", [LUA_TUSERDATA] = "a userdata", [LUA_TTHREAD] = "a coroutine"};
  if (e->how.rule == SP_CODEC_HASH) {
    put_tag(e, OTHER);
    put_tag(e, (char)type);
  } else if (e->how.rule == SP_CODEC_SNAPSHOT) {
    put_number(e, SHARED, (uint64_t)share(e, index));
  } else {
    refuse(e, index, words[type]);
  }
}

static void put_value(sp_encoder *e, int index)
{
  lua_State *L = e->L;
  int type = lua_type(L, index);
  switch (type) {
  case LUA_TNIL:
    put_tag(e, NIL);
    break;
  case LUA_TBOOLEAN:
    put_tag(e, lua_toboolean(L, index) ? TRUE : FALSE);
    break;
  case LUA_TNUMBER:
    if (lua_isinteger(L, index))
      put_number(e, INTEGER, (uint64_t)lua_tointeger(L, index));
    else
      put_float(e, lua_tonumber(L, index));
    break;
  case LUA_TSTRING:
    put_string(e, index);
    break;
  case LUA_TLIGHTUSERDATA:
    put_object(e, index);
    break;
  case LUA_TTABLE:
    put_table(e, index);
    break;
  default:
    put_other(e, index, type);
  }
}

/* }== */

/* {== Contents of tables ================================================= */

/* Writes the values from 1 on, up to the first nil, and returns how many they are. */
static lua_Integer put_sequence(sp_encoder *e, int table)
{
  lua_State *L = e->L;
  size_t at = e->used + 1;
  lua_Integer n = 0;
  put_number(e, LENGTH, 0);
  for (; e->entries > 0 && !e->refused && sp_raw_geti(L, table, n + 1) != LUA_TNIL; n++, e->entries--) {
    put_value(e, table + 1);
    lua_settop(L, table);
    sp_work_do(&e->work, 4);
  }
  lua_settop(L, table);
  write_64(e->bytes + at, (uint64_t)n);
  return n;
}

/* Returns whether a key and its value count in a hash: keys without an order do not. */
static bool is_counted(const sp_encoder *e, int key)
{
  const int type = lua_type(e->L, key);
  if (e->how.repeatable || type == LUA_TBOOLEAN || type == LUA_TNUMBER || type == LUA_TSTRING)
    return true;
  return type == LUA_TLIGHTUSERDATA && sp_hash_ref(e->how.manager, sp_to_object(e->L, key)) != 0;
}

/* Writes the key at `key`, unless it is in the sequence, and its value above. */
static void put_pair(sp_encoder *e, int key, lua_Integer length)
{
  lua_State *L = e->L;
  const bool is_hash = e->how.rule == SP_CODEC_HASH;
  sp_work_do(&e->work, 8);
  if (lua_isinteger(L, key) && lua_tointeger(L, key) >= 1 && lua_tointeger(L, key) <= length)
    return;
  e->entries--;
  if (is_hash && !is_counted(e, key))
    return;
  if (is_hash && lua_istable(L, key))
    put_other(e, key, LUA_TTABLE);
  else if (e->how.rule == SP_CODEC_DATA && lua_istable(L, key))
    refuse(e, key, "a key that is a table");
  else
    put_value(e, key);
  put_value(e, key + 1);
}

/* Returns whether a table has more entries than its sequence. */
static bool has_pairs(lua_State *L, int table, lua_Integer length)
{
  lua_Integer count = 0;
  for (lua_pushnil(L); count <= length && sp_raw_next(L, table); lua_pop(L, 1))
    count++;
  lua_settop(L, table);
  return count > length;
}

static void put_sorted_pairs(sp_encoder *e, int table, lua_Integer length)
{
  lua_State *L = e->L;
  lua_Integer count = has_pairs(L, table, length) ? sp_push_ordered_keys(L, e->how.repeatable, table) : 0;
  for (lua_Integer i = 1; i <= count && e->entries > 0 && !e->refused; i++, lua_settop(L, table + 1)) {
    sp_raw_geti(L, table + 1, i);
    lua_pushvalue(L, table + 2);
    sp_raw_get(L, table);
    put_pair(e, table + 2, length);
  }
}

static void put_pairs(sp_encoder *e, int table, lua_Integer length)
{
  lua_State *L = e->L;
  for (lua_pushnil(L); sp_raw_next(L, table); lua_settop(L, table + 1))
    put_pair(e, table + 1, length);
}

/* Writes the contents of the table on top, and removes it. */
static void put_contents(sp_encoder *e)
{
  lua_State *L = e->L;
  int table = lua_gettop(L);
  if (e->how.rule == SP_CODEC_SNAPSHOT && lua_getmetatable(L, table)) {
    put_number(e, META, (uint64_t)share(e, table + 1));
    lua_settop(L, table);
  }
  lua_Integer length = put_sequence(e, table);
  if (e->how.rule == SP_CODEC_SNAPSHOT)
    put_pairs(e, table, length);
  else
    put_sorted_pairs(e, table, length);
  lua_settop(L, table - 1);
  put_tag(e, NIL);
}

/* Writes the value at `index`, and the contents of all tables that were met and have none yet. */
static void put_graph(sp_encoder *e, int index)
{
  put_value(e, index);
  while (e->done < e->tables && !e->refused && e->used <= e->how.most) {
    sp_raw_geti(e->L, e->at + NUMBERS, ++e->done);
    put_contents(e);
  }
}

/* }== */

/* {== Paths ============================================================== */

/* Pushes the key under which the table on top of the stack has the value at `value`, or that value when it is a key.
   False, and nothing pushed, when it has not. */
static bool push_key(lua_State *L, int table, int value)
{
  for (lua_pushnil(L); sp_raw_next(L, table); lua_pop(L, 1))
    if (sp_raw_equal(L, -1, value) || sp_raw_equal(L, -2, value)) {
      lua_pop(L, 1);
      return true;
    }
  return false;
}

/* Pushes the keys that lead to the refused value: from it back to the table that has it, which was met earlier. */
static void push_path(sp_encoder *e)
{
  lua_State *L = e->L;
  int value = lua_gettop(L) + 1, keys = value + 1, path = value + 2;
  lua_Integer count = 0;
  sp_raw_geti(L, e->at + NUMBERS, 0);
  lua_newtable(L);
  lua_newtable(L);
  for (lua_Integer from = 1; from <= e->done && number_of(e, value) != 1; from++) {
    sp_raw_geti(L, e->at + NUMBERS, from);
    if (push_key(L, path + 1, value)) {
      sp_raw_seti(L, keys, ++count);
      lua_replace(L, value);
      from = 0;
    }
    lua_settop(L, path);
  }
  for (lua_Integer i = 1; i <= count; i++) {
    sp_raw_geti(L, keys, count + 1 - i);
    sp_raw_seti(L, path, i);
  }
  lua_replace(L, value);
  lua_settop(L, value);
}

void sp_add_path(lua_State *L, int path, lua_Integer from)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  int keys = lua_absindex(L, path), text = lua_gettop(L);
  sp_shown shown;
  for (int type; (type = sp_raw_geti(L, keys, from)) != LUA_TNIL; from++) {
    const char *key = sp_to_text(L, -1);
    bool is_name = *key && !(*key >= '0' && *key <= '9') && key[strspn(key, letters)] == '\0';
    if (type >= LUA_TTABLE) /* an address would be another one in each run */
      key = lua_typename(L, type);
    else if (!is_name)
      key = sp_show(L, text + 1, &shown);
    lua_pushvalue(L, text);
    lua_pushfstring(L, is_name ? ".%s" : "[%s]", key);
    lua_concat(L, 2);
    lua_replace(L, text);
    lua_settop(L, text);
  }
  lua_settop(L, text);
}

/* }== */

/* {== Encoding =========================================================== */

static void begin(lua_State *L, sp_encoder *e, const sp_codec *how, uint64_t entries)
{
  luaL_checkstack(L, 30, NULL);
  lua_newtable(L);
  lua_pushnil(L);
  *e = (sp_encoder){.L = L, .how = *how, .at = lua_gettop(L) - PLACES + 1, .entries = entries};
  e->work = sp_work_begin(L, sp_watchdog_of(L));
}

bool sp_encode(lua_State *L, int index, const sp_codec *how)
{
  int value = lua_absindex(L, index), top = lua_gettop(L);
  sp_encoder e;
  begin(L, &e, how, UINT64_MAX);
  put_graph(&e, value);
  if (e.is_late) { /* once more: all metatables are known now */
    const lua_Integer shared = e.shared;
    lua_settop(L, top);
    begin(L, &e, how, UINT64_MAX);
    for (e.shared = 1; e.shared <= shared; e.shared++) {
      sp_raw_geti(L, how->list, e.shared);
      set_number(&e, top + 1 + PLACES, -e.shared);
      lua_settop(L, top + PLACES);
    }
    e.shared = shared;
    put_graph(&e, value);
  }
  if (!e.refused && e.used > how->most)
    refuse(&e, value, how->over);
  if (!e.refused) {
    lua_pushlstring(L, e.bytes, e.used);
    lua_replace(L, top + 1);
    lua_settop(L, top + 1);
    return true;
  }
  lua_pushstring(L, e.refused);
  push_path(&e);
  sp_raw_geti(L, e.at + NUMBERS, 0);
  lua_rotate(L, top + 1, 3);
  lua_settop(L, top + 3);
  return false;
}

/* }== */

/* {== Hashes ============================================================= */

void sp_value_hash_begin(lua_State *L, sp_encoder *e, const sp_manager *m, sp_repeatable *r, uint64_t entries)
{
  begin(L, e, &(sp_codec){.rule = SP_CODEC_HASH, .manager = m, .repeatable = r, .most = SIZE_MAX}, entries);
}

/* Of whole words: most values are a few bytes. */
static uint64_t hash_bytes(const char *bytes, size_t size)
{
  char rest[8] = {0};
  uint64_t hash = sp_hash_mix(SP_SUM_BEGIN, size);
  for (; size >= 8; bytes += 8, size -= 8)
    hash = sp_hash_mix(hash, read_64(bytes));
  memcpy(rest, bytes, size);
  return sp_hash_mix(hash, read_64(rest));
}

uint64_t sp_value_hash_at(sp_encoder *e, int index)
{
  if (lua_isnil(e->L, index))
    return 0;
  e->used = 0;
  put_graph(e, lua_absindex(e->L, index));
  return hash_bytes(e->bytes, e->used);
}

/* }== */

/* {== Decoding =========================================================== */

typedef struct decoder {
  lua_State *L;
  const char *at, *end;
  const sp_manager *manager;
  int numbers, list; /* number -> table; what is shared */
  lua_Integer tables;
} decoder;

static bool take_number(decoder *d, uint64_t *number)
{
  if (d->end - d->at < 8)
    return false;
  *number = read_64(d->at);
  d->at += 8;
  return true;
}

/* Pushes the table of a number: a new one, when it is the next. */
static bool push_table(decoder *d, uint64_t number)
{
  lua_State *L = d->L;
  if (number < 1 || number > (uint64_t)d->tables + 1)
    return false;
  if (number > (uint64_t)d->tables) {
    lua_newtable(L);
    sp_raw_seti(L, d->numbers, ++d->tables);
  }
  sp_raw_geti(L, d->numbers, (lua_Integer)number);
  return true;
}

static bool push_string(decoder *d, uint64_t size)
{
  if (size > (uint64_t)(d->end - d->at))
    return false;
  lua_pushlstring(d->L, d->at, (size_t)size);
  d->at += size;
  return true;
}

static bool push_object(const decoder *d, uint64_t life)
{
  const sp_manager *m = d->manager;
  if (!m || life >> 24 > (~sp_first_generation(m) & ((1u << SP_WINDOW_BITS) - 1)))
    return false;
  uint32_t generation = sp_first_generation(m) + (uint32_t)(life >> 24);
  uint32_t slot = (uint32_t)life & (SP_MAX_SLOTS - 1);
  sp_push_object(d->L, (sp_ref)generation << 32 | sp_slots_of(m)->id_bits | slot);
  return true;
}

static bool push_float(lua_State *L, uint64_t bits)
{
  double number;
  memcpy(&number, &bits, sizeof number);
  lua_pushnumber(L, number);
  return true;
}

/* Pushes what a value with a number holds. What is not data is believed only beside the list that it comes with. */
static bool push_numbered(decoder *d, char tag, uint64_t number)
{
  switch (tag) {
  case INTEGER:
    lua_pushinteger(d->L, (lua_Integer)number);
    return true;
  case FLOAT:
    return push_float(d->L, number);
  case STRING:
    return push_string(d, number);
  case TABLE:
    return push_table(d, number);
  case OBJECT:
    return push_object(d, number);
  case LIGHT:
    return d->list && (sp_push_object(d->L, number), true);
  case SHARED:
    return d->list && sp_raw_geti(d->L, d->list, (lua_Integer)number) != LUA_TNIL;
  default:
    return false;
  }
}

/* Pushes a value. False, perhaps with something pushed, for damaged bytes. */
static bool push_value(decoder *d)
{
  uint64_t number;
  if (d->at == d->end)
    return false;
  char tag = *d->at++;
  switch (tag) {
  case NIL:
    lua_pushnil(d->L);
    return true;
  case FALSE:
  case TRUE:
    lua_pushboolean(d->L, tag == TRUE);
    return true;
  case EMPTY:
    lua_pushlightuserdata(d->L, (void *)&sp_empty_seat);
    return true;
  default:
    return take_number(d, &number) && push_numbered(d, tag, number);
  }
}

static bool take_metatable(decoder *d, int table)
{
  uint64_t number;
  if (d->at == d->end || *d->at != META)
    return true;
  d->at++;
  if (!d->list || !take_number(d, &number) || sp_raw_geti(d->L, d->list, (lua_Integer)number) != LUA_TTABLE)
    return false;
  lua_setmetatable(d->L, table);
  return true;
}

static bool take_sequence(decoder *d, int table)
{
  uint64_t length;
  if (d->at == d->end || *d->at++ != LENGTH || !take_number(d, &length) || length > (uint64_t)(d->end - d->at))
    return false;
  for (uint64_t i = 1; i <= length; i++) {
    if (!push_value(d) || lua_isnil(d->L, -1))
      return false;
    sp_raw_seti(d->L, table, (lua_Integer)i);
  }
  return true;
}

/* NaN is no key. */
static bool is_key(lua_State *L, int index)
{
  return lua_type(L, index) != LUA_TNUMBER || lua_tonumber(L, index) == lua_tonumber(L, index);
}

/* Fills the table at `table`, which is on top. */
static bool take_contents(decoder *d, int table)
{
  lua_State *L = d->L;
  if (!take_metatable(d, table) || !take_sequence(d, table))
    return false;
  for (;;) {
    if (!push_value(d))
      return false;
    if (lua_isnil(L, -1))
      return true;
    if (!is_key(L, -1) || !push_value(d) || lua_isnil(L, -1))
      return false;
    sp_raw_set(L, table);
  }
}

bool sp_decode(lua_State *L, const char *bytes, size_t size, const sp_manager *manager, int list)
{
  int value = lua_gettop(L) + 1;
  decoder d = {L, bytes, bytes + size, manager, value + 1, list ? lua_absindex(L, list) : 0, 0};
  sp_timed_work work = sp_work_begin(L, sp_watchdog_of(L));
  luaL_checkstack(L, 12, NULL);
  lua_pushnil(L);
  lua_newtable(L);
  bool fine = push_value(&d);
  if (fine)
    lua_replace(L, value);
  for (lua_Integer i = 1; fine && i <= d.tables; i++) {
    const char *from = d.at;
    lua_settop(L, d.numbers);
    sp_raw_geti(L, d.numbers, i);
    fine = take_contents(&d, d.numbers + 1);
    sp_work_do(&work, (uint32_t)((d.at - from) / 4 & 0xffffff));
  }
  fine = fine && d.at == d.end;
  lua_settop(L, fine ? value : value - 1);
  return fine;
}

/* }== */
