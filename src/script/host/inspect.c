/*
** Values are formatted here, not by Lua's tostring: reading creates no garbage for plain values, calls no metamethod,
** and does not create `fresh` values that the game has not used yet.
*/
#include "script/host/inspect.h"

#include <inttypes.h>
#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "script/bind/fields.h"
#include "script/bind/snapshot.h"
#include "script/guard/door.h"
#include "script/host/host.h"
#include "script/host/value_words.h"
#include "script/reload/reload.h"
#include "script/state/border.h"
#include "script/state/context.h"
#include "script/state/report.h"

/* Runs `function(request)` protected and watched. False: the message is on top, if `keep`; else nothing is. */
static bool run(sp_script *s, lua_CFunction function, void *request, bool keep)
{
  lua_State *L = s->L;
  if (!s->pools->core || !lua_checkstack(L, 20))
    return false;
  int top = lua_gettop(L), handler = sp_door_handler(L, false);
  lua_pushcfunction(L, function);
  lua_pushlightuserdata(L, request);
  bool done = sp_door(L, s->context, 1, 0, handler) == LUA_OK;
  if (!done && keep && handler)
    lua_replace(L, handler);
  lua_settop(L, done || !keep ? top : top + 1);
  return done;
}

/* {== Types of values ==================================================== */

static sp_field_type type_of(lua_State *L, int index)
{
  switch (lua_type(L, index)) {
  case LUA_TNUMBER:
    return SP_FIELD_NUMBER;
  case LUA_TBOOLEAN:
    return SP_FIELD_BOOLEAN;
  case LUA_TSTRING:
    return SP_FIELD_STRING;
  default:
    return SP_FIELD_OTHER;
  }
}

/* }== */

/* {== Reading ============================================================ */

typedef struct reading {
  const sp_context *c;
  sp_ref object;
  sp_field_value *fields;
  uint32_t count;
} reading;

/* The pool of a live object of any manager, or NULL. */
static spl_pool *pool_of_live(const sp_context *c, sp_ref object)
{
  const spl_manager *m = sp_manager_of(c, object);
  return m && sp_object_is_live(m->core, object) ? spl_pool_of(sp_object_pool(m->core, object)) : NULL;
}

/* Adds one field, while the object lives. */
static void show_field(lua_State *L, reading *r, const char *name, uint32_t packed, bool own)
{
  spl_pool *p = pool_of_live(r->c, r->object);
  sp_name_kind kind = SP_NAME_KIND(packed);
  if (!p || packed == SP_NO_KEY || r->count == SP_FIELDS_SHOWN)
    return;
  sp_field_value *value = &r->fields[r->count++];
  *value = (sp_field_value){.type = SP_FIELD_OTHER, .own = own};
  snprintf(value->name, sizeof value->name, "%s", name);
  if (kind == SP_NAME_VALUE && sp_is_unmade(L, p, sp_ref_slot(r->object), SP_NAME_WHAT(packed))) {
    snprintf(value->text, sizeof value->text, "(not made yet)");
  } else {
    sp_object_read(L, p, sp_ref_slot(r->object), packed);
    bool is_float = kind == SP_NAME_FLOAT || kind == SP_NAME_LOOK_FLOAT || kind == SP_NAME_REMAINING;
    value->writable = sp_value_words(L, r->c, is_float, value->text) && strlen(name) < sizeof value->name;
    value->type = type_of(L, -1);
    value->number = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
}

/* Returns the key of the name on top; SP_NO_KEY: it means nothing to the object. */
static uint32_t own_name(lua_State *L, const reading *r)
{
  const spl_pool *p = pool_of_live(r->c, r->object);
  return p ? sp_keymap_find(L, p->names, -1) : SP_NO_KEY;
}

/* The names of own fields, in order: the list that the class described. */
static void show_own(lua_State *L, reading *r)
{
  sp_push_anchor(L, r->c, pool_of_live(r->c, r->object));
  lua_getiuservalue(L, -1, SP_POOL_FIELDS);
  int list = lua_gettop(L);
  for (lua_Integer i = 1; lua_rawgeti(L, list, i) == LUA_TTABLE; i++) {
    sp_raw_field(L, -1, "name");
    show_field(L, r, lua_tostring(L, -1), own_name(L, r), true);
    lua_settop(L, list);
  }
  lua_settop(L, list - 3);
}

/* Names that are not shown as fields: identity and age. */
static void show_builtin(lua_State *L, reading *r)
{
  static const char *const names[] = {"x",      "y", "vx", "vy", "ax", "ay",      "angle",  "spin",  "scale",
                                      "radius", "r", "g",  "b",  "a",  "visible", "pinned", "layer", "sprite"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const spl_pool *p = pool_of_live(r->c, r->object);
    if (p && sp_pool_desc_of(p->core)->spatial)
      show_field(L, r, names[i], sp_keymap_find_text(r->c->names, names[i]), false);
  }
}

static int read_fields(lua_State *L)
{
  reading *r = lua_touserdata(L, 1);
  show_own(L, r);
  show_builtin(L, r);
  show_field(L, r, "remaining", sp_keymap_find_text(r->c->names, "remaining"), false);
  return 0;
}

/* Returns whether the object is a live one of the default manager. */
static bool is_shown(const sp_script *s, sp_ref object)
{
  return s->pools->core && sp_object_is_live(s->pools->core, object);
}

uint32_t sp_script_fields(sp_script *s, sp_ref object, sp_field_value fields[SP_FIELDS_SHOWN])
{
  reading r = {s->context, object, fields, 0};
  return is_shown(s, object) && run(s, read_fields, &r, false) ? r.count : 0;
}

/* }== */

/* {== Writing ============================================================ */

typedef struct writing {
  sp_ref object;
  const char *name, *text;
} writing;

/* Pushes `text` as a value of the type of the one on top. */
static void push_typed(lua_State *L, const char *text)
{
  switch (type_of(L, -1)) {
  case SP_FIELD_NUMBER:
    if (strcmp(text, "inf") == 0)
      lua_pushnumber(L, HUGE_VAL);
    else if (lua_stringtonumber(L, text) == 0)
      luaL_error(L, "'%s' is no number", text);
    break;
  case SP_FIELD_BOOLEAN:
    if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0)
      luaL_error(L, "'%s' is neither true nor false", text);
    lua_pushboolean(L, strcmp(text, "true") == 0);
    break;
  case SP_FIELD_STRING:
    lua_pushstring(L, text);
    break;
  default:
    luaL_error(L, "only numbers, true and false, and strings can be written here");
  }
}

static int write_field(lua_State *L)
{
  const writing *w = lua_touserdata(L, 1);
  sp_push_object(L, w->object);
  lua_getfield(L, -1, w->name);
  push_typed(L, w->text);
  lua_setfield(L, 2, w->name);
  return 0;
}

bool sp_script_set_field(sp_script *s, sp_ref object, const char *name, const char *text, char *error,
                         size_t error_size)
{
  writing w = {object, name, text};
  if (s->on_command)
    s->on_command(s->command_ud, object, name, text);
  if (!is_shown(s, object)) {
    snprintf(error, error_size, "the object is no longer live");
    return false;
  }
  lua_State *L = s->L;
  int top = lua_gettop(L);
  lua_State *outer = sp_begin(s->context, L);
  bool done = run(s, write_field, &w, true);
  sp_finish(s->context, outer);
  if (!done) {
    const char *why = lua_gettop(L) > top ? lua_tostring(L, -1) : NULL;
    snprintf(error, error_size, "%s", why ? why : "not enough memory");
    error[strcspn(error, "\n")] = '\0';
  }
  lua_settop(L, top);
  return done;
}

int sp_script_column(const sp_pool *pool, const char *field)
{
  uint32_t name = sp_keymap_find_text(spl_pool_of(pool)->names, field);
  switch (name == SP_NO_KEY ? SP_NAME_METHOD : SP_NAME_KIND(name)) {
  case SP_NAME_NUMBER:
  case SP_NAME_INTEGER:
  case SP_NAME_BOOLEAN:
    return SP_NAME_WHAT(name);
  default:
    return -1;
  }
}

/* }== */

/* {== Traces ============================================================= */

bool sp_script_traces(const sp_script *s) { return s->pools->core && s->pools->trace; }

typedef struct story_request {
  const sp_context *c;
  sp_ref object;
  char *out;
  size_t size;
} story_request;

static int copy_story(lua_State *L)
{
  const story_request *t = lua_touserdata(L, 1);
  sp_push_story(L, t->c, t->object);
  const char *history = lua_tostring(L, -1);
  snprintf(t->out, t->size, "%s", strncmp(history, ": ", 2) == 0 ? history + 2 : history);
  return 0;
}

bool sp_script_history(sp_script *s, sp_ref object, char *out, size_t size)
{
  story_request t = {s->context, object, out, size};
  out[0] = '\0';
  return run(s, copy_story, &t, false) && out[0] != '\0';
}

typedef struct sites {
  const spl_manager *m;
  const sp_ref *objects;
  uint32_t count;
  sp_site_fn fn;
  void *ud;
} sites;

static int pass_sites(lua_State *L)
{
  const sites *s = lua_touserdata(L, 1);
  sp_push_anchor(L, s->m->context, s->m);
  lua_getiuservalue(L, -1, SP_MANAGER_TRACES);
  int traces = lua_gettop(L);
  for (uint32_t i = 0; i < s->count; i++) {
    sp_push_object(L, s->objects[i]);
    if (sp_object_is_live(s->m->core, s->objects[i]) && lua_rawget(L, traces) == LUA_TTABLE &&
        sp_raw_field(L, -1, "site") == LUA_TSTRING)
      s->fn(s->ud, i, lua_tostring(L, -1));
    lua_settop(L, traces);
  }
  return 0;
}

bool sp_script_sites(sp_script *s, const sp_ref *objects, uint32_t count, sp_site_fn fn, void *ud)
{
  sites all = {s->pools, objects, count, fn, ud};
  return run(s, pass_sites, &all, false);
}

/* }== */

/* {== Classes ============================================================ */

typedef struct asking {
  const sp_context *c;
  const char *type;
  uint32_t version;
} asking;

static int ask_version(lua_State *L)
{
  asking *a = lua_touserdata(L, 1);
  if (!sp_push_reload(L, a->c, "version_of"))
    return 0;
  lua_pushstring(L, a->type);
  lua_call(L, 1, 1);
  a->version = (uint32_t)lua_tointeger(L, -1);
  return 0;
}

uint32_t sp_script_class_version(sp_script *s, const char *type)
{
  asking a = {s->context, type, 0};
  run(s, ask_version, &a, false);
  return a.version;
}

void sp_script_time_hooks(sp_script *s, bool on)
{
  s->context->hooks_timed = on;
  s->context->hook_owner = 0;
}

uint64_t sp_script_hook_time(const sp_script *s, const sp_pool *pool)
{
  const spl_pool *p = s->pools->core == sp_pool_manager(pool) ? spl_pool_of(pool) : NULL;
  return p ? p->hook_ns : 0;
}

/* }== */

/* {== The console ======================================================== */

/* Typed text goes through the same door as callbacks, but its errors are only reported: they neither stop the game nor
   take new code back. */

/* Calls a function of lua/spawnpool/console.lua. */
static int call_console(lua_State *L)
{
  sp_script *s = lua_touserdata(L, 1);
  sp_push_helper(L, s->context, "spawnpool.console", lua_touserdata(L, 2));
  lua_pushstring(L, lua_touserdata(L, 3));
  if (s->selected)
    sp_push_object(L, s->selected);
  else
    lua_pushnil(L);
  lua_call(L, 2, 2);
  return 2;
}

/* Leaves two results, or the text of an error. */
static bool ask(sp_script *s, const char *function, const char *text)
{
  lua_State *L = s->L;
  uint32_t probation = s->context->probation;
  s->context->probation = 0; /* failures of typed text do not count against new code */
  lua_pushcfunction(L, call_console);
  lua_pushlightuserdata(L, s);
  lua_pushlightuserdata(L, (void *)function);
  lua_pushlightuserdata(L, (void *)text);
  int status = sp_host_door(s, 3, 2);
  s->context->probation = probation;
  return status == LUA_OK;
}

/* For a single line, the position of an error is obvious. */
static void report_wrong(sp_script *s, const char *text, const char *wrong)
{
  static const char place[] = "console:1: ";
  size_t length = sizeof place - 1;
  if (!wrong)
    wrong = "not enough memory to say what went wrong";
  if (!strchr(text, '\n') && strncmp(wrong, place, length) == 0)
    wrong += length;
  sp_host_report(s, SP_REPORT_ERROR, wrong);
}

sp_eval sp_script_eval(sp_script *s, const char *text)
{
  lua_State *L = s->L;
  int top = lua_gettop(L);
  sp_eval outcome = SP_EVAL_FAILED;
  if (s->on_command)
    s->on_command(s->command_ud, s->selected, NULL, text);
  if (!lua_checkstack(L, 20))
    return outcome;
  bool answered = ask(s, "eval", text);
  if (answered && strcmp(lua_tostring(L, -2), "done") == 0) {
    outcome = SP_EVAL_DONE;
    if (!lua_isnil(L, -1))
      sp_host_report(s, SP_REPORT_PRINT, lua_tostring(L, -1));
  } else if (answered && strcmp(lua_tostring(L, -2), "more") == 0) {
    outcome = SP_EVAL_MORE;
  } else {
    report_wrong(s, text, lua_tostring(L, -1));
  }
  lua_settop(L, top);
  return outcome;
}

size_t sp_script_complete(sp_script *s, const char *text, void (*fn)(void *ud, const char *word), void *ud)
{
  lua_State *L = s->L;
  int top = lua_gettop(L);
  size_t begun = 0;
  if (lua_checkstack(L, 20) && ask(s, "complete", text)) {
    begun = (size_t)lua_tointeger(L, -1);
    for (lua_Integer i = 1; lua_rawgeti(L, top + 1, i) == LUA_TSTRING; i++) {
      fn(ud, lua_tostring(L, -1));
      lua_pop(L, 1);
    }
  }
  lua_settop(L, top);
  return begun;
}

void sp_script_select(sp_script *s, sp_ref object) { s->selected = object; }

void sp_script_on_command(sp_script *s, sp_command_fn fn, void *ud)
{
  s->on_command = fn;
  s->command_ud = ud;
}

/* }== */

/* {== Hashes =============================================================
** Each object adds to the sum of each of its parts, and to the sum of its group: sums do not depend on the order of the
** walk. */

#define GROUPS 64
#define ENTRIES_MOST 200000 /* of tables in fields: a hash must not take long */
#define DIGEST_MOST 64      /* objects of a pool that are looked at in each frame */

typedef struct hashing {
  sp_script *script;
  sp_hash_fn fn;
  void *ud;
  uint64_t all;
  uint32_t manager; /* its number: 1 is the first one */
  const spl_pool *pool;
  uint64_t parts[SP_PARTS], groups[GROUPS];
  int shift; /* of numbers, to that of their group */
} hashing;

/* }== */

/* {== The parts of a pool ================================================ */

static bool is_own(uint32_t name)
{
  const sp_name_kind kind = SP_NAME_KIND(name);
  return (kind == SP_NAME_FLOAT && SP_NAME_WHAT(name) >= SP_FIELDS) || kind == SP_NAME_NUMBER ||
         kind == SP_NAME_INTEGER || kind == SP_NAME_BOOLEAN || kind == SP_NAME_VALUE || kind == SP_NAME_REF;
}

static const char *field_name(const sp_keymap *names, int column)
{
  for (uint32_t i = 0; i <= names->mask; i++)
    if (names->seats[i].key && is_own(names->seats[i].value) && SP_NAME_WHAT(names->seats[i].value) == column)
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
         : part < SP_PART_BEGIN ? field_name(h->pool->names, part)
                                : others[part - SP_PART_BEGIN];
}

static uint64_t hash_idle(const sp_pool *p)
{
  uint64_t hash = 0;
  for (sp_ref idle = 0; (idle = sp_pool_idle_after(p, idle)) != SP_NULL_REF;)
    hash = sp_hash_mix(hash, sp_hash_ref(sp_pool_manager(p), idle));
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
  snprintf(pool, sizeof pool, "%s%.120s", h->manager > 1 ? name : "", sp_pool_desc_of(p)->type);
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
  for (sp_ref object; (object = sp_walk_next(&walk)) != SP_NULL_REF;) {
    uint32_t number = sp_object_number(m, object);
    most = number > most ? number : most;
  }
  while (most > (uint32_t)GROUPS << shift)
    shift++;
  return shift;
}

static void on_pool(void *ud, const spl_pool *pool)
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

/* Adds a column of the live slots of a chunk. */
static uint64_t digest_column(const sp_pool *p, uint32_t chunk, int column, size_t size, bool ref, uint64_t live,
                              uint64_t hash)
{
  const char *cells = sp_pool_peek_column(p, chunk, column);
  for (; cells && live; live &= live - 1) {
    uint64_t bits = 0;
    memcpy(&bits, cells + (size_t)__builtin_ctzll(live) * size, size);
    hash = sp_hash_mix(hash, ref ? sp_hash_ref(sp_pool_manager(p), bits) : bits);
  }
  return hash;
}

/* Adds the numbers of the first live objects of a pool: places, and fields of its class. */
static uint64_t digest_objects(const sp_pool *p, uint64_t hash)
{
  const sp_pool_desc *desc = sp_pool_desc_of(p);
  uint64_t live;
  int left = DIGEST_MOST;
  for (uint32_t chunk = 0; left > 0 && sp_pool_live_bits(p, chunk, &live); chunk++) {
    left -= __builtin_popcountll(live);
    for (int i = 0; i < SP_LOOK && desc->spatial; i++)
      hash = digest_column(p, chunk, i, sizeof(float), false, live, hash);
    for (int i = 0; i < desc->field_count; i++)
      if (desc->fields[i].size <= sizeof(uint64_t))
        hash = digest_column(p, chunk, SP_FIELDS + i, desc->fields[i].size, desc->fields[i].ref, live, hash);
  }
  return hash;
}

uint32_t sp_script_digest(const sp_script *s)
{
  const sp_manager *m = s->pools->core;
  uint64_t hash = 1;
  if (!m)
    return 1;
  hash = sp_hash_mix(sp_hash_mix(hash, sp_serial(m)), sp_clock_of(m).tick);
  for (const sp_pool *p = NULL; (p = sp_manager_next_pool(m, p)) != NULL;) {
    hash = sp_hash_mix(hash, (uint64_t)sp_pool_live(p) << 32 | sp_pool_idle(p));
    hash = digest_objects(p, hash);
  }
  hash = sp_hash_mix(sp_hash_mix(hash, 0), 0); /* what the last object changed reaches the lowest bits */
  return (uint32_t)(hash ^ hash >> 32);
}
